// Package site is a small site on this machine for the examples to crawl.
package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
)

// UserAgent is the User-Agent header of the examples.
const UserAgent = "FooBot/1.0 (+https://example.com/bot)"

// Paths has the path of each page. The first page links to all of them.
var Paths = []string{"/", "/open", "/private/x", "/moved", "/busy"}

const robots = `User-agent: FooBot
Disallow: /private/

User-agent: *
Disallow: /
`

// A Site is an HTTP server that records the requests it gets.
type Site struct {
	*httptest.Server

	mu   sync.Mutex
	seen []Request
}

// A Request is what the Site notes of a request.
type Request struct{ Path, UserAgent string }

// Start starts a Site. The caller closes it.
func Start() *Site {
	s := new(Site)
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP answers a request: /moved redirects to a page that is disallowed, and
// /busy fails the first time.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	first := s.note(r)
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, robots)
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/private/moved", http.StatusFound)
	case r.URL.Path == "/busy" && first:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/html")
		for _, path := range Paths {
			fmt.Fprintf(w, "<a href=%q>%[1]s</a>\n", path)
		}
	}
}

// note notes a request, and reports whether it is the first for its path.
func (s *Site) note(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := true
	for _, seen := range s.seen {
		first = first && seen.Path != r.URL.Path
	}
	s.seen = append(s.seen, Request{r.URL.Path, r.UserAgent()})
	return first
}

// Requests returns what the Site has been asked for.
func (s *Site) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}
