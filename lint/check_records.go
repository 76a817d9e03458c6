package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Checks of sitemaps, crawl-delays and lines with other keys.

func sitemapNotAbsolute(p *pass, l *line) {
	if hostOf(l.Value) == "" {
		p.report(l, l.ValueColumn)
	}
}

// hostOf returns the host of an http or https URL without "www.", or "" for other texts.
func hostOf(address string) string {
	u, err := url.Parse(address)
	isURL := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if !isURL || strings.Contains(address, " ") {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

func sitemapDisallowed(p *pass) {
	if len(p.googleRules) == 0 || !p.google.Allowed("/") {
		return
	}
	host := "" // of the first sitemap: most likely that of this file, too; other hosts have their own rules
	for _, l := range p.lines {
		if l.Kind != robotstxt.SitemapKind || !p.spend(1) {
			continue
		}
		if host == "" {
			host = hostOf(l.Value)
		}
		if d := p.google.Decide(l.Value); !d.Allowed && hostOf(l.Value) == host {
			p.report(l, l.ValueColumn, d.Rule.Line, quote("Disallow: "+d.Rule.Pattern))
		}
	}
}

func badCrawlDelay(p *pass, l *line) {
	if _, ok := lex.Seconds(l.Value); !ok {
		p.report(l, l.KeyColumn)
	}
}

func crawlDelayIgnored(p *pass, l *line) {
	mayRead := func(a agent) bool {
		c, _ := crawlers.Find(a.Token)
		return c.CrawlDelay != crawlers.No
	}
	agents := l.group.agents
	if len(agents) > 0 && !slices.ContainsFunc(agents, mayRead) {
		p.report(l, l.KeyColumn)
	}
}

// metaKeys are keys that search engines read only in pages, as lex.Letters returns them.
var metaKeys = []string{"noindex", "nofollow", "noarchive", "nosnippet"}

func metaKey(p *pass, l *line) {
	if key := lex.Letters(l.Key); slices.Contains(metaKeys, key) {
		p.report(l, l.KeyColumn, quote(key))
	}
}

// deadKeys are keys that hardly any crawler reads, as lex.Letters returns them.
var deadKeys = []string{
	"host", "visittime", "revisitafter", "robotversion", "requestrate",
	"disallowaitraining", "allowaitraining", "llmpolicy", "llmstxt",
}

func deadKey(p *pass, l *line) {
	if slices.Contains(deadKeys, lex.Letters(l.Key)) {
		p.report(l, l.KeyColumn)
	}
}

func unknownSignal(p *pass, l *line) {
	s, _ := aipref.ReadSignal(robotstxt.Record{Key: l.Key, Value: l.Value})
	if unknown := s.Unknown(); len(unknown) > 0 {
		p.report(l, l.ValueColumn, quoteAll(unknown))
	}
}

func signalBeforeGroup(p *pass) {
	for _, l := range p.groups[0].lines {
		if _, ok := aipref.ReadSignal(robotstxt.Record{Key: l.Key}); ok {
			p.report(l, l.KeyColumn)
		}
	}
}
