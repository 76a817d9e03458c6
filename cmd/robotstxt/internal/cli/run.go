// Package cli has what all commands of the program robotstxt need: flags and operands that several
// commands share, reading files and URLs, printing, errors, and exit statuses.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Execute runs the command line args of the root command, and returns the exit status.
func Execute(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	root.SilenceErrors, root.SilenceUsage = true, true // this function prints the error
	root.SetFlagErrorFunc(UsageError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
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
		if meant := meantCommand(args); cmd == root && meant != "" {
			err = fmt.Errorf("%q is not a command (did you mean: %s %s %s?)", args[0], root.Name(), meant, args[0])
		}
		Complain(cmd, err)
		return ExitError
	}
	return ExitOK
}

// meantCommand returns the command that is probably meant by somebody who gives only a robots.txt or a URL, or "".
func meantCommand(args []string) string {
	switch {
	case len(args) == 0:
		return ""
	case isRobotsFile(args[0]):
		return "show"
	case IsURL(args[0]):
		return "check"
	}
	return ""
}
