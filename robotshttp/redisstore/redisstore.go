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
// While Redis is down, slow, full or read-only, or sends invalid replies, each process fetches
// its own files and delays only its own requests; see [robotshttp.Store]. If
// [robotshttp.Cache.WaitForPacer] is set, requests wait for Redis instead.
package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

const (
	// maxValue is the largest size of a value, in bytes. It is several times the size limit
	// of a robots.txt file.
	maxValue = 4 << 20

	// maxKey is the length, in bytes, above which keys are hashed.
	maxKey = 512

	// maxWait is the longest wait before a request, and the longest pause. A time in Redis that
	// is further in the future must be wrong, perhaps because of a wrong clock. It is ignored.
	maxWait = 24 * time.Hour

	// timeout limits two operations that do not use a caller's context: connecting, and
	// releasing a lock.
	timeout = time.Second

	// connections is the default limit of connections per server.
	connections = 64
)

// Options specify where Redis is and how to use it.
type Options struct {
	// Redis says how to connect to a server, to a cluster, or through Sentinels. To get it from
	// a URL, use [rueidis.ParseURL]. The Store overrides DisableAutoPipelining, DisableCache,
	// DisableRetry, RetryDelay, DialFn and Dialer.KeepAlive.
	Redis rueidis.ClientOption

	// Prefix is the start of every key. If it is empty, the prefix is "robotstxt:". After
	// the prefix comes the site in braces, so that a cluster stores all keys of a site on the
	// same node. Fleets with different User-Agents need different prefixes, because a server may
	// answer each crawler differently.
	Prefix string
}

// A Store is a [robotshttp.Store] in Redis or Valkey. It is also a
// [robotshttp.Locker] and a [robotshttp.Pacer].
//
// A Store is safe for concurrent use, and reconnects by itself. A call returns at the
// latest when its context ends.
type Store struct {
	options Options

	mu         sync.Mutex
	client     rueidis.Client // the connected client, or nil
	err        error          // why the last attempt to connect failed, or errClosed
	connecting chan struct{}  // closed when the attempt to connect ends; nil if there is no attempt
}

var (
	errClosed   = errors.New("the store is closed")
	errNonsense = errors.New("unexpected reply from Redis")
)

// New returns a Store. It tries each operation of the Store once, on a test key. It returns an
// error if Redis cannot be reached, refuses the password, or refuses a command.
func New(ctx context.Context, o Options) (*Store, error) {
	s := unchecked(o)
	if err := s.check(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("redisstore: Redis at %s %s: %w", strings.Join(o.Redis.InitAddress, ", "), explain(err), err)
	}
	return s, nil
}

// unchecked returns a Store that connects when it is first used.
func unchecked(o Options) *Store {
	o.Prefix = cmp.Or(o.Prefix, "robotstxt:")
	r := &o.Redis
	// Without pipelining, commands that run at the same time use separate connections. So a
	// late or invalid reply affects only its own command. And a panic in the client happens in
	// the goroutine that called the Store, where the Store can recover from it.
	r.DisableAutoPipelining, r.DisableCache = true, true
	r.DisableRetry, r.RetryDelay = false, retryDelay
	r.DialCtxFn, r.Dialer.KeepAlive = dialer(*r), -1
	r.BlockingPoolSize = cmp.Or(r.BlockingPoolSize, connections)
	r.BlockingPoolCleanup = cmp.Or(r.BlockingPoolCleanup, time.Minute)
	r.ReadBufferEachConn = cmp.Or(r.ReadBufferEachConn, 32<<10)
	r.WriteBufferEachConn = cmp.Or(r.WriteBufferEachConn, 32<<10)
	r.ConnWriteTimeout = cmp.Or(r.ConnWriteTimeout, 2*timeout)
	return &Store{options: o}
}

// retryDelay tells the client whether to retry a failed command: 0 means at once, and -1 means not
// at all. The client should retry a command only if the connection broke. Every other connection
// in the pool could also have broken while it was idle. So retryDelay allows as many retries as the
// default pool has connections.
func retryDelay(attempts int, _ rueidis.Completed, err error) time.Duration {
	_, replied := errors.AsType[*rueidis.RedisError](err)
	if attempts > connections || replied || isUnreached(err) || isTimeout(err) {
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

// isUncertain reports whether Redis may have executed a command although the call failed, because
// the call timed out or the connection broke. If Redis has replied, it has refused the command.
func isUncertain(err error) bool {
	_, replied := errors.AsType[*rueidis.RedisError](err)
	return err != nil && !replied && !errors.Is(err, errClosed) && !errors.Is(err, errNonsense)
}

// dialer returns a function that connects to a server and checks that the server is Redis. The
// check is needed because the Redis client trusts all replies: a reply from a different kind of
// server can make the client panic or fill the memory.
func dialer(o rueidis.ClientOption) func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
	return func(ctx context.Context, address string, d *net.Dialer, t *tls.Config) (conn net.Conn, err error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		switch {
		case o.DialCtxFn != nil:
			conn, err = o.DialCtxFn(ctx, address, d, t)
		case t != nil:
			conn, err = (&tls.Dialer{NetDialer: d, Config: t}).DialContext(ctx, "tcp", address)
		default:
			conn, err = d.DialContext(ctx, "tcp", address)
		}
		if err != nil {
			return nil, err
		}
		deadline, _ := ctx.Deadline()
		conn.SetDeadline(deadline)
		defer conn.SetDeadline(time.Time{})
		_, err = io.WriteString(conn, "PING\r\n")
		reply := make([]byte, 1<<10)
		n, readErr := conn.Read(reply)
		text, isLine := strings.CutSuffix(string(reply[:n]), "\r\n")
		if isLine && (text == "+PONG" || strings.HasPrefix(text, "-") && !strings.Contains(text, "\n")) { // an error reply also shows that the server is Redis; it starts with "-", as in "-NOAUTH Authentication required."
			return conn, nil
		}
		conn.Close()
		return nil, cmp.Or(err, readErr, errNonsense)
	}
}

// check tries each operation of the Store once.
func (s *Store) check(ctx context.Context) error {
	const key = "check"
	err := s.do(ctx, "ping", key, func(c rueidis.Client) error { return c.Do(ctx, c.B().Ping().Build()).Error() })
	if err != nil {
		return err
	}
	setErr := s.Set(ctx, key, nil, time.Second)
	_, _, getErr := s.Get(ctx, key)
	_, reserveErr := s.Reserve(ctx, key, time.Millisecond)
	pauseErr := s.Pause(ctx, key, 0)
	lock := []string{s.key(key, ":lock")}
	_, lockErr := s.run(ctx, "lock", key, takeScript, lock, "check", "1")
	_, unlockErr := s.run(ctx, "unlock", key, releaseScript, lock, "check")
	return cmp.Or(setErr, getErr, reserveErr, pauseErr, lockErr, unlockErr)
}

// explain says what an error means. The result completes a sentence that starts with "Redis at
// ADDRESS", as in "Redis at ADDRESS cannot be reached".
func explain(err error) string {
	reply, ok := errors.AsType[*rueidis.RedisError](err)
	switch {
	case isUnreached(err):
		return "cannot be reached"
	case isTimeout(err):
		return "does not answer in time"
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
	err = s.do(ctx, "get", key, func(c rueidis.Client) error {
		reply, err := c.Do(ctx, c.B().Get().Key(s.key(key, "")).Build()).ToMessage()
		if rueidis.IsRedisNil(err) {
			return nil
		}
		if err == nil && !reply.IsString() {
			return errNonsense
		}
		if err == nil {
			value, err = reply.AsBytes()
		}
		ok = err == nil
		return err
	})
	return value, ok, err
}

// Set sets the value of a key. The value expires after ttl. If the value is larger than 4 MiB,
// Set returns an error.
func (s *Store) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if len(value) > maxValue {
		return fmt.Errorf("redisstore: set %s: the value is too long (%d bytes)", key, len(value))
	}
	return s.do(ctx, "set", key, func(c rueidis.Client) error {
		command := c.B().Set().Key(s.key(key, "")).Value(string(value)).PxMilliseconds(max(ttl.Milliseconds(), 1)).Build()
		reply, err := c.Do(ctx, command.ToRetryable()).ToMessage()
		if text, _ := reply.ToString(); err == nil && (text != "OK" || !reply.IsString()) {
			return errNonsense
		}
		return err
	})
}

var (
	// takeScript gives a free lock to the token ARGV[1] for ARGV[2] milliseconds, and returns 1. If
	// the token already has the lock, takeScript returns 1, but does not prolong the lock. If another
	// token has the lock, takeScript returns 0.
	takeScript = rueidis.NewLuaScriptNoShaRetryable(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) or redis.call('GET', KEYS[1]) == ARGV[1] then
	return 1
end
return 0`)

	// If the token ARGV[1] has the lock, releaseScript deletes the lock and returns 1. Otherwise it
	// returns 0.
	releaseScript = rueidis.NewLuaScriptNoShaRetryable(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)
)

// Lock takes the lock of a key. If another caller holds the lock, ok is false. The lock expires
// after ttl; the function unlock releases it earlier.
func (s *Store) Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error) {
	lock, token := s.key(key, ":lock"), rand.Text()
	n, err := s.run(ctx, "lock", key, takeScript, []string{lock}, token, strconv.FormatInt(max(ttl.Milliseconds(), 1), 10))
	release := func() { s.unlock(lock, token, timeout/4, ttl) }
	if isUncertain(err) && !isUnreached(err) { // Redis may have set the lock, or may set it later
		go release()
	}
	if err != nil || n == 0 {
		return nil, false, err
	}
	return release, true, nil
}

// unlock releases the lock if the token has it. If the call timed out, or the connection broke,
// unlock tries again after the duration wait. It doubles wait for each further attempt. When
// wait reaches ttl, unlock gives up, because the lock expires by itself.
func (s *Store) unlock(lock, token string, wait, ttl time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := s.run(ctx, "unlock", lock, releaseScript, []string{lock}, token)
	if isUncertain(err) && wait < ttl {
		time.AfterFunc(wait, func() { s.unlock(lock, token, 2*wait, ttl) })
	}
}

// slots is the first part of the scripts reserve and pause. It defines two Lua functions, at(key)
// and set(key, t). All times are in microseconds, by the clock of Redis. A time more than ARGV[1]
// in the future is wrong.
//
// The call at(key) returns the time that the key contains. If the key contains no time, a past
// time or a wrong time, the result is the current time.
//
// The call set(key, t) stores the time t, or now + ARGV[1] if t is later than that. The key
// expires at the stored time. A past time is not stored.
const slots = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function at(key)
	local t = tonumber(redis.call('GET', key))
	return t and t > now and t <= now + ARGV[1] and t or now
end
local function set(key, t)
	t = math.min(t, now + ARGV[1])
	if t > now then
		redis.call('SET', key, string.format('%.0f', t), 'PX', math.ceil((t - now) / 1000))
	end
end
`

var (
	// reserve takes the next free slot, which does not begin during a pause, and returns the time
	// until it begins. The slot after it begins ARGV[2] microseconds later. If ARGV[2] is zero,
	// reserve takes no slot, and returns the time until the key's pause ends.
	reserve = rueidis.NewLuaScriptNoShaRetryable(slots + `
local slot, length = at(KEYS[2]), tonumber(ARGV[2])
if length > 0 then
	slot = math.max(slot, at(KEYS[1]))
	set(KEYS[1], slot + length)
end
return slot - now`)

	// pause pauses the key for ARGV[2] microseconds, unless the key is already paused for
	// longer.
	pause = rueidis.NewLuaScriptNoShaRetryable(slots + `
set(KEYS[2], math.max(at(KEYS[2]), now + ARGV[2]))
return 0`)
)

// Reserve takes the next free slot of a key, and returns the time until the slot begins. The next
// slot begins when the interval has passed. All times are by the clock of Redis.
//
// If the interval is zero, Reserve only returns the time until the key's pause ends (see Pause),
// or zero if the key is not paused.
func (s *Store) Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error) {
	n, err := s.run(ctx, "reserve", key, reserve, []string{s.key(key, ":next"), s.key(key, ":pause")}, microseconds(maxWait), microseconds(interval))
	return time.Duration(n) * time.Microsecond, err
}

// Pause pauses a key for the time d, but at most for a day. No slot that is reserved later begins
// during that time.
func (s *Store) Pause(ctx context.Context, key string, d time.Duration) error {
	_, err := s.run(ctx, "pause", key, pause, []string{s.key(key, ":next"), s.key(key, ":pause")}, microseconds(maxWait), microseconds(d))
	return err
}

// microseconds returns a duration as an argument of the scripts, limited to the range from
// zero to maxWait.
func microseconds(d time.Duration) string {
	return strconv.FormatInt(min(max(d, 0), maxWait).Microseconds(), 10)
}

// key returns the Redis key for a key of the Store. The kind says what the Redis key is
// for: ":lock", ":next", ":pause", or "" for the value. A long key is replaced with its hash,
// because host names in links can have any length.
func (s *Store) key(key, kind string) string {
	if len(key) > maxKey {
		key = fmt.Sprintf("%x", sha256.Sum256([]byte(key)))
	}
	return s.options.Prefix + "{" + key + "}" + kind
}

// run runs a script and returns its result, which must be a number.
func (s *Store) run(ctx context.Context, op, key string, script *rueidis.Lua, keys []string, args ...string) (n int64, err error) {
	err = s.do(ctx, op, key, func(c rueidis.Client) error {
		n, err = script.Exec(ctx, c, keys, args).ToInt64()
		if err == nil && (n < 0 || n > maxWait.Microseconds()) {
			return errNonsense
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// do calls command with a connected client. If an invalid reply makes the client
// panic, do discards the client and returns an error.
func (s *Store) do(ctx context.Context, op, key string, command func(rueidis.Client) error) (err error) {
	var client rueidis.Client
	defer func() {
		if r := recover(); r != nil {
			s.drop(client)
			err = fmt.Errorf("%w: %v", errNonsense, r)
		}
		if isTimeout(err) && !errors.Is(err, context.DeadlineExceeded) { // the connection timed out, because Redis was too slow
			err = fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
		}
		if err != nil {
			err = fmt.Errorf("redisstore: %s %s: %w", op, key, err)
		}
	}()
	if client, err = s.connect(ctx); err != nil {
		return err
	}
	return command(client)
}

// connect returns the client. If there is none, connect makes a client and waits until it is
// connected.
func (s *Store) connect(ctx context.Context) (rueidis.Client, error) {
	s.mu.Lock()
	if s.client == nil && s.connecting == nil && s.err != errClosed {
		s.connecting = make(chan struct{})
		go s.makeClient()
	}
	connecting := s.connecting
	s.mu.Unlock()
	if connecting != nil {
		select {
		case <-connecting:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		return nil, cmp.Or(s.err, errNonsense)
	}
	return s.client, ctx.Err()
}

func (s *Store) makeClient() {
	client, err := rueidis.Client(nil), errNonsense
	defer func() {
		recover()
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.err != errClosed:
			s.client, s.err = client, err
		case err == nil:
			go client.Close()
		}
		close(s.connecting)
		s.connecting = nil
	}()
	client, err = rueidis.NewClient(s.options.Redis)
}

// drop discards a client that has panicked. The next call makes a new client.
func (s *Store) drop(client rueidis.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != nil && s.client == client {
		s.client = nil
		go client.Close() // Close may wait for calls in progress
	}
}

// Close closes the connections. All later calls fail.
func (s *Store) Close() {
	s.mu.Lock()
	client := s.client
	s.client, s.err = nil, errClosed
	s.mu.Unlock()
	if client != nil {
		client.Close()
	}
}
