package robotshttp

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"
)

const (
	// maxMargin limits the margin that is added to the interval of a slot. Without the margin,
	// requests of different processes would be too close together, because the answers of the Pacer
	// and the requests take different times to arrive.
	maxMargin = 40 * time.Millisecond

	// slotTries limits how many slots a request reserves before it uses one whose start is in doubt.
	// The limit matters if the calls of Reserve take longer than they did before.
	slotTries = 3

	// If a call of Reserve takes longer than the one before by more than maxDoubt, it says too little
	// about when the slot begins.
	maxDoubt = 60 * time.Millisecond

	// askInterval is the age at which the Pacer's last answer about a site is too old: the site
	// may have been paused since then.
	askInterval = time.Second

	// maxEarly limits how long before its start a request is checked.
	maxEarly = 5 * time.Second
)

// A pacer delays the requests of one Cache. The zero pacer is ready to use.
type pacer struct {
	mu    sync.Mutex
	sites map[string]*site // by the URL of the robots.txt
	trip  time.Duration    // how long the call of Pacer.Reserve took that gave the last slot; zero if there was none

	// If sites has at least max(limit, 100) elements, enter removes the idle ones before it
	// adds another. The limit is twice the number of sites that were left after the last removal.
	limit int
}

// A site paces the requests to one website. Requests with a delay take turns. A request keeps its
// turn until it has been sent, so that requests with slow connections are not sent together.
type site struct {
	location string        // the URL of the robots.txt
	turn     chan struct{} // a lock: sending a value takes the turn, receiving the value ends it
	asking   chan struct{} // a lock: only one request without a delay asks the Pacer for a pause

	mu     *sync.Mutex // the pacer's mutex; guards the fields below
	users  int         // number of calls of enter, minus the number of calls of leave
	queued int         // number of requests that wait for their turn or have it
	next   time.Time   // when the next request with a delay may be sent
	resume time.Time   // when the pause ends
	slot   time.Time   // the start of the slot that the Pacer has given to this process; zero if there is none
	asked  time.Time   // when the Pacer was last called
}

// enter returns the site for a location, and adds it if necessary. The caller must call leave.
func (p *pacer) enter(location string) *site {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sites[location]
	if s == nil {
		if len(p.sites) >= max(p.limit, 100) {
			p.removeIdle()
		}
		if p.sites == nil {
			p.sites = make(map[string]*site)
		}
		s = &site{location: location, turn: make(chan struct{}, 1), asking: make(chan struct{}, 1), mu: &p.mu}
		p.sites[location] = s
	}
	s.users++
	return s
}

func (p *pacer) removeIdle() {
	now := time.Now()
	for location, s := range p.sites {
		if s.users == 0 && !s.start().After(now) {
			delete(p.sites, location)
		}
	}
	p.limit = 2 * len(p.sites)
}

func (p *pacer) leave(s *site) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.users--
}

// pause stops all requests to the site until t. It never shortens an earlier pause.
func (s *site) pause(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resume = later(s.resume, t)
}

// start returns when the next request with a delay may be sent, as far as is known. The caller must
// hold s.mu.
func (s *site) start() time.Time { return later(later(s.next, s.resume), s.slot) }

// waitForPause waits until the end of a pause, if the site is paused. It does not limit the number
// of requests, but after a pause they start at slightly different times. The result waited reports
// whether the site was paused.
func (c *Cache) waitForPause(ctx context.Context, s *site) (waited bool, err error) {
	if err := c.askForPause(ctx, s); err != nil {
		return false, err
	}
	s.mu.Lock()
	resume := s.resume
	s.mu.Unlock()
	d := time.Until(resume)
	if d <= 0 {
		return false, nil
	}
	if left := timeLeft(ctx); d <= left {
		d = min(d+jitter(d, 10), left)
	}
	if err := sleep(ctx, d); err != nil {
		return false, newWaitError(s.location, resume, err)
	}
	return true, nil
}

// askForPause asks the Pacer, at most once per askInterval, whether the site is paused.
func (c *Cache) askForPause(ctx context.Context, s *site) error {
	if !c.hasPacer() || !s.mustAsk() {
		return nil
	}
	select {
	case s.asking <- struct{}{}: // only one request asks; the others wait for the answer
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return newWaitError(s.location, time.Now(), ctx.Err())
	}
	if !s.mustAsk() {
		return nil
	}
	return c.reserve(ctx, s, 0, false)
}

func (s *site) mustAsk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.asked) >= askInterval
}

// waitForTurn waits until a request with a delay may be sent. The file may change during a wait, so
// shortly before a long wait ends the request is checked once more: not after it, because a slow
// check could miss the slot. If the error is nil, the request has its turn until the caller calls
// s.end with the delay that waitForTurn returns.
func (c *Cache) waitForTurn(ctx context.Context, s *site, delay time.Duration, r *request) (_ time.Duration, err error) {
	waited, err := s.takeTurn(ctx, delay)
	if err != nil {
		return 0, err
	}
	isReady := false
	defer func() {
		if !isReady { // an error, or a panic of a function of the caller
			s.giveUp()
		}
	}()
	if waited {
		if delay, err = c.check(ctx, r); err != nil {
			return 0, err
		}
	}
	isChecked := false
	for {
		start, err := c.nextStart(ctx, s, delay)
		if err != nil {
			return 0, err
		}
		early := min(max(askInterval, 2*r.checkTook), maxEarly)
		switch wait := time.Until(start); {
		case wait <= 0 && delay > 0 && c.hasPacer() && !s.hasSlot(): // nextStart reserves a slot now
		case wait <= 0:
			s.begin(delay)
			isReady = true
			return delay, nil
		case wait > timeLeft(ctx):
			return 0, newWaitError(s.location, start, context.DeadlineExceeded)
		case wait <= early || isChecked: // a second check could miss the next slot, too
			if err := sleep(ctx, wait); err != nil {
				return 0, newWaitError(s.location, start, err)
			}
		default:
			if err := sleep(ctx, wait-early); err != nil {
				return 0, newWaitError(s.location, start, err)
			}
			if c.hasPacer() {
				if err := c.reserve(ctx, s, 0, false); err != nil { // the site may have been paused
					return 0, err
				}
			}
			if delay, err = c.check(ctx, r); err != nil {
				return 0, err
			}
			isChecked = true
		}
	}
}

// takeTurn waits for a request's turn. The result waited reports whether other requests were ahead.
// If the expected wait is too long for the context's deadline, takeTurn returns an error at once.
func (s *site) takeTurn(ctx context.Context, delay time.Duration) (waited bool, err error) {
	s.mu.Lock()
	start := later(s.start(), time.Now()).Add(time.Duration(s.queued) * delay)
	s.queued++
	s.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
		return false, nil
	default:
	}
	err = context.DeadlineExceeded
	if time.Until(start) <= timeLeft(ctx) {
		select {
		case s.turn <- struct{}{}:
			return true, nil
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	return true, newWaitError(s.location, start, err)
}

// begin starts the delay before the next request, because the request whose turn it is can be sent.
func (s *site) begin(delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	s.next, s.slot = time.Now().Add(delay), time.Time{}
}

// end starts the delay again, because the request has been sent only now. It ends the turn.
func (s *site) end(delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = time.Now().Add(delay)
	<-s.turn
}

// giveUp ends the turn of a request that will not be sent. The next request can use its slot.
func (s *site) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued--
	<-s.turn
}

// nextStart returns when the request whose turn it is may be sent, as far as is known. With a
// Pacer, the process needs a slot for that. If it has none, or was too slow to use it, nextStart
// reserves one.
func (c *Cache) nextStart(ctx context.Context, s *site, delay time.Duration) (time.Time, error) {
	margin := min(delay/20, maxMargin)
	s.mu.Lock()
	defer s.mu.Unlock()
	if soon := s.next.Add(-c.pacer.trip - margin/2); c.hasPacer() && s.slot.IsZero() && time.Until(soon) > 0 {
		return soon, nil // a slot that begins before s.next could not be used
	}
	for try := 1; c.hasPacer() && try <= slotTries && time.Since(s.slot) > margin/2; try++ {
		s.mu.Unlock()
		err := c.reserve(ctx, s, delay+margin, try == slotTries)
		s.mu.Lock()
		if err != nil {
			return time.Time{}, err
		}
		if time.Until(s.resume) > 0 {
			break // first wait for the end of the pause
		}
	}
	return s.start(), nil
}

func (s *site) hasSlot() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.slot.IsZero()
}

func (c *Cache) hasPacer() bool {
	_, ok := c.Store.(Pacer)
	return ok
}

// reserve reserves the Pacer's next slot for this process. If the interval is zero, reserve only
// asks when the pause ends. If the Pacer fails, and WaitForPacer is set, the site is paused for
// askInterval. Otherwise the process gives itself a slot. An error means that the context has ended.
//
// If the call takes much longer than usual, because the process or the Store is busy, it is unknown
// when the slot begins. So reserve leaves this slot empty, unless anyDuration is true.
func (c *Cache) reserve(ctx context.Context, s *site, interval time.Duration, anyDuration bool) error {
	called := time.Now()
	wait, err := call(ctx, &c.health, "reserve", s.location, func(ctx context.Context) (time.Duration, error) {
		wait, err := c.Store.(Pacer).Reserve(ctx, s.location, interval)
		if err == nil && (wait < 0 || wait > 30*day) {
			err = fmt.Errorf("robotshttp: the Store returned an invalid wait: %v", wait)
		}
		return wait, err
	})
	now := time.Now()
	if err != nil && ctxErr(ctx) != nil {
		return newWaitError(s.location, now, ctxErr(ctx))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = now
	took, end := now.Sub(called), now.Add(wait)
	switch {
	case err != nil && c.WaitForPacer:
		s.resume = later(s.resume, now.Add(askInterval))
	case interval == 0 && err != nil:
		// A slot that was reserved earlier still counts.
	case interval == 0:
		s.resume = later(s.resume, end)
	case err != nil:
		c.counters.pacedAlone.Add(1)
		s.slot = later(s.next, now)
	case took > c.pacer.trip+maxDoubt && !anyDuration:
		// It is in doubt when the slot begins.
	default:
		s.slot, c.pacer.trip = end, took
	}
	return nil
}

// sleep waits for d. It returns the context's error if the context ends first, and
// context.DeadlineExceeded at once if the deadline is sooner.
func sleep(ctx context.Context, d time.Duration) error {
	if d > timeLeft(ctx) {
		return context.DeadlineExceeded
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// timeLeft returns the time until the deadline of a context. Without a deadline, it
// returns the longest possible duration.
func timeLeft(ctx context.Context) time.Duration {
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
	d = min(d, max(c.maxDelay(), time.Minute))
	if !ok || d <= 0 {
		return
	}
	s := c.pacer.enter(location)
	defer c.pacer.leave(s)
	s.pause(time.Now().Add(d))
	if pacer, ok := c.Store.(Pacer); ok {
		go call(context.WithoutCancel(ctx), &c.health, "pause", location, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, pacer.Pause(ctx, location, d)
		})
	}
}
