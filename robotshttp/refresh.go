package robotshttp

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"github.com/robotstxt-go/robotstxt"
)

const (
	// While another process fetches a file, a Cache reads the Store at intervals that grow
	// from minPoll to maxPoll.
	minPoll = 10 * time.Millisecond
	maxPoll = 200 * time.Millisecond
)

func (c *Cache) init() {
	c.client = withoutRedirects(c.Client)
	c.agents = append([]string{c.UserAgent}, c.Names...)
	c.caller.logger = c.logger
	c.entries = otter.Must(&otter.Options[string, *entry]{
		MaximumWeight: uint64(positive(c.MaxBytes, 64<<20)),
		Weigher:       func(_ string, e *entry) uint32 { return e.weight() },
	})
}

// positive returns n, or def if n is not positive.
func positive[T int64 | time.Duration](n, def T) T {
	if n > 0 {
		return n
	}
	return def
}

// get is like Get, but takes the location of a robots.txt file instead of the URL of a page.
func (c *Cache) get(ctx context.Context, location string) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	c.once.Do(c.init)
	if c.Supply != nil {
		if file := c.Supply(ctx, location); file != nil {
			c.counters.supplied.Add(1)
			r := Result{File: file, Outcome: Supplied, URL: location}
			c.report(ctx, r)
			return r, nil
		}
	}
	if e, ok := c.lookup(ctx, location); ok {
		c.counters.hits.Add(1)
		r := e.result(time.Now(), Cached)
		c.report(ctx, r)
		return r, nil
	}
	select {
	case <-ctx.Done():
		return Result{}, &waitError{"waiting for " + location, ctx.Err()}
	case flight := <-c.start(ctx, location, false):
		r, _ := flight.Val.(Result)
		return r, flight.Err
	}
}

// lookup returns the entry for a location from memory, unless the entry has expired. If the
// entry expires soon, lookup starts to renew it in the background.
func (c *Cache) lookup(ctx context.Context, location string) (*entry, bool) {
	c.once.Do(c.init)
	e, ok := c.entries.GetIfPresent(location)
	now := time.Now()
	if !ok || !now.Before(e.expires) {
		return nil, false
	}
	if !now.Before(e.renew) && e.renewing.CompareAndSwap(false, true) {
		c.start(ctx, location, true)
	}
	return e, true
}

// start refreshes the entry for a location in the background, and returns a channel for the
// Result. If ahead is true, start refreshes the entry even before it expires. If a refresh of
// the location is already running, the channel receives the Result of that refresh.
func (c *Cache) start(ctx context.Context, location string, ahead bool) <-chan singleflight.Result {
	return c.flights.DoChan(location, func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		r := c.refresh(ctx, location, ahead)
		_ = guard(ctx, c.logger, func() { c.report(ctx, r) })
		r.Body = nil
		return r, nil
	})
}

// refresh returns the current Result for a location: from memory (if another refresh has
// just ended), from the Store, or from the server.
func (c *Cache) refresh(ctx context.Context, location string, ahead bool) Result {
	start, forgets := time.Now(), c.forgets.Load()
	mine, ok := c.entries.GetIfPresent(location)
	if !ok {
		mine = newEntry(location)
	}
	if mine.isUsable(ahead) {
		c.counters.hits.Add(1)
		return mine.result(start, Cached)
	}
	e, unlock, err := c.claim(ctx, mine, ahead)
	if e.isUsable(ahead) {
		unlock()
		c.counters.storeHits.Add(1)
		r := c.keep(e, forgets).result(time.Now(), Cached)
		r.Duration = time.Since(start)
		return r
	}
	e, body := c.ask(ctx, e, location)
	r := c.keep(e, forgets).result(time.Now(), Fetched)
	// If the Store could not be read, it may contain a file. Do not overwrite this file with an
	// entry that has no Answer.
	if c.Store == nil || err != nil && e.Answer == nil {
		unlock()
	} else {
		c.save(ctx, e, unlock)
	}
	r.Body, r.Duration = body, time.Since(start)
	return r
}

// claim prepares a fetch of a file. The parameter mine is this Cache's entry for the file. If the
// Store is a Locker, claim waits for the lock of the file, so that only one Cache fetches the
// file at a time. It stops waiting if another Cache stores a usable entry, if the Store fails, or
// if the wait takes too long.
//
// The result e is the latest known entry (see recall). If e is usable, no fetch is needed. If the
// Store could not be read, err says why. The caller must always call unlock, even if claim did
// not get the lock.
func (c *Cache) claim(ctx context.Context, mine *entry, ahead bool) (e *entry, unlock func(), err error) {
	e, err = c.recall(ctx, mine)
	locker, ok := c.Store.(Locker)
	if !ok || err != nil || e.isUsable(ahead) {
		return e, func() {}, err
	}
	// The lock of a process that has died expires before giveUp.
	giveUp := time.Now().Add(2 * c.lockTime())
	for wait := minPoll; time.Now().Before(giveUp); wait = min(2*wait, maxPoll) {
		release, lockErr := c.lock(ctx, locker, mine.URL)
		e, err = c.recall(ctx, e) // the previous holder of the lock may have stored an entry
		if release != nil {
			return e, release, err
		}
		if lockErr != nil || err != nil || e.isUsable(ahead) {
			break
		}
		time.Sleep(wait + jitter(wait, 2))
	}
	return e, func() {}, err
}

// recall returns the newer of two entries, mine and the one in the Store, even if it has expired.
// If the newer entry is only a Failure, without an Answer, and the older entry has a file, recall
// returns a copy of the older entry with that Failure. If mine is a forgotten entry, the result is
// a forgotten entry, too.
func (c *Cache) recall(ctx context.Context, mine *entry) (*entry, error) {
	stored, err := c.load(ctx, mine.URL)
	if stored == nil {
		return mine, err
	}
	latest, older := mine, stored
	if stored.time().After(mine.time()) {
		latest, older = stored, mine
	}
	if latest.Failure != nil && latest.Answer == nil && older.hasFile() {
		latest = older.withFailure(latest.Failure)
		c.schedule(latest, time.Now())
	}
	if mine.forgotten {
		latest = latest.forget(mine.asked)
	}
	return latest, nil
}

// ask fetches the file at a URL, and returns the entry that replaces old. If the server
// sent the file, and did not merely confirm the old one, ask also returns the text of the file.
func (c *Cache) ask(ctx context.Context, old *entry, robotsURL string) (*entry, []byte) {
	var f fetchResult
	if err := guard(ctx, c.logger, func() { f = c.fetch(ctx, robotsURL, old.Answer) }); err != nil {
		f = fetchResult{err: err}
	}
	now := time.Now()
	e := old.next(f, now)
	c.schedule(e, now)
	if c.Store != nil && f.body != nil {
		e.packed = pack(f.body)
	}
	c.counters.count(e)
	return e, f.body
}

// keep stores the entry e in memory and returns e. The parameter forgets says how often Forget had
// been called, for any site, when e was requested. If Forget has been called for the site of e since
// then, e may be out of date, so keep stores an expired copy of e. But if the entry in memory was
// requested after a later call of Forget, for any site, keep leaves that entry in memory.
func (c *Cache) keep(e *entry, forgets int64) *entry {
	e.asked, e.delayLogged = forgets, new(atomic.Bool)
	if e.file != nil {
		e.group = e.file.Group(c.agents...)
	}
	c.entries.Compute(e.URL, func(old *entry, ok bool) (*entry, otter.ComputeOp) {
		if ok && old.delayLogged != nil {
			e.delayLogged = old.delayLogged
		}
		switch {
		case !ok || old.asked <= forgets:
			return e, otter.WriteOp
		case old.forgotten:
			return e.forget(old.asked), otter.WriteOp
		}
		return old, otter.CancelOp // old was requested later than e
	})
	c.entries.CleanUp() // evict entries now; otherwise the cache may exceed its limit by hundreds of files
	return e
}

// groupOf returns the crawler's group in the file of a Result.
func (c *Cache) groupOf(r Result) *robotstxt.Group {
	if r.group != nil {
		return r.group
	}
	return r.File.Group(c.agents...)
}

// isObserved reports whether OnResult or the Logger receives Results.
func (c *Cache) isObserved(ctx context.Context) bool {
	return c.OnResult != nil || c.logger().Enabled(ctx, slog.LevelDebug)
}

// report passes a Result to OnResult and the Logger.
func (c *Cache) report(ctx context.Context, r Result) {
	if c.OnResult != nil {
		c.OnResult(ctx, r)
	}
	if !c.logger().Enabled(ctx, slog.LevelDebug) {
		return
	}
	var cause slog.Attr // handlers ignore an empty Attr
	if r.Err != nil {
		cause = slog.Any("error", r.Err)
	}
	c.logger().LogAttrs(ctx, slog.LevelDebug, "robots.txt", slog.String("url", r.URL), slog.String("outcome", string(r.Outcome)),
		slog.Int("status", r.Status), slog.Duration("took", r.Duration), cause)
}

func (c *Cache) logger() *slog.Logger {
	return cmp.Or(c.Logger, slog.Default())
}
