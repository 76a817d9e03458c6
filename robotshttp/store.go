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
// as failed. A fetch waits at most a tenth of a second for Set. A Cache makes at most 512 calls at
// once, and fewer if calls take more than half a second.
//
// Caches that share a Store should have the same UserAgent, because a server may answer
// each crawler differently. If the Store is a [Lender], a fleet of crawlers fetches each file only
// once, and the fleet as a whole obeys the crawl-delays. A [Dir] is not a Lender. The Store of the
// module robotshttp/redisstore, for Redis and Valkey, is one.
type Store interface {
	// Get returns the value of a key. If the key has no value, or its value has expired, ok is
	// false.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Set sets the value of a key. The value expires after ttl. Set must not keep the slice:
	// the caller may change it after Set returns.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Lender is a [Store] that also lends sites to the Caches of a fleet. A Cache borrows a site with a
// delay for some seconds, paces its requests by its own clock, and gives the site back with the time of
// the next request. It borrows a robots.txt in the same way while it fetches the file, so that the
// fleet fetches each file once.
//
// A Lender keeps for each key: who holds the lease and until when; the names of those who have asked
// for it, in order, each until it counts as dead; the time of the next request; the end of a pause. It
// counts all times by one clock, from when it hears a request. So the clocks of the processes do not
// matter. If its own clock goes back, a Lender should count as if no time had passed.
//
// Caches with different releases of this package may speak differently to the Lender. A Lender keeps
// what they say apart.
//
// Only the Store of the module robotshttp/redisstore is meant to be a Lender. The interface is exported
// because that is a module of its own, and may change until version 1.
type Lender interface {
	Store

	// Lease asks for the lease of a key, renews it or gives it back, as r says. Lease does not wait.
	// If it is called again with the same request, because the answer was lost, it answers the same.
	Lease(ctx context.Context, key string, r LeaseRequest) (Lease, error)
}

// A LeaseRequest is what a Cache asks of a [Lender].
type LeaseRequest struct {
	// Holder is the name of the Cache: letters and digits. No other Cache has the same name. If it is
	// empty, the Cache only wants to know whether the key is paused, or pauses it.
	Holder string

	// For is how long the lease should last from now. If it is zero, Holder gives the lease back, or
	// no longer waits for it.
	For time.Duration

	// Turn is how long a Cache usually keeps the lease if others wait. If it is zero, Holder does not
	// wait if another Cache has the lease. Otherwise it counts as waiting until some seconds after it
	// should ask again, and the lease goes to those who wait in the order in which they came.
	Turn time.Duration

	// Holds says that Holder had the lease when it asked, and Waits that it was told to wait when it
	// last asked. If the Lender knows nothing of the key, but Waits is set, then the lease has been
	// lost. So the Lender leaves the key for a third of the time For to a Holder with Holds.
	Holds, Waits bool

	// Yield says that the turn of Holder is over: if others wait, Holder loses the lease, and waits
	// as the last of them. If nobody waits, the lease is renewed.
	Yield bool

	// Next is the time until the next request may be sent to the site, and Pause the time until the
	// end of a pause. The Lender forgets neither before it is over, unless it is told a longer time.
	Next, Pause time.Duration
}

// A Lease is the answer of a [Lender]. If the Lender fails afterwards, the Caches share all sites by what it
// said about Others, Place and Clock.
//
// An answer with a negative number counts as a failure of the Lender. So does one with a Next that is
// longer than the longest delay, with a Pause of more than a day, or with more than 10,000 Others.
type Lease struct {
	Held   bool          // the holder in the request has the lease
	Next   time.Duration // until the next request may be sent
	Pause  time.Duration // until the pause ends
	Again  time.Duration // until the holder should ask again, if it has to wait for the lease
	Others int           // how many other Caches have the lease or wait for it
	Place  int           // how many of their names come before the name of the holder in the request
	Clock  time.Duration // the time by the clock of the Lender, counted from any time that is the same for all
}
