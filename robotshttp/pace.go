package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

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

// Wait blocks until the crawler may send a request for a URL. A crawler without a [Transport]
// calls Wait before each request. Send the request as soon as Wait returns, because the delay
// before the next request begins at that time.
//
// Wait returns a [*DisallowedError] if the robots.txt does not allow the URL. It returns a
// [*WaitError] if ctx ends before the request may be sent. Any other error is from
// [Cache.Get].
func (c *Cache) Wait(ctx context.Context, url string) error {
	location, err := robotstxt.Location(url)
	if err == nil {
		_, err = c.admit(ctx, url, location, "", nil)
	}
	return err
}

// admit waits for a request's turn. It returns an error if the request must not be sent. The
// parameter agent is the request's User-Agent, or empty if the User-Agent has the same product
// token as Cache.UserAgent. If the request is disallowed and appeal is not nil, admit calls
// appeal, which can still permit the request; see Transport.OnDisallowed. If the function sent is not
// nil, the Transport must call it when the request has been sent.
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
			appeal = func(*DisallowedError) error { return ErrSend } // a second check must not call OnDisallowed again
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

// judge decides whether the crawler may fetch a URL, and returns the delay between two requests
// to the site. If agent is not empty, the URL must be allowed both for the crawler and for agent,
// and judge uses the longer of their crawl-delays. MinDelay and MaxDelay limit the delay.
func (c *Cache) judge(ctx context.Context, r Result, url, agent string) (d robotstxt.Decision, delay time.Duration) {
	group := c.groupOf(r)
	d = decide(group, url)
	asked, _ := group.CrawlDelay()
	if agent != "" {
		group = r.File.Group(agent)
		if d.Allowed {
			d = decide(group, url)
		}
		its, _ := group.CrawlDelay()
		asked = max(asked, its)
	}
	delay = max(min(asked, c.MaxDelay), c.MinDelay)
	if delay < asked && r.delayLogged != nil && r.delayLogged.CompareAndSwap(false, true) {
		c.logger().LogAttrs(ctx, slog.LevelInfo, "robots.txt crawl-delay shortened",
			slog.String("url", r.URL), slog.Duration("asked", asked), slog.Duration("kept", delay))
	}
	return d, delay
}

// waitTurn waits until a request to a site may start. Requests with an interval wait in a queue:
// when one of them starts, the next one has to wait until the interval is over. Requests without
// an interval wait only while the site is paused.
//
// The robots.txt may change during a wait. So after a wait, waitTurn calls check, which returns
// the new interval, or an error if the request must not be sent. If the result sent is not nil,
// the Transport must call this function when the request has been sent.
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
			continue // the interval may have changed, or a pause may have begun
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
	// Connecting can take time, so the interval starts again when the request has been sent.
	// The new interval includes a margin, because the next request could reach the site faster
	// than this one.
	return func() { s.start(interval + min(interval/20, maxMargin)) }, nil
}

// reserve asks the Pacer whether a request may start now. If wait is zero, the request may
// start. Otherwise, call reserve again after wait. Without a Pacer, requests may always start.
// If the Pacer fails, they may start unless WaitForPacer is set. An error means that the
// context has ended.
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
			err = fmt.Errorf("robotshttp: the Store returned an invalid wait: %v", wait)
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
	// The slot began during the call of Reserve. If that call took longer than the margin, much of
	// the slot may be over: a request sent now could come less than an interval before the first
	// request of the next slot. So waitTurn waits for an interval and reserves another slot. The
	// margin of that slot includes pacer.took, the duration of this call.
	if c.pacer.took.Store(int64(took)); took > margin {
		return interval, nil
	}
	return 0, nil
}

const (
	// maxMargin limits the margin that is added to an interval because of delays on the way to
	// the site. If a request is delayed and the next one is not, they arrive too close together
	// without a margin.
	maxMargin = 20 * time.Millisecond

	// retryPacer is how long a request waits after a call to the Pacer failed, before it calls
	// the Pacer again. It does so only if WaitForPacer is set.
	retryPacer = storeRest / 4
)

// sleep waits for d. If the context ends during the wait, sleep returns a WaitError. If the
// context's deadline comes before the end of the wait, sleep returns a WaitError at once.
//
// If there is no interval, requests do not wait for each other, so all of them could start at the
// moment when a pause ends. To prevent this, sleep then waits longer than d, by a random time of up
// to a tenth of d.
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

// notYet returns the error of a request whose context ends before the request may start. The
// parameter until is the earliest time at which the request may start.
func notYet(location string, until time.Time, err error) *WaitError {
	site := strings.TrimSuffix(location, "/robots.txt")
	reason := fmt.Sprintf("the next request to %s must wait %v", site, time.Until(until).Round(time.Millisecond))
	return &WaitError{until, waitError{reason, err}}
}

// untilDeadline returns the time until the deadline of a context. Without a deadline, it
// returns the longest possible duration.
func untilDeadline(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return math.MaxInt64
}

// slowDown pauses a site after a response with status 429 or 503 and a Retry-After header. The
// pause is at most MaxDelay or a minute, whichever is longer.
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

// A pacer delays the requests of one Cache. The zero pacer is ready to use.
type pacer struct {
	took atomic.Int64 // how long the latest call of Reserve took, in nanoseconds

	mu    sync.Mutex
	sites map[string]*site // by the URL of the robots.txt

	// If sites has at least max(limit, 100) schedules, enter removes the idle ones before it
	// adds another. The limit is twice the number of schedules that were left after the last
	// removal.
	limit int
}

// A site schedules the requests to one website.
type site struct {
	turn chan struct{} // a lock for the first request in the queue: sending a value locks it, receiving the value unlocks it
	mu   *sync.Mutex   // the pacer's mutex

	users  int       // number of calls of enter, minus the number of calls of leave
	queued int       // number of requests that have entered the queue and have not started
	next   time.Time // when the next request may start
	resume time.Time // when the pause ends
}

// enter returns the schedule of a site. If there is none, enter creates it. Before that, enter
// removes idle schedules if there are too many schedules; see limit.
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

// pause delays all further requests to a site until the duration d is over. It never shortens an
// earlier pause.
func (p *pacer) pause(location string, d time.Duration) {
	s := p.enter(location)
	defer p.leave(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	s.resume = later(s.resume, time.Now().Add(d))
}

// queue puts a request with an interval into the queue, and waits until the request is first.
// The result waited reports whether other requests were ahead. If the expected wait is too long
// for the context's deadline, queue does not wait, but returns an error at once.
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

// advance removes the first request from the queue.
func (s *site) advance() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	<-s.turn
}

// left returns how long a request must still wait, or a negative time if it can start. Every
// request waits for the end of a pause. A request with an interval also waits for the end of the
// last interval.
func (s *site) left(interval time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if interval <= 0 {
		return time.Until(s.resume)
	}
	return time.Until(later(s.next, s.resume))
}

// start begins an interval. Until it is over, no other request with an interval may start.
func (s *site) start(interval time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = time.Now().Add(interval)
}
