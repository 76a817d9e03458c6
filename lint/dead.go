package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// The most groups, and the most rules in all of them, whose dead rules are searched for.
// To search takes longer than all other checks.
const (
	mostGroupsSearched = 100
	mostRulesSearched  = 5000
)

// checkDead finds rules that decide about no URL for any of their crawlers.
func checkDead(c *checker) {
	var groups []*robotstxt.Group // with rules that others may override
	all, total := c.parsed.Groups(), 0
	for _, g := range all {
		n := c.token(lex.Fold(g.Tokens()[0])).rules
		if total += n; n > 1 {
			groups = append(groups, g)
		}
	}
	if len(groups) > mostGroupsSearched || total > mostRulesSearched {
		return
	}
	found, deadIn, groupsOf := map[int]rules.DeadRule{}, map[int]int{}, map[int]int{} // by line
	for _, g := range groups {
		dead, _ := rules.Dead(g)
		for _, d := range dead {
			found[d.Rule.Line] = d
			deadIn[d.Rule.Line]++
		}
	}
	if len(found) == 0 {
		return
	}
	for _, g := range all {
		for _, r := range g.Rules() {
			groupsOf[r.Line]++
		}
	}
	turned := map[int]bool{}
	for _, number := range slices.Sorted(maps.Keys(found)) {
		switch l, d := c.lines[number-1], found[number]; {
		case deadIn[number] != groupsOf[number]:
		case !isLiteral(l.Value) || !hasWildcards(d.Instead):
			reportDead(c, l, d)
		case d.Instead[0].Allow != d.Rule.Allow || d.Instead[len(d.Instead)-1].Allow != d.Rule.Allow:
			c.report(atKey(l), "dead-rule/literal", d.String())
		default:
			if other := c.twinOf(l, d.Instead); other != nil && !turned[other.Number] {
				turned[other.Number] = true
				c.report(atKey(other), "duplicate-rule", number)
			}
		}
	}
}

// isLiteral reports whether crawlers without wildcards understand a path as others do.
func isLiteral(path string) bool { return path[0] == '/' && !strings.ContainsAny(path, "*$") }

func hasWildcards(all []robotstxt.Rule) bool {
	return slices.ContainsFunc(all, func(r robotstxt.Rule) bool { return !isLiteral(r.Pattern) })
}

// twinOf returns the only rule that takes the place of a rule without wildcards, if it
// matches the same and is in the same section, or nil. Crawlers without wildcards need
// the one that has none.
func (c *checker) twinOf(l *line, instead []robotstxt.Rule) *line {
	path := instead[0].Pattern
	if short := strings.TrimRight(path, "*"); !strings.HasSuffix(short, "$") {
		path = short
	}
	if lacksSlash(path) {
		path = "/" + path
	}
	isTwin := robotstxt.NewPattern(path).Canonical() == robotstxt.NewPattern(l.Value).Canonical()
	if len(instead) > 1 || !isTwin || c.sectionOf(instead[0].Line) != c.sectionOf(l.Number) {
		return nil
	}
	return c.lines[instead[0].Line-1]
}

// reportDead says what takes the place of a dead rule, unless that is a rule for crawlers
// whose names only look alike.
func reportDead(c *checker, l *line, d rules.DeadRule) {
	agrees, same := true, (*line)(nil)
	for _, r := range d.Instead {
		other := c.lines[r.Line-1]
		if s := c.sectionOf(l.Number); c.sectionOf(r.Line) != s && c.hasSeveralNames(s) {
			return
		}
		agrees = agrees && r.Allow == d.Rule.Allow
		if len(d.Instead) == 1 && robotstxt.NewPattern(r.Pattern).Canonical() == robotstxt.NewPattern(l.Value).Canonical() {
			same = other
		}
	}
	switch {
	case agrees && matchesAll(l.Value): // often a crawler in several versions
	case agrees && same != nil:
		f := c.report(atKey(l), "duplicate-rule", same.Number)
		if same.Value == l.Value && same.Number < l.Number && c.sectionOf(same.Number) == c.sectionOf(l.Number) {
			f.Fix = deletion(l)
		}
	case agrees:
		c.report(atKey(l), "duplicate-rule/rules", d.String())
	case same != nil:
		c.report(atKey(l), "allow-and-disallow", same.Number)
	default:
		c.report(atKey(l), "dead-rule", d.String())
	}
}

// hasSeveralNames reports whether the file has other names for a crawler of the section,
// such as another version.
func (c *checker) hasSeveralNames(s *sect) bool {
	for _, a := range s.Agents {
		if c.token(a.Folded).severalNames {
			return true
		}
	}
	return false
}
