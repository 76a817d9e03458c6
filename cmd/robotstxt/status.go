package main

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
	exitOK          = 0
	exitNo          = 1
	exitError       = 2
	exitDamaged     = 3
	exitInterrupted = 130 // what shells report for a program that Ctrl-C has ended
)

// exitMeanings explains the exit statuses in the help of the whole program.
var exitMeanings = map[int]string{
	exitOK:          "success",
	exitNo:          "a problem or a difference was found, or a URL is disallowed",
	exitError:       "wrong usage, or something could not be read or written",
	exitDamaged:     "part of the input is damaged; the output covers the rest",
	exitInterrupted: "interrupted; the output covers what was read",
}

// exitStatuses explains the exit statuses in the help of each command.
var exitStatuses = map[string]map[int]string{
	"ai": {
		exitOK:    "the answers were printed; with --set, the file says what was chosen",
		exitNo:    "with --set, lines that the command does not change say something else",
		exitError: "a file could not be read or written, or some rules are undecided",
	},
	"check": {
		exitOK:    "all URLs are allowed",
		exitNo:    "a URL is disallowed",
		exitError: "a URL or sitemap could not be checked, perhaps because a server failed",
	},
	"diff": {
		exitOK:    "no verdict changes",
		exitNo:    "some verdicts change",
		exitError: "a file could not be read, or some rules are undecided",
	},
	"lint": {
		exitOK:    "no errors were found",
		exitNo:    "an error was found; with --strict, an error or a warning",
		exitError: "a file could not be read or written",
	},
	"log": {
		exitOK:      "the logs were read",
		exitNo:      "with --fail, a crawler broke a rule",
		exitError:   "a file, or most lines of the logs, could not be read",
		exitDamaged: "a compressed log is damaged; the report covers the part before the damage",
	},
	"scan": {
		exitOK:          "everything was read",
		exitError:       "something could not be read or written",
		exitDamaged:     "an archive is damaged; the rest was read",
		exitInterrupted: "interrupted; the summary covers what was read",
	},
	"serve": {
		exitOK:    "the page was served until the interrupt, or was written",
		exitError: "the file could not be read, or the page not served or written",
	},
	"show": {
		exitOK:    "the file was read",
		exitError: "the file could not be read",
	},
	"tags": {
		exitOK:    "no conflict was found",
		exitNo:    "a crawler cannot see the noindex or unavailable_after of the page",
		exitError: "the page or the robots.txt file could not be read",
	},
	"test": {
		exitOK:    "all expectations hold",
		exitNo:    "an expectation fails",
		exitError: "a file could not be read, or there are no expectations",
	},
}

// exitHelp returns the table of exit statuses for the help of a command.
func exitHelp(meanings map[int]string) string {
	var b strings.Builder
	b.WriteString("\n\nExit status:\n")
	for _, status := range slices.Sorted(maps.Keys(meanings)) {
		fmt.Fprintf(&b, "  %-3d  %s\n", status, meanings[status])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// addExitHelp adds the exit statuses to the help of all commands.
func addExitHelp(root *cobra.Command) {
	root.Long = root.Short + exitHelp(exitMeanings)
	for _, cmd := range root.Commands() {
		if meanings, ok := exitStatuses[cmd.Name()]; ok {
			cmd.Long += exitHelp(meanings)
		}
	}
}

// An exitStatus is an error that ends a command with this status and without a message.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// withStatus returns a function for the field RunE of a cobra command. The function calls run, and
// turns any exit status except exitOK into an error of type exitStatus.
func withStatus(run func(*cobra.Command, []string) (int, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		status, err := run(cmd, args)
		if err == nil && status != exitOK {
			return exitStatus(status)
		}
		return err
	}
}

// exclusive makes it an error to use any two of the flags together.
func exclusive(cmd *cobra.Command, flags ...string) {
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
			return usageError(cmd, errors.New(strings.Join(given, " and ")+" cannot be used together"))
		case before != nil:
			return before(cmd, args)
		}
		return nil
	}
}
