// Package site runs the small local site that the examples crawl.
package site

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// UserAgent is the User-Agent header of the examples.
const UserAgent = "FooBot/1.0 (+https://example.com/bot)"

// Paths lists the paths that the examples request. The first page links to all of them.
var Paths = []string{"/", "/open", "/private/x", "/moved", "/busy"}

const robots = `User-agent: FooBot
Disallow: /private/

User-agent: *
Disallow: /
`

// A Crawl requests the paths of a site through a transport, and follows redirects. It returns an
// outcome for each path: the status of the response, or the reason why there is no response.
type Crawl func(transport http.RoundTripper, siteURL string) (outcomes map[string]string)

// Run starts a Site, calls crawl with the Site's URL and the transport, and prints the outcomes.
func Run(crawl Crawl, transport http.RoundTripper) {
	s := Start()
	defer s.Close()
	outcomes := crawl(transport, s.URL)
	for _, path := range Paths {
		fmt.Println(path, outcomes[path])
	}
}

// VisitAll requests each page of a site with the function get, and returns the outcomes.
func VisitAll(siteURL string, get func(url string) (*http.Response, error)) map[string]string {
	outcomes := make(map[string]string)
	for _, path := range Paths {
		resp, err := get(siteURL + path)
		if err != nil {
			outcomes[path] = Reason(err)
			continue
		}
		resp.Body.Close()
		outcomes[path] = resp.Status
	}
	return outcomes
}

// Reason returns the reason why a request failed. If robots.txt disallows the request, this is
// a sentence that names the rule.
func Reason(err error) string {
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return refused.Decision.String()
	}
	return err.Error()
}

// A Site is an HTTP server that records the requests that it receives.
type Site struct {
	*httptest.Server

	mu   sync.Mutex
	seen []Request
}

// A Request is a request that a Site received.
type Request struct{ Path, UserAgent string }

// Start starts a Site. The caller must close it.
func Start() *Site {
	s := new(Site)
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP answers a request. The page /moved redirects to a disallowed page. The first
// request for /busy fails, and asks to come back after a second.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	first := s.note(r)
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, robots)
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/private/moved", http.StatusFound)
	case r.URL.Path == "/busy" && first:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/html")
		for _, path := range Paths {
			fmt.Fprintf(w, "<a href=%q>%[1]s</a>\n", path)
		}
	}
}

// note records a request, and reports whether it is the first request for its path.
func (s *Site) note(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !slices.ContainsFunc(s.seen, func(seen Request) bool { return seen.Path == r.URL.Path })
	s.seen = append(s.seen, Request{r.URL.Path, r.UserAgent()})
	return first
}

// Requests returns the requests that the Site received.
func (s *Site) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}
