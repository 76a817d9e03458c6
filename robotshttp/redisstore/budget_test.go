package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/rueidis"
)

// However Redis keeps a Store waiting, no call takes longer than its time, and the
// calls after that fail at once.
func TestBudget(t *testing.T) {
	hang := func(first string) func([]string) string {
		return func(command []string) string {
			if command[0] == first {
				time.Sleep(time.Hour)
			}
			return sane(command)
		}
	}
	for _, stuck := range []string{"dial", "HELLO", "CLUSTER", "SET"} {
		t.Run(stuck, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				answer := hang(stuck)
				f.answer.Store(&answer)
				s := f.store(0)
				defer time.Sleep(2 * time.Hour) // What is stuck ends first.
				defer s.Close()
				if stuck == "dial" {
					s.Redis.DialCtxFn = func(_ context.Context, _ string, d *net.Dialer, _ *tls.Config) (net.Conn, error) {
						time.Sleep(d.Timeout)
						return nil, os.ErrDeadlineExceeded
					}
				}
				var group sync.WaitGroup
				for range 100 { // More than the client can queue.
					group.Go(func() { wantBudget(t, s, time.Second/2) })
				}
				group.Wait()
				time.Sleep(3 * time.Second)
				start := time.Now()
				for range 100 { // One of them may find a connection, and wait.
					wantBudget(t, s, time.Second/2)
				}
				if d := time.Since(start); d > time.Second/2 {
					t.Errorf("100 calls took %v", d)
				}
			})
		})
	}
}

func wantBudget(t *testing.T, s *Store, most time.Duration) {
	t.Helper()
	start := time.Now()
	err := s.Set(context.Background(), "key", nil, time.Hour)
	if d := time.Since(start); err == nil || d > most {
		t.Errorf("Set took %v, want %v, %v", d, most, err)
	}
}

// A server that does not answer is asked for a connection once a second.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		f.set(0, "")
		s := f.store(0)
		defer s.Close()
		var dials atomic.Int64
		dial := s.Redis.DialCtxFn
		s.Redis.DialCtxFn = func(ctx context.Context, addr string, d *net.Dialer, c *tls.Config) (net.Conn, error) {
			dials.Add(1)
			return dial(ctx, addr, d, c)
		}
		for range 1000 {
			wantBudget(t, s, 0)
			time.Sleep(10 * time.Millisecond)
		}
		if n := dials.Load(); n != 10 {
			t.Errorf("%d connections in 10 seconds, want 10", n)
		}
		f.answer.Store(nil)
		time.Sleep(time.Second)
		s.Set(t.Context(), "key", nil, time.Hour)
		time.Sleep(time.Second)
		if err := s.Set(t.Context(), "key", nil, time.Hour); err != nil {
			t.Error(err)
		}
	})
}

func TestKey(t *testing.T) {
	for _, test := range []struct{ prefix, key, kind, want string }{
		{"", "https://a.example/robots.txt", "", "robotstxt:{https://a.example/robots.txt}"},
		{"", "https://a.example/robots.txt", ":lock", "robotstxt:{https://a.example/robots.txt}:lock"},
		{"foobot:", "k", ":next", "foobot:{k}:next"},
		{"", string(make([]byte, 513)), "", "robotstxt:{8ae7498b01f40e9d2a04df8a8a91cc0b180eb9eb64b78129f59a6d6ab547816b}"},
	} {
		s := &Store{Prefix: test.prefix}
		if got := s.key(test.key, test.kind); got != test.want {
			t.Errorf("key(%.30q, %q) = %q, want %q", test.key, test.kind, got, test.want)
		}
	}
}

// A connection that breaks is not tried again while the caller waits.
func TestNoRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		f.set(2, "")
		s := f.store(0)
		defer s.Close()
		start := time.Now()
		if _, _, err := s.Get(t.Context(), "key"); err == nil || time.Since(start) > 0 {
			t.Errorf("Get took %v, %v", time.Since(start), err)
		}
	})
}

// A Store that is closed, maybe while it connects, stays closed, and leaves no
// connection open: synctest would report its goroutines.
func TestClosed(t *testing.T) {
	for _, when := range []time.Duration{0, time.Second / 20, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{}
			var connections atomic.Int64
			answer := func(command []string) string {
				if command[0] == "HELLO" {
					connections.Add(1)
					time.Sleep(time.Second / 10)
				}
				return sane(command)
			}
			f.answer.Store(&answer)
			s := f.store(0)
			if when > 0 {
				go s.Set(t.Context(), "key", nil, time.Hour)
				time.Sleep(when)
			}
			s.Close()
			for range 3 {
				if err := s.Set(t.Context(), "key", nil, time.Hour); !errors.Is(err, errClosed) {
					t.Errorf("Set: %v", err)
				}
				time.Sleep(2 * time.Second)
			}
			if n := connections.Load(); n > 1 || n > 0 && when == 0 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// A client that took a single server for a cluster, or the reverse, is given up.
func TestMistakenForCluster(t *testing.T) {
	f := &fake{}
	f.set(1, "%1\r\n%0\r\n%0\r\n")
	s := f.store(time.Minute)
	defer s.Close()
	if c, err := s.connect(t.Context(), nil); err != nil || c.Mode() != rueidis.ClientModeCluster {
		t.Fatalf("%v, %v", c, err)
	}
	f.answer.Store(nil)
	wantRecovery(t, s)

	f.set(2, "-MOVED 1 fake:1\r\n")
	if err := s.Set(t.Context(), "key", nil, time.Hour); err == nil {
		t.Error("Set: no error")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		t.Error("the client is kept although the server is a cluster by now")
	}
}

// A client that fails after another has taken its place does not take that one's.
func TestDropOnce(t *testing.T) {
	old, current := &idleClient{closed: make(chan bool, 1)}, &idleClient{closed: make(chan bool, 1)}
	s := &Store{client: current}
	s.drop(old, errSlow)
	if s.client != current {
		t.Error("the wrong client was given up")
	}
	s.drop(current, errSlow)
	if s.client != nil || s.err != errSlow {
		t.Errorf("the client was not given up: %v", s.err)
	}
	<-current.closed
}

type idleClient struct {
	rueidis.Client
	closed chan bool
}

func (c *idleClient) Close() { c.closed <- true }

// A slot is a little longer than the interval. One that was heard of late is left
// alone.
func TestSlots(t *testing.T) {
	for _, test := range []struct {
		interval, latency, longest time.Duration
		want                       []string // the lengths of slots asked for, in microseconds
	}{
		{200 * time.Millisecond, 0, time.Hour, []string{"210000"}},
		{200 * time.Millisecond, 20 * time.Millisecond, time.Hour, []string{"210000"}},
		{200 * time.Millisecond, 21 * time.Millisecond, time.Hour, []string{"210000", "210000"}},
		{200 * time.Millisecond, 21 * time.Millisecond, 0, []string{"210000"}}, // not taken
		{10 * time.Second, 21 * time.Millisecond, time.Hour, []string{"10020000"}},
		{0, 5 * time.Millisecond, time.Hour, []string{"0"}},
		{48 * time.Hour, 0, time.Hour, []string{"86400000000"}},
		{math.MaxInt64, 0, time.Hour, []string{"86400000000"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{}
			var lengths []string
			answer := func(command []string) string {
				if command[0] != "EVAL" {
					return sane(command)
				}
				time.Sleep(test.latency)
				lengths = append(lengths, command[5])
				return ":1000\r\n"
			}
			f.answer.Store(&answer)
			s := f.store(0)
			defer s.Close()
			wait, err := s.Reserve(t.Context(), "key", test.interval, test.longest)
			if wait != time.Millisecond || err != nil || !slices.Equal(lengths, test.want) {
				t.Errorf("%+v: %v, %v, %v", test, wait, err, lengths)
			}
		})
	}
}
