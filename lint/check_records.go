package lint

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
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

func sitemapUnreachable(p *pass, l *line) {
	if host := hostOf(l.Value); host != "" && isUnreachable(host) {
		p.report(l, l.ValueColumn, quote(host))
	}
}

// isUnreachable reports whether a host is only known on one computer or in one network, as "localhost"
// is, or is not a host at all, as "undefined".
func isUnreachable(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local")
}

func sitemapDisallowed(p *pass) {
	if len(p.googleRules) == 0 || !p.google.Allowed("/") {
		return
	}
	host := "" // of the first sitemap: most likely that of this file, too; other hosts have their own rules
	for _, l := range p.lines {
		if l.Kind != sitemap || !p.spend(len(p.googleRules)) {
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
	if delay, ok := lex.Seconds(l.Value); !ok || delay > 300*time.Second {
		p.report(l, l.KeyColumn)
	}
}

func crawlDelayIgnored(p *pass, l *line) {
	mayRead := func(a agent) bool {
		c, _ := crawlers.Lookup(a.Token)
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

// readKeys are keys that some crawler, or some program for AI, is documented to read, as lex.Letters
// returns them: those of Yandex, Content-Signal and Content-Usage, Really Simple Licensing, and NLWeb.
var readKeys = []string{"cleanparam", "contentsignal", "contentusage", "license", "schemamap"}

func hostKey(p *pass, l *line) {
	if lex.Letters(l.Key) == "host" {
		p.report(l, l.KeyColumn)
	}
}

func deadKey(p *pass, l *line) {
	key := lex.Letters(l.Key)
	isRead := slices.Contains(readKeys, key) || slices.Contains(metaKeys, key) || key == "host"
	if section.IsRecord(l.Line) && !isRead {
		p.report(l, l.KeyColumn)
	}
}

func unknownSignal(p *pass, l *line) {
	s, _ := aipref.ReadSignal(robotstxt.Record{Key: l.Key, Value: l.Value})
	if len(s.Unknown()) > 0 {
		p.report(l, l.ValueColumn, quote(s.Value))
	}
}

func recordBeforeGroup(p *pass) {
	for _, l := range p.groups[0].lines {
		if l.isSignal() || l.Kind == crawlDelay {
			p.report(l, l.KeyColumn)
		}
	}
}
