package robotshttp

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// A Store keeps values by key for a [Cache], so that processes can share them or
// find them after a restart. A key is the [robotstxt.Location] of a file. A value is
// what is known about the file, in the Cache's own compressed form: the last
// response (status, the headers that matter, body, time and source) and the
// failures since then. It holds no conclusions: each Cache draws its own. A value
// carries its key, a version and a checksum. A value that a Cache did not write
// counts as an error and is ignored.
//
// A Store must be safe for concurrent use. Decisions never depend on it: it may
// lose values at any time, and if several processes set one key at once, any of
// the values may stay. If it fails or stalls, files are fetched as if there were
// no Store. A fetch waits for its Store for a second at most, and for Set for a tenth
// of that; the contexts of all calls end after a second. A call that panics has
// failed.
//
// Caches that share a Store should have the same UserAgent, because a server may
// answer each crawler differently. If the Store is a [Locker], a fleet of crawlers
// fetches each file once; if it is a [Pacer], the fleet keeps one pace for each site.
// [Dir] is neither; the module redisstore next to this package, for Redis and Valkey,
// is both.
type Store interface {
	// Get returns the value of a key. If there is none, or if its time is over,
	// ok is false.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Set sets the value of a key for the time to live. It does not keep value
	// after it returns.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Locker is a [Store] that can also say which of several caches asks a server.
// If the Store of a [Cache] is a Locker, the caches that share it fetch each file
// once: one takes the lock of the file's key, and the others wait for the value
// that it sets.
type Locker interface {
	// Lock takes the lock of a key, for at most ttl. It does not wait: if
	// somebody else holds the lock, ok is false. The holder calls unlock when it
	// is done, once, maybe after ttl. A late unlock must not take the lock away
	// from the next holder. Unlock must not block for longer than a second.
	Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error)
}

// A Pacer is a [Store] that can also space requests. If the Store of a [Cache] is
// a Pacer, the Transports of all caches that share it keep one pace for each site.
// Its keys are the keys of the Store.
type Pacer interface {
	// Reserve takes the next free slot of a key and returns how long the caller
	// has to wait for it, zero if it may start now. The slot after it is free
	// no sooner than interval later. If the caller would have to wait longer than
	// longest, Reserve takes no slot: it only returns how long the wait would be.
	Reserve(ctx context.Context, key string, interval, longest time.Duration) (wait time.Duration, err error)

	// Pause makes the next free slot of a key lie no sooner than d from now. It
	// never moves a slot to an earlier time.
	Pause(ctx context.Context, key string, d time.Duration) error
}

const (
	// storeTimeout limits each call of a Store, and the time that a fetch waits
	// for all of its calls together.
	storeTimeout = time.Second

	// setPatience is how long a fetch waits for Set. It lets a process that exits
	// right after its question leave the answer in a Store that works.
	setPatience = storeTimeout / 10

	// storeTTL is how long a value is useful. After that, the site counts as never
	// visited.
	storeTTL = patience

	// A process that waits for another's fetch looks for the value after minPoll,
	// then less and less often, up to every maxPoll.
	minPoll = 10 * time.Millisecond
	maxPoll = 200 * time.Millisecond
)

// A storeUser makes the calls of the Store for one fetch.
type storeUser struct {
	*Cache
	key    string
	left   time.Duration // for the calls to come
	failed bool          // a call failed: do without the Store
}

func (c *Cache) useStore(key string) *storeUser {
	return &storeUser{Cache: c, key: key, left: storeTimeout, failed: c.Store == nil}
}

// load returns what the Store has for the key. It returns nil if the Store has
// nothing, or nothing that makes sense.
func (u *storeUser) load(ctx context.Context) *entry {
	if u.failed {
		return nil
	}
	data, err := callStore(ctx, u, "get", func(ctx context.Context) ([]byte, error) {
		data, ok, err := u.Store.Get(ctx, u.key)
		if !ok {
			return nil, err
		}
		return append([]byte{}, data...), err // not nil
	})
	if err != nil || data == nil {
		return nil
	}
	r, body, err := decode(data, u.key)
	if err != nil {
		u.storeFailed(ctx, "decode", u.key, err)
		return nil
	}
	now := time.Now()
	r.distrustFuture(now)
	if r.Answer == nil && r.Failure == nil {
		return nil
	}
	e := parsed(r, body)
	u.schedule(e, now)
	return e
}

// claim waits until this Cache may ask the server, or until another cache has asked
// it. It returns the latest entry, and a function that lets others ask. Without a
// Locker this Cache may ask at once.
func (u *storeUser) claim(ctx context.Context, e *entry, usable func(*entry) bool) (latest *entry, unlock func()) {
	unlock = func() {}
	if _, ok := u.Store.(Locker); !ok || usable(e) {
		return e, unlock
	}
	ttl := u.lockTime()
	giveUp := time.Now().Add(ttl) // no lock lasts longer
	for wait := minPoll; !u.failed && time.Now().Before(giveUp); wait = min(2*wait, maxPoll) {
		release, ok := u.lock(ctx, ttl)
		if latest := u.recall(ctx, u); !u.failed { // the last holder may have set the value
			e = latest
		}
		if ok {
			return e, release
		}
		if usable(e) {
			break
		}
		time.Sleep(wait + jitter(wait, 2))
	}
	return e, unlock
}

// lockTime returns how long a lock may be held: for a fetch, and for the calls of
// the Store before and after it.
func (c *Cache) lockTime() time.Duration {
	return positive(c.Timeout, fetchTimeout) + 2*storeTimeout
}

// lock tries to take the lock of the key.
func (u *storeUser) lock(ctx context.Context, ttl time.Duration) (release func(), ok bool) {
	unlock, err := callStore(ctx, u, "lock", func(ctx context.Context) (func(), error) {
		unlock, ok, err := u.Store.(Locker).Lock(ctx, u.key, ttl)
		if !ok || err != nil {
			return nil, err
		}
		if ctx.Err() != nil { // too late: nobody is waiting for the lock any more
			unlock()
			return nil, ctx.Err()
		}
		return unlock, nil
	})
	if err != nil || unlock == nil {
		return nil, false
	}
	return func() { u.storeFailed(ctx, "unlock", u.key, u.guard(ctx, unlock)) }, true
}

// save gives the Store what is known now, and then calls unlock. It goes on in the
// background if that takes long.
func (u *storeUser) save(ctx context.Context, e *entry, unlock func()) {
	if u.Store == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer unlock()
		if u.failed && e.Answer == nil {
			return // the Store may hold a file, which a failure must not replace
		}
		last := &storeUser{Cache: u.Cache, key: u.key, left: storeTimeout}
		_, _ = callStore(ctx, last, "set", func(ctx context.Context) (struct{}, error) {
			data, err := e.encode()
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, u.Store.Set(ctx, u.key, data, storeTTL)
		})
	}()
	patience := time.NewTimer(min(setPatience, u.left))
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
	}
}

// callStore makes one call of the Store and reports its failure. It returns when
// the user's time is over, even if the call does not.
func callStore[T any](ctx context.Context, u *storeUser, op string, call func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var r result
	if u.failed {
		return r.value, errNoStore
	}
	start, parent := time.Now(), ctx
	ctx, cancel := context.WithTimeout(ctx, u.left)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		if err := u.guard(ctx, func() { r.value, r.err = call(ctx) }); err != nil {
			r.err = err
		}
		done <- r
	}()
	select {
	case r = <-done:
	case <-ctx.Done():
		r.err = ctx.Err()
	}
	u.left -= time.Since(start)
	u.failed = r.err != nil || u.left <= 0
	if parent.Err() == nil { // otherwise it is not the Store that failed
		u.storeFailed(ctx, op, u.key, r.err)
	}
	return r.value, r.err
}

var errNoStore = errors.New("robotshttp: the Store has failed")

// storeFailed reports an error of the Store, if there is one.
func (c *Cache) storeFailed(ctx context.Context, op, key string, err error) {
	if err == nil {
		return
	}
	c.counters.storeErrors.Add(1)
	_ = recovered(func() {
		c.logger().LogAttrs(ctx, slog.LevelWarn, "robots.txt store",
			slog.String("op", op), slog.String("key", key), slog.Any("error", err))
	})
}
