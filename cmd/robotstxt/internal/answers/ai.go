package answers

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// AI says what a file lets a crawler do with a page.
type AI struct {
	Agent    string             `json:"agent"`
	Operator string             `json:"operator"`
	Purposes []crawlers.Purpose `json:"purposes"`
	Claim    crawlers.Claim     `json:"claim"`
	Status   crawlers.Status    `json:"status"`
	Source   string             `json:"source"`
	Verdict
	Training Preference            `json:"training"`
	Search   Preference            `json:"search"`
	Input    Preference            `json:"input"`
	Use      Use                   `json:"use"`
	Other    map[string]Preference `json:"other"`
}

// A Preference says how a page may be used.
type Preference struct {
	Value     string           `json:"value"` // "allow", "disallow" or "unknown"
	Mechanism aipref.Mechanism `json:"mechanism"`
	Line      int              `json:"line"`
}

// A Use says how much of a page may be shown elsewhere.
type Use struct {
	Level string `json:"level"`
	Line  int    `json:"line"`
}

// NewAI returns what a file says to a crawler about a page.
func NewAI(file verdict.File, crawler crawlers.Crawler, page string) AI {
	a := aipref.For(file.File, crawlers.Names(crawler.Token), page)
	answer := AI{
		Agent:    crawler.Token,
		Operator: crawler.Operator,
		Purposes: Purposes(crawler),
		Claim:    crawler.Claim,
		Status:   crawler.Status,
		Source:   crawler.Source,
		Verdict:  NewVerdict(file.Decide(crawler.Token, page)),
		Training: NewPreference(a.Training),
		Search:   NewPreference(a.Search),
		Input:    NewPreference(a.AIInput),
		Use:      Use(a.Use),
		Other:    map[string]Preference{},
	}
	for key, p := range a.Other {
		answer.Other[key] = NewPreference(p)
	}
	return answer
}

// NewPreference returns the answer for a preference.
func NewPreference(p aipref.Preference) Preference {
	return Preference{p.Value.String(), p.Mechanism, p.Line}
}

// The purposes of crawlers for which package crawlers has none.
const (
	Unlisted crawlers.Purpose = "not listed" // the crawler is not well known
	Unknown  crawlers.Purpose = "unknown"    // no operator documents the crawler
)

// MainPurposes are the purposes that can come first in the result of Purposes, in the order in which crawlers
// are listed.
var MainPurposes = []crawlers.Purpose{crawlers.Training, crawlers.Search, crawlers.Input, crawlers.User, crawlers.Other, Unknown, Unlisted}

// AnyOther is the crawler "*": all crawlers that are neither listed nor named in the file.
func AnyOther() crawlers.Crawler {
	return crawlers.Crawler{Token: "*", Operator: "any other", Purposes: []crawlers.Purpose{Unlisted}}
}

// Purposes returns the purposes of a crawler. If it has none, the result is Unknown.
func Purposes(c crawlers.Crawler) []crawlers.Purpose {
	if len(c.Purposes) == 0 {
		return []crawlers.Purpose{Unknown}
	}
	return c.Purposes
}

// A DoubtfulName is the name of a company or product, such as "Claude", on a user-agent line,
// where a crawler's name should be.
type DoubtfulName struct {
	Line  int      `json:"line"`
	Name  string   `json:"name"`
	Meant []string `json:"meant"`
}

// DoubtfulNames returns the doubtful names of a file. It never returns nil.
func DoubtfulNames(data []byte) []DoubtfulName {
	names := []DoubtfulName{}
	for _, s := range section.Cut(data) {
		for _, a := range s.Agents {
			if meant := known.Meant(a.Token); len(meant) > 0 {
				names = append(names, DoubtfulName{a.Line, a.Token, meant})
			}
		}
	}
	return names
}

// A Note is a remark about a line.
type Note struct {
	Line int    `json:"line"` // 0 if the note is not about a line of the file
	Text string `json:"text"`
}

// AINotes returns a note for each doubtful name, for each signal above the first user-agent line, and
// for each license. The answers about crawlers do not contain these lines.
func AINotes(file *robotstxt.File, data []byte) []Note {
	notes := []Note{}
	for _, d := range DoubtfulNames(data) {
		notes = append(notes, Note{d.Line, fmt.Sprintf("User-agent: %s (no operator documents that its crawlers read this name; did you mean %s?)",
			lex.Printable(d.Name), strings.Join(d.Meant, ", "))})
	}
	a := aipref.For(file, []string{"*"}, "/")
	for _, s := range a.FileSignals {
		notes = append(notes, Note{s.Line, lex.Printable(s.String()) + " (ignored: above the first user-agent line)"})
	}
	for _, l := range a.Licenses() {
		notes = append(notes, Note{l.Line, "License: " + lex.Printable(l.URL)})
	}
	return notes
}
