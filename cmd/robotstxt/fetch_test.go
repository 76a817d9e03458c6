package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFetch asks a server for robots.txt files, and for what is none.
func TestFetch(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("User-agent: *\nDisallow: /root\n"))
	})
	mux.HandleFunc("/folder/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("User-agent: *\nDisallow: /folder\n"))
	})
	mux.Handle("/moved", http.RedirectHandler("/robots.txt", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.HandleFunc("/busy", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, c := range []struct {
		path, want, wantErr string
	}{
		{"", "/root", ""},
		{"/", "/root", ""},
		{"/?a=b", "/root", ""},
		{"/robots.txt", "/root", ""},
		{"/moved", "/root", ""},
		{"/folder/robots.txt", "/folder", ""},
		{"/none", "", "the server answers 404 Not Found, so crawlers may fetch everything\n"},
		{"/busy", "", "the server answers 503 Service Unavailable, so crawlers may fetch nothing\n"},
		{"/loop", "", "more than five redirects\n"},
	} {
		stdout, stderr, status := runWith("", "show", server.URL+c.path)
		if !strings.Contains(stdout, c.want) || !strings.HasSuffix(stderr, c.wantErr) || (status == exitOK) != (c.wantErr == "") {
			t.Errorf("%q: status %d, output %q, standard error %q", c.path, status, stdout, stderr)
		}
	}
}
