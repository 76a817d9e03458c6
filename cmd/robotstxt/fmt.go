package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/spf13/cobra"
)

func newFmtCommand() *cobra.Command {
	var f formatter
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE|URL|-...",
		Short: "Write a robots.txt file anew, in a normal form",
		Long: `Fmt writes a robots.txt file anew: keys spelt right, groups for the same
crawlers joined, sitemaps at the end. No decision changes, and comments stay
with their lines. Lines that do nothing are kept; "robotstxt lint" finds those.

A file that is larger than the 500 KiB that crawlers read, or would be, is an
error. "-" is standard input.`,
		Example: `  robotstxt fmt robots.txt
  robotstxt fmt -w robots.txt
  robotstxt fmt https://www.example.com/ > robots.txt`,
		Args: operands("file", 0),
		RunE: withStatus(f.run),
	}
	cmd.Flags().BoolVarP(&f.list, "list", "l", false, "list the files that would change; exit status 1 if any")
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	cmd.MarkFlagsMutuallyExclusive("list", "write")
	return cmd
}

// A formatter is what the flags of the command say.
type formatter struct {
	list, write bool
}

func (f *formatter) run(cmd *cobra.Command, names []string) (status int, err error) {
	if f.write && slices.ContainsFunc(names, isURL) {
		return 0, errors.New("--write is for files, not for URLs")
	}
	for _, name := range names {
		before, after, err := format(cmd, name)
		switch {
		case err != nil:
			complain(cmd, err)
			status = exitError
			continue
		case f.list && !bytes.Equal(before, after):
			status = max(status, exitNo)
			fmt.Fprintln(cmd.OutOrStdout(), displayName(name))
		case f.list:
		case f.write && name != "-":
			err = rewrite(name, before, after)
		default:
			cmd.OutOrStdout().Write(after)
		}
		if err != nil {
			return 0, err
		}
	}
	return status, nil
}

func format(cmd *cobra.Command, name string) (before, after []byte, err error) {
	before, err = readRobots(cmd, name)
	if err != nil {
		return nil, nil, err
	}
	after, err = lint.Format(before)
	if err != nil {
		err = fmt.Errorf("%s: %w", displayName(name), err)
	}
	return before, after, err
}

// rewrite writes a file if it changes.
func rewrite(name string, before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	return os.WriteFile(name, after, 0o666)
}
