package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An extension is a key that is not part of the protocol.
type extension struct {
	name   string // usual spelling
	text   string // who reads it, a sentence
	dead   bool   // no crawler does
	advice string // what to do instead
}

// extensions are the keys that are seen in files, by their letters. The sources
// are the documentation of the crawlers and, for what Google does not read, "A
// note on unsupported rules in robots.txt" (Google Search Central, July 2019).
var extensions = func() map[string]extension {
	m := map[string]extension{}
	for _, e := range []extension{
		{"Noindex", "No crawler reads Noindex lines any more; Google stopped in September 2019.", true, `Send "X-Robots-Tag: noindex" with the page, or put a robots meta tag into it.`},
		{"Nofollow", "No crawler reads Nofollow lines.", true, `Put a robots meta tag into the page, or rel="nofollow" on the link.`},
		{"Noarchive", "No crawler reads Noarchive lines.", true, `Send "X-Robots-Tag: noarchive" with the page.`},
		{"Nosnippet", "No crawler reads Nosnippet lines.", true, `Send "X-Robots-Tag: nosnippet" with the page.`},
		{"Host", "No crawler reads Host lines any more; Yandex stopped in March 2018.", true, "Redirect the other hosts to the main one, and drop the line."},
		{"Visit-time", "No crawler is known to read Visit-time lines.", true, "Drop the line, or answer with status 429 or 503 when the site is busy."},
		{"Robot-version", "No crawler reads Robot-version lines.", true, "Drop the line."},
		{"DisallowAITraining", "No crawler is known to read this line of an expired draft.", true, `Write "Content-Usage: train-ai=n", which a newer draft has.`},
		{"AllowAITraining", "No crawler is known to read this line of an expired draft.", true, `Write "Content-Usage: train-ai=y", which a newer draft has.`},
		{"Request-rate", "Only SeznamBot reads Request-rate lines.", false, ""},
		{"Clean-param", "Only Yandex reads Clean-param lines.", false, ""},
		{"Content-Signal", "Content-Signal says what may be done with pages (contentsignals.org); it never keeps a crawler from fetching them.", false, "Disallow pages that a crawler must not fetch."},
		{"Content-Usage", "Content-Usage says what may be done with pages (an IETF draft); it never keeps a crawler from fetching them.", false, "Disallow pages that a crawler must not fetch."},
		{"License", "License names the terms of use for crawlers that follow Really Simple Licensing (RSL 1.0).", false, ""},
		{"Schemamap", "Only tools for NLWeb read Schemamap lines.", false, ""},
	} {
		m[lex.Letters(e.name)] = e
	}
	return m
}()

func isExtension(l *line) bool {
	return l.Kind == robotstxt.OtherKind && extensions[lex.Letters(l.Key)].name != ""
}

// isRecord reports whether a line has one of the keys that the protocol does not
// know.
func isRecord(l *line, name string) bool {
	return l.Kind == robotstxt.OtherKind && lex.Letters(l.Key) == lex.Letters(name)
}

// checkDeadKey finds lines with a key that nobody reads any more. checkExtensions
// finds the other extensions.
func checkDeadKey(c *checker, l *line) {
	if e := extensions[lex.Letters(l.Key)]; e.dead {
		c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "dead-key", Text: e.text, Advice: e.advice})
	}
}

// checkExtensions says who reads the keys that are not part of the protocol, once
// for each key.
func checkExtensions(c *checker) {
	seen := map[string]bool{}
	for _, l := range c.lines {
		if !isExtension(l) || seen[lex.Letters(l.Key)] {
			continue
		}
		seen[lex.Letters(l.Key)] = true
		if e := extensions[lex.Letters(l.Key)]; !e.dead {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "extension-key", Text: e.text,
				Advice: cmp.Or(e.advice, "Leave it, if it is meant for them.")})
		}
	}
}

// checkSitemap looks at a sitemap's URL.
func checkSitemap(c *checker, l *line) {
	if isAbsolute(l.Value) {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn, Code: "sitemap-not-absolute", Advice: `Write the whole URL, such as "https://www.example.org/sitemap.xml".`}
	switch {
	case l.Value == "":
		f.Text = "The line has no URL."
		f.Advice = "Write the sitemap's URL, or drop the line."
	case strings.ContainsAny(l.Value, " \t"):
		f.Text = "Crawlers read " + quote(l.Value) + " as one URL, so they do not find it."
		f.Advice = `Write a sitemap line for each URL, and "%20" for a space.`
	default:
		f.Text = quote(l.Value) + " is not an absolute URL, so most crawlers do not find the sitemap."
	}
	c.report(f)
}

// longestDelay is what Bing documents as the largest crawl-delay, in seconds.
const longestDelay = 30

// checkCrawlDelay looks at a crawl-delay's number.
func checkCrawlDelay(c *checker, l *line) {
	f := Finding{Line: l.Number, Column: l.ValueColumn}
	delay, ok := lex.Seconds(l.Value)
	switch {
	case !ok:
		f.Code, f.Text = "crawl-delay-invalid", quote(l.Value)+" is not a number of seconds, so crawlers ignore it."
		if l.Value == "" {
			f.Text = "The line has no number of seconds."
		}
		f.Advice = `Write a number such as "10" or "0.5".`
		c.report(f)
	case delay.Seconds() > longestDelay:
		f.Code, f.Text = "crawl-delay-huge", fmt.Sprintf("Some crawlers ignore a delay of more than %d seconds. Others then fetch %s.",
			longestDelay, pagesADay(delay))
		c.report(f)
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

// checkCrawlDelays finds groups with different crawl-delays for the same crawlers.
func checkCrawlDelays(c *checker, g *group) {
	if g.splits(func(l *line) bool { return l.Kind == robotstxt.CrawlDelayKind }) {
		return
	}
	delays := g.records(robotstxt.CrawlDelayKind)
	for i, l := range delays {
		if i > 0 && l.Value != delays[0].Value {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "crawl-delay-repeated",
				Text: fmt.Sprintf("Line %d sets the crawl-delay %s for the same crawlers: some take the first, some the last.", delays[0].Number, quote(delays[0].Value))})
		}
	}
}

// checkLicense looks at a license's URL (RSL 1.0).
func checkLicense(c *checker, l *line) {
	if isRecord(l, "License") && !isAbsolute(l.Value) {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "license-not-absolute",
			Text: quote(l.Value) + " is not an absolute URL, so crawlers do not find the license."})
	}
}

// checkSitemaps finds sitemaps that are listed twice, and those that a search engine
// must not fetch.
func checkSitemaps(c *checker) {
	first := map[string]int{}
	var groups []*robotstxt.Group
	for _, l := range c.lines {
		if l.Kind != robotstxt.SitemapKind || l.Value == "" {
			continue
		}
		if n, ok := first[l.Value]; ok {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "duplicate-sitemap", Fix: deletion(l),
				Text: fmt.Sprintf("Line %d lists the same sitemap.", n)})
			continue
		}
		if len(first) == 0 {
			groups = c.sitemapReaders()
		}
		first[l.Value] = l.Number
		c.checkSitemapAccess(l, groups)
	}
}

// sitemapReaders returns the groups of the largest search engines and of "*", except
// those that close the whole site.
func (c *checker) sitemapReaders() (readers []*robotstxt.Group) {
	var tokens []string
	for _, agent := range []string{"*", "Googlebot", "Bingbot"} {
		g := c.file.Group(agent)
		d := g.Decide("/")
		if d.Allowed && !slices.Contains(tokens, d.Token) && c.rulesOf[lex.Fold(d.Token)].count <= mostRules {
			readers = append(readers, g)
		}
		tokens = append(tokens, d.Token)
	}
	return readers
}

// mostSitemaps is how many sitemaps are compared with the rules. More than a few are
// a list that a program writes.
const mostSitemaps = 50

func (c *checker) checkSitemapAccess(l *line, readers []*robotstxt.Group) {
	if c.sitemaps++; c.sitemaps > mostSitemaps {
		return
	}
	for _, g := range readers {
		if d := g.Decide(l.Value); !d.Allowed {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "sitemap-disallowed",
				Text: fmt.Sprintf("Line %d, %s, keeps crawlers from the sitemap, if it is on this site.", d.Rule.Line, quote("Disallow: "+d.Rule.Pattern))})
			return
		}
	}
}

// checkCleanParam looks at the form of a Clean-param line: parameters separated by
// "&", and perhaps a path prefix ("Clean-param directive", Yandex Webmaster).
func checkCleanParam(c *checker, l *line) {
	if !isRecord(l, "Clean-param") {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn, Code: "clean-param-form"}
	words := strings.Fields(l.Value)
	switch {
	case len(l.Value) > longestCleanParam:
		f.Text = fmt.Sprintf("The value has %s characters, and Yandex reads no more than %d.", count(len(l.Value)), longestCleanParam)
		f.Advice = "Write several Clean-param lines."
	case len(words) == 0:
		f.Text = "The line names no parameter."
	case strings.HasPrefix(words[0], "/"):
		f.Text = "The value starts with a path, but the parameters come first."
	case len(words) > 2, strings.ContainsAny(words[0], "?=,;"):
		f.Text = quote(l.Value) + " is not a list of parameters, separated by \"&\", with at most one path."
	default:
		return
	}
	c.report(f)
}

// longestCleanParam is the longest rule that Yandex documents for Clean-param.
const longestCleanParam = 500
