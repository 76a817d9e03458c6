//go:build unix

package redisstore_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore/internal/redisserver"
)

var (
	_ robotshttp.Store  = (*redisstore.Store)(nil)
	_ robotshttp.Locker = (*redisstore.Store)(nil)
	_ robotshttp.Pacer  = (*redisstore.Store)(nil)
)

const location = "https://example.com/robots.txt"

// startRedis starts a redis-server for one test. If it is not installed, the test is skipped.
func startRedis(t testing.TB, args ...string) *redisserver.Server {
	t.Helper()
	s, err := redisserver.Start(t.TempDir(), args...)
	if errors.Is(err, redisserver.ErrNotInstalled) {
		t.Skip("NOT TESTED: redis-server is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// newStore returns a Store for a server, which need not work yet. The functions change its Options.
func newStore(t testing.TB, addr string, change ...func(*redisstore.Options)) *redisstore.Store {
	t.Helper()
	o := redisstore.Options{Redis: optionsFor(addr)}
	o.Redis.ConnWriteTimeout = time.Minute // the machine may be busy
	for _, f := range change {
		f(&o)
	}
	s := redisstore.Unchecked(o)
	t.Cleanup(s.Close)
	return s
}

func optionsFor(addr string) rueidis.ClientOption {
	return rueidis.ClientOption{InitAddress: []string{addr}}
}

// command sends a command directly to a server, without a Store.
func command(t testing.TB, addr string, words ...string) rueidis.RedisResult {
	t.Helper()
	o := optionsFor(addr)
	o.ForceSingleClient, o.DisableCache = true, true
	c, err := rueidis.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := c.Do(t.Context(), c.B().Arbitrary(words...).Build())
	if err := r.Error(); err != nil && !rueidis.IsRedisNil(err) {
		t.Fatalf("the command %s: error %v", words, err)
	}
	return r
}

// servers starts each kind of server that a Store supports, and returns a Store for it.
var servers = map[string]func(*testing.T) *redisstore.Store{
	"alone": func(t *testing.T) *redisstore.Store { return newStore(t, startRedis(t).Addr) },
	"protocol version 2": func(t *testing.T) *redisstore.Store {
		return newStore(t, startRedis(t).Addr, func(o *redisstore.Options) { o.Redis.AlwaysRESP2 = true })
	},
	"cluster": func(t *testing.T) *redisstore.Store {
		s := startRedis(t, "--cluster-enabled", "yes")
		command(t, s.Addr, "CLUSTER", "ADDSLOTSRANGE", "0", "16383")
		await(t, "the cluster is up", func() bool {
			info, _ := command(t, s.Addr, "CLUSTER", "INFO").ToString()
			return strings.Contains(info, "cluster_state:ok")
		})
		return newStore(t, s.Addr)
	},
	"with a password": func(t *testing.T) *redisstore.Store {
		return newStore(t, startRedis(t, "--requirepass", "secret").Addr, func(o *redisstore.Options) { o.Redis.Password = "secret" })
	},
	"with a Sentinel": func(t *testing.T) *redisstore.Store {
		s := startRedis(t)
		_, port, _ := strings.Cut(s.Addr, ":")
		conf := t.TempDir() + "/sentinel.conf"
		text := fmt.Sprintf("sentinel monitor fleet 127.0.0.1 %s 1\n", port)
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return newStore(t, startRedis(t, conf, "--sentinel").Addr, func(o *redisstore.Options) { o.Redis.Sentinel.MasterSet = "fleet" })
	},
}

// await waits until happened returns true. The test fails if that takes too long.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for range 3000 {
		if happened() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("not within 30 seconds: %s", what)
}

func TestStore(t *testing.T) {
	t.Parallel()
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			t.Run("values", func(t *testing.T) { testValues(t, s) })
			t.Run("locks", func(t *testing.T) { testLocks(t, s) })
			t.Run("slots", func(t *testing.T) { testSlots(t, s) })
		})
	}
}

func testValues(t *testing.T, s *redisstore.Store) {
	ctx := t.Context()
	keys := []string{"", location, "http://a{b}c.example/robots.txt", "a\x00\r\nb", strings.Repeat("long", 1000), "ほ"}
	for _, key := range keys {
		if _, ok, err := s.Get(ctx, key); ok || err != nil {
			t.Errorf("Get(%.9q) = %t, error %v before Set, want false", key, ok, err)
		}
		for _, value := range []string{"", "one\r\n\x00two", strings.Repeat("x", 1<<20), key} {
			if err := s.Set(ctx, key, []byte(value), time.Hour); err != nil {
				t.Fatal(err)
			}
			got, ok, err := s.Get(ctx, key)
			if err != nil || !ok || string(got) != value {
				t.Errorf("Get(%.9q) = %.9q, %t, %v, want %.9q", key, got, ok, err, value)
			}
		}
	}
	for _, ttl := range []time.Duration{-1, 0, 1, time.Millisecond} {
		if err := s.Set(ctx, location, []byte("short"), ttl); err != nil {
			t.Fatal(err)
		}
		await(t, "the value expires", func() bool {
			_, ok, err := s.Get(ctx, location)
			return !ok && err == nil
		})
	}
	if err := s.Set(ctx, location, make([]byte, 5<<20), time.Hour); err == nil {
		t.Error("no error for a value of 5 MiB")
	}
}

func testLocks(t *testing.T, s *redisstore.Store) {
	ctx := t.Context()
	lock := func(key string, ttl time.Duration, want bool) (unlock func()) {
		t.Helper()
		unlock, ok, err := s.Lock(ctx, key, ttl)
		if ok != want || err != nil {
			t.Fatalf("Lock = %t, %v, want %t", ok, err, want)
		}
		return unlock
	}
	unlock := lock(location, time.Hour, true)
	lock(location, time.Hour, false)
	lock("another site", time.Hour, true)
	if err := s.Set(ctx, location, []byte("value"), time.Hour); err != nil { // must not change the lock
		t.Fatal(err)
	}
	lock(location, time.Hour, false)
	unlock()
	late := lock(location, time.Millisecond, true)
	await(t, "the lock expires", func() bool {
		var ok bool
		unlock, ok, _ = s.Lock(ctx, location, time.Hour)
		return ok
	})
	late()
	lock(location, time.Hour, false)
	unlock()
	unlock()
	lock(location, time.Hour, true)
}

func testSlots(t *testing.T, s *redisstore.Store) {
	ctx := t.Context()
	const hour, late = time.Hour, 5 * time.Minute // late allows for the time that the test takes
	reserve := func(key string, interval, want time.Duration) {
		t.Helper()
		wait, err := s.Reserve(ctx, key, interval)
		if err != nil || wait < want-late || wait > want || want == 0 && wait != 0 {
			t.Fatalf("Reserve = %v, %v, want %v", wait, err, want)
		}
	}
	pause := func(key string, d time.Duration) {
		t.Helper()
		if err := s.Pause(ctx, key, d); err != nil {
			t.Fatal(err)
		}
	}
	reserve(location, 0, 0)
	reserve(location, hour, 0)
	reserve(location, hour, hour)
	reserve(location, hour, 2*hour)
	reserve(location, 0, 0) // without an interval, only pauses matter
	reserve("another site", 2*hour, 0)
	reserve("another site", hour, 2*hour)

	pause(location, hour/2)
	reserve(location, hour, 3*hour) // a short pause does not move the next slot
	reserve(location, 0, hour/2)
	pause(location, hour/4) // does not shorten the pause
	reserve(location, 0, hour/2)
	pause(location, 7*hour)
	reserve(location, 0, 7*hour)
	reserve(location, hour, 7*hour)
	reserve(location, hour, 8*hour)

	// Waits and pauses are at most a day long.
	reserve("slow", 100*hour, 0)
	reserve("slow", hour, 24*hour)
	pause("quiet", -hour)
	reserve("quiet", 0, 0)
	pause("quiet", 1000*hour)
	reserve("quiet", 0, 24*hour)

	reserve("brief", time.Millisecond, 0)
	await(t, "the slot is free", func() bool {
		wait, err := s.Reserve(ctx, "brief", time.Millisecond)
		return wait == 0 && err == nil
	})
}

// Reserve ignores a stored time that is not valid.
func TestStrangeSlots(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	for _, value := range []string{"", "x", "nan", "-nan", "inf", "-inf", "1e300", "-5", "0x10", "9223372036854775807"} {
		command(t, redis.Addr, "SET", "robotstxt:{"+location+"}:next", value)
		if wait, err := s.Reserve(t.Context(), location, time.Hour); wait != 0 || err != nil {
			t.Errorf("next slot %q: Reserve = %v, %v, want 0", value, wait, err)
		}
		if wait, err := s.Reserve(t.Context(), location, time.Hour); wait == 0 || err != nil {
			t.Errorf("next slot %q: the second Reserve = %v, %v, want a wait", value, wait, err)
		}
		command(t, redis.Addr, "SET", "robotstxt:{"+location+"}:pause", value)
		if wait, err := s.Reserve(t.Context(), location, 0); wait != 0 || err != nil {
			t.Errorf("pause %q: Reserve = %v, %v, want 0", value, wait, err)
		}
	}
}

func TestPrefix(t *testing.T) {
	redis := startRedis(t)
	a, b := newStore(t, redis.Addr), newStore(t, redis.Addr, func(o *redisstore.Options) { o.Prefix = "barbot:" })
	if err := a.Set(t.Context(), location, []byte("value"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := b.Get(t.Context(), location); ok || err != nil {
		t.Errorf("Get with another prefix = %t, %v, want false", ok, err)
	}
}

func BenchmarkGet(b *testing.B) {
	s := newStore(b, startRedis(b).Addr)
	if err := s.Set(b.Context(), location, make([]byte, 2<<10), time.Hour); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, ok, err := s.Get(b.Context(), location); !ok || err != nil {
				b.Fatal(err)
			}
		}
	})
}
