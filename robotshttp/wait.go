package robotshttp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
)

// defaultMaxDelay is the default of Cache.MaxDelay.
const defaultMaxDelay = 30 * time.Second

// ErrSend tells a Transport to send a disallowed request anyway. Return ErrSend from the
// function in [Transport.OnDisallowed].
var ErrSend = errors.New("robotshttp: send the request")

// A WaitError means that a request was not sent. The request had to wait for the robots.txt, for its
// turn or for the Store (see [Cache.WaitForStore]), and its context ended or would have ended during
// the wait. The caller can send the request later. For example, a crawler can put the request back
// into its queue until the time Until, unless the context was canceled (see Timeout). If an http.Client
// followed a redirect, the requests before that one have been sent.
type WaitError struct {
	// Until is the earliest time at which the request may start, as far as is known. Other requests
	// that wait for the same site can delay the request further. While the robots.txt is being
	// fetched, nobody knows how long that will take: Until is then at least a second away, and further
	// if many other files are fetched first.
	Until time.Time

	reason string // the first part of the message, such as "waiting for https://…"
	err    error  // the error of the context that has ended, context.DeadlineExceeded if the wait would end after the deadline, or pace.ErrLate
}

func (e *WaitError) Error() string { return "robotshttp: " + e.reason + ": " + e.err.Error() }
func (e *WaitError) Unwrap() error { return e.err }

// Timeout reports whether the error is due to the context's deadline. It returns false if the
// context was canceled. If a url.Error wraps the error, the Timeout method of the url.Error calls
// this method.
func (e *WaitError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

// RetryAt reports whether a request that failed with err can be sent later, and when: after a [*WaitError],
// or after a [*DisallowedError] because the robots.txt could not be read. The time is as far as is known, so
// the request can fail again. For any other error, ok is false: a rule disallows the request, for example,
// or the server does not answer.
func RetryAt(err error) (at time.Time, ok bool) {
	if wait, ok := errors.AsType[*WaitError](err); ok {
		return wait.Until, true
	}
	if refused, ok := errors.AsType[*DisallowedError](err); ok && refused.Unwrap() != nil {
		return refused.Robots.Expires, true
	}
	return time.Time{}, false
}

// newWaitError returns the error of a request whose context ends before the request may start.
func newWaitError(location string, until time.Time, err error) *WaitError {
	site := strings.TrimSuffix(location, "/robots.txt")
	reason := fmt.Sprintf("the next request to %s must wait %v", site, max(time.Until(until), 0).Round(time.Millisecond))
	return &WaitError{until, reason, err}
}

// newFileError returns the error of a context that ends before there is a Result.
func (c *Cache) newFileError(location string, err error) *WaitError {
	return &WaitError{c.next(location), "waiting for " + location, err}
}

// Wait blocks until the crawler may send a request for a URL. A crawler without a [Transport]
// calls Wait before each request. Send the request as soon as Wait returns, because the delay
// before the next request begins at that time. Wait does not see the response, so it does not obey
// the Retry-After headers of pages; use [Cache.Pause] for that. Do not send a request for which you have
// called Wait through a Transport, because the Transport would wait again.
//
// Wait returns a [*DisallowedError] if the robots.txt does not allow the URL. It returns a
// [*WaitError] if ctx ends before the request may be sent. Any other error is from
// [Cache.Get].
func (c *Cache) Wait(ctx context.Context, url string) error {
	location, err := robotstxt.Location(url)
	if err != nil {
		return err
	}
	sent, err := c.wait(ctx, &request{url: url, location: location})
	if sent != nil {
		sent()
	}
	return err
}

// A request is what wait needs to know about a request.
type request struct {
	url      string
	location string // of the robots.txt that governs the URL

	// agent is the request's User-Agent, or empty if the User-Agent has the same product token as
	// Cache.UserAgent.
	agent string

	// If the request is disallowed, and onDisallowed is not nil, this function can still permit the
	// request; see Transport.OnDisallowed.
	onDisallowed func(*DisallowedError) error

	latest time.Time // the request does not wait longer; zero for no limit
}

// wait waits until a request may be sent, or returns an error if it must not be sent. If the result
// sent is not nil, the caller must call it as soon as the request has been sent, or has failed. No
// other request to the site gets its turn before that.
func (c *Cache) wait(ctx context.Context, r *request) (sent func(), err error) {
	c.once.Do(c.init)
	if robotstxt.Covers(r.url, r.url) { // the request is for a robots.txt itself
		return nil, nil
	}
	queue := c.sites.enter(r.location)
	defer func() {
		if sent == nil {
			c.sites.leave(r.location)
		}
	}()
	end, err := queue.Wait(ctx, r.latest, func() (time.Duration, error) { return c.check(ctx, r) })
	if e, ok := err.(*pace.WaitError); ok {
		err = newWaitError(r.location, e.Until, e.Err)
	}
	if end == nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		end()
		c.sites.leave(r.location)
	}), nil
}

// check returns the delay between two requests to the site of a request, or an error if the request
// must not be sent.
func (c *Cache) check(ctx context.Context, r *request) (delay time.Duration, err error) {
	var robots Result
	if err := c.get(ctx, r.location, r.latest, &robots); err != nil {
		return 0, err
	}
	own := c.groupOf(&robots)
	var other *robotstxt.Group
	if r.agent != "" {
		other = robots.File.Group(r.agent)
	}
	delay = c.delay(r.location, own, other)
	d, form := decideFor(&robots, r.url, own, other)
	if d.Allowed {
		return delay, nil
	}
	return r.refused(&DisallowedError{URL: fetch.WithoutUser(r.url), Form: fetch.WithoutUser(form), Decision: d, Robots: robots}, delay)
}

// refused returns the delay of a request that is disallowed, but may be sent anyway, or the error of a
// request that must not be sent.
func (r *request) refused(refused *DisallowedError, delay time.Duration) (time.Duration, error) {
	if r.onDisallowed == nil {
		return 0, refused
	}
	switch err := r.onDisallowed(refused); err {
	case nil:
		return 0, refused
	case ErrSend:
		r.onDisallowed = func(*DisallowedError) error { return ErrSend } // the next check must not call OnDisallowed again
		return delay, nil
	default:
		return 0, err
	}
}

// decide decides whether the crawler with this group may fetch a URL. All forms of the URL must be
// allowed. The Decision is the first that refuses; refused is the form for which it does. If there is
// none, the Decision is that for the URL as it is.
func decide(group *robotstxt.Group, url string) (d robotstxt.Decision, refused string) {
	asIs := group.Decide(url)
	if !asIs.Allowed {
		return asIs, url
	}
	for _, form := range robotstxt.Forms(url)[1:] {
		if d := group.Decide(form); !d.Allowed {
			return d, form
		}
	}
	return asIs, ""
}

// decideFor decides whether a request for a URL may be sent, as the function decide does. If other is
// not nil, the URL must be allowed for both groups of the file.
func decideFor(r *Result, url string, own, other *robotstxt.Group) (d robotstxt.Decision, refused string) {
	d, refused = decide(own, url)
	if d.Allowed && other != nil {
		d, refused = decide(other, url)
	}
	if d.Reason == robotstxt.FileUnreachable && r.Outcome == Refused {
		d.Reason = FileRefused
	}
	return d, refused
}

// delay returns the time between two requests to a site: the longer of the crawl-delays of two groups,
// within the limits MinDelay and MaxDelay, unless SiteDelay says something else. The group other may be nil.
func (c *Cache) delay(location string, own, other *robotstxt.Group) time.Duration {
	d, _ := own.CrawlDelay()
	if other != nil {
		its, _ := other.CrawlDelay()
		d = max(d, its)
	}
	d = max(min(d, c.maxDelay()), c.MinDelay)
	if c.SiteDelay != nil {
		d = c.SiteDelay(location, d)
	}
	return d
}

// longestDelay returns the longest time that the method delay can return without SiteDelay. A Store that
// names a longer one is wrong, unless this process has such a delay, too.
func (c *Cache) longestDelay() time.Duration { return max(c.maxDelay(), c.MinDelay) }

func (c *Cache) maxDelay() time.Duration { return cmp.Or(c.MaxDelay, defaultMaxDelay) }
