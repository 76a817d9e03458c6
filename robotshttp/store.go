package robotshttp

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A Store keeps values by key for a [Cache], so that processes can share them or find
// them after a restart. A key is the [robotstxt.Location] of a file. A value is what is
// known about the file, in the Cache's own compressed form: the last response (status,
// the headers that matter, body, time and source) and the failures since then. It
// contains no verdicts: each Cache works out its own. A value carries its key, a
// version and a checksum. A value that a Cache did not write counts as an error and is
// ignored.
//
// A Store must be safe for concurrent use. Decisions never depend on it: it may lose
// values at any time, and if several processes set one key at once, any of the values
// may stay. If it fails or stalls, files are fetched as if there were no Store. Each
// call has a second. A call that takes longer is tried once more, because this process
// may have stalled. If that fails too, and no other call has succeeded meanwhile, the
// Store is not called for a second, and again after each failed attempt. A call that
// panics has failed. A fetch waits for Set for a tenth of a second at most.
//
// Caches that share a Store should have the same UserAgent, because a server may
// answer each crawler differently. If the Store is a [Locker], a fleet of crawlers
// fetches each file once; if it is a [Pacer], the fleet keeps one pace for each site.
// [Dir] is neither; the module redisstore next to this package, for Redis and Valkey,
// is both.
type Store interface {
	// Get returns the value of a key. If there is none, or if it has expired, ok is
	// false.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Set sets the value of a key for the time to live. It does not keep value
	// after it returns.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Locker is a [Store] that can also choose which of several caches asks a server. If
// the Store of a [Cache] is a Locker, the caches that share it fetch each file once:
// one takes the lock of the file's key, and the others wait for the value that it sets.
// If that process dies, one of the others takes its place when the lock has ended.
type Locker interface {
	// Lock takes the lock of a key, for at most ttl. It does not wait: if
	// somebody else holds the lock, ok is false. The holder calls unlock when it
	// is done, once, maybe after ttl. A late unlock must not take the lock away
	// from the next holder. Unlock must not block for longer than a second. If
	// Lock returns an error, it releases the lock that it may have taken.
	Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error)
}

// A Pacer is a [Store] that can also space requests. If the Store of a [Cache] is
// a Pacer, all caches that share it keep one pace for each site. Its keys are the keys
// of the Store.
type Pacer interface {
	// Reserve takes the slot of a key if it is free, and returns zero. The next slot is
	// free one interval later at the earliest. If the slot is not free yet, Reserve
	// takes nothing and returns how long until it is. If the interval is zero, it takes
	// nothing either, and returns how long the key is still paused.
	Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error)

	// Pause pauses a key for d: no slot is free before that time is over. It never
	// shortens a pause.
	Pause(ctx context.Context, key string, d time.Duration) error
}

const (
	// storeTimeout limits each call of a Store.
	storeTimeout = time.Second

	// storeTries is how often a call that takes too long is tried.
	storeTries = 2

	// storeRest is how long a Store that takes too long is not called.
	storeRest = time.Second

	// storeQuiet is how long the Store must go without a failure before the log says
	// that it works again.
	storeQuiet = 10 * time.Second

	// setPatience is how long a fetch waits for Set. So a process that exits right
	// after its question still leaves the answer in the Store, if that works.
	setPatience = storeTimeout / 10

	// storeTTL is how long a value is kept. After that, the site counts as never
	// visited.
	storeTTL = patience
)

// A caller calls a Store and keeps track of its failures.
type caller struct {
	logger func() *slog.Logger
	errors atomic.Int64

	mu     sync.Mutex
	worked time.Time // when the latest call that succeeded ended
	retry  time.Time // if a call took too long: when to try again
	since  time.Time // when the calls began to fail, if they do
	failed time.Time // when the latest call failed
}

var errAlone = errors.New("robotshttp: the Store was too slow and is not called for a second")

// call calls a Store. It returns when the time of the call is over, even if the Store
// does not.
func call[T any](ctx context.Context, c *caller, op, key string, run func(context.Context) (T, error)) (value T, err error) {
	for try := 1; ; try++ {
		if !c.mayCall() {
			return value, errAlone
		}
		start := time.Now()
		value, err = limited(ctx, c.logger, run)
		late := errors.Is(err, context.DeadlineExceeded)
		if err != nil && ended(ctx) != nil { // the caller gave up; the Store did not fail
			return value, err
		}
		if !late || try == storeTries {
			c.note(ctx, op, key, start, late, err)
			return value, err
		}
	}
}

// ended returns the error of a context that has ended, or is about to: connections may
// have reached its deadline a little earlier.
func ended(ctx context.Context) error {
	if untilDeadline(ctx) <= 0 {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// limited runs a call in its own goroutine and stops waiting when its time is over.
func limited[T any](ctx context.Context, logger func() *slog.Logger, run func(context.Context) (T, error)) (value T, err error) {
	type result struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		if err := guard(ctx, logger, func() { r.value, r.err = run(ctx) }); err != nil {
			r.err = err
		}
		done <- r
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// mayCall reports whether a call may be made now. While the Store is too slow, only one
// call at a time is made, to see whether it still is.
func (c *caller) mayCall() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.retry) {
		return false
	}
	if !c.retry.IsZero() {
		c.retry = now.Add(storeRest)
	}
	return true
}

// note records the outcome of a call and when it started. It logs when calls begin to
// fail and when they work again.
func (c *caller) note(ctx context.Context, op, key string, start time.Time, late bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if err == nil {
		c.worked, c.retry = now, time.Time{}
		if !c.since.IsZero() && now.Sub(c.failed) >= storeQuiet {
			c.warn(ctx, "robots.txt store works again", slog.Duration("after", now.Sub(c.since)))
			c.since = time.Time{}
		}
		return
	}
	if late && c.worked.Before(start) {
		c.retry = now.Add(storeRest)
	}
	if c.since.IsZero() {
		c.since = now
		c.warn(ctx, "robots.txt store fails", slog.String("op", op), slog.String("key", key), slog.Any("error", err))
	}
	c.errors.Add(1)
	c.failed = now
}

func (c *caller) warn(ctx context.Context, message string, attrs ...slog.Attr) {
	_ = recovered(func() { c.logger().LogAttrs(ctx, slog.LevelWarn, message, attrs...) })
}

// load returns the Store's entry for a location, or nil if it has none or an invalid
// one.
func (c *Cache) load(ctx context.Context, location string) (*entry, error) {
	if c.Store == nil {
		return nil, nil
	}
	data, err := call(ctx, &c.caller, "get", location, func(ctx context.Context) ([]byte, error) {
		data, ok, err := c.Store.Get(ctx, location)
		if !ok {
			return nil, err
		}
		return append([]byte{}, data...), err // not nil
	})
	if err != nil || data == nil {
		return nil, err
	}
	s, body, err := decode(data, location)
	if err != nil {
		c.caller.note(ctx, "decode", location, time.Now(), false, err)
		return nil, nil
	}
	now := time.Now()
	s.distrustFuture(now)
	if s.Answer == nil && s.Failure == nil {
		return nil, nil
	}
	e := parsed(s, body)
	c.schedule(e, now)
	return e, nil
}

// lock tries to take the lock of a location. If it does not get the lock, release is
// nil.
func (c *Cache) lock(ctx context.Context, locker Locker, location string) (release func(), err error) {
	return call(ctx, &c.caller, "lock", location, func(ctx context.Context) (func(), error) {
		unlock, ok, err := locker.Lock(ctx, location, c.lockTime())
		if !ok || err != nil {
			return nil, err
		}
		release := func() { _ = guard(ctx, c.logger, unlock) }
		if ctx.Err() != nil { // nobody waits for the lock anymore
			release()
			return nil, ctx.Err()
		}
		return release, nil
	})
}

// lockTime returns how long a lock may be held: for a fetch, and for the calls of
// the Store before and after it.
func (c *Cache) lockTime() time.Duration {
	return positive(c.Timeout, fetchTimeout) + 2*storeTries*storeTimeout
}

// save puts the entry into the Store and then calls unlock. If that takes long, it
// continues in the background.
func (c *Cache) save(ctx context.Context, e *entry, unlock func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer unlock()
		_, _ = call(ctx, &c.caller, "set", e.URL, func(ctx context.Context) (struct{}, error) {
			data, err := e.encode()
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, c.Store.Set(ctx, e.URL, data, storeTTL)
		})
	}()
	select {
	case <-done:
	case <-time.After(setPatience):
	}
}
