package engine

import (
	"unicode/utf16"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/summary"
	"github.com/robotstxt-go/robotstxt/lint"
)

// maxPlaces limits the number of places in an answer, added up over all findings.
const maxPlaces = 500

// A reviewAnswer contains the findings about a file, what the file says in a sentence, and what it says
// about AI.
type reviewAnswer struct {
	Findings []finding `json:"findings"` // by severity, the worst first; then by line
	Counts   counts    `json:"counts"`   // also counts findings that Findings leaves out
	Summary  string    `json:"summary"`
	AI       aiAnswer  `json:"ai"`
}

// A finding is a message of package lint about one or more places in the file.
type finding struct {
	Code     string        `json:"code"`
	Severity lint.Severity `json:"severity"`
	Text     string        `json:"text"`
	Advice   string        `json:"advice"`
	Places   []place       `json:"places"`
	Count    int           `json:"count"` // the number of places, including those that Places leaves out
}

type place struct {
	Line   int   `json:"line"`
	Column int   `json:"column"`
	Fix    *edit `json:"fix"` // null if there is no automatic fix
}

// counts is the number of findings of each severity.
type counts map[lint.Severity]int

// An edit corrects a line.
type edit struct {
	Line   int    `json:"line"`
	Delete bool   `json:"delete"` // whether to delete the line
	Text   string `json:"text"`   // the new line or lines, unless Delete is true
}

func review(req Request) reviewAnswer {
	file := req.file()
	findings, counts := findings(req.Text)
	return reviewAnswer{
		Findings: findings,
		Counts:   counts,
		Summary:  summary.File(file),
		AI:       newAIAnswer(file, []byte(req.Text), req.URL),
	}
}

// findings returns the findings of package lint, and the number of findings of each severity.
func findings(text string) ([]finding, counts) {
	lines := answers.NewLineTexts([]byte(text))
	list, n, places := []finding{}, counts{lint.Error: 0, lint.Warning: 0, lint.Info: 0}, 0
	for _, same := range answers.Fold(lint.Check([]byte(text))) {
		n[same[0].Severity] += len(same)
		if places == maxPlaces {
			continue
		}
		f := finding{Code: same[0].Code, Severity: same[0].Severity, Text: same[0].Text, Advice: same[0].Advice, Count: len(same)}
		for _, s := range same[:min(len(same), maxPlaces-places)] {
			f.Places = append(f.Places, newPlace(s, lines))
		}
		places += len(f.Places)
		list = append(list, f)
	}
	return list, n
}

// newPlace returns the place of a finding. It converts the column to UTF-16 code units.
func newPlace(f lint.Finding, lines answers.LineTexts) place {
	column := f.Column
	if text := lines.Line(f.Line); f.Column >= 1 && f.Column <= len(text) {
		column = 1 + utf16Length(text[:f.Column-1])
	}
	var fix *edit
	if f.Fix != nil {
		fix = &edit{f.Line, f.Fix.Delete, f.Fix.Text}
	}
	return place{f.Line, column, fix}
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
