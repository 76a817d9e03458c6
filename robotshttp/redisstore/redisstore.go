// Package redisstore lets the crawlers of a fleet share their robots.txt files and
// their pace through Redis or Valkey.
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
// Caches that share a [Store] fetch each robots.txt once, whichever of them asks
// for it first, and visit a site at one pace, however many workers they have.
//
// No decision depends on Redis. While it is down, slow, full or read-only, or if
// it answers with nonsense, each process fetches files and keeps the pace alone, see
// [robotshttp.Store], unless [robotshttp.Cache.WaitForPacer] is set.
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
	// maxValue is the size of the largest value. It is several times the size of
	// the largest robots.txt that counts.
	maxValue = 4 << 20

	// maxKey is the length of the longest key that is used in Redis unchanged.
	maxKey = 512

	// maxWait is the longest wait that Reserve believes. A longer one comes from
	// a clock or a value that is wrong.
	maxWait = 24 * time.Hour

	// timeout limits operations that no caller waits for: connecting, and releasing a lock.
	timeout = time.Second

	// connections is the maximum per server, unless the options set another.
	connections = 64
)

// Options say where Redis is and how to use it.
type Options struct {
	// Redis says how to connect to a server, to a cluster, or to the server that
	// some Sentinels name. [rueidis.ParseURL] makes it from a URL. The Store
	// overrides DisableAutoPipelining, DisableCache, DisableRetry, RetryDelay, DialFn and
	// Dialer.KeepAlive.
	Redis rueidis.ClientOption

	// Prefix starts every key. If it is empty, the prefix is "robotstxt:". The rest of a
	// key names the site in braces, so a cluster keeps everything about one site on one
	// node. Fleets whose User-Agents differ need different prefixes, because a server may
	// answer each crawler in its own way.
	Prefix string

	// Lazy makes New return at once, without a connection. While Redis cannot be used, each
	// call then returns the reason as its error.
	Lazy bool
}

// A Store is a [robotshttp.Store] in Redis or Valkey. It is also a
// [robotshttp.Locker] and a [robotshttp.Pacer].
//
// A Store is safe for concurrent use. It reconnects by itself. A call ends with its
// context, if that has a deadline.
type Store struct {
	options Options

	mu         sync.Mutex
	client     rueidis.Client // nil if there is none
	err        error          // why there is none, if it is known
	connecting chan struct{}  // closed when the attempt to connect is over; nil if there is no attempt
}

var (
	errClosed   = errors.New("the store is closed")
	errNonsense = errors.New("unexpected reply from Redis")
)

// New returns a Store. It runs each of its commands once, on a key of its own, and fails
// if Redis cannot be reached, refuses the password, or does not permit a command.
func New(ctx context.Context, o Options) (*Store, error) {
	o.Prefix = cmp.Or(o.Prefix, "robotstxt:")
	r := &o.Redis
	// Each command has a connection to itself. So a late reply, or one that makes the
	// client panic, does not affect other commands, and the panic happens in the goroutine
	// of the call.
	r.DisableAutoPipelining, r.DisableCache = true, true
	r.DisableRetry, r.RetryDelay = false, retryDelay
	r.DialCtxFn, r.Dialer.KeepAlive = dialer(*r), -1
	r.BlockingPoolSize = cmp.Or(r.BlockingPoolSize, connections)
	r.BlockingPoolCleanup = cmp.Or(r.BlockingPoolCleanup, time.Minute)
	r.ReadBufferEachConn = cmp.Or(r.ReadBufferEachConn, 32<<10)
	r.WriteBufferEachConn = cmp.Or(r.WriteBufferEachConn, 32<<10)
	r.ConnWriteTimeout = cmp.Or(r.ConnWriteTimeout, 2*timeout)
	s := &Store{options: o}
	if o.Lazy {
		return s, nil
	}
	if err := s.check(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("redisstore: Redis at %s %s: %w", strings.Join(r.InitAddress, ", "), explain(err), err)
	}
	return s, nil
}

// retryDelay has a command tried again at once if its connection has broken, maybe long
// ago: there may be as many such connections as the client keeps.
func retryDelay(attempts int, _ rueidis.Completed, err error) time.Duration {
	_, replied := errors.AsType[*rueidis.RedisError](err)
	if attempts > connections || replied || isUnreached(err) || isTimeout(err) {
		return -1
	}
	return 0
}

// isUnreached reports whether an error says that there is no connection.
func isUnreached(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// dialer returns a function that connects as the options say, to nothing but Redis: the
// client believes what a server says, and fills the memory or panics if that is nonsense.
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
		if isLine && (text == "+PONG" || strings.HasPrefix(text, "-") && !strings.Contains(text, "\n")) { // or it wants a password
			return conn, nil
		}
		conn.Close()
		return nil, cmp.Or(err, readErr, errNonsense)
	}
}

// check runs each command once.
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
	_, lockErr := s.run(ctx, "lock", key, take, lock, "check", "1")
	_, unlockErr := s.run(ctx, "unlock", key, release, lock, "check")
	return cmp.Or(setErr, getErr, reserveErr, pauseErr, lockErr, unlockErr)
}

// explain returns a predicate for Redis that says what an error means.
func explain(err error) string {
	reply, ok := errors.AsType[*rueidis.RedisError](err)
	switch {
	case isUnreached(err):
		return "cannot be reached"
	case isTimeout(err):
		return "does not answer in time"
	case !ok:
		return "does not answer as Redis does"
	}
	if text := reply.Error(); strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") {
		return "refuses the user name or the password"
	}
	return "refuses a command that the Store needs"
}

// Get returns the value of a key.
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

// Set sets the value of a key for the time to live. Values of more than 4 MiB are
// refused.
func (s *Store) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if len(value) > maxValue {
		return fmt.Errorf("redisstore: set %s: %d bytes are too many", key, len(value))
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
	// take takes a lock for ARGV[2] milliseconds, unless it holds another token than
	// ARGV[1], and returns whether it did.
	take = rueidis.NewLuaScriptNoShaRetryable(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) or redis.call('GET', KEYS[1]) == ARGV[1] then
	return 1
end
return 0`)

	// release deletes a lock if it holds the token, and returns whether it did.
	release = rueidis.NewLuaScriptNoShaRetryable(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)
)

// Lock takes the lock of a key. If somebody else holds it, ok is false. Unlock releases the
// lock unless it has expired meanwhile. If unlock is never called, the lock expires after
// the time to live.
func (s *Store) Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error) {
	lock, token := s.key(key, ":lock"), rand.Text()
	n, err := s.run(ctx, "lock", key, take, []string{lock}, token, strconv.FormatInt(max(ttl.Milliseconds(), 1), 10))
	release := func() { s.unlock(lock, token, timeout/4, ttl) }
	if err != nil && !isUnreached(err) { // Redis may have set the lock anyway, or may still do so
		go release()
	}
	if err != nil || n == 0 {
		return nil, false, err
	}
	return release, true, nil
}

// unlock releases a lock. If that fails, it tries again at growing intervals until the lock
// expires.
func (s *Store) unlock(lock, token string, wait, ttl time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	n, err := s.run(ctx, "unlock", lock, release, []string{lock}, token)
	if n == 0 && !errors.Is(err, errClosed) && wait < ttl {
		time.AfterFunc(wait, func() { s.unlock(lock, token, 2*wait, ttl) })
	}
}

// slots is the start of the scripts about pace. Its function at reads a time from a key, in
// microseconds by the clock of Redis. It returns the current time for a time in the past,
// and for one more than ARGV[1] away, which must come from a wrong clock.
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
	// reserve takes the slot if it is free, and returns the time until it is free. The next
	// one begins ARGV[2] later. If that is zero, reserve takes nothing, and returns the
	// time until the pause ends.
	reserve = rueidis.NewLuaScriptNoShaRetryable(slots + `
local slot, length = at(KEYS[2]), tonumber(ARGV[2])
if length > 0 then
	slot = math.max(slot, at(KEYS[1]))
	if slot == now then
		set(KEYS[1], now + length)
	end
end
return slot - now`)

	// pause makes the pause end no sooner than ARGV[2] from now.
	pause = rueidis.NewLuaScriptNoShaRetryable(slots + `
set(KEYS[2], math.max(at(KEYS[2]), now + ARGV[2]))
return 0`)
)

// Reserve takes the slot of a key if it is free, and otherwise returns the time until it
// is. The next slot begins an interval later, by the clock of Redis. If the interval is
// zero, Reserve returns how long the key is still paused.
func (s *Store) Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error) {
	n, err := s.run(ctx, "reserve", key, reserve, []string{s.key(key, ":next"), s.key(key, ":pause")}, microseconds(maxWait), microseconds(interval))
	return time.Duration(n) * time.Microsecond, err
}

// Pause pauses a key for d, or for a day if d is longer.
func (s *Store) Pause(ctx context.Context, key string, d time.Duration) error {
	_, err := s.run(ctx, "pause", key, pause, []string{s.key(key, ":next"), s.key(key, ":pause")}, microseconds(maxWait), microseconds(d))
	return err
}

// microseconds returns a duration as the scripts take it, between zero and maxWait.
func microseconds(d time.Duration) string {
	return strconv.FormatInt(min(max(d, 0), maxWait).Microseconds(), 10)
}

// key returns the name in Redis of a key's value, lock or pace. A link can name a host of
// any length, but the names of keys stay short.
func (s *Store) key(key, kind string) string {
	if len(key) > maxKey {
		key = fmt.Sprintf("%x", sha256.Sum256([]byte(key)))
	}
	return s.options.Prefix + "{" + key + "}" + kind
}

// run runs a script and returns the number that it returns.
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

// do calls Redis. If a reply makes no sense, the client panics and loses the connection.
func (s *Store) do(ctx context.Context, op, key string, call func(rueidis.Client) error) (err error) {
	var client rueidis.Client
	defer func() {
		if r := recover(); r != nil {
			s.drop(client)
			err = fmt.Errorf("%w: %v", errNonsense, r)
		}
		if isTimeout(err) && !errors.Is(err, context.DeadlineExceeded) { // the connection's comes a little earlier
			err = fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
		}
		if err != nil {
			err = fmt.Errorf("redisstore: %s %s: %w", op, key, err)
		}
	}()
	if client, err = s.connect(ctx); err != nil {
		return err
	}
	return call(client)
}

// connect returns the client. If there is none, it makes one, which sends the server a few
// commands.
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

// drop discards a client.
func (s *Store) drop(client rueidis.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != nil && s.client == client {
		s.client = nil
		go client.Close() // It may wait for calls in progress.
	}
}

// Close closes the connections. Calls fail from then on.
func (s *Store) Close() {
	s.mu.Lock()
	client := s.client
	s.client, s.err = nil, errClosed
	s.mu.Unlock()
	if client != nil {
		client.Close()
	}
}
