package robotshttp

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"

	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// replaceFile returns an error if the folder does not exist.
func TestReplaceFileNowhere(t *testing.T) {
	if err := replaceFile(t.TempDir()+"/missing/file", nil, time.Time{}); err == nil {
		t.Error("no error for a file in a missing folder")
	}
}

// encode returns an error for a time that JSON cannot express.
func TestEncodeRefuses(t *testing.T) {
	r := state{URL: "https://example.com/robots.txt", Response: &fetch.Response{Status: 404, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}}
	if data, err := r.encode(); err == nil || data != nil {
		t.Errorf("encode returns %q, error %v, want an error", data, err)
	}
}

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

// decode returns an error for a value that no Cache has written, even if its checksum is
// right.
func TestDecodeRefuses(t *testing.T) {
	const url = "https://example.com/robots.txt"
	const answer = `{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Time":"2000-01-01T00:00:00Z"}}` + "\n"
	largest := strings.Repeat("#", robotstxt.SizeLimit+1)
	for name, test := range map[string]struct {
		rest string
		ok   bool
	}{
		"largest":   {answer + string(pack([]byte(largest))), true},
		"too large": {answer + string(pack([]byte(largest+"#"))), false},
		"no body":   {answer, true},
		"cut short": {answer + string(pack([]byte(largest))[:100]), false},
		"junk":      {answer + "junk", false},
		"no JSON":   {"{\n", false},
		"nothing":   {`{"URL":"https://example.com/robots.txt"}` + "\n", false},
		"another":   {`{"URL":"https://other.example/robots.txt","Answer":{"Status":200,"Time":"2000-01-01T00:00:00Z"}}` + "\n", false},
	} {
		data := fmt.Sprintf("%s %08x\n%s", storedVersion, crc32.Checksum([]byte(test.rest), castagnoli), test.rest)
		if _, _, err := decode([]byte(data), url); (err == nil) != test.ok {
			t.Errorf("%s: error %v, want none %t", name, err, test.ok)
		}
	}
}
