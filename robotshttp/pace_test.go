package robotshttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A file from Supply is used instead of the site's file, except by Fetch.
func TestSupply(t *testing.T) {
	s := &server{answer: responds(200, file)}
	c := s.cache()
	c.MaxDelay = time.Minute
	supplied := map[string]*robotstxt.File{
		location:                          robotstxt.Parse([]byte("User-agent: foobot\nDisallow: /other\nCrawl-delay: 7\n")),
		"https://down.example/robots.txt": robotstxt.Unreachable(),
	}
	c.Supply = func(_ context.Context, robotsURL string) *robotstxt.File { return supplied[robotsURL] }
	var outcomes []robotshttp.Outcome
	c.OnResult = func(_ context.Context, r robotshttp.Result) { outcomes = append(outcomes, r.Outcome) }
	for range 2 {
		if r := wantOutcome(t, c, robotshttp.Supplied, true); r.File != supplied[location] || r.URL != location || r.Err != nil || !r.Expires.IsZero() {
			t.Errorf("the Result does not contain the supplied file: %+v", r)
		}
	}
	if d, err := c.Decide(t.Context(), "https://example.com/other"); err != nil || d.Allowed || d.Rule.Line != 2 {
		t.Errorf("decision %v, want line 2; error %v", d, err)
	}
	if g, err := c.Group(t.Context(), page); err != nil || len(g.Records()) != 1 {
		t.Errorf("group %v, want one record; error %v", g, err)
	}
	if n := s.requests.Load(); n != 0 || len(outcomes) != 4 {
		t.Errorf("%d requests, want 0; outcomes %v, want 4", n, outcomes)
	}
	client := &http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}
	_, err := client.Get("https://down.example/")
	if refused := wantDisallowed(t, err); refused.Robots.Outcome != robotshttp.Supplied || refused.Unwrap() != nil {
		t.Errorf("the DisallowedError does not come from the supplied file: %+v", refused)
	}
	r := get(t, c, "https://other.example/")
	if n := c.Stats(); r.Outcome != robotshttp.Fetched || n.Supplied != 5 || n.Fetches != 1 || n.Hits != 0 {
		t.Errorf("for a site without a supplied file: %v, Stats %+v", r, n)
	}
	if r, err := c.Fetch(t.Context(), location); err != nil || r.Outcome != robotshttp.Fetched {
		t.Errorf("Fetch returns %v, error %v, want a fetched file", r, err)
	}
	delete(supplied, location)
	wantOutcome(t, c, robotshttp.Fetched, false)
}

// OnDisallowed is called for each disallowed request. The request is sent only if the
// function returns ErrSend.
func TestOnDisallowed(t *testing.T) {
	errOwn := errors.New("own")
	for _, test := range []struct {
		name     string
		returns  error
		sent     bool
		want     error // wrapped by the request's error, unless nil
		isReason bool  // whether the request's error is a DisallowedError
	}{
		{"nil", nil, false, nil, true},
		{"ErrSend", robotshttp.ErrSend, true, nil, false},
		{"ErrSend, wrapped", fmt.Errorf("no: %w", robotshttp.ErrSend), false, robotshttp.ErrSend, false},
		{"another", errOwn, false, errOwn, false},
	} {
		for name, answer := range map[string]func(*http.Request) (*http.Response, error){"file": responds(200, file), "unreachable": down} {
			t.Run(test.name+", "+name, func(t *testing.T) {
				sent, called := false, 0
				tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Path == "/robots.txt" {
						return answer(req)
					}
					sent = true
					return responds(200, "")(req)
				}))
				tr.OnDisallowed = func(req *http.Request, refused *robotshttp.DisallowedError) error {
					called++
					if req.URL.String() != page || refused.URL != page || refused.Decision.Allowed {
						t.Errorf("OnDisallowed gets %v, %+v, want both for %s", req.URL, refused, page)
					}
					return test.returns
				}
				_, err := (&http.Client{Transport: tr}).Get(page)
				_, isReason := errors.AsType[*robotshttp.DisallowedError](err)
				if sent != test.sent || called != 1 || isReason != test.isReason || test.want != nil && !errors.Is(err, test.want) || (err == nil) != test.sent {
					t.Errorf("sent: %t, want %t; called %d times, want once; error %v", sent, test.sent, called, err)
				}
			})
		}
	}
}

// Requests that OnDisallowed sends anyway obey the crawl-delay, and the function is called
// once for each request, even if the request has to wait.
func TestOnDisallowedKeepsPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nDisallow: /\nCrawl-delay: 10\n"}
		tr := robotshttp.NewTransport("FooBot", s)
		tr.Cache.MaxDelay = time.Minute
		var mu sync.Mutex
		called := 0
		tr.OnDisallowed = func(*http.Request, *robotshttp.DisallowedError) error {
			mu.Lock()
			defer mu.Unlock()
			called++
			return robotshttp.ErrSend
		}
		s.crawl(t, 4, tr)
		s.wantTimes(t, 0, 10*time.Second, 20*time.Second, 30*time.Second)
		if called != 4 {
			t.Errorf("OnDisallowed was called %d times, want 4", called)
		}
	})
}

// The crawler obeys the group for the first of its names that has a group in the file.
func TestNames(t *testing.T) {
	const foo, bar, star = "User-agent: foobot\nAllow: /page\n", "User-agent: barbot\nDisallow: /page\n", "User-agent: *\nDisallow: /page\n"
	const baz = "User-agent: bazbot\nAllow: /page\n"
	for _, test := range []struct {
		file  string
		token string
	}{
		{star + baz + bar + foo, "foobot"},
		{star + baz + bar, "barbot"},
		{star + baz, "bazbot"},
		{star, "*"},
	} {
		s := &server{answer: responds(200, test.file)}
		c := s.cache()
		c.Names = []string{"BarBot", "BazBot/2.0"}
		for range 2 {
			if d, err := c.Decide(t.Context(), page); err != nil || d.Token != test.token {
				t.Errorf("%q: decision %+v, want token %s; error %v", test.file, d, test.token, err)
			}
		}
		_, err := (&http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}).Get(page)
		if refused := test.token == "barbot" || test.token == "*"; (err != nil) != refused {
			t.Errorf("%q: error %v, want disallowed %t", test.file, err, refused)
		}
		if got := s.last.UserAgent(); got != "FooBot/1.0" {
			t.Errorf("User-Agent %q, want FooBot/1.0", got)
		}
	}
}

// A crawl-delay that MaxDelay shortens is logged once for each site.
func TestShortenedDelay(t *testing.T) {
	for _, test := range []struct {
		min, max time.Duration
		want     string // attributes in the log line; empty for no line
	}{
		{0, 0, "asked=10s kept=0s"},
		{time.Second, 0, "asked=10s kept=1s"},
		{0, 5 * time.Second, "asked=10s kept=5s"},
		{0, 10 * time.Second, ""},
		{20 * time.Second, time.Minute, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			w := &web{robots: map[string]string{"a.example": "User-agent: *\nCrawl-delay: 10\n", "b.example": "User-agent: *\nCrawl-delay: 1\nDisallow: /x\n"}}
			tr := robotshttp.NewTransport("FooBot", w)
			tr.Cache.MinDelay, tr.Cache.MaxDelay, tr.Cache.Logger = test.min, test.max, slog.New(slog.NewTextHandler(&log, nil))
			for range 3 {
				for range 2 {
					if _, err := (&http.Client{Transport: tr}).Get("https://a.example/"); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(25 * time.Hour) // the file is fetched again
				tr.Cache.Forget("https://a.example/")
			}
			lines := strings.Count(log.String(), "\n")
			want := `level=INFO msg="robots.txt crawl-delay shortened" url=https://a.example/robots.txt ` + test.want
			if test.want == "" && lines != 0 || test.want != "" && (lines != 1 || !strings.Contains(log.String(), want)) {
				t.Errorf("MinDelay %v, MaxDelay %v: logged %s, want once %s", test.min, test.max, &log, want)
			}
		})
	}
}

// A request that cannot start before its context ends fails with a WaitError, which contains
// the time at which the request could start.
func TestWaitError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{robots: map[string]string{"example.com": "User-agent: *\nCrawl-delay: 10\n"}}
		tr := robotshttp.NewTransport("FooBot", w)
		tr.Cache.MaxDelay = time.Minute
		start := time.Now()
		send := func(timeout time.Duration) error {
			resp, err := (&http.Client{Transport: tr, Timeout: timeout}).Get("https://example.com/")
			if err == nil {
				resp.Body.Close()
			}
			return err
		}
		if err := send(0); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		group.Go(func() {
			if err := send(time.Minute); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		later, ok := errors.AsType[*robotshttp.WaitError](send(15 * time.Second)) // while another request waits
		if !ok || !later.Until.Equal(start.Add(20*time.Second)) || !time.Now().Equal(start) ||
			!errors.Is(later, context.DeadlineExceeded) || !later.Timeout() {
			t.Errorf("error %v, until %v after the start, want 20s", later, later.Until.Sub(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(time.Second, cancel)
		err := tr.Cache.Wait(ctx, "https://example.com/")
		later, ok = errors.AsType[*robotshttp.WaitError](err)
		if !ok || !later.Until.Equal(start.Add(20*time.Second)) || !errors.Is(err, context.Canceled) || later.Timeout() {
			t.Errorf("error %v, want a WaitError that is not a timeout", err)
		}
		group.Wait()

		hangs := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return responds(404, "")(req)
			}
			<-req.Context().Done()
			return nil, req.Context().Err()
		}))
		_, err = (&http.Client{Transport: hangs, Timeout: time.Second}).Get(page)
		if _, ok := errors.AsType[*robotshttp.WaitError](err); ok || err == nil {
			t.Errorf("a network that hangs: error %v, want one that is not a WaitError", err)
		}
	})
}

// Wait and Transports obey the same crawl-delay together.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file+"Crawl-delay: 10\n")}
		c := s.cache()
		c.MinDelay, c.MaxDelay = time.Second, time.Minute
		start := time.Now()
		for i := range 3 {
			if err := c.Wait(t.Context(), "https://example.com/other"); err != nil || time.Since(start) != time.Duration(i)*10*time.Second {
				t.Errorf("Wait %d returned after %v, want %v; error %v", i, time.Since(start), time.Duration(i)*10*time.Second, err)
			}
		}
		wantDisallowed(t, c.Wait(t.Context(), page))
		if err := c.Wait(t.Context(), location); err != nil {
			t.Error(err)
		}
		if err := c.Wait(t.Context(), "no URL"); err == nil {
			t.Error("no error for an invalid URL")
		}
		tr := &robotshttp.Transport{Cache: c, Base: s}
		if _, err := (&http.Client{Transport: tr}).Get("https://example.com/"); err != nil || time.Since(start) != 30*time.Second {
			t.Errorf("the request ended after %v, want 30s; error %v", time.Since(start), err)
		}
	})
}

// If the User-Agent of a request differs from the Cache's, the request is sent only if both
// are allowed. The longer of their crawl-delays applies.
func TestTwoAgents(t *testing.T) {
	const robots = "User-agent: foobot\nDisallow: /foo\nCrawl-delay: 1\n\nUser-agent: barbot\nDisallow: /bar\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /star\n"
	for _, test := range []struct{ agent, path, token string }{
		{"BarBot/1.0", "/bar", "barbot"},
		{"BarBot/1.0", "/foo", "foobot"},
		{"BarBot/1.0", "/star", ""},
		{"Mozilla/5.0 (compatible; BarBot/2.0; +https://bar.example)", "/bar", "barbot"},
		{"BazBot", "/star", "*"},
		{"FooBot-Image/1.0", "/foo", "foobot"},
		{"foobot", "/foo", "foobot"},
		{"foobot", "/star", ""},
		{"FooBot/3.0", "/bar", ""},
		{"", "/bar", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: responds(200, robots)}
			tr := robotshttp.NewTransport("FooBot/1.0", s)
			tr.Cache.MaxDelay = time.Minute
			start := time.Now()
			for range 2 {
				req, err := http.NewRequestWithContext(t.Context(), "GET", "https://example.com"+test.path, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("User-Agent", test.agent)
				_, err = tr.RoundTrip(req)
				if test.token == "" && err != nil {
					t.Errorf("%+v: error %v, want none", test, err)
				}
				if test.token != "" && wantDisallowed(t, err).Decision.Token != test.token {
					t.Errorf("%+v: error %v, want a decision for another token", test, err)
				}
			}
			want := time.Second
			if strings.Contains(test.agent, "BarBot") {
				want = 10 * time.Second
			}
			if got := time.Since(start); test.token == "" && got != want {
				t.Errorf("%+v: two requests took %v, want %v", test, got, want)
			}
		})
	}
}

// However many calls of a Store fail, the log gets one line when it begins to fail and one
// when it works again. Stats counts the requests that are sent meanwhile.
func TestStoreOutage(t *testing.T) {
	for name, fault := range map[string]struct {
		err   error
		stall time.Duration
	}{"fails": {errDown, 0}, "stalls": {nil, time.Hour}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s, store := &starts{robots: "User-agent: *\nCrawl-delay: 1\n"}, newFleetStore()
				tr := fleet(1, s, store)[0]
				tr.Cache.Logger = slog.New(slog.NewTextHandler(&log, nil))
				s.crawl(t, 10, tr)
				if n := tr.Cache.Stats().PacedAlone; log.Len() > 0 || n != 0 {
					t.Errorf("%d requests paced alone, want 0; logged %s", n, &log)
				}
				store.fail(fault.err, fault.stall)
				s.crawl(t, 10, tr)
				for i := range 20 {
					get(t, tr.Cache, fmt.Sprintf("https://%d.example/", i))
				}
				if n := tr.Cache.Stats().PacedAlone; n != 10 {
					t.Errorf("%d requests paced alone, want 10", n)
				}
				store.fail(nil, 0)
				s.crawl(t, 30, tr)
				lines := strings.Split(strings.TrimSpace(log.String()), "\n")
				if len(lines) != 2 || !strings.Contains(lines[0], `level=WARN msg="robots.txt store fails" op=`) ||
					!strings.Contains(lines[1], `level=WARN msg="robots.txt store works again" after=`) {
					t.Errorf("logged\n%s\nwant one line for the failure and one for its end", &log)
				}
				if n := tr.Cache.Stats().PacedAlone; n > 11 {
					t.Errorf("%d requests paced alone, want at most 11", n)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// With WaitForPacer, requests wait while the Pacer fails, but only until their contexts end.
func TestWaitForPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 1\n"}, newFleetStore()
		tr := fleet(1, s, store)[0]
		tr.Cache.WaitForPacer = true
		s.crawl(t, 1, tr)
		store.fail(errDown, 0)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err := tr.Cache.Wait(ctx, "https://example.com/")
		if _, ok := errors.AsType[*robotshttp.WaitError](err); !ok || len(s.times) != 1 {
			t.Errorf("error %v, want a WaitError; starts at %v", err, s.times)
		}
		time.AfterFunc(time.Minute, func() { store.fail(nil, 0) })
		s.times = nil
		s.crawl(t, 3, tr)
		if len(s.times) != 3 || s.times[0] < time.Minute || s.times[0] > time.Minute+time.Second || tr.Cache.Stats().PacedAlone != 0 {
			t.Errorf("starts at %v, want three, the first after a minute", s.times)
		}
	})
}
