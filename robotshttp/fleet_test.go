package robotshttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A fleetStore is a Store in memory that is also a Locker and a Pacer.
type fleetStore struct {
	mu     sync.Mutex
	values map[string][]byte
	locks  map[string]time.Time // when locks expire
	next   map[string]time.Time // when the next slots begin
	resume map[string]time.Time // when pauses end
	calls  map[string]int       // number of calls by method
	err    error                // what all methods return
	stall  time.Duration        // how long all methods take
}

func newFleetStore() *fleetStore {
	return &fleetStore{
		values: make(map[string][]byte),
		locks:  make(map[string]time.Time),
		next:   make(map[string]time.Time),
		resume: make(map[string]time.Time),
		calls:  make(map[string]int),
	}
}

// fail makes all calls stall for a time and then return err.
func (s *fleetStore) fail(err error, stall time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.stall = err, stall
}

// enter counts a call of the method op. It stalls and fails as s.fail has set.
func (s *fleetStore) enter(ctx context.Context, op string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[op]++
	stall, err := s.stall, s.err
	if stall > 0 {
		s.mu.Unlock()
		defer s.mu.Lock()
		select {
		case <-time.After(stall):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (s *fleetStore) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if err := s.enter(ctx, "get"); err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.values[key]
	return value, ok, nil
}

func (s *fleetStore) Set(ctx context.Context, key string, value []byte, _ time.Duration) error {
	if err := s.enter(ctx, "set"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = bytes.Clone(value)
	return nil
}

func (s *fleetStore) Lock(ctx context.Context, key string, ttl time.Duration) (func(), bool, error) {
	if err := s.enter(ctx, "lock"); err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.locks[key]) {
		return nil, false, nil
	}
	end := time.Now().Add(ttl)
	s.locks[key] = end
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls["unlock"]++
		if s.locks[key].Equal(end) {
			delete(s.locks, key)
		}
	}, true, nil
}

func (s *fleetStore) Reserve(ctx context.Context, key string, interval time.Duration) (time.Duration, error) {
	if err := s.enter(ctx, "reserve"); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	slot := time.Now()
	if s.resume[key].After(slot) {
		slot = s.resume[key]
	}
	if interval > 0 && s.next[key].After(slot) {
		slot = s.next[key]
	}
	wait := time.Until(slot)
	if interval > 0 && wait == 0 {
		s.next[key] = slot.Add(interval)
	}
	return wait, nil
}

func (s *fleetStore) Pause(ctx context.Context, key string, d time.Duration) error {
	if err := s.enter(ctx, "pause"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := time.Now().Add(d); end.After(s.resume[key]) {
		s.resume[key] = end
	}
	return nil
}

// slowly returns a function that waits for a second before it calls answer.
func slowly(answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		return answer(req)
	}
}

// However many processes need a robots.txt at once, it is requested once, even if it does not
// exist or the server fails.
func TestFleetFetchesOnce(t *testing.T) {
	const processes, sites = 8, 20
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"a file": responds(200, file), "none": responds(404, ""), "failures": down,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, store := &server{answer: slowly(answer)}, newFleetStore()
				var group sync.WaitGroup
				start := time.Now()
				for range processes {
					c := withStore(s, store)
					for i := range sites {
						group.Go(func() { get(t, c, fmt.Sprintf("https://%d.example/", i)) })
					}
				}
				group.Wait()
				if n := s.requests.Load(); n != sites {
					t.Errorf("%d requests, want %d", n, sites)
				}
				if d := time.Since(start); d > 2*time.Second {
					t.Errorf("the last Get took %v, want at most 2s", d)
				}
				if len(store.locks) != 0 {
					t.Errorf("%d locks are left, want 0", len(store.locks))
				}
			})
		})
	}
}

// If a process dies while it fetches, the others wait until its lock expires.
func TestLockHolderDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		if _, ok, err := store.Lock(t.Context(), location, 5*time.Second); !ok || err != nil {
			t.Fatal(ok, err)
		}
		start := time.Now()
		wantOutcome(t, withStore(s, store), robotshttp.Fetched, false)
		if d := time.Since(start); d < 5*time.Second || d > 6*time.Second {
			t.Errorf("fetched after %v, want 5s to 6s", d)
		}
	})
}

// A lock that never expires delays fetches, but does not prevent them. A caller stops waiting
// when its context ends.
func TestLockWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		if _, ok, err := store.Lock(t.Context(), location, 1000*time.Hour); !ok || err != nil {
			t.Fatal(ok, err)
		}
		c := withStore(s, store)
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Get(ctx, page); err == nil || time.Since(start) != time.Second {
			t.Errorf("Get ended after %v, want 1s; error %v", time.Since(start), err)
		}
		wantOutcome(t, c, robotshttp.Fetched, false)
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("fetched after %v, want at most 30s", d)
		}
	})
}

// If Lock fails and the server fails, too, the file in the Store is used.
func TestLockFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		wantOutcome(t, withStore(s, store), robotshttp.Fetched, false)
		time.Sleep(24 * time.Hour)
		s.answer = down
		c := withStore(s, brokenLocker{store})
		c.Logger = slog.New(slog.DiscardHandler)
		wantOutcome(t, c, robotshttp.Stale, false)
	})
}

// A brokenLocker is a fleetStore whose Lock fails.
type brokenLocker struct{ *fleetStore }

func (brokenLocker) Lock(context.Context, string, time.Duration) (func(), bool, error) {
	return nil, false, errDown
}

// Files are fetched even if the Store fails, stalls or is slow, with little delay.
func TestFleetStoreFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		stall time.Duration
		most  time.Duration
	}{
		{"gone", errDown, 0, 0},
		{"stalls", nil, time.Hour, 2 * time.Second},
		{"slow", nil, 400 * time.Millisecond, 1300 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, store := &server{answer: responds(200, file)}, newFleetStore()
				store.fail(test.err, test.stall)
				c := withStore(s, store)
				c.Logger = slog.New(slog.DiscardHandler)
				start := time.Now()
				wantOutcome(t, c, robotshttp.Fetched, false)
				if d := time.Since(start); d > test.most {
					t.Errorf("fetched after %v, want at most %v", d, test.most)
				}
				time.Sleep(time.Hour)
				store.fail(nil, 0) // the Store works again and must be used
				get(t, c, "https://other.example/")
				wantStored := withStore(&server{answer: down}, store)
				if r := get(t, wantStored, "https://other.example/"); r.Outcome != robotshttp.Cached {
					t.Errorf("outcome %q, want %q", r.Outcome, robotshttp.Cached)
				}
			})
		})
	}
}

// If Lock succeeds only after its time limit, the lock is released at once.
func TestLateLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := lateLocker{newFleetStore()}
		c := withStore(&server{answer: responds(200, file)}, store)
		c.Logger = slog.New(slog.DiscardHandler)
		wantOutcome(t, c, robotshttp.Fetched, false)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if len(store.locks) != 0 || store.calls["unlock"] < 1 {
			t.Errorf("%d locks are left, want 0", len(store.locks))
		}
	})
}

// A lateLocker takes two seconds to lock, even if its context ends earlier.
type lateLocker struct{ *fleetStore }

func (l lateLocker) Lock(ctx context.Context, key string, ttl time.Duration) (func(), bool, error) {
	time.Sleep(2 * time.Second)
	return l.fleetStore.Lock(context.WithoutCancel(ctx), key, ttl)
}

// A stuckStore is a Store whose methods ignore their contexts. They return when the channel
// until is closed.
type stuckStore struct{ until chan struct{} }

func (s stuckStore) Get(context.Context, string) ([]byte, bool, error) {
	<-s.until
	return nil, false, nil
}

func (s stuckStore) Set(context.Context, string, []byte, time.Duration) error {
	<-s.until
	return nil
}

// A fetch waits at most two seconds for the Store, and only a tenth of a second for Set.
func TestStoreStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := stuckStore{make(chan struct{})}
		defer close(stuck.until)
		for name, store := range map[string]robotshttp.Store{"obeys its context": &faultyStore{hangs: true}, "stuck": stuck} {
			c := withStore(&server{answer: responds(200, file)}, store)
			c.Logger = slog.New(slog.DiscardHandler)
			start := time.Now()
			wantOutcome(t, c, robotshttp.Fetched, false)
			if d := time.Since(start); d != 2*time.Second {
				t.Errorf("%s: fetched after %v, want 2s", name, d)
			}
		}
		c := withStore(&server{answer: responds(200, file)}, &slowSetStore{})
		c.Logger = slog.New(slog.DiscardHandler)
		start := time.Now()
		wantOutcome(t, c, robotshttp.Fetched, false)
		if d := time.Since(start); d > 100*time.Millisecond {
			t.Errorf("Set stalls: fetched after %v, want at most 100ms", d)
		}
		time.Sleep(2 * time.Second) // until the context of Set has ended
	})
}

// A slowSetStore is an empty Store whose Set stalls until its context ends.
type slowSetStore struct{ faultyStore }

func (s *slowSetStore) Set(ctx context.Context, _ string, _ []byte, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
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

// Two Transports that share a Cache obey the crawl-delay of a site together.
func TestPaceIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
		one := robotshttp.NewTransport("FooBot", s)
		one.Cache.MaxDelay = time.Minute
		two := &robotshttp.Transport{Cache: one.Cache, Base: s}
		s.crawl(t, 2, one, two)
		s.wantTimes(t, 0, 10*time.Second, 20*time.Second, 30*time.Second)
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

func TestFleetPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
		s.crawl(t, 2, fleet(3, s, newFleetStore())...)
		s.wantTimes(t, 0, 10*time.Second, 20*time.Second, 30*time.Second, 40*time.Second, 50*time.Second)
	})
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
		if calls := store.calls["reserve"]; len(s.times) != 1 || calls != 4 {
			t.Errorf("%d calls of Reserve, want 4; starts at %v, want one", calls, s.times)
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

// Requests that cannot wait for their turn do not delay other requests.
func TestPaceOfImpatient(t *testing.T) {
	for _, store := range []robotshttp.Store{nil, newFleetStore()} {
		synctest.Test(t, func(t *testing.T) {
			s := &starts{robots: "User-agent: *\nCrawl-delay: 10\n"}
			process := fleet(1, s, store)
			s.crawl(t, 1, process...)
			for range 50 {
				hasty := &http.Client{Transport: process[0], Timeout: time.Second}
				_, err := hasty.Get("https://example.com/")
				var timeout interface{ Timeout() bool }
				if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
					t.Fatal(err)
				}
			}
			s.times = nil
			s.crawl(t, 1, process...)
			s.wantTimes(t, 10*time.Second)
		})
	}
}

// If a request's context ends while the Store stalls, this is not an error of the Store.
func TestPaceOfCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		{"no Retry-After", 429, "", 0, 0, []time.Duration{0, 0, 0}},
		{"in the past", 429, "Fri, 31 Dec 1999 00:00:30 GMT", 0, 0, []time.Duration{0, 0, 0}},
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

// A Retry-After that is zero, malformed or in the past does not pause the site in the Store.
func TestNoPause(t *testing.T) {
	for after, want := range map[string]int{"30": 1, "1": 1, "0": 0, "-1": 0, "soon": 0, "Fri, 31 Dec 1999 23:59:59 GMT": 0} {
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
