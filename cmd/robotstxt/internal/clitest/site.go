package clitest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A Site is a server that records the path and the User-Agent header of each request.
type Site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

// NewSite starts a site. The handler serves /robots.txt. The names of the other paths tell
// what they serve.
func NewSite(t *testing.T, robots http.HandlerFunc) *Site {
	s := &Site{}
	mux := http.NewServeMux()
	mux.Handle("/robots.txt", robots)
	mux.Handle("/folder/robots.txt", Writes("User-agent: *\nDisallow: /folder\n"))
	mux.Handle("/moved", http.RedirectHandler("/folder/robots.txt", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.Handle("/busy", Status(http.StatusServiceUnavailable))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path+" "+r.UserAgent())
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// Writes returns a handler that answers with a body.
func Writes(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

// Status returns a handler that answers with a status.
func Status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// Challenge is a handler that answers as the bot wall of Cloudflare does.
func Challenge(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cf-Mitigated", "challenge")
	w.WriteHeader(http.StatusForbidden)
	io.WriteString(w, "<!DOCTYPE html><title>Just a moment...</title>")
}

// Refusal is the message about a server that refuses the tool with the status 403.
const Refusal = "the server refuses this tool (403 Forbidden), and crawlers may get another answer"

// WantRequests checks the requests since its last call.
func (s *Site) WantRequests(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	s.asked = nil
}

// RobotsTxt is a robots.txt file with two groups.
const RobotsTxt = "User-agent: *\nDisallow: /private\n\nUser-agent: FooBot\nAllow: /\n"
