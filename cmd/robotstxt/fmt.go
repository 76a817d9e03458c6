package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/aymanbagabas/go-udiff"
	"github.com/google/renameio/v2/maybe"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/spf13/cobra"
)

func newFmtCommand() *cobra.Command {
	var f formatter
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE|URL|-...",
		Short: "Format robots.txt files",
		Long: `The fmt command corrects the spelling of keys, joins groups for the same
crawlers, and moves sitemaps to the end. No decision changes, and comments stay
with their lines. Lines that have no effect are kept ("robotstxt lint" finds
them). The line endings of the file do not change.

Some files are reported as errors and not changed: files that are not robots.txt
files, such as HTML pages; files in UTF-16 without a byte-order mark; and files
that are, or would become, larger than the 500 KiB that crawlers read.

"-" is standard input. On a terminal, control characters are shown as escapes.`,
		Example: `  robotstxt fmt robots.txt
  robotstxt fmt --diff robots.txt
  robotstxt fmt --write robots.txt
  robotstxt fmt https://www.example.com/ > robots.txt`,
		Args: operands("file", 0),
		RunE: withStatus(func(cmd *cobra.Command, names []string) (int, error) {
			f.cmd = cmd
			return f.run(names)
		}),
	}
	cmd.Flags().BoolVarP(&f.list, "list", "l", false, "list the files that would change")
	cmd.Flags().BoolVarP(&f.diff, "diff", "d", false, "print a unified diff of what would change")
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	exclusive(cmd, "list", "diff", "write")
	return cmd
}

// A formatter formats files according to the flags.
type formatter struct {
	list, diff, write bool
	cmd               *cobra.Command
}

func (f *formatter) run(names []string) (status int, err error) {
	if f.write && slices.ContainsFunc(names, isURL) {
		return 0, errors.New("--write is for files, not for URLs")
	}
	for _, name := range names {
		s, err := f.format(name)
		if err != nil {
			complain(f.cmd, err)
		}
		status = max(status, s)
	}
	return status, nil
}

// format formats a file according to the flags, and returns the exit status.
func (f *formatter) format(name string) (status int, err error) {
	before, err := readRobots(f.cmd, name)
	if err != nil {
		return exitError, err
	}
	if start := notRobots(before); start != "" {
		return exitError, fmt.Errorf("%s: this is not a robots.txt file: it starts with %.40q", displayName(name), start)
	}
	after, err := format.Format(before)
	if err != nil {
		return exitError, fmt.Errorf("%s: %w", displayName(name), err)
	}
	changes := !bytes.Equal(before, after)
	switch {
	case f.write && name != "-":
		if changes {
			err = replace(name, after)
		}
	case !f.list && !f.diff:
		f.print(string(after))
	case changes:
		status = exitNo
		f.report(displayName(name), string(before), string(after))
	}
	if err != nil {
		status = exitError
	}
	return status, err
}

// report prints the name of a file that would change (with --list) or a diff (with --diff).
func (f *formatter) report(name, before, after string) {
	if f.list {
		f.print(name + "\n")
	} else {
		f.print(udiff.Unified(name, name+" (formatted)", before, after))
	}
}

// print prints text. On a terminal, it escapes control characters.
func (f *formatter) print(text string) {
	out := f.cmd.OutOrStdout()
	if isTerminal(out) {
		text = visible(text)
	}
	fmt.Fprint(out, text)
}

// replace replaces the text of a file. If name is a link, it replaces the text of the linked
// file. Except on Windows, other programs never see a file that is only partly written.
func replace(name string, text []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	return maybe.WriteFile(target, text, 0o666)
}
