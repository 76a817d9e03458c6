package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// ErrSend is the error that [Transport.OnDisallowed] returns to have a request sent
// anyway.
var ErrSend = errors.New("robotshttp: send the request")

// A WaitError is the error of a request that was not sent because the context ends, or
// ended, before its turn. It is not a failure of the site or the network: a crawler with
// a queue for each host can try the request again later.
type WaitError struct {
	// Until is when the request may be sent at the earliest. If others wait for the same
	// site, it may have to wait longer.
	Until time.Time

	waitError
}

// A waitError is the error of a request whose context ended, or would end, before
// the wait for something was over.
type waitError struct {
	reason string
	err    error // the context's
}

func (e *waitError) Error() string { return "robotshttp: " + e.reason + ": " + e.err.Error() }
func (e *waitError) Unwrap() error { return e.err }

// Timeout reports whether the deadline of the context was too early, for url.Error.
func (e *waitError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

// Wait blocks until the crawler may send a request for a URL. It does what a [Transport]
// does before a request, for crawlers that send requests themselves. Send the request as
// soon as Wait returns: the delay until the next one starts then. The error is a
// [*DisallowedError] if the robots.txt does not allow the URL, a [*WaitError] if the turn
// of the request comes after the end of ctx, or the error of [Cache.Get].
func (c *Cache) Wait(ctx context.Context, url string) error {
	location, err := robotstxt.Location(url)
	if err == nil {
		_, err = c.admit(ctx, url, location, "", nil)
	}
	return err
}

// admit waits until a request may be sent by an agent with the User-Agent, if that is not
// the Cache's, or returns why it may not. If the robots.txt disallows it, appeal decides,
// unless appeal is nil. The caller must call sent, unless sent is nil, after it has sent
// the request.
func (c *Cache) admit(ctx context.Context, url, location, agent string, appeal func(*DisallowedError) error) (sent func(), err error) {
	if robotstxt.Covers(url, url) {
		return nil, nil
	}
	check := func() (time.Duration, error) {
		r, err := c.get(ctx, location)
		if err != nil {
			return 0, err
		}
		d, delay := c.judge(ctx, r, url, agent)
		if d.Allowed {
			return delay, nil
		}
		refused := &DisallowedError{URL: url, Decision: d, Robots: r}
		if appeal != nil {
			err = appeal(refused)
		}
		switch err {
		case nil:
			return 0, refused
		case ErrSend:
			appeal = func(*DisallowedError) error { return ErrSend } // at most one call per request
			return delay, nil
		}
		return 0, err
	}
	interval, err := check()
	if err != nil {
		return nil, err
	}
	return c.waitTurn(ctx, location, interval, check)
}

// judge decides about a URL for the crawler, and for the agent if that has another
// product token: both must be allowed. It returns the longer of their delays.
func (c *Cache) judge(ctx context.Context, r Result, url, agent string) (d robotstxt.Decision, delay time.Duration) {
	group := c.groupOf(r)
	d = group.Decide(url)
	asked, _ := group.CrawlDelay()
	if agent != "" {
		group = r.File.Group(agent)
		if d.Allowed {
			d = group.Decide(url)
		}
		its, _ := group.CrawlDelay()
		asked = max(asked, its)
	}
	delay = max(min(asked, c.MaxDelay), c.MinDelay)
	if delay < asked && r.told != nil && r.told.CompareAndSwap(false, true) {
		c.logger().LogAttrs(ctx, slog.LevelInfo, "robots.txt crawl-delay shortened",
			slog.String("url", r.URL), slog.Duration("asked", asked), slog.Duration("kept", delay))
	}
	return d, delay
}

// waitTurn waits until the next request to a site may start, and makes the one after it
// wait for the interval. No times are planned in advance: only one request at a time is
// next, and the interval begins when it starts. A request without an interval waits only
// while the site is paused. After a wait other rules may apply, so check decides again.
func (c *Cache) waitTurn(ctx context.Context, location string, interval time.Duration, check func() (time.Duration, error)) (sent func(), err error) {
	s := c.pacer.enter(location)
	defer c.pacer.leave(s)
	for queued, waited := false, false; ; {
		if interval > 0 && !queued {
			if waited, err = s.queue(ctx, location, interval); err != nil {
				return nil, err
			}
			defer s.advance()
			queued = true
		}
		wait := s.left(interval)
		if wait <= 0 && waited {
			if interval, err = check(); err != nil {
				return nil, err
			}
			waited = false
			continue // that may have taken time
		}
		if wait <= 0 {
			if wait, err = c.reserve(ctx, location, interval); err != nil {
				return nil, err
			}
		}
		if wait <= 0 {
			break
		}
		if err := sleep(ctx, location, wait, interval); err != nil {
			return nil, err
		}
		waited = true
	}
	if interval <= 0 {
		return nil, nil
	}
	s.start(interval)
	// Connecting may take time, and this request may take longer to reach the site than
	// the next.
	return func() { s.start(interval + min(interval/20, maxMargin)) }, nil
}

// reserve asks the Pacer whether a request may start now, and returns how long to wait
// before asking again if not. Without a Pacer, the request may start. If the Pacer fails,
// the request follows the pace of this process or, with WaitForPacer, asks again later.
func (c *Cache) reserve(ctx context.Context, location string, interval time.Duration) (wait time.Duration, err error) {
	pacer, ok := c.Store.(Pacer)
	if !ok {
		return 0, nil
	}
	length, margin := max(interval, 0), min(interval/20, maxMargin)+time.Duration(c.pacer.took.Load())
	if length > 0 {
		length += margin
	}
	start := time.Now()
	wait, err = call(ctx, &c.caller, "reserve", location, func(ctx context.Context) (time.Duration, error) {
		wait, err := pacer.Reserve(ctx, location, length)
		if err == nil && (wait < 0 || wait > patience) {
			err = fmt.Errorf("robotshttp: the Store returned an impossible wait of %v", wait)
		}
		return wait, err
	})
	took := time.Since(start)
	switch {
	case err != nil && ended(ctx) != nil:
		return 0, notYet(location, time.Now(), ended(ctx))
	case err != nil && c.WaitForPacer:
		return retryPacer, nil
	case err != nil:
		c.counters.pacedAlone.Add(1)
		return 0, nil
	case wait > 0 || length == 0:
		return wait, nil
	}
	// The slot may have begun that long ago, if the Store is far away or this process was
	// suspended. If it is too late to start, the slot stays free. The next ones are
	// longer.
	if c.pacer.took.Store(int64(took)); took > margin {
		return interval, nil
	}
	return 0, nil
}

const (
	// maxMargin is the most that is added to the interval, for requests that start a
	// little late or take a little longer to arrive.
	maxMargin = 20 * time.Millisecond

	// retryPacer is the time between calls of a failing Pacer, if requests must wait for
	// it.
	retryPacer = storeRest / 4
)

// sleep waits for a time, or returns a WaitError if the context would end before.
// Requests without an interval wait a little longer, for a random time, so that requests
// that wait for the end of a pause do not all start at once.
func sleep(ctx context.Context, location string, d, interval time.Duration) error {
	until, longest := time.Now().Add(d), untilDeadline(ctx)
	if d > longest {
		return notYet(location, until, context.DeadlineExceeded)
	}
	if interval <= 0 {
		d = min(d+jitter(d, 10), longest)
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return notYet(location, until, err)
	}
	return nil
}

// notYet returns the error of a request whose turn comes after the end of its context.
func notYet(location string, until time.Time, err error) *WaitError {
	reason := fmt.Sprintf("the next request to %s may start in %v", location, time.Until(until))
	return &WaitError{until, waitError{reason, err}}
}

// untilDeadline returns the time until the deadline of a context, if it has one.
func untilDeadline(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return math.MaxInt64
}

// slowDown pauses a site if a response asks for that, for as long as it asks, but at
// most for MaxDelay or, if that is longer, a minute.
func (c *Cache) slowDown(ctx context.Context, location string, resp *http.Response) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return
	}
	d, ok := retryAfter(resp.Header, time.Now())
	d = min(d, max(c.MaxDelay, time.Minute))
	if !ok || d <= 0 {
		return
	}
	c.pacer.pause(location, d)
	if pacer, ok := c.Store.(Pacer); ok {
		go call(context.WithoutCancel(ctx), &c.caller, "pause", location, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, pacer.Pause(ctx, location, d)
		})
	}
}

// A pacer spaces requests to sites within one process. The zero pacer is ready to
// use.
type pacer struct {
	took atomic.Int64 // how long the latest call of Reserve took, in nanoseconds

	mu    sync.Mutex
	sites map[string]*site // by Location
	limit int              // look for idle sites when there are this many
}

// A site is the schedule of one site.
type site struct {
	turn chan struct{} // full while a request is next; the others queue to fill it
	mu   *sync.Mutex   // the pacer's

	users  int       // requests that wait, or are about to
	queued int       // requests that wait for their turn, or have it
	next   time.Time // when the next may start
	resume time.Time // the end of a pause
}

// enter returns the schedule of a site. When the number of sites has doubled since the
// last cleanup, it first drops the sites for which no request would have to wait.
func (p *pacer) enter(location string) *site {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sites[location]
	if s == nil {
		if len(p.sites) >= max(p.limit, 100) {
			now := time.Now()
			for location, s := range p.sites {
				if s.users == 0 && !s.next.After(now) && !s.resume.After(now) {
					delete(p.sites, location)
				}
			}
			p.limit = 2 * len(p.sites)
		}
		if p.sites == nil {
			p.sites = make(map[string]*site)
		}
		s = &site{turn: make(chan struct{}, 1), mu: &p.mu}
		p.sites[location] = s
	}
	s.users++
	return s
}

func (p *pacer) leave(s *site) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.users--
}

// pause makes all requests to a site wait for d.
func (p *pacer) pause(location string, d time.Duration) {
	s := p.enter(location)
	defer p.leave(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	s.resume = later(s.resume, time.Now().Add(d))
}

// queue waits until a request with an interval is the next one, in the order of the
// calls, and reports whether it had to wait. If the wait would outlast the context, it
// fails at once.
func (s *site) queue(ctx context.Context, location string, interval time.Duration) (waited bool, err error) {
	s.mu.Lock()
	wait := max(time.Until(later(s.next, s.resume)), 0) + time.Duration(s.queued)*interval
	waited = s.queued > 0
	s.queued++
	s.mu.Unlock()
	until := time.Now().Add(wait)
	if wait > untilDeadline(ctx) {
		err = notYet(location, until, context.DeadlineExceeded)
	} else {
		select {
		case s.turn <- struct{}{}:
			return waited, nil
		case <-ctx.Done():
			err = notYet(location, until, ctx.Err())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	return waited, err
}

// advance makes the first in the queue the next one.
func (s *site) advance() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	<-s.turn
}

// left returns how long the next request must wait.
func (s *site) left(interval time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if interval <= 0 {
		return time.Until(s.resume)
	}
	return time.Until(later(s.next, s.resume))
}

// start records that a request starts now.
func (s *site) start(interval time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = time.Now().Add(interval)
}
