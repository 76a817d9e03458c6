package rules

import (
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A groupPair consists of a group of the old file, a group of the new file, and the crawlers that
// obey these two groups.
type groupPair struct {
	agents           []string
	others           bool
	old, new         int    // 1-based group indexes; 0 means no group
	oldName, newName string // with these names, robotstxt.File.Group finds the groups
}

// groupPairs returns the pairs of groups to compare.
//
// If d.opts selects no crawlers, groupPairs finds the groups of all tokens in the files, of
// "*", and of the crawlers that ignore the group for "*". That is enough, because every other
// crawler obeys the same groups as one of these. For example, FooBot-Image obeys the same
// groups as FooBot or, if neither file names FooBot, the same groups as "*". If FooBot stands
// alone, as in "User-agent: FooBot beta", the token "FooBot-" is for names such as FooBot-Image.
// It comes after "*", so that it does not take the place of "*" if both obey the same groups. A crawler
// with other names, too, obeys the group of one of these or of "*" in each file: if nothing changes for
// these, nothing changes for the crawler.
func (d *differ) groupPairs() []*groupPair {
	agents, starless := d.opts.Agents, known.Starless()
	if len(agents) == 0 {
		agents = slices.Concat(d.old.tokens, d.new.tokens, []string{"*"}, d.old.longer, d.new.longer, starless)
	}
	var list []*groupPair
	byGroups := map[[2]int]*groupPair{}
	// The value in seen is true for a pair of tokens if an earlier agent that is not from
	// starless has this pair. Further agents with the pair are then skipped. If only agents
	// from starless have a pair, all of these agents are added.
	seen := map[[2]string]bool{}
	for i, agent := range agents {
		names := []string{agent}
		if d.opts.Names != nil {
			names = d.opts.Names(agent)
		}
		oldName, oldToken := d.old.firstNamed(names)
		newName, newToken := d.new.firstNamed(names)
		tokens := [2]string{oldToken, newToken}
		if seen[tokens] && len(d.opts.Agents) == 0 {
			continue
		}
		seen[tokens] = i < len(agents)-len(starless)
		groups := [2]int{d.old.groups[tokens[0]], d.new.groups[tokens[1]]}
		p := byGroups[groups]
		if p == nil {
			p = &groupPair{old: groups[0], new: groups[1], oldName: oldName, newName: newName}
			byGroups[groups] = p
			list = append(list, p)
		}
		p.add(agent)
	}
	return list
}

func (p *groupPair) add(agent string) {
	if robotstxt.ProductToken(agent) == "" {
		p.others = true
	} else {
		p.agents = append(p.agents, agent)
	}
}

// firstNamed returns the first of a crawler's names that the file has a group for, and the token of that
// group. If the file has none, it returns the crawler's own name, because that decides whether the crawler
// obeys the group of "*".
func (r *fileRules) firstNamed(names []string) (name, token string) {
	for _, name := range names {
		if token := r.tokenFor(name); token != "" && token != "*" {
			return name, token
		}
	}
	return names[0], r.tokenFor(names[0])
}

// tokenFor returns the token of the file whose group an agent obeys, in folded form, or "" if it
// obeys none. For a longer name of a token that stands alone, it adds a hyphen to the token.
func (r *fileRules) tokenFor(agent string) string {
	own := lex.Fold(robotstxt.ProductToken(agent))
	if r.tooMany {
		return own // the comparison is incomplete anyway
	}
	token := lex.Fold(r.file.Group(agent).Decide("/").Token)
	if r.standsAlone[token] && token != own {
		token += "-"
	}
	return token
}

// fileRules holds the groups of a file.
type fileRules struct {
	file   *robotstxt.File
	tokens []string       // all tokens except "*"
	longer []string       // for the tokens that stand alone, tokens for longer names, such as "FooBot-"
	groups map[string]int // the number of each token's group, by the token in folded form; the first group of the file has number 1

	// standsAlone contains the tokens, in folded form, on whose lines more words follow. Names such
	// as FooBot-Image obey only the other lines for FooBot, as the group of "FooBot-".
	standsAlone map[string]bool

	tooMany bool // there are too many tokens or rules to find out which tokens stand alone

	last       *ruleset // the last result of the method ruleset; the next call is often for the same group
	lastNumber int      // the number of the group whose rules are in last
}

// Beyond these limits, the comparison is incomplete. Real files have far fewer tokens and rules. In a
// hostile file, thousands of groups can share thousands of rules. And for each token, findLonger calls
// robotstxt.File.Group, which goes through all tokens.
const (
	maxTokens   = 2_000
	maxCompared = 2_000_000 // rules
)

func newFileRules(f *robotstxt.File) *fileRules {
	r := &fileRules{file: f, groups: map[string]int{}, standsAlone: map[string]bool{}}
	groups := f.Groups()
	for i, g := range groups {
		for _, token := range g.Tokens() {
			r.groups[lex.Fold(token)] = i + 1
			if token != "*" {
				r.tokens = append(r.tokens, token)
			}
		}
	}
	if len(r.tokens) > maxTokens {
		r.tooMany = true
	} else {
		r.findLonger(groups)
	}
	return r
}

// findLonger finds the tokens that stand alone: longer names obey other rules. It stops if there are too many rules.
func (r *fileRules) findLonger(groups []*robotstxt.Group) {
	number, compared := len(groups), 0
	for _, g := range groups {
		rules := g.Rules()
		for _, token := range g.Tokens() {
			if token == "*" {
				continue
			}
			if compared += len(rules); compared > maxCompared {
				r.tooMany = true
				return
			}
			longer := r.file.Group(token + "-")
			if slices.Equal(longer.Rules(), rules) {
				continue
			}
			folded := lex.Fold(token)
			r.standsAlone[folded] = true
			r.longer = append(r.longer, token+"-")
			if lex.Fold(longer.Decide("/").Token) == folded { // other lines have the token alone
				number++
				r.groups[folded+"-"] = number
			}
		}
	}
}

// ruleset returns the compiled rules of the group with a number, for a crawler with this name.
func (r *fileRules) ruleset(number int, name string) *ruleset {
	if r.last == nil || r.lastNumber != number {
		r.last, r.lastNumber = newRuleset(r.file.Group(name)), number
	}
	return r.last
}
