package main

import (
	"fmt"
	"io"

	"github.com/fatih/color"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/spf13/cobra"
)

func newLintCommand() *cobra.Command {
	var l linter
	cmd := &cobra.Command{
		Use:   "lint [flags] FILE|URL|-...",
		Short: "Say what is wrong in robots.txt files, by line",
		Long: `Lint says what is wrong in robots.txt files: lines that do nothing or not what
they say, and lines that crawlers disagree about.

Each finding is a line "file:line:column: severity: text [code]", which editors
can jump to. An error is a line that does nothing or not what it says, a
warning one that crawlers disagree about. Columns count bytes, but characters
in SARIF. "-" is standard input, and of a URL without a path the site's
robots.txt is read.

The exit status is 0 if there is no error, 1 if there is one, and 2 if a file
could not be read.`,
		Example: `  robotstxt lint robots.txt
  robotstxt lint https://www.example.com/
  robotstxt lint --strict site/*/robots.txt
  robotstxt lint --sarif robots.txt > robots.sarif`,
		Args: operands("file", 0),
		RunE: withStatus(l.run),
	}
	cmd.Flags().BoolVar(&l.strict, "strict", false, "let warnings count as errors for the exit status")
	cmd.Flags().BoolVar(&l.json, "json", false, "print one JSON object per line")
	cmd.Flags().BoolVar(&l.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	return cmd
}

// A linter is what the flags of the command say.
type linter struct {
	strict, json, sarif bool
}

// A lintFile is a file with what was found in it.
type lintFile struct {
	name     string
	data     []byte
	findings []lint.Finding
}

func (l *linter) run(cmd *cobra.Command, names []string) (status int, err error) {
	out := cmd.OutOrStdout()
	log := newSARIF()
	for _, name := range names {
		data, err := readRobots(cmd, name)
		if err != nil {
			status = exitError
			complain(cmd, err)
			continue
		}
		file := lintFile{displayName(name), data, lint.Check(data)}
		status = max(status, file.status(l.strict))
		switch {
		case l.json:
			file.printJSON(out)
		case l.sarif:
			log.add(file)
		default:
			file.print(out)
		}
	}
	if l.sarif {
		return status, printLongJSON(out, log)
	}
	return status, nil
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

var severityColours = map[lint.Severity]color.Attribute{lint.Error: color.FgRed, lint.Warning: color.FgYellow, lint.Info: color.FgCyan}

// print prints the findings for people and editors.
func (file lintFile) print(w io.Writer) {
	for _, f := range file.findings {
		severity := paint(w, severityColours[f.Severity], string(f.Severity))
		code := paint(w, color.Faint, "["+f.Code+"]")
		fmt.Fprintf(w, "%s:%d:%d: %s: %s %s %s\n", printable(file.name), f.Line, f.Column, severity, f.Text, f.Advice, code)
	}
}

func (file lintFile) printJSON(w io.Writer) {
	for _, f := range file.findings {
		printJSON(w, struct {
			File     string        `json:"file"`
			Line     int           `json:"line"`
			Column   int           `json:"column"`
			Severity lint.Severity `json:"severity"`
			Code     string        `json:"code"`
			Text     string        `json:"text"`
			Advice   string        `json:"advice"`
			More     int           `json:"more,omitempty"`
		}{file.name, f.Line, f.Column, f.Severity, f.Code, f.Text, f.Advice, f.More})
	}
}
