// Command robotstxt reports whether a crawler may fetch a URL, and which line of the
// robots.txt file decides. It also finds mistakes in robots.txt files, shows how crawlers
// understand them, and compares them.
//
// "robotstxt help" lists the commands and the exit statuses, and "robotstxt help
// COMMAND" describes a command.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes a command line and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		_, _, err := root.Find(args) // fails if the command is unknown
		return err
	}
	root.SetArgs(append([]string{}, args...)) // not nil: cobra would replace nil with os.Args
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	if err == nil || errors.As(err, new(exitStatus)) {
		err = cmp.Or(out.err, err)
	}
	var status exitStatus
	switch {
	case errors.As(err, &status):
		return int(status)
	case err != nil:
		complain(cmd, err)
		return exitError
	}
	return exitOK
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "robotstxt",
		Short:         "The robotstxt command answers questions about robots.txt files.",
		Version:       describeBuild(buildInfo()),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError(cmd, errors.New("no command given"))
		},
	}
	root.SetFlagErrorFunc(usageError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.AddGroup(&cobra.Group{ID: forOwners, Title: "For the owner of a site:"}, &cobra.Group{ID: forCrawls, Title: "For crawls:"})
	addCommands(root, forOwners, newAICommand(), newCheckCommand(), newDiffCommand(), newLintCommand(), newLogCommand(),
		newServeCommand(), newShowCommand(), newTagsCommand(), newTestCommand())
	addCommands(root, forCrawls, newScanCommand())
	addExitHelp(root)
	return root
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

// usageError adds a hint to an error: the right spelling of a flag, or the command for help.
func usageError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if f := cmd.Flags().Lookup(unknown.GetSpecifiedShortnames()); f != nil {
			return fmt.Errorf("%w (did you mean --%s?)", err, f.Name)
		}
		if unknown.GetSpecifiedName() == "robots" {
			err = fmt.Errorf("this command is about a robots.txt file, so give it without --robots: %s robots.txt", cmd.CommandPath())
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		want := "a number"
		if invalid.GetFlag().Value.Type() == "bool" {
			want = "true or false"
		}
		err = fmt.Errorf("--%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
	}
	return fmt.Errorf("%w (try: %s --help)", err, cmd.CommandPath())
}

// isRobotsFile reports whether an operand is the name of a robots.txt file.
func isRobotsFile(operand string) bool {
	return !isURL(operand) && !strings.HasPrefix(operand, "/") && filepath.Base(operand) == "robots.txt"
}

// wantsRobotsFlag returns a check for commands whose operands are not robots.txt files. An operand that
// is one is an error that names the flag --robots. Other operands go to the next check.
func wantsRobotsFlag(next cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		for _, operand := range args {
			if isRobotsFile(operand) {
				return usageError(cmd, fmt.Errorf("give the robots.txt file with --robots %s", operand))
			}
		}
		return next(cmd, args)
	}
}

// operands returns a check that a command has at least one operand, and at most limit of them. A
// limit of 0 means no limit. The noun is for the error message, as in "no file given".
func operands(noun string, limit int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usageError(cmd, fmt.Errorf("no %s given", noun))
		case limit > 0 && len(args) > limit:
			return usageError(cmd, fmt.Errorf("unexpected operand %q", args[limit]))
		}
		return nil
	}
}

// complain prints the name of the command and an error to standard error.
func complain(cmd *cobra.Command, err error) {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), visible(errorText(err)))
}

// errorText returns the text of an error without "robotshttp: " or "robotstxt: " at its
// start.
func errorText(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: ")
}
