package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// mostRulesCompared is the largest number of rules of "*" that are compared with each group.
const mostRulesCompared = 100

// A starRule is a disallow rule of the group for "*", and two paths that it matches.
type starRule struct {
	*line
	long, short string // in long, each "*" of the rule is replaced with "x"; in short, with nothing
}

// example returns a path that a pattern matches, with the given text in place of each "*".
func example(pattern, wildcard string) string {
	path := strings.ReplaceAll(strings.TrimSuffix(pattern, "$"), "*", wildcard)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// droppedRules returns the rules of "*" whose paths a group allows, either because none of the
// group's rules matches or because the rule that decides is for the whole site.
//
// It leaves out a rule if the owner seems to have thought of the rule: the group disallows a
// longer path that starts with the rule's path, or a comment in the group ends with the rule's
// path, as in "User-agent: applebot # Allow /tickets". If the group has Clean-param lines,
// droppedRules also leaves out rules with a "?", "&" or "=", and rules such as "/*utm_" for their
// parameters. It leaves out rules for style sheets and scripts, which checkAssets reports, for AMP
// pages, which exist for search engines, so that a group for a search engine allows them on purpose,
// and for files that hardly any page links to. It never leaves out a rule for the whole site.
func (c *checker) droppedRules(g *robotstxt.Group, rules []starRule) (dropped []*line) {
	isDropped := func(path string) bool {
		d := g.Decide(path)
		return d.Allowed && (d.Reason != robotstxt.RuleMatched || matchesAll(d.Rule.Pattern))
	}
	for _, r := range rules {
		if isDropped(r.long) && (r.short == r.long || isDropped(r.short)) {
			dropped = append(dropped, r.line)
		}
	}
	own, s := g.Rules(), c.sectionOf(c.tokens[lex.Fold(g.Tokens()[0])].line)
	return slices.DeleteFunc(dropped, func(l *line) bool {
		// From "Clean-param: utm_source&sid", isCleaned makes "/*utm_source/*sid", which contains paths such as "/*utm_*" and "*sid".
		isCleaned := func(r *line) bool {
			return section.RecordKey(r.Key) == "Clean-param" && (strings.ContainsAny(l.Value, "?&=") || strings.Contains(strings.ReplaceAll("&"+r.Value, "&", "/*"), strings.TrimRight(l.Value, "*")))
		}
		isPart := func(r robotstxt.Rule) bool { return !r.Allow && strings.HasPrefix(r.Pattern, l.Value) }
		isMentioned := func(line line) bool { return line.Comment != "" && strings.HasSuffix(line.Comment, " "+l.Value) }
		return !matchesAll(l.Value) && (isAsset(l.Value) || slices.Contains(notForReaders, strings.ToLower(strings.Trim(l.Value, "/*?$"))) || slices.ContainsFunc(s.records, isCleaned) || slices.ContainsFunc(own, isPart) || slices.ContainsFunc(s.Lines, isMentioned))
	})
}

// isCovered reports whether l's path starts with the path of another rule of the same kind. To save
// time, isCovered tries only the first rules, at most mostRulesCompared.
func isCovered(l *line, rules []*line) bool {
	isStart := func(r *line) bool { return strings.HasPrefix(l.Value, r.Value) && r.Kind == l.Kind && !isSame(r, l) }
	return slices.ContainsFunc(rules[:min(len(rules), mostRulesCompared)], isStart)
}

// changesNothing reports whether a rule of l's kind with the given pattern would change nothing: the
// other rules of the section already decide the example of the pattern in the same way (see example).
// Rules with a space, a wrong key or no colon, and rules that start with neither "/" nor "*", do not
// count. For an allow line, the example has a query, because wildcards often disallow queries. If the
// section has very many rules, the result is false to save time.
func (c *checker) changesNothing(l *line, pattern string) bool {
	s := c.sectionOf(l.Number)
	if s.sound == nil {
		text := []byte("User-agent: *\n")
		for _, r := range s.rules {
			if strings.ContainsAny(r.Value[:1], "/*") && !hasSpace(r.Value) && r.Colon && strings.EqualFold(r.Key, r.Kind.String()) {
				text = append(append(text, r.Text...), '\n')
			}
		}
		s.sound = robotstxt.Parse(text).Group("*")
	}
	return len(s.rules) <= mostRules && s.sound.Allowed(example(pattern, "x")+map[bool]string{true: "?x"}[l.Kind == robotstxt.AllowKind]) == (l.Kind == robotstxt.AllowKind)
}

// sameAsStar reports whether a section is unnecessary: if the owner deletes it, its crawlers obey
// "*", whose last section has the same rules and records. The result is false if another section names
// one of the crawlers, or if one of them ignores "*". It is also false for Applebot and for crawlers
// such as Googlebot-Image: without the section, they might obey the rules for Googlebot.
func (c *checker) sameAsStar(s *sect) bool {
	isBound := func(a section.Agent) bool {
		t := c.tokens[a.Folded]
		return t.last != s || c.sectionOf(t.line) != s || crawlers.IgnoresStar(a.Token) || strings.HasPrefix(a.Folded, "googlebot-") || a.Folded == "applebot"
	}
	star := c.tokens["*"].last
	return s.isNamed() && star != nil && star.summary() == s.summary() && !slices.ContainsFunc(s.Agents, isBound)
}

// isAsset reports whether a pattern seems to be about style sheets or scripts, such as "/js/".
func isAsset(pattern string) bool {
	path := "/" + strings.ToLower(strings.TrimRight(pattern, "*$/"))
	return slices.ContainsFunc(assets, func(a asset) bool { return strings.HasSuffix(path, a.end) })
}
