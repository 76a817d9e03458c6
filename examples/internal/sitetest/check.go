// Package sitetest tests the examples.
package sitetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// Check tests the function crawl. The function must not send a disallowed request, even if a
// redirect leads to it, and must not retry it. The outcome of such a request must name the rule
// that disallows it. If retries is true, the function must retry a request that gets status 503.
func Check(t *testing.T, crawl site.Crawl, retries bool) {
	s := site.Start()
	defer s.Close()
	counter := &counter{base: robotshttp.NewTransport(site.UserAgent, nil), tries: make(map[string]int)}
	outcomes := crawl(counter, s.URL)

	const disallowed = `Disallowed: line 2 tells FooBot "Disallow: /private/".`
	want := map[string]string{"/": "200 OK", "/open": "200 OK", "/private/x": disallowed, "/moved": disallowed, "/busy": "503 Service Unavailable"}
	if retries {
		want["/busy"] = "200 OK"
	}
	for path, outcome := range want {
		if outcomes[path] != outcome {
			t.Errorf("the outcome of %s is %q, want %q", path, outcomes[path], outcome)
		}
	}
	for _, r := range s.Requests() {
		if strings.HasPrefix(r.Path, "/private/") {
			t.Errorf("the disallowed path %s was requested", r.Path)
		}
		if r.UserAgent != site.UserAgent {
			t.Errorf("%s was requested with the User-Agent %q, want %q", r.Path, r.UserAgent, site.UserAgent)
		}
	}
	for _, path := range []string{"/private/x", "/private/moved", "/moved"} {
		if n := counter.tries[path]; n != 1 {
			t.Errorf("the transport got %d requests for %s, want 1", n, path)
		}
	}
}

// CheckDelay checks that the function crawl gets all pages of a site with the longest crawl-delay that
// the Transport obeys. No time passes.
func CheckDelay(t *testing.T, crawl site.Crawl) {
	synctest.Test(t, func(t *testing.T) {
		transport := robotshttp.NewTransport(site.UserAgent, patientSite{})
		outcomes := crawl(transport, "https://site.example")
		for _, path := range site.Paths {
			if outcomes[path] != "200 OK" {
				t.Errorf("the outcome of %s is %q, want 200 OK", path, outcomes[path])
			}
		}
	})
}

// A patientSite answers requests without a network. Its pages link to all paths.
type patientSite struct{}

func (patientSite) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "text/html")
	if req.URL.Path == "/robots.txt" {
		fmt.Fprint(w, "User-agent: *\nCrawl-delay: 30\n")
	}
	for _, path := range site.Paths {
		fmt.Fprintf(w, "<a href=%q>%[1]s</a>\n", path)
	}
	resp := w.Result()
	resp.Request = req
	return resp, nil
}

// A counter is a transport that counts requests by path and passes them to base.
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
