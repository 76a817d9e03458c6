package rules

import (
	"slices"

	"github.com/robotstxt-go/robotstxt"
	known "github.com/robotstxt-go/robotstxt/internal/crawlers"
)

// crawlers are the crawlers that share a group in the old file and a group in the new
// one.
type crawlers struct {
	agents             []string
	others             bool
	old, new           int // 1-based group indexes; 0 means no group
	oldGroup, newGroup *robotstxt.Group
}

// crawlers returns the crawlers to compare, by their pair of groups. Any other
// crawler has the same groups as one of these: the named crawler that its token falls
// back to, or else "*".
func (d *differ) crawlers() []*crawlers {
	agents, starless := d.opts.Agents, known.Starless()
	if len(agents) == 0 {
		agents = slices.Concat(d.old.tokens, d.new.tokens, []string{"*"}, starless)
	}
	var list []*crawlers
	byGroups := map[[2]int]*crawlers{}
	seen := map[[2]string]bool{} // tokens by which the groups were found
	for i, agent := range agents {
		oldGroup, newGroup := d.old.file.Group(agent), d.new.file.Group(agent)
		tokens := [2]string{tokenOf(oldGroup), tokenOf(newGroup)}
		if seen[tokens] && len(d.opts.Agents) == 0 {
			continue
		}
		seen[tokens] = i < len(agents)-len(starless)
		groups := [2]int{d.old.groups[tokens[0]], d.new.groups[tokens[1]]}
		c := byGroups[groups]
		if c == nil {
			c = &crawlers{old: groups[0], new: groups[1], oldGroup: oldGroup, newGroup: newGroup}
			byGroups[groups] = c
			list = append(list, c)
		}
		c.add(agent)
	}
	return list
}

func (c *crawlers) add(agent string) {
	if robotstxt.ProductToken(agent) == "" {
		c.others = true
	} else {
		c.agents = append(c.agents, agent)
	}
}

// tokenOf returns the token by which a group was found, or "" if there was none.
func tokenOf(g *robotstxt.Group) string { return g.Decide("/").Token }

// fileRules are the groups of a file.
type fileRules struct {
	file   *robotstxt.File
	tokens []string       // except "*"
	groups map[string]int // 1-based group indexes, by token

	last       *ruleset // the next pair of groups often shares one with the last
	lastNumber int
}

func newFileRules(f *robotstxt.File) *fileRules {
	r := &fileRules{file: f, groups: map[string]int{}}
	for i, g := range f.Groups() {
		for _, token := range g.Tokens() {
			r.groups[token] = i + 1
			if token != "*" {
				r.tokens = append(r.tokens, token)
			}
		}
	}
	return r
}

// ruleset returns the compiled rules of a group.
func (r *fileRules) ruleset(number int, g *robotstxt.Group) *ruleset {
	if r.last == nil || r.lastNumber != number {
		r.last, r.lastNumber = newRuleset(g), number
	}
	return r.last
}
