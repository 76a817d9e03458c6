package robotshttp

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A Store keeps values by key for a [Cache]. Several processes can share the values, and a
// restarted process can still use them. A key is the [robotstxt.Location] of a file. A value
// contains the last response (status, some headers, compressed body, time and URL) and the
// failures after that response. A value contains no decisions, because each Cache decides by
// itself.
//
// A value also contains its key, a version and a checksum. A Cache checks all three. It
// ignores a value that fails a check, and counts the value as an error.
//
// A Store must be safe for concurrent use. It may lose values at any time. If several
// processes set the same key at once, any of their values may win. While a Store fails or
// stalls, a Cache fetches files as if there were no Store.
//
// Each call must return within one second. A slower call is tried once more, because the
// process itself may have stalled. If the second try is also too slow, and no other call has
// succeeded meanwhile, the Cache does not call the Store for one second. A call that panics counts
// as failed. A fetch waits at most a tenth of a second for Set.
//
// Caches that share a Store should have the same UserAgent, because a server may answer
// each crawler differently. If the Store is a [Locker], a fleet of crawlers fetches each
// file only once. If the Store is a [Pacer], the fleet as a whole obeys the crawl-delays. A
// [Dir] is neither a Locker nor a Pacer. The Store of the module robotshttp/redisstore, for
// Redis and Valkey, is both.
type Store interface {
	// Get returns the value of a key. If the key has no value, or its value has expired, ok is
	// false.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Set sets the value of a key. The value expires after ttl. Set must not keep the slice:
	// the caller may change it after Set returns.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Locker is a [Store] with locks. If several Caches share a Locker and need the same file, one
// of them takes the lock for the file's key and fetches the file. The other Caches wait until
// the file is in the Store. If a process dies while it holds the lock, the lock expires, and
// another Cache takes it.
type Locker interface {
	// Lock takes the lock of a key. The lock expires after ttl. Lock does not wait: if another
	// caller holds the lock, ok is false. If Lock returns an error, it must not keep the lock.
	//
	// The holder of the lock calls unlock once. By then, the lock may have expired, and another
	// caller may hold it. In that case, unlock must not release the lock. The function unlock
	// must return within a second.
	Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error)
}

// A Pacer is a [Store] that can also delay requests. Caches that share a Pacer delay their
// requests as if they were one Cache, and each gets about the same share of a site's slots. For each
// site, a Cache uses the same key in all calls to Get, Set, Reserve and Pause. A Pacer need not be a
// [Locker].
//
// For each site, a Cache reserves one slot at a time. If it dies or is too slow to use the slot,
// the slot stays empty. If the site has no delay, a Cache asks at most once a second for a pause.
//
// The requests of the fleet reach a site about as far apart as its crawl-delay demands: they can be
// closer by as much as the calls of Reserve, or their connections to the site, differ in duration.
type Pacer interface {
	// Reserve takes the next free slot of a key, and returns the time until the slot begins, counted
	// from when Reserve returns. In each slot, one request for the key can start. The next slot begins when the interval has
	// passed. No slot begins during a pause of the key (see Pause).
	//
	// If the interval is zero, Reserve takes no slot. It returns the time until the key's
	// pause ends, or zero if the key is not paused.
	Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error)

	// Pause pauses a key for d: no slot that Reserve returns later begins during that time. It
	// never shortens an earlier pause.
	Pause(ctx context.Context, key string, d time.Duration) error
}

const (
	// storeTimeout is the longest time that the Cache waits for a call of a Store.
	storeTimeout = time.Second

	// storeTries is the largest number of attempts for a call. After an attempt, the Cache
	// tries again only if the attempt took longer than storeTimeout.
	storeTries = 2

	// storeRest is how long the Cache waits after a Store was too slow, before it calls the
	// Store again.
	storeRest = time.Second

	// storeCalls limits how many calls of a Store are in progress at once. A call that waits for its
	// turn has not begun, so that load does not look like a failure of the Store.
	storeCalls = 48

	// warnInterval is the shortest time between two warnings that the Store fails.
	warnInterval = time.Minute

	// setPatience is how long a fetch waits for Set. Without this wait, a process that exits
	// right after a fetch would not save the file.
	setPatience = storeTimeout / 10

	// storeTTL is the time after which a value expires. After that, a Cache treats the site as
	// new.
	storeTTL = 30 * day
)

// A storeHealth records how the calls of a Store end, and so whether the Store works; see call.
type storeHealth struct {
	logger func() *slog.Logger
	errors atomic.Int64
	busy   chan struct{} // holds a value for each call in progress; see storeCalls

	mu     sync.Mutex
	worked time.Time // when the latest successful call ended
	rest   time.Time // when to call the Store again; zero unless the Store was too slow
	warned time.Time // when the log last said that the Store fails
}

var errResting = errors.New("robotshttp: store skipped: its last call timed out")

// call runs a function that calls the Store, and returns the function's results. It stops
// waiting after storeTimeout, and then tries once more.
func call[T any](ctx context.Context, h *storeHealth, op, key string, run func(context.Context) (T, error)) (value T, err error) {
	for try := 1; ; try++ {
		if h.isResting() {
			return value, errResting
		}
		select {
		case h.busy <- struct{}{}:
		case <-ctx.Done():
			return value, ctx.Err()
		}
		start := time.Now()
		value, err = limited(ctx, h.logger, run)
		<-h.busy
		if err != nil && ctxErr(ctx) != nil { // the context ended; the Store did not fail
			return value, err
		}
		if !errors.Is(err, context.DeadlineExceeded) || try == storeTries {
			h.record(ctx, op, key, start, err)
			return value, err
		}
	}
}

// ctxErr returns the error of a context that has ended. A context also counts as ended when
// its deadline has passed but its error is not set yet.
func ctxErr(ctx context.Context) error {
	if timeLeft(ctx) <= 0 {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// limited runs a call in a new goroutine and stops waiting for it after storeTimeout.
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

// isResting reports whether the Store must not be called now. After a call that was too slow, only
// one call per storeRest may try whether the Store works again.
func (h *storeHealth) isResting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if now.Before(h.rest) {
		return true
	}
	if !h.rest.IsZero() {
		h.rest = now.Add(storeRest)
	}
	return false
}

// record records the outcome of a call that began at start. If the call was too slow, and no other
// call has succeeded meanwhile, the Store rests. record logs a failure, unless it has done so within
// warnInterval.
func (h *storeHealth) record(ctx context.Context, op, key string, start time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if err == nil {
		h.worked, h.rest = now, time.Time{}
		return
	}
	h.errors.Add(1)
	if errors.Is(err, context.DeadlineExceeded) && h.worked.Before(start) {
		h.rest = now.Add(storeRest)
	}
	if now.Sub(h.warned) >= warnInterval {
		h.warned = now
		_ = recovered(func() {
			h.logger().LogAttrs(ctx, slog.LevelWarn, "robots.txt store fails",
				slog.String("op", op), slog.String("key", key), slog.Any("error", err))
		})
	}
}

// load returns the Store's entry for a location, or nil if the Store has no valid entry.
func (c *Cache) load(ctx context.Context, location string) (*entry, error) {
	if c.Store == nil {
		return nil, nil
	}
	data, err := call(ctx, &c.health, "get", location, func(ctx context.Context) ([]byte, error) {
		data, ok, err := c.Store.Get(ctx, location)
		if !ok {
			return nil, err
		}
		return append([]byte{}, data...), err // load takes nil for a missing value, so an empty value must not be nil
	})
	if err != nil || data == nil {
		return nil, err
	}
	s, body, err := decode(data, location)
	if err != nil {
		c.health.record(ctx, "decode", location, time.Now(), err)
		return nil, nil
	}
	now := time.Now()
	s.dropFutureTimes(now)
	if s.Answer == nil && s.Failure == nil {
		return nil, nil
	}
	e := &entry{state: s}
	if s.Answer != nil {
		e.file = fromStatus(s.Answer.Status, body)
	}
	c.complete(e, now)
	return e, nil
}

// lock tries to take the lock of a location. If the lock is not free, release is nil.
func (c *Cache) lock(ctx context.Context, locker Locker, location string) (release func(), err error) {
	return call(ctx, &c.health, "lock", location, func(ctx context.Context) (func(), error) {
		unlock, ok, err := locker.Lock(ctx, location, c.lockTime())
		if !ok || err != nil {
			return nil, err
		}
		release := func() {
			if err := guard(ctx, c.logger, unlock); err != nil {
				c.health.record(ctx, "unlock", location, time.Now(), err)
			}
		}
		if ctx.Err() != nil { // nobody waits for the lock anymore
			release()
			return nil, ctx.Err()
		}
		return release, nil
	})
}

// lockTime returns the time after which a lock expires. It is long enough for a fetch, and for
// the calls of the Store before and after the fetch.
func (c *Cache) lockTime() time.Duration {
	return positive(c.Timeout, fetchTimeout) + 2*storeTries*storeTimeout
}

// save puts the entry into the Store and then calls unlock. If the Store takes longer than
// setPatience, save returns early. The Store and unlock then finish in the background.
func (c *Cache) save(ctx context.Context, e *entry, unlock func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer unlock()
		_, _ = call(ctx, &c.health, "set", e.URL, func(ctx context.Context) (struct{}, error) {
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
