// Package answers has the answers about robots.txt files that several commands print in JSON.
package answers

import (
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
)

// A Decision is a decision in the JSON output of several commands.
type Decision struct {
	Allowed bool             `json:"allowed"`
	Reason  robotstxt.Reason `json:"reason"`
	Line    int              `json:"line"`
	Rule    string           `json:"rule"`
}

// MaxRuleText is the largest width of a rule in JSON output, in columns. Wider rules are cut off,
// because the diff command can print the same rule thousands of times.
const MaxRuleText = 1000

// NewDecision returns the answer for a decision.
func NewDecision(d robotstxt.Decision) Decision {
	view := Decision{Allowed: d.Allowed, Reason: d.Reason, Line: d.Rule.Line}
	if d.Reason == robotstxt.RuleMatched {
		view.Rule = cli.FirstColumns(d.Rule.String(), MaxRuleText)
	}
	return view
}

// A Rule is a rule of a file.
type Rule struct {
	Line    int    `json:"line"`
	Allow   bool   `json:"allow"`
	Pattern string `json:"pattern"`
}

// Rules returns the answers for rules. It never returns nil, because nil would be null in JSON.
func Rules(list []robotstxt.Rule) []Rule {
	views := []Rule{}
	for _, r := range list {
		views = append(views, Rule(r))
	}
	return views
}
