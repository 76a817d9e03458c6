package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// A DeadRule is a rule that does not decide the verdict on any URL.
type DeadRule struct {
	Rule robotstxt.Rule

	// Instead lists the rules that decide the URLs that the dead rule matches, sorted by
	// line. Each of them decides at least one of these URLs. The list is empty if the dead
	// rule matches only /robots.txt, which is always allowed.
	Instead []robotstxt.Rule
}

// String returns a sentence that explains to the site's owner why the rule has no effect.
// The wording may change.
func (d DeadRule) String() string {
	one, several := "already covers it", "already cover it"
	if slices.ContainsFunc(d.Instead, func(r robotstxt.Rule) bool { return r.Allow != d.Rule.Allow }) {
		one, several = "overrides it for every URL", "override it for every URL"
	}
	switch len(d.Instead) {
	case 0:
		return "The rule does nothing: it matches only /robots.txt, which is always allowed."
	case 1:
		return fmt.Sprintf("The rule does nothing: line %d, %q, %s.", d.Instead[0].Line, excerpt(d.Instead[0]), one)
	}
	const most = 10
	var lines []string
	for _, r := range d.Instead[:min(len(d.Instead), most)] {
		lines = append(lines, fmt.Sprint(r.Line))
	}
	if more := len(d.Instead) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("%d more", more))
	}
	last := len(lines) - 1
	return fmt.Sprintf("The rule does nothing: lines %s and %s %s.", strings.Join(lines[:last], ", "), lines[last], several)
}

// DeadRules returns the rules of a group that decide no URL, sorted by line. You can delete any
// or all of them without changing a decision.
//
// The rules in undecided could also be dead: the search for a URL that they decide exceeded its
// budget.
func DeadRules(g *robotstxt.Group) (dead []DeadRule, undecided []robotstxt.Rule) {
	s := newRuleset(g)
	f := newFinder(s)
	patterns := s.live[:len(s.live)-1] // without the last pattern, s.none, which belongs to no rule
	fates := make(map[*pattern]fate, len(patterns))
	for _, p := range patterns {
		fates[p] = f.fateOf(p)
	}
	for i := 0; i < len(s.all); {
		rule := s.all[i].rule
		together := fate{}
		for ; i < len(s.all) && s.all[i].rule.Line == rule.Line; i++ {
			p := &s.all[i]
			if p.isBeaten {
				p = s.byLanguage[p.language()]
			}
			together.add(fates[p], p, rule.Line)
		}
		switch together.end {
		case nothing:
			dead = append(dead, DeadRule{rule, together.rules()})
		case unclear:
			undecided = append(undecided, rule)
		}
	}
	return dead, undecided
}

// A fate says whether a pattern, or a rule with all its patterns, decides any URL.
type fate struct {
	end     outcome    // whether a search found a URL that the pattern or rule decides
	instead []*pattern // if no such URL exists: the patterns that decide the matching URLs instead
}

func (f *finder) fateOf(p *pattern) fate {
	_, end := f.find(p)
	if end != nothing {
		return fate{end: end}
	}
	return fate{instead: slices.Clone(f.blockers)}
}

// add updates f, the fate of the rule on a line, for one of the rule's patterns. If a pattern of
// another rule is stronger and matches the same URLs, p is the stronger pattern. The parameter
// alone is the fate of p.
func (f *fate) add(alone fate, p *pattern, line int) {
	switch {
	case p.rule.Line != line && alone.end != nothing:
		f.instead = append(f.instead, p)
	case f.end != found && alone.end != nothing:
		f.end = alone.end
	default:
		f.instead = append(f.instead, alone.instead...)
	}
}

// rules returns the rules that decide instead of the dead rule, sorted by line. It leaves out
// the pattern for /robots.txt, because that pattern is built in and comes from no rule.
func (f *fate) rules() []robotstxt.Rule {
	var rules []robotstxt.Rule
	for _, p := range f.instead {
		if p.rule.Line != robotsFile {
			rules = append(rules, p.rule)
		}
	}
	slices.SortFunc(rules, func(a, b robotstxt.Rule) int { return cmp.Compare(a.Line, b.Line) })
	return slices.Compact(rules)
}
