package robotshttp_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// With WaitForStore, requests wait while the Store fails, but only until their contexts end.
func TestWaitForStore(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 1\n"}, newFleetStore()
		tr := fleet(1, s, store)[0]
		tr.Cache.WaitForStore = true
		s.crawl(t, 1, tr)
		time.Sleep(2 * time.Second) // until the process has given the site back
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
		if n := store.count("lease"); n > 100 {
			t.Errorf("the Store was called %d times in 70 seconds, want about one call a second", n)
		}
		if len(s.times) != 3 || s.times[0] < time.Minute || s.times[0] > time.Minute+2*time.Second {
			t.Errorf("starts at %v, want three, the first after a minute", s.times)
		}
	})
}

// fleet returns the Transports of n processes that share a Store.
func fleet(n int, s *starts, store robotshttp.Store) []*robotshttp.Transport {
	transports := make([]*robotshttp.Transport, n)
	for i := range transports {
		tr := robotshttp.NewTransport("FooBot", s)
		tr.Cache.Store, tr.Cache.Logger, tr.Cache.MaxDelay = store, slog.New(slog.DiscardHandler), time.Minute
		transports[i] = tr
	}
	return transports
}

// While the Store fails, each process obeys the crawl-delay on its own, counting from its
// last request.
func TestFleetPaceWithoutStore(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
		process := fleet(1, s, store)
		s.crawl(t, 1, process...)
		store.fail(errDown, 0)
		s.times = nil
		s.crawl(t, 2, process...)
		s.wantTimes(t, 10*time.Second, 20*time.Second)
		store.fail(nil, 0)
		s.times = nil
		s.crawl(t, 1, process...)
		if len(s.times) != 1 || process[0].Cache.Stats().StoreErrors == 0 {
			t.Errorf("starts at %v, want one; stats %+v", s.times, process[0].Cache.Stats())
		}
	})
}

// While the Store fails, the processes of a fleet share a site, and few requests are early.
func TestFleetSharesWithoutStore(t *testing.T) {
	for name, fault := range map[string]func(*fleetStore){
		"down":    func(s *fleetStore) { s.fail(errDown, 0) },
		"stalled": func(s *fleetStore) { s.fail(nil, time.Hour) },
	} {
		virtually(t, func(t *testing.T) {
			store := newFleetStore()
			time.AfterFunc(100*time.Second, func() { fault(store) })
			time.AfterFunc(400*time.Second, func() { store.fail(nil, 0) })
			var stores []robotshttp.Store
			for ms := range 5 {
				stores = append(stores, distant{store, roundTrip(ms)})
			}
			pages, gaps := crawlFor(t, 500*time.Second, stores...)
			short := 0
			for _, gap := range gaps {
				if gap < time.Second {
					short++
				}
			}
			if least := slices.Min(pages); len(gaps) < 400 || least < 70 || short > 10 {
				t.Errorf("%s: %d pages in 500 seconds, want 400, %d of them early; the processes requested %d pages", name, len(gaps), short, pages)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}

// A Store with impossible times has failed: each process delays only its own requests. A Store that always
// says so does not delay them further.
func TestStoreWithImpossibleTimes(t *testing.T) {
	for _, l := range []robotshttp.Lease{
		{Held: true, Next: -1}, {Held: true, Next: 1 << 62}, {Held: true, Pause: -1 << 62}, {Held: true, Again: -1},
		{Next: 365 * 24 * time.Hour}, {Held: true, Pause: 1 << 62},
	} {
		virtually(t, func(t *testing.T) {
			s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
			store := &madLender{fleetStore: newFleetStore(), answer: l}
			time.AfterFunc(5*time.Minute, func() { store.isWell.Store(true) })
			tr := fleet(1, s, store)[0]
			s.crawl(t, 3, tr)
			s.wantTimes(t, 0, 10*time.Second, 20*time.Second)
			if tr.Cache.Stats().StoreErrors == 0 {
				t.Errorf("%+v: no errors of the Store", l)
			}
			time.Sleep(5 * time.Minute)
			s.times = nil
			s.crawl(t, 3, tr)
			s.wantTimes(t, 0, 10*time.Second, 20*time.Second)
		})
	}
}

// A Store that lets a process wait for ever does so only until it is right again.
func TestStoreThatSaysAgain(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
		store := &madLender{fleetStore: newFleetStore(), answer: robotshttp.Lease{Again: 1 << 62}}
		time.AfterFunc(5*time.Minute, func() { store.isWell.Store(true) })
		s.crawl(t, 1, fleet(1, s, store)[0])
		if len(s.times) != 1 || s.times[0] > 8*time.Minute {
			t.Errorf("starts at %v, want one within 8 minutes", s.times)
		}
		time.Sleep(time.Minute)
	})
}

// A madLender is a fleetStore that at first gives the same answer to all requests for pages.
type madLender struct {
	*fleetStore
	answer robotshttp.Lease
	isWell atomic.Bool
}

func (m *madLender) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	if !m.isWell.Load() && key == location {
		return m.answer, nil
	}
	return m.fleetStore.Lease(ctx, key, r)
}

// A site that is too busy is paused for the whole fleet, whatever its Retry-After says: a server that
// answers 429 and "0" is not less busy than one that says nothing (ours; RFC 9110, section 10.2.3, does
// not say what 0 means).
func TestBusySiteIsPaused(t *testing.T) {
	for _, after := range []string{"30", "1", "0", "", "-1", "soon", "Fri, 31 Dec 1999 23:59:59 GMT"} {
		virtually(t, func(t *testing.T) {
			s := &starts{status: func(int) (int, string) { return 429, after }}
			store := newFleetStore()
			s.crawl(t, 1, fleet(1, s, store)...)
			synctest.Wait()
			if got := store.count("pause"); got != 1 {
				t.Errorf("Retry-After %q: %d pauses, want 1", after, got)
			}
		})
	}
}

// A pause also delays requests that are already waiting, and requests of other processes.
// After the pause, they obey the crawl-delay.
func TestRetryAfterWhileWaiting(t *testing.T) {
	for processes := 1; processes <= 2; processes++ {
		virtually(t, func(t *testing.T) {
			s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n", status: func(n int) (int, string) {
				if n == 2 {
					return 429, "60"
				}
				return 200, ""
			}}
			transports := fleet(processes, s, newFleetStore())
			s.crawl(t, 4, transports[0])
			s.crawl(t, 1, transports[processes-1])
			if d := s.times[2] - s.times[1]; d != time.Minute {
				t.Errorf("the third request came %v after the second, want 1m", d)
			}
			if d := s.times[3] - s.times[2]; d < 10*time.Second {
				t.Errorf("the fourth request came %v after the third, want at least 10s", d)
			}
		})
	}
}

// A distant is a view of a fleetStore from a process. The function trip returns how long the next
// command takes to reach the Store, and its reply to come back.
type distant struct {
	*fleetStore
	trip func() (there, back time.Duration)
}

func (d distant) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	there, back := d.trip()
	time.Sleep(there)
	l, err := d.fleetStore.Lease(ctx, key, r)
	time.Sleep(back)
	return l, err
}

// roundTrip returns a function that always returns the two halves of a round trip.
func roundTrip(ms int) func() (there, back time.Duration) {
	return func() (there, back time.Duration) {
		half := time.Duration(ms) * time.Millisecond / 2
		return half, half
	}
}

// crawlFor lets processes crawl a site with a delay of a second for a time, each with three
// goroutines. It returns the number of pages of each process, and the gaps between requests.
func crawlFor(t *testing.T, d time.Duration, stores ...robotshttp.Store) (pages []int, gaps []time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	pages = make([]int, len(stores))
	var mu sync.Mutex
	var last time.Time
	var group sync.WaitGroup
	for i, store := range stores {
		tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return responds(404, "")(req)
			}
			mu.Lock()
			defer mu.Unlock()
			if !last.IsZero() {
				gaps = append(gaps, time.Since(last))
			}
			last = time.Now()
			pages[i]++
			return responds(200, "")(req)
		}))
		tr.Cache.Store, tr.Cache.MinDelay, tr.Cache.Logger = store, time.Second, slog.New(slog.DiscardHandler)
		for range 3 {
			group.Go(func() {
				for ctx.Err() == nil {
					req, err := http.NewRequestWithContext(ctx, "GET", page, nil)
					if err != nil {
						t.Error(err)
						return
					}
					if _, err := tr.RoundTrip(req); err != nil {
						return // ctx ends before the next request may start
					}
				}
			})
		}
	}
	group.Wait()
	time.Sleep(time.Minute) // until the last calls of the Store have ended
	return pages, gaps
}

// Processes get about the same share of a site, wherever the Store is, and the requests reach the
// site about as far apart as the delay demands.
func TestFleetIsFair(t *testing.T) {
	for _, distances := range [][]int{{0}, {15}, {1, 3}, {0, 15}, {0, 0, 0, 0, 15, 15, 15, 15}, {2, 2, 2, 2, 2, 2, 2, 6}} {
		virtually(t, func(t *testing.T) {
			store := newFleetStore()
			var stores []robotshttp.Store
			for _, ms := range distances {
				stores = append(stores, distant{store, roundTrip(ms)})
			}
			pages, gaps := crawlFor(t, 1000*time.Second, stores...)
			if least, most := slices.Min(pages), slices.Max(pages); most > 2*least {
				t.Errorf("round trips of %d ms: the processes requested %d pages", distances, pages)
			}
			if least := slices.Min(gaps); least < time.Second || len(gaps) < 950 {
				t.Errorf("round trips of %d ms: %d requests, want 950; smallest gap %v, want 1s", distances, len(gaps), least)
			}
		})
	}
}

// It costs few requests if the duration of calls varies.
func TestVaryingDistance(t *testing.T) {
	for _, ms := range [][]int{{5, 5, 60}, {30, 60, 90}} {
		virtually(t, func(t *testing.T) {
			n := 0
			_, gaps := crawlFor(t, 1000*time.Second, distant{newFleetStore(), func() (there, back time.Duration) {
				n++
				return roundTrip(ms[n%len(ms)])()
			}})
			if len(gaps) < 950 {
				t.Errorf("round trips of %d ms: %d requests in 1000 seconds, want at least 950", ms, len(gaps))
			}
		})
	}
}

// It costs few requests if some calls of the Store take much longer than usual, and none is early.
func TestSlowReplies(t *testing.T) {
	for name, trip := range map[string]func(n int) (there, back time.Duration){
		"some": func(n int) (there, back time.Duration) {
			if n%5 == 0 {
				return 0, 300 * time.Millisecond
			}
			return 0, 5 * time.Millisecond
		},
		"two in a row": func(n int) (there, back time.Duration) {
			if n%10 < 2 {
				return 0, 300 * time.Millisecond
			}
			return 0, 5 * time.Millisecond
		},
		"all after a while": func(n int) (there, back time.Duration) {
			if n > 100 {
				return 100 * time.Millisecond, 300 * time.Millisecond
			}
			return 0, 5 * time.Millisecond
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				store := newFleetStore()
				var stores []robotshttp.Store
				for range 3 {
					n := 0
					stores = append(stores, distant{store, func() (there, back time.Duration) {
						n++
						return trip(n)
					}})
				}
				_, gaps := crawlFor(t, 1000*time.Second, stores...)
				if least := slices.Min(gaps); least < time.Second || len(gaps) < 900 {
					t.Errorf("%d requests, want at least 900; smallest gap %v, want 1s", len(gaps), least)
				}
			})
		})
	}
}

// A slow connection costs no requests: a fleet sends as many as a process alone.
func TestSlowConnectionsOfFleet(t *testing.T) {
	for _, connect := range []time.Duration{0, 10 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond} {
		var pages [2]int
		for i, store := range []robotshttp.Store{nil, distant{newFleetStore(), roundTrip(2)}} {
			virtually(t, func(t *testing.T) {
				tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Path == "/robots.txt" {
						return responds(404, "")(req)
					}
					time.Sleep(connect)
					httptrace.ContextClientTrace(req.Context()).WroteHeaders()
					return responds(200, "")(req)
				}))
				tr.Cache.Store, tr.Cache.MinDelay = store, time.Second
				for end := time.Now().Add(1000 * time.Second); time.Now().Before(end); pages[i]++ {
					if _, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil)); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
		if pages[1] < pages[0]*99/100 {
			t.Errorf("connections take %v: %d requests with a fleet, %d without", connect, pages[1], pages[0])
		}
	}
}

// If a delay is shorter than a call of the Store, or ends while requests wait, requests are sent, and
// each asks the Store only a few times.
func TestShortDelay(t *testing.T) {
	for _, robots := range []string{"User-agent: *\nCrawl-delay: 0.001\n", "User-agent: *\nCrawl-delay: 0.000000001\n", ""} {
		virtually(t, func(t *testing.T) {
			store := newFleetStore()
			s := &server{answer: responds(200, "User-agent: *\nCrawl-delay: 1\n")}
			c := withStore(s, distant{store, roundTrip(60)})
			var group sync.WaitGroup
			for range 20 {
				group.Go(func() {
					if err := c.Wait(t.Context(), page); err != nil {
						t.Error(err)
					}
				})
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			s.answer = responds(200, robots)
			c.Forget(page)
			start := time.Now()
			group.Wait()
			if n := store.count("lease"); n > 100 || time.Since(start) > 15*time.Second {
				t.Errorf("%q: 20 requests called Lease %d times; the last was sent after %v", robots, n, time.Since(start))
			}
		})
	}
}

// Requests that cannot wait, and do not come again, cost the other processes nothing.
func TestShortWaits(t *testing.T) {
	for _, timeout := range []time.Duration{time.Nanosecond, time.Millisecond, 5 * time.Millisecond, 50 * time.Millisecond, time.Second} {
		virtually(t, func(t *testing.T) {
			store := distant{newFleetStore(), roundTrip(2)}
			c := withStore(&server{answer: responds(404, "")}, store)
			c.MinDelay = time.Second
			get(t, c, page)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
			defer cancel()
			polled := 0
			go func() {
				for ctx.Err() == nil {
					short, cancel := context.WithTimeout(ctx, timeout)
					if c.Wait(short, page) == nil {
						polled++
					}
					cancel()
					time.Sleep(100 * time.Millisecond)
				}
			}()
			pages, _ := crawlFor(t, 100*time.Second, store)
			if n := pages[0] + polled; n < 90 || pages[0] < 45 {
				t.Errorf("one process waits at most %v, and sends %d requests; the other sends %d, together want 90", timeout, polled, pages[0])
			}
		})
	}
}

// Without a delay, a process asks the Store at most once a second, and so obeys the pause of another
// process after a second.
func TestPauseWithoutDelay(t *testing.T) {
	virtually(t, func(t *testing.T) {
		store := newFleetStore()
		var paused atomic.Bool
		base := roundTripper(func(req *http.Request) (*http.Response, error) {
			switch {
			case req.URL.Path == "/robots.txt":
				return responds(404, "")(req)
			case req.URL.Path == "/busy":
				return responds(429, "", "Retry-After", "30")(req)
			case paused.Load():
				t.Error("a request was sent during the pause")
			}
			return responds(200, "")(req)
		})
		var clients []*http.Client
		for range 2 {
			tr := robotshttp.NewTransport("FooBot", base)
			tr.Cache.Store = store
			clients = append(clients, &http.Client{Transport: tr})
		}
		for range 100 {
			if _, err := clients[0].Get("https://example.com/"); err != nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := store.count("lease"); n > 13 { // with the lease of the file
			t.Errorf("100 requests in 10 seconds asked the Store %d times, want at most 13", n)
		}
		if _, err := clients[1].Get("https://example.com/busy"); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		paused.Store(true)
		time.AfterFunc(28*time.Second, func() { paused.Store(false) })
		start := time.Now()
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if _, err := clients[0].Get("https://example.com/"); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if d := time.Since(start); d < 28*time.Second || d > 33*time.Second {
			t.Errorf("requests were sent %v after the start of the pause, want 29s to 33s", d)
		}
	})
}

// A pause reaches the other processes although the Store fails when it begins.
func TestPauseWhileStoreFails(t *testing.T) {
	for _, delay := range []string{"", "Crawl-delay: 2\n"} {
		virtually(t, func(t *testing.T) {
			store := newFleetStore()
			s := &starts{robots: "User-agent: *\nDisallow: /a\n" + delay, status: func(n int) (int, string) {
				if n == 1 {
					store.fail(errDown, 0)
					time.AfterFunc(3*time.Second/2, func() { store.fail(nil, 0) })
					return 429, "60"
				}
				return 200, ""
			}}
			transports := fleet(2, s, store)
			start := time.Now()
			s.crawl(t, 1, transports[0])
			time.Sleep(5 * time.Second)
			calls := store.count("lease")
			s.crawl(t, 1, transports[1])
			if d := time.Since(start); d < time.Minute {
				t.Errorf("delay %q: the other process sent a request %v after the start of the pause, want 1m", delay, d)
			}
			if n := store.count("lease") - calls; n > 100 {
				t.Errorf("delay %q: %d calls of the Store in the pause", delay, n)
			}
		})
	}
}

// A request without a delay does not wait for those with a delay in order to ask for a pause.
func TestAskBesideTurns(t *testing.T) {
	virtually(t, func(t *testing.T) {
		w := &web{robots: map[string]string{"example.com": "User-agent: SlowBot\nCrawl-delay: 20\n"}}
		tr := robotshttp.NewTransport("FooBot", w)
		tr.Cache.Store = newFleetStore()
		send := func(agent string) {
			req := httptest.NewRequest("GET", "https://example.com/", nil)
			req.Header.Set("User-Agent", agent)
			if _, err := tr.RoundTrip(req); err != nil {
				t.Error(err)
			}
		}
		send("SlowBot/1")
		var group sync.WaitGroup
		group.Go(func() { send("SlowBot/1") })
		time.Sleep(5 * time.Second)
		start := time.Now()
		send("FooBot")
		if d := time.Since(start); d > time.Second {
			t.Errorf("the request without a delay waited %v", d)
		}
		group.Wait()
	})
}

// A pause reaches the requests of other processes that already wait.
func TestPauseOfWaiting(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n", status: func(n int) (int, string) {
			if n == 2 {
				return 429, "60"
			}
			return 200, ""
		}}
		s.crawl(t, 1, fleet(6, s, newFleetStore())...)
		if gap := s.times[2] - s.times[1]; len(s.times) != 6 || gap < time.Minute {
			t.Errorf("starts at %v, want 6 with a pause of a minute after the second", s.times)
		}
		for i := 3; i < len(s.times); i++ {
			if gap := s.times[i] - s.times[i-1]; gap < 10*time.Second {
				t.Errorf("starts at %v, want gaps of at least 10s", s.times)
			}
		}
	})
}

// Slow checks delay requests by their own time, and cost no more than that.
func TestSlowChecks(t *testing.T) {
	for _, check := range []time.Duration{100 * time.Millisecond, 3 * time.Second, 8 * time.Second} {
		virtually(t, func(t *testing.T) {
			s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
			tr := fleet(1, s, store)[0]
			tr.Cache.OnResult = func(context.Context, robotshttp.Result) { time.Sleep(check) }
			s.crawl(t, 3, tr)
			if last := 20*time.Second + 4*check; s.times[2] > last {
				t.Errorf("checks take %v: starts at %v, want the last within %v", check, s.times, last)
			}
		})
	}
}
