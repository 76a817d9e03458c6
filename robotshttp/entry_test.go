package robotshttp

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// An entry has expired if either clock says so. The monotonic clock of a suspended computer stands
// still, and the wall clock can be set back.
func TestClocks(t *testing.T) {
	now := time.Now()
	p := policy{maxFresh: day}
	fresh := func() *entry {
		response := &fetch.Response{Status: 200, Time: now}
		return newEntry(state{URL: "https://example.com/robots.txt", Response: response}, parse(200, nil), p, now)
	}
	suspended, setBack := fresh(), fresh()
	suspended.madeWall = now.Round(0).Add(-2 * day)
	setBack.made = now.Add(-2 * day)
	setBack.expires, setBack.renew = setBack.expires.Add(-2*day), setBack.renew.Add(-2*day)
	for _, test := range []struct {
		name string
		e    *entry
		want bool
	}{{"neither", fresh(), true}, {"suspended", suspended, false}, {"set back", setBack, false}} {
		if test.e.isUsable(now, false) != test.want || test.e.isUsable(now, true) != test.want {
			t.Errorf("%s: the entry is usable: %t, want %t", test.name, !test.want, test.want)
		}
	}
	failed := afterFailure(suspended, &fetch.Response{Time: now}, io.EOF, p, now)
	var r Result
	failed.result(&r, now, Cached)
	if r.Outcome != Stale {
		t.Errorf("after a suspend and a failure: %s, want %s", r.Outcome, Stale)
	}
}

// An answers is an http.RoundTripper that answers each request with this body.
type answers string

func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(string(a)))
	return &http.Response{StatusCode: 200, Body: body, Request: req}, nil
}

// A nothing is a Store that stores nothing.
type nothing struct{}

func (nothing) Get(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

func (nothing) Set(context.Context, string, []byte, time.Duration) error { return nil }

// The text of a file stays in memory only if there is a Store, which may need it again. It
// is compressed.
func TestTextInMemory(t *testing.T) {
	text := "User-agent: *\n" + strings.Repeat("Disallow: /page\n", 1000)
	for _, store := range []Store{nil, nothing{}} {
		c := &Cache{Client: &http.Client{Transport: answers(text)}, Store: store}
		if _, err := c.Get(t.Context(), "https://example.com/"); err != nil {
			t.Fatal(err)
		}
		e := c.sites.entry("https://example.com/robots.txt")
		if e == nil || (len(e.packed) > 0) != (store != nil) || len(e.packed) > len(text)/10 {
			t.Errorf("store %v: entry %v, with %d bytes of compressed text", store, e, len(e.packed))
		}
	}
}
