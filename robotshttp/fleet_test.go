package robotshttp_test

import (
	"bytes"
	"context"
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
	locks  map[string]time.Time // when they end
	next   map[string]time.Time // the next free slots
	calls  map[string]int
	err    error         // of all calls
	stall  time.Duration // of all calls
}

func newFleetStore() *fleetStore {
	return &fleetStore{
		values: make(map[string][]byte),
		locks:  make(map[string]time.Time),
		next:   make(map[string]time.Time),
		calls:  make(map[string]int),
	}
}

// fail makes all calls fail, or stall for a time.
func (s *fleetStore) fail(err error, stall time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.stall = err, stall
}

// enter counts a call, and stalls or fails if it is to.
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

// slowly makes an answer take a second.
func slowly(answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		return answer(req)
	}
}

// However many processes want a file at once, it is fetched once, whether it is
// there or the server fails.
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
					t.Errorf("the last was served after %v", d)
				}
				if len(store.locks) != 0 {
					t.Errorf("%d locks left", len(store.locks))
				}
			})
		})
	}
}

// If a process dies while it fetches, the others wait until its lock ends.
func TestLockHolderDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		if _, ok, err := store.Lock(t.Context(), location, 5*time.Second); !ok || err != nil {
			t.Fatal(ok, err)
		}
		start := time.Now()
		wantOutcome(t, withStore(s, store), robotshttp.Fetched, false)
		if d := time.Since(start); d < 5*time.Second || d > 6*time.Second {
			t.Errorf("fetched after %v", d)
		}
	})
}

// A lock that never ends keeps nobody from fetching, and nobody waits for it longer
// than the context allows.
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
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		wantOutcome(t, c, robotshttp.Fetched, false)
		if d := time.Since(start); d > 15*time.Second {
			t.Errorf("fetched after %v", d)
		}
	})
}

// Whatever a Store does, files are fetched, and within its time.
func TestFleetStoreFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		stall time.Duration
		most  time.Duration
	}{
		{"gone", errDown, 0, 0},
		{"stalls", nil, time.Hour, time.Second},
		{"slow", nil, 400 * time.Millisecond, 1100 * time.Millisecond},
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
					t.Errorf("fetched after %v", d)
				}
				time.Sleep(time.Hour)
				store.fail(nil, 0) // it is back, and is used
				get(t, c, "https://other.example/")
				wantStored := withStore(&server{answer: down}, store)
				if r := get(t, wantStored, "https://other.example/"); r.Outcome != robotshttp.Cached {
					t.Errorf("%q", r.Outcome)
				}
			})
		})
	}
}

// A stuckStore does not heed its contexts.
type stuckStore struct{ until chan struct{} }

func (s stuckStore) Get(context.Context, string) ([]byte, bool, error) {
	<-s.until
	return nil, false, nil
}

func (s stuckStore) Set(context.Context, string, []byte, time.Duration) error {
	<-s.until
	return nil
}

// A fetch waits for its Store for a second and not for two, and for Set hardly at
// all.
func TestStoreStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := stuckStore{make(chan struct{})}
		defer close(stuck.until)
		for name, store := range map[string]robotshttp.Store{"heeds its context": &faultyStore{hangs: true}, "stuck": stuck} {
			c := withStore(&server{answer: responds(200, file)}, store)
			c.Logger = slog.New(slog.DiscardHandler)
			start := time.Now()
			wantOutcome(t, c, robotshttp.Fetched, false)
			if d := time.Since(start); d != time.Second {
				t.Errorf("%s: fetched after %v", name, d)
			}
		}
		c := withStore(&server{answer: responds(200, file)}, &slowSetStore{})
		start := time.Now()
		wantOutcome(t, c, robotshttp.Fetched, false)
		if d := time.Since(start); d > 100*time.Millisecond {
			t.Errorf("Set stalls: fetched after %v", d)
		}
		time.Sleep(time.Second) // until Set is given up
	})
}

// A slowSetStore has nothing, and takes an hour to set a value.
type slowSetStore struct{ faultyStore }

func (s *slowSetStore) Set(ctx context.Context, _ string, _ []byte, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}
