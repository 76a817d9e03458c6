package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/robotstxt-go/robotstxt/lint"
)

var lintCommand = command{
	name:  "lint",
	about: "say what is wrong in robots.txt files, by line",
	usage: `Lint says what is wrong in robots.txt files: lines that do nothing or not what
they say, and lines that crawlers disagree about.

Usage:

  robotstxt lint [-strict] [-json | -sarif] FILE|URL|-...

Flags:

  -strict   let warnings count as errors for the exit status
  -json     print a JSON object a line, with file, line, column, severity, code,
            text and advice, and more, the number of findings of the same code
            that are left out
  -sarif    print a SARIF 2.1.0 log, which code hosts show on a pull request

Each finding is a line "file:line:column: severity: text [code]", which editors
can jump to. An error is a line that does nothing or not what it says, a warning
one that crawlers disagree about. Columns count bytes, but characters in SARIF.
"-" is standard input, and of a URL without a path the site's robots.txt is read.

The exit status is 0 if there is no error, 1 if there is one, and 2 if a file
could not be read.

Examples:

  robotstxt lint robots.txt
  robotstxt lint https://www.example.com/
  robotstxt lint -strict site/*/robots.txt
  robotstxt lint -sarif robots.txt > robots.sarif
`,
	run: runLint,
}

// A lintFile is a file with what was found in it.
type lintFile struct {
	name     string
	data     []byte
	findings []lint.Finding
}

func runLint(e env, args []string) (status int, err error) {
	flags := flag.NewFlagSet("lint", flag.ContinueOnError)
	strict := flags.Bool("strict", false, "")
	asJSON := flags.Bool("json", false, "")
	asSARIF := flags.Bool("sarif", false, "")
	names, err := parseFlags(flags, args)
	switch {
	case err != nil:
		return 0, err
	case len(names) == 0:
		return 0, errors.New("no file given (try: robotstxt help lint)")
	case *asJSON && *asSARIF:
		return 0, errors.New("-json and -sarif exclude each other")
	}
	out := bufio.NewWriter(e.stdout)
	print, finish := printFindings(isColoured(e.stdout)), func(io.Writer) error { return nil }
	switch {
	case *asJSON:
		print = printFindingsJSON
	case *asSARIF:
		log := newSARIF()
		print, finish = log.add, log.write
	}
	for _, name := range names {
		data, err := readRobots(e, name)
		if err != nil {
			status = exitError
			fmt.Fprintf(e.stderr, "robotstxt lint: %v\n", err)
			continue
		}
		file := lintFile{displayName(name), data, lint.Check(data)}
		status = max(status, file.status(*strict))
		if err := flush(out, print(out, file)); err != nil {
			return 0, err
		}
	}
	return status, flush(out, finish(out))
}

// displayName is what a file is called in the output.
func displayName(name string) string {
	if name == "-" {
		return "<standard input>"
	}
	if isURL(name) {
		return redacted(name)
	}
	return name
}

// status returns the exit status that the findings ask for.
func (f lintFile) status(strict bool) int {
	for _, finding := range f.findings {
		if finding.Severity == lint.Error || strict && finding.Severity == lint.Warning {
			return exitNo
		}
	}
	return exitOK
}

// printFindings returns a function that prints the findings of a file for people
// and editors.
func printFindings(coloured bool) func(io.Writer, lintFile) error {
	colours := map[lint.Severity]string{lint.Error: red, lint.Warning: yellow, lint.Info: cyan}
	return func(w io.Writer, file lintFile) error {
		for _, f := range file.findings {
			severity := paint(coloured, colours[f.Severity], string(f.Severity))
			code := paint(coloured, faint, "["+f.Code+"]")
			_, err := fmt.Fprintf(w, "%s:%d:%d: %s: %s %s %s\n", printable(file.name), f.Line, f.Column, severity, f.Text, f.Advice, code)
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func printFindingsJSON(w io.Writer, file lintFile) error {
	for _, f := range file.findings {
		err := printJSON(w, struct {
			File     string        `json:"file"`
			Line     int           `json:"line"`
			Column   int           `json:"column"`
			Severity lint.Severity `json:"severity"`
			Code     string        `json:"code"`
			Text     string        `json:"text"`
			Advice   string        `json:"advice"`
			More     int           `json:"more,omitempty"`
		}{file.name, f.Line, f.Column, f.Severity, f.Code, f.Text, f.Advice, f.More})
		if err != nil {
			return err
		}
	}
	return nil
}
