package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
)

// Verdict returns "allowed" or "disallowed", or "unknown" if the verdict depends on a file that
// the server refused.
func Verdict(a reply.Reply, d robotstxt.Decision) string {
	switch {
	case a.IsRefused() && d.Reason == robotstxt.FileUnavailable:
		return "unknown"
	case d.Allowed:
		return "allowed"
	}
	return "disallowed"
}

// Explain returns the reason for a verdict in a few words.
func Explain(a reply.Reply, v verdict.Verdict) string {
	about := strings.Join(append([]string{Printable(cmp.Or(v.Fallback, "group "+v.Token))}, v.Notes()...), "; ")
	switch v.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", v.Rule.Line, Printable(v.Rule.String()), about)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", about)
	case robotstxt.NoGroup:
		return cmp.Or(strings.Join(v.Notes(), "; "), "no group for this agent")
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	return cmp.Or(a.Meaning(), string(v.Reason)) // a version of a file in Git is no reply
}
