package robotshttp

import (
	"context"
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
