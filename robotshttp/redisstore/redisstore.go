// Package redisstore shares robots.txt files and crawl-delays among the crawlers of a
// fleet, through Redis or Valkey.
//
//	store, err := redisstore.New(ctx, redisstore.Options{
//		Redis: rueidis.ClientOption{InitAddress: []string{"redis.example:6379"}},
//	})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	cache := &robotshttp.Cache{UserAgent: "FooBot/1.0 (+https://example.com/bot)", Store: store}
//
// Caches that share a [Store] fetch each robots.txt only once. However many crawlers there
// are, together they obey the crawl-delay of each site.
//
// Who can write to Redis decides what the crawlers may fetch, and when. Let only the crawlers write to
// it: use TLS and a user with a password (an ACL) unless the network is yours alone.
//
// While Redis is down, slow, full or read-only, each process fetches its own files, and the processes share
// the sites by what Redis last said; see [robotshttp.Store]. If [robotshttp.Cache.WaitForStore] is set,
// requests wait for Redis instead.
package redisstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

const (
	// maxValue is the largest size of a value, in bytes. It is several times the size limit
	// of a robots.txt file.
	maxValue = 4 << 20

	// maxKey is the length, in bytes, above which keys are hashed.
	maxKey = 512

	// maxTime is the longest time that the script accepts. The script contains it, too.
	maxTime = 24 * time.Hour

	// leaseKind is the end of the keys of leases. Its number changes whenever lease.lua changes what it
	// stores, so that processes of different builds do not misunderstand each other.
	leaseKind = ":lease1"
)

// Options specify where Redis is and how to use it.
type Options struct {
	// Redis says how to connect to a server, to a cluster, or through Sentinels. To get it from
	// a URL, use [rueidis.ParseURL]. The Store overrides DisableCache, AlwaysPipelining and RetryDelay.
	Redis rueidis.ClientOption

	// Prefix is the start of every key. If it is empty, the prefix is "robotstxt:". Fleets with
	// different User-Agents need different prefixes, because a server may answer each crawler
	// differently.
	Prefix string
}

// A Store is a [robotshttp.Lender] in Redis or Valkey.
//
// A Store is safe for concurrent use, and reconnects by itself. A call returns at the
// latest when its context ends.
type Store struct {
	client rueidis.Client
	prefix string
}

var errNonsense = errors.New("unexpected reply from Redis")

// New returns a Store. It tries each operation of the Store once, on a test key. It returns an
// error if Redis cannot be reached, refuses the password, or refuses a command.
func New(ctx context.Context, o Options) (*Store, error) {
	s, err := connect(ctx, o)
	if err == nil {
		err = s.check(ctx)
		if err != nil {
			s.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("redisstore: Redis at %s %s: %w", strings.Join(o.Redis.InitAddress, ", "), explain(err), err)
	}
	return s, nil
}

// connect returns a Store that is connected to Redis.
func connect(ctx context.Context, o Options) (*Store, error) {
	o.Redis.DisableCache = true     // the Caches have memory of their own
	o.Redis.AlwaysPipelining = true // calls share connections, so many calls are no load, and a late one breaks none
	o.Redis.RetryDelay = retryDelay
	type connected struct {
		client rueidis.Client
		err    error
	}
	done := make(chan connected, 1)
	go func() {
		client, err := rueidis.NewClient(o.Redis)
		done <- connected{client, err}
	}()
	select {
	case c := <-done:
		if c.err != nil {
			return nil, c.err
		}
		return &Store{client: c.client, prefix: cmp.Or(o.Prefix, "robotstxt:")}, nil
	case <-ctx.Done():
		go func() {
			if c := <-done; c.err == nil {
				c.client.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// retryDelay tells the client whether to retry a failed command: 0 means at once, and -1 means not
// at all. A command is worth another attempt only if an idle connection broke. What fails for longer is
// left to the Cache, which then does without the Store.
func retryDelay(attempts int, _ rueidis.Completed, err error) time.Duration {
	_, replied := errors.AsType[*rueidis.RedisError](err)
	if attempts > 3 || replied || isUnreached(err) || isTimeout(err) {
		return -1
	}
	return 0
}

// isUnreached reports whether an error means that no connection could be made.
func isUnreached(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// check tries each operation of the Store once.
func (s *Store) check(ctx context.Context) error {
	const key = "check"
	if err := s.client.Do(ctx, s.client.B().Ping().Build()).Error(); err != nil {
		return err
	}
	setErr := s.Set(ctx, key, nil, time.Second)
	_, _, getErr := s.Get(ctx, key)
	_, leaseErr := s.Lease(ctx, key, robotshttp.LeaseRequest{Holder: "check", For: time.Millisecond})
	return cmp.Or(setErr, getErr, leaseErr)
}

// explain says what an error means. The result completes a sentence that starts with "Redis at
// ADDRESS", as in "Redis at ADDRESS cannot be reached".
func explain(err error) string {
	reply, ok := errors.AsType[*rueidis.RedisError](err)
	switch {
	case isTimeout(err):
		return "does not answer in time"
	case isUnreached(err):
		return "cannot be reached"
	case !ok:
		return "does not answer like a Redis server"
	}
	if text := reply.Error(); strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") {
		return "refuses the user name or the password"
	}
	return "refuses a command that the Store needs"
}

// Get returns the value of a key. If there is no value, ok is false.
func (s *Store) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	value, err = s.client.Do(ctx, s.client.B().Get().Key(s.key(key, "")).Build()).AsBytes()
	if rueidis.IsRedisNil(err) {
		return nil, false, nil
	}
	return value, err == nil, failed("get", key, err)
}

// Set sets the value of a key. The value expires after ttl. If the value is larger than 4 MiB,
// Set returns an error.
func (s *Store) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if len(value) > maxValue {
		return fmt.Errorf("redisstore: set %s: the value is too long (%d bytes)", key, len(value))
	}
	command := s.client.B().Set().Key(s.key(key, "")).Value(string(value)).PxMilliseconds(max(ttl.Milliseconds(), 1)).Build()
	return failed("set", key, s.client.Do(ctx, command.ToRetryable()).Error())
}

//go:embed lease.lua
var leaseSource string

var leaseScript = rueidis.NewLuaScriptRetryable(leaseSource)

// Lease asks for the lease of a key, renews it or gives it back. All times are by the clock of Redis,
// and at most a day long.
func (s *Store) Lease(ctx context.Context, key string, r robotshttp.LeaseRequest) (robotshttp.Lease, error) {
	args := []string{r.Holder, microseconds(r.For), microseconds(r.Turn),
		flag(r.Holds), flag(r.Waits), flag(r.Yield), microseconds(r.Next), microseconds(r.Pause)}
	reply, err := leaseScript.Exec(ctx, s.client, []string{s.key(key, leaseKind)}, args).AsIntSlice()
	switch {
	case err == nil && len(reply) != 7:
		err = errNonsense
	case r.For <= 0 && errors.Is(err, rueidis.ErrClosing):
		// The program ends: it need not wait until all sites are given back, because leases end by
		// themselves.
		return robotshttp.Lease{}, nil
	}
	if err != nil {
		return robotshttp.Lease{}, failed("lease", key, err)
	}
	return robotshttp.Lease{
		Held:   reply[0] == 1,
		Next:   time.Duration(reply[1]) * time.Microsecond,
		Pause:  time.Duration(reply[2]) * time.Microsecond,
		Again:  time.Duration(reply[3]) * time.Microsecond,
		Others: int(reply[4]),
		Place:  int(reply[5]),
		Clock:  time.Duration(reply[6]) * time.Microsecond,
	}, nil
}

// microseconds returns a duration as an argument of the script, limited to the range from zero to maxTime.
func microseconds(d time.Duration) string {
	return strconv.FormatInt(min(max(d, 0), maxTime).Microseconds(), 10)
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// key returns the Redis key for a key of the Store. The kind is leaseKind, or "" for the value. A long
// key is replaced with its hash, because host names in links can have any length.
func (s *Store) key(key, kind string) string {
	if len(key) > maxKey {
		key = fmt.Sprintf("%x", sha256.Sum256([]byte(key)))
	}
	return s.prefix + "{" + key + "}" + kind
}

// failed returns the error of an operation, or nil if err is nil. If Redis was too slow, it is a
// context.DeadlineExceeded.
func failed(op, key string, err error) error {
	switch {
	case err == nil:
		return nil
	case isTimeout(err) && !errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return fmt.Errorf("redisstore: %s %s: %w", op, key, err)
}

// Close closes the connections. All later calls fail, except those that give a lease back.
func (s *Store) Close() { s.client.Close() }
