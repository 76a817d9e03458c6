//go:build unix

package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
)

// faults are faults of a Redis server. The function begin causes the fault, and over ends it.
var faults = []struct {
	name        string
	begin, over func(*testing.T, *server)
}{
	{"gone",
		func(t *testing.T, s *server) { s.Kill() },
		func(t *testing.T, s *server) {
			if err := s.Restart(); err != nil {
				t.Fatal(err)
			}
		}},
	{"slow",
		func(t *testing.T, s *server) { signal(t, s, syscall.SIGSTOP) },
		func(t *testing.T, s *server) { signal(t, s, syscall.SIGCONT) }},
	{"full",
		func(t *testing.T, s *server) { command(t, s.Addr, "CONFIG", "SET", "maxmemory", "1") },
		func(t *testing.T, s *server) { command(t, s.Addr, "CONFIG", "SET", "maxmemory", "0") }},
	{"read-only",
		func(t *testing.T, s *server) { command(t, s.Addr, "REPLICAOF", "127.0.0.1", "1") },
		func(t *testing.T, s *server) { command(t, s.Addr, "REPLICAOF", "NO", "ONE") }},
	{"another type",
		func(t *testing.T, s *server) {
			command(t, s.Addr, "FLUSHALL")
			for _, kind := range []string{"", ":lease1"} {
				command(t, s.Addr, "LPUSH", "robotstxt:{"+location+"}"+kind, "x")
			}
			command(t, s.Addr, "ACL", "SETUSER", "default", "-set") // SET would replace the lists
		},
		func(t *testing.T, s *server) {
			command(t, s.Addr, "ACL", "SETUSER", "default", "+set")
			command(t, s.Addr, "FLUSHALL")
		}},
}

func signal(t *testing.T, s *server, sig syscall.Signal) {
	if err := syscall.Kill(s.Pid(), sig); err != nil {
		t.Fatal(err)
	}
}

// While Redis has a fault, the methods of a Store return errors, and a Cache works without
// the Store. After the fault, the Store works.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			store := newStore(t, redis.Addr)
			awaitWorking(t, store)
			fault.begin(t, redis)
			wantErrors(t, store)
			var w web
			cache := newCache(w.start(t), store)
			if err := ask(cache, site(0)); err != nil {
				t.Error(err)
			}
			if r, err := cache.Get(t.Context(), site(1)); err != nil || r.Outcome != robotshttp.Fetched {
				t.Errorf("outcome %q, want %q; error %v", r.Outcome, robotshttp.Fetched, err)
			}
			if n := cache.Stats(); n.StoreErrors == 0 {
				t.Errorf("Stats counts no errors of the Store: %+v", n)
			}
			fault.over(t, redis)
			awaitWorking(t, store)
		})
	}
}

// wantErrors checks that all methods that change something return an error.
func wantErrors(t *testing.T, s *redisstore.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	if value, ok, err := s.Get(ctx, location); ok && string(value) != "value" {
		t.Errorf("Get = %q, error %v, want \"value\" or an error", value, err)
	}
	if err := s.Set(ctx, location, []byte("wrong"), time.Hour); err == nil {
		t.Error("Set: no error")
	}
	if l, err := s.Lease(ctx, location, robotshttp.LeaseRequest{Holder: "a", For: time.Second}); err == nil {
		t.Errorf("Lease = %+v, want an error", l)
	}
}

// awaitWorking waits until a Store works.
func awaitWorking(t *testing.T, s *redisstore.Store) {
	t.Helper()
	await(t, "the Store works", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if s.Set(ctx, location, []byte("value"), time.Hour) != nil {
			return false
		}
		value, _, _ := s.Get(ctx, location)
		_, err := s.Lease(ctx, "another site", robotshttp.LeaseRequest{Holder: "a", For: time.Millisecond})
		return string(value) == "value" && err == nil
	})
}

// A call returns when its context ends, and does not affect other calls.
func TestContext(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	awaitWorking(t, s)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := s.Get(ended, location); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after a cancellation: error %v", err)
	}
	command(t, redis.Addr, "CLIENT", "PAUSE", "60000", "WRITE") // Redis still accepts connections
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := s.Set(ctx, location, []byte("new"), time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	for range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := s.Set(ctx, "key", nil, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Set: error %v, want %v", err, context.DeadlineExceeded)
		}
	}
	command(t, redis.Addr, "CLIENT", "UNPAUSE")
	group.Wait()
	if value, _, err := s.Get(t.Context(), location); string(value) != "new" {
		t.Errorf("Get = %q, error %v, want \"new\"", value, err)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	s := newStore(t, startRedis(t).Addr)
	awaitWorking(t, s)
	s.Close()
	s.Close()
	wantErrors(t, s)
	if _, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "a"}); err != nil {
		t.Errorf("giving a lease back after Close: error %v", err)
	}
}

// While Redis is stopped and restarted, all calls return, and Get never returns the value of
// another key.
func TestChaos(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			for ctx.Err() == nil {
				callSomething(t, s)
			}
		})
	}
	for range 3 {
		signal(t, redis, syscall.SIGSTOP)
		time.Sleep(200 * time.Millisecond)
		signal(t, redis, syscall.SIGCONT)
		time.Sleep(200 * time.Millisecond)
		redis.Kill()
		time.Sleep(200 * time.Millisecond)
		if err := redis.Restart(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	group.Wait()
	awaitWorking(t, s)
}

func callSomething(t *testing.T, s *redisstore.Store) {
	ctx, cancel := context.WithTimeout(t.Context(), rand.N(100*time.Millisecond))
	defer cancel()
	key := fmt.Sprint(rand.IntN(10))
	switch rand.IntN(3) {
	case 0:
		if value, ok, _ := s.Get(ctx, key); ok && string(value) != key {
			t.Errorf("Get(%q) = %q, want %[1]q", key, value)
		}
	case 1:
		s.Set(ctx, key, []byte(key), time.Hour)
	case 2:
		s.Lease(ctx, key, robotshttp.LeaseRequest{Holder: "a", For: time.Second})
	}
}
