package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// Requests that waited for the end of a pause do not all start at the same time.
func TestAfterPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{status: func(n int) (int, string) {
			if n == 1 {
				return 503, "10"
			}
			return 200, ""
		}}
		tr := robotshttp.NewTransport("FooBot", s)
		s.crawl(t, 1, tr)
		s.crawl(t, 64, tr)
		at := make(map[time.Duration]int)
		for _, time := range s.times[1:] {
			at[time]++
		}
		if len(at) < 40 {
			t.Errorf("64 requests started at %d different times, want at least 40", len(at))
		}
	})
}

// The delay counts from when a request has been sent. So requests whose connections take long are
// not sent together. If the Base does not say when it has sent a request, the delay counts from when
// it returns.
func TestSlowConnections(t *testing.T) {
	for _, traced := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var sent []time.Duration
			tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
				if req.URL.Path == "/robots.txt" {
					return responds(404, "")(req)
				}
				time.Sleep(time.Until(start.Add(4 * time.Second))) // the first connections take so long
				sent = append(sent, time.Since(start))
				if traced {
					httptrace.ContextClientTrace(req.Context()).WroteHeaders()
					time.Sleep(10 * time.Second) // until the response
				}
				return responds(200, "")(req)
			}))
			tr.Cache.MinDelay = time.Second
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					if _, err := (&http.Client{Transport: tr}).Get(page); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if want := []time.Duration{4 * time.Second, 5 * time.Second, 6 * time.Second, 7 * time.Second}; !slices.Equal(sent, want) {
				t.Errorf("with a trace %t: sent at %v, want %v", traced, sent, want)
			}
		})
	}
}

// A request that fails to connect gives its turn to the next.
func TestFailedConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return responds(404, "")(req)
			}
			return down(req)
		}))
		tr.Cache.MinDelay = time.Second
		start := time.Now()
		for range 3 {
			tr.RoundTrip(httptest.NewRequest("GET", page, nil))
		}
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("three requests took %v, want 2s", d)
		}
	})
}

// Requests that give up while they wait do not hold up others.
func TestImpatientWaiters(t *testing.T) {
	for _, store := range []robotshttp.Store{nil, newFleetStore()} {
		virtually(t, func(t *testing.T) {
			c := withStore(&server{answer: responds(404, "")}, store)
			c.MinDelay = time.Second
			var sent, gaveUp atomic.Int64
			var group sync.WaitGroup
			for i := range 300 {
				group.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%50)*time.Second+time.Millisecond)
					defer cancel()
					if i%3 == 0 {
						time.AfterFunc(time.Duration(i%17)*time.Second/2, cancel)
					}
					if c.Wait(ctx, page) == nil {
						sent.Add(1)
					} else {
						gaveUp.Add(1)
					}
				})
				synctest.Wait() // the requests come in this order, so that each run is the same
			}
			group.Wait()
			if sent.Load() < 30 || sent.Load()+gaveUp.Load() != 300 {
				t.Errorf("%d requests were sent in 50 seconds, and %d gave up", sent.Load(), gaveUp.Load())
			}
			start := time.Now()
			if err := c.Wait(t.Context(), page); err != nil || time.Since(start) > 3*time.Second {
				t.Errorf("the next request waited %v; error %v", time.Since(start), err)
			}
		})
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

// A starts is an http.RoundTripper that records when the pages of a site are requested.
type starts struct {
	mu     sync.Mutex
	robots string
	status func(n int) (status int, retryAfter string) // the answer to the n-th request for a page; nil for 200
	times  []time.Duration                             // when pages were requested, since zero
	zero   time.Time
}

func (s *starts) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Path == "/robots.txt" {
		return responds(200, s.robots)(req)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = append(s.times, time.Since(s.zero).Round(time.Millisecond))
	if s.status == nil {
		return responds(200, "")(req)
	}
	status, after := s.status(len(s.times))
	return responds(status, "", "Retry-After", after)(req)
}

// crawl sends n requests through each transport, all at the same time.
func (s *starts) crawl(t *testing.T, n int, transports ...*robotshttp.Transport) {
	t.Helper()
	s.zero = time.Now()
	var group sync.WaitGroup
	for _, tr := range transports {
		for range n {
			group.Go(func() {
				resp, err := (&http.Client{Transport: tr}).Get("https://example.com/")
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
			})
		}
	}
	group.Wait()
}

// wantTimes checks that the requests started at the given times, or up to a tenth later, and
// that the gaps between them are not shorter.
func (s *starts) wantTimes(t *testing.T, want ...time.Duration) {
	t.Helper()
	ok := len(s.times) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = s.times[i] >= want[i] && s.times[i] <= want[i]*11/10
		if i > 0 {
			ok = ok && s.times[i]-s.times[i-1] >= min(want[i]-want[i-1], want[i])
		}
	}
	if !ok {
		t.Errorf("starts at %v, want %v", s.times, want)
	}
}

// If a request's context ends while the Store stalls, this is not an error of the Store.
func TestPaceOfCancelled(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
		process := fleet(1, s, store)
		get(t, process[0].Cache, page)
		store.fail(nil, time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, "GET", "https://example.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = process[0].RoundTrip(req)
		if n := process[0].Cache.Stats().StoreErrors; !errors.Is(err, context.DeadlineExceeded) || n != 0 {
			t.Errorf("error %v, want a timeout; %d errors of the Store, want 0", err, n)
		}
	})
}

// After a response with Retry-After, all Transports of the Cache wait.
func TestRetryAfterOfPages(t *testing.T) {
	for _, test := range []struct {
		name     string
		status   int
		after    string
		min, max time.Duration
		want     []time.Duration // when three requests start, one after the other
	}{
		{"429", 429, "30", 0, 0, []time.Duration{0, 30 * time.Second, 30 * time.Second}},
		{"503", 503, "30", 0, 0, []time.Duration{0, 30 * time.Second, 30 * time.Second}},
		{"a date", 503, "Sat, 01 Jan 2000 00:00:30 GMT", 0, 0, []time.Duration{0, 30 * time.Second, 30 * time.Second}},
		{"a day", 503, "86400", 0, 0, []time.Duration{0, time.Minute, time.Minute}},
		{"a day, with a MaxDelay", 503, "86400", 0, time.Hour, []time.Duration{0, time.Hour, time.Hour}},
		{"with a MinDelay", 429, "30", 10 * time.Second, 0, []time.Duration{0, 30 * time.Second, 40 * time.Second}},
		{"another status", 500, "30", 0, 0, []time.Duration{0, 0, 0}},
		{"no Retry-After", 429, "", 0, 0, []time.Duration{0, 10 * time.Second, 10 * time.Second}},
		{"in the past", 429, "Fri, 31 Dec 1999 00:00:30 GMT", 0, 0, []time.Duration{0, 10 * time.Second, 10 * time.Second}},
		{"now", 503, "Sat, 01 Jan 2000 00:00:00 GMT", 0, 0, []time.Duration{0, 10 * time.Second, 10 * time.Second}},
		{"zero", 429, "0", 0, 0, []time.Duration{0, 10 * time.Second, 10 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &starts{status: func(n int) (int, string) {
					if n == 1 {
						return test.status, test.after
					}
					return 200, ""
				}}
				tr := robotshttp.NewTransport("FooBot", s)
				tr.Cache.MinDelay, tr.Cache.MaxDelay = test.min, test.max
				other := &robotshttp.Transport{Cache: tr.Cache, Base: s}
				start := time.Now()
				for range 3 {
					s.zero = start
					resp, err := (&http.Client{Transport: other}).Get("https://example.com/")
					if err != nil {
						t.Fatal(err)
					}
					resp.Body.Close()
					tr, other = other, tr
				}
				s.wantTimes(t, test.want...)
			})
		})
	}
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		name     string
		robots   string
		min, max time.Duration
		want     time.Duration // between two requests
	}{
		{"within the bounds", "Crawl-delay: 10", 0, time.Minute, 10 * time.Second},
		{"a fraction of a second", "Crawl-delay: 0.5", 0, time.Minute, time.Second / 2},
		{"too long", "Crawl-delay: 86400", 0, time.Minute, time.Minute},
		{"too short", "Crawl-delay: 1", 5 * time.Second, time.Minute, 5 * time.Second},
		{"no crawl-delay", "Allow: /", 5 * time.Second, time.Minute, 5 * time.Second},
		{"no crawl-delay, no MinDelay", "Allow: /", 0, time.Minute, 0},
		{"by default at most half a minute", "Crawl-delay: 40", 0, 0, 30 * time.Second},
		{"fixed", "Crawl-delay: 10", time.Second, -1, time.Second},
		{"bounds that conflict", "Crawl-delay: 10", 5 * time.Second, time.Second, 5 * time.Second},
		{"off", "Crawl-delay: 10", 0, -1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{robots: map[string]string{
					"a.example": "User-agent: FooBot\n" + test.robots,
					"b.example": "User-agent: FooBot\n" + test.robots,
				}}
				tr := robotshttp.NewTransport("FooBot", w)
				tr.Cache.MinDelay, tr.Cache.MaxDelay = test.min, test.max
				start := time.Now()
				var group sync.WaitGroup
				for _, host := range []string{"a", "b"} { // each has its own queue
					for range 4 {
						group.Go(func() {
							resp, err := (&http.Client{Transport: tr}).Get("https://" + host + ".example/")
							if err != nil {
								t.Error(err)
								return
							}
							resp.Body.Close()
						})
					}
				}
				group.Wait()
				if got := time.Since(start).Round(time.Millisecond); got != 3*test.want {
					t.Errorf("four requests took %v, want %v", got, 3*test.want)
				}
			})
		})
	}
}

// The new rules also decide if another request has fetched them meanwhile.
func TestRulesChangeForOthersWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{robots: map[string]string{"example.com": "User-agent: *\nCrawl-delay: 90000\n"}}
		tr := robotshttp.NewTransport("FooBot", w)
		tr.Cache.MaxDelay = 48 * time.Hour
		client := &http.Client{Transport: tr}
		if _, err := client.Get(page); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(24*time.Hour, func() {
			w.mu.Lock()
			w.robots["example.com"] = file
			w.mu.Unlock()
			get(t, tr.Cache, page)
		})
		_, err := client.Get(page)
		wantDisallowed(t, err)
	})
}

// The crawl-delay also applies between requests that wait for a new robots.txt.
func TestPaceWhileFetching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sent []time.Time
		base := &web{robots: map[string]string{"example.com": "User-agent: *\nCrawl-delay: 1\n"}}
		tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				time.Sleep(5 * time.Second)
			} else {
				mu.Lock()
				sent = append(sent, time.Now())
				mu.Unlock()
			}
			return base.RoundTrip(req)
		}))
		tr.Cache.MaxDelay = time.Minute
		tr.Cache.MaxFresh = 30 * time.Second
		var group sync.WaitGroup
		for range 60 {
			group.Go(func() {
				if _, err := (&http.Client{Transport: tr}).Get("https://example.com/"); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for i := 1; i < len(sent); i++ {
			if d := sent[i].Sub(sent[i-1]).Round(time.Millisecond); d < time.Second {
				t.Errorf("request %d came %v after the one before, want at least 1s", i, d)
			}
		}
		if d := sent[len(sent)-1].Sub(sent[0]); len(sent) != 60 || d > 2*time.Minute {
			t.Errorf("%d requests in %v, want 60 in at most 2 minutes", len(sent), d)
		}
		time.Sleep(10 * time.Second) // until a renewal in the background has ended
	})
}

// Requests do not wait forever if the file is too large for the cache.
func TestPaceOfFileNeverKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := robotshttp.NewTransport("FooBot", &web{})
		tr.Cache.MinDelay = time.Second
		tr.Cache.MaxBytes = 1
		start := time.Now()
		for range 3 {
			if _, err := (&http.Client{Transport: tr}).Get(page); err != nil {
				t.Error(err)
			}
		}
		if d := time.Since(start); d < 2*time.Second || d > time.Minute {
			t.Errorf("three requests took %v, want at least 2s and at most 1m", d)
		}
	})
}

// When the pacer forgets idle sites, it must not forget a site whose delay still runs.
func TestPaceOfManySites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := robotshttp.NewTransport("FooBot", &web{})
		tr.Cache.MinDelay = time.Minute
		client := &http.Client{Transport: tr}
		start := time.Now()
		for i := range 1000 {
			for _, host := range []string{"example.com", fmt.Sprintf("%d.example", i)} {
				if _, err := client.Get("https://" + host + "/"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := time.Since(start).Round(time.Second); got != 999*time.Minute {
			t.Errorf("1000 requests to a site took %v, want %v", got, 999*time.Minute)
		}
	})
}

// If a function of the caller panics while a request has its turn, the next request gets it.
func TestPanicDuringTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
		tr := robotshttp.NewTransport("FooBot", s)
		s.crawl(t, 1, tr)
		panics := true
		tr.Cache.OnResult = func(context.Context, robotshttp.Result) {
			if panics && time.Since(s.zero) > time.Second {
				panic("out of order")
			}
		}
		func() {
			defer func() { _ = recover() }()
			_ = tr.Cache.Wait(t.Context(), "https://example.com/")
			t.Error("Wait did not panic")
		}()
		panics = false
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := tr.Cache.Wait(ctx, "https://example.com/"); err != nil {
			t.Error(err)
		}
	})
}

// Without Retry-After, a site that is too busy is left alone for 10 seconds, then for 20, and so on, up to
// five minutes, until a response is good. Responses to requests that were already sent do not count.
func TestBusyWithoutRetryAfter(t *testing.T) {
	for _, status := range []int{429, 503} {
		synctest.Test(t, func(t *testing.T) {
			isBusy := true
			s := &starts{status: func(int) (int, string) {
				if isBusy {
					return status, ""
				}
				return 200, ""
			}}
			slow := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
				defer time.Sleep(time.Second) // so that all requests have been sent before there is a response
				return s.RoundTrip(req)
			}))
			s.crawl(t, 5, slow)
			for _, want := range []time.Duration{10, 20, 40, 80, 160, 300, 300} {
				s.times = nil
				s.crawl(t, 1, slow)
				s.wantTimes(t, want*time.Second)
			}
			isBusy = false
			s.crawl(t, 1, slow)
			isBusy = true
			s.crawl(t, 1, slow)
			s.times = nil
			s.crawl(t, 1, slow)
			s.wantTimes(t, 10*time.Second)
		})
	}
}

// A site is forgotten when a request could be sent to it at once, but not during a pause, even if
// there are many other sites or little memory.
func TestPauseIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{status: func(int) (int, string) { return 429, "20" }}
		tr := robotshttp.NewTransport("FooBot", s)
		tr.Cache.MaxBytes = 4_000
		tr.Cache.Supply = func(context.Context, string) *robotstxt.File { return robotstxt.Parse(nil) }
		visit := func(host string) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+".example/", nil)
			_, err := tr.RoundTrip(req)
			return err
		}
		for i := range 10_000 {
			if err := visit(fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if n := tr.Cache.Stats(); n.Entries > 25 {
			t.Errorf("%+v, want at most 25 sites", n)
		}
		if err := visit("9990"); err == nil {
			t.Error("a request was sent during the pause")
		}
		time.Sleep(20 * time.Second)
		if err := visit("9990"); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	})
}
