// Command robotstxt asks robots.txt files the question that crawlers ask them:
// may this agent fetch this URL, and which line says so? It also says what is
// wrong in such files, shows how they are understood, and formats them.
//
// Usage:
//
//	robotstxt check [-agent NAME] [-robots FILE|URL|-] [-json] URL...
//	robotstxt lint [-strict] [-json | -sarif] FILE|URL|-...
//	robotstxt show [-json] FILE|URL|-
//	robotstxt ai [-json] FILE|URL|-
//	robotstxt scan [-agent NAME] [-json] DIR|FILE...
//	robotstxt fmt [-l | -w] FILE|URL|-...
//
// "robotstxt help" and "robotstxt help COMMAND" say more.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit statuses.
const (
	exitOK    = 0
	exitNo    = 1 // the answer is not all good: a URL is disallowed, a file has errors
	exitError = 2 // usage, or something that could not be read or written
)

// A command is one of the verbs.
type command struct {
	name  string
	about string // a line for the list of commands
	usage string
	run   func(env, []string) (status int, err error)
}

var commands = []command{checkCommand, lintCommand, showCommand, aiCommand, scanCommand, fmtCommand}

// An env is what a command has to do with the world.
type env struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer // for what does not end the command
}

func main() {
	os.Exit(run(env{stdin: os.Stdin, stdout: os.Stdout}, os.Stderr, os.Args[1:]))
}

// run runs the command that args name and returns the exit status.
func run(e env, stderr io.Writer, args []string) int {
	e.stderr = stderr
	name, rest := "", args
	if len(args) > 0 {
		name, rest = args[0], args[1:]
	}
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			return e.printHelp(overview())
		}
		name, rest = rest[0], []string{"-h"}
	case "":
		fmt.Fprintln(stderr, "robotstxt: no command given (try: robotstxt help)")
		return exitError
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		status, err := c.run(e, rest)
		if errors.Is(err, flag.ErrHelp) {
			return e.printHelp(c.usage)
		}
		if err != nil {
			fmt.Fprintf(stderr, "robotstxt %s: %v\n", name, err)
			return exitError
		}
		return status
	}
	fmt.Fprintf(stderr, "robotstxt: unknown command %q (try: robotstxt help)\n", name)
	return exitError
}

// printHelp prints a text that was asked for and returns the exit status.
func (e env) printHelp(text string) int {
	if _, err := io.WriteString(e.stdout, text); err != nil {
		fmt.Fprintf(e.stderr, "robotstxt: %v\n", err)
		return exitError
	}
	return exitOK
}

// overview is the text of "robotstxt help".
func overview() string {
	text := "Robotstxt answers questions about robots.txt files.\n\nUsage:\n\n  robotstxt COMMAND [ARGUMENTS]\n\nCommands:\n\n"
	for _, c := range commands {
		text += fmt.Sprintf("  %-8s%s\n", c.name, c.about)
	}
	return text + "\n\"robotstxt help COMMAND\" shows how to use one.\n"
}

// parseFlags parses args and returns those that are no flags, which may stand
// before, between and behind them.
func parseFlags(flags *flag.FlagSet, args []string) (operands []string, err error) {
	flags.SetOutput(io.Discard)
	for {
		switch err := flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w (try: robotstxt help %s)", err, flags.Name())
		}
		rest := flags.Args()
		if len(rest) == 0 {
			return operands, nil
		}
		if taken := len(args) - len(rest); taken > 0 && args[taken-1] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}
