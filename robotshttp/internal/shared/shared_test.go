package shared_test

import (
	"context"
	"errors"
	"log/slog"
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

// A Store with impossible times delays requests no longer than is possible, and has failed.
func TestImpossibleTimes(t *testing.T) {
	const longest = 30 * time.Second // the longest delay
	for _, test := range []struct {
		name   string
		answer pace.Lease
		want   pace.Lease
		errors int64
	}{
		{"possible", pace.Lease{Next: longest, Pause: 24 * time.Hour, Again: time.Hour}, pace.Lease{Next: longest, Pause: 24 * time.Hour, Again: time.Hour}, 0},
		{"late request", pace.Lease{Next: longest + 1}, pace.Lease{Next: longest}, 1},
		{"long pause", pace.Lease{Pause: 24*time.Hour + 1}, pace.Lease{Pause: 24 * time.Hour}, 1},
		{"negative", pace.Lease{Held: true, Next: -1, Pause: -1, Again: -1}, pace.Lease{Held: true}, 1},
	} {
		lease := func(context.Context, string, pace.Request) (pace.Lease, error) { return test.answer, nil }
		s := shared.New(&store{}, lease, "a", quiet)
		got, err := s.Lease(t.Context(), "key", pace.Request{Holder: "a", For: time.Minute, Turn: 3 * time.Second}, longest)
		if err != nil || got != test.want || s.Errors() != test.errors {
			t.Errorf("%s: %+v, error %v, %d errors counted, want %+v and %d", test.name, got, err, s.Errors(), test.want, test.errors)
		}
	}
}
