package cli

import (
	"cmp"
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A SiteRobots is the robots.txt that governs a URL.
type SiteRobots struct {
	robotshttp.Result
	FirstLine string // what the function NotRobots returned for the body
}

// NewSiteRobots returns the robots.txt that was read.
func NewSiteRobots(r robotshttp.Result) SiteRobots { return SiteRobots{r, NotRobots(r.Body)} }

// FormatNote returns a note if what was read is not a robots.txt file, or "" if it is one.
func (r SiteRobots) FormatNote() string {
	if r.FirstLine == "" {
		return ""
	}
	return fmt.Sprintf("what was read as robots.txt is not a robots.txt file: it starts with %.40q", r.FirstLine)
}

// Verdict returns "allowed" or "disallowed".
func Verdict(d robotstxt.Decision) string {
	if d.Allowed {
		return "allowed"
	}
	return "disallowed"
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
	return fmt.Sprintf("%s: %s", d.Reason, Printable(WhyNoFile(r.Result)))
}
