// Package sitetest is the test that all examples pass.
package sitetest

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A Crawl asks for all pages of a site through a transport, redirects included, and
// returns what came of each: its status or, if it is disallowed, why.
type Crawl func(transport http.RoundTripper, siteURL string) (outcomes map[string]string)

// Check checks that a Crawl sends nothing that is disallowed, tries nothing twice
// that is disallowed, and says why. Base sends the requests; if it is nil,
// http.DefaultTransport does.
func Check(t *testing.T, base http.RoundTripper, crawl Crawl, retries bool) {
	s := site.Start()
	defer s.Close()
	counter := &counter{base: robotshttp.NewTransport(site.UserAgent, base), tries: make(map[string]int)}
	outcomes := crawl(counter, s.URL)

	const disallowed = `Disallowed: line 2 tells FooBot "Disallow: /private/".`
	want := map[string]string{"/": "200 OK", "/open": "200 OK", "/private/x": disallowed, "/moved": disallowed, "/busy": "503 Service Unavailable"}
	if retries {
		want["/busy"] = "200 OK"
	}
	for path, outcome := range want {
		if outcomes[path] != outcome {
			t.Errorf("%s: %q, want %q", path, outcomes[path], outcome)
		}
	}
	for _, r := range s.Requests() {
		if strings.HasPrefix(r.Path, "/private/") {
			t.Errorf("%s was asked for", r.Path)
		}
		if r.UserAgent != site.UserAgent {
			t.Errorf("%s was asked for by %q", r.Path, r.UserAgent)
		}
	}
	for _, path := range []string{"/private/x", "/private/moved", "/moved"} {
		if n := counter.tries[path]; n != 1 {
			t.Errorf("%s was tried %d times", path, n)
		}
	}
}

// A counter counts requests by path before they reach its base.
type counter struct {
	base  http.RoundTripper
	mu    sync.Mutex
	tries map[string]int
}

func (c *counter) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.tries[req.URL.Path]++
	c.mu.Unlock()
	return c.base.RoundTrip(req)
}
