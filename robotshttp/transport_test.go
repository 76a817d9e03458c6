package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

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

// A web is an http.RoundTripper that answers for any host and lists the requested URLs.
type web struct {
	mu     sync.Mutex
	robots map[string]string // by host; other hosts answer 404
	asked  []string          // the requested URLs
	closed int               // calls of CloseIdleConnections
}

func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, req.URL.String())
	if path, ok := strings.CutPrefix(req.URL.Path, "/to/"); ok {
		return responds(302, "", "Location", "https://"+path)(req)
	}
	if req.URL.Path != "/robots.txt" {
		return responds(200, "")(req)
	}
	body, ok := w.robots[req.URL.Host]
	if !ok {
		return responds(404, "")(req)
	}
	return responds(200, body)(req)
}

func (w *web) CloseIdleConnections() { w.closed++ }

func wantDisallowed(t *testing.T, err error) *robotshttp.DisallowedError {
	t.Helper()
	refused, ok := errors.AsType[*robotshttp.DisallowedError](err)
	if !ok {
		t.Fatalf("error %v, want a DisallowedError", err)
	}
	if refused.Decision.Allowed {
		t.Errorf("the DisallowedError contains the decision %v", refused.Decision)
	}
	return refused
}

func TestTransport(t *testing.T) {
	w := &web{robots: map[string]string{
		"a.example": "User-agent: FooBot\nDisallow: /private\n",
		"b.example": "User-agent: *\nDisallow: /\n",
	}}
	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", w)}
	for _, test := range []struct {
		url   string
		asked []string // URLs that are requested; files that rows above have fetched are cached
		line  int      // line number of the rule that disallows the URL; 0 if it is allowed
	}{
		{"https://a.example/", []string{"https://a.example/robots.txt", "https://a.example/"}, 0},
		{"https://a.example/private?x", nil, 2},
		{"https://a.example/robots.txt", []string{"https://a.example/robots.txt"}, 0},
		{"https://a.example/to/a.example/private", []string{"https://a.example/to/a.example/private"}, 2},
		{"https://a.example/to/b.example/", []string{"https://a.example/to/b.example/", "https://b.example/robots.txt"}, 2},
		{"https://b.example/robots.txt", []string{"https://b.example/robots.txt"}, 0},
		{"https://c.example/robots.txt", []string{"https://c.example/robots.txt"}, 0},
		{"https://c.example/private", []string{"https://c.example/robots.txt", "https://c.example/private"}, 0},
	} {
		w.asked = nil
		resp, err := client.Get(test.url)
		if err == nil {
			resp.Body.Close()
		}
		if test.line == 0 && err != nil {
			t.Errorf("%s: error %v, want none", test.url, err)
		}
		if test.line != 0 {
			if d := wantDisallowed(t, err).Decision; d.Rule.Line != test.line {
				t.Errorf("%s: %v, want line %d", test.url, d, test.line)
			}
		}
		if diff := cmp.Diff(test.asked, w.asked); diff != "" {
			t.Errorf("%s: requests (-want +got):\n%s", test.url, diff)
		}
	}
}

// A body counts how often it is closed.
type body struct {
	io.Reader
	closed int
}

func (b *body) Close() error {
	b.closed++
	return nil
}

func TestTransportClosesBody(t *testing.T) {
	w := &web{robots: map[string]string{"example.com": file}}
	tr := robotshttp.NewTransport("FooBot", w)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		url  string
	}{
		{"refused", t.Context(), page},
		{"cancelled", cancelled, "https://other.example/"},
		{"no location", t.Context(), "mailto:info@example.com"},
	} {
		b := &body{Reader: strings.NewReader("body")}
		req, err := http.NewRequestWithContext(test.ctx, "POST", test.url, b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tr.RoundTrip(req); err == nil || b.closed != 1 {
			t.Errorf("%s: error %v, body closed %d times, want once", test.name, err, b.closed)
		}
	}
	if len(w.asked) != 1 {
		t.Errorf("requests: %v, want only the robots.txt of example.com", w.asked)
	}
}

// A Transport does not change the caller's request. It sends a copy if it has to add a
// User-Agent.
func TestTransportDoesNotChangeRequests(t *testing.T) {
	for _, test := range []struct {
		name      string
		userAgent []string
		want      string
	}{
		{"none", nil, "FooBot/1.0"},
		{"the caller's", []string{"FooBot-Image/2.0"}, "FooBot-Image/2.0"},
		{"explicitly none", []string{""}, ""},
	} {
		w := &server{answer: responds(404, "")}
		req := httptest.NewRequest("GET", "https://user:secret@Example.com/a?b", nil)
		req.Header.Set("X-Y", "z")
		if test.userAgent != nil {
			req.Header["User-Agent"] = test.userAgent
		}
		before, header, u := *req, maps.Clone(req.Header), *req.URL
		if _, err := robotshttp.NewTransport("FooBot/1.0", w).RoundTrip(req); err != nil {
			t.Fatal(err)
		}
		if *req.URL != u || !maps.EqualFunc(req.Header, header, equal) || req.Host != before.Host {
			t.Errorf("%s: the request was %+v and is now %+v", test.name, before, req)
		}
		if w.last.URL != req.URL || w.last.Header.Get("X-Y") != "z" || w.last.UserAgent() != test.want {
			t.Errorf("%s: sent with User-Agent %q, want %q: %+v", test.name, w.last.UserAgent(), test.want, w.last)
		}
	}
	w := &server{answer: responds(404, "")}
	req := &http.Request{URL: &url.URL{Scheme: "https", Host: "example.com"}}
	if _, err := robotshttp.NewTransport("FooBot/1.0", w).RoundTrip(req); err != nil || w.last.UserAgent() != "FooBot/1.0" {
		t.Errorf("without a Header: User-Agent %q, error %v", w.last.UserAgent(), err)
	}
	if _, err := robotshttp.NewTransport("", w).RoundTrip(req); err != nil || w.last != req {
		t.Errorf("without a User-Agent in the Cache: %+v, error %v", w.last, err)
	}
}

func equal(x, y []string) bool { return cmp.Equal(x, y) }

func TestDisallowedErrorHidesPassword(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &server{answer: responds(200, file)})
	req := httptest.NewRequest("GET", "https://user:secret@example.com/page", nil)
	_, err := tr.RoundTrip(req)
	for _, err := range []error{err, tr.Cache.Wait(t.Context(), req.URL.String())} {
		if refused := wantDisallowed(t, err); refused.URL != page || strings.Contains(refused.Error(), "secret") {
			t.Errorf("the error for %s contains the password: %v", refused.URL, refused)
		}
	}
}

func TestOpaqueURL(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"example.com": file + "Disallow: /*?q=\n"}})
	const disallowed, another, unclear = "Disallowed", "robotshttp: the host in the URL's field Opaque differs from the URL's field Host", `robotshttp: the URL's field Opaque does not start with "/"`
	const fragment = `robotshttp: the URL's field Opaque or RawQuery contains "#"`
	for _, test := range []struct {
		opaque, query string
		want          string // part of the error, if there is one
	}{
		{"/page", "", disallowed},
		{"/other", "", ""},
		{"/other", "q=tea", disallowed},
		{"//example.com/page", "", disallowed},
		{"//example.com/", "", ""},
		{"//example.com/", "q=tea", disallowed},
		{"//user:secret@EXAMPLE.com:443/", "", ""},
		{"//user:secret@example.com/page", "", disallowed},
		{"//user:secret@example.com", "", ""},
		{"//user:secret@example.com?q=tea", "", disallowed},
		{"//other.example/", "", another}, // it would be sent to example.com
		{"//example.com:80/", "", another},
		{"//@/", "", "no host"},
		{"///", "", "no host"},
		{"page", "", unclear},
		{"example.com:443", "", unclear},
		{"/robots.txt#/../page", "", fragment}, // it would be sent as it is
		{"", "x#q=tea", fragment},
	} {
		req := &http.Request{URL: &url.URL{Scheme: "https", Host: "example.com", Opaque: test.opaque, RawQuery: test.query}}
		_, err := tr.RoundTrip(req)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: error %v, want %q", test.opaque, test.query, err, test.want)
		}
		if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok && strings.Contains(refused.URL, "secret") {
			t.Errorf("%s: the URL in the error contains the password: %s", test.opaque, refused.URL)
		}
	}
}

// A new Transport may become the http.DefaultTransport, although it sends requests through the old one.
func TestDefaultTransport(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	w := &web{robots: map[string]string{"example.com": file}}
	http.DefaultTransport = w
	http.DefaultTransport = robotshttp.NewTransport("FooBot", nil)
	_, err := (&http.Client{}).Get("https://example.com/page")
	wantDisallowed(t, err)
}

// The Client of a Cache may use a Transport with the same Cache. Redirects between two sites
// then cause no deadlock.
func TestTransportWithinItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &server{}
		base.answer = func(req *http.Request) (*http.Response, error) {
			switch req.URL.String() {
			case "https://a.example/robots.txt":
				return responds(302, "", "Location", "https://b.example/rules")(req)
			case "https://b.example/robots.txt":
				return responds(302, "", "Location", "https://a.example/rules")(req)
			}
			return responds(200, "User-agent: *\nDisallow: /rules\n")(req)
		}
		cache := &robotshttp.Cache{UserAgent: "FooBot"}
		client := &http.Client{Transport: &robotshttp.Transport{Cache: cache, Base: base}}
		cache.Client = client
		start := time.Now()
		for _, url := range []string{"https://a.example/", "https://b.example/"} {
			if _, err := client.Get(url); err != nil {
				t.Error(err)
			}
		}
		_, err := client.Get("https://b.example/rules")
		wantDisallowed(t, err)
		if time.Since(start) != 0 {
			t.Errorf("the requests took %v, want 0", time.Since(start))
		}
	})
}

// The error of a request that was not sent contains the reason: a rule or the server's
// failure.
func TestWhy(t *testing.T) {
	refused := errors.New("connection refused")
	for _, test := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		reason robotstxt.Reason
		status int
		cause  error
		text   string
	}{
		{"a rule", responds(200, file), robotstxt.RuleMatched, 200, nil, "line 2"},
		{"503", responds(503, "", "Retry-After", "600"), robotstxt.FileUnreachable, 503, nil, "status 503 Service Unavailable"},
		{"500", responds(500, ""), robotstxt.FileUnreachable, 500, nil, "status 500 Internal Server Error"},
		{"206", responds(206, file), robotstxt.FileUnreachable, 206, nil, "status 206 Partial Content"},
		{"an error", func(*http.Request) (*http.Response, error) { return nil, refused }, robotstxt.FileUnreachable, 0, refused, "refused"},
		{"a timeout", func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}, robotstxt.FileUnreachable, 0, context.DeadlineExceeded, "deadline exceeded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: test.answer}
				_, err := (&http.Client{Transport: robotshttp.NewTransport("FooBot", s)}).Get(page)
				why := wantDisallowed(t, err)
				if why.Decision.Reason != test.reason || why.Robots.Status != test.status || why.Robots.URL != location {
					t.Errorf("%v, status %d of %s, want %v, status %d of %s", why.Decision, why.Robots.Status, why.Robots.URL, test.reason, test.status, location)
				}
				if test.cause != nil && !errors.Is(err, test.cause) || !strings.Contains(err.Error(), test.text) || !strings.Contains(why.Error(), page+": Disallowed") {
					t.Errorf("error %v, want one for %v", err, test.cause)
				}
				unreachable := test.reason == robotstxt.FileUnreachable
				if unreachable != (errors.Unwrap(why) != nil) {
					t.Errorf("the error for %v wraps %v", test.reason, errors.Unwrap(why))
				}
				when := why.Robots.Expires
				if !when.After(time.Now()) || unreachable && !strings.Contains(err.Error(), when.Format(time.RFC3339)) {
					t.Errorf("the server is asked again at %v, but the error is: %v", when, err)
				}
				if n := s.requests.Load(); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
			})
		})
	}
}

// If a rule of a stale file disallows a request, the error does not wrap the server's
// failure.
func TestWhyOfStaleFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file)}
		client := &http.Client{Transport: robotshttp.NewTransport("FooBot", s)}
		_, err := client.Get(page)
		wantDisallowed(t, err)
		s.answer = down
		time.Sleep(24 * time.Hour)
		_, err = client.Get(page)
		if why := wantDisallowed(t, err); why.Robots.Outcome != robotshttp.Stale || errors.Is(err, errDown) {
			t.Errorf("outcome %q, want %q; error %v", why.Robots.Outcome, robotshttp.Stale, err)
		}
	})
}

// If a context ends while a request waits for the robots.txt, the error says so.
func TestContextEndsWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: slowly(responds(404, ""))}
		client := &http.Client{Transport: robotshttp.NewTransport("FooBot", s), Timeout: time.Second / 2}
		_, err := client.Get(page)
		var timeout interface{ Timeout() bool }
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() ||
			!strings.Contains(err.Error(), "robotshttp: waiting for "+location+": context deadline exceeded") {
			t.Errorf("error %v, want a timeout while waiting for %s", err, location)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/4, cancel)
		_, err = client.Transport.(*robotshttp.Transport).Cache.Get(ctx, "https://other.example/")
		if !errors.Is(err, context.Canceled) || !errors.As(err, &timeout) || timeout.Timeout() {
			t.Errorf("error %v, want a cancellation that is not a timeout", err)
		}
		time.Sleep(time.Second)
	})
}

// The field Until of a WaitError is when the request may start, as far as is known, even if the context
// has already ended. The message never says that the wait is negative.
func TestUntil(t *testing.T) {
	for name, test := range map[string]struct {
		timeout, cancel time.Duration // of the context; 0 for a context that has ended
		others          int           // requests that wait
		want            time.Duration
	}{
		"too short":                        {5 * time.Second, time.Hour, 0, 10 * time.Second},
		"too short, others wait":           {25 * time.Second, time.Hour, 2, 30 * time.Second},
		"ended":                            {0, time.Hour, 0, 10 * time.Second},
		"ended, others wait":               {0, time.Hour, 2, 10 * time.Second}, // the turns of others are not known
		"canceled":                         {time.Hour, 4 * time.Second, 0, 10 * time.Second},
		"canceled, others wait":            {time.Hour, 12 * time.Second, 2, 30 * time.Second},
		"another request connects forever": {time.Hour, 35 * time.Second, 3, 40 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Path == "/robots.txt" {
						return responds(200, "User-agent: *\nCrawl-delay: 10\n")(req)
					}
					if req.URL.Path == "/slow" {
						time.Sleep(time.Hour)
					}
					return responds(200, "")(req)
				})
				tr := robotshttp.NewTransport("FooBot", base)
				start := time.Now()
				if err := tr.Cache.Wait(t.Context(), page); err != nil {
					t.Fatal(err)
				}
				for i := range test.others {
					path := page
					if i == 2 {
						path = "https://example.com/slow"
					}
					go tr.RoundTrip(httptest.NewRequest("GET", path, nil))
					synctest.Wait()
				}
				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				time.AfterFunc(test.cancel, cancel)
				err := tr.Cache.Wait(ctx, page)
				waited, ok := errors.AsType[*robotshttp.WaitError](err)
				if !ok || waited.Until.Sub(start).Round(time.Second) != test.want || strings.Contains(err.Error(), "wait -") {
					t.Errorf("error %v, until %v after the start, want %v", err, waited.Until.Sub(start), test.want)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

// While the file is being fetched, Until is at least a second away, and further if the fetch takes
// long, so that a crawler that asks again at that time does not spin.
func TestUntilDuringFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(9 * time.Second)
			return responds(404, "")(req)
		}}).cache()
		start := time.Now()
		asked := 0
		for {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			err := c.Wait(ctx, page)
			cancel()
			if err == nil {
				break
			}
			asked++
			waited, ok := errors.AsType[*robotshttp.WaitError](err)
			if !ok || !waited.Timeout() {
				t.Fatal(err)
			}
			time.Sleep(time.Until(waited.Until))
		}
		if d := time.Since(start); asked > 5 || d < 9*time.Second || d > 18*time.Second {
			t.Errorf("asked %d times in %v, want at most 5 times", asked, d)
		}
	})
}

func TestCloseIdleConnections(t *testing.T) {
	w := &web{}
	(&http.Client{Transport: robotshttp.NewTransport("FooBot", w)}).CloseIdleConnections()
	if w.closed != 1 {
		t.Errorf("idle connections closed %d times, want once", w.closed)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A Transport does not send a request whose URL has no Location.
func TestNoLocation(t *testing.T) {
	for _, u := range []url.URL{{Scheme: "https", Path: "/a"}, {Scheme: "https", Host: "exa mple.com"}, {Scheme: "https", Host: "a.example:x"}} {
		sent := false
		tr := robotshttp.NewTransport("FooBot", &server{answer: func(req *http.Request) (*http.Response, error) {
			sent = true
			return responds(200, "")(req)
		}})
		if _, err := tr.RoundTrip(&http.Request{URL: &u}); err == nil || sent {
			t.Errorf("%v: error %v, sent: %t", &u, err, sent)
		}
	}
}

func TestNilURL(t *testing.T) {
	b := &body{Reader: strings.NewReader("body")}
	req := &http.Request{Body: b}
	if _, err := robotshttp.NewTransport("FooBot", &web{}).RoundTrip(req); err == nil || err.Error() != "robotshttp: nil Request.URL" || b.closed != 1 {
		t.Errorf("error %v, body closed %d times", err, b.closed)
	}
}

// Without a Cache, every request is an error, even one for a /robots.txt.
func TestTransportWithoutCache(t *testing.T) {
	for _, path := range []string{"/", "/robots.txt"} {
		client := &http.Client{Transport: &robotshttp.Transport{}}
		resp, err := client.Get("http://127.0.0.1:1" + path)
		if err == nil {
			resp.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "robotshttp: the Transport has no Cache") {
			t.Errorf("%s: error %v, want one about the Cache", path, err)
		}
	}
}

// A redirect to a host with very many letters costs little, whether of a robots.txt or of a page: nobody can
// follow it, so an http.Client must not see it. Before it calls CheckRedirect, it would convert the host to
// ASCII, in time that is quadratic in its length: a minute for this host.
func TestLongRedirects(t *testing.T) {
	var host strings.Builder
	for i := range 60_000 {
		host.WriteRune(rune(0x4e00 + i*7919%20000))
	}
	for _, target := range []string{"http://" + host.String() + "/", "http://[b/", "mailto:b@example.com", "https:///b"} {
		s := &server{answer: responds(301, "", "Location", target)}
		r, err := robotshttp.Fetch(t.Context(), s.client(), "FooBot", location)
		if err != nil || r.Outcome != robotshttp.Unavailable || r.Status != 301 || r.Header.Get("Location") != "" {
			t.Errorf("a robots.txt that is redirected to %.20s…: %v, header of %d values, error %v", target, r, len(r.Header), err)
		}
		client := &http.Client{Transport: &robotshttp.Transport{Cache: s.cache(), Base: s}}
		resp, err := client.Get(page)
		if err != nil || resp.StatusCode != 301 || resp.Header.Get("Location") != "" {
			t.Fatalf("a page that is redirected to %.20s…: error %.80v, want the response without the Location header", target, err)
		}
	}
	for target, status := range map[string]int{"/relative": 301, "https://b.example/": 308, "urn:example:b": 201} {
		s := &server{answer: responds(status, "", "Location", target)}
		resp, err := (&robotshttp.Transport{Cache: s.cache(), Base: s}).RoundTrip(httptest.NewRequest("POST", page, nil))
		if err != nil || resp.Header.Get("Location") != target {
			t.Errorf("status %d: header %v, error %v, want the Location header %s", status, resp.Header, err, target)
		}
	}
}

// A Base that returns neither a response nor an error gets the error that net/http has for this.
func TestNilResponse(t *testing.T) {
	s := &server{answer: func(*http.Request) (*http.Response, error) { return nil, nil }}
	r, err := robotshttp.Fetch(t.Context(), s.client(), "FooBot", location)
	if err != nil || r.Err == nil || !strings.Contains(r.Err.Error(), "nil Response with a nil error") {
		t.Errorf("Fetch: %v, error %v", r.Err, err)
	}
	tr := &robotshttp.Transport{Cache: (&server{answer: responds(404, "")}).cache(), Base: s}
	if _, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil)); err == nil || !strings.Contains(err.Error(), "nil Response with a nil error") {
		t.Errorf("RoundTrip: error %v", err)
	}
}
