package robotshttp

import (
	"context"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// longestPause is the longest pause that Cache.Pause accepts.
const longestPause = 24 * time.Hour

// A Hint is what a [Cache] knows about a URL, for programs that decide which URL to request next. Only a
// [Transport] or [Cache.Wait] makes sure that a request is allowed and that it is its turn.
type Hint struct {
	Known    bool               // the Cache has the robots.txt, or could not read it; otherwise Decision and Delay are zero
	Decision robotstxt.Decision // as from Cache.Decide

	// Next is when a request may be sent, as far as is known, and not in the past: other processes and
	// requests can delay it further. If the Reason of the Decision is robotstxt.FileUnreachable, Next is not
	// before the next attempt to read the robots.txt, so come back then instead of dropping the URL.
	Next time.Time

	Delay time.Duration // the time between two requests to the site; see Cache.MinDelay and SiteDelay
}

// Peek returns what is known about a URL, and never waits. If the Cache does not have the robots.txt, it
// gets the file in the background, after those that were wanted before; see [Cache.OnReady]. For a URL
// without a [robotstxt.Location], Known is true, and Decision allows nothing.
func (c *Cache) Peek(url string) Hint {
	now := time.Now()
	location, err := robotstxt.Location(url)
	if err != nil {
		return Hint{Known: true, Next: now}
	}
	var r Result
	if err := c.get(context.Background(), location, now, &r); err != nil {
		return Hint{Next: c.next(location)}
	}
	own := c.groupOf(&r)
	h := Hint{Known: true, Next: c.sites.next(location), Delay: c.delay(location, own, nil)}
	h.Decision, _ = decideFor(&r, url, own, nil)
	if h.Decision.Reason == robotstxt.FileUnreachable {
		h.Next = later(h.Next, r.Expires)
	}
	return h
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
	queue := c.sites.enter(location)
	defer c.sites.leave(location)
	queue.Pause(min(d, longestPause))
}
