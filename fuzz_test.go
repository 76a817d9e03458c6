package robotstxt

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// vocabulary is what compose writes files, agents and URLs with: pieces that mean
// something to the parser, so that a fuzzer's bytes become cases worth trying.
var vocabulary = []string{
	"User-agent: ", "useragent:", "User-Agent *", "Allow: /", "Allow:", "Disallow: /", "Disallow: ", "dissallow:/",
	"Sitemap: ", "Crawl-delay: 1", "Host: a", "\n", "\n", "\n", "\r", "\r\n", "\n\n",
	"a", "b", "A", "foo", "Foo", "-bar", "-", "/", "//", "/a", "/b/", "/a/b", "*", "**", "$", "?", ";", ":", "://", "#", ",", "(", ")", " ", "\t", "=", "&",
	"%", "%2", "%2A", "%2a", "%24", "%3A", "%3a", "%2F", "%2f", "%61", "%7e", "~", "%E3%83%84", "ツ", "%zz", "%%", "2A", "4", "index.html", "/index.htm", ".",
	"Mozilla/5.0 (compatible; ", "adsbot-google", "/robots.txt", "1.5", "\x00", "\x7f", "\xff", "\u200b", "\ufeff", "\u00a0", "K", "ſ", "é", "É", "[", "|", "\\", `"`, "<", "http://x", "\xfe\xff", "\xff\xfe",
}

// compose turns fuzzed bytes into text, a piece of the vocabulary each.
func compose(picks []byte) []byte {
	var text []byte
	for _, p := range picks {
		text = append(text, vocabulary[int(p)%len(vocabulary)]...)
	}
	return text
}

// checkDecision compares a decision with the slow one and returns it.
func checkDecision(t *testing.T, data []byte, agent, url string) Decision {
	t.Helper()
	f := Parse(data)
	d := f.Decide(agent, url)
	allowed, line := slowDecide(data, agent, url)
	if d.Allowed != allowed || d.Rule.Line != line {
		t.Errorf("robots.txt %q\nagent %q, URL %q: %v by line %d, want %v by line %d", data, agent, url, d.Allowed, d.Rule.Line, allowed, line)
	}
	if f.Allowed(agent, url) != d.Allowed {
		t.Errorf("robots.txt %q\nagent %q, URL %q: Allowed is not Decide().Allowed", data, agent, url)
	}
	return d
}

func FuzzDecide(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /x"), "FooBot", "https://example.com/x")
	f.Fuzz(func(t *testing.T, data []byte, agent, url string) {
		checkDecision(t, data, agent, url)
	})
}

func FuzzComposed(f *testing.F) {
	f.Add([]byte{0, 17, 11, 5, 18}, []byte{17}, []byte{18})
	f.Fuzz(func(t *testing.T, file, agent, url []byte) {
		checkDecision(t, compose(file), string(compose(agent)), string(compose(url)))
	})
}

func FuzzMatch(f *testing.F) {
	f.Add([]byte{24}, []byte{24})
	f.Fuzz(func(t *testing.T, p, u []byte) {
		checkDecision(t, append([]byte("User-agent: *\nDisallow: /"), compose(p)...), "*", "/"+string(compose(u)))
	})
}

var _ = bytes.Cut
var _ = strings.Cut
var _ = time.Now
