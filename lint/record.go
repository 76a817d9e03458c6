package lint

import (
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// checkRecords reports lines with a key that no crawler reads. For each key that few crawlers
// read, it reports only the first line. SeznamBot, which matters on Czech and Slovak sites, reads
// Request-rate, and so may an owner's own crawler. Noindex lines do less harm if they come from SPIP.
func checkRecords(c *checker) {
	seen, isCzech := map[string]bool{}, false
	for site := range c.sites {
		isCzech = isCzech || strings.HasSuffix(site, ".cz") || strings.HasSuffix(site, ".sk")
	}
	for _, s := range c.sections {
		for _, l := range s.records {
			key := section.RecordKey(l.Key)
			switch {
			case isDead(key+" disallowed") && (len(s.Agents) == 0 || l.Value == "/robots.txt" || c.changesNothing(l, l.Value)):
				c.report(atStart(l), "dead-key/"+key+" disallowed")
			case isDead(key):
				c.report(atStart(l), "dead-key/"+key+linesOfSPIP[key+" "+l.Value])
			case isCase("extension-key", key) && !seen[key] && (key != "Request-rate" || !isCzech && !strings.Contains(l.Value, "-") && (len(s.Agents) == 0 || s.names("*"))):
				seen[key] = true
				c.report(atStart(l), "extension-key/"+key)
			}
		}
	}
}

// checkSitemaps reports three mistakes: a value that cannot be a sitemap, because it is not a complete
// URL or is a home page; a sitemap that a section lists twice; and a sitemap that Googlebot may not
// fetch. Some systems list each sitemap in every group, so a sitemap in several sections, or below
// several user-agent lines, is no mistake. A disallowed sitemap is no mistake if the rule closes the
// whole site. Nor is it if another group disallows something, but lets its crawlers fetch the sitemap.
// If the sitemaps are on several sites, checkSitemaps reports no disallowed sitemap, because it does
// not know which of the sites the rules are for.
func checkSitemaps(c *checker) {
	first, asked := map[string]*line{}, 0
	for i, l := range c.lines {
		if l.Kind != robotstxt.SitemapKind || l.Value == "" {
			continue
		}
		if !isAbsolute(l.Value) || strings.Count(strings.TrimRight(l.Value, "/"), "/") == 2 && !strings.Contains(l.Value, "?") {
			c.report(atValue(l, 0), "sitemap-not-absolute"+map[bool]string{len(first) > 0: "/beside", l.Value[0]|0x20 == 'h' && lex.CharsOf(l.Value[:max(0, strings.Index(l.Value, "://"))]).HasAny(lex.Foreign): "/letter", isAbsolute(l.Value): "/home", slashCase(l.Value) == "/host" && !strings.ContainsAny(l.Value, ": "): "/host"}[true], quote(l.Value), quoteWhole("Sitemap: https://"+l.Value))
			continue
		}
		if before := first[l.Value]; before != nil {
			if c.inside[i].Last < before.Number { // no user-agent line is between the two
				c.report(atStart(l), "duplicate-sitemap", before.Number).Fix = deletion(l)
			}
			continue
		}
		first[l.Value] = l
		if asked++; c.google == nil || len(c.sites) > 1 || asked > 40 { // to save time, ask about at most 40 sitemaps
			continue
		}
		if d := c.google.Decide(l.Value); !d.Allowed && !matchesAll(d.Rule.Pattern) && (len(c.sections) > mostGroupsCompared || !slices.ContainsFunc(c.sections, func(s *sect) bool { return s.isNamed() && s.disallow && c.parsed.Allowed(s.Agents[0].Token, l.Value) })) {
			c.report(atValue(l, 0), "sitemap-disallowed"+map[bool]string{true: "/same"}[strings.TrimSuffix(d.Rule.Pattern, "$") == pathOf(l.Value)], d.Rule.Line, quote("Disallow: "+d.Rule.Pattern))
		}
	}
}

// checkCrawlDelay reports a crawl-delay that none of the crawlers of its group reads. It reports
// nothing if the owner can delete the whole group (see sameAsStar).
func checkCrawlDelay(c *checker, l *line) {
	s := c.sectionOf(l.Number)
	if len(s.Agents) > 0 && !s.readsDelay() && !slices.ContainsFunc(s.rules, closesAll) && !(s.disallow && c.sameAsStar(s)) { // checkNamedGroups reports a section that is the same as the one for "*"
		c.report(atStart(l), "crawl-delay-ignored", quote(s.Agents[0].Token))
	}
}

// checkDelays reports crawl-delays that are too long for Bing. If the file does not name bingbot, it obeys
// the group for msnbot.
func checkDelays(c *checker) {
	bing := crawlers.Known("bingbot")
	for _, r := range c.parsed.Group(map[bool]string{true: bing.Token, false: "msnbot"}[c.isNamed(bing.Token)]).Records() {
		l := c.lines[r.Line-1]
		if delay, _ := lex.Seconds(l.Value); delay > time.Duration(bing.MostDelay)*time.Second && l.Kind == robotstxt.CrawlDelayKind && !c.sectionOf(l.Number).closed {
			c.report(atValue(l, 0), "crawl-delay-huge", bing.MostDelay)
		}
	}
}

// checkLicense reports a License line without a complete URL (RSL 1.0).
func checkLicense(c *checker, l *line) {
	if section.RecordKey(l.Key) == "License" && !isAbsolute(l.Value) {
		c.report(atValue(l, 0), "license-not-absolute", quote(l.Value))
	}
}
