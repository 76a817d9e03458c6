package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An extension is a key that the protocol does not know.
type extension struct {
	name   string // usual spelling
	text   string // who reads it, a sentence
	dead   bool   // nobody does
	advice string // what to do instead, if it is dead
}

// extensions are the keys that are seen in files, by their letters. The sources
// are the documentation of the crawlers and, for what Google does not read, "A
// note on unsupported rules in robots.txt" (Google Search Central, July 2019).
var extensions = func() map[string]extension {
	m := map[string]extension{}
	for _, e := range []extension{
		{"Noindex", "No crawler reads noindex lines, Google since September 2019.", true, `Send "X-Robots-Tag: noindex" with the page, or put a robots meta tag into it.`},
		{"Nofollow", "No crawler reads nofollow lines.", true, `Put a robots meta tag into the page, or rel="nofollow" on the link.`},
		{"Noarchive", "No crawler reads noarchive lines.", true, `Send "X-Robots-Tag: noarchive" with the page.`},
		{"Nosnippet", "No crawler reads nosnippet lines.", true, `Send "X-Robots-Tag: nosnippet" with the page.`},
		{"Host", "No crawler reads host lines, Yandex since March 2018.", true, "Redirect the other hosts to the main one, and drop the line."},
		{"Visit-time", "No crawler is known to read visit-time lines.", true, "Drop the line, or answer with status 429 or 503 when the site is busy."},
		{"Robot-version", "No crawler reads robot-version lines.", true, "Drop the line."},
		{"DisallowAITraining", "No crawler is known to read this line of an expired draft.", true, `Write "Content-Usage: train-ai=n".`},
		{"AllowAITraining", "No crawler is known to read this line of an expired draft.", true, `Write "Content-Usage: train-ai=y".`},
		{"Request-rate", "Only SeznamBot reads request-rate lines.", false, ""},
		{"Clean-param", "Only Yandex reads clean-param lines.", false, ""},
		{"Content-Signal", "Content-Signal says what may be done with pages (contentsignals.org); it never keeps a crawler from fetching them.", false, ""},
		{"Content-Usage", "Content-Usage says what may be done with pages (an IETF draft); it never keeps a crawler from fetching them.", false, ""},
		{"License", "License names the terms of use for crawlers that follow Really Simple Licensing (RSL 1.0).", false, ""},
		{"Schemamap", "Only tools for NLWeb read schemamap lines.", false, ""},
	} {
		m[lex.Letters(e.name)] = e
	}
	return m
}()

func isExtension(l robotstxt.Line) bool {
	return l.Kind == robotstxt.OtherKind && extensions[lex.Letters(l.Key)].name != ""
}

// isRecord reports whether a line has one of the keys that the protocol does not
// know.
func isRecord(l robotstxt.Line, name string) bool {
	return l.Kind == robotstxt.OtherKind && lex.Letters(l.Key) == lex.Letters(name)
}

// checkDeadKey looks at a line with an extension's key. checkExtensions looks at
// those that somebody reads.
func checkDeadKey(c *checker, l robotstxt.Line) {
	if e := extensions[lex.Letters(l.Key)]; e.dead {
		c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "dead-key", Text: e.text, Advice: e.advice})
	}
}

// checkExtensions says, for each key that is no part of the protocol, who reads
// it.
func checkExtensions(c *checker) {
	seen := map[string]bool{}
	for _, l := range c.lines {
		if !isExtension(l) || seen[lex.Letters(l.Key)] {
			continue
		}
		seen[lex.Letters(l.Key)] = true
		if e := extensions[lex.Letters(l.Key)]; !e.dead {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "extension-key", Text: e.text,
				Advice: "Keep it, if it is meant for those."})
		}
	}
}

// checkSitemap looks at a sitemap's URL.
func checkSitemap(c *checker, l robotstxt.Line) {
	if l.Kind != robotstxt.SitemapKind || isAbsolute(l.Value) {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn, Code: "sitemap-not-absolute", Advice: `Write the whole URL, such as "https://www.example.org/sitemap.xml".`}
	switch {
	case l.Value == "":
		f.Text = "The line has no URL."
		f.Advice = "Write the sitemap's URL, or drop the line."
	case strings.ContainsAny(l.Value, " \t"):
		f.Text = quote(l.Value) + " is not one URL but read as one, so crawlers do not find it."
		f.Advice = `Write a sitemap line for each URL, and "%20" for a space.`
	default:
		f.Text = quote(l.Value) + " is no absolute URL, so most crawlers do not find the sitemap."
	}
	c.report(f)
}

// longestDelay is what Bing documents as the largest crawl-delay, in seconds.
const longestDelay = 30

// checkCrawlDelay looks at a crawl-delay's number.
func checkCrawlDelay(c *checker, l robotstxt.Line) {
	if l.Kind != robotstxt.CrawlDelayKind {
		return
	}
	f := Finding{Line: l.Number, Column: l.ValueColumn}
	delay, ok := lex.Seconds(l.Value)
	switch {
	case !ok:
		f.Code, f.Text = "crawl-delay-invalid", quote(l.Value)+" is no number of seconds, so nobody obeys it."
		if l.Value == "" {
			f.Text = "The line has no number of seconds."
		}
		f.Advice = `Write a number such as "10" or "0.5".`
		c.report(f)
	case delay.Seconds() > longestDelay:
		f.Code, f.Text = "crawl-delay-huge", fmt.Sprintf("Some crawlers ignore more than %d seconds, and one that obeys fetches %s.",
			longestDelay, pagesADay(delay))
		c.report(f)
	}
}

func pagesADay(delay time.Duration) string {
	switch n := 24 * time.Hour / delay; n {
	case 0:
		return "less than a page a day"
	case 1:
		return "no more than a page a day"
	default:
		return fmt.Sprintf("no more than %d pages a day", n)
	}
}

// checkCrawlDelays finds groups with crawl-delays that differ, unless they are of
// groups that were not meant to be one.
func checkCrawlDelays(c *checker, g *group) {
	if slices.ContainsFunc(g.sections, func(s *section) bool { return s.joined }) {
		return
	}
	delays := g.lines(robotstxt.CrawlDelayKind)
	for i, l := range delays {
		if i > 0 && l.Value != delays[0].Value {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "crawl-delay-repeated",
				Text: fmt.Sprintf("Line %d has the crawl-delay %s for the same crawlers: some take the first, some the last.", delays[0].Number, quote(delays[0].Value))})
		}
	}
}

// checkLicense looks at a license's URL (RSL 1.0).
func checkLicense(c *checker, l robotstxt.Line) {
	if isRecord(l, "License") && !isAbsolute(l.Value) {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "license-not-absolute",
			Text: quote(l.Value) + " is no absolute URL, so crawlers do not find the license."})
	}
}
