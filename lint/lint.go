package lint

import (
	"fmt"
	"regexp"
)

// A Severity ranks findings by how much they matter.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // a line has no effect, or not the effect that it seems to have
	Warning Severity = "warning" // crawlers read the line differently, or it may be a mistake
	Info    Severity = "info"    // the line works, but perhaps not as its author expects
)

// A Code is a kind of finding.
type Code struct {
	Name     string // such as "dead-rule"; never changes
	Severity Severity
	Text     string // what happens
	Advice   string // what to do; "…" is in place of what differs between findings
	Example  string // a file with such a finding; empty if the file would have to be huge
	Source   string // the URL of the document that says so; empty if that is RFC 9309, or no document
}

// Codes returns all codes, the most serious first.
func Codes() (codes []Code) {
	for _, r := range table {
		r.Code.Advice = placeholder.ReplaceAllString(r.Code.Advice, "…")
		codes = append(codes, r.Code)
	}
	return codes
}

// placeholder matches what stands for an argument of pass.report in an advice.
var placeholder = regexp.MustCompile(`%\[\d\]v`)

// A Finding is a mistake in a line, or a fact that the owner of the file may want to know.
// Programs can rely on all fields except Text and Advice, whose wording may change.
type Finding struct {
	Line     int      `json:"line"`   // counted from 1
	Column   int      `json:"column"` // in bytes of UTF-8, counted from 1
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Text     string   `json:"text"`          // what happens
	Advice   string   `json:"advice"`        // what to do
	Fix      *Edit    `json:"fix,omitempty"` // corrects the line; nil if a person has to decide how
}

// String returns the finding as "line:column: severity: text advice [code]".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s %s [%s]", f.Line, f.Column, f.Severity, f.Text, f.Advice, f.Code)
}

// An Edit replaces or deletes the line of a finding without changing a decision of package
// robotstxt.
type Edit struct {
	Delete bool   `json:"delete,omitempty"` // whether to delete the line and its line ending
	Text   string `json:"text"`             // the new line, or several with "\n" between them; empty if Delete is true
}

// Check returns the findings about a file in the order of its lines, without the codes that are
// ignored. It takes any bytes.
//
// A line has at most one finding: the first that [Codes] lists. A finding about the whole file does
// not count, although it has a line, too. Findings of many lines often have the same code and
// advice; if you show them to people, show these once, with all lines.
//
// Comments in the file can silence codes, too. A comment on a line of its own does so in the whole
// file, and one after other content on its line only:
//
//	# robotstxt-lint: ignore all-disallowed, dead-key
//
// Lines and columns refer to the text that [robotstxt.Lines] returns. Check takes time about
// proportional to the length of data. Therefore it misses mistakes in a file with thousands of rules
// or groups that would have to be compared with each other, and reports each code for at most 10,000
// lines.
func Check(data []byte, ignored ...string) []Finding {
	const most = 10_000 // limits the memory that a hostile file takes
	return check(data, ignored, most)
}

// check is Check with another limit for the lines of a code.
func check(data []byte, ignored []string, mostLines int) []Finding {
	p := newPass(data, ignored, mostLines)
	for i := range table {
		if !p.isOtherFormat {
			p.run(&table[i])
		}
	}
	return p.all()
}
