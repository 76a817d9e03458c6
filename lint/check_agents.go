package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Checks of the names on user-agent lines.

// readsPages reports whether the crawler with the token reads pages for a search index or for an AI
// model. Crawlers for images, news, advertisements, link previews and statistics do not, and neither
// do those that fetch a page because a person asks for it.
func readsPages(token string) bool {
	c, _ := crawlers.Find(token)
	isReading := func(p crawlers.Purpose) bool {
		return p == crawlers.Training || p == crawlers.Search || p == crawlers.Input
	}
	isPartOfGooglebot := strings.HasPrefix(c.Token, "Googlebot-")
	return slices.ContainsFunc(c.Purposes, isReading) && !isPartOfGooglebot
}

func (p *pass) reportAgent(a agent, args ...any) {
	l := p.lineAt(a.Line)
	p.report(l, l.ValueColumn+a.Offset, args...)
}

func emptyUserAgent(p *pass, l *line) {
	if l.Value == "" {
		p.report(l, l.KeyColumn)
	}
}

func unusableToken(p *pass, l *line) {
	for offset, name := range lex.Names(l.Value) {
		// An empty name, as after the comma of "FooBot,", does no harm.
		if token, _ := lex.NameToken(name); name != "" && token == "" {
			p.report(l, l.ValueColumn+offset)
		}
	}
}

func userAgentHeader(p *pass, a agent) {
	if strings.EqualFold(a.Name[:lex.TokenLen(a.Name)], "Mozilla") {
		p.reportAgent(a)
	}
}

func misspelledToken(p *pass, a agent) {
	if meant := similarToken(a.Token); meant != "" && !p.names(meant) {
		p.reportAgent(a, quote(meant))
	}
}

func brandAsToken(p *pass, a agent) {
	meant := known.Meant(a.Name)
	if len(meant) > 0 && !slices.ContainsFunc(meant, p.names) {
		p.reportAgent(a, quoteAll(meant))
	}
}

func retiredCrawler(p *pass, a agent) {
	c, _ := crawlers.Find(a.Token)
	if len(c.Successors) == 0 || c.Inherited {
		return // not retired, or the successor obeys the old name
	}
	if !slices.ContainsFunc(c.Successors, p.names) {
		p.reportAgent(a, quoteAll(c.Successors))
	}
}
