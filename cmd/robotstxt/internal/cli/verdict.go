package cli

import (
	"cmp"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
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

// Explain returns the reason for a verdict about an agent in a few words.
func Explain(agent string, d robotstxt.Decision, r SiteRobots) string {
	group := Printable(cmp.Or(known.FallbackNote(agent, d.Token), "group "+d.Token))
	switch d.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", d.Rule.Line, Printable(d.Rule.String()), group)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", group)
	case robotstxt.NoGroup:
		if note := r.FormatNote(); note != "" {
			return note
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
