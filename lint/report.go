package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Finding is a mistake in a file, or a fact that the file's owner may want to know. Programs
// can rely on its code, line and column. The wording of Text and Advice may change.
type Finding struct {
	Line     int      // the line number, counted from 1
	Column   int      // the offset in the line, in bytes of UTF-8, counted from 1
	Code     string   // the name of the Code
	Severity Severity // may differ from the severity of the Code in special cases
	Text     string   // what happens, in one or more sentences
	Advice   string   // what to do, in one or more sentences
	Fix      *Edit    // corrects the line; nil if a person has to decide how
}

// String returns the finding as "line:column: severity: text advice [code]".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s %s [%s]", f.Line, f.Column, f.Severity, f.Text, f.Advice, f.Code)
}

// An Edit corrects a line without changing what the file means to package robotstxt. All
// decisions and records stay the same. A sitemap line is deleted only if an earlier line has the
// same sitemap.
//
// An Edit corrects as much of its line as possible, so all findings of a line often have the same
// Edit. Apply only one Edit to a line. If one of the line's Edits deletes the line, apply that
// Edit.
type Edit struct {
	Line   int    // the line number of the Finding
	Delete bool   // whether to delete the line and its line ending
	Text   string // the new line, or several lines separated by "\n"; empty if Delete is true
}

// advice returns a sentence that tells people how to make the edit themselves.
func (e *Edit) advice() string {
	if e.Delete {
		return "Delete this line."
	}
	lines := strings.Split(e.Text, "\n")
	for i := range lines {
		lines[i] = quoteWhole(strings.TrimSpace(lines[i]))
	}
	if len(lines) > 1 {
		return "Write " + joined(lines, len(lines)) + ", each on its own line."
	}
	return "Write " + lines[0] + "."
}

// A checker collects the findings about a file.
type checker struct {
	*file
	silent   silenced
	findings []Finding
}

// A place is the line and the column of a finding.
type place struct{ line, column int }

// atValue returns the place at an offset in the value of a line.
func atValue(l *line, offset int) place { return place{l.Number, l.ValueColumn + offset} }

// atStart returns the place of a line's first visible character.
func atStart(l *line) place { return place{l.Number, max(0, strings.Index(l.Text, content(l))) + 1} }

// report adds a finding and returns it, so that the caller can give it a Fix. The name of the code
// may include a special case, as in "dead-key/Host". The args replace %[1]v, %[2]v and so on in the
// sentences of the code. If a comment silences the finding, report returns it without adding it.
func (c *checker) report(p place, name string, args ...any) *Finding {
	e, w := entryAndWording(name)
	f := Finding{Line: p.line, Column: p.column, Code: e.Name, Severity: w.severity, Text: fill(w.text, args), Advice: fill(w.advice, args)}
	if c.silent.has(f) {
		return &f
	}
	c.findings = append(c.findings, f)
	return &c.findings[len(c.findings)-1]
}

// fill replaces %[1]v, %[2]v and so on in a sentence with args.
func fill(sentence string, args []any) string {
	if !strings.Contains(sentence, "%[") {
		return sentence
	}
	return fmt.Sprintf(sentence, args...)
}

// finish sorts the findings by line and column. It drops findings that another finding on the
// same line hides.
func (c *checker) finish() []Finding {
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
	c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool { return hidden[onLine{f.Line, f.Code}] })
	slices.SortStableFunc(c.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), strings.Compare(x.Code, y.Code))
	})
	return c.findings
}

// mostPerCode is the largest number of findings with the same code and severity that Check
// returns. The limit keeps the memory for a hostile file in proportion to the file's size.
const mostPerCode = 10000

// merged keeps at most mostPerCode findings for each code and severity. For codes whose entry.once is
// true, it keeps only the first finding of each severity. The last kept finding of each code and
// severity lists the lines of the dropped findings.
func merged(findings []Finding) []Finding {
	type kind [3]string // the code, the severity, and an advice or "" for all of them
	counts, droppedLines := map[kind]int{}, map[kind][]int{}
	kept := slices.DeleteFunc(findings, func(f Finding) bool {
		k, most := kind{f.Code, string(f.Severity)}, mostPerCode
		if entryOf[f.Code].once {
			most = 1
			counts[kind{f.Code, string(f.Severity), f.Advice}]++
		}
		if counts[k]++; counts[k] <= most {
			return false
		}
		droppedLines[k] = append(droppedLines[k], f.Line)
		return true
	})
	for i := len(kept) - 1; i >= 0; i-- {
		f, e := &kept[i], entryOf[kept[i].Code]
		k := kind{f.Code, string(f.Severity)}
		lines := slices.DeleteFunc(slices.Compact(droppedLines[k]), func(n int) bool { return n == f.Line })
		delete(droppedLines, k) // the loop runs backward, so only the last finding of each kind lists the lines
		switch {
		case len(lines) > 0:
			f.Text += fmt.Sprintf(cmp.Or(e.more.text, " The same goes for %s."), numbered(lines))
			// If all lines have the same advice, and this advice is for a special case, it stays.
			f.Advice = cmp.Or(map[bool]string{true: e.more.advice}[f.Advice == cmp.Or(e.advice, e.Advice) || counts[kind{f.Code, string(f.Severity), f.Advice}] < counts[k]], f.Advice)
		case f.Fix != nil && !e.keepsAdvice:
			f.Advice = f.Fix.advice()
		}
	}
	return kept
}

// silenced maps line numbers to the codes that comments silence on these lines. Line 0 stands
// for the whole file.
type silenced map[int][]string

func (s silenced) has(f Finding) bool {
	return slices.Contains(s[0], f.Code) || slices.Contains(s[f.Line], f.Code)
}

// silence reads a comment that says which findings to ignore, and stores the codes that it names.
// A comment on a line of its own applies to the whole file.
func (c *checker) silence(l *line) {
	number := l.Number
	if content(l) == "" {
		number = 0
	}
	for _, code := range silencedCodes(l.Comment) {
		c.silent[number] = append(c.silent[number], code)
		if entryOf[code] == nil {
			c.report(place{l.Number, l.CommentColumn}, "ignored-code-unknown", quote(code))
		}
	}
}

func silencedCodes(comment string) []string {
	rest, ok := strings.CutPrefix(strings.Trim(comment, "# \t"), "robotstxt-lint:")
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t,", r) })
	if !ok || len(words) == 0 || words[0] != "ignore" {
		return nil
	}
	return words[1:]
}

// quote quotes a string from the file for use in a sentence.
func quote(s string) string { return quoteUpTo(60, s) }

// quoteWhole is like quote, but shortens only strings that are longer than any usual URL. It
// is for text that people should copy into the file.
func quoteWhole(s string) string { return quoteUpTo(2083, s) }

// quoteUpTo quotes at most the given number of characters, and escapes invisible ones. It does
// not escape backslashes, because people compare the text of the finding with the file.
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

// numbered returns a list of line numbers, such as "lines 2, 3 and 5".
func numbered(lines []int) string {
	var words []string
	for _, n := range lines {
		words = append(words, strconv.Itoa(n))
	}
	if len(words) == 1 {
		return "line " + words[0]
	}
	return "lines " + joined(words, 10)
}

// quoted puts words in quotes and joins them, as in `"a", "b" and "c"`. If there are more than
// four words, it counts the others.
func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, quote(w))
	}
	return joined(all, 4)
}

// joined joins words with commas and "and", as in "a, b and c". It lists only the first words, up
// to the number most, and counts the others, as in "a, b and 2 more".
func joined(words []string, most int) string {
	if more := len(words) - most; more > 0 {
		words = append(words[:most:most], strconv.Itoa(more)+" more")
	}
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
