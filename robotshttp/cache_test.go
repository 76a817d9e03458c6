package robotshttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

const (
	page     = "https://example.com/page"
	location = "https://example.com/robots.txt"
	file     = "User-agent: *\nDisallow: /page\n"
)

// A server is an http.RoundTripper that answers requests itself, without a network.
type server struct {
	requests atomic.Int64
	mu       sync.Mutex
	last     *http.Request
	answer   func(*http.Request) (*http.Response, error)
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.requests.Add(1)
	s.mu.Lock()
	s.last = req
	s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return s.answer(req)
}

func (s *server) cache() *robotshttp.Cache {
	return &robotshttp.Cache{UserAgent: "FooBot/1.0", Client: &http.Client{Transport: s}}
}

// responds returns a function that answers with the status, the body, and the header, which
// is given as pairs of keys and values.
func responds(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		h := make(http.Header)
		for i := 0; i < len(header); i += 2 {
			h.Add(header[i], header[i+1])
		}
		return &http.Response{
			StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: req,
		}, nil
	}
}

var errDown = errors.New("down")

func down(*http.Request) (*http.Response, error) { return nil, errDown }

func get(t *testing.T, c *robotshttp.Cache, url string) robotshttp.Result {
	t.Helper()
	r, err := c.Get(t.Context(), url)
	if err != nil {
		t.Fatalf("Get(%q): error %v", url, err)
	}
	if r.File == nil {
		t.Fatalf("Get(%q): no File", url)
	}
	return r
}

// wantOutcome gets the robots.txt for the URL page, and checks its Outcome and whether it
// allows page.
func wantOutcome(t *testing.T, c *robotshttp.Cache, want robotshttp.Outcome, allowed bool) robotshttp.Result {
	t.Helper()
	r := get(t, c, page)
	if r.Outcome != want {
		t.Errorf("outcome %q, want %q; error %v", r.Outcome, want, r.Err)
	}
	if d := r.File.Decide(c.UserAgent, page); d.Allowed != allowed {
		t.Errorf("%q: allowed %t, want %t: %s", r.Outcome, d.Allowed, allowed, d)
	}
	return r
}

func TestStatus(t *testing.T) {
	for _, test := range []struct {
		status  int
		outcome robotshttp.Outcome
		allowed bool
	}{
		{200, robotshttp.Fetched, false},
		{203, robotshttp.Fetched, false},
		{204, robotshttp.Fetched, true},      // without a body
		{206, robotshttp.Unreachable, false}, // only a part of the file
		{299, robotshttp.Fetched, false},
		{300, robotshttp.Unavailable, true}, // not a redirect to follow
		{301, robotshttp.Unavailable, true}, // without a Location
		{304, robotshttp.Unavailable, true}, // although the request was not conditional
		{400, robotshttp.Unavailable, true},
		{401, robotshttp.Unavailable, true},
		{403, robotshttp.Unavailable, true},
		{404, robotshttp.Unavailable, true},
		{410, robotshttp.Unavailable, true},
		{451, robotshttp.Unavailable, true},
		{429, robotshttp.Unreachable, false},
		{500, robotshttp.Unreachable, false},
		{503, robotshttp.Unreachable, false},
		{599, robotshttp.Unreachable, false},
		{600, robotshttp.Unreachable, false},
		{999, robotshttp.Unreachable, false},
		{102, robotshttp.Unreachable, false},
	} {
		t.Run(strconv.Itoa(test.status), func(t *testing.T) {
			body := file
			if test.status == 204 {
				body = ""
			}
			c := (&server{answer: responds(test.status, body)}).cache()
			r := wantOutcome(t, c, test.outcome, test.allowed)
			if r.Status != test.status || r.URL != location {
				t.Errorf("status %d of %s, want %d of %s", r.Status, r.URL, test.status, location)
			}
			if unreachable := test.outcome == robotshttp.Unreachable; unreachable != (r.Err != nil) {
				t.Errorf("outcome %q with error %v", test.outcome, r.Err)
			}
		})
	}
}

func TestGetErrors(t *testing.T) {
	c := (&server{answer: responds(200, file)}).cache()
	if _, err := c.Get(t.Context(), "/page"); err == nil {
		t.Error("no error for a URL without a Location")
	}
	if g, err := c.Group(t.Context(), "/page"); err == nil || g != nil {
		t.Errorf("the group for a URL without a Location: %v, error %v", g, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, page); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after a cancellation: error %v", err)
	}
	if d, err := c.Decide(ctx, page); err == nil || d.Allowed {
		t.Errorf("Allowed after a cancellation: %v, error %v", d, err)
	}
	if g, err := c.Group(ctx, page); err == nil || g != nil {
		t.Errorf("Group after a cancellation: %v, error %v", g, err)
	}
	get(t, c, page)
	if _, err := c.Get(ctx, page); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after a cancellation, with the file in memory: error %v", err)
	}
}

func TestIdentity(t *testing.T) {
	s := &server{answer: responds(200, "User-agent: foobot\nAllow: /\n\nUser-agent: *\nDisallow: /\n")}
	c := s.cache()
	d, err := c.Decide(t.Context(), page)
	if err != nil || !d.Allowed || d.Token != "foobot" {
		t.Errorf("%+v, error %v, want allowed for the token foobot", d, err)
	}
	if got := s.last.Header.Get("User-Agent"); got != c.UserAgent {
		t.Errorf("User-Agent %q, want %q", got, c.UserAgent)
	}
	c = &robotshttp.Cache{Client: c.Client}
	if d, err := c.Decide(t.Context(), page); err != nil || d.Allowed {
		t.Errorf("without a User-Agent: decision %+v, want disallowed; error %v", d, err)
	}
}

// A Cache must not change the Client that the caller sets.
func TestClientIsCopied(t *testing.T) {
	client := &http.Client{Transport: &server{answer: responds(200, file)}}
	before := *client
	get(t, &robotshttp.Cache{Client: client}, page)
	if client.CheckRedirect != nil || client.Transport != before.Transport {
		t.Error("the Cache changed its Client")
	}
}

func TestFreshness(t *testing.T) {
	const minimum, maximum = 5 * time.Minute, 24 * time.Hour
	for _, test := range []struct {
		name   string
		header []string
		want   time.Duration
	}{
		{"no header", nil, maximum},
		{"max-age", []string{"Cache-Control", "public, max-age=3600"}, time.Hour},
		{"in capitals", []string{"Cache-Control", "Max-Age=3600"}, time.Hour},
		{"quoted", []string{"Cache-Control", `max-age="3600"`}, time.Hour},
		{"two max-ages, the shorter first", []string{"Cache-Control", "max-age=3600, max-age=7200"}, time.Hour},
		{"two max-ages", []string{"Cache-Control", "max-age=7200", "Cache-Control", "max-age=3600"}, time.Hour},
		{"too short", []string{"Cache-Control", "max-age=1"}, minimum},
		{"too long", []string{"Cache-Control", "max-age=31536000"}, maximum},
		{"overflow", []string{"Cache-Control", "max-age=99999999999999999999"}, maximum},
		{"negative", []string{"Cache-Control", "max-age=-1"}, minimum},
		{"junk", []string{"Cache-Control", "max-age=soon"}, minimum},
		{"empty", []string{"Cache-Control", ""}, maximum},
		{"unknown directive", []string{"Cache-Control", "s-maxage=60, immutable"}, maximum},
		{"no-cache", []string{"Cache-Control", "no-cache, max-age=3600"}, minimum},
		{"no-cache for a field", []string{"Cache-Control", `no-cache="Set-Cookie", max-age=3600`}, minimum},
		{"no-store", []string{"Cache-Control", "no-store"}, minimum},
		{"Age", []string{"Cache-Control", "max-age=7200", "Age", "3600"}, time.Hour},
		{"Age beyond max-age", []string{"Cache-Control", "max-age=7200", "Age", "9000"}, minimum},
		{"Age alone", []string{"Age", "9000"}, maximum},
		{"bad Age", []string{"Cache-Control", "max-age=7200", "Age", "old"}, 2 * time.Hour},
		{"Expires", []string{"Expires", "Sat, 01 Jan 2000 02:00:00 GMT"}, 2 * time.Hour},
		{"Expires and Date from a fast clock", []string{"Expires", "Sat, 01 Jan 2011 02:00:00 GMT", "Date", "Sat, 01 Jan 2011 00:00:00 GMT"}, 2 * time.Hour},
		{"expired", []string{"Expires", "Fri, 01 Jan 1999 00:00:00 GMT"}, minimum},
		{"expired for ages", []string{"Expires", "Mon, 01 Jan 0001 00:00:00 GMT", "Age", "9000000000"}, minimum},
		{"Expires: 0", []string{"Expires", "0"}, minimum},
		{"max-age over Expires", []string{"Expires", "0", "Cache-Control", "max-age=3600"}, time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file, test.header...)}
				c := s.cache()
				wantOutcome(t, c, robotshttp.Fetched, false)
				time.Sleep(test.want*9/10 - 1) // jitter and early renewal take at most a twentieth each
				wantOutcome(t, c, robotshttp.Cached, false)
				time.Sleep(test.want/10 + 1)
				wantOutcome(t, c, robotshttp.Fetched, false)
				if n := s.requests.Load(); n != 2 {
					t.Errorf("%d requests, want 2", n)
				}
			})
		})
	}
}

func TestFreshnessBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: responds(200, file, "Cache-Control", "max-age=864000")}).cache()
		c.MinFresh, c.MaxFresh = time.Hour, 48*time.Hour
		r := get(t, c, page)
		if d := r.Expires.Sub(r.Since); d <= 43*time.Hour || d > 48*time.Hour {
			t.Errorf("fresh for %v, want between 43 and 48 hours", d)
		}
	})
}

// Processes that fetch a file at the same time must not fetch it again at the same time.
func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, answer := range []func(*http.Request) (*http.Response, error){responds(200, file), down} {
			expires := make(map[time.Time]bool)
			for range 10 {
				expires[get(t, (&server{answer: answer}).cache(), page).Expires] = true
			}
			if len(expires) < 5 {
				t.Errorf("10 answers expire at %d different times, want at least 5", len(expires))
			}
		}
	})
}

// Unavailable answers are cached like files.
func TestUnavailableIsCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(404, "")}
		c := s.cache()
		first := wantOutcome(t, c, robotshttp.Unavailable, true)
		time.Sleep(20 * time.Hour)
		if again := wantOutcome(t, c, robotshttp.Unavailable, true); !again.Since.Equal(first.Since) {
			t.Errorf("Since is %v, and then %v", first.Since, again.Since)
		}
		s.answer = responds(200, file)
		time.Sleep(4 * time.Hour)
		wantOutcome(t, c, robotshttp.Fetched, false)
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

func TestRevalidation(t *testing.T) {
	for _, test := range []struct{ header, value, conditional string }{
		{"Etag", `W/"1"`, "If-None-Match"},
		{"Last-Modified", "Fri, 31 Dec 1999 00:00:00 GMT", "If-Modified-Since"},
	} {
		t.Run(test.header, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file, test.header, test.value, "Cache-Control", "max-age=3600", "Age", "60")}
				c := s.cache()
				wantOutcome(t, c, robotshttp.Fetched, false)
				if s.last.Header.Get(test.conditional) != "" {
					t.Error("the first request is conditional")
				}
				s.answer = responds(304, "")
				for range 2 { // the 304 does not repeat the ETag, but the Cache still knows it
					time.Sleep(time.Hour)
					r := wantOutcome(t, c, robotshttp.Fetched, false)
					if got := s.last.Header.Get(test.conditional); got != test.value {
						t.Errorf("%s: %q, want %q", test.conditional, got, test.value)
					}
					if age := time.Since(r.Since); age != 0 || r.Status != 200 {
						t.Errorf("status %d, want 200; from %v ago, want 0", r.Status, age)
					}
				}
				s.answer = responds(404, "", test.header, test.value)
				time.Sleep(time.Hour)
				wantOutcome(t, c, robotshttp.Unavailable, true)
				s.answer = responds(200, "")
				time.Sleep(24 * time.Hour)
				wantOutcome(t, c, robotshttp.Fetched, true)
				if s.last.Header.Get(test.conditional) != "" {
					t.Error("the request after a 404 is conditional")
				}
				want := robotshttp.Stats{Fetches: 5, Files: 2, NotModified: 2, Unavailable: 1}
				got := c.Stats()
				got.Bytes, got.Entries = 0, 0
				if got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		})
	}
}

// Stats counts each Result by its source, and each fetch by its outcome.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string]func(*http.Request) (*http.Response, error){
			"file.example": responds(200, file), "none.example": responds(404, ""), "busy.example": responds(503, ""), "down.example": down,
		}
		s := &server{answer: func(req *http.Request) (*http.Response, error) { return answers[req.URL.Host](req) }}
		store := newFleetStore()
		first, second := withStore(s, store), withStore(s, store)
		for host := range answers {
			for range 2 {
				get(t, first, "https://"+host+"/")
			}
			get(t, second, "https://"+host+"/")
		}
		for _, test := range []struct {
			name string
			c    *robotshttp.Cache
			want robotshttp.Stats
		}{
			{"the first cache", first, robotshttp.Stats{Hits: 4, Fetches: 4, Files: 1, Unavailable: 1, Failures: 2, Entries: 4}},
			{"the second cache", second, robotshttp.Stats{StoreHits: 4, Entries: 4}},
		} {
			got := test.c.Stats()
			got.Bytes = 0
			if got != test.want {
				t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
			}
		}
	})
}

// An ETag is sent only to the URL that it came from: not to a URL that redirects there, and
// not to a new target of the redirect.
func TestRevalidationAfterRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		targets := []string{"https://www.example.com/robots.txt", "https://other.example/robots.txt"}
		var conditional []string
		s := &server{}
		s.answer = func(req *http.Request) (*http.Response, error) {
			if tag := req.Header.Get("If-None-Match"); tag != "" {
				conditional = append(conditional, req.URL.Host)
			}
			if req.URL.Host == "example.com" {
				return responds(301, "", "Location", targets[0], "Etag", `"r"`)(req)
			}
			if req.Header.Get("If-None-Match") != "" {
				return responds(304, "")(req)
			}
			return responds(200, file, "Etag", `"1"`)(req)
		}
		c := s.cache()
		wantOutcome(t, c, robotshttp.Fetched, false)
		time.Sleep(24 * time.Hour)
		wantOutcome(t, c, robotshttp.Fetched, false)
		targets = targets[1:]
		time.Sleep(24 * time.Hour)
		r := wantOutcome(t, c, robotshttp.Fetched, false)
		if r.FinalURL != targets[0] || r.URL != location {
			t.Errorf("%s came from %s, want from %s", r.URL, r.FinalURL, targets[0])
		}
		if got := fmt.Sprint(conditional); got != "[www.example.com]" {
			t.Errorf("conditional requests to %s, want only one to www.example.com", got)
		}
	})
}

func TestBackoff(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		want   []time.Duration
	}{
		{"no answer", down, []time.Duration{
			time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute,
			16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour,
		}},
		{"503", responds(503, ""), []time.Duration{time.Minute, 2 * time.Minute}},
		{"seconds", responds(429, "", "Retry-After", "600"), []time.Duration{10 * time.Minute, 10 * time.Minute}},
		{"date", responds(503, "", "Retry-After", "Sat, 01 Jan 2000 00:10:00 GMT"), []time.Duration{10 * time.Minute, time.Minute}},
		{"date from a fast clock", responds(503, "", "Date", "Wed, 01 Jan 2020 00:00:00 GMT",
			"Retry-After", "Wed, 01 Jan 2020 00:10:00 GMT"), []time.Duration{10 * time.Minute, 10 * time.Minute}},
		{"too soon", responds(503, "", "Retry-After", "0"), []time.Duration{time.Minute, time.Minute}},
		{"too late", responds(503, "", "Retry-After", "99999999999999999999"), []time.Duration{24 * time.Hour}},
		{"junk", responds(503, "", "Retry-After", "soon"), []time.Duration{time.Minute, 2 * time.Minute}},
		{"negative", responds(503, "", "Retry-After", "-5"), []time.Duration{time.Minute}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: test.answer}
				c := s.cache()
				start := time.Now()
				wantOutcome(t, c, robotshttp.Unreachable, false)
				for i, wait := range test.want {
					time.Sleep(wait - 1)
					wantOutcome(t, c, robotshttp.Unreachable, false)
					if n := s.requests.Load(); n != int64(i+1) {
						t.Fatalf("%d requests before the wait of %v was over, want %d", n, wait, i+1)
					}
					time.Sleep(wait/10 + 1) // the jitter is up to a tenth
					r := wantOutcome(t, c, robotshttp.Unreachable, false)
					if n := s.requests.Load(); n != int64(i+2) {
						t.Fatalf("%d requests after the wait of %v, want %d", n, wait, i+2)
					}
					if !r.Since.Equal(start) {
						t.Errorf("Since is %v, want %v", r.Since, start)
					}
				}
				s.answer = responds(200, file)
				time.Sleep(27 * time.Hour)
				wantOutcome(t, c, robotshttp.Fetched, false)
			})
		})
	}
}

func TestUnreachable(t *testing.T) {
	const month = 30 * 24 * time.Hour
	for _, test := range []struct {
		name                 string
		before               func(*http.Request) (*http.Response, error)
		first, day29, day31  robotshttp.Outcome
		allowed29, allowed31 bool
	}{
		{"with a file", responds(200, file),
			robotshttp.Fetched, robotshttp.Stale, robotshttp.Stale, false, false},
		{"with a file that allows", responds(200, ""),
			robotshttp.Fetched, robotshttp.Stale, robotshttp.Stale, true, true},
		{"without a file", responds(404, ""),
			robotshttp.Unavailable, robotshttp.Unreachable, robotshttp.Unavailable, false, true},
		{"from the start", down,
			robotshttp.Unreachable, robotshttp.Unreachable, robotshttp.Unavailable, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: test.before}
				c := s.cache()
				if r := get(t, c, page); r.Outcome != test.first {
					t.Fatalf("first %q, want %q", r.Outcome, test.first)
				}
				s.answer = down
				if test.first != robotshttp.Unreachable {
					time.Sleep(24 * time.Hour)
				}
				start := time.Now()
				get(t, c, page)
				time.Sleep(month - 1)
				r := wantOutcome(t, c, test.day29, test.allowed29)
				if !errors.Is(r.Err, errDown) || time.Since(r.Since) != time.Since(start) {
					t.Errorf("failing since %v, want %v; error %v", r.Since, start, r.Err)
				}
				time.Sleep(2 * time.Hour)
				r = wantOutcome(t, c, test.day31, test.allowed31)
				if !errors.Is(r.Err, errDown) {
					t.Errorf("error %v", r.Err)
				}
				s.answer = responds(200, file)
				time.Sleep(2 * time.Hour)
				wantOutcome(t, c, robotshttp.Fetched, false)
				s.answer = down
				time.Sleep(24 * time.Hour)
				r = wantOutcome(t, c, robotshttp.Stale, false)
				if !r.Since.Equal(time.Now()) {
					t.Errorf("Since is %v, want now", r.Since)
				}
			})
		})
	}
}

// OverrideStatus changes what a response or an error means.
func TestOverrideStatus(t *testing.T) {
	var cut = func(req *http.Request) (*http.Response, error) {
		body := io.MultiReader(strings.NewReader(file), iotest.ErrReader(errDown))
		return &http.Response{StatusCode: 200, Body: io.NopCloser(body)}, nil
	}
	for _, test := range []struct {
		name    string
		answer  func(*http.Request) (*http.Response, error)
		treatAs int
		outcome robotshttp.Outcome
		status  int
		allowed bool
	}{
		{"500 as 404", responds(500, file), 404, robotshttp.Unavailable, 404, true},
		{"403 as 503", responds(403, file), 503, robotshttp.Unreachable, 503, false},
		{"500 as 200", responds(500, file), 200, robotshttp.Fetched, 200, false},
		{"500 as it is", responds(500, file), 0, robotshttp.Unreachable, 500, false},
		{"200 as it is", responds(200, file), 0, robotshttp.Fetched, 200, false},
		{"error as 404", down, 404, robotshttp.Unavailable, 404, true},
		{"error as it is", down, 0, robotshttp.Unreachable, 0, false},
		{"error as 503", down, 503, robotshttp.Unreachable, 0, false},
		{"error as 200", down, 200, robotshttp.Unreachable, 0, false}, // there is no file
		{"broken off as 200", cut, 200, robotshttp.Unreachable, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &server{answer: test.answer}
			c := s.cache()
			c.OverrideStatus = func(robotsURL string, resp *http.Response, err error) int {
				if (resp == nil) == (err == nil) {
					t.Errorf("OverrideStatus gets response %v and error %v, want exactly one", resp, err)
				}
				if robotsURL != location {
					return 0
				}
				return test.treatAs
			}
			if r := wantOutcome(t, c, test.outcome, test.allowed); r.Status != test.status {
				t.Errorf("status %d, want %d", r.Status, test.status)
			}
			s.answer = down
			if r := get(t, c, "https://other.example/"); r.Outcome != robotshttp.Unreachable {
				t.Errorf("the outcome for another site is %q, want %q", r.Outcome, robotshttp.Unreachable)
			}
		})
	}
}

// If a function in a field of the Cache panics, the fetch fails. The caller could not recover
// from a panic in another goroutine.
func TestPanics(t *testing.T) {
	errPanic := errors.New("panic")
	for name, spoil := range map[string]func(*server, *robotshttp.Cache){
		"transport": func(s *server, _ *robotshttp.Cache) {
			s.answer = func(*http.Request) (*http.Response, error) { panic(errPanic) }
		},
		"CheckTarget": func(_ *server, c *robotshttp.Cache) {
			c.CheckTarget = func(context.Context, *url.URL) error { panic(errPanic) }
		},
		"OverrideStatus": func(_ *server, c *robotshttp.Cache) {
			c.OverrideStatus = func(string, *http.Response, error) int { panic(errPanic) }
		},
	} {
		s := &server{answer: responds(200, file)}
		c := s.cache()
		var logged bytes.Buffer
		c.Logger = slog.New(slog.NewTextHandler(&logged, nil))
		spoil(s, c)
		r := wantOutcome(t, c, robotshttp.Unreachable, false)
		if !errors.Is(r.Err, errPanic) || !strings.Contains(logged.String(), "TestPanics") {
			t.Errorf("%s: error %v, want %v; logged: %s", name, r.Err, errPanic, &logged)
		}
	}
	c := (&server{answer: responds(200, file)}).cache()
	c.Store = panickyStore{}
	c.Logger = slog.New(slog.DiscardHandler)
	wantOutcome(t, c, robotshttp.Fetched, false)
	if n := c.Stats().StoreErrors; n != 2 {
		t.Errorf("%d errors of the Store, want 2", n)
	}
	c = (&server{answer: responds(200, file)}).cache()
	c.Store = panickyStore{}
	c.Logger = slog.New(panickyHandler{slog.DiscardHandler})
	wantOutcome(t, c, robotshttp.Fetched, false)
}

type panickyStore struct{}

func (panickyStore) Get(context.Context, string) ([]byte, bool, error) { panic("Get") }

func (panickyStore) Set(context.Context, string, []byte, time.Duration) error { panic("Set") }

func (panickyStore) Lock(context.Context, string, time.Duration) (func(), bool, error) {
	panic("Lock")
}

type panickyHandler struct{ slog.Handler }

func (panickyHandler) Enabled(context.Context, slog.Level) bool { panic("log") }

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}}).cache()
		start := time.Now()
		r := wantOutcome(t, c, robotshttp.Unreachable, false)
		if d := time.Since(start); d != 10*time.Second || !errors.Is(r.Err, context.DeadlineExceeded) {
			t.Errorf("Get ended after %v with error %v, want a timeout after 10 seconds", d, r.Err)
		}
	})
}

// Two failures more than 30 days apart are two outages: the server may have worked between
// them.
func TestUnreachableNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: down}).cache()
		wantOutcome(t, c, robotshttp.Unreachable, false)
		time.Sleep(31 * 24 * time.Hour)
		r := wantOutcome(t, c, robotshttp.Unreachable, false)
		if !r.Since.Equal(time.Now()) {
			t.Errorf("failing since %v, want since now", r.Since)
		}
	})
}

// If the goroutine that started a fetch stops waiting, the fetch continues for the others.
func TestCancelledCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: func(req *http.Request) (*http.Response, error) {
			select {
			case <-time.After(5 * time.Second):
				return responds(200, file)(req)
			case <-req.Context().Done():
				return nil, req.Context().Err()
			}
		}}
		c := s.cache()
		first := make(chan error)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := c.Get(ctx, page)
			first <- err
		}()
		synctest.Wait()
		second := make(chan robotshttp.Result)
		go func() {
			r, _ := c.Get(t.Context(), page)
			second <- r
		}()
		synctest.Wait()
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("the first caller got error %v, want %v", err, context.Canceled)
		}
		if r := <-second; r.Outcome != robotshttp.Fetched {
			t.Errorf("the second caller got outcome %q, error %v", r.Outcome, r.Err)
		}
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

// URLs that spell the same site differently share one robots.txt.
func TestKey(t *testing.T) {
	s := &server{answer: responds(200, file)}
	c := s.cache()
	for _, url := range []string{
		page, "https://EXAMPLE.com:443/", "https://user@example.com./a?b#c", "HTTPS://example.com",
	} {
		get(t, c, url)
	}
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	get(t, c, "http://example.com/")
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	big := "User-agent: *\nDisallow: /" + strings.Repeat("x", 10_000) + "\n"
	c := (&server{answer: responds(200, big)}).cache()
	c.MaxBytes = 1 << 20
	for i := range 500 {
		get(t, c, fmt.Sprintf("http://host%d.example/", i))
	}
	if n := c.Stats(); n.Bytes > c.MaxBytes || n.Entries < 10 || n.Entries*int64(len(big)) > c.MaxBytes {
		t.Errorf("%+v, want at most %d bytes and 10 to 100 entries", n, c.MaxBytes)
	}
}

// The memory limit also covers headers, URLs and errors.
func TestMemoryIsBoundedForHeaders(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"header": responds(200, "", "Etag", long, "Cache-Control", long),
		"URL": func(req *http.Request) (*http.Response, error) {
			if req.URL.RawQuery == "" {
				return responds(302, "", "Location", "?"+long)(req)
			}
			return responds(200, "")(req)
		},
		"error": func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
	} {
		c := (&server{answer: answer}).cache()
		c.MaxBytes = 1 << 20
		for i := range 50 {
			get(t, c, fmt.Sprintf("http://host%d.example/", i))
		}
		if n := c.Stats(); n.Entries*int64(len(long)) > c.MaxBytes || n.Entries == 0 {
			t.Errorf("%s: %+v, want at least one entry and at most %d bytes", name, n, c.MaxBytes)
		}
	}
}

func TestFetch(t *testing.T) {
	s := &server{answer: responds(200, file)}
	c := s.cache()
	for range 2 {
		r, err := c.Fetch(t.Context(), "https://example.com/staging/robots.txt?v=2")
		if err != nil || r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", page) {
			t.Errorf("Result %+v, want a fetched file; error %v", r, err)
		}
		if r.URL != "https://example.com/staging/robots.txt?v=2" || r.FinalURL != r.URL {
			t.Errorf("URL %s, FinalURL %s, want the fetched URL for both", r.URL, r.FinalURL)
		}
		if string(r.Body) != file {
			t.Errorf("body %q, want %q", r.Body, file)
		}
	}
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	for _, bad := range []string{"", "/robots.txt", "https:///robots.txt", "https://example.com/%zz", "https://u:p@example.com/%zz"} {
		if _, err := c.Fetch(t.Context(), bad); err == nil {
			t.Errorf("Fetch(%q): no error", bad)
		}
	}
	s.answer = responds(404, file)
	if r, err := c.Fetch(t.Context(), location); err != nil || r.Outcome != robotshttp.Unavailable || r.Body != nil {
		t.Errorf("Result %+v for status 404; error %v", r, err)
	}
	s.answer = down
	r, err := c.Fetch(t.Context(), location)
	if err != nil || r.Outcome != robotshttp.Unreachable || !errors.Is(r.Err, errDown) {
		t.Errorf("Result %+v for an unreachable site; error %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Fetch(ctx, location); !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch after a cancellation: error %v", err)
	}
}

// After Forget, the site is asked again, even if memory or the Store contains its file.
func TestForget(t *testing.T) {
	for name, store := range map[string]robotshttp.Store{"memory": nil, "store": newFleetStore()} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: responds(200, "")}
			c := withStore(s, store)
			c.Forget(page) // although the Cache does not know the site yet
			wantOutcome(t, c, robotshttp.Fetched, true)
			s.answer = responds(200, file)
			time.Sleep(time.Second)
			wantOutcome(t, c, robotshttp.Cached, true)
			entries := c.Stats().Entries
			if c.Forget("not a URL"); c.Stats().Entries != entries {
				t.Errorf("%s: Forget added an entry for an invalid URL", name)
			}
			c.Forget("https://other.example/")
			wantOutcome(t, c, robotshttp.Cached, true)
			c.Forget("https://EXAMPLE.com/other")
			wantOutcome(t, c, robotshttp.Fetched, false)
			wantOutcome(t, c, robotshttp.Cached, false)
			if store != nil {
				wantOutcome(t, withStore(s, store), robotshttp.Cached, false)
			}
			if n := s.requests.Load(); n != 2 {
				t.Errorf("%s: %d requests, want 2", name, n)
			}
		})
	}
}

func TestOnResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: slowly(responds(200, file, "Etag", `"1"`))}
		c := withStore(s, newFleetStore())
		type seen struct {
			Outcome robotshttp.Outcome
			Body    string
			Took    time.Duration
		}
		var got []seen
		see := func(_ context.Context, r robotshttp.Result) {
			if r.URL != location || r.File == nil {
				t.Errorf("OnResult got %+v, want a File for %s", r, location)
			}
			got = append(got, seen{r.Outcome, string(r.Body), r.Duration})
		}
		c.OnResult = see
		var group sync.WaitGroup
		for range 5 { // all wait for one fetch
			group.Go(func() { get(t, c, page) })
		}
		group.Wait()
		if r := get(t, c, page); r.Body != nil {
			t.Errorf("the body of a cached Result is %q, want none", r.Body)
		}
		if _, err := c.Decide(t.Context(), page); err != nil {
			t.Error(err)
		}
		other := withStore(s, c.Store)
		other.OnResult = see
		get(t, other, page)
		time.Sleep(24 * time.Hour)
		s.answer = responds(304, "")
		get(t, c, page)
		time.Sleep(24 * time.Hour)
		s.answer = down
		get(t, c, page)
		want := []seen{
			{robotshttp.Fetched, file, time.Second},
			{robotshttp.Cached, "", 0},
			{robotshttp.Cached, "", 0},
			{robotshttp.Cached, "", 0}, // from the Store
			{robotshttp.Fetched, "", 0},
			{robotshttp.Stale, "", 0},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Results (-want +got):\n%s", diff)
		}
		c.OnResult = nil
	})
	c := (&server{answer: responds(200, file)}).cache()
	c.Logger = slog.New(slog.DiscardHandler)
	c.OnResult = func(context.Context, robotshttp.Result) { panic("OnResult") }
	wantOutcome(t, c, robotshttp.Fetched, false)
}

// A file that is used shortly before it expires is renewed in the background. No Get waits,
// even if the server is slow or down, and the file is used until it expires.
func TestRefreshAhead(t *testing.T) {
	for name, test := range map[string]struct {
		first, later func(*http.Request) (*http.Response, error)
		during, then robotshttp.Outcome
		requests     int64
		allowed      bool
	}{
		"slow":          {responds(200, file), slowly(responds(200, file)), robotshttp.Cached, robotshttp.Cached, 2, false},
		"down":          {responds(200, file), slowly(down), robotshttp.Cached, robotshttp.Stale, 8, false},
		"down, no file": {responds(404, ""), slowly(down), robotshttp.Unavailable, robotshttp.Unreachable, 8, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, store := &server{answer: test.first}, newFleetStore()
				c := withStore(s, store)
				r := get(t, c, page)
				s.answer = test.later
				fresh := time.Until(r.Expires)
				time.Sleep(fresh * 94 / 100)
				for time.Now().Before(r.Expires) { // until the file expires, get it every 10 seconds
					before := time.Now()
					again := wantOutcome(t, c, test.during, test.allowed)
					if again.Err != nil || time.Since(before) > 0 {
						t.Fatalf("Get took %v, want 0; error %v", time.Since(before), again.Err)
					}
					time.Sleep(10 * time.Second)
				}
				if again := wantOutcome(t, c, test.then, false); again.Err == nil && !again.Since.After(r.Since) {
					t.Errorf("Since is %v, want later than %v", again.Since, r.Since)
				}
				if n := s.requests.Load(); n < 2 || n > test.requests {
					t.Errorf("%d requests, want 2 to %d", n, test.requests)
				}
				if other := withStore(&server{answer: down}, store); get(t, other, page).Outcome != test.then {
					t.Errorf("another process gets %v, want outcome %q", get(t, other, page), test.then)
				}
			})
		})
	}
}

// If processes share a Store, one of them renews a file, and the others use it.
func TestFleetRefreshesAheadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: slowly(responds(200, file))}, newFleetStore()
		processes := []*robotshttp.Cache{withStore(s, store), withStore(s, store), withStore(s, store)}
		var latest time.Time
		for _, c := range processes {
			if r := get(t, c, page); r.Expires.After(latest) {
				latest = r.Expires
			}
		}
		time.Sleep(22 * time.Hour)
		for time.Now().Before(latest) {
			for _, c := range processes {
				if r := get(t, c, page); r.Outcome != robotshttp.Cached {
					t.Fatalf("outcome %q, want %q", r.Outcome, robotshttp.Cached)
				}
			}
			time.Sleep(time.Minute)
		}
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

// Passwords are sent to the server, but do not appear in Results or errors.
func TestPasswords(t *testing.T) {
	s := &server{answer: responds(200, file)}
	c := s.cache()
	r, err := c.Fetch(t.Context(), "https://user:secret@example.com/robots.txt")
	if err != nil || r.URL != location || r.FinalURL != location {
		t.Errorf("URL %s, FinalURL %s, error %v, want %s for both", r.URL, r.FinalURL, err, location)
	}
	if _, password, ok := s.last.BasicAuth(); !ok || password != "secret" {
		t.Error("the password was not sent")
	}
	s.answer = down
	if r, err := c.Fetch(t.Context(), "https://user:secret@example.com/robots.txt"); err != nil || strings.Contains(r.Err.Error(), "secret") {
		t.Errorf("the Result's error %v contains the password, or Fetch returns error %v", r.Err, err)
	}
	for _, bad := range []string{
		"https://user:secret@example.com:port/", "https://user:secret@/", "//user:secret@example.com/",
		"user:secret@example.com", "https://user:secret@exa mple.com/%zz", "https://user:sec%zzret@example.com:x/",
		"mailto:secret@example.com", `https://user:secret\@example.com/`, "https://user:secret@example.com/%zz",
	} {
		_, getErr := c.Get(t.Context(), bad)
		_, fetchErr := c.Fetch(t.Context(), bad)
		for _, err := range []error{getErr, fetchErr} {
			if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "ret@")) {
				t.Errorf("%q: the error %v contains the password", bad, err)
			}
		}
		if fetchErr == nil {
			t.Errorf("Fetch(%q): no error", bad)
		}
	}
}

func TestGroup(t *testing.T) {
	c := (&server{answer: responds(200, "User-agent: FooBot\nCrawl-delay: 2\n")}).cache()
	g, err := c.Group(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := g.CrawlDelay(); !ok || d != 2*time.Second {
		t.Errorf("crawl-delay %v, %t, want 2s, true", d, ok)
	}
	if d := g.Decide(page); d.Reason != robotstxt.NoRuleMatched {
		t.Errorf("decision %v, want that no rule matched", d)
	}
	if again, err := c.Group(t.Context(), page); again != g || err != nil || c.Stats().Hits != 1 {
		t.Errorf("the second call of Group returns %v, error %v; stats %+v", again, err, c.Stats())
	}
}

func TestResultString(t *testing.T) {
	r := robotshttp.Result{URL: "https://a.test/robots.txt", Outcome: robotshttp.Fetched, Status: 200, Body: []byte("User-agent: *")}
	if got, want := fmt.Sprint(r), "https://a.test/robots.txt: fetched (status 200)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
