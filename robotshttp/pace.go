package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"
)

// A waitError is the error of a request whose context ended, or would end, before
// the wait for something was over.
type waitError struct {
	reason string
	err    error // the context's
}

func (e *waitError) Error() string { return "robotshttp: " + e.reason + ": " + e.err.Error() }
func (e *waitError) Unwrap() error { return e.err }

// Timeout lets a url.Error know that it is one.
func (e *waitError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

// turn waits until the next request to a site may start, and reports whether that
// took any time. Requests with an interval leave at least that time before the
// next. All requests wait while the site is paused.
func (c *Cache) turn(ctx context.Context, location string, interval time.Duration) (waited bool, err error) {
	for {
		longest := time.Duration(math.MaxInt64)
		if deadline, ok := ctx.Deadline(); ok {
			longest = time.Until(deadline)
		}
		wait, giveBack, err := c.reserve(ctx, location, interval, longest)
		switch {
		case err != nil:
			return waited, err
		case wait > longest:
			reason := fmt.Sprintf("the next request to %s may start in %v", location, wait)
			return waited, &waitError{reason, context.DeadlineExceeded}
		case wait <= 0:
			return waited, nil
		}
		waited = true
		if err := sleep(ctx, wait); err != nil {
			giveBack()
			return waited, &waitError{"waiting for the next request to " + location, err}
		}
		if !c.pacer.paused(location) {
			return waited, nil
		}
	}
}

// sleep returns after d, or with an error when ctx is done.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reserve takes the next slot of a site, for the whole fleet if there is one. It
// returns the time until then, and a function that tries to give the slot back.
func (c *Cache) reserve(ctx context.Context, location string, interval, longest time.Duration) (wait time.Duration, giveBack func(), err error) {
	pacer, ok := c.Store.(Pacer)
	if !ok || interval <= 0 {
		wait, giveBack = c.pacer.reserve(location, interval, longest)
		return wait, giveBack, nil
	}
	wait, err = callStore(ctx, c.useStore(location), "reserve", func(ctx context.Context) (time.Duration, error) {
		wait, err := pacer.Reserve(ctx, location, interval, longest)
		if err == nil && (wait < 0 || wait > patience) {
			err = fmt.Errorf("robotshttp: a wait of %v", wait)
		}
		return wait, err
	})
	if err == nil {
		if wait <= longest { // keep the pace even if the next call fails
			c.pacer.push(location, wait+interval)
		}
		return max(wait, c.pacer.pauseLeft(location)), func() {}, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, nil, &waitError{"waiting for the next request to " + location, err}
	}
	wait, giveBack = c.pacer.reserve(location, interval, longest)
	return wait, giveBack, nil
}

// slowDown pauses a site if a response asks for that, for as long as it asks, but at
// most for the given time.
func (c *Cache) slowDown(ctx context.Context, location string, resp *http.Response, most time.Duration) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return
	}
	d, ok := retryAfter(resp.Header, time.Now())
	d = min(d, most)
	if !ok || d <= 0 {
		return
	}
	c.pacer.pause(location, d)
	if pacer, ok := c.Store.(Pacer); ok {
		ctx = context.WithoutCancel(ctx)
		go callStore(ctx, c.useStore(location), "pause", func(ctx context.Context) (struct{}, error) {
			return struct{}{}, pacer.Pause(ctx, location, d)
		})
	}
}

// A pacer spaces requests to sites within one process. The zero pacer is ready to
// use.
type pacer struct {
	mu    sync.Mutex
	sites map[string]schedule // by Location
	limit int                 // the number of sites at which to look for idle ones
}

// A schedule says when requests to a site may start.
type schedule struct {
	next   time.Time // the next free slot
	resume time.Time // the end of a pause
}

// reserve is like [Pacer.Reserve]. Without an interval, a request takes no slot, and
// waits only for the end of a pause.
func (p *pacer) reserve(location string, interval, longest time.Duration) (wait time.Duration, giveBack func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	s := p.sites[location]
	if interval <= 0 {
		return max(s.resume.Sub(now), 0), func() {}
	}
	slot := now
	if s.next.After(now) {
		slot = s.next
	}
	if wait = slot.Sub(now); wait > longest {
		return wait, func() {}
	}
	s.next = slot.Add(interval)
	p.set(location, s)
	return wait, func() { p.giveBack(location, slot, s.next) }
}

// giveBack undoes a reservation unless there has been another since.
func (p *pacer) giveBack(location string, slot, next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.sites[location]; s.next.Equal(next) {
		s.next = slot
		p.sites[location] = s
	}
}

// push makes the next free slot lie no sooner than d from now.
func (p *pacer) push(location string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sites[location]
	s.next = later(s.next, time.Now().Add(d))
	p.set(location, s)
}

// pause makes all requests to a site wait for d.
func (p *pacer) pause(location string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sites[location]
	s.resume = later(s.resume, time.Now().Add(d))
	s.next = later(s.next, s.resume)
	p.set(location, s)
}

// pauseLeft returns how long a site is still paused.
func (p *pacer) pauseLeft(location string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(time.Until(p.sites[location].resume), 0)
}

func (p *pacer) paused(location string) bool { return p.pauseLeft(location) > 0 }

func later(t, u time.Time) time.Time {
	if u.After(t) {
		return u
	}
	return t
}

// set changes the schedule of a site. Whenever there are twice as many sites as it
// left the last time, it first forgets those for which nobody would have to wait.
func (p *pacer) set(location string, s schedule) {
	if p.sites == nil {
		p.sites = make(map[string]schedule)
	}
	if len(p.sites) >= max(p.limit, 100) {
		now := time.Now()
		for location, s := range p.sites {
			if !s.next.After(now) && !s.resume.After(now) {
				delete(p.sites, location)
			}
		}
		p.limit = 2 * len(p.sites)
	}
	p.sites[location] = s
}
