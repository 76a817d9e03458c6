package robotshttp

import (
	"cmp"
	"container/list"
	"context"
	"log/slog"
	"time"

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
	c.health.logger = c.logger
	c.health.busy = make(chan struct{}, storeCalls)
	c.memory.limit = positive(c.MaxBytes, 64<<20)
	c.memory.elements = make(map[string]*list.Element)
	c.memory.flights = make(map[string]*flight)
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
		return Result{}, newFileError(location, err)
	}
	c.once.Do(c.init)
	if c.Supply != nil {
		if file := c.Supply(ctx, location); file != nil {
			r := Result{File: file, Outcome: Supplied, URL: location}
			c.report(ctx, r)
			return r, nil
		}
	}
	now := time.Now()
	if e := c.memory.get(location); e != nil && e.isUsable(now, false) {
		if !e.isUsable(now, true) { // it expires soon
			c.start(context.Background(), location, true)
		}
		c.counters.hits.Add(1)
		r := e.result(now, Cached)
		c.report(ctx, r)
		return r, nil
	}
	f := c.start(context.WithoutCancel(ctx), location, false)
	select {
	case <-f.done:
		return f.result, nil
	case <-ctx.Done():
		return Result{}, newFileError(location, ctx.Err())
	}
}

// start refreshes the entry for a location in the background. If ahead is true, start refreshes the
// entry even before it expires. If a refresh of the location is already in progress, start returns
// its flight.
func (c *Cache) start(ctx context.Context, location string, ahead bool) *flight {
	return c.memory.fly(location, func(f *flight) {
		f.result = c.refresh(ctx, f, location, ahead)
		_ = guard(ctx, c.logger, func() { c.report(ctx, f.result) })
		f.result.Body = nil
	})
}

// refresh returns the current Result for a location: from memory (if another flight has
// just ended), from the Store, or from the server.
func (c *Cache) refresh(ctx context.Context, f *flight, location string, ahead bool) Result {
	start := time.Now()
	mine := c.memory.get(location)
	if mine == nil {
		mine = newEntry(location)
	}
	if mine.isUsable(start, ahead) {
		c.counters.hits.Add(1)
		return mine.result(start, Cached)
	}
	e, unlock, err := c.lockOrLoad(ctx, mine, ahead)
	if e.isUsable(time.Now(), ahead) {
		unlock()
		c.counters.storeHits.Add(1)
		c.memory.put(f, e)
		r := e.result(time.Now(), Cached)
		r.Duration = time.Since(start)
		return r
	}
	e, body := c.fetchEntry(ctx, e, location)
	isCurrent := c.memory.put(f, e)
	// If the Store could not be read, it may contain a file. Do not overwrite this file with an
	// entry that has no Answer.
	if c.Store != nil && isCurrent && (err == nil || e.Answer != nil) {
		c.save(ctx, e, unlock)
	} else {
		unlock()
	}
	r := e.result(time.Now(), Fetched)
	r.Body, r.Duration = body, time.Since(start)
	return r
}

// lockOrLoad prepares a fetch of a file. The parameter mine is this Cache's entry for the file. If
// the Store is a Locker, lockOrLoad waits for the lock of the file, so that only one Cache fetches
// the file at a time. It stops waiting if another Cache stores a usable entry, if the Store fails, or
// if the wait takes too long.
//
// The result e is the newest known entry. If e is usable, no fetch is needed. If the Store could not
// be read, err says why. The caller must always call unlock, even if lockOrLoad did not get the lock.
func (c *Cache) lockOrLoad(ctx context.Context, mine *entry, ahead bool) (e *entry, unlock func(), err error) {
	e, err = c.newest(ctx, mine)
	locker, ok := c.Store.(Locker)
	if !ok || err != nil || e.isUsable(time.Now(), ahead) {
		return e, func() {}, err
	}
	// The lock of a process that has died expires before giveUp.
	giveUp := time.Now().Add(2 * c.lockTime())
	for wait := minPoll; time.Now().Before(giveUp); wait = min(2*wait, maxPoll) {
		release, lockErr := c.lock(ctx, locker, mine.URL)
		e, err = c.newest(ctx, e) // the previous holder of the lock may have stored an entry
		if release != nil {
			return e, release, err
		}
		if lockErr != nil || err != nil || e.isUsable(time.Now(), ahead) {
			break
		}
		time.Sleep(wait + jitter(wait, 2))
	}
	return e, func() {}, err
}

// newest returns the newer of two entries, mine and the one in the Store, even if it has expired.
// If the newer entry is only a Failure, without an Answer, and the older entry has a file, newest
// returns a copy of the older entry with that Failure. If mine is a forgotten entry, the result is
// a forgotten entry, too.
func (c *Cache) newest(ctx context.Context, mine *entry) (*entry, error) {
	stored, err := c.load(ctx, mine.URL)
	if stored == nil {
		return mine, err
	}
	newer, older := mine, stored
	if stored.time().After(mine.time()) {
		newer, older = stored, mine
	}
	if newer.Failure != nil && newer.Answer == nil && older.hasFile() {
		newer = older.withFailure(newer.Failure)
		c.complete(newer, time.Now())
	}
	if mine.forgotten {
		newer = newer.forget()
	}
	return newer, nil
}

// fetchEntry fetches the file at a URL, and returns the entry that replaces old. If the server
// sent the file, and did not merely confirm the old one, fetchEntry also returns the text of the
// file.
func (c *Cache) fetchEntry(ctx context.Context, old *entry, robotsURL string) (*entry, []byte) {
	var f fetchResult
	if err := guard(ctx, c.logger, func() { f = c.fetch(ctx, robotsURL, old.Answer) }); err != nil {
		f = fetchResult{err: localError{err}}
	}
	now := time.Now()
	e := old.next(f, now)
	c.complete(e, now)
	if c.Store != nil && f.body != nil {
		e.packed = pack(f.body)
	}
	c.counters.fetches.Add(1)
	if e.Failure != nil {
		c.counters.failures.Add(1)
	}
	return e, f.body
}

// groupOf returns the crawler's group in the file of a Result.
func (c *Cache) groupOf(r Result) *robotstxt.Group {
	if r.group != nil {
		return r.group
	}
	return r.File.Group(c.agents...)
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
