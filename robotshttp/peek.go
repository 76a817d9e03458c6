package robotshttp

import (
	"context"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// longestPause is the longest pause that Cache.Pause accepts.
const longestPause = 24 * time.Hour

// Peek returns what is known about a URL, and never waits. It is a hint for programs that decide which
// URL to request next: only a [Transport] or [Cache.Wait] makes sure that a request is allowed and that
// it is its turn.
//
// If known is true, d is the decision by the robots.txt in memory or from Supply. Otherwise d is zero,
// and the Cache gets the file in the background, after those that were wanted before.
// The time next is when a request may be sent, as far as is known, and not before now: other processes
// and requests can delay it further. OnResult is not called.
//
// For a URL without a [robotstxt.Location], known is true, and d allows nothing.
func (c *Cache) Peek(url string) (d robotstxt.Decision, next time.Time, known bool) {
	now := time.Now()
	location, err := robotstxt.Location(url)
	if err != nil {
		return robotstxt.Decision{}, now, true
	}
	c.once.Do(c.init)
	ctx := context.Background()
	var r Result
	if !c.peek(ctx, location, now, &r) {
		c.updateLater(location)
		return robotstxt.Decision{}, c.next(location), false
	}
	d, _ = decideFor(&r, url, c.groupOf(&r), nil)
	return d, c.sites.next(location), true
}

// peek stores the Result for a location in r, and returns true, if no fetch is needed for it.
func (c *Cache) peek(ctx context.Context, location string, now time.Time, r *Result) bool {
	if c.Supply != nil {
		if file := c.Supply(ctx, location); file != nil {
			*r = Result{File: file, Outcome: Supplied, URL: location}
			return true
		}
	}
	e := c.sites.entry(location)
	if e == nil || !e.isUsable(now, false) {
		return false
	}
	e.result(r, now, Cached)
	return true
}

// Pause makes all requests to the site of a URL wait for d from now, at most for a day. If the Store is
// a [Lender], the whole fleet waits. An earlier pause that lasts longer stays as it is. Use Pause if you
// fetch pages by other means than a Transport, and the site asks for quiet, as with status 429 or 503;
// a [Transport] does this by itself.
func (c *Cache) Pause(url string, d time.Duration) {
	location, err := robotstxt.Location(url)
	if err != nil || d <= 0 {
		return
	}
	c.once.Do(c.init)
	queue := c.sites.enter(location, c.pacer.NewQueue)
	defer c.sites.leave(location)
	queue.Pause(min(d, longestPause))
}
