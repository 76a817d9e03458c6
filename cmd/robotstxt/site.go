package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
	"github.com/spf13/cobra"
)

func newSiteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "site [flags] DIR",
		Short: "Write the page of \"robotstxt serve\" as static files",
		Long: `The site command writes the page of "robotstxt serve" to a directory, for any
web server that serves static files. The page then works as with "robotstxt
serve", except that it cannot fetch files from other sites. If somebody opens
the page at a file:// address, it only says that it needs a web server. Other
files in the directory are not changed.

The command compiles the engine of the page to WebAssembly, so it needs the go
command. It must run in a clone of this repository, or in a module that requires
the robotstxt module.`,
		Example: `  robotstxt site public/robots`,
		Args:    operands("directory", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			if err := web.WriteSite(ctx, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(args[0], "index.html"))
			return err
		},
	}
}
