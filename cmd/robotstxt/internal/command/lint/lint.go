// Package lint is the command "robotstxt lint".
package lint

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var l linter
	cmd := &cobra.Command{
		Use:   "lint [flags] [FILE|URL|-...]",
		Short: "Find mistakes in robots.txt files",
		Long: `The lint command finds lines of robots.txt files that have no effect, or not the
effect that they seem to have, and lines that only some crawlers understand.
Without an argument, it reads robots.txt in the current folder.

For each finding, lint prints "file:line:column: severity: text [code]", which
editors understand. Below that, it prints the line of the file, with a caret
under the column. The most serious findings come first. An error is a line that
has no effect, or not the effect that it seems to have. A warning is a line that
crawlers read differently, or that may be a mistake. An info is a line that
works, but perhaps not as its author expects. If several findings have the same
text, lint shows the first one and lists the lines of the others. Columns count
bytes, except with --format, where they count characters. docs/lint.md has an
example for each code.

With --fix, lint first corrects what it can without changing a decision. Then it
shows the findings that remain.

The following comment hides the findings with these two codes. On a line of its
own, the comment hides them in the whole file. At the end of another line, it
hides them only on that line.

  # robotstxt-lint: ignore all-disallowed, dead-key

"-" is standard input, which another program writes, and for a URL without a
path, the site's robots.txt is read. Findings that flags or comments exclude do
not affect the exit status.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "no errors were found",
			cli.ExitNo:    "an error was found; with --strict, an error or a warning",
			cli.ExitError: "a file could not be read or written, or standard input is empty",
		}),
		Example: `  robotstxt lint robots.txt
  robotstxt lint https://www.example.com/
  robotstxt lint --strict --ignore dead-key site/*/robots.txt
  robotstxt lint --fix robots.txt
  robotstxt lint --format sarif robots.txt > robots.sarif`,
		RunE: cli.WithStatus(l.run),
	}
	cmd.Flags().BoolVar(&l.fix, "fix", false, "first correct what can be corrected safely, and save the file")
	cmd.Flags().StringSliceVar(&l.ignored, "ignore", nil, "leave out findings with this `code`")
	cmd.Flags().BoolVar(&l.strict, "strict", false, "exit with status 1 for warnings as well as errors")
	cli.AddHeaderFlag(cmd, &l.loader.Header)
	cmd.Flags().BoolVar(&l.json, "json", false, "print one JSON object for each finding")
	cmd.Flags().StringVar(&l.format, "format", "", "print the findings for another program, in the `format` sarif or github")
	cli.Exclusive(cmd, "json", "format")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(lintFormats, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("ignore", completeCode)
	return cmd
}

// completeCode returns the codes of findings, for shell completion.
func completeCode(*cobra.Command, []string, string) (codes []string, _ cobra.ShellCompDirective) {
	for _, c := range lint.Codes() {
		codes = append(codes, cobra.CompletionWithDesc(c.Name, c.Text))
	}
	return codes, cobra.ShellCompDirectiveNoFileComp
}

// A linter runs the lint command with the flags in its fields.
type linter struct {
	fix, strict, json bool
	ignored           []string
	format            string
	loader            cli.Loader
}

var lintFormats = []string{"sarif", "github"}

func (l *linter) run(cmd *cobra.Command, names []string) (status int, err error) {
	if len(names) == 0 {
		names = []string{"robots.txt"}
	}
	if err := l.validate(names); err != nil {
		return 0, err
	}
	out := cmd.OutOrStdout()
	var files []lintFile
	total := tally{counts: map[lint.Severity]int{}}
	for _, name := range names {
		data, err := l.read(cmd, name, &total)
		if err != nil {
			status = cli.ExitError
			cli.Complain(cmd, err)
			continue
		}
		file := lintFile{cli.DisplayName(name), data, lint.Check(data, l.ignored...)}
		status = max(status, file.status(l.strict))
		total.add(file)
		switch {
		case l.json:
			file.printJSON(out)
		case l.format == "sarif":
			files = append(files, file)
		case l.format == "github":
			file.printGitHub(out)
		default:
			file.print(out)
		}
	}
	if l.format == "sarif" {
		printSARIF(out, files)
	} else if !l.json {
		total.print(out)
	}
	return status, nil
}

// read returns the text of a file. With --fix, read corrects the text. If the text changes, read
// writes the new text to the file, adds one to total.rewritten, and returns the new text.
func (l *linter) read(cmd *cobra.Command, name string, total *tally) ([]byte, error) {
	found, err := l.loader.LoadFile(cmd, name, reply.Other)
	data := found.Body
	if err == nil && name == "-" && len(data) == 0 {
		err = errors.New("standard input is empty: did the command that should write to it fail?")
	}
	if err != nil || !l.fix {
		return data, err
	}
	fixed, err := lint.Fix(data, l.ignored...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.DisplayName(name), err)
	}
	if bytes.Equal(data, fixed) {
		return data, nil
	}
	total.rewritten++
	return fixed, cli.Replace(name, fixed)
}

// validate returns an error if a flag has an unknown value or cannot be used with the named
// files.
func (l *linter) validate(names []string) error {
	if l.format != "" && !slices.Contains(lintFormats, l.format) {
		return fmt.Errorf("--format %q: want sarif or github", l.format)
	}
	if l.fix && slices.ContainsFunc(names, func(name string) bool { return name == "-" || cli.IsURL(name) }) {
		return errors.New("--fix is for files, not for URLs or standard input")
	}
	for _, code := range l.ignored {
		if !slices.ContainsFunc(lint.Codes(), func(c lint.Code) bool { return c.Name == code }) {
			return fmt.Errorf("--ignore %q: there is no such code (docs/lint.md lists all codes)", code)
		}
	}
	return nil
}

// A lintFile is a file with its findings.
type lintFile struct {
	name     string
	data     []byte
	findings []lint.Finding
}

func (file lintFile) status(strict bool) int {
	for _, f := range file.findings {
		if f.Severity == lint.Error || strict && f.Severity == lint.Warning {
			return cli.ExitNo
		}
	}
	return cli.ExitOK
}

var severityColors = map[lint.Severity]cli.Style{lint.Error: cli.Red, lint.Warning: cli.Yellow, lint.Info: cli.Cyan}

// print prints the findings as text, the most serious first. If several findings say the same, it
// prints the first one in full, and only the line numbers of the others.
func (file lintFile) print(w io.Writer) {
	groups := answers.Fold(file.findings)
	line := func(x, y []lint.Finding) int { return x[0].Line - y[0].Line }
	if !slices.IsSortedFunc(groups, line) {
		printWords(w, append([]string{cli.Printable(file.name)}, "(most", "serious", "first)"))
	}
	texts := answers.NewLineTexts(file.data)
	for _, found := range groups {
		printFinding(w, file.name, found[0])
		printExcerpt(w, texts.Line(found[0].Line), found[0])
		printOthers(w, found[1:])
	}
}

func printFinding(w io.Writer, name string, f lint.Finding) {
	words := []string{
		fmt.Sprintf("%s:%d:%d:", cli.Printable(name), f.Line, f.Column),
		cli.Paint(w, severityColors[f.Severity], string(f.Severity)+":"),
	}
	words = append(words, strings.Fields(f.Text+" "+f.Advice)...)
	words = append(words, cli.Paint(w, cli.Faint, "["+f.Code+"]"))
	printWords(w, words)
}

// printWords prints words on one line. On a terminal, it wraps the line.
func printWords(w io.Writer, words []string) {
	text := strings.Join(words, " ") + "\n"
	if cli.IsTerminal(w) {
		const indent = "    "
		text = cli.Wrap(cli.ColumnsOf(w), words, " ", indent)[len(indent):]
	}
	io.WriteString(w, text)
}

// printExcerpt prints as much of a finding's line as fits, and a caret below the column of
// the finding.
func printExcerpt(w io.Writer, text string, f lint.Finding) {
	column := min(f.Column-1, len(text))
	margin := fmt.Sprintf("%6d | ", f.Line)
	room := cli.ColumnsOf(w) - len(margin)
	before := cli.LastColumns(cli.OneRow(text[:column]), room/2)
	caret := strings.Repeat(" ", uniseg.StringWidth(before)) + cli.Paint(w, severityColors[f.Severity], "^")
	after := cli.FirstColumns(cli.OneRow(text[column:]), room-uniseg.StringWidth(before))
	fmt.Fprintf(w, "%s%s%s\n", cli.Paint(w, cli.Faint, margin), before, after)
	fmt.Fprintf(w, "%s%s\n", cli.Paint(w, cli.Faint, strings.Repeat(" ", len(margin)-2)+"| "), caret)
}

// printOthers lists the lines of findings with the same text as the one above, at most ten of them.
func printOthers(w io.Writer, findings []lint.Finding) {
	const most = 10
	var lines []string
	for _, f := range findings[:min(len(findings), most)] {
		lines = append(lines, strconv.Itoa(f.Line))
	}
	if len(findings) > most {
		lines = append(lines, "…")
	}
	if len(findings) > 0 {
		fmt.Fprintf(w, "         and %s: %s\n", cli.Plural(len(findings), "more line"), strings.Join(lines, ", "))
	}
}

// A tally counts findings, and the files that --fix changed.
type tally struct {
	files, fixable, rewritten int
	counts                    map[lint.Severity]int
}

func (t *tally) add(file lintFile) {
	t.files++
	for _, f := range file.findings {
		t.counts[f.Severity]++
		if f.Fix != nil {
			t.fixable++
		}
	}
}

// print prints the tally, such as "2 errors, 1 warning in 1 file".
func (t *tally) print(w io.Writer) {
	var counts []string
	for _, s := range answers.Severities() {
		if n := t.counts[s]; n > 0 {
			counts = append(counts, cli.Plural(n, string(s)))
		}
	}
	if t.files == 0 {
		return // no file could be read, and the reasons are already printed
	}
	fmt.Fprintf(w, "%s in %s", cmp.Or(strings.Join(counts, ", "), "no findings"), cli.Plural(t.files, "file"))
	if t.fixable > 0 {
		fmt.Fprintf(w, "; --fix corrects %d", t.fixable)
	}
	if t.rewritten > 0 {
		fmt.Fprintf(w, "; --fix changed %s", cli.Plural(t.rewritten, "file"))
	}
	fmt.Fprintln(w)
}

func (file lintFile) printJSON(w io.Writer) {
	for _, f := range file.findings {
		cli.PrintJSON(w, struct {
			File string `json:"file"`
			lint.Finding
		}{file.name, f})
	}
}
