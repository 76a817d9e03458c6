package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// defaultMaxDelay is the default of Cache.MaxDelay.
const defaultMaxDelay = 30 * time.Second

// ErrSend tells a Transport to send a disallowed request anyway. Return ErrSend from the
// function in [Transport.OnDisallowed].
var ErrSend = errors.New("robotshttp: send the request")

// A WaitError means that a request was not sent. The request had to wait for its turn,
// and its context ended or would have ended during the wait. Neither the site nor the network
// failed, so the caller can send the request later. For example, a crawler can put the request
// back into its queue.
type WaitError struct {
	// Until is the earliest time at which the request may start. Other requests that wait for
	// the same site can delay the request further.
	Until time.Time

	waitError
}

type waitError struct {
	reason string // the first part of the message, such as "waiting for https://…"
	err    error  // the error of the context that has ended, or context.DeadlineExceeded if the wait would end after the deadline
}

func (e *waitError) Error() string { return "robotshttp: " + e.reason + ": " + e.err.Error() }
func (e *waitError) Unwrap() error { return e.err }

// Timeout reports whether the error is due to the context's deadline. It returns false if the
// context was canceled. If a url.Error wraps the error, the Timeout method of the url.Error calls
// this method.
func (e *waitError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

// newWaitError returns the error of a request whose context ends before the request may start.
func newWaitError(location string, until time.Time, err error) *WaitError {
	site := strings.TrimSuffix(location, "/robots.txt")
	reason := fmt.Sprintf("the next request to %s must wait %v", site, time.Until(until).Round(time.Millisecond))
	return &WaitError{until, waitError{reason, err}}
}

// Wait blocks until the crawler may send a request for a URL. A crawler without a [Transport]
// calls Wait before each request. Send the request as soon as Wait returns, because the delay
// before the next request begins at that time.
//
// Wait returns a [*DisallowedError] if the robots.txt does not allow the URL. It returns a
// [*WaitError] if ctx ends before the request may be sent. Any other error is from
// [Cache.Get].
func (c *Cache) Wait(ctx context.Context, url string) error {
	location, err := robotstxt.Location(url)
	if err != nil {
		return err
	}
	sent, err := c.wait(ctx, url, location, "", nil)
	if sent != nil {
		sent()
	}
	return err
}

// wait waits until a request may be sent, or returns an error if it must not be sent. The parameter
// agent is the request's User-Agent, or empty if the User-Agent has the same product token as
// Cache.UserAgent. If the request is disallowed and onDisallowed is not nil, wait calls this
// function, which can still permit the request; see Transport.OnDisallowed.
//
// If the result sent is not nil, the caller must call it as soon as the request has been sent, or
// has failed. No other request to the site gets its turn before that.
func (c *Cache) wait(ctx context.Context, url, location, agent string, onDisallowed func(*DisallowedError) error) (sent func(), err error) {
	if robotstxt.Covers(url, url) {
		return nil, nil
	}
	check := func() (delay time.Duration, err error) {
		r, err := c.get(ctx, location)
		if err != nil {
			return 0, err
		}
		d := c.decide(r, url, agent)
		if d.Allowed {
			return c.delay(r, agent), nil
		}
		refused := &DisallowedError{URL: url, Decision: d, Robots: r}
		if onDisallowed == nil {
			return 0, refused
		}
		switch err := onDisallowed(refused); err {
		case nil:
			return 0, refused
		case ErrSend:
			onDisallowed = func(*DisallowedError) error { return ErrSend } // check may be called again, but OnDisallowed must not
			return c.delay(r, agent), nil
		default:
			return 0, err
		}
	}
	// The file may change while the request waits. So after each wait, check it again.
	delay, err := check()
	if err != nil {
		return nil, err
	}
	s := c.pacer.enter(location)
	for delay <= 0 {
		waited, err := c.waitForPause(ctx, s)
		if err == nil && waited {
			delay, err = check()
		}
		if err != nil || !waited {
			c.pacer.leave(s)
			return nil, err
		}
	}
	delay, err = c.waitForTurn(ctx, s, delay, check)
	if err != nil {
		c.pacer.leave(s)
		return nil, err
	}
	return sync.OnceFunc(func() {
		s.end(delay)
		c.pacer.leave(s)
	}), nil
}

// decide decides whether a request for a URL may be sent. If agent is not empty, the URL must be
// allowed both for the crawler and for agent.
func (c *Cache) decide(r Result, url, agent string) robotstxt.Decision {
	d := decide(c.groupOf(r), url)
	if d.Allowed && agent != "" {
		d = decide(r.File.Group(agent), url)
	}
	if d.Reason == robotstxt.FileUnreachable && r.Outcome == Refused {
		d.Reason = FileRefused
	}
	return d
}

// delay returns the time between two requests to the site: the longer of the crawl-delays for the
// crawler and for agent, within the limits MinDelay and MaxDelay.
func (c *Cache) delay(r Result, agent string) time.Duration {
	d, _ := c.groupOf(r).CrawlDelay()
	if agent != "" {
		its, _ := r.File.Group(agent).CrawlDelay()
		d = max(d, its)
	}
	return max(min(d, c.maxDelay()), c.MinDelay)
}

func (c *Cache) maxDelay() time.Duration {
	if c.MaxDelay == 0 {
		return defaultMaxDelay
	}
	return max(c.MaxDelay, 0)
}
