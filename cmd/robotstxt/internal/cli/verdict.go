package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/forms"
	"github.com/robotstxt-go/robotstxt/internal/known"
)

// Verdict returns "allowed" or "disallowed".
func Verdict(d robotstxt.Decision) string {
	if d.Allowed {
		return "allowed"
	}
	return "disallowed"
}

// Verdict is like the function Verdict, but returns "unknown" if the verdict depends on a file that
// the server refused.
func (r SiteRobots) Verdict(d robotstxt.Decision) string {
	if r.Refused() && d.Reason == robotstxt.FileUnavailable {
		return "unknown"
	}
	return Verdict(d)
}

// Notes returns what else to say about a decision; see [answers.Caveats.Notes] and [forms.Note].
func (r SiteRobots) Notes(agent, url string, d robotstxt.Decision) []string {
	return r.withForms(r.Caveats.Notes(agent, url, d), agent, url)
}

// Doubts returns how other crawlers, or package robotshttp, may decide differently.
func (r SiteRobots) Doubts(agent, url string, d robotstxt.Decision) []string {
	return r.withForms(r.Caveats.Of(url, d), agent, url)
}

func (r SiteRobots) withForms(notes []string, agent, url string) []string {
	if note := forms.Note(r.File, agent, url); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// Explain returns the reason for a decision about an agent and a URL in a few words.
func (r SiteRobots) Explain(agent, url string, d robotstxt.Decision) string {
	notes := r.Notes(agent, url, d)
	about := strings.Join(append([]string{Printable(cmp.Or(known.FallbackNote(agent, d.Token), "group "+d.Token))}, notes...), "; ")
	switch d.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", d.Rule.Line, Printable(d.Rule.String()), about)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", about)
	case robotstxt.NoGroup:
		if note := r.FormatNote(); note != "" {
			return note
		}
		if len(notes) > 0 {
			return strings.Join(notes, "; ")
		}
		return "no group for this agent"
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	if r.Refused() {
		return Printable(r.WhyNoFile())
	}
	return fmt.Sprintf("%s: %s", d.Reason, Printable(r.WhyNoFile()))
}

// Answer returns a decision for JSON output.
func (r SiteRobots) Answer(agent, url string, d robotstxt.Decision) answers.Decision {
	answer := answers.NewDecision(d)
	answer.Notes = r.Notes(agent, url, d)
	return answer
}
