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
		isUnusable := name != "" && nameToken(name) == ""
		if isUnusable || known.IsWordForAll(name) {
			p.report(l, l.ValueColumn+offset)
		}
	}
}

func nameToken(name string) string {
	token, _ := lex.NameToken(name)
	return token
}

func severalNames(p *pass, l *line) {
	names := commaList(l.Value)
	if len(names) < 2 && !namesSeveralCrawlers(l.Value) {
		return
	}
	f := p.report(l, l.ValueColumn)
	if len(names) > 1 && l.Comment == "" {
		f.Fix = &Edit{Text: "User-agent: " + strings.Join(names, "\nUser-agent: ")}
	}
}

// commaList returns the names in the value of a user-agent line, or nil if the value is probably not a
// list of names, as "FooBot [NC,OR]", which is for a web server.
func commaList(value string) (names []string) {
	if strings.Contains(value, " ") && !strings.Contains(value, ", ") {
		return nil
	}
	for _, name := range lex.Names(value) {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// namesSeveralCrawlers reports whether the first word of a value and a later one are tokens of
// well-known crawlers, as in "GPTBot; CCBot" and "GPTBot and CCBot".
func namesSeveralCrawlers(value string) bool {
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ;|", r) })
	isToken := func(word string) bool {
		_, ok := crawlers.Find(word[:lex.TokenLen(word)])
		return ok
	}
	return len(words) > 1 && isToken(words[0]) && slices.ContainsFunc(words[1:], isToken)
}

func spaceInName(p *pass, a agent) {
	words := strings.Fields(a.Name)
	for _, separator := range []string{"", "-"} {
		// "Google Bot" is the Googlebot, and "Google Extended" is Google-Extended.
		joined := strings.Join(words, separator)
		if c, ok := crawlers.Find(joined[:lex.TokenLen(joined)]); ok && !strings.EqualFold(c.Token, a.Token) {
			p.reportAgent(a, quote(c.Token))
		}
	}
}

func userAgentHeader(p *pass, a agent) {
	if strings.EqualFold(a.Name[:lex.TokenLen(a.Name)], "Mozilla") {
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
	c, _ := crawlers.Find(a.Token)
	isObeyed := func(successor string) bool {
		return p.names(successor) || slices.Contains(crawlers.Names(successor), c.Token)
	}
	if len(c.Successors) > 0 && !slices.ContainsFunc(c.Successors, isObeyed) {
		p.reportAgent(a, quoteAll(c.Successors))
	}
}
