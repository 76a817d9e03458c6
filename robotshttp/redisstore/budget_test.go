package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/rueidis"
)

// Calls return when their contexts end, wherever Redis stalls.
func TestBudget(t *testing.T) {
	for _, stuck := range []string{"dial", "HELLO", "CLUSTER", "SET"} {
		t.Run(stuck, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				answer := func(command []string) string {
					if command[0] == stuck {
						time.Sleep(time.Hour)
					}
					return sane(command)
				}
				f.answer.Store(&answer)
				s := f.store(t)
				defer time.Sleep(2 * time.Hour) // until the stalled goroutines have ended
				defer s.Close()
				if stuck == "dial" {
					s.options.Redis.DialCtxFn = func(_ context.Context, _ string, d *net.Dialer, _ *tls.Config) (net.Conn, error) {
						time.Sleep(d.Timeout)
						return nil, os.ErrDeadlineExceeded
					}
				}
				var group sync.WaitGroup
				for range 200 { // more than the Store has connections
					group.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
						defer cancel()
						start := time.Now()
						err := s.Set(ctx, "key", nil, time.Hour)
						if d := time.Since(start); err == nil || d > time.Second/2 {
							t.Errorf("Set took %v, want at most 0.5s; error %v", d, err)
						}
					})
				}
				group.Wait()
			})
		})
	}
}

func TestKey(t *testing.T) {
	for _, test := range []struct{ prefix, key, kind, want string }{
		{"", "https://a.example/robots.txt", "", "robotstxt:{https://a.example/robots.txt}"},
		{"", "https://a.example/robots.txt", ":lock", "robotstxt:{https://a.example/robots.txt}:lock"},
		{"foobot:", "k", ":next", "foobot:{k}:next"},
		{"", string(make([]byte, 513)), "", "robotstxt:{8ae7498b01f40e9d2a04df8a8a91cc0b180eb9eb64b78129f59a6d6ab547816b}"},
	} {
		s := unchecked(Options{Prefix: test.prefix})
		if got := s.key(test.key, test.kind); got != test.want {
			t.Errorf("key(%.30q, %q) = %q, want %q", test.key, test.kind, got, test.want)
		}
	}
}

// A Store stays closed, even if it was connecting when it was closed. It leaves no connection
// open, because synctest would report its goroutines.
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
			s := f.store(t)
			if when > 0 {
				go s.Set(t.Context(), "key", nil, time.Hour)
				time.Sleep(when)
			}
			s.Close()
			for range 3 {
				if err := s.Set(t.Context(), "key", nil, time.Hour); !errors.Is(err, errClosed) {
					t.Errorf("Set: error %v, want %v", err, errClosed)
				}
				time.Sleep(2 * time.Second)
			}
			if n := connections.Load(); n > 2 || n > 0 && when == 0 {
				t.Errorf("%d connections, want at most 2, and none if the Store was not used", n)
			}
		})
	}
}

// If a client fails after it has been replaced, drop does not discard the new client.
func TestDropOnce(t *testing.T) {
	old, current := &idleClient{closed: make(chan bool, 1)}, &idleClient{closed: make(chan bool, 1)}
	s := &Store{client: current}
	s.drop(old)
	if s.client != current {
		t.Error("drop(old) discarded the current client")
	}
	s.drop(current)
	if s.client != nil {
		t.Error("drop(current) did not discard the client")
	}
	<-current.closed
}

// An idleClient is a client that reports when it is closed.
type idleClient struct {
	rueidis.Client
	closed chan bool
}

func (c *idleClient) Close() { c.closed <- true }
