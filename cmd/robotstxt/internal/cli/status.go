package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses. Each means the same in all commands.
const (
	ExitOK          = 0
	ExitNo          = 1
	ExitError       = 2
	ExitDamaged     = 3
	ExitInterrupted = 130 // what shells report for a program that Ctrl-C has ended
)

// ExitHelp returns the table of exit statuses for the end of a help text. It has no line feed at its end.
func ExitHelp(meanings map[int]string) string {
	var b strings.Builder
	b.WriteString("\n\nExit status:\n")
	for _, status := range slices.Sorted(maps.Keys(meanings)) {
		fmt.Fprintf(&b, "  %-3d  %s\n", status, meanings[status])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// An exitStatus is an error that ends a command with this status and without a message.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// WithStatus returns a function for the field RunE of a cobra command. The function calls run, and
// turns any exit status except ExitOK into an error of type exitStatus.
func WithStatus(run func(*cobra.Command, []string) (int, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		status, err := run(cmd, args)
		if err == nil && status != ExitOK {
			return exitStatus(status)
		}
		return err
	}
}

// Exclusive makes it an error to use any two of the flags together.
func Exclusive(cmd *cobra.Command, flags ...string) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		var given []string
		for _, name := range flags {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		switch {
		case len(given) > 1:
			return UsageError(cmd, errors.New(strings.Join(given, " and ")+" cannot be used together"))
		case before != nil:
			return before(cmd, args)
		}
		return nil
	}
}
