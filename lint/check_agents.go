package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// Checks of the names on user-agent lines.

// readsPages reports whether the crawler with the token reads pages for a search index or for an AI
// model. Crawlers for images, news, advertisements, link previews and statistics do not, and neither
// do those that fetch a page because a person asks for it.
func readsPages(token string) bool {
	c, _ := crawlers.Lookup(token)
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
		if reading.IsUnusable(name) {
			p.report(l, l.ValueColumn+offset)
		}
	}
}

func severalNames(p *pass, l *line) {
	if !reading.HasSeveralNames(l.Value) {
		return
	}
	f := p.report(l, l.ValueColumn)
	if names := reading.Names(l.Value); len(names) > 1 && l.Comment == "" {
		f.Fix = &Edit{Text: "User-agent: " + strings.Join(names, "\nUser-agent: ")}
	}
}

func spaceInName(p *pass, a agent) {
	words := strings.Fields(a.Name)
	for _, separator := range []string{"", "-"} {
		// "Google Bot" is the Googlebot, and "Google Extended" is Google-Extended.
		joined := strings.Join(words, separator)
		if c, ok := crawlers.Lookup(joined[:lex.TokenLen(joined)]); ok && !strings.EqualFold(c.Token, a.Token) {
			p.reportAgent(a, quote(c.Token))
		}
	}
}

func oddName(p *pass, a agent) {
	_, isKnown := crawlers.Lookup(a.Token)
	isSentence := strings.HasSuffix(a.Name, ".") && !strings.Contains(a.Name, "/")
	hasStar := a.Token != "*" && strings.HasPrefix(strings.TrimPrefix(a.Name, a.Token), "*")
	if isSentence || hasStar && !isKnown {
		p.reportAgent(a)
	}
}

func userAgentHeader(p *pass, a agent) {
	if reading.IsHeader(a.Name) {
		p.reportAgent(a)
	}
}

func misspelledToken(p *pass, a agent) {
	if meant := known.Misspelled(a.Token); meant != "" && !p.names(meant) {
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
	c, _ := crawlers.Lookup(a.Token)
	isObeyed := func(successor string) bool {
		return p.names(successor) || slices.Contains(crawlers.Names(successor), c.Token)
	}
	if len(c.Successors) > 0 && !slices.ContainsFunc(c.Successors, isObeyed) {
		p.reportAgent(a, quoteAll(c.Successors))
	}
}
