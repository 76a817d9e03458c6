package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/robotstxt-go/robotstxt/lint"
)

var fmtCommand = command{
	name:  "fmt",
	about: "write a robots.txt file anew, in a normal form",
	usage: `Fmt writes a robots.txt file anew: keys spelt right, groups for the same crawlers
joined, sitemaps at the end. No decision changes, and comments stay with their
lines. Lines that do nothing are kept; "robotstxt lint" finds those.

Usage:

  robotstxt fmt [-l | -w] FILE|URL|-...

Flags:

  -l   only list the files that are not in normal form; the exit status is 1 if
       there is one
  -w   write the result to the file instead of standard output

A file that is larger than the 500 KiB that crawlers read, or would be, is an
error. "-" is standard input.

Examples:

  robotstxt fmt robots.txt
  robotstxt fmt -w robots.txt
  robotstxt fmt https://www.example.com/ > robots.txt
`,
	run: runFmt,
}

func runFmt(e env, args []string) (status int, err error) {
	flags := flag.NewFlagSet("fmt", flag.ContinueOnError)
	list := flags.Bool("l", false, "")
	write := flags.Bool("w", false, "")
	names, err := parseFlags(flags, args)
	switch {
	case err != nil:
		return 0, err
	case len(names) == 0:
		return 0, errors.New("no file given (try: robotstxt help fmt)")
	case *list && *write:
		return 0, errors.New("-l and -w exclude each other")
	case *write && slices.ContainsFunc(names, isURL):
		return 0, errors.New("-w is for files, not for URLs")
	}
	for _, name := range names {
		before, after, err := format(e, name)
		switch {
		case err != nil:
			fmt.Fprintf(e.stderr, "robotstxt fmt: %v\n", err)
			status = exitError
			continue
		case *list && !bytes.Equal(before, after):
			status = max(status, exitNo)
			_, err = fmt.Fprintln(e.stdout, displayName(name))
		case *list:
		case *write && name != "-":
			err = rewrite(name, before, after)
		default:
			_, err = e.stdout.Write(after)
		}
		if err != nil {
			return 0, err
		}
	}
	return status, nil
}

func format(e env, name string) (before, after []byte, err error) {
	before, err = readRobots(e, name)
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
