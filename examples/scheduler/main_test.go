package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A web answers for many sites, without a network. The name of a site says how it behaves.
type web struct {
	mu         sync.Mutex
	last       map[string]time.Time // when the last page of each site was requested
	quiet      map[string]time.Time // until when the site wants no requests
	pages      map[string]int       // number of requests for each page
	errors     []string
	goroutines int // the most at once
}

func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	kind, number, _ := strings.Cut(strings.TrimSuffix(req.URL.Host, ".example"), "-")
	if kind == "slow" {
		time.Sleep(5 * time.Second)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.goroutines = max(w.goroutines, runtime.NumGoroutine())
	now, path := time.Now(), req.URL.Path
	respond := func(status int, body string, header ...string) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
	}
	if path == "/robots.txt" {
		switch kind {
		case "down":
			return nil, fmt.Errorf("connection refused")
		case "fast":
			return respond(200, "User-agent: *\nDisallow: /private/\n")
		}
		return respond(200, "User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n")
	}
	if gap := now.Sub(w.last[req.URL.Host]); kind != "fast" && gap < 2*time.Second {
		w.errors = append(w.errors, fmt.Sprintf("%s only %v after the page before it", req.URL, gap))
	}
	if now.Before(w.quiet[req.URL.Host]) {
		w.errors = append(w.errors, fmt.Sprintf("%s while the site wants to be quiet", req.URL))
	}
	w.last[req.URL.Host] = now
	w.pages[req.URL.String()]++
	switch {
	case strings.HasPrefix(path, "/private/"):
		w.errors = append(w.errors, fmt.Sprintf("%s is disallowed", req.URL))
	case kind == "busy" && path == "/3" && w.pages[req.URL.String()] == 1:
		w.quiet[req.URL.Host] = now.Add(30 * time.Second)
		return respond(429, "", "Retry-After", "30")
	case kind == "moved" && path == "/3":
		return respond(301, "", "Location", "https://fast-"+number+".example/moved")
	case kind == "moved" && path == "/4":
		return respond(301, "", "Location", "/private/x")
	case kind == "broken" && path == "/3":
		return nil, fmt.Errorf("connection reset")
	}
	return respond(200, "")
}

// The crawler fetches all pages of all kinds of sites, obeys each robots.txt, and needs few goroutines
// and little more time than the slowest site.
func TestCrawler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sites, pages, workers = 60, 20, 8
		w := &web{last: make(map[string]time.Time), quiet: make(map[string]time.Time), pages: make(map[string]int)}
		transport := robotshttp.NewTransport("FooBot", w)
		transport.Cache.MaxFetches = 16
		transport.Cache.Logger = slog.New(slog.DiscardHandler)
		var mu sync.Mutex
		outcomes := make(map[string]string)
		c := newCrawler(transport, func(url, outcome string) {
			mu.Lock()
			defer mu.Unlock()
			if outcomes[url] != "" {
				t.Errorf("%s was reported twice", url)
			}
			outcomes[url] = outcome
		})
		for _, kind := range []string{"plain", "fast", "busy", "moved", "broken", "down", "slow"} {
			for i := range sites {
				for n := range pages {
					c.add(page{url: fmt.Sprintf("https://%s-%d.example/%d", kind, i, n)})
				}
				c.add(page{url: fmt.Sprintf("https://%s-%d.example/private/", kind, i)})
			}
		}
		c.add(page{url: "no URL"})
		start := time.Now()
		c.run(t.Context(), workers)
		for _, err := range w.errors {
			t.Error(err)
		}
		count := make(map[string]int)
		for url, outcome := range outcomes {
			switch {
			case strings.Contains(url, "//down-"):
				outcome = "down"
			case strings.HasPrefix(outcome, "Disallowed"):
				outcome = "Disallowed"
			case strings.Contains(outcome, "connection reset"):
				outcome = "reset"
			}
			count[outcome]++
		}
		want := map[string]int{
			"200 OK":     sites * (6*pages - 3 + 1), // all but /3 and /4 of moved and /3 of broken; and /moved
			"Disallowed": sites * (6 + 1),
			"reset":      sites,
			"down":       sites * (pages + 1),
		}
		for outcome, n := range want {
			if count[outcome] != n {
				t.Errorf("%d times %s, want %d", count[outcome], outcome, n)
			}
		}
		if len(outcomes) != sites*(7*(pages+1)-1+1)+1 {
			t.Errorf("%d pages reported; %v", len(outcomes), count)
		}
		// The robots.txt files of the 60 slow sites are fetched at once, with some goroutines for each.
		if d := time.Since(start); d > time.Hour || w.goroutines > 500 {
			t.Errorf("%d pages in %v with %d goroutines, want at most an hour and 500 goroutines", len(outcomes), d, w.goroutines)
		}
	})
}

// When the context ends, the crawler waits for its workers and starts no other page.
func TestCrawlerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{last: make(map[string]time.Time), quiet: make(map[string]time.Time), pages: make(map[string]int)}
		c := newCrawler(robotshttp.NewTransport("FooBot", w), func(string, string) {})
		for n := range 100 {
			c.add(page{url: fmt.Sprintf("https://slow-1.example/%d", n)})
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		c.run(ctx, 4)
		if took := time.Since(start); took < 20*time.Second || took > 25*time.Second || len(w.pages) != 3 {
			t.Errorf("stopped after %v and %d pages, want 3", took, len(w.pages))
		}
		time.Sleep(time.Minute)
	})
}

// Many sites are started as fast as their robots.txt files can be fetched, and the crawler comes to a site only
// when it is its turn.
func TestManySites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sites, pages = 1000, 5
		var sent, attempts atomic.Int64
		transport := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(100 * time.Millisecond)
			if req.URL.Path != "/robots.txt" {
				sent.Add(1)
			}
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("User-agent: *\nCrawl-delay: 2\n")), Request: req}, nil
		}))
		c := newCrawler(transport, func(string, string) {})
		c.client.Transport = roundTripper(func(req *http.Request) (*http.Response, error) {
			attempts.Add(1)
			return transport.RoundTrip(req)
		})
		for n := range sites * pages {
			c.add(page{url: fmt.Sprintf("https://%d.example/%d", n%sites, n/sites)})
		}
		start := time.Now()
		c.run(t.Context(), 200)
		// 1,000 files take 1.6 s if 64 are fetched at once, and 5 pages of a site 8.4 s.
		if took := time.Since(start); took > 12*time.Second || sent.Load() != sites*pages || attempts.Load() > sites*(pages+3) {
			t.Errorf("%d pages in %v, with %d attempts; want %d in at most 12s, with at most %d", sent.Load(), took, attempts.Load(), sites*pages, sites*(pages+3))
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
