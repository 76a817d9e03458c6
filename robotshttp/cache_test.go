package robotshttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"runtime"
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

func (s *server) client() *http.Client { return &http.Client{Transport: s} }

func (s *server) cache() *robotshttp.Cache {
	return &robotshttp.Cache{UserAgent: "FooBot/1.0", Client: s.client()}
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
		{300, robotshttp.Unavailable, true},  // not a redirect to follow
		{301, robotshttp.Unavailable, true},  // without a Location
		{304, robotshttp.Unreachable, false}, // the request was not conditional, so this is no answer
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
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, page); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after a cancellation: error %v", err)
	}
	if d, err := c.Decide(ctx, page); err == nil || d.Allowed {
		t.Errorf("Allowed after a cancellation: %v, error %v", d, err)
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
			{"the first cache", first, robotshttp.Stats{Hits: 4, Fetches: 4, Failures: 2, Entries: 4}},
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

func (panickyStore) Lease(context.Context, string, robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	panic("Lease")
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

// Fetch fetches any file, once each time, and returns the whole answer.
func TestFetch(t *testing.T) {
	s := &server{answer: responds(200, file, "Content-Type", "text/html")}
	for range 2 {
		r, err := robotshttp.Fetch(t.Context(), s.client(), "FooBot/1.0", "https://example.com/staging/robots.txt?v=2")
		if err != nil || r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", page) {
			t.Errorf("Result %+v, want a fetched file; error %v", r, err)
		}
		if r.URL != "https://example.com/staging/robots.txt?v=2" || r.FinalURL != r.URL {
			t.Errorf("URL %s, FinalURL %s, want the fetched URL for both", r.URL, r.FinalURL)
		}
		if string(r.Body) != file || r.Header.Get("Content-Type") != "text/html" {
			t.Errorf("body %q, header %v, want %q and its type", r.Body, r.Header, file)
		}
		if agent := s.last.UserAgent(); agent != "FooBot/1.0" {
			t.Errorf("User-Agent %q", agent)
		}
	}
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	for _, bad := range []string{"", "/robots.txt", "https:///robots.txt", "https://example.com/%zz", "https://u:p@example.com/%zz"} {
		if _, err := robotshttp.Fetch(t.Context(), s.client(), "", bad); err == nil {
			t.Errorf("Fetch(%q): no error", bad)
		}
	}
	for status, want := range map[int]robotshttp.Outcome{404: robotshttp.Unavailable, 403: robotshttp.Unavailable, 503: robotshttp.Unreachable} {
		s.answer = responds(status, file, "Server", "test")
		r, err := robotshttp.Fetch(t.Context(), s.client(), "", location)
		if err != nil || r.Outcome != want || r.Status != status || r.Body != nil || r.Header.Get("Server") != "test" {
			t.Errorf("Result %+v for status %d; error %v", r, status, err)
		}
	}
	s.answer = down
	r, err := robotshttp.Fetch(t.Context(), s.client(), "", location)
	if err != nil || r.Outcome != robotshttp.Unreachable || !errors.Is(r.Err, errDown) || r.Header != nil {
		t.Errorf("Result %+v for an unreachable site; error %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := robotshttp.Fetch(ctx, s.client(), "", location); !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch after a cancellation: error %v", err)
	}
}

// The Timeout of the client limits a whole fetch with its redirects. The error says that it was this limit.
func TestFetchTimeout(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{0: 10 * time.Second, 3 * time.Second: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: func(req *http.Request) (*http.Response, error) {
				select {
				case <-time.After(time.Second * 2):
					return responds(301, "", "Location", "/robots.txt")(req)
				case <-req.Context().Done():
					return nil, req.Context().Err()
				}
			}}
			client := s.client()
			client.Timeout = limit
			start := time.Now()
			r, err := robotshttp.Fetch(t.Context(), client, "FooBot", location)
			if took := time.Since(start); err != nil || took != want || !errors.Is(r.Err, context.DeadlineExceeded) {
				t.Errorf("limit %v: %v after %v, error %v, want %v", limit, r.Err, took, err, want)
			}
			if r.Err != nil && !strings.Contains(r.Err.Error(), "no complete response within "+want.String()) {
				t.Errorf("limit %v: error %v, want one that names the limit", limit, r.Err)
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
			Etag    string // in the header
			Took    time.Duration
		}
		var got []seen
		see := func(_ context.Context, r robotshttp.Result) {
			if r.URL != location || r.File == nil {
				t.Errorf("OnResult got %+v, want a File for %s", r, location)
			}
			got = append(got, seen{r.Outcome, string(r.Body), r.Header.Get("Etag"), r.Duration})
		}
		c.OnResult = see
		var group sync.WaitGroup
		for range 5 { // all wait for one fetch
			group.Go(func() {
				if r := get(t, c, page); r.Body != nil || r.Header != nil {
					t.Errorf("Get returns the body %q and the header %v, want none", r.Body, r.Header)
				}
			})
		}
		group.Wait()
		get(t, c, page)
		if _, err := c.Decide(t.Context(), page); err != nil {
			t.Error(err)
		}
		other := withStore(s, c.Store)
		other.OnResult = see
		get(t, other, page)
		time.Sleep(24 * time.Hour)
		s.answer = responds(304, "", "Etag", `"1"`)
		get(t, c, page)
		time.Sleep(24 * time.Hour)
		s.answer = down
		get(t, c, page)
		want := []seen{
			{robotshttp.Fetched, file, `"1"`, time.Second},
			{robotshttp.Cached, "", "", 0},
			{robotshttp.Cached, "", "", 0},
			{robotshttp.Cached, "", "", 0}, // from the Store
			{robotshttp.Fetched, "", `"1"`, 0},
			{robotshttp.Stale, "", "", 0},
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

// Passwords are sent to the server, but do not appear in Results or errors.
func TestPasswords(t *testing.T) {
	s := &server{answer: responds(200, file)}
	fetchFile := func(url string) (robotshttp.Result, error) {
		return robotshttp.Fetch(t.Context(), s.client(), "FooBot", url)
	}
	r, err := fetchFile("https://user:secret@example.com/robots.txt")
	if err != nil || r.URL != location || r.FinalURL != location {
		t.Errorf("URL %s, FinalURL %s, error %v, want %s for both", r.URL, r.FinalURL, err, location)
	}
	if _, password, ok := s.last.BasicAuth(); !ok || password != "secret" {
		t.Error("the password was not sent")
	}
	s.answer = func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "example.com" {
			return responds(302, "", "Location", "https://other.example/robots.txt")(req)
		}
		return responds(200, file)(req)
	}
	if r, err := fetchFile("https://user:secret@example.com/robots.txt"); err != nil || r.Outcome != robotshttp.Fetched {
		t.Errorf("Result %+v, error %v", r, err)
	}
	if _, _, ok := s.last.BasicAuth(); ok {
		t.Error("the password was sent to the target of a redirect")
	}
	brokenBody := responds(200, file, "Content-Encoding", "br")
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){"no answer": down, "broken body": brokenBody} {
		s.answer = answer
		for _, user := range []string{"secret", "user:secret", ":secret"} {
			r, err := fetchFile("https://" + user + "@example.com/robots.txt")
			if err != nil || strings.Contains(r.Err.Error(), "secret") || !strings.Contains(r.Err.Error(), "example.com/robots.txt") {
				t.Errorf("%s: the Result's error %v contains the password, or Fetch returns error %v", name, r.Err, err)
			}
		}
	}
	req := httptest.NewRequest("GET", "https://secret:x@example.com/robots.txt", nil)
	resp, _ := brokenBody(req)
	resp.Request = req
	if _, err := robotshttp.FromResponse(resp); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("FromResponse: the error %v contains the user name", err)
	}
	for _, bad := range []string{
		"https://user:secret@example.com:port/", "https://user:secret@/", "//user:secret@example.com/",
		"user:secret@example.com", "https://user:secret@exa mple.com/%zz", "https://user:sec%zzret@example.com:x/",
		"mailto:secret@example.com", `https://user:secret\@example.com/`, "https://user:secret@example.com/%zz",
	} {
		_, getErr := s.cache().Get(t.Context(), bad)
		_, fetchErr := fetchFile(bad)
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

func TestResultString(t *testing.T) {
	r := robotshttp.Result{URL: "https://a.test/robots.txt", Outcome: robotshttp.Fetched, Status: 200, Body: []byte("User-agent: *")}
	if got, want := fmt.Sprint(r), "https://a.test/robots.txt: fetched (status 200)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// By default, status 401 and 403 mean that there is no file. With DisallowRefused, they disallow
// everything: not as a failure, so for as long as any answer, and even after 30 days.
func TestDisallowRefused(t *testing.T) {
	for _, status := range []int{401, 403, 404} {
		for _, disallow := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				s, store := &server{answer: responds(status, "")}, &faultyStore{}
				c := withStore(s, store)
				c.DisallowRefused = disallow
				want, reason := robotshttp.Unavailable, robotstxt.FileUnavailable
				if disallow && status != 404 {
					want, reason = robotshttp.Refused, robotshttp.FileRefused
				}
				for range 40 {
					r := wantOutcome(t, c, want, want == robotshttp.Unavailable)
					if d := time.Until(r.Expires); r.Status != status || r.Err != nil || d < 22*time.Hour {
						t.Errorf("status %d: %v, error %v, expires in %v", status, r, r.Err, d)
					}
					d, err := c.Decide(t.Context(), page)
					if err != nil || d.Reason != reason || d.Allowed != (want == robotshttp.Unavailable) {
						t.Errorf("status %d: decision %v, error %v, want reason %q", status, d, err, reason)
					}
					time.Sleep(24 * time.Hour)
				}
				// A Store contains no decisions.
				if r := get(t, withStore(s, store), page); r.Outcome != robotshttp.Unavailable {
					t.Errorf("status %d: outcome %q in a Cache without DisallowRefused", status, r.Outcome)
				}
				_, err := (&http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}).Get(page)
				if want == robotshttp.Refused {
					const text = "robotshttp: https://example.com/page: Disallowed: the site refuses access to its robots.txt."
					if refused := wantDisallowed(t, err); refused.Error() != text || refused.Unwrap() != nil {
						t.Errorf("error %v, want %s", refused, text)
					}
				}
				if n := c.Stats().Failures; n != 0 {
					t.Errorf("status %d: %d failures, want 0", status, n)
				}
			})
		}
	}
}

// Sitemaps are resolved against the URL of the file, after redirects.
func TestSitemaps(t *testing.T) {
	s := &server{answer: func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "example.com" {
			return responds(301, "", "Location", "https://www.example.com/files/robots.txt")(req)
		}
		return responds(200, "Sitemap: /a.xml\nSitemap: b.xml\nSitemap: https://cdn.example/c.xml\nSitemap: //d.example/e\n"+
			"Sitemap: https://%zz/\nSitemap: mailto:info@example.com\nSitemap: https:///f.xml\n")(req)
	}}
	want := []string{"https://www.example.com/a.xml", "https://www.example.com/files/b.xml", "https://cdn.example/c.xml", "https://d.example/e"}
	if diff := cmp.Diff(want, get(t, s.cache(), page).Sitemaps()); diff != "" {
		t.Errorf("Sitemaps (-want +got):\n%s", diff)
	}
	supplied := robotshttp.Result{URL: location, File: robotstxt.Parse([]byte("Sitemap: /a.xml"))}
	if diff := cmp.Diff([]string{"https://example.com/a.xml"}, supplied.Sitemaps()); diff != "" {
		t.Errorf("Sitemaps of a supplied file (-want +got):\n%s", diff)
	}
}

// At the limit, the Cache evicts the file that was used least recently. A file that is larger than
// the limit evicts no other.
func TestEviction(t *testing.T) {
	s := &server{answer: func(req *http.Request) (*http.Response, error) {
		size := 100_000
		if req.URL.Host == "large.example" {
			size = 500_000
		}
		return responds(200, "User-agent: *\nDisallow: /"+strings.Repeat("x", size))(req)
	}}
	c := s.cache()
	c.MaxBytes = 350_000
	for _, test := range []struct {
		host    string
		fetches int64 // in all, after a Get for the host
	}{
		{"a", 1}, {"b", 2}, {"c", 3}, {"a", 3}, {"large", 4}, {"large", 5}, {"d", 6}, {"a", 6}, {"c", 6}, {"b", 7}, {"d", 8},
	} {
		get(t, c, "https://"+test.host+".example/")
		if n := c.Stats(); n.Fetches != test.fetches || n.Bytes > c.MaxBytes {
			t.Errorf("after %s: %+v, want %d fetches", test.host, n, test.fetches)
		}
	}
	small := s.cache()
	small.MaxBytes = 10
	get(t, small, "https://a.example/")
	if n := small.Stats(); n.Entries != 0 || n.Bytes != 0 {
		t.Errorf("with a limit of 10 bytes: %+v, want no sites", n)
	}
}

// OverrideStatus is called once for each fetch, and changes what a response or an error means. Only a
// status that means that there is no file can replace an error.
func TestOverrideStatus(t *testing.T) {
	breaksOff := func(req *http.Request) (*http.Response, error) {
		resp, err := responds(200, "")(req)
		resp.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
		return resp, err
	}
	for _, test := range []struct {
		name    string
		answer  func(*http.Request) (*http.Response, error)
		treatAs int
		given   string // what OverrideStatus gets: the status or "error"
		status  int    // of the Result
		want    robotshttp.Outcome
	}{
		{"200", responds(200, file), 0, "200", 200, robotshttp.Fetched},
		{"304", responds(304, ""), 0, "304", 200, robotshttp.Fetched},
		{"304 as 200", responds(304, ""), 200, "304", 200, robotshttp.Fetched},
		{"304 as 404", responds(304, ""), 404, "304", 404, robotshttp.Unavailable},
		{"304 as 503", responds(304, ""), 503, "304", 503, robotshttp.Stale},
		{"500 as 200", responds(500, file), 200, "500", 200, robotshttp.Fetched},
		{"500 as 404", responds(500, file), 404, "500", 404, robotshttp.Unavailable},
		{"403 as 503", responds(403, file), 503, "403", 503, robotshttp.Stale},
		{"breaks off", breaksOff, 0, "error", 0, robotshttp.Stale},
		{"breaks off, as 200", breaksOff, 200, "error", 0, robotshttp.Stale},
		{"breaks off, as 404", breaksOff, 404, "error", 404, robotshttp.Unavailable},
		{"down", down, 0, "error", 0, robotshttp.Stale},
		{"down, as 503", down, 503, "error", 0, robotshttp.Stale},
		{"down, as 404", down, 404, "error", 404, robotshttp.Unavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file, "Etag", `"1"`)}
				c := s.cache()
				var given []string
				treatAs := 0
				c.OverrideStatus = func(robotsURL string, resp *http.Response, err error) int {
					if (resp == nil) == (err == nil) || robotsURL != location {
						t.Errorf("OverrideStatus gets %s, response %v and error %v, want exactly one of the two", robotsURL, resp, err)
					}
					if err != nil {
						given = append(given, "error")
					} else {
						given = append(given, fmt.Sprint(resp.StatusCode))
					}
					return treatAs
				}
				get(t, c, page)
				given, s.answer, treatAs = nil, test.answer, test.treatAs
				time.Sleep(25 * time.Hour)
				if r := wantOutcome(t, c, test.want, test.want == robotshttp.Unavailable); r.Status != test.status {
					t.Errorf("status %d, want %d", r.Status, test.status)
				}
				if len(given) != 1 || given[0] != test.given {
					t.Errorf("OverrideStatus was called with %v, want once with %s", given, test.given)
				}
			})
		})
	}
}

// A function that calls runtime.Goexit, as t.Fatal does, is a failure. Nobody waits forever.
func TestGoexit(t *testing.T) {
	for name, spoil := range map[string]func(*robotshttp.Cache){
		"CheckTarget": func(c *robotshttp.Cache) {
			c.CheckTarget = func(context.Context, *url.URL) error { runtime.Goexit(); return nil }
		},
		"OnResult": func(c *robotshttp.Cache) {
			c.OnResult = func(context.Context, robotshttp.Result) { runtime.Goexit() }
		},
		"Store": func(c *robotshttp.Cache) { c.Store = exitingStore{} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := (&server{answer: responds(200, file)}).cache()
				c.Logger = slog.New(slog.DiscardHandler)
				spoil(c)
				if r := get(t, c, page); (r.Outcome == robotshttp.Unreachable) != (name == "CheckTarget") {
					t.Errorf("outcome %q, error %v", r.Outcome, r.Err)
				}
			})
		})
	}
}

// An exitingStore is a Store whose methods end their goroutines.
type exitingStore struct{}

func (exitingStore) Get(context.Context, string) ([]byte, bool, error) {
	runtime.Goexit()
	return nil, false, nil
}

func (exitingStore) Set(context.Context, string, []byte, time.Duration) error {
	runtime.Goexit()
	return nil
}

// The hooks of a request's httptrace are not called for a renewal in the background.
func TestTraceOfRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		traced := 0
		s := &server{answer: func(req *http.Request) (*http.Response, error) {
			if httptrace.ContextClientTrace(req.Context()) != nil {
				traced++
			}
			return responds(200, file)(req)
		}}
		c := s.cache()
		ctx := httptrace.WithClientTrace(t.Context(), new(httptrace.ClientTrace))
		for range 2 {
			r, err := c.Get(ctx, page)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(r.Expires) - time.Minute)
		}
		synctest.Wait()
		if n := s.requests.Load(); n != 2 || traced != 1 {
			t.Errorf("%d requests, want 2; %d with the trace, want 1", n, traced)
		}
	})
}

// Everything at once, for the race detector: a disallowed page is never allowed, and no goroutine
// hangs.
func TestEverythingAtOnce(t *testing.T) {
	s := &server{answer: func(req *http.Request) (*http.Response, error) {
		time.Sleep(rand.N(3 * time.Millisecond))
		switch rand.IntN(6) {
		case 0:
			return down(req)
		case 1:
			return responds(503, "", "Retry-After", "1")(req)
		case 2:
			panic("server")
		case 3:
			if req.Header.Get("If-None-Match") != "" {
				return responds(304, "")(req)
			}
		}
		return responds(200, file+"Crawl-delay: 0.01\n", "Etag", `"x"`)(req)
	}}
	for _, store := range []robotshttp.Store{robotshttp.Dir(t.TempDir()), newFleetStore()} {
		c := withStore(s, store)
		c.MinFresh, c.MaxFresh, c.MaxBytes, c.MaxDelay = 10*time.Millisecond, 30*time.Millisecond, 8<<10, 20*time.Millisecond
		c.Logger = slog.New(slog.DiscardHandler)
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				for range 300 {
					url := fmt.Sprintf("https://%d.example/page", rand.IntN(20))
					ctx, cancel := context.WithTimeout(t.Context(), rand.N(30*time.Millisecond))
					switch rand.IntN(6) {
					case 0:
						c.Forget(url)
					case 1:
						c.Wait(ctx, url+"/../other")
					case 2:
						robotshttp.Fetch(ctx, c.Client, "", url)
					case 3:
						c.Stats()
					default:
						if d, err := c.Decide(ctx, url); err == nil && d.Allowed {
							t.Errorf("%s: %v", url, d)
						}
					}
					cancel()
				}
			})
		}
		group.Wait()
	}
}

// A file from Supply is used instead of the site's file.
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
	if n := s.requests.Load(); n != 0 || len(outcomes) != 3 {
		t.Errorf("%d requests, want 0; outcomes %v, want 3", n, outcomes)
	}
	client := &http.Client{Transport: &robotshttp.Transport{Cache: c, Base: s}}
	_, err := client.Get("https://down.example/")
	if refused := wantDisallowed(t, err); refused.Robots.Outcome != robotshttp.Supplied || refused.Unwrap() != nil {
		t.Errorf("the DisallowedError does not come from the supplied file: %+v", refused)
	}
	r := get(t, c, "https://other.example/")
	if n := c.Stats(); r.Outcome != robotshttp.Fetched || n.Fetches != 1 || n.Hits != 0 {
		t.Errorf("for a site without a supplied file: %v, Stats %+v", r, n)
	}
	delete(supplied, location)
	wantOutcome(t, c, robotshttp.Fetched, false)
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

// A crawler without a name gets one warning.
func TestNameless(t *testing.T) {
	const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0"
	for _, test := range []struct {
		agent string
		names []string
		want  int
	}{
		{"FooBot/1.0", nil, 0}, {browser, []string{"FooBot"}, 0}, {"FooBot", []string{browser}, 0},
		{browser, nil, 1}, {"", nil, 1}, {"mozilla", []string{"Mozilla/4.0"}, 1},
	} {
		var log bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			c := (&server{answer: responds(200, file)}).cache()
			c.UserAgent, c.Names, c.Logger = test.agent, test.names, slog.New(slog.NewTextHandler(&log, nil))
			get(t, c, page)
			get(t, c, page)
		})
		if n := strings.Count(log.String(), "level=WARN"); n != test.want || strings.Count(log.String(), "\n") != n {
			t.Errorf("%q and %q: logged %q, want %d warnings", test.agent, test.names, &log, test.want)
		}
	}
}

// A response that is not a robots.txt allows everything, as the RFC has it, but the Result, Stats and the
// log say so: in memory, in a Store and after a revalidation, too.
func TestNotRobotsTxt(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   bool
	}{
		"login":     {200, "<!DOCTYPE html>\n<title>Log in</title>\n", true},
		"challenge": {202, "<html><script>challenge()</script></html>", true},
		"JSON":      {200, `{"error": "not found"}`, true},
		"empty":     {200, "", false},
		"comment":   {200, "# nothing\n", false},
		"file":      {200, file, false},
		"no file":   {404, "<html>", false},
		"failure":   {503, "<html>", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			s, store := &server{answer: responds(test.status, test.body, "Etag", `"1"`)}, newFleetStore()
			c, second := withStore(s, store), withStore(s, store)
			for _, c := range []*robotshttp.Cache{c, second} {
				c.Logger = slog.New(slog.NewTextHandler(&log, nil))
			}
			check := func(c *robotshttp.Cache, when string) {
				if r := get(t, c, page); r.NotRobotsTxt != test.want || test.want && !r.File.Allowed("FooBot", "/page") {
					t.Errorf("%s, %s: %+v, want NotRobotsTxt %t", name, when, r, test.want)
				}
			}
			check(c, "fetched")
			check(c, "in memory")
			check(second, "from the Store")
			get(t, c, "https://other.example/") // not logged, because a minute has not passed
			synctest.Wait()
			warnings := strings.Count(log.String(), `level=WARN msg="not a robots.txt file" url=https://example.com/robots.txt`)
			if counted := c.Stats().NotRobotsTxt; test.want != (counted == 2 && warnings == 1) || !test.want && counted+int64(warnings) > 0 || strings.Count(log.String(), "WARN") != warnings {
				t.Errorf("%s: %d counted, want 2; logged\n%s", name, counted, &log)
			}
			s.answer = responds(304, "")
			before, logged := c.Stats().NotRobotsTxt, log.Len()
			time.Sleep(24 * time.Hour)
			check(c, "confirmed")
			synctest.Wait()
			if c.Stats().NotRobotsTxt != before || log.Len() > logged {
				t.Errorf("%s: counted or logged again, although nothing was sent", name)
			}
		})
	}
}

func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		s := &server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return responds(200, file)(req)
		}}
		c := s.cache()
		c.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		}))
		get(t, c, page)
		get(t, c, page)
		s.answer = responds(503, "")
		time.Sleep(24 * time.Hour)
		get(t, c, page)
		const start = "level=DEBUG msg=robots.txt url=https://example.com/robots.txt "
		want := start + "outcome=fetched status=200 took=1s\n" +
			start + "outcome=cached status=200 took=0s\n" +
			start + "outcome=stale status=503 took=0s "
		if got := logged.String(); !strings.HasPrefix(got, want) {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}
