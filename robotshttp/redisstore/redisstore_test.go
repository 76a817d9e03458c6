//go:build unix

package redisstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace/pacetest"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
)

var _ robotshttp.Lender = (*redisstore.Store)(nil)

const location = "https://example.com/robots.txt"

// startRedis starts a redis-server for one test. If it is not installed, the test is skipped.
func startRedis(t testing.TB, args ...string) *server {
	t.Helper()
	s, err := startServer(t.TempDir(), args...)
	if errors.Is(err, errNotInstalled) {
		t.Skip("NOT TESTED: redis-server is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// newStore returns a Store for a server. The functions change its Options.
func newStore(t testing.TB, addr string, change ...func(*redisstore.Options)) *redisstore.Store {
	t.Helper()
	o := redisstore.Options{Redis: optionsFor(addr)}
	for _, f := range change {
		f(&o)
	}
	s, err := redisstore.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
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
			t.Run("leases", func(t *testing.T) { testLeases(t, s) })
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

// testLeases tests what a fleet does with a site, step by step. Each step allows for the time that the
// test takes.
func testLeases(t *testing.T, s *redisstore.Store) {
	const hour, late = time.Hour, 5 * time.Minute
	lend := func(key string, r robotshttp.LeaseRequest, want robotshttp.Lease) {
		t.Helper()
		l, err := s.Lease(t.Context(), key, r)
		isNear := func(got, want time.Duration) bool { return got <= want && got >= want-late && (got > 0) == (want > 0) }
		if err != nil || l.Held != want.Held || !isNear(l.Next, want.Next) || !isNear(l.Pause, want.Pause) || !isNear(l.Again, want.Again) {
			t.Fatalf("Lease(%+v) = %+v, error %v, want %+v", r, l, err, want)
		}
	}
	ask := func(holder string) robotshttp.LeaseRequest {
		return robotshttp.LeaseRequest{Holder: holder, For: 3 * hour, Turn: hour}
	}
	yield, back := ask("a"), robotshttp.LeaseRequest{Holder: "b", Next: hour}
	yield.Holds, yield.Yield, yield.Next = true, true, 2*hour
	held := robotshttp.Lease{Held: true}

	lend(location, ask("a"), held)
	lend(location, ask("a"), held) // the answer was lost
	lend("another site", ask("b"), held)
	lend(location, yield, robotshttp.Lease{Held: true, Next: 2 * hour}) // nobody waits
	lend(location, ask("b"), robotshttp.Lease{Next: 2 * hour, Again: hour / 2})
	lend(location, ask("c"), robotshttp.Lease{Next: 2 * hour, Again: hour / 2})
	lend(location, ask("d"), robotshttp.Lease{Next: 2 * hour, Again: 3 * hour})
	lend(location, ask("b"), robotshttp.Lease{Next: 2 * hour, Again: hour / 2})                       // keeps its place
	lend(location, yield, robotshttp.Lease{Next: 2 * hour, Again: 3 * hour})                          // after b, c and d
	lend(location, ask("c"), robotshttp.Lease{Next: 2 * hour, Again: hour / 2})                       // b is first
	lend(location, robotshttp.LeaseRequest{Holder: "e", For: hour}, robotshttp.Lease{Next: 2 * hour}) // does not wait
	lend(location, ask("b"), robotshttp.Lease{Held: true, Next: 2 * hour})
	lend(location, robotshttp.LeaseRequest{Pause: 4 * hour}, robotshttp.Lease{Next: 2 * hour, Pause: 4 * hour})
	lend(location, robotshttp.LeaseRequest{Pause: hour}, robotshttp.Lease{Next: 2 * hour, Pause: 4 * hour}) // never shorter
	lend(location, back, robotshttp.Lease{Next: 2 * hour, Pause: 4 * hour})
	lend(location, robotshttp.LeaseRequest{Holder: "c"}, robotshttp.Lease{Next: 2 * hour, Pause: 4 * hour}) // no longer waits
	lend(location, ask("d"), robotshttp.Lease{Held: true, Next: 2 * hour, Pause: 4 * hour})

	lend("lost", robotshttp.LeaseRequest{Holder: "a", For: 3 * hour, Turn: hour, Waits: true}, robotshttp.Lease{Again: hour / 2})
	lend("lost", ask("b"), robotshttp.Lease{Again: hour / 2})
	lend("lost", robotshttp.LeaseRequest{Holder: "c", For: 3 * hour, Turn: hour, Holds: true}, held)

	lend("far", robotshttp.LeaseRequest{Holder: "a", For: 1000 * hour, Next: 1000 * hour, Pause: 1000 * hour}, robotshttp.Lease{Held: true, Next: 24 * hour, Pause: 24 * hour})
	lend("past", robotshttp.LeaseRequest{Holder: "a", For: hour, Next: -hour, Pause: -hour}, held)

	lend("brief", robotshttp.LeaseRequest{Holder: "a", For: time.Millisecond}, held)
	await(t, "the lease ends", func() bool {
		l, err := s.Lease(t.Context(), "brief", robotshttp.LeaseRequest{Holder: "b", For: hour})
		return l.Held && err == nil
	})
}

// A value that is not valid counts as no value.
func TestStrangeLeases(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	for _, value := range []string{"", "x", "1 a 2 3 4", "-1 a 2 3 4 5", "nan - 0 0 0 0", "1e300 a 1 1 1 1", "9 a 9223372036854775807 0 inf 0"} {
		command(t, redis.Addr, "SET", leaseKey, value)
		l, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "b", For: time.Hour})
		if want := (robotshttp.Lease{Held: true, Clock: l.Clock}); l != want || err != nil {
			t.Errorf("stored %q: Lease = %+v, error %v, want %+v", value, l, err, want)
		}
	}
}

// If the clock of Redis goes back, nothing is further away than it was.
func TestClockSetBack(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	a := robotshttp.LeaseRequest{Holder: "a", For: time.Minute, Next: 30 * time.Second}
	if l, err := s.Lease(t.Context(), location, a); !l.Held || err != nil {
		t.Fatal(l, err)
	}
	ahead(t, redis.Addr, leaseKey, time.Hour) // as if it had been stored by a clock that is an hour ahead
	l, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "b", For: time.Minute})
	if l.Held || l.Next > 30*time.Second || l.Next == 0 || err != nil {
		t.Errorf("Lease = %+v, error %v, want the next request in 30s", l, err)
	}
	ahead(t, redis.Addr, leaseKey, -time.Minute)
	if l, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "b", For: time.Minute}); !l.Held || l.Next != 0 || err != nil {
		t.Errorf("a minute later: Lease = %+v, error %v, want the lease", l, err)
	}
}

// If Redis evicts the key of a lease, a process that waits leaves the site to the one that has it, and
// the pause of the site is forgotten.
func TestEvicted(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	a := robotshttp.LeaseRequest{Holder: "a", For: time.Minute, Turn: time.Second, Pause: 30 * time.Second}
	if l, err := s.Lease(t.Context(), location, a); !l.Held || l.Pause == 0 || err != nil {
		t.Fatal(l, err)
	}
	command(t, redis.Addr, "DEL", leaseKey)
	b := robotshttp.LeaseRequest{Holder: "b", For: time.Minute, Turn: time.Second, Waits: true}
	if l, err := s.Lease(t.Context(), location, b); l.Held || l.Pause != 0 || err != nil {
		t.Errorf("the process that waits: Lease = %+v, error %v, want neither the lease nor a pause", l, err)
	}
	a.Holds, a.Pause = true, 0
	if l, err := s.Lease(t.Context(), location, a); !l.Held || l.Pause != 0 || err != nil {
		t.Errorf("the process that had the lease: Lease = %+v, error %v, want it without a pause", l, err)
	}
}

// If the scripts of Redis are flushed, the next call sends the script again.
func TestScriptsFlushed(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	for range 2 {
		l, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "a", For: time.Hour})
		if !l.Held || err != nil {
			t.Errorf("Lease = %+v, error %v", l, err)
		}
		command(t, redis.Addr, "SCRIPT", "FLUSH")
	}
}

// leaseKey is the key in Redis of the lease of location.
const leaseKey = "robotstxt:{" + location + "}:lease1"

// ahead moves the time at which a lease was stored.
func ahead(t *testing.T, addr, key string, d time.Duration) {
	t.Helper()
	value, err := command(t, addr, "GET", key).ToString()
	if err != nil {
		t.Fatal(err)
	}
	at, rest, _ := strings.Cut(value, " ")
	n, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	command(t, addr, "SET", key, fmt.Sprintf("%d %s", n+d.Microseconds(), rest))
}

// The script answers as the fleet in memory does, with which robotshttp is tested in virtual time.
func TestScriptLikeFleetInMemory(t *testing.T) {
	redis := startRedis(t)
	s := newStore(t, redis.Addr)
	var fleet pacetest.Fleet
	now := time.Unix(0, 0)
	random := rand.New(rand.NewPCG(1, 2))
	minutes := func(n int) time.Duration { return time.Duration(random.IntN(n)) * 10 * time.Minute }
	for range 1000 {
		r := robotshttp.LeaseRequest{
			Holder: []string{"a", "b", "c", "d", ""}[random.IntN(5)],
			For:    minutes(8), Turn: minutes(3), Next: minutes(3), Pause: minutes(2) * minutes(2) / time.Hour,
			Holds: random.IntN(3) == 0, Waits: random.IntN(3) == 0, Yield: random.IntN(3) == 0,
		}
		if r.Holder == "" {
			r = robotshttp.LeaseRequest{Pause: r.Pause}
		}
		switch random.IntN(20) {
		case 0:
			command(t, redis.Addr, "DEL", leaseKey)
			fleet.Forget()
		case 1, 2, 3, 4:
			d := minutes(3)
			now = now.Add(d)
			left, err := command(t, redis.Addr, "PTTL", leaseKey).ToInt64()
			switch {
			case err != nil:
				t.Fatal(err)
			case left <= d.Milliseconds(): // there is none, or it would have expired
				command(t, redis.Addr, "DEL", leaseKey)
			default:
				ahead(t, redis.Addr, leaseKey, -d)
				command(t, redis.Addr, "PEXPIRE", leaseKey, fmt.Sprint(left-d.Milliseconds()))
			}
		}
		got, err := s.Lease(t.Context(), location, r)
		if err != nil {
			t.Fatal(err)
		}
		want := robotshttp.Lease(fleet.Lease(now, location, pace.Request(r)))
		if d := time.Since(time.Unix(0, 0).Add(got.Clock)).Abs(); d > time.Hour {
			t.Fatalf("the clock is %v off", d)
		}
		isNear := func(got, want time.Duration) bool { return (got - want).Abs() < 3*time.Second }
		if got.Held != want.Held || !isNear(got.Next, want.Next) || !isNear(got.Pause, want.Pause) || !isNear(got.Again, want.Again) || got.Others != want.Others || got.Place != want.Place {
			t.Fatalf("Lease(%+v) = %+v, want %+v", r, got, want)
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
