package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A line is a line of the file with the set of the characters of its value. Most
// lines have only ordinary characters, so most checks need not look at the value.
type line struct {
	robotstxt.Line
	chars   lex.CharSet
	section int // the index of the section that it is in
}

// readLines returns the lines of a file.
func readLines(data []byte) []*line {
	read := make([]line, 0, bytes.Count(data[:min(len(data), robotstxt.SizeLimit)], []byte("\n"))+1)
	for l := range robotstxt.Lines(data) {
		read = append(read, line{Line: l, chars: lex.CharsOf(l.Value)})
	}
	lines := make([]*line, len(read))
	for i := range read {
		lines[i] = &read[i]
	}
	return lines
}

// canonicalPath returns the canonical form of the path of a rule.
func (l *line) canonicalPath() string {
	if canonicalChars.HasAll(l.chars) && (l.Value[0] == '/' || l.Value[0] == '*') {
		return l.Value
	}
	return robotstxt.NewPattern(l.Value).Canonical()
}

// A mark is a string to look for, with its characters.
type mark struct {
	text  string
	chars lex.CharSet
}

// A markList is some marks, with the characters that all of them have.
type markList struct {
	marks  []mark
	common lex.CharSet
}

// newMarks returns marks for some texts.
func newMarks(texts ...string) markList {
	list := markList{common: ^lex.CharSet(0)}
	for _, text := range texts {
		m := mark{text, lex.CharsOf(text)}
		list.marks = append(list.marks, m)
		list.common &= m.chars
	}
	return list
}

// firstFold returns the first of some marks that is in the value in lower case, or
// nothing.
func (l *line) firstFold(list *markList) string {
	if !l.mayHave(list.common) {
		return ""
	}
	lower := ""
	for i := range list.marks {
		m := &list.marks[i]
		if !l.mayHave(m.chars) {
			continue
		}
		if lower == "" {
			lower = strings.ToLower(l.Value)
		}
		if strings.Contains(lower, m.text) {
			return m.text
		}
	}
	return ""
}

// mayHave reports whether the value in lower case may have all of some characters.
func (l *line) mayHave(chars lex.CharSet) bool {
	return l.chars.HasAll(chars) || l.chars.HasAny(lex.Foreign) // some become ASCII letters
}

var (
	colonChars     = lex.CharsOf(":")
	plainURLChars  = lex.CharsOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
	openingChars   = lex.CharsOf("{<[")
	spaceChars     = lex.CharsOf(" \t")
	invisibleChars = lex.Controls | lex.Foreign // and all other characters outside ASCII
	canonicalChars = func() (set lex.CharSet) {
		for c := range byte(utf8.RuneSelf) {
			if lex.IsLegal(c) && c != '%' {
				set |= lex.CharsOf([]byte{c})
			}
		}
		return set
	}()
)
