package robotshttp_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace/pacetest"
)

// virtually runs a test in virtual time. It ends when the calls of a Store in the background have ended.
func virtually(t *testing.T, test func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) })
		test(t)
	})
}

// If the process that fetches a file dies, one other process fetches the file when the lock
// has expired, and the rest wait for that process.
func TestDeadHolder(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &server{answer: slowly(responds(200, file))}, newFleetStore()
		hung := withStore(&server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Hour) // stands for a process that has died
			return nil, errDown
		}}, store)
		go hung.Get(t.Context(), page)
		synctest.Wait()
		start := time.Now()
		var group sync.WaitGroup
		for range 7 {
			time.Sleep(10 * time.Millisecond)
			group.Go(func() { get(t, withStore(s, store), page) })
		}
		group.Wait()
		if n := s.requests.Load(); n != 1 || time.Since(start) > 20*time.Second {
			t.Errorf("%d fetches in %v, want 1 in at most 20s", n, time.Since(start))
		}
		time.Sleep(2 * time.Hour)
	})
}

// If a process waits for the fetch of another, this is not a failure of the Store, even if the
// Store is far away and the fetch is slow.
func TestSlowFetchAndFarStore(t *testing.T) {
	for _, latency := range []time.Duration{0, 15 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond} {
		virtually(t, func(t *testing.T) {
			s, store := &server{answer: func(req *http.Request) (*http.Response, error) {
				time.Sleep(9 * time.Second)
				return responds(200, file)(req)
			}}, newFleetStore()
			store.fail(nil, latency)
			getFromAll(t, s, store)
			if n := s.requests.Load(); n != 1 {
				t.Errorf("with a latency of %v: %d fetches, want 1", latency, n)
			}
		})
	}
}

// getFromAll gets the same file in 8 processes that share a Store, at the same time. No call
// of the Store may fail.
func getFromAll(t *testing.T, s *server, store *fleetStore) {
	t.Helper()
	var group sync.WaitGroup
	for range 8 {
		c := withStore(s, store)
		group.Go(func() {
			get(t, c, page)
			if n := c.Stats().StoreErrors; n != 0 {
				t.Errorf("%d errors of the Store, want 0", n)
			}
		})
	}
	group.Wait()
}

// A call of the Store that takes too long is tried once more, because this process may have
// stalled.
func TestStarvedOnce(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		store.fail(nil, time.Hour)
		time.AfterFunc(900*time.Millisecond, func() { store.fail(nil, 0) })
		getFromAll(t, s, store)
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d fetches, want 1", n)
		}
	})
}

// A Store that is down delays the first fetch for two seconds, and later fetches not at all.
func TestStoreIsLeftAlone(t *testing.T) {
	virtually(t, func(t *testing.T) {
		c := withStore(&server{answer: responds(200, file)}, &faultyStore{hangs: true})
		c.Logger = slog.New(slog.DiscardHandler)
		start := time.Now()
		get(t, c, "https://first.example/")
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("the first fetch took %v, want 2s", d)
		}
		start = time.Now()
		for i := range 100 {
			get(t, c, fmt.Sprintf("https://%d.example/", i))
		}
		if d := time.Since(start); d > 0 {
			t.Errorf("the next 100 fetches took %v, want 0", d)
		}
		time.Sleep(time.Minute)
	})
}

// If giving a lease back panics, this counts as a failure of the Store.
func TestGivingBackPanics(t *testing.T) {
	c := withStore(&server{answer: responds(200, file)}, panickyReturn{newFleetStore()})
	c.Logger = slog.New(slog.DiscardHandler)
	wantOutcome(t, c, robotshttp.Fetched, false)
	if n := c.Stats().StoreErrors; n != 1 {
		t.Errorf("%d errors of the Store, want 1", n)
	}
}

type panickyReturn struct{ *fleetStore }

func (s panickyReturn) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	if r.For == 0 {
		panic("give back")
	}
	return s.fleetStore.Lease(ctx, key, r)
}

// While the Store fails, the log gets a line a minute, however many calls fail. Stats counts the
// calls that fail, but not those that are left out because the Store has stalled.
func TestStoreOutage(t *testing.T) {
	for name, fault := range map[string]struct {
		err   error
		stall time.Duration
	}{"fails": {errDown, 0}, "stalls": {nil, time.Hour}} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				var log bytes.Buffer
				s, store := &starts{robots: "User-agent: *\nCrawl-delay: 1\n"}, newFleetStore()
				tr := fleet(1, s, store)[0]
				tr.Cache.Logger = slog.New(slog.NewTextHandler(&log, nil))
				s.crawl(t, 10, tr)
				if n := tr.Cache.Stats().StoreErrors; log.Len() > 0 || n != 0 {
					t.Errorf("%d calls failed, want 0; logged %s", n, &log)
				}
				store.fail(fault.err, fault.stall)
				s.crawl(t, 90, tr)
				synctest.Wait()
				if n := strings.Count(log.String(), `level=WARN msg="robots.txt store fails" op=lease`); n < 2 || n > 3 || strings.Count(log.String(), "\n") != n {
					t.Errorf("logged\n%s\nwant a line a minute", &log)
				}
				failed := tr.Cache.Stats().StoreErrors
				store.fail(nil, 0)
				s.crawl(t, 30, tr)
				if n := tr.Cache.Stats().StoreErrors; failed < 20 || n > failed+1 {
					t.Errorf("%d calls failed during the outage, and %d after it", failed, n-failed)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// A fleetStore is a Lender in memory.
type fleetStore struct {
	mu     sync.Mutex
	values map[string][]byte
	sites  pacetest.Fleet
	calls  map[string]int // number of calls: get, set, lease, and pause for those that only tell of a pause
	err    error          // what all methods return
	stall  time.Duration  // how long all methods take
}

func newFleetStore() *fleetStore {
	return &fleetStore{values: make(map[string][]byte), calls: make(map[string]int)}
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

func (s *fleetStore) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	op := "lease"
	if r.Holder == "" && r.Pause > 0 {
		op = "pause"
	}
	if err := s.enter(ctx, op); err != nil {
		return robotshttp.Lease{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return robotshttp.Lease(s.sites.Lease(time.Now(), key, pace.Request(r))), nil
}

// count returns how often a method was called.
func (s *fleetStore) count(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[op]
}

// fetcher returns which Cache has the lease to fetch the file of page, or "".
func (s *fleetStore) fetcher() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sites.Holder(time.Now(), fetchKey)
}

// fetchKey is the key of the lease for a fetch of the file of page.
const fetchKey = location + "#fetch"

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
			virtually(t, func(t *testing.T) {
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
				for i := range sites {
					if holder := store.sites.Holder(time.Now(), fmt.Sprintf("https://%d.example/robots.txt#fetch", i)); holder != "" {
						t.Errorf("%s still has the lease of site %d", holder, i)
					}
				}
			})
		})
	}
}

// A lease that never ends delays fetches, but does not prevent them. A caller stops waiting
// when its context ends.
func TestLeaseWithoutEnd(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		if l, err := store.Lease(t.Context(), fetchKey, robotshttp.LeaseRequest{Holder: "x", For: 1000 * time.Hour}); !l.Held || err != nil {
			t.Fatal(l, err)
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

// If Lease fails and the server fails, too, the file in the Store is used.
func TestLeaseFails(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		wantOutcome(t, withStore(s, store), robotshttp.Fetched, false)
		time.Sleep(24 * time.Hour)
		s.answer = down
		c := withStore(s, brokenLender{store})
		c.Logger = slog.New(slog.DiscardHandler)
		wantOutcome(t, c, robotshttp.Stale, false)
	})
}

// A brokenLender is a fleetStore whose Lease fails.
type brokenLender struct{ *fleetStore }

func (brokenLender) Lease(context.Context, string, robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	return robotshttp.Lease{}, errDown
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
			virtually(t, func(t *testing.T) {
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

// If Lease succeeds only after its time limit, the lease ends by itself after a fetch could have ended.
func TestLateLease(t *testing.T) {
	virtually(t, func(t *testing.T) {
		store := lateLender{newFleetStore()}
		c := withStore(&server{answer: responds(200, file)}, store)
		c.Logger = slog.New(slog.DiscardHandler)
		wantOutcome(t, c, robotshttp.Fetched, false)
		time.Sleep(15 * time.Second)
		if holder := store.fetcher(); holder != "" {
			t.Errorf("%q still has the lease", holder)
		}
	})
}

// A lateLender takes two seconds to lend, even if its context ends earlier.
type lateLender struct{ *fleetStore }

func (l lateLender) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	time.Sleep(2 * time.Second)
	return l.fleetStore.Lease(context.WithoutCancel(ctx), key, r)
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
	virtually(t, func(t *testing.T) {
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

// A call that is too slow does not stop other calls if one has succeeded meanwhile, because then
// this process was starved, and not the Store.
func TestStoreIsNotLeftAlone(t *testing.T) {
	virtually(t, func(t *testing.T) {
		store := &slowKey{newFleetStore()}
		c := withStore(&server{answer: responds(200, file)}, store)
		c.Logger = slog.New(slog.DiscardHandler)
		time.AfterFunc(1500*time.Millisecond, func() { get(t, c, "https://other.example/") })
		wantOutcome(t, c, robotshttp.Fetched, false) // after two seconds
		before := store.count("get")
		get(t, c, "https://third.example/")
		if n := c.Stats().StoreErrors; n != 1 || store.count("get") == before {
			t.Errorf("%d errors of the Store, want 1; it was not used afterwards: %t", n, store.count("get") == before)
		}
		time.Sleep(time.Hour)
	})
}

// A slowKey is a fleetStore that is too slow to get the file of one site.
type slowKey struct{ *fleetStore }

func (s *slowKey) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if key == location {
		<-ctx.Done()
		return nil, false, ctx.Err()
	}
	return s.fleetStore.Get(ctx, key)
}
