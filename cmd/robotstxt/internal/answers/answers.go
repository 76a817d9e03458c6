// Package answers has the answers about robots.txt files that the commands print as JSON and that
// the page of package web shows. It prints nothing.
package answers

import (
	"slices"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/lint"
)

// A Verdict is a verdict.Verdict in JSON.
type Verdict struct {
	Token   string           `json:"token"` // the name of the group that applies; empty if none does
	Allowed bool             `json:"allowed"`
	Reason  robotstxt.Reason `json:"reason"`
	Line    int              `json:"line"` // the line number of the rule that decides; 0 if no rule does
	Rule    string           `json:"rule"` // the rule that decides; empty if no rule does
	Notes   []reading.Note   `json:"notes,omitempty"`

	// Refused is true if the server refuses the file to this tool. Crawlers may get another answer, so the verdict
	// is not known; Allowed is the verdict for crawlers that are refused, too.
	Refused bool `json:"refused,omitempty"`
}

// maxRule is the largest number of characters of a rule in a Verdict. Longer rules are cut off,
// because the diff command can print the same rule thousands of times.
const maxRule = 1000

// NewVerdict returns the answer for a verdict.
func NewVerdict(v verdict.Verdict) Verdict {
	answer := Verdict{v.Token, v.Allowed, v.Reason, v.Rule.Line, "", v.Notes, v.Outcome() == verdict.Unknown}
	if v.Reason == robotstxt.RuleMatched {
		answer.Rule = RuleText(v.Rule)
	}
	return answer
}

// RuleText returns a rule as text. It shortens rules that are too long for a Verdict.
func RuleText(r robotstxt.Rule) string {
	text := r.String()
	if utf8.RuneCountInString(text) < maxRule {
		return text
	}
	return string([]rune(text)[:maxRule-1]) + "…"
}

// A Rule is a rule of a file.
type Rule struct {
	Line    int            `json:"line"`
	Allow   bool           `json:"allow"`
	Pattern string         `json:"pattern"`
	Notes   []reading.Note `json:"notes,omitempty"` // how other crawlers read the line, if they read it differently
}

// Rules returns the answers for rules. It never returns nil, because nil would be null in JSON.
func Rules(list []robotstxt.Rule) []Rule {
	answers := []Rule{}
	for _, r := range list {
		answers = append(answers, Rule{Line: r.Line, Allow: r.Allow, Pattern: r.Pattern})
	}
	return answers
}

// A Change lists the URLs whose verdicts change, or whose deciding lines others now read differently, for one
// crawler or for several crawlers with the same changes.
type Change struct {
	Agents       []string     `json:"agents"`
	Others       bool         `json:"others"` // whether the change is also for the crawlers that neither file names
	Differences  []Difference `json:"differences"`
	UndecidedOld []Rule       `json:"undecided_old"` // rules of the old file that are too complex to compare
	UndecidedNew []Rule       `json:"undecided_new"`
	Incomplete   bool         `json:"incomplete"` // whether the files are too large to compare all rules
}

// A Difference has the old and the new verdict on a URL.
type Difference struct {
	URL string  `json:"url"`
	Old Verdict `json:"old"`
	New Verdict `json:"new"`
}

// Changes returns the answers for changes. It never returns nil.
func Changes(list []verdict.Change) []Change {
	answers := []Change{}
	for _, c := range list {
		change := Change{
			Agents:       append([]string{}, c.Agents...),
			Others:       c.Others,
			Differences:  []Difference{},
			UndecidedOld: Rules(c.UndecidedOld),
			UndecidedNew: Rules(c.UndecidedNew),
			Incomplete:   c.Incomplete,
		}
		for _, d := range c.Verdicts {
			change.Differences = append(change.Differences, Difference{d.URL, NewVerdict(d.Old), NewVerdict(d.New)})
		}
		answers = append(answers, change)
	}
	return answers
}

// Agents replaces sets, such as @ai, with the names of their crawlers, and names each crawler once:
// "gptbot" and the User-Agent header "GPTBot/1.2" are the same crawler. If a header names a well-known
// crawler in a place where [robotstxt.ProductToken] does not look, the name replaces it. Agents returns
// the values that start with "@" but are not sets as unknown.
func Agents(values []string) (names, unknown []string) {
	names = []string{}
	seen := map[string]bool{}
	add := func(name string) {
		if key := lex.Fold(robotstxt.ProductToken(name)); !seen[key] {
			seen[key] = true
			names = append(names, name)
		}
	}
	for _, value := range values {
		set, isSet := crawlers.Set(value)
		for _, c := range set {
			add(c.Token)
		}
		switch {
		case isSet:
		case value != "" && value[0] == '@':
			unknown = append(unknown, value)
		default:
			add(known.Agent(value))
		}
	}
	return names, unknown
}

// Severities returns the severities of findings, the worst first.
func Severities() []lint.Severity { return []lint.Severity{lint.Error, lint.Warning, lint.Info} }

// Fold joins the findings that say the same: those with the same code and advice. The worst come first,
// then those of the first lines.
func Fold(findings []lint.Finding) (groups [][]lint.Finding) {
	index := map[[2]string]int{}
	for _, f := range findings {
		key := [2]string{f.Code, f.Advice}
		i, ok := index[key]
		if !ok {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	rank := func(group []lint.Finding) int { return slices.Index(Severities(), group[0].Severity) }
	slices.SortStableFunc(groups, func(x, y []lint.Finding) int { return rank(x) - rank(y) })
	return groups
}

// LineTexts are the texts of the lines of a file.
type LineTexts []string

// NewLineTexts returns the texts of the lines of data.
func NewLineTexts(data []byte) (texts LineTexts) {
	for line := range robotstxt.Lines(data) {
		texts = append(texts, line.Text)
	}
	return texts
}

// Line returns the text of a line. Lines are counted from 1. If the file has no such line, Line returns
// the empty string.
func (t LineTexts) Line(number int) string {
	if number < 1 || number > len(t) {
		return ""
	}
	return t[number-1]
}
