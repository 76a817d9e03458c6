package lint

import (
	"slices"

	"github.com/robotstxt-go/robotstxt"
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
	groups := robotstxt.Parse(c.data).Groups()
	total := 0
	for _, g := range groups {
		total += len(g.Rules())
	}
	if len(groups) > mostGroupsSearched || total > mostRulesSearched {
		return
	}
	found, groupsOf, deadIn := map[int]rules.DeadRule{}, map[int]int{}, map[int]int{}
	for _, g := range groups {
		for _, r := range g.Rules() {
			groupsOf[r.Line]++
		}
		dead, _ := rules.Dead(g)
		for _, d := range dead {
			found[d.Rule.Line] = d
			deadIn[d.Rule.Line]++
		}
	}
	for _, l := range c.lines {
		if d, ok := found[l.Number]; ok && deadIn[l.Number] == groupsOf[l.Number] && !c.idle[l.Number] {
			c.reportDead(l, d)
		}
	}
}

// reportDead says what takes the place of a dead rule.
func (c *checker) reportDead(l robotstxt.Line, d rules.DeadRule) {
	f := Finding{Line: l.Number, Column: l.KeyColumn, Code: "rule-never-wins", Text: d.String()}
	isOther := func(r robotstxt.Rule) bool { return r.Allow != d.Rule.Allow }
	if !slices.ContainsFunc(d.Instead, isOther) {
		f.Code, f.Fix = "duplicate-rule", deletion(l)
	}
	c.report(f)
}
