package migrating

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	compat "github.com/robotstxt-go/robotstxt/compat/temoto"
	"github.com/temoto/robotstxt"
)

// differences tests the rows of the table in the documentation of package compat/temoto.
// The input is the first line of the row's first column.
var differences = []struct {
	input       string
	status      int
	robots      string
	agent, path string
	old, new    string
}{
	{"a crawl-delay of \"soon\", or a", 200, "User-agent: *\nCrawl-delay: soon\nDisallow: /x", "FooBot", "/x", "error", "disallowed"},
	{"a crawl-delay of \"soon\", or a", 200, "Disallow: /\nUser-agent: *\nDisallow: /x", "FooBot", "/x", "error", "disallowed"},
	{"status 5xx, FindGroup().Test", 500, "", "FooBot", "/x", "disallowed, but allowed by the group", "disallowed"},
	{"status 5xx, FindGroup().Test", 503, "", "FooBot", "/x", "disallowed, but allowed by the group", "disallowed"},
	{"status 429", 429, "", "FooBot", "/x", "allowed", "disallowed"},
	{"status 3xx", 301, "", "FooBot", "/x", "error", "allowed"},
	{"status below 200, above 599", 100, "", "FooBot", "/x", "error", "disallowed"},
	{"status below 200, above 599", 600, "", "FooBot", "/x", "error", "disallowed"},
	{"agent Barista, group Bar", 200, "User-agent: Bar\nDisallow: /x", "Barista", "/x", "disallowed", "allowed"},
	{"a whole User-Agent header", 200, "User-agent: FooBot\nDisallow: /x", "Mozilla/5.0 (compatible; FooBot/1.2)", "/x", "allowed", "disallowed"},
	{"User-agent: FooBot/2.0", 200, "User-agent: FooBot/2.0\nDisallow: /x", "FooBot", "/x", "allowed", "disallowed"},
	{"User-agent: a, b", 200, "User-agent: a, b\nDisallow: /x", "a", "/x", "allowed", "disallowed"},
	{"User-agent: a, b", 200, "User-agent: a, b\nDisallow: /x", "b", "/x", "allowed", "disallowed"},
	{"agent AdsBot-Google, group \"*\"", 200, "User-agent: *\nDisallow: /x", "AdsBot-Google", "/x", "disallowed", "allowed"},
	{"Crawl-delay between two", 200, "User-agent: FooBot\nCrawl-delay: 1\nUser-agent: BarBot\nDisallow: /x", "FooBot", "/x", "allowed", "disallowed"},
	{"Dissallow: /a", 200, "User-agent: *\nDissallow: /a", "FooBot", "/a", "allowed", "disallowed"},
	{"Disallow: /a, then Allow: /a", 200, "User-agent: *\nDisallow: /a\nAllow: /a", "FooBot", "/a", "disallowed", "allowed"},
	{"Disallow: /a*b$, path /zz/ab", 200, "User-agent: *\nDisallow: /a*b$", "FooBot", "/zz/ab", "disallowed", "allowed"},
	{"Disallow: /$a, path /$a", 200, "User-agent: *\nDisallow: /$a", "FooBot", "/$a", "allowed", "disallowed"},
	{"Disallow: /~a, path /%7Ea", 200, "User-agent: *\nDisallow: /~a", "FooBot", "/%7Ea", "allowed", "disallowed"},
	{"Disallow: /a, URL http://x/a", 200, "User-agent: *\nDisallow: /a", "FooBot", "https://example.com/a", "allowed", "disallowed"},
	{"Allow: /a/index.html, path /a/", 200, "User-agent: *\nAllow: /a/index.html\nDisallow: /", "FooBot", "/a/", "disallowed", "allowed"},
	{"path /robots.txt", 200, "User-agent: *\nDisallow: /", "FooBot", "/robots.txt", "disallowed", "allowed"},
	{"a rule after 500 KiB", 200, "User-agent: *\n" + strings.Repeat("#", 500<<10) + "\nDisallow: /x", "FooBot", "/x", "disallowed", "allowed"},
}

func oldVerdict(status int, text, agent, path string) string {
	r, err := robotstxt.FromStatusAndString(status, text)
	if err != nil {
		return "error"
	}
	return verdict(r.TestAgent(path, agent), r.FindGroup(agent).Test(path))
}

func newVerdict(status int, text, agent, path string) string {
	r, err := compat.FromStatusAndString(status, text)
	if err != nil {
		return "error"
	}
	return verdict(r.TestAgent(path, agent), r.FindGroup(agent).Test(path))
}

func verdict(file, group bool) string {
	words := map[bool]string{true: "allowed", false: "disallowed"}
	if file != group {
		return fmt.Sprintf("%s, but %s by the group", words[file], words[group])
	}
	return words[file]
}

func TestDifferences(t *testing.T) {
	for _, d := range differences {
		t.Run(d.input, func(t *testing.T) {
			if got := oldVerdict(d.status, d.robots, d.agent, d.path); got != d.old {
				t.Errorf("v1.1.2: got %s, want %s", got, d.old)
			}
			if got := newVerdict(d.status, d.robots, d.agent, d.path); got != d.new {
				t.Errorf("compat/temoto: got %s, want %s", got, d.new)
			}
		})
	}
}

// TestDifferencesAreDocumented checks that the table in the documentation and the tests
// have the same rows.
func TestDifferencesAreDocumented(t *testing.T) {
	source, err := os.ReadFile("../temoto/robotstxt.go")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{"Group.Agent": true, "WhitespaceChars": true} // Example_temotoBefore shows Group.Agent; a test with WhitespaceChars would not compile
	for _, d := range differences {
		tested[d.input] = true
	}
	rows := regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}\S.*? {2,}\S`).FindAllStringSubmatch(string(source), -1)
	if len(rows) == 0 {
		t.Fatal("the documentation of compat/temoto has no table")
	}
	for _, row := range rows[1:] {
		if !tested[row[1]] {
			t.Errorf("there is no test for the row %q", row[1])
		}
		delete(tested, row[1])
	}
	for input := range tested {
		t.Errorf("the table has no row %q", input)
	}
}
