package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
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
	host := ""
	for _, l := range p.lines {
		if l.Kind != robotstxt.SitemapKind || !p.mayCompare(1) {
			continue
		}
		if host == "" {
			host = hostOf(l.Value) // the rules are hardly about the other hosts in the file
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
	mayRead := func(a agent) bool { return crawlers.Known(a.Token).CrawlDelay != crawlers.No }
	agents := l.group.agents
	if len(agents) > 0 && !slices.ContainsFunc(agents, mayRead) {
		p.report(l, l.KeyColumn)
	}
}

// isDeadKey reports whether hardly any crawler reads lines with the key.
func isDeadKey(key string) bool { return deadKeys[lex.Letters(key)] }

var deadKeys = lettersOf(
	"Noindex", "Nofollow", "Noarchive", "Nosnippet", "Host", "Visit-time", "Revisit-after",
	"Robot-version", "Request-rate", "DisallowAITraining", "AllowAITraining", "LLM-Policy", "LLMs-txt",
)

// lettersOf returns a set of the letters of keys; see lex.Letters.
func lettersOf(keys ...string) map[string]bool {
	set := map[string]bool{}
	for _, key := range keys {
		set[lex.Letters(key)] = true
	}
	return set
}

func deadKey(p *pass, l *line) {
	if isDeadKey(l.Key) {
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
