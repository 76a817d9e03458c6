package shared_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/shared"
)

// A store is a Store that counts calls. Each takes a second if stalls is true.
type store struct {
	calls  atomic.Int64
	stalls atomic.Bool
}

func (s *store) Get(ctx context.Context, _ string) ([]byte, bool, error) {
	s.calls.Add(1)
	if s.stalls.Load() {
		<-ctx.Done()
	}
	return nil, true, ctx.Err()
}

func (*store) Set(context.Context, string, []byte, time.Duration) error {
	return errors.New("full")
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// A Store that has stalled is left alone for a second at a time. Then only one call tries whether it
// works again, however many are made.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		user := &store{}
		user.stalls.Store(true)
		s := shared.New(user, nil, "", quiet)
		if _, err := s.Get(t.Context(), "key"); !errors.Is(err, context.DeadlineExceeded) || user.calls.Load() != 2 {
			t.Fatalf("error %v after %d calls, want a timeout after two", err, user.calls.Load())
		}
		for range 1000 {
			go s.Get(t.Context(), "key")
			time.Sleep(10 * time.Millisecond)
		}
		if n := user.calls.Load(); n < 5 || n > 13 {
			t.Errorf("%d calls in 10 seconds, want about one a second", n)
		}
		time.Sleep(time.Minute)
		user.stalls.Store(false)
		for range 2 { // the first tries, and the second finds that the Store works
			if value, err := s.Get(t.Context(), "key"); err != nil || value == nil || len(value) != 0 {
				t.Errorf("value %v, error %v, want an empty value", value, err)
			}
		}
	})
}

// If a context ends while the Store is called, or while the call waits for its turn, the Store has not
// failed.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		user := &store{}
		user.stalls.Store(true)
		s := shared.New(user, nil, "", quiet)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		for range 1000 {
			go s.Get(ctx, "key")
		}
		time.Sleep(10 * time.Second)
		if n := s.Errors(); n != 0 {
			t.Errorf("%d errors, want 0", n)
		}
		s.Set(t.Context(), "key", nil, func() {})
		if n := s.Errors(); n != 1 {
			t.Errorf("%d errors after Set failed, want 1", n)
		}
	})
}

// A busyStore answers 64 calls at a time, and takes a tenth of a second for each.
type busyStore struct {
	store
	connections chan struct{}
}

func (s *busyStore) Get(ctx context.Context, _ string) ([]byte, bool, error) {
	select {
	case s.connections <- struct{}{}:
		defer func() { <-s.connections }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	time.Sleep(time.Second / 10)
	return nil, true, ctx.Err()
}

// A call that waits for a connection has not failed, however many calls wait.
func TestBusyStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := shared.New(&busyStore{connections: make(chan struct{}, 64)}, nil, "", quiet)
		for range 3000 {
			go s.Get(t.Context(), "key")
		}
		time.Sleep(time.Minute)
		if n := s.Errors(); n != 0 {
			t.Errorf("%d errors, want 0", n)
		}
	})
}

// A serialStore answers one call at a time, and takes time for each. So a call takes longer, the more
// calls are in progress, as in a process that has too little computing time.
type serialStore struct {
	store
	time time.Duration
	one  chan struct{} // holds a value while a call is answered
}

func (s *serialStore) Get(ctx context.Context, _ string) ([]byte, bool, error) {
	select {
	case s.one <- struct{}{}:
		defer func() { <-s.one }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	time.Sleep(s.time)
	return nil, true, nil
}

// However slow a Store is that answers one call at a time, and however many processes call it at once,
// no call takes too long, and the Store is hardly ever idle.
func TestSerialStore(t *testing.T) {
	for _, test := range []struct {
		time      time.Duration
		processes int
	}{{3 * time.Millisecond, 1}, {10 * time.Millisecond, 1}, {40 * time.Millisecond, 1}, {time.Millisecond, 8}, {2 * time.Millisecond, 8}} {
		synctest.Test(t, func(t *testing.T) {
			const calls = 1000 // of each process
			user := &serialStore{time: test.time, one: make(chan struct{}, 1)}
			start := time.Now()
			var g sync.WaitGroup
			for range test.processes {
				s := shared.New(user, nil, "", quiet)
				for range calls {
					g.Go(func() { s.Get(t.Context(), "key") })
				}
				defer func() {
					if n := s.Errors(); n != 0 {
						t.Errorf("%v a call, %d processes: %d errors, want 0", test.time, test.processes, n)
					}
				}()
			}
			g.Wait()
			took, want := time.Since(start), time.Duration(test.processes*calls)*test.time
			if took > want+3*time.Second {
				t.Errorf("%v a call, %d processes: %v, want %v", test.time, test.processes, took, want)
			}
		})
	}
}

// A farStore answers any number of calls at once, each after a time.
type farStore struct {
	store
	time time.Duration
}

func (s *farStore) Get(context.Context, string) ([]byte, bool, error) {
	time.Sleep(s.time)
	return nil, true, nil
}

// A Store that is far away, but quick, gets as many calls at once as it can be given.
func TestFarStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := shared.New(&farStore{time: 200 * time.Millisecond}, nil, "", quiet)
		start := time.Now()
		var g sync.WaitGroup
		for range 10000 {
			g.Go(func() { s.Get(t.Context(), "key") })
		}
		g.Wait()
		if took := time.Since(start); took > 7*time.Second { // always 64 calls at once would take 31 s, and 512 4 s
			t.Errorf("10000 calls took %v, want at most 7s", took)
		}
	})
}

// A moment in which many calls are slow halves the number of calls at once only once.
func TestSlowMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		user := &farStore{time: 900 * time.Millisecond}
		s := shared.New(user, nil, "", quiet)
		var g sync.WaitGroup
		get := func(calls int) time.Duration {
			start := time.Now()
			for range calls {
				g.Go(func() { s.Get(t.Context(), "key") })
			}
			g.Wait()
			return time.Since(start)
		}
		get(64)
		user.time = 200 * time.Millisecond
		if took := get(32); took != user.time {
			t.Errorf("32 calls took %v after the moment, want %v", took, user.time)
		}
		if took := get(64); took != 2*user.time {
			t.Errorf("64 calls took %v after the moment, want %v", took, 2*user.time)
		}
	})
}

// An answer with impossible times is a failure.
func TestImpossibleAnswers(t *testing.T) {
	const longest = 30 * time.Second // the longest delay
	for _, test := range []struct {
		name       string
		answer     pace.Lease
		isPossible bool
	}{
		{"far", pace.Lease{Next: longest, Pause: 24 * time.Hour, Again: time.Hour, Others: 10_000, Place: 10_000, Clock: 1 << 62}, true},
		{"late request", pace.Lease{Held: true, Next: longest + 1}, false},
		{"long pause", pace.Lease{Held: true, Pause: 24*time.Hour + 1}, false},
		{"negative next", pace.Lease{Held: true, Next: -1}, false},
		{"negative pause", pace.Lease{Held: true, Pause: -1}, false},
		{"negative again", pace.Lease{Held: true, Again: -1}, false},
		{"negative clock", pace.Lease{Held: true, Clock: -1}, false},
		{"negative others", pace.Lease{Held: true, Others: -1}, false},
		{"negative place", pace.Lease{Held: true, Place: -1}, false},
		{"too many others", pace.Lease{Held: true, Others: 10_001}, false},
		{"too many before", pace.Lease{Held: true, Place: 10_001}, false},
	} {
		lease := func(context.Context, string, pace.Request) (pace.Lease, error) { return test.answer, nil }
		s := shared.New(&store{}, lease, "a", quiet)
		got, err := s.Lease(t.Context(), "key", pace.Request{Holder: "a", For: time.Minute, Turn: 3 * time.Second}, longest)
		if (err == nil) != test.isPossible || (s.Errors() == 0) != test.isPossible || err == nil && got != test.answer {
			t.Errorf("%s: %+v, error %v, %d errors counted, want possible %t", test.name, got, err, s.Errors(), test.isPossible)
		}
	}
}

// The lock of a file has nothing to do with the time of the next request.
func TestLock(t *testing.T) {
	lease := func(context.Context, string, pace.Request) (pace.Lease, error) {
		return pace.Lease{Held: true, Next: time.Hour}, nil
	}
	ok, release, err := shared.New(&store{}, lease, "a", quiet).Lock(t.Context(), "key", time.Minute)
	if !ok || err != nil {
		t.Errorf("Lock = %t, error %v, want the lock", ok, err)
	}
	release()
}
