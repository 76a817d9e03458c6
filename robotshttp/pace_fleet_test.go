package robotshttp_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

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
		if n := store.calls["reserve"]; n > 100 {
			t.Errorf("the Pacer was called %d times in 70 seconds, want about one call a second", n)
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
	synctest.Test(t, func(t *testing.T) {
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

// An impossible wait from a Pacer is ignored.
func TestPacerSpeaksNonsense(t *testing.T) {
	for _, wait := range []time.Duration{-1, 1 << 62} {
		synctest.Test(t, func(t *testing.T) {
			s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
			s.crawl(t, 3, fleet(1, s, madPacer{newFleetStore(), wait})...)
			s.wantTimes(t, 0, 10*time.Second, 20*time.Second)
		})
	}
}

// A madPacer is a fleetStore whose Reserve always returns the same wait.
type madPacer struct {
	*fleetStore
	wait time.Duration
}

func (m madPacer) Reserve(context.Context, string, time.Duration) (time.Duration, error) {
	return m.wait, nil
}

// A Retry-After that is zero or in the past does not pause the site in the Store. A malformed one counts
// as none.
func TestNoPause(t *testing.T) {
	for after, want := range map[string]int{"30": 1, "1": 1, "0": 0, "": 1, "-1": 1, "soon": 1, "Fri, 31 Dec 1999 23:59:59 GMT": 0} {
		synctest.Test(t, func(t *testing.T) {
			s := &starts{status: func(int) (int, string) { return 429, after }}
			store := newFleetStore()
			s.crawl(t, 1, fleet(1, s, store)...)
			synctest.Wait()
			if got := store.calls["pause"]; got != want {
				t.Errorf("Retry-After %q: %d pauses, want %d", after, got, want)
			}
		})
	}
}

// A pause also delays requests that are already waiting, and requests of other processes.
// After the pause, they obey the crawl-delay.
func TestRetryAfterWhileWaiting(t *testing.T) {
	for processes := 1; processes <= 2; processes++ {
		synctest.Test(t, func(t *testing.T) {
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

func (d distant) Reserve(ctx context.Context, key string, interval time.Duration) (time.Duration, error) {
	there, back := d.trip()
	time.Sleep(there)
	wait, err := d.fleetStore.Reserve(ctx, key, interval)
	time.Sleep(back)
	return wait, err
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
						return // ctx ends before the next slot
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
		synctest.Test(t, func(t *testing.T) {
			store := newFleetStore()
			var stores []robotshttp.Store
			for _, ms := range distances {
				stores = append(stores, distant{store, roundTrip(ms)})
			}
			pages, gaps := crawlFor(t, 1000*time.Second, stores...)
			if least, most := slices.Min(pages), slices.Max(pages); most > 2*least {
				t.Errorf("round trips of %d ms: the processes requested %d pages", distances, pages)
			}
			if least := slices.Min(gaps); least < 980*time.Millisecond || len(gaps) < 950 {
				t.Errorf("round trips of %d ms: %d requests, want 950; smallest gap %v, want 980ms", distances, len(gaps), least)
			}
		})
	}
}

// If the duration of calls varies, the fleet wastes few slots.
func TestVaryingDistance(t *testing.T) {
	for _, ms := range [][]int{{5, 5, 60}, {30, 60, 90}} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			_, gaps := crawlFor(t, 1000*time.Second, distant{newFleetStore(), func() (there, back time.Duration) {
				n++
				return roundTrip(ms[n%len(ms)])()
			}})
			if len(gaps) < 900 {
				t.Errorf("round trips of %d ms: %d requests in 1000 seconds, want at least 900", ms, len(gaps))
			}
		})
	}
}

// If a call of the Pacer takes much longer than usual, it is unknown when the slot begins, and the slot
// stays empty. If all calls take that long, slots are used.
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
			synctest.Test(t, func(t *testing.T) {
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
				if least := slices.Min(gaps); least < 980*time.Millisecond || len(gaps) < 600 {
					t.Errorf("%d requests, want at least 600; smallest gap %v, want 980ms", len(gaps), least)
				}
			})
		})
	}
}

// If a delay is shorter than a call of the Pacer, or ends while requests wait, requests are sent, and
// each asks the Pacer only a few times.
func TestShortDelay(t *testing.T) {
	for _, robots := range []string{"User-agent: *\nCrawl-delay: 0.001\n", "User-agent: *\nCrawl-delay: 0.000000001\n", ""} {
		synctest.Test(t, func(t *testing.T) {
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
			if n := store.calls["reserve"]; n > 100 || time.Since(start) > 15*time.Second {
				t.Errorf("%q: 20 requests called Reserve %d times; the last was sent after %v", robots, n, time.Since(start))
			}
		})
	}
}

// A process that dies before its turn costs the fleet one slot of each site. So does a request that
// cannot wait for its slot, if the process does not send another.
func TestUnusedSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
		processes := fleet(2, s, store)
		s.crawl(t, 1, processes[1])
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := processes[0].Cache.Wait(ctx, "https://example.com/"); err == nil {
				t.Error("no error, want a WaitError")
			}
		}
		s.times, s.zero = nil, time.Now()
		s.crawl(t, 1, processes[1])
		s.wantTimes(t, 20*time.Second)
	})
}

// A process that sleeps through its slot takes another one, and sends nothing outside of its slots.
func TestMissedSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
		processes := fleet(2, s, store)
		s.zero = time.Now()
		asked := 0
		processes[0].Cache.OnResult = func(context.Context, robotshttp.Result) {
			if asked++; asked == 2 { // after the wait for the slot at 10s
				time.Sleep(5 * time.Second)
			}
		}
		s.crawl(t, 1, processes[1])
		s.crawl(t, 1, processes[0])
		if len(s.times) != 2 || s.times[1] < 20*time.Second {
			t.Errorf("starts at %v, want the second in the slot that begins after 20s", s.times)
		}
	})
}

// Without a delay, a process asks the Pacer at most once a second, and so obeys the pause of another
// process after a second.
func TestPauseWithoutDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		if n := store.calls["reserve"]; n > 11 {
			t.Errorf("100 requests in 10 seconds asked the Pacer %d times, want at most 11", n)
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

// A request without a delay does not wait for those with a delay in order to ask for a pause.
func TestAskBesideTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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

// A pause reaches the requests of other processes that already have a slot.
func TestPauseOfReservedSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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

// A process whose checks are slow uses its slots, because it checks a request before the slot begins.
// If the checks are very slow, it misses some slots, but not all.
func TestSlowChecks(t *testing.T) {
	for check, last := range map[time.Duration]time.Duration{
		100 * time.Millisecond: 30 * time.Second,
		3 * time.Second:        40 * time.Second,
		8 * time.Second:        90 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
			tr := fleet(1, s, store)[0]
			tr.Cache.OnResult = func(context.Context, robotshttp.Result) { time.Sleep(check) }
			s.crawl(t, 3, tr)
			if n := store.calls["reserve"]; s.times[2] > last || n > 10 {
				t.Errorf("checks take %v: starts at %v, want the last within %v; %d calls of Reserve", check, s.times, last, n)
			}
		})
	}
}

// If the Pacer fails while a request waits for its slot, the slot still counts.
func TestSlotOutlivesPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}, newFleetStore()
		processes := fleet(2, s, store)
		s.crawl(t, 1, processes[1])
		time.AfterFunc(5*time.Second, func() { store.fail(errDown, 0) })
		s.times = nil
		s.crawl(t, 1, processes[0])
		s.wantTimes(t, 10*time.Second)
	})
}
