package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/section"
)

// A Finding is one thing that is wrong, or worth knowing, about a file. Its code and its
// place are stable; the wording of Text and Advice may change.
type Finding struct {
	Line     int      // counted from 1, as robotstxt.Lines does
	Column   int      // in bytes of the line in UTF-8, counted from 1
	Code     string   // the name of one of Codes
	Severity Severity // of the code
	Text     string   // what happens, in a sentence
	Advice   string   // what to do, in a sentence; what Fix does if it is not nil and can be seen
	Fix      *Edit    // corrects the line without changing what the file means, or nil
}

// String returns the finding as "line:column: severity: text advice [code]".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s %s [%s]", f.Line, f.Column, f.Severity, f.Text, f.Advice, f.Code)
}

// An Edit corrects a line without changing what the file means to package robotstxt:
// every decision, record and sitemap stays the same. An Edit corrects everything in its
// line that it can, so several findings may have the same one. If one of them deletes the
// line, that one wins.
type Edit struct {
	Line   int    // counted from 1, as in the Finding
	Delete bool   // whether the line goes, with its end
	Text   string // the new line, or several separated by "\n"; empty if Delete
}

// advice returns the sentence that tells a person to make the edit.
func (e *Edit) advice() string {
	if e.Delete {
		return "Delete this line."
	}
	lines := strings.Split(e.Text, "\n")
	for i := range lines {
		lines[i] = quoteWhole(strings.TrimSpace(lines[i]))
	}
	if last := len(lines) - 1; last > 0 {
		return "Write " + strings.Join(lines[:last], ", ") + " and " + lines[last] + " on lines of their own."
	}
	return "Write " + lines[0] + "."
}

// A checker collects the findings about a file.
type checker struct {
	*file
	ignored  ignored
	findings []Finding
}

// A place is where a finding is.
type place struct{ line, column int }

func atKey(l *line) place { return place{l.Number, max(1, l.KeyColumn)} }

// atValue returns the place of an offset in the value of a line.
func atValue(l *line, offset int) place { return place{l.Number, l.ValueColumn + offset} }

// atContent returns the place of the first visible character of a line.
func atContent(l *line) place { return place{l.Number, max(0, strings.Index(l.Text, content(l))) + 1} }

// report adds a finding with the sentences of a code, which may be followed by a slash
// and a special case, and returns it. It adds nothing that the file asks to ignore.
func (c *checker) report(p place, code string, args ...any) *Finding {
	e, w := wordings(code)
	f := Finding{Line: p.line, Column: p.column, Code: e.Name, Severity: e.Severity, Text: fill(w.text, args), Advice: fill(w.advice, args)}
	if c.ignored.has(f) {
		return &f
	}
	c.findings = append(c.findings, f)
	return &c.findings[len(c.findings)-1]
}

// fill inserts the arguments into a sentence, if it has places for them.
func fill(sentence string, args []any) string {
	if !strings.Contains(sentence, "%[") {
		return sentence
	}
	return fmt.Sprintf(sentence, args...)
}

// mostPerCode is how many findings of one code a file can have. It keeps what Check
// returns for a hostile file in proportion to the file.
const mostPerCode = 10000

// finish returns the findings in order, each cause once.
func (c *checker) finish() []Finding {
	c.dropHidden()
	c.keepOneRule()
	slices.SortStableFunc(c.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), strings.Compare(x.Code, y.Code))
	})
	counts, last := map[string]int{}, map[string]int{}
	kept := c.findings[:0]
	for _, f := range c.findings {
		if f.Fix != nil && f.Code != "utf-16" && f.Code != "byte-order-mark" { // whose edits cannot be seen
			f.Advice = f.Fix.advice()
		}
		if counts[f.Code]++; counts[f.Code] <= mostPerCode {
			last[f.Code] = len(kept)
			kept = append(kept, f)
		}
	}
	for code, i := range last {
		if more := counts[code] - mostPerCode; more > 0 {
			kept[i].Text += fmt.Sprintf(" Findings like this on %s more lines are left out.", count(more))
		}
	}
	return kept
}

func (c *checker) dropHidden() {
	type onLine struct {
		line int
		code string
	}
	hidden := map[onLine]bool{}
	for _, f := range c.findings {
		for _, code := range hides[f.Code] {
			hidden[onLine{f.Line, code}] = true
		}
	}
	if len(hidden) > 0 {
		c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool { return hidden[onLine{f.Line, f.Code}] })
	}
}

// keepOneRule drops the edits that would delete the last rule of a section, because
// such a line ends a run of user-agent lines.
func (c *checker) keepOneRule() {
	deleted := map[int]bool{}
	for _, f := range c.findings {
		if f.Fix != nil && f.Fix.Delete {
			deleted[f.Line] = true
		}
	}
	if len(deleted) == 0 {
		return
	}
	kept := map[int]bool{}
	for _, s := range c.sections {
		first := 0
		for i := range s.Lines {
			if l := &s.Lines[i]; section.IsRule(l) && !deleted[l.Number] {
				first = 0
				break
			} else if section.IsRule(l) {
				first = cmp.Or(first, l.Number)
			}
		}
		kept[first] = true
	}
	for i := range c.findings {
		if f := &c.findings[i]; kept[f.Line] && f.Fix != nil && f.Fix.Delete {
			f.Fix = nil
		}
	}
}

// ignored has the findings that comments in the file silence.
type ignored struct {
	asking []*line                 // with such comments
	codes  map[string]bool         // in the whole file
	onLine map[int]map[string]bool // on one line
}

// has reports whether the file asks to ignore a finding.
func (i ignored) has(f Finding) bool { return i.codes[f.Code] || i.onLine[f.Line][f.Code] }

// add reads the comment of a line.
func (i *ignored) add(l *line) {
	if l.Comment == "" {
		return
	}
	codes := ignoredCodes(l.Comment)
	if len(codes) == 0 {
		return
	}
	if i.codes == nil {
		i.codes, i.onLine = map[string]bool{}, map[int]map[string]bool{}
	}
	i.asking = append(i.asking, l)
	set := i.codes
	if content(l) != "" {
		set = map[string]bool{}
		i.onLine[l.Number] = set
	}
	for _, code := range codes {
		set[code] = true
	}
}

// ignoredCodes returns the codes that a comment silences.
func ignoredCodes(comment string) []string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(comment, "# \t"), "robotstxt-lint:")
	if !ok {
		return nil
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t,", r) })
	if len(words) == 0 || words[0] != "ignore" {
		return nil
	}
	return words[1:]
}

// quote makes a string of a file fit for a sentence.
func quote(s string) string { return quoteUpTo(60, s) }

// quoteWhole is quote for text to write, with room for any usual URL.
func quoteWhole(s string) string { return quoteUpTo(2083, s) }

// quoteUpTo quotes at most some characters of a string and escapes what cannot be seen.
// Backslashes stay as they are, because people compare the sentence with the file.
func quoteUpTo(most int, s string) string {
	n := 0
	for i := range s {
		if n == most {
			s = s[:i] + "…"
			break
		}
		n++
	}
	return strings.ReplaceAll(strconv.Quote(s), `\\`, `\`)
}

// count writes a number with commas.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// numbers lists the first few of some line numbers, of which there are at least two.
func numbers(lines []int) string {
	const most = 10
	var text []string
	for _, n := range lines[:min(most, len(lines)-1)] {
		text = append(text, strconv.Itoa(n))
	}
	last := strconv.Itoa(lines[len(text)])
	if more := len(lines) - len(text); more > 1 {
		last = count(more) + " more"
	}
	return strings.Join(text, ", ") + " and " + last
}

// listed quotes the first few of some words.
func listed(words []string) string {
	const most = 4
	var quoted []string
	for _, w := range words[:min(most, len(words))] {
		quoted = append(quoted, quote(w))
	}
	switch n := len(words) - len(quoted); {
	case n > 0:
		return strings.Join(quoted, ", ") + " and " + count(n) + " more"
	case len(quoted) > 1:
		last := len(quoted) - 1
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return strings.Join(quoted, "")
}
