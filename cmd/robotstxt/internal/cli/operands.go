package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// UsageError adds a hint to an error: the right spelling of a flag, or the command for help.
func UsageError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if f := cmd.Flags().Lookup(unknown.GetSpecifiedShortnames()); f != nil {
			return fmt.Errorf("%w (did you mean --%s?)", err, f.Name)
		}
		if unknown.GetSpecifiedName() == "robots" {
			err = fmt.Errorf("this command is about a robots.txt file, so give it without --robots: %s robots.txt", cmd.CommandPath())
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		switch flag.Value.Type() {
		case "header": // the value can be a secret
			err = fmt.Errorf("--%s: want a header such as \"Name: value\", but not Host", flag.Name)
		case "bool":
			err = fmt.Errorf("--%s %q: want true or false", flag.Name, invalid.GetValue())
		default:
			err = fmt.Errorf("--%s %q: want a time, such as 10s", flag.Name, invalid.GetValue())
		}
	}
	return fmt.Errorf("%w (try: %s --help)", err, cmd.CommandPath())
}

// isRobotsFile reports whether an operand is the name of a robots.txt file.
func isRobotsFile(operand string) bool {
	return !IsURL(operand) && !strings.HasPrefix(operand, "/") && filepath.Base(operand) == "robots.txt"
}

// WantsRobotsFlag returns a check for commands whose operands are not robots.txt files. An operand that
// is one is an error that names the flag --robots. Other operands go to the next check.
func WantsRobotsFlag(next cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		for _, operand := range args {
			if isRobotsFile(operand) {
				return UsageError(cmd, fmt.Errorf("give the robots.txt file with --robots %s", operand))
			}
		}
		return next(cmd, args)
	}
}

// Operands returns a check that a command has at least one operand, and at most limit of them. A
// limit of 0 means no limit. The noun is for the error message, as in "no file given".
func Operands(noun string, limit int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return UsageError(cmd, fmt.Errorf("no %s given", noun))
		case limit > 0 && len(args) > limit:
			return UsageError(cmd, fmt.Errorf("unexpected argument %q", args[limit]))
		}
		return nil
	}
}

// Complain prints the name of the command and an error to standard error.
func Complain(cmd *cobra.Command, err error) {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), Visible(reply.ErrorText(err)))
}
