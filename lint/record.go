package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// checkExtensions says who reads the keys outside the protocol, once for each key.
func checkExtensions(c *checker) {
	seen := map[string]bool{}
	for _, s := range c.sections {
		for _, l := range s.records {
			if key := section.RecordKey(l.Key); l.Kind == robotstxt.OtherKind && key != "" && !seen[key] {
				seen[key] = true
				if !isDead(key) {
					c.report(atKey(l), "extension-key/"+key)
				}
			}
		}
	}
}

// checkSitemap looks at a sitemap's URL.
func checkSitemap(c *checker, l *line) {
	switch {
	case l.Value == "":
		c.report(atValue(l, 0), "sitemap-not-absolute/empty")
	case strings.ContainsAny(l.Value, " \t"):
		c.report(atValue(l, 0), "sitemap-not-absolute/several", quote(l.Value))
	case !isAbsolute(l.Value):
		c.report(atValue(l, 0), "sitemap-not-absolute", quote(l.Value))
	case !strings.ContainsAny(hostOf(l.Value), ".:"):
		c.report(atValue(l, 0), "sitemap-not-absolute/host", quote(l.Value))
	}
}

// Sitemaps that are compared with the rules. More than a few are a list that a program
// writes.
const mostSitemaps = 50

// checkSitemaps finds sitemaps that are listed twice in a section, those on several
// hosts, and those that a search engine must not fetch. Some systems list a sitemap in
// every group.
func checkSitemaps(c *checker) {
	first, sections := map[string]*line{}, map[string]*sect{}
	var readers []*robotstxt.Group
	var one *line // the first that is absolute
	hasOther := false
	for _, s := range c.sections {
		for i := range s.Lines {
			l := &s.Lines[i]
			if l.Kind != robotstxt.SitemapKind || l.Value == "" {
				continue
			}
			if before := first[l.Value]; before != nil {
				if sections[l.Value] == s {
					c.report(atKey(l), "duplicate-sitemap", before.Number).Fix = deletion(l)
				}
				continue
			}
			first[l.Value], sections[l.Value] = l, s
			if readers == nil {
				readers = sitemapReaders(c)
			}
			switch origin := originOf(l.Value); {
			case !isAbsolute(l.Value):
			case one == nil:
				one = l
			case !hasOther && origin != originOf(one.Value):
				hasOther = true
				c.report(atValue(l, 0), "sitemap-hosts", quote(origin), one.Number, quote(originOf(one.Value)))
			}
			if len(first) <= mostSitemaps {
				checkSitemapAccess(c, l, readers)
			}
		}
	}
	if one != nil && !hasOther && strings.HasPrefix(one.Value, "http://") {
		c.report(atValue(one, 0), "sitemap-hosts/http")
	}
}

// originOf returns the scheme and host of an absolute URL.
func originOf(address string) string {
	scheme, _, _ := strings.Cut(address, "://")
	return strings.ToLower(scheme) + "://" + hostOf(address)
}

// sitemapReaders returns the groups of the largest search engines and of "*", except
// those that close the whole site.
func sitemapReaders(c *checker) (readers []*robotstxt.Group) {
	var tokens []string
	for _, agent := range []string{"*", "Googlebot", "bingbot"} {
		g := c.parsed.Group(agent)
		d := g.Decide("/")
		if d.Allowed && !slices.Contains(tokens, d.Token) && c.token(lex.Fold(d.Token)).rules <= mostRules {
			readers = append(readers, g)
		}
		tokens = append(tokens, d.Token)
	}
	return readers
}

func checkSitemapAccess(c *checker, l *line, readers []*robotstxt.Group) {
	for _, g := range readers {
		if d := g.Decide(l.Value); !d.Allowed {
			c.report(atValue(l, 0), "sitemap-disallowed", d.Rule.Line, quote("Disallow: "+d.Rule.Pattern))
			return
		}
	}
}

// longestDelay is the largest crawl-delay that Bing documents, in seconds.
const longestDelay = 30

// checkCrawlDelay looks at a crawl-delay's number.
func checkCrawlDelay(c *checker, l *line) {
	delay, ok := lex.Seconds(l.Value)
	switch {
	case l.Value == "":
		c.report(atValue(l, 0), "crawl-delay-invalid/empty")
	case !ok:
		c.report(atValue(l, 0), "crawl-delay-invalid", quote(l.Value))
	case delay.Seconds() > longestDelay && !c.sectionOf(l.Number).closed:
		c.report(atValue(l, 0), "crawl-delay-huge", longestDelay, pagesADay(delay))
	}
}

// checkDelays finds groups with different crawl-delays for the same crawlers.
func checkDelays(c *checker) {
	isDelay := func(l *line) bool { return l.Kind == robotstxt.CrawlDelayKind }
	if c.countRecords(isDelay) < 2 {
		return
	}
	seen := map[int]bool{}
	for _, delays := range c.records(isDelay) {
		for _, l := range delays[min(1, len(delays)):] {
			if first := delays[0]; l.Value != first.Value && !seen[l.Number] {
				seen[l.Number] = true
				c.report(atKey(l), "crawl-delay-repeated", first.Number, quote(first.Value))
			}
		}
	}
}

func pagesADay(delay time.Duration) string {
	switch n := 24 * time.Hour / delay; n {
	case 0:
		return "less than one page per day"
	case 1:
		return "no more than one page per day"
	default:
		return fmt.Sprintf("no more than %s pages per day", count(int(n)))
	}
}

// checkLicense looks at a license's URL (RSL 1.0).
func checkLicense(c *checker, l *line) {
	if isRecord(l, "License") && !isAbsolute(l.Value) {
		c.report(atValue(l, 0), "license-not-absolute", quote(l.Value))
	}
}

// checkCleanParam looks at the form of a Clean-param line: parameters separated by "&",
// and perhaps a path prefix.
func checkCleanParam(c *checker, l *line) {
	const longest = 500 // that Yandex documents
	if !isRecord(l, "Clean-param") {
		return
	}
	words := strings.Fields(l.Value)
	switch {
	case len(l.Value) > longest:
		c.report(atValue(l, 0), "clean-param-form/long", count(len(l.Value)), count(longest))
	case len(words) == 0:
		c.report(atValue(l, 0), "clean-param-form/empty")
	case strings.HasPrefix(words[0], "/"):
		c.report(atValue(l, 0), "clean-param-form/path first")
	case len(words) > 2, strings.ContainsAny(words[0], "?=,;"):
		c.report(atValue(l, 0), "clean-param-form", quote(l.Value))
	}
}
