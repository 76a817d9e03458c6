// Package section divides a robots.txt file into sections. A section consists of user-agent
// lines and the lines that belong to them; see [Cut]. The package is for callers that need
// the lines themselves, not only their meaning.
package section

import (
	"bytes"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A Section is one of the parts into which [Cut] divides a file.
type Section struct {
	Lines  []robotstxt.Line
	Agents []Agent // in the order of the file
	Last   int     // the number of the last user-agent line, even if it names no crawler; 0 if there is none
}

// An Agent is a product token on a user-agent line.
type Agent struct {
	Token       string
	Folded      string // the token in folded form; see lex.Fold
	Name        string // as written, as in "FooBot/1.0"
	StandsAlone bool   // see lex.Token
	Line        int    // the line number, counted from 1
	Offset      int    // the offset of the name in the line's value, in bytes
}

// Names reports whether the section has a user-agent line with the token, which must be in folded form.
func (s Section) Names(folded string) bool {
	return slices.ContainsFunc(s.Agents, func(a Agent) bool { return a.Folded == folded })
}

// Cut returns the sections of a file. The first section contains the lines above the first
// user-agent line. The second section starts with that line. Each later section starts with
// the first user-agent line after an allow or disallow line (RFC 9309, section 2.2.1), even
// if that user-agent line names no crawler. Together, the sections contain all lines that
// [robotstxt.Lines] returns, in order.
//
// Package robotstxt divides a file in the same way, in builder.addUserAgent of parse.go. FuzzCut
// compares the two.
func Cut(data []byte) []Section {
	lines := make([]robotstxt.Line, 0, bytes.Count(data[:min(len(data), robotstxt.SizeLimit)], []byte("\n"))+1)
	for l := range robotstxt.Lines(data) {
		lines = append(lines, l)
	}
	var sections []Section
	start, inRun := 0, false
	for i := range lines {
		switch l := &lines[i]; {
		case l.Kind == robotstxt.UserAgentKind:
			if !inRun {
				sections = append(sections, newSection(lines[start:i]))
				start = i
			}
			inRun = true
		case IsRule(l):
			inRun = false
		}
	}
	return append(sections, newSection(lines[start:]))
}

func newSection(lines []robotstxt.Line) Section {
	s := Section{Lines: lines}
	for i := range lines {
		if l := &lines[i]; l.Kind == robotstxt.UserAgentKind {
			s.Last = l.Number
			for offset, name := range lex.Names(l.Value) {
				if token, standsAlone := lex.NameToken(name); token != "" {
					s.Agents = append(s.Agents, Agent{token, lex.Fold(token), name, standsAlone, l.Number, offset})
				}
			}
		}
	}
	return s
}

// IsRule reports whether a line is an allow or disallow line, including one without a
// path.
func IsRule(l *robotstxt.Line) bool {
	return l.Kind == robotstxt.AllowKind || l.Kind == robotstxt.DisallowKind
}

// IsRecord reports whether a line is most likely meant as a record. It returns false for prose
// with a colon, such as "see https://www.example.org/". Package robotstxt does not make this
// distinction: there, such prose is a record, too.
func IsRecord(l *robotstxt.Line) bool {
	return l.Kind == robotstxt.OtherKind && !strings.HasPrefix(l.Value, "//")
}

// IsUnmarkedUTF16 reports whether data is most likely in UTF-16 without a byte-order mark.
// It returns true if over a third of the first 256 bytes are 0, and either all zeros are at even
// offsets or all are at odd offsets.
func IsUnmarkedUTF16(data []byte) bool {
	const shortest, sample = 4, 256
	if data = data[:min(len(data), sample)]; len(data) < shortest || lex.IsUTF16(data) {
		return false
	}
	var zeros [2]int
	for i, c := range data {
		if c == 0 {
			zeros[i%2]++
		}
	}
	most, least := max(zeros[0], zeros[1]), min(zeros[0], zeros[1])
	return most > len(data)/3 && least == 0
}

// Size returns how many bytes a file has in UTF-8. [robotstxt.SizeLimit] limits this number.
func Size(data []byte) int { return len(lex.UTF8(data, 2*len(data))) }

// LineEnd returns the line ending at the start of text: CR, LF or CRLF. If text is empty, it
// returns "". Other text must start with a line ending.
func LineEnd(text []byte) string {
	if bytes.HasPrefix(text, []byte("\r\n")) {
		return "\r\n"
	}
	return string(text[:min(1, len(text))])
}
