package redisstore

import (
	"context"
	"crypto/tls"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
