package survey

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Print writes the summary as text for people. The layout may change.
func (s *Summary) Print(w io.Writer) error {
	var text strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-12s%s\n", name, fmt.Sprintf(format, args...))
	}
	row("files", "%d", s.Files())
	row("size", "%d kB", (s.Bytes+999)/1000)
	row("groups", "%d", s.Groups)
	row("rules", "%d", s.Rules)
	if s.UnreadAgents > 0 {
		row("too long", "%d with user-agent lines after 500 KiB, which crawlers need not read", s.UnreadAgents)
	}
	row(notCountedRow, "%s", cmp.Or(counted(s.parts(notCountedRow)), "0"))
	if len(s.Statuses) == 0 && s.Total() > s.Captures["redirect_target"] {
		row(noFileRow, "unknown (the inputs have no HTTP status)")
	} else {
		row(noFileRow, "%s", cmp.Or(counted(s.noFile()), "0"))
	}
	s.printArchives(row)
	s.printAgents(&text)
	printMost(&text, "values of Content-Signal", s.ContentSignal)
	printMost(&text, "values of Content-Usage", s.ContentUsage)
	printMost(&text, "findings", s.Findings)
	printMost(&text, "keys", s.Keys)
	_, err := io.WriteString(w, text.String())
	return err
}

// A part is a number in a row, such as "2 HTML".
type part struct {
	n    int
	name string
}

// counted lists the numbers above 0, such as "2 HTML, 1 empty".
func counted(all []part) string {
	var parts []string
	for _, c := range all {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	return strings.Join(parts, ", ")
}

// The names of rows that have the numbers of several classes.
const (
	notCountedRow = "not counted" // files that are not complete robots.txt files
	noFileRow     = "no file"
)

// parts returns the numbers of the classes in a row.
func (s *Summary) parts(row string) (parts []part) {
	for _, c := range classes {
		if c.row == row {
			parts = append(parts, part{s.Captures[c.name], c.label})
		}
	}
	return parts
}

// noFile returns the numbers of captures that are not files. To a crawler, all 4xx statuses except
// 429 mean the same, but to a reader of statistics, a missing file is not a refused one.
func (s *Summary) noFile() []part {
	missing, refused := s.Statuses[404]+s.Statuses[410], s.Statuses[401]+s.Statuses[403]
	split := []part{{missing, "missing (404, 410)"}, {refused, "refused (401, 403)"}, {s.Captures["unavailable"] - missing - refused, "other 4xx"}}
	return append(split, s.parts(noFileRow)...)
}

// printArchives prints the rows about archives and folders. It omits a row if all numbers in
// the row are 0.
func (s *Summary) printArchives(row func(name, format string, args ...any)) {
	if targets := counted(s.parts("other URLs")); targets != "" {
		row("other URLs", "%s", targets)
	}
	if len(s.Skipped) > 0 {
		row("skipped", "%s", list(s.Skipped))
	}
	if len(s.Damaged) > 0 {
		row("damaged", "%s", list(s.Damaged))
	}
	if s.LeftOut > 0 {
		row("left out", "%d neither .txt nor WARC", s.LeftOut)
	}
}

// list returns a list such as "2 metadata, 3 request", sorted by name.
func list(all map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	return strings.Join(parts, ", ")
}

// printAgents prints a table with a row for each agent, and one for the files with a verdict for at least one of them.
func (s *Summary) printAgents(w io.Writer) {
	if len(s.Agents) == 0 {
		return
	}
	rows := s.byClosed()
	if len(rows) > 1 {
		anyOf := s.Any
		anyOf.Agent = "any of these"
		rows = append(rows, anyOf)
	}
	width := len("agent")
	for _, a := range rows {
		width = max(width, utf8.RuneCountInString(lex.Printable(a.Agent)))
	}
	fmt.Fprintf(w, "\nwhat agents may fetch, in %d files\n", s.Files())
	fmt.Fprintf(w, "%-*s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", width, "agent",
		"nothing", "", "by name", "other", "by *", "a part", "by name", "other", "by *")
	for _, a := range rows {
		fmt.Fprintf(w, "%-*s %7d %7s %7d %7d %7d %7d %7d %7d %7d\n", width, lex.Printable(a.Agent),
			a.None, s.percent(a.None), a.Named.None, a.Other.None, a.Star.None, a.Some, a.Named.Some, a.Other.Some, a.Star.Some)
	}
	if s.Any.Other.None+s.Any.Other.Some > 0 {
		fmt.Fprintln(w, "other: by the group for another name, such as Googlebot for Applebot (documented) or Claude for Claude-User (often not documented)")
	}
	undecided := 0
	for _, a := range s.Agents {
		undecided += a.Undecided
	}
	if undecided > 0 {
		fmt.Fprintf(w, "undecided cases: %d\n", undecided)
	}
}

// byClosed returns the agents, those that are shut out of the most files first.
func (s *Summary) byClosed() []AgentSummary {
	agents := slices.Clone(s.Agents)
	slices.SortStableFunc(agents, func(a, b AgentSummary) int { return cmp.Compare(b.None, a.None) })
	return agents
}

// percent returns n as a percentage of all files, such as "12.5%".
func (s *Summary) percent(n int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(s.Files(), 1)))
}

// printMost prints the names that occur in the most files.
func printMost(w io.Writer, title string, all map[string]Times) {
	const most = 15
	names := slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(cmp.Compare(all[y].Files, all[x].Files), strings.Compare(x, y))
	})
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(w, "\nmost common %s\n%9s %9s\n", title, "files", "times")
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%9d %9d  %s\n", all[name].Files, all[name].Times, lex.Printable(name))
	}
}
