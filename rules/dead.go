package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// A DeadRule is a rule that decides about no URL.
type DeadRule struct {
	Rule robotstxt.Rule

	// Instead has the rules that take its place, by line. Each decides about some
	// URL that the dead rule matches, and together they match all its URLs. It is
	// empty if the rule matches only /robots.txt, which is always allowed.
	Instead []robotstxt.Rule
}

// String returns a sentence for the owner of the site that explains why the rule
// does nothing. Its wording may change.
func (d DeadRule) String() string {
	switch len(d.Instead) {
	case 0:
		return "The rule does nothing: it matches only /robots.txt, which is always allowed."
	case 1:
		return fmt.Sprintf("The rule does nothing: line %d, %q, decides about all its URLs.", d.Instead[0].Line, excerpt(d.Instead[0]))
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
	return fmt.Sprintf("The rule does nothing: lines %s and %s decide about all its URLs.",
		strings.Join(lines[:last], ", "), lines[last])
}

// Dead returns the rules of a group that decide about no URL, by line. Deleting
// them, one or all, changes no decision.
//
// The rules that could not be decided within the budget are returned as undecided.
func Dead(g *robotstxt.Group) (dead []DeadRule, undecided []robotstxt.Rule) {
	s := newRuleset(g)
	f := newFinder(s)
	fates := make(map[*pattern]fate, len(s.live))
	for _, p := range s.live {
		fates[p] = f.fateOf(p)
	}
	for i := 0; i < len(s.all); {
		rule := s.all[i].rule
		patterns := s.ofLine(rule.Line)
		i += len(patterns)
		together := fate{}
		for j := range patterns {
			p := s.byForm[patterns[j].language()]
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

// A fate says whether a pattern decides about any URL and, if not, which patterns
// do in its place.
type fate struct {
	end     outcome
	instead []*pattern
}

// fateOf returns the fate of a pattern.
func (f *finder) fateOf(p *pattern) fate {
	_, end := f.find(p)
	if end != nothing {
		return fate{end: end}
	}
	return fate{instead: slices.Clone(f.blockers)}
}

// add adds the fate of a pattern to the fate of a line. The pattern is the line's own
// or another one that matches the same and beats it.
func (f *fate) add(other fate, p *pattern, line int) {
	switch {
	case p.rule.Line != line && other.end != nothing:
		f.instead = append(f.instead, p)
	case f.end != found && other.end != nothing:
		f.end = other.end
	default:
		f.instead = append(f.instead, other.instead...)
	}
}

// rules returns the rules that take the place of a line.
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
