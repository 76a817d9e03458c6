// Package redisstore lets the crawlers of a fleet share their robots.txt files and
// their pace through Redis or Valkey.
//
//	store := &redisstore.Store{Redis: rueidis.ClientOption{InitAddress: []string{"redis.example:6379"}}}
//	defer store.Close()
//	cache := &robotshttp.Cache{UserAgent: "FooBot/1.0 (+https://example.com/bot)", Store: store}
//
// Caches that share a [Store] fetch each robots.txt once, whichever of them asks
// for it first, and visit a site at one pace, however many workers they have.
//
// No decision depends on Redis. While it is down, slow, full or read-only, or if
// it answers with nonsense, each process fetches files and keeps the pace alone.
// The Store connects when it is first used, and reconnects by itself.
package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

const (
	// maxValue is the size of the largest value. It is several times the size of
	// the largest robots.txt that counts.
	maxValue = 4 << 20

	// maxKey is the length of the longest key that Redis sees as it is.
	maxKey = 512

	// maxWait is the longest wait that Reserve believes. A longer one comes from
	// a clock or a value that is wrong.
	maxWait = 24 * time.Hour

	// maxLate is how late a process may start without being too near to the next
	// slot, unless slots are short.
	maxLate = 20 * time.Millisecond
)

// A Store is a [robotshttp.Store] in Redis or Valkey. It is also a
// [robotshttp.Locker] and a [robotshttp.Pacer].
//
// A Store is safe for concurrent use. Its fields must not be changed after first
// use. It must not be copied.
type Store struct {
	// Redis says how to connect to a server, to a cluster, or to the server that
	// some Sentinels name. [rueidis.ParseURL] makes it from a URL. The Store
	// overrides Dialer.Timeout, ConnWriteTimeout, DisableRetry and DisableCache.
	Redis rueidis.ClientOption

	// Prefix starts every key. If it is empty, the prefix is "robotstxt:". The
	// rest of a key names the site in braces, so a cluster keeps all about one
	// site on one node. Fleets whose User-Agents differ need different prefixes,
	// because a server may answer each crawler in its own way.
	Prefix string

	// Timeout limits each call. If it is zero, the limit is half a second. After
	// a call without a reply, calls fail at once until there is a new connection.
	// While it is in use, the Store tries to connect every second.
	Timeout time.Duration

	mu         sync.Mutex
	client     rueidis.Client // nil if there is no connection
	connecting chan struct{}  // closed when the attempt to connect is over, nil if there is none
	err        error          // why there is no client, nil if nobody has tried to connect
	retry      time.Time      // when to connect again
	closed     bool
}

// Get returns the value of a key.
func (s *Store) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	reply, err := s.do(ctx, func(ctx context.Context, c rueidis.Client) rueidis.RedisResult {
		return c.Do(ctx, c.B().Get().Key(s.key(key, "")).Build())
	})
	if rueidis.IsRedisNil(err) {
		return nil, false, nil
	}
	if err == nil && !reply.IsString() {
		err = errNonsense
	}
	if err != nil {
		return nil, false, fmt.Errorf("redisstore: get %s: %w", key, err)
	}
	value, err = reply.AsBytes()
	return value, err == nil, err
}

// Set sets the value of a key for the time to live. Values of more than 4 MiB are
// refused.
func (s *Store) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if len(value) > maxValue {
		return fmt.Errorf("redisstore: set %s: %d bytes are too many", key, len(value))
	}
	text := string(value) // A command may outlive this call.
	err := s.set(ctx, func(b rueidis.Builder) rueidis.Completed {
		return b.Set().Key(s.key(key, "")).Value(text).PxMilliseconds(milliseconds(ttl)).Build()
	})
	if err != nil {
		return fmt.Errorf("redisstore: set %s: %w", key, err)
	}
	return nil
}

// set runs a command whose reply has to be OK.
func (s *Store) set(ctx context.Context, command func(rueidis.Builder) rueidis.Completed) error {
	reply, err := s.do(ctx, func(ctx context.Context, c rueidis.Client) rueidis.RedisResult {
		return c.Do(ctx, command(c.B()))
	})
	if err != nil {
		return err
	}
	if text, _ := reply.ToString(); !reply.IsString() || text != "OK" {
		return errNonsense
	}
	return nil
}

// Lock takes the lock of a key, unless somebody holds it: then ok is false. Unlock
// releases it, if it is still the same lock. If unlock is never called, or cannot
// reach Redis, the lock ends after the time to live.
func (s *Store) Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error) {
	lock, token := s.key(key, ":lock"), rand.Text()
	err = s.set(ctx, func(b rueidis.Builder) rueidis.Completed {
		return b.Set().Key(lock).Value(token).Nx().PxMilliseconds(milliseconds(ttl)).Build()
	})
	if rueidis.IsRedisNil(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("redisstore: lock %s: %w", key, err)
	}
	return func() { s.unlock(lock, token) }, true, nil
}

// release deletes a lock if it holds the token.
var release = rueidis.NewLuaScriptNoSha(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)

// unlock releases a lock, or leaves it to end by itself.
func (s *Store) unlock(lock, token string) {
	s.do(context.Background(), func(ctx context.Context, c rueidis.Client) rueidis.RedisResult {
		return release.Exec(ctx, c, []string{lock}, []string{token})
	})
}

// slot is the start of the scripts about pace. It reads from the key when the next
// slot begins, in microseconds by the clock of Redis. If that is more than ARGV[1]
// away, a clock was wrong, and the slot begins now.
const slot = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slot = tonumber(redis.call('GET', KEYS[1]))
if not slot or not (slot > now and slot <= now + ARGV[1]) then
	slot = now
end
local function set(next)
	next = math.min(next, now + ARGV[1])
	if next > now then
		redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
	end
end
`

var (
	// reserve takes the next slot, unless it is further away than ARGV[3], and
	// returns how far away it is. The slot after it begins ARGV[2] later.
	reserve = rueidis.NewLuaScriptNoSha(slot + `
if slot - now <= tonumber(ARGV[3]) then
	set(slot + ARGV[2])
end
return slot - now`)

	// pause moves the next slot to ARGV[2] from now, if it begins earlier.
	pause = rueidis.NewLuaScriptNoSha(slot + `
set(math.max(slot, now + ARGV[2]))
return 0`)
)

// Reserve takes the next free slot of a key and returns how long to wait for it,
// unless that is longer than longest: then it leaves the slot to others. The slot
// after it begins an interval later, by the clock of Redis, and a little more: a
// process that hears of its slot late, or wakes up late, starts nearer to the next.
func (s *Store) Reserve(ctx context.Context, key string, interval, longest time.Duration) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()
	length := min(interval, maxWait) + min(interval/20, maxLate)
	wait, took, err := s.pace(ctx, reserve, key, length, longest)
	if err == nil && wait <= longest && took > max(interval/10, maxLate/2) {
		// The slot may have begun long ago.
		wait, _, err = s.pace(ctx, reserve, key, length, longest)
	}
	if err != nil {
		return 0, fmt.Errorf("redisstore: reserve %s: %w", key, err)
	}
	return wait, nil
}

// Pause makes the next free slot of a key begin no sooner than d from now, or a day
// from now if d is longer.
func (s *Store) Pause(ctx context.Context, key string, d time.Duration) error {
	if _, _, err := s.pace(ctx, pause, key, d); err != nil {
		return fmt.Errorf("redisstore: pause %s: %w", key, err)
	}
	return nil
}

// pace runs a script about the pace of a key and returns the time that it returns,
// and how long it took.
func (s *Store) pace(ctx context.Context, script *rueidis.Lua, key string, times ...time.Duration) (wait, took time.Duration, err error) {
	args := []string{microseconds(maxWait)}
	for _, t := range times {
		args = append(args, microseconds(t))
	}
	var start, end time.Time // being written until there is a reply
	reply, err := s.do(ctx, func(ctx context.Context, c rueidis.Client) rueidis.RedisResult {
		start = time.Now()
		reply := script.Exec(ctx, c, []string{s.key(key, ":next")}, args)
		end = time.Now()
		return reply
	})
	if err != nil {
		return 0, 0, err
	}
	n, err := reply.ToInt64()
	if err != nil || n < 0 || n > maxWait.Microseconds() {
		return 0, 0, errNonsense
	}
	return time.Duration(n) * time.Microsecond, end.Sub(start), nil
}

// microseconds returns a duration as the scripts take it, between zero and maxWait.
func microseconds(d time.Duration) string {
	return strconv.FormatInt(min(max(d, 0), maxWait).Microseconds(), 10)
}

// milliseconds returns a time to live as Redis takes it, at least one millisecond.
func milliseconds(ttl time.Duration) int64 { return max(ttl.Milliseconds(), 1) }

// key returns what Redis calls a key: what is known of it, its lock, or its pace.
// A host can be as long as somebody's link says, but the names of keys stay short.
func (s *Store) key(key, kind string) string {
	if len(key) > maxKey {
		key = fmt.Sprintf("%x", sha256.Sum256([]byte(key)))
	}
	return cmp.Or(s.Prefix, "robotstxt:") + "{" + key + "}" + kind
}
