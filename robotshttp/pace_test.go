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

// A file that the crawler has is used instead of the site's, for every question.
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
			t.Errorf("%+v", r)
		}
	}
	if d, err := c.Allowed(t.Context(), "https://example.com/other"); err != nil || d.Allowed || d.Rule.Line != 2 {
		t.Errorf("%v, %v", d, err)
	}
	if g, err := c.Group(t.Context(), page); err != nil || len(g.Records()) != 1 {
		t.Errorf("%v, %v", g, err)
	}
	if n := s.requests.Load(); n != 0 || len(outcomes) != 4 {
		t.Errorf("%d requests, outcomes %v", n, outcomes)
	}
	client := &http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}
	_, err := client.Get("https://down.example/")
	if refused := wantDisallowed(t, err); refused.Robots.Outcome != robotshttp.Supplied || refused.Unwrap() != nil {
		t.Errorf("%+v", refused)
	}
	r := get(t, c, "https://other.example/")
	if n := c.Stats(); r.Outcome != robotshttp.Fetched || n.Supplied != 5 || n.Fetches != 1 || n.Hits != 0 {
		t.Errorf("%v, %+v", r, n)
	}
	if r, err := c.Fetch(t.Context(), location); err != nil || r.Outcome != robotshttp.Fetched {
		t.Errorf("Fetch: %v, %v", r, err)
	}
	delete(supplied, location)
	wantOutcome(t, c, robotshttp.Fetched, false)
}

// A hook sees what is disallowed, and only ErrSend opens it.
func TestOnDisallowed(t *testing.T) {
	errOwn := errors.New("own")
	for _, test := range []struct {
		name     string
		returns  error
		sent     bool
		want     error // in the request's error
		isReason bool  // whether that is a DisallowedError
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
						t.Errorf("%v, %+v", req.URL, refused)
					}
					return test.returns
				}
				_, err := (&http.Client{Transport: tr}).Get(page)
				_, isReason := errors.AsType[*robotshttp.DisallowedError](err)
				if sent != test.sent || called != 1 || isReason != test.isReason || test.want != nil && !errors.Is(err, test.want) || (err == nil) != test.sent {
					t.Errorf("sent: %t, asked %d times, %v", sent, called, err)
				}
			})
		}
	}
}

// What is sent all the same keeps the site's pace, and the hook is asked once for each
// request, even if it has to wait.
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
			t.Errorf("asked %d times", called)
		}
	})
}

// The crawler obeys under the first of its names that the file has.
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
			if d, err := c.Allowed(t.Context(), page); err != nil || d.Token != test.token {
				t.Errorf("%q: %+v, %v", test.file, d, err)
			}
		}
		_, err := (&http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}).Get(page)
		if refused := test.token == "barbot" || test.token == "*"; (err != nil) != refused {
			t.Errorf("%q: %v", test.file, err)
		}
		if got := s.last.UserAgent(); got != "FooBot/1.0" {
			t.Errorf("sent as %q", got)
		}
	}
}

// The log has each site whose crawl-delay is not kept, once.
func TestShortenedDelay(t *testing.T) {
	for _, test := range []struct {
		min, max time.Duration
		want     string // of the line
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
				t.Errorf("%v to %v: %s, want once %s", test.min, test.max, &log, want)
			}
		})
	}
}

// "Not yet" is an error of its own, with the time.
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
		later, ok := errors.AsType[*robotshttp.WaitError](send(15 * time.Second)) // after one that waits
		if !ok || !later.Until.Equal(start.Add(20*time.Second)) || !time.Now().Equal(start) ||
			!errors.Is(later, context.DeadlineExceeded) || !later.Timeout() {
			t.Errorf("%v, until %v", later, later.Until.Sub(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(time.Second, cancel)
		err := tr.Cache.Wait(ctx, "https://example.com/")
		later, ok = errors.AsType[*robotshttp.WaitError](err)
		if !ok || !later.Until.Equal(start.Add(20*time.Second)) || !errors.Is(err, context.Canceled) || later.Timeout() {
			t.Errorf("%v", err)
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
			t.Errorf("a network that hangs: %v", err)
		}
	})
}

// Wait is what a Transport does before it sends a request.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file+"Crawl-delay: 10\n")}
		c := s.cache()
		c.MinDelay, c.MaxDelay = time.Second, time.Minute
		start := time.Now()
		for i := range 3 {
			if err := c.Wait(t.Context(), "https://example.com/other"); err != nil || time.Since(start) != time.Duration(i)*10*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
		}
		wantDisallowed(t, c.Wait(t.Context(), page))
		if err := c.Wait(t.Context(), location); err != nil {
			t.Error(err)
		}
		if err := c.Wait(t.Context(), "no URL"); err == nil {
			t.Error("no error for what is not a URL")
		}
		tr := &robotshttp.Transport{Cache: c, Base: s}
		if _, err := (&http.Client{Transport: tr}).Get("https://example.com/"); err != nil || time.Since(start) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// A request of another agent than the Cache's is sent only if both may, at the pace of
// the slower one.
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
					t.Errorf("%+v: %v", test, err)
				}
				if test.token != "" && wantDisallowed(t, err).Decision.Token != test.token {
					t.Errorf("%+v: %v", test, err)
				}
			}
			want := time.Second
			if strings.Contains(test.agent, "BarBot") {
				want = 10 * time.Second
			}
			if got := time.Since(start); test.token == "" && got != want {
				t.Errorf("%+v: two requests took %v", test, got)
			}
		})
	}
}

// One line says when a Store begins to fail, and one when it works again, however many
// calls fail, and Stats counts the requests that kept a pace of this process only.
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
					t.Errorf("%d requests paced alone, logged %s", n, &log)
				}
				store.fail(fault.err, fault.stall)
				s.crawl(t, 10, tr)
				for i := range 20 {
					get(t, tr.Cache, fmt.Sprintf("https://%d.example/", i))
				}
				if n := tr.Cache.Stats().PacedAlone; n != 10 {
					t.Errorf("%d requests paced alone", n)
				}
				store.fail(nil, 0)
				s.crawl(t, 30, tr)
				lines := strings.Split(strings.TrimSpace(log.String()), "\n")
				if len(lines) != 2 || !strings.Contains(lines[0], `level=WARN msg="robots.txt store fails" op=`) ||
					!strings.Contains(lines[1], `level=WARN msg="robots.txt store works again" after=`) {
					t.Errorf("logged\n%s", &log)
				}
				if n := tr.Cache.Stats().PacedAlone; n > 11 {
					t.Errorf("%d requests paced alone by now", n)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// With WaitForPacer, requests wait for a Pacer that fails, until their contexts end.
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
			t.Errorf("%v, starts at %v", err, s.times)
		}
		time.AfterFunc(time.Minute, func() { store.fail(nil, 0) })
		s.times = nil
		s.crawl(t, 3, tr)
		if len(s.times) != 3 || s.times[0] < time.Minute || s.times[0] > time.Minute+time.Second || tr.Cache.Stats().PacedAlone != 0 {
			t.Errorf("starts at %v", s.times)
		}
	})
}
