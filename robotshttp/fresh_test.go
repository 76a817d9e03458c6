package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

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
				want := robotshttp.Stats{Fetches: 5}
				got := c.Stats()
				got.Bytes, got.Entries = 0, 0
				if got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		})
	}
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

// One edge of a content delivery network compares only the date, and confirms the new version to somebody who
// has the old one. This must not keep the old file in force: from then on, the Cache would ask about the new
// ETag, which all edges confirm.
func TestOtherETag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version := "1"
		s := &server{}
		s.answer = func(req *http.Request) (*http.Response, error) {
			header := []string{"Etag", `"` + version + `"`, "Last-Modified", "Wed, 01 Dec 1999 00:00:00 GMT"}
			asked := req.Header.Get("If-None-Match")
			if s.requests.Load() == 2 && asked != "" || asked == header[1] {
				return responds(304, "", header...)(req)
			}
			rule := map[string]string{"1": "Allow", "2": "Disallow"}[version]
			return responds(200, "User-agent: *\n"+rule+": /\n", header...)(req)
		}
		c := s.cache()
		wantOutcome(t, c, robotshttp.Fetched, true)
		version = "2"
		for range 4 {
			time.Sleep(25 * time.Hour)
			wantOutcome(t, c, robotshttp.Fetched, false)
		}
	})
}

// If a server refuses a conditional request, this says nothing about the file (RFC 9110, section
// 13.1.2). The Cache asks again without the condition, and sends no condition from then on.
func TestConditionRefused(t *testing.T) {
	for status, want := range map[int]robotshttp.Outcome{
		400: robotshttp.Fetched, 403: robotshttp.Fetched, 412: robotshttp.Fetched, 416: robotshttp.Fetched, 431: robotshttp.Fetched,
		404: robotshttp.Unavailable, 410: robotshttp.Unavailable, 451: robotshttp.Unavailable, 429: robotshttp.Stale,
	} {
		synctest.Test(t, func(t *testing.T) {
			const validator = "Fri, 31 Dec 1999 00:00:00 GMT"
			refused := 0
			s := &server{answer: func(req *http.Request) (*http.Response, error) {
				if req.Header.Get("If-None-Match")+req.Header.Get("If-Modified-Since") != "" {
					refused++
					return responds(status, "")(req)
				}
				return responds(200, file, "Etag", `"1"`, "Last-Modified", validator)(req)
			}}
			c := s.cache()
			wantOutcome(t, c, robotshttp.Fetched, false)
			time.Sleep(24 * time.Hour)
			wantOutcome(t, c, want, want == robotshttp.Unavailable)
			if want == robotshttp.Fetched {
				time.Sleep(24 * time.Hour)
				wantOutcome(t, c, want, false)
			}
			if refused != 1 {
				t.Errorf("status %d: %d conditional requests, want 1", status, refused)
			}
		})
	}
}

// A header above 1 KB is not kept, and neither are headers that cannot be used again.
func TestKeptHeaders(t *testing.T) {
	long := `"` + strings.Repeat("x", 1023) + `"`
	for _, test := range []struct {
		status int
		header []string
	}{
		{200, []string{"Etag", long}},
		{200, []string{"Last-Modified", long}},
		{200, []string{"Cache-Control", long}},
		{200, []string{"Retry-After", "1", "Date", "Sat, 01 Jan 2000 00:00:00 GMT"}},
		{404, []string{"Etag", `"1"`, "Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT", "Date", "Sat, 01 Jan 2000 00:00:00 GMT"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: responds(test.status, file, test.header...)}
			c := s.cache()
			get(t, c, page)
			if n := c.Stats().Bytes; n > 1500 {
				t.Errorf("%d, %.50q: the site takes %d bytes", test.status, test.header, n)
			}
			time.Sleep(24 * time.Hour)
			get(t, c, page)
			if v := s.last.Header.Get("If-None-Match") + s.last.Header.Get("If-Modified-Since"); v != "" {
				t.Errorf("%d, %.50q: the next request is conditional", test.status, test.header)
			}
		})
	}
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
		{"date", responds(503, "", "Retry-After", "Sat, 01 Jan 2000 00:10:00 GMT"), []time.Duration{10 * time.Minute, 2 * time.Minute}}, // the second time, it is past
		{"date from a fast clock", responds(503, "", "Date", "Wed, 01 Jan 2020 00:00:00 GMT",
			"Retry-After", "Wed, 01 Jan 2020 00:10:00 GMT"), []time.Duration{10 * time.Minute, 10 * time.Minute}},
		{"too soon", responds(503, "", "Retry-After", "1"), []time.Duration{time.Minute, time.Minute}},
		{"zero", responds(503, "", "Retry-After", "0"), []time.Duration{time.Minute, 2 * time.Minute}},
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

// A host that CheckTarget blocks stays disallowed after the 30 days, and a panic says nothing about
// the site, either. An outage of 29 days does not become one of 30 through them.
func TestBlockedForMonths(t *testing.T) {
	for name, check := range map[string]func(context.Context, *url.URL) error{
		"an error": func(context.Context, *url.URL) error { return errors.New("blocked") },
		"a panic":  func(context.Context, *url.URL) error { panic("bug") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := (&server{answer: down}).cache()
				c.Logger = slog.New(slog.DiscardHandler)
				days := 0
				c.CheckTarget = func(ctx context.Context, u *url.URL) error {
					if days < 29 {
						return nil
					}
					return check(ctx, u)
				}
				for ; days < 100; days++ {
					wantOutcome(t, c, robotshttp.Unreachable, false)
					time.Sleep(24 * time.Hour)
				}
			})
		})
	}
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

// A renewal that fails is not reported as a file that was fetched.
func TestFailedRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file, "Cache-Control", "max-age=7200")}
		c := s.cache()
		wantOutcome(t, c, robotshttp.Fetched, false)
		var mu sync.Mutex // the renewal reports its Result while a Get reports another
		var outcomes []robotshttp.Outcome
		c.OnResult = func(_ context.Context, r robotshttp.Result) {
			mu.Lock()
			defer mu.Unlock()
			outcomes = append(outcomes, r.Outcome)
		}
		s.answer = down
		time.Sleep(2*time.Hour*9/10 + 2*time.Hour/20*9/10)
		for s.requests.Load() < 2 {
			time.Sleep(10 * time.Second)
			get(t, c, page)
			synctest.Wait()
		}
		if slices.Contains(outcomes, robotshttp.Fetched) {
			t.Errorf("outcomes %v, want none of them to be %v", outcomes, robotshttp.Fetched)
		}
	})
}
