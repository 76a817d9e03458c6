package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Checks of groups.

func ruleBeforeUserAgent(p *pass) {
	for _, l := range p.groups[0].rules {
		p.report(l, l.KeyColumn)
	}
}

func joinedGroups(p *pass) {
	for _, g := range p.groups[1:] {
		if g.hasDisallow && !g.opensToAll() {
			for _, l := range g.falseEnds() {
				p.report(l, l.KeyColumn)
			}
		}
	}
}

// falseEnds returns the lines between two user-agent lines of the group that look as if they ended a
// group, but do not, such as a crawl-delay or a sitemap. Of such lines in a row, it returns the first.
func (g *group) falseEnds() (ends []*line) {
	var end *line // the first since the last user-agent line
	for _, l := range g.lines {
		switch {
		case l.Kind == userAgent && end != nil:
			ends = append(ends, end)
			end = nil
		case end == nil && (l.Kind == crawlDelay || l.Kind == sitemap || section.IsRecord(l.Line)):
			end = l
		}
	}
	return ends
}

// isJoined reports whether a user-agent line has a false end of its group below it, so that the rules
// may be for other crawlers.
func (l *line) isJoined() bool {
	ends := l.group.falseEnds()
	return len(ends) > 0 && ends[len(ends)-1].Number > l.Number
}

// opensToAll reports whether the last name of the group is "*", and its rules leave the site open.
// Many files list crawl-delays of some crawlers above the rules for all, and the author may well want
// these crawlers to obey them.
func (g *group) opensToAll() bool {
	n := len(g.agents)
	return n > 0 && g.agents[n-1].Token == "*" && !slices.ContainsFunc(g.rules, (*line).closesAll)
}

func repeatedToken(p *pass) {
	first := map[string]agent{} // by name, with any version
	for _, g := range p.groups {
		isForSignals := !g.hasDisallow && slices.ContainsFunc(g.lines, (*line).isSignal)
		if len(g.rules) == 0 || isForSignals { // Cloudflare writes such a group above the file of a site
			continue
		}
		for _, a := range g.agents {
			name := lex.Fold(a.Name)
			before, ok := first[name]
			if !ok {
				first[name] = a
				continue
			}
			other := p.lineAt(before.Line).group
			if len(other.rules) == 1 && other.rules[0].closesAll() {
				continue // "ai --set" writes such a group above others, so that crawlers that read only the first obey it
			}
			if p.spend(len(g.rules)) && !g.hasRulesOf(other) {
				p.reportAgent(a, before.Line)
			}
		}
	}
}

func lastGroupOnly(p *pass) {
	star, last := p.userAgents["*"], p.groups[len(p.groups)-1]
	if star == nil || star.group == last || len(last.rules) == 0 || !isWholeSite(last.rules[0].Value) {
		return // a group with other rules may well have blank lines and comments between them
	}
	var names []string
	for _, a := range last.agents {
		names = append(names, a.Token)
	}
	isSetOff := false
	for _, l := range last.lines {
		switch {
		case l.Number < last.rules[0].Number:
		case l.Kind == none || l.Kind == sitemap:
			isSetOff = true
		case isSetOff && (l.isDisallow() || l.Kind == crawlDelay || l.isSignal()):
			p.report(l, l.KeyColumn, quoteAll(names), star.Number)
			return
		}
	}
}

// droppedLines returns a check that reports the groups without some of the lines for "*": those where
// that is most likely a mistake, or the others.
func droppedLines(isMistake bool) func(*pass) {
	return func(p *pass) {
		// If the site is closed to "*", the other groups are there to let crawlers in.
		if slices.ContainsFunc(p.starRules, disallowsAll) || len(p.starRules) > mostRules {
			return
		}
		signals := p.starSignals()
		for _, g := range p.merged {
			i := slices.IndexFunc(g.Tokens(), readsPages)
			if i < 0 || !p.spend(len(p.starRules)) {
				continue
			}
			lines := p.dropped(g, signals)
			if len(lines) > 0 && isMistake == isLikelyMistake(g, lines) {
				l := p.userAgents[lex.Fold(g.Tokens()[i])]
				p.report(l, 1, linesOf(lines, func(l *line) int { return l.Number }), quoteLines(lines))
			}
		}
	}
}

// starSignals returns the preferences about AI for "*" if one of them refuses something.
func (p *pass) starSignals() (lines []*line) {
	answer := aipref.For(p.parsed, []string{"*"}, "/")
	if max(answer.Training.Value, answer.Search.Value, answer.AIInput.Value) == aipref.Disallow {
		for _, s := range answer.Signals {
			lines = append(lines, p.lineAt(s.Line))
		}
	}
	return lines
}

// dropped returns the lines for "*" that the crawlers of another group do not obey: rules that close a
// page which the group allows, with their exceptions, and the preferences about AI if the group has none.
func (p *pass) dropped(g *robotstxt.Group, signals []*line) (lines []*line) {
	isLost := func(page string) bool {
		d := g.Decide(page)
		isOnPurpose := d.Rule.Pattern != "" && !isWholeSite(d.Rule.Pattern)
		return d.Allowed && !isOnPurpose && !p.star.Allowed(page)
	}
	var lost []robotstxt.Pattern
	for _, r := range p.starRules {
		if !r.Allow && isLost(example(r.Pattern)) {
			lost = append(lost, robotstxt.NewPattern(r.Pattern))
			lines = append(lines, p.lineAt(r.Line))
		}
	}
	for _, r := range p.starRules {
		isException := func(closed robotstxt.Pattern) bool { return closed.Matches(example(r.Pattern)) }
		if r.Allow && p.spend(len(lost)) && slices.ContainsFunc(lost, isException) {
			lines = append(lines, p.lineAt(r.Line))
		}
	}
	isSignal := func(r robotstxt.Record) bool { return p.lineAt(r.Line).isSignal() }
	if len(signals) > 0 && g.Allowed("/") && !slices.ContainsFunc(g.Records(), isSignal) {
		lines = append(lines, signals...)
	}
	slices.SortFunc(lines, func(x, y *line) int { return x.Number - y.Number })
	return lines
}

// isLikelyMistake reports whether it is most likely a mistake that a group does not have some lines for
// "*": one of them is a preference about AI, or the group only lets crawlers in, and a line closes
// something other than search pages, which everybody may know to be closed.
func isLikelyMistake(g *robotstxt.Group, lines []*line) bool {
	if slices.ContainsFunc(lines, (*line).isSignal) {
		return true
	}
	onlyAllows := !slices.ContainsFunc(g.Rules(), disallows)
	closesOther := func(l *line) bool {
		isSearch := strings.Contains(l.Value, "?") || strings.Contains(l.Value, "search")
		return l.isDisallow() && !isSearch
	}
	return onlyAllows && slices.ContainsFunc(lines, closesOther)
}
