// Package colly shows that a crawler written for github.com/temoto/robotstxt works with
// package compat/temoto, which a replace line in go.mod puts in its place.
package colly

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"
)

// TestOfColly runs colly's own tests of robots.txt.
func TestOfColly(t *testing.T) {
	out, err := exec.Command("go", "test", "-v", "-count=1", "-run", "Robots", "github.com/gocolly/colly/v2").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{
		"TestRobotsWhenAllowed",
		"TestRobotsWhenDisallowed",
		"TestRobotsWhenDisallowedWithQueryParameter",
		"TestIgnoreRobotsWhenDisallowed",
		"TestConnectionErrorOnRobotsTxtResultsInError",
	} {
		if !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Errorf("%s did not run:\n%s", name, out)
		}
	}
}

// TestVisit tests crawls, some of which end differently with github.com/temoto/robotstxt
// v1.1.2.
func TestVisit(t *testing.T) {
	const header = "Mozilla/5.0 (compatible; FooBot/1.2; +https://example.com/bot)"
	for _, test := range []struct {
		name   string
		status int
		robots string
		agent  string
		want   error
	}{
		{"no file", 404, "", "FooBot", nil},
		{"server error", 500, "", "FooBot", colly.ErrRobotsTxtBlocked},
		{"too many requests", 429, "", "FooBot", colly.ErrRobotsTxtBlocked},
		{"crawl-delay that is not a number", 200, "User-agent: *\nCrawl-delay: soon\nDisallow: /x", "FooBot", nil},
		{"whole header", 200, "User-agent: FooBot\nDisallow: /", header, colly.ErrRobotsTxtBlocked},
		{"prefix of a token", 200, "User-agent: Foo\nDisallow: /", "FooBot", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pages atomic.Int32
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/robots.txt" {
					pages.Add(1)
					return
				}
				w.WriteHeader(test.status)
				w.Write([]byte(test.robots))
			}))
			defer site.Close()
			c := colly.NewCollector(colly.UserAgent(test.agent))
			c.IgnoreRobotsTxt = false
			if err := c.Visit(site.URL + "/page"); err != test.want {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if n := pages.Load(); (n > 0) != (test.want == nil) {
				t.Errorf("the page was requested %d times", n)
			}
		})
	}
}
