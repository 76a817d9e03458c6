// Command conformance tests implementations of robots.txt, in any language, with the cases
// in this repository's folder testdata, which it contains.
//
// README.md describes its commands and the adapters that "conformance run" talks to. "conformance run -h"
// lists the flags.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/wire"
)

const usage = `usage: conformance export DIR
       conformance run [-levels rfc,google,ours] [-brief] [-timeout 1m] -- COMMAND [ARGUMENT...]
       conformance answer
`

// A usageError is an error in the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

func main() {
	os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// command runs the command with the given arguments and returns its exit status.
func command(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ok, err := true, error(usageError("no command"))
	if len(args) > 0 {
		switch args[0] {
		case "export":
			err = exportCommand(args[1:], stdout, stderr)
		case "run":
			ok, err = runCommand(args[1:], stdout, stderr)
		case "answer":
			err = wire.Serve(stdin, stdout, answer)
		case "-h", "-help", "--help", "help":
			_, err = fmt.Fprint(stdout, usage)
		default:
			err = usageError(fmt.Sprintf("unknown command %q", args[0]))
		}
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "conformance: %v\n", err)
		if _, ok := err.(usageError); ok {
			fmt.Fprint(stderr, usage)
		}
		return 2
	case !ok:
		return 1
	}
	return 0
}

// newFlags returns a flag set for a command, with the flag -testdata.
func newFlags(name string, stderr io.Writer) (flags *flag.FlagSet, testdata *string) {
	flags = flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	return flags, flags.String("testdata", "", "a `folder` with other cases than those in this program")
}

func exportCommand(args []string, stdout, stderr io.Writer) error {
	flags, testdata := newFlags("export", stderr)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return usageError("export needs one argument, the folder to write to")
	}
	topics, err := readTopics(*testdata)
	if err != nil {
		return err
	}
	if err := export(flags.Arg(0), topics); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d topics\n", flags.Arg(0), len(topics))
	return nil
}

func runCommand(args []string, stdout, stderr io.Writer) (ok bool, err error) {
	flags, testdata := newFlags("run", stderr)
	levels := flags.String("levels", "rfc,google", "ask the questions of these `levels` (rfc, google, ours), separated by commas")
	brief := flags.Bool("brief", false, "print only the totals, without wrong answers and topics")
	timeout := flags.Duration("timeout", time.Minute, "the time limit for each answer")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if flags.NArg() == 0 {
		return false, usageError("run needs the command of an adapter")
	}
	topics, err := readTopics(*testdata)
	if err != nil {
		return false, err
	}
	if topics, err = choose(topics, splitList(*levels)); err != nil {
		return false, err
	}
	a, err := startAdapter(flags.Args(), *timeout, stderr)
	if err != nil {
		return false, fmt.Errorf("the adapter does not start: %w", err)
	}
	defer a.stop()
	results, err := ask(a, topics)
	if err != nil {
		return false, err
	}
	if !*brief {
		printFailures(stdout, results)
	}
	printTable(stdout, results, *brief)
	return total("", results).failed == 0, nil
}

// splitList splits a list at commas and spaces.
func splitList(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
