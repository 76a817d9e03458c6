package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// newSite starts the site that the examples crawl.
func newSite() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: FooBot\nDisallow: /private/\nCrawl-delay: 2\n")
			return
		}
		fmt.Fprint(w, "Welcome!")
	}))
}

// This client sends only requests that the robots.txt of a site allows.
func Example() {
	site := newSite()
	defer site.Close()

	client := &http.Client{
		Transport: robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil),
	}

	for _, path := range []string{"/", "/private/"} {
		resp, err := client.Get(site.URL + path)
		if err != nil {
			fmt.Println(path, "not fetched")
			continue
		}
		resp.Body.Close()
		fmt.Println(path, resp.Status)
	}
	// Output:
	// / 200 OK
	// /private/ not fetched
}

// The error shows which line of the robots.txt disallows the request.
func ExampleDisallowedError() {
	site := newSite()
	defer site.Close()

	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", nil)}
	_, err := client.Get(site.URL + "/private/a.html")
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		fmt.Println(refused.Decision.Reason)
		fmt.Println(refused.Decision.Rule)
		fmt.Println("line", refused.Decision.Rule.Line)
	}
	// Output:
	// rule matched
	// Disallow: /private/
	// line 2
}

// A fetch is a fetcher that is not net/http, such as a browser: it gets a URL and returns what came.
// It must not follow redirects.
type fetch func(url, userAgent string) (status int, header http.Header, body string, err error)

// RoundTrip turns the results of the fetcher into a response. This makes it the Base of a Transport.
func (f fetch) RoundTrip(req *http.Request) (*http.Response, error) {
	status, header, body, err := f(req.URL.String(), req.UserAgent())
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

// This crawler fetches pages without net/http, and lets a Transport check its requests.
func ExampleTransport_otherFetcher() {
	browser := fetch(func(url, userAgent string) (status int, header http.Header, body string, err error) {
		if strings.HasSuffix(url, "/robots.txt") {
			return 200, nil, "User-agent: *\nDisallow: /private/\n", nil
		}
		return 200, nil, "Welcome, " + userAgent, nil
	})
	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", browser)}

	for _, path := range []string{"/", "/private/"} {
		resp, err := client.Get("https://example.com" + path)
		if err != nil {
			fmt.Println(err)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		fmt.Println(string(body), err)
	}
	// Output:
	// Welcome, FooBot/1.0 <nil>
	// Get "https://example.com/private/": robotshttp: https://example.com/private/: Disallowed: line 2, for crawlers without a group of their own, says "Disallow: /private/".
}

// A Cache requests only robots.txt files, and each only once.
func ExampleCache() {
	site := newSite()
	defer site.Close()

	cache := &robotshttp.Cache{UserAgent: "FooBot/1.0"}
	for range 2 {
		r, err := cache.Get(context.Background(), site.URL+"/private/")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Outcome, r.Status, r.File.Allowed(cache.UserAgent, "/private/"))
	}
	// Output:
	// fetched 200 false
	// cached 200 false
}

// This client obeys the crawl-delay of each site, but waits at least MinDelay and at most
// MaxDelay.
func ExampleTransport() {
	site := newSite()
	defer site.Close()

	transport := robotshttp.NewTransport("FooBot/1.0", nil)
	transport.Cache.MinDelay = time.Millisecond      // a real crawler should wait for at least a second
	transport.Cache.MaxDelay = 10 * time.Millisecond // less than the crawl-delay of two seconds, to make the example fast
	client := &http.Client{Transport: transport}

	for range 3 {
		resp, err := client.Get(site.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.Status)
	}
	// Output:
	// 200 OK
	// 200 OK
	// 200 OK
}

// A crawler that is restarted finds the files that it fetched before.
func ExampleDir() {
	site := newSite()
	defer site.Close()
	dir, err := os.MkdirTemp("", "robots")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	for range 2 {
		cache := &robotshttp.Cache{UserAgent: "FooBot/1.0", Store: robotshttp.Dir(dir)}
		r, err := cache.Get(context.Background(), site.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Outcome)
	}
	// Output:
	// fetched
	// cached
}

// FromResponse is for crawlers that fetch robots.txt files themselves.
func ExampleFromResponse() {
	site := newSite()
	defer site.Close()

	resp, err := http.Get(site.URL + "/robots.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	file, err := robotshttp.FromResponse(resp)
	if err != nil {
		fmt.Println(err) // after an error, file disallows everything
	}
	fmt.Println(file.Decide("FooBot", "/private/"))
	// Output:
	// Disallowed: line 2 tells FooBot "Disallow: /private/".
}

// This crawler knows a site that answers with status 500 because it has no robots.txt.
func ExampleCache_treatAs() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer site.Close()

	cache := &robotshttp.Cache{
		UserAgent: "FooBot/1.0",
		OverrideStatus: func(robotsURL string, resp *http.Response, err error) int {
			if robotsURL == site.URL+"/robots.txt" && err == nil && resp.StatusCode == 500 {
				return http.StatusNotFound
			}
			return 0
		},
	}
	r, err := cache.Get(context.Background(), site.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Outcome, r.Status)
	// Output:
	// unavailable 404
}
