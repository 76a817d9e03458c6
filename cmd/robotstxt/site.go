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
		Long: `The site command writes the page of "robotstxt serve" to a directory, as static
files that any web server can serve. This page does the same as the page of
"robotstxt serve", except that it cannot fetch files from other sites. A browser
must load the page from a web server: at a file:// address, the page only says
that it needs a server. Other files in the directory are not changed.

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
