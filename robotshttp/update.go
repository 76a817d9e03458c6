package robotshttp

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/guard"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/shared"
)

const (
	// While another process fetches a file, a Cache reads the Store at intervals that grow
	// from minPoll to maxPoll.
	minPoll = 10 * time.Millisecond
	maxPoll = 200 * time.Millisecond

	// maxFetches is the default of Cache.MaxFetches.
	maxFetches = 64

	// These are the defaults of Cache.Timeout and Cache.MinFresh.
	fetchTimeout = 10 * time.Second
	minFresh     = 5 * time.Minute

	// warnInterval is the shortest time between two warnings that a response is not a robots.txt.
	warnInterval = time.Minute
)

func (c *Cache) init() {
	c.fetcher = fetch.Fetcher{
		Client:         fetch.WithoutRedirects(c.Client),
		UserAgent:      c.UserAgent,
		Timeout:        positive(c.Timeout, fetchTimeout),
		CheckTarget:    c.CheckTarget,
		OverrideStatus: c.OverrideStatus,
		Logger:         c.logger,
	}
	holder := rand.Text()
	c.store = shared.New(c.Store, lease(c.Store), holder, c.logger)
	c.pacer = pace.Pacer{Holder: holder, WaitForFleet: c.WaitForStore}
	if c.OnReady != nil {
		c.pacer.Lent = c.ready
	}
	if c.store.Lends() {
		c.pacer.Lease = func(ctx context.Context, key string, r pace.Request) (pace.Lease, error) {
			return c.store.Lease(ctx, key, r, c.longestDelay())
		}
	}
	c.policy = policy{
		agents:          append([]string{c.UserAgent}, c.Names...),
		minFresh:        positive(c.MinFresh, minFresh),
		maxFresh:        positive(c.MaxFresh, day),
		disallowRefused: c.DisallowRefused,
		keepText:        c.Store != nil,
	}
	n := positive(int64(c.MaxFetches), maxFetches)
	c.fetching, c.updating = newGate(n), newGate(n)
	c.sites.newQueue = c.pacer.NewQueue
	c.sites.limit = positive(c.MaxBytes, 64<<20)
	c.sites.byLocation = make(map[string]*site)
	go c.warnNameless() // in the background, because the log's handler may use the Cache
}

// warnNameless logs a warning if the crawler has no name to look for in a robots.txt. Browsers and most
// crawlers call themselves Mozilla, and so no site has rules for that name.
func (c *Cache) warnNameless() {
	isNameless := func(agent string) bool {
		token := robotstxt.ProductToken(agent)
		return token == "" || strings.EqualFold(token, "Mozilla")
	}
	if slices.ContainsFunc(c.policy.agents, func(agent string) bool { return !isNameless(agent) }) {
		return
	}
	ctx := context.Background()
	_ = guard.Call(ctx, c.logger, func() {
		c.logger().LogAttrs(ctx, slog.LevelWarn, "the crawler obeys only the rules for all crawlers, because neither UserAgent nor Names contains its name",
			slog.String("user_agent", c.UserAgent))
	})
}

// lease returns the method Lease of a Store, or nil if the Store is not a Lender.
func lease(s Store) shared.Lease {
	lender, ok := s.(Lender)
	if !ok {
		return nil
	}
	return func(ctx context.Context, key string, r pace.Request) (pace.Lease, error) {
		l, err := lender.Lease(ctx, key, LeaseRequest(r))
		return pace.Lease(l), err
	}
}

// positive returns n, or def if n is not positive.
func positive[T int64 | time.Duration](n, def T) T {
	if n > 0 {
		return n
	}
	return def
}

// get is like Get, but takes the location of a robots.txt file instead of the URL of a page, and stores
// the Result in r, because a Result is large. If latest is not zero, get does not wait longer for the
// file.
func (c *Cache) get(ctx context.Context, location string, latest time.Time, r *Result) error {
	c.once.Do(c.init)
	if err := ctx.Err(); err != nil {
		return c.newFileError(location, err)
	}
	if c.Supply != nil {
		if file := c.Supply(ctx, location); file != nil {
			*r = Result{File: file, Outcome: Supplied, URL: location}
			c.report(ctx, r)
			return nil
		}
	}
	now := time.Now()
	if e := c.sites.entry(location); e != nil && e.isUsable(now, false) {
		if !e.isUsable(now, true) { // it expires soon
			c.startUpdate(context.Background(), location, true)
		}
		c.counters.hits.Add(1)
		e.result(r, now, Cached)
		c.report(ctx, r)
		return nil
	}
	if isPast(latest) {
		c.updateLater(location)
		return c.newFileError(location, pace.ErrLate)
	}
	u := c.startUpdate(context.WithoutCancel(ctx), location, false)
	select {
	case <-u.done:
		*r = u.result
		return nil
	case <-pace.After(latest):
		return c.newFileError(location, pace.ErrLate)
	case <-ctx.Done():
		return c.newFileError(location, ctx.Err())
	}
}

// isPast reports whether a time has come; the zero time never comes.
func isPast(t time.Time) bool { return !t.IsZero() && time.Until(t) <= 0 }

// startUpdate updates the entry for a location in the background. If ahead is true, it does so even
// before the entry expires. If an update of the location is already in progress, startUpdate returns
// that.
func (c *Cache) startUpdate(ctx context.Context, location string, ahead bool) *update {
	return c.sites.startUpdate(location, func(u *update) { c.runUpdate(ctx, u, location, ahead) })
}

// runUpdate updates the entry for a location.
func (c *Cache) runUpdate(ctx context.Context, u *update, location string, ahead bool) {
	c.update(ctx, u, location, ahead)
	_ = guard.Call(ctx, c.logger, func() { c.report(ctx, &u.result) })
	u.result.Body, u.result.Header = nil, nil
	if c.OnReady == nil {
		return
	}
	if e := c.sites.entry(location); e != nil && e.isUsable(time.Now(), false) { // else there is no room for the file
		go c.ready(location)
	}
}

func (c *Cache) ready(location string) {
	_ = guard.Call(context.Background(), c.logger, func() { c.OnReady(location) })
}

// update gets the current Result for a location: from memory (if another update has
// just ended), from the Store, or from the server.
func (c *Cache) update(ctx context.Context, u *update, location string, ahead bool) {
	start := time.Now()
	mine := c.sites.entry(location)
	if mine == nil {
		mine = unknown(location)
	}
	if mine.isUsable(start, ahead) {
		c.counters.hits.Add(1)
		mine.result(&u.result, start, Cached)
		return
	}
	e, err := c.load(ctx, mine) // after an error, e is mine
	if e.isUsable(time.Now(), ahead) {
		c.useStored(u, e, start)
		return
	}
	leave := c.fetching.enter() // before the lock, so that nobody keeps a lock while it waits
	e, unlock, err := c.lockOrLoad(ctx, e, err, ahead)
	if e.isUsable(time.Now(), ahead) {
		leave()
		unlock()
		c.useStored(u, e, start)
		return
	}
	e, got := c.fetch(ctx, e)
	leave()
	isCurrent := c.sites.put(u, e)
	// If the Store could not be read, it may contain a file. Do not overwrite this file with an
	// entry that has no Response.
	if c.Store != nil && isCurrent && (err == nil || e.Response != nil) {
		c.save(ctx, e, unlock)
	} else {
		unlock()
	}
	r := &u.result
	e.result(r, time.Now(), Fetched)
	r.Body, r.Header, r.Duration = got.Body, got.Header, time.Since(start)
	if r.Body != nil && r.NotRobotsTxt {
		c.warnNotRobotsTxt(ctx, r)
	}
}

// warnNotRobotsTxt logs that a site has sent something else in place of its robots.txt, at most once
// per warnInterval.
func (c *Cache) warnNotRobotsTxt(ctx context.Context, r *Result) {
	now := time.Now().UnixNano()
	last := c.warned.Load()
	if last != 0 && now-last < int64(warnInterval) || !c.warned.CompareAndSwap(last, now) {
		return
	}
	go guard.Call(ctx, c.logger, func() { // in the background, because the handler may ask about this site
		c.logger().LogAttrs(ctx, slog.LevelWarn, "not a robots.txt file",
			slog.String("url", r.URL), slog.String("from", r.FinalURL), slog.Int("status", r.Status))
	})
}

// useStored keeps an entry from the Store for an update that began at start.
func (c *Cache) useStored(u *update, e *entry, start time.Time) {
	c.counters.storeHits.Add(1)
	c.sites.put(u, e)
	e.result(&u.result, time.Now(), Cached)
	u.result.Duration = time.Since(start)
}

// fetch fetches the file of an entry, and returns the entry that replaces old.
func (c *Cache) fetch(ctx context.Context, old *entry) (*entry, fetch.Result) {
	f := c.fetcher.Fetch(ctx, old.URL, old.Response)
	e := afterFetch(old, f, c.policy, time.Now())
	c.counters.fetches.Add(1)
	if e.Failure != nil {
		c.counters.failures.Add(1)
	}
	if f.Body != nil && e.notRobotsTxt {
		c.counters.notRobotsTxt.Add(1)
	}
	return e, f
}

// lockOrLoad prepares a fetch of a file. The parameter known is the newest known entry for the file, and
// loadErr says why the Store could not be read. If the Store lends sites, lockOrLoad waits for the lease
// of the file, so that only one Cache fetches the file at a time. It stops waiting if another Cache
// stores a usable entry, if the Store fails, or if the wait takes too long.
//
// The result e is the newest known entry. If e is usable, no fetch is needed. If the Store could not
// be read, err says why. The caller must always call unlock, even if lockOrLoad did not get the lock.
func (c *Cache) lockOrLoad(ctx context.Context, known *entry, loadErr error, ahead bool) (e *entry, unlock func(), err error) {
	e = known
	if !c.store.Lends() || loadErr != nil {
		return e, func() {}, loadErr
	}
	// A lock must last for a fetch, and for the calls of the Store before and after the fetch.
	lockTime := c.fetcher.Timeout + 2*shared.CallTime
	giveUp := time.Now().Add(2 * lockTime) // the lock of a process that has died expires before that
	for wait := minPoll; time.Now().Before(giveUp); wait = min(2*wait, maxPoll) {
		isLocked, release, lockErr := c.store.Lock(ctx, e.URL+"#fetch", lockTime)
		e, err = c.load(ctx, e) // the previous holder of the lock may have stored an entry
		if isLocked || lockErr != nil || err != nil || e.isUsable(time.Now(), ahead) {
			return e, release, err
		}
		time.Sleep(wait + jitter(wait, 2))
	}
	return e, func() {}, err
}

// load merges an entry with the one in the Store. An error means that the Store could not be read; a
// damaged value counts as no value.
func (c *Cache) load(ctx context.Context, mine *entry) (*entry, error) {
	data, err := c.store.Get(ctx, mine.URL)
	if err != nil || data == nil {
		return mine, err
	}
	s, body, err := decode(data, mine.URL)
	if err != nil {
		c.store.Failed(ctx, "decode", mine.URL, err)
		return mine, nil
	}
	now := time.Now()
	s.dropFutureTimes(now)
	if s.Response == nil && s.Failure == nil {
		return mine, nil
	}
	var content parsed
	if s.Response != nil {
		content = parse(s.Response.Status, body)
	}
	return merge(mine, newEntry(s, content, c.policy, now), c.policy, now), nil
}

// save puts the entry into the Store and then calls unlock.
func (c *Cache) save(ctx context.Context, e *entry, unlock func()) {
	data, err := e.encode()
	if err != nil {
		c.store.Failed(ctx, "encode", e.URL, err)
		unlock()
		return
	}
	c.store.Set(ctx, e.URL, data, unlock)
}

// groupOf returns the crawler's group in the file of a Result.
func (c *Cache) groupOf(r *Result) *robotstxt.Group {
	if r.group != nil {
		return r.group
	}
	return r.File.Group(c.policy.agents...)
}

// report passes a Result to OnResult and the Logger.
func (c *Cache) report(ctx context.Context, r *Result) {
	if c.OnResult != nil {
		c.OnResult(ctx, *r)
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
