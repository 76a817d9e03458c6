package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShow(t *testing.T) {
	for _, c := range []struct{ about, stdin, want string }{
		{"groups, records, sitemaps", "Host: a\nUser-agent: FooBot\nDisallow: /a\nuser-agent: *\nCrawl-delay: 5\nAllow: /\x1b\nUser-agent: foobot\nDisallow: /b\nSitemap: s.xml\n",
			`User-agent: FooBot
      3  Disallow: /a
      8  Disallow: /b

User-agent: *
      5  Crawl-delay: 5
      6  Allow: /

Records of no group
      1  Host: a

Sitemaps
      9  s.xml
`},
		{"no group for all", "User-agent: FooBot\nUser-agent: Bar/1\nDisallow:\n",
			`User-agent: FooBot, Bar
         (no rules: everything is allowed)

All other crawlers
         (no group: everything is allowed)
`},
		{"nothing", "", "All other crawlers\n         (no group: everything is allowed)\n"},
		{"odd bytes", "User-agent: *\nDisallow: /\x1b[2J/\xff\n", "User-agent: *\n      2  \"Disallow: /\\x1b[2J/\\xff\"\n"},
	} {
		stdout, stderr, status := runWith(c.stdin, "show", "-")
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != exitOK {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.about, status, stderr, diff)
		}
	}
}

func TestShowJSON(t *testing.T) {
	for stdin, want := range map[string]string{
		"": `{"groups":[],"records":[],"sitemaps":[]}` + "\n",
		"Host: a\nUser-agent: *\nAllow: /b\nCrawl-delay: 0.5\nSitemap: s": `{"groups":[{"tokens":["*"],"rules":[{"line":3,"allow":true,"pattern":"/b"}],` +
			`"records":[{"line":4,"key":"Crawl-delay","value":"0.5"}],"crawlDelay":0.5}],` +
			`"records":[{"line":1,"key":"Host","value":"a"}],"sitemaps":[{"line":5,"url":"s"}]}` + "\n",
	} {
		stdout, stderr, status := runWith(stdin, "show", "-json", "-")
		if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != exitOK {
			t.Errorf("%q: status %d, standard error %q, output (-want +got):\n%s", stdin, status, stderr, diff)
		}
	}
}
