package lint

import (
	"maps"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// The most groups, and the most rules in all of them, whose dead rules are searched
// for. To search takes longer than all other checks.
const (
	mostGroupsSearched = 100
	mostRulesSearched  = 5000
)

// checkDead finds rules that decide about no URL for any of their crawlers, unless a
// simpler finding says why.
func checkDead(c *checker) {
	groups := c.file.Groups()
	if len(groups) > mostGroupsSearched || c.countRules(groups) > mostRulesSearched {
		return
	}
	found, deadIn, groupsOf := map[int]rules.DeadRule{}, map[int]int{}, map[int]int{} // by line
	for _, g := range groups {
		dead, _ := rules.Dead(g)
		for _, d := range dead {
			if !c.idle[d.Rule.Line] {
				found[d.Rule.Line] = d
				deadIn[d.Rule.Line]++
			}
		}
	}
	if len(found) == 0 {
		return
	}
	for _, g := range groups {
		for _, r := range g.Rules() {
			if deadIn[r.Line] > 0 {
				groupsOf[r.Line]++
			}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(found)) {
		if deadIn[line] == groupsOf[line] {
			c.reportDead(c.lines[line-1], found[line])
		}
	}
}

// countRules returns the number of rules of some groups together.
func (c *checker) countRules(groups []*robotstxt.Group) (n int) {
	for _, g := range groups {
		n += c.rulesOf[lex.Fold(g.Tokens()[0])].count
	}
	return n
}

// reportDead says what takes the place of a dead rule.
func (c *checker) reportDead(l *line, d rules.DeadRule) {
	f := Finding{Line: l.Number, Column: l.KeyColumn, Code: "rule-never-wins", Text: d.String()}
	isOther := func(r robotstxt.Rule) bool { return r.Allow != d.Rule.Allow }
	if !slices.ContainsFunc(d.Instead, isOther) {
		f.Code, f.Fix = "duplicate-rule", deletion(l)
	}
	c.report(f)
}
