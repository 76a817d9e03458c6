package lint

import (
	"slices"

	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Checks of the names on user-agent lines.

// readsPages reports whether the crawler with the token reads pages for search or AI.
func readsPages(token string) bool { return crawlers.Known(token).ReadsPages() }

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
		if name != "" && lex.NameLen(name) == 0 {
			p.report(l, l.ValueColumn+offset)
		}
	}
}

func userAgentHeader(p *pass, a agent) {
	if a.Folded == "mozilla" {
		p.reportAgent(a)
	}
}

func misspelledToken(p *pass, a agent) {
	if meant := similarToken(a.Token); meant != "" && !p.names(meant) {
		p.reportAgent(a, quote(meant))
	}
}

func brandAsToken(p *pass, a agent) {
	meant := crawlers.Meant(a.Name)
	if len(meant) > 0 && !slices.ContainsFunc(meant, p.names) {
		p.reportAgent(a, quoteAll(meant))
	}
}

func retiredCrawler(p *pass, a agent) {
	c := crawlers.Known(a.Token)
	if len(c.Successors) == 0 || c.Inherited {
		return // not retired, or the successor obeys the old name
	}
	if !slices.ContainsFunc(c.Successors, p.names) {
		p.reportAgent(a, quoteAll(c.Successors))
	}
}
