// Command robotstxt reports whether a crawler may fetch a URL, and which line of the
// robots.txt file decides. It also finds mistakes in robots.txt files, shows how crawlers
// understand them, and compares them.
//
// "robotstxt help" lists the commands and the exit statuses, and "robotstxt help
// COMMAND" describes a command.
package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/ai"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/check"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/diff"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/lint"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/scan"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/serve"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/show"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/sites"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/tags"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/test"
	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes a command line and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(newRootCommand(), args, stdin, stdout, stderr)
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:     "robotstxt",
		Short:   about,
		Long:    about + cli.ExitHelp(exitMeanings),
		Version: describeBuild(buildInfo()),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.UsageError(cmd, errors.New("no command given"))
		},
	}
	root.AddGroup(&cobra.Group{ID: forOwners, Title: "For the owner of a site:"}, &cobra.Group{ID: forCrawls, Title: "For crawls:"})
	addCommands(root, forOwners, ai.New(), check.New(), diff.New(), lint.New(), log.New(),
		serve.New(), show.New(), tags.New(), test.New())
	addCommands(root, forCrawls, scan.New(), sites.New())
	return root
}

const about = "The robotstxt command answers questions about robots.txt files."

// exitMeanings explains the exit statuses in the help of the whole program.
var exitMeanings = map[int]string{
	cli.ExitOK:          "success",
	cli.ExitNo:          "a problem or a difference was found, or a URL is disallowed",
	cli.ExitError:       "wrong usage, or something could not be read or written",
	cli.ExitDamaged:     "part of the input is damaged; the output covers the rest",
	cli.ExitInterrupted: "interrupted; the output covers what was read",
}

// The groups of commands in the help.
const (
	forOwners = "owners"
	forCrawls = "crawls"
)

func addCommands(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = group
		root.AddCommand(c)
	}
}

// buildInfo returns the build information of this program. If there is none, the version
// is "unknown".
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{Main: debug.Module{Version: "unknown"}, GoVersion: runtime.Version()}
}

// describeBuild returns the version of the module, the commit if the program was built in
// a Git clone, and the version of Go.
func describeBuild(info *debug.BuildInfo) string {
	parts := []string{info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			parts = append(parts, "commit "+s.Value)
		}
	}
	return strings.Join(append(parts, info.GoVersion), ", ")
}
