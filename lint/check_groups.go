package lint

import (
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Checks of groups.

func ruleBeforeUserAgent(p *pass) {
	for _, l := range p.groups[0].rules {
		p.report(l, l.KeyColumn)
	}
}

func joinedGroups(p *pass) {
	for _, g := range p.groups[1:] {
		if !g.hasDisallow || g.opensToAll() {
			continue
		}
		for _, l := range g.falseEnds() {
			p.report(l, l.KeyColumn)
		}
	}
}

// falseEnds returns the lines between two user-agent lines of the group that look as if they ended a
// group, but do not: a crawl-delay or a sitemap. Of such lines in a row, it returns the first.
func (g *group) falseEnds() (ends []*line) {
	var end *line // the first since the last user-agent line
	for _, l := range g.lines {
		switch l.Kind {
		case crawlDelay, sitemap:
			if end == nil {
				end = l
			}
		case userAgent:
			if end != nil {
				ends = append(ends, end)
				end = nil
			}
		}
	}
	return ends
}

// opensToAll reports whether the last name of the group is "*", and its rules leave the site open.
// Many files list crawl-delays of some crawlers above the rules for all, and the author may well want
// these crawlers to obey them.
func (g *group) opensToAll() bool {
	if len(g.agents) == 0 {
		return false
	}
	closes := func(l *line) bool { return l.isDisallow() && isWholeSite(l.Value) }
	return g.agents[len(g.agents)-1].Token == "*" && !slices.ContainsFunc(g.rules, closes)
}

func groupWithoutRules(p *pass) {
	// Only the last group can lack rules: the others end at the first user-agent line after a rule.
	last := p.groups[len(p.groups)-1]
	if len(last.rules) > 0 || !slices.ContainsFunc(p.starRules, disallows) {
		return
	}
	for _, a := range last.agents {
		hasRules := len(p.parsed.Group(a.Token).Rules()) > 0 // perhaps in another group
		if readsPages(a.Token) && !hasRules {
			p.report(p.lineAt(a.Line), 1)
		}
	}
}

func repeatedToken(p *pass) {
	first := map[string]agent{} // by name, with any version
	for _, g := range p.groups {
		if !g.hasDisallow {
			continue // such as the group with preferences that Cloudflare writes above the file of a site
		}
		for _, a := range g.agents {
			name := lex.Fold(a.Name)
			before, ok := first[name]
			if !ok {
				first[name] = a
				continue
			}
			other := p.lineAt(before.Line).group
			if p.spend(len(g.rules)) && !g.hasRulesOf(other) {
				p.reportAgent(a, before.Line)
			}
		}
	}
}

func starRulesDropped(p *pass) {
	if slices.ContainsFunc(p.starRules, disallowsAll) {
		return // the other groups are there to let crawlers in
	}
	for _, g := range p.merged {
		i := slices.IndexFunc(g.Tokens(), readsPages)
		if i < 0 {
			continue
		}
		if r, ok := p.dropped(g); ok {
			l := p.userAgents[lex.Fold(g.Tokens()[i])]
			p.report(l, 1, quote("Disallow: "+r.Pattern), r.Line)
		}
	}
}

// dropped returns a rule for "*" that disallows a page which the group allows.
func (p *pass) dropped(g *robotstxt.Group) (robotstxt.Rule, bool) {
	for _, r := range p.starRules {
		page := example(r.Pattern)
		if !p.spend(1) {
			break
		}
		// The rule that decides about the page can be a longer one than r.
		if d := p.star.Decide(page); !d.Allowed && g.Allowed(page) {
			return d.Rule, true
		}
	}
	return robotstxt.Rule{}, false
}
