// Package pace delays the requests to one site. It knows neither files nor HTTP: what may be sent,
// and how long the delay is, it learns from a function of the caller.
//
// The times of a site with a delay, for two requests that come together:
//
//	first:   turn, sent
//	              |<----------- delay ---------->|
//	second:  waits for its turn ... check ...... next ......... sent
//	                                               |<- margin ->|
//	                                             slot of the fleet, if there is one
//
// A pause (resume) holds up all requests of a site, also of one without a delay.
package pace

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// maxMargin limits the margin that is added to the interval of a slot. Without the margin,
	// requests of different processes would be too close together, because the answers of the Fleet
	// and the requests take different times to arrive.
	maxMargin = 40 * time.Millisecond

	// slotTries limits how many slots a request reserves before it uses one whose start is in doubt.
	// The limit matters if the calls of Reserve take longer than they did before.
	slotTries = 3

	// If a call of Reserve takes longer than the one before by more than maxDoubt, it says too little
	// about when the slot begins.
	maxDoubt = 60 * time.Millisecond

	// askInterval is the age at which the Fleet's last answer about a site is too old: the site
	// may have been paused since then.
	askInterval = time.Second

	// maxEarly limits how long before its start a request is checked.
	maxEarly = 5 * time.Second
)

// A Fleet gives slots to its processes. Each request with a delay needs a slot.
type Fleet interface {
	// Reserve takes the next free slot of a key, and returns the time until it begins. If the
	// interval is zero, Reserve takes no slot, and returns the time until the key's pause ends.
	Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error)

	// Pause pauses a key for d.
	Pause(ctx context.Context, key string, d time.Duration)
}

// A Pacer contains what the Queues of one process have in common.
type Pacer struct {
	Fleet        Fleet // nil if the process is alone
	WaitForFleet bool  // while the Fleet fails, wait instead of pacing alone

	mu          sync.Mutex
	reserveTook time.Duration // how long the call of Reserve took that gave the last slot; zero if there was none
}

// A Queue paces the requests to one site. Requests with a delay take turns. A request keeps its
// turn until it has been sent, so that requests with slow connections are not sent together.
type Queue struct {
	pacer  *Pacer
	key    string
	turn   chan struct{} // a lock: sending a value takes the turn, receiving the value ends it
	asking chan struct{} // a lock: only one request without a delay asks the Fleet for a pause

	mu     sync.Mutex // guards the fields below
	queued int        // number of requests that wait for their turn or have it
	next   time.Time  // when the next request with a delay may be sent
	resume time.Time  // when the pause ends
	slot   time.Time  // the start of the slot that the Fleet has given to this process; zero if there is none
	asked  time.Time  // when the Fleet was last called
}

// A WaitError says that the context of a request ends before the request may be sent.
type WaitError struct {
	Until time.Time // when the request may be sent, as far as is known
	Err   error     // the error of the context, or context.DeadlineExceeded if the wait would end after its deadline
}

func (e *WaitError) Error() string { return fmt.Sprintf("wait until %v: %v", e.Until, e.Err) }

// NewQueue returns the Queue of a site. The key is the name of the site in the Fleet.
func (p *Pacer) NewQueue(key string) *Queue {
	return &Queue{pacer: p, key: key, turn: make(chan struct{}, 1), asking: make(chan struct{}, 1)}
}

// Next returns when the next request could start, as far as is known. It is not before now.
func (q *Queue) Next(now time.Time) time.Time {
	q.mu.Lock()
	defer q.mu.Unlock()
	return later(q.start(), now)
}

// IsIdle reports whether a request could be sent at once at the time now, so that a new Queue would
// do as well.
func (q *Queue) IsIdle(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued == 0 && !q.start().After(now)
}

// Pause stops all requests to the site for d, those of the Fleet included. It never shortens an
// earlier pause.
func (q *Queue) Pause(ctx context.Context, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.resume = later(q.resume, time.Now().Add(d))
	if fleet := q.pacer.Fleet; fleet != nil {
		go fleet.Pause(context.WithoutCancel(ctx), q.key, d)
	}
}

// Wait waits until a request may be sent. The function check returns the delay between two requests,
// or an error if the request must not be sent. Wait calls check at once, and again after each long
// wait, because the answer may change.
//
// If the context ends first, or would end during the wait, Wait returns a *WaitError. If the result
// sent is not nil, the caller must call it as soon as the request has been sent, or has failed. No
// other request gets its turn before that.
func (q *Queue) Wait(ctx context.Context, check func() (delay time.Duration, err error)) (sent func(), err error) {
	r := &request{check: check}
	delay, err := r.doCheck()
	if err != nil {
		return nil, err
	}
	for delay <= 0 {
		waited, err := q.waitForPause(ctx)
		if err == nil && waited {
			delay, err = r.doCheck()
		}
		if err != nil || !waited {
			return nil, err
		}
	}
	delay, err = q.waitForTurn(ctx, delay, r)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { q.end(delay) }), nil
}

// A request checks whether it may still be sent.
type request struct {
	check func() (time.Duration, error)
	took  time.Duration // how long the last call of check took
}

func (r *request) doCheck() (delay time.Duration, err error) {
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	return r.check()
}

// start returns when the next request with a delay may be sent, as far as is known. The caller must
// hold q.mu.
func (q *Queue) start() time.Time { return later(later(q.next, q.resume), q.slot) }

// waitForPause waits until the end of a pause, if the site is paused. It does not limit the number
// of requests, but after a pause they start at slightly different times. The result waited reports
// whether the site was paused.
func (q *Queue) waitForPause(ctx context.Context) (waited bool, err error) {
	if err := q.askForPause(ctx); err != nil {
		return false, err
	}
	q.mu.Lock()
	resume := q.resume
	q.mu.Unlock()
	d := time.Until(resume)
	if d <= 0 {
		return false, nil
	}
	if left := timeLeft(ctx); d <= left {
		jitter := time.Duration(rand.Float64() * float64(d) / 10)
		d = min(d+jitter, left)
	}
	if err := sleep(ctx, d); err != nil {
		return false, &WaitError{resume, err}
	}
	return true, nil
}

// askForPause asks the Fleet, at most once per askInterval, whether the site is paused.
func (q *Queue) askForPause(ctx context.Context) error {
	if q.pacer.Fleet == nil || !q.mustAsk() {
		return nil
	}
	select {
	case q.asking <- struct{}{}: // only one request asks; the others wait for the answer
		defer func() { <-q.asking }()
	case <-ctx.Done():
		return &WaitError{q.Next(time.Now()), ctx.Err()}
	}
	if !q.mustAsk() {
		return nil
	}
	return q.reserve(ctx, 0, false)
}

func (q *Queue) mustAsk() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Since(q.asked) >= askInterval
}

// waitForTurn waits until a request with a delay may be sent. The file may change during a wait, so
// shortly before a long wait ends the request is checked once more: not after it, because a slow
// check could miss the slot. If the error is nil, the request has its turn until the caller calls
// q.end with the delay that waitForTurn returns.
func (q *Queue) waitForTurn(ctx context.Context, delay time.Duration, r *request) (_ time.Duration, err error) {
	waited, err := q.takeTurn(ctx, delay)
	if err != nil {
		return 0, err
	}
	isReady := false
	defer func() {
		if !isReady { // an error, or a panic of a function of the caller
			q.giveUp()
		}
	}()
	if waited {
		if delay, err = r.doCheck(); err != nil {
			return 0, err
		}
	}
	isChecked := false
	for {
		start, err := q.nextStart(ctx, delay)
		if err != nil {
			return 0, err
		}
		early := min(max(askInterval, 2*r.took), maxEarly)
		switch wait := time.Until(start); {
		case wait <= 0 && delay > 0 && q.pacer.Fleet != nil && !q.hasSlot(): // nextStart reserves a slot now
		case wait <= 0:
			q.begin(delay)
			isReady = true
			return delay, nil
		case wait > timeLeft(ctx):
			return 0, &WaitError{start, context.DeadlineExceeded}
		case wait <= early || isChecked: // a second check could miss the next slot, too
			if err := sleep(ctx, wait); err != nil {
				return 0, &WaitError{start, err}
			}
		default:
			if err := sleep(ctx, wait-early); err != nil {
				return 0, &WaitError{start, err}
			}
			if q.pacer.Fleet != nil {
				if err := q.reserve(ctx, 0, false); err != nil { // the site may have been paused
					return 0, err
				}
			}
			if delay, err = r.doCheck(); err != nil {
				return 0, err
			}
			isChecked = true
		}
	}
}

// takeTurn waits for a request's turn. The result waited reports whether other requests were ahead.
// If the expected wait is too long for the context's deadline, takeTurn returns an error at once.
func (q *Queue) takeTurn(ctx context.Context, delay time.Duration) (waited bool, err error) {
	q.mu.Lock()
	start := q.startAfter(q.queued, delay)
	q.queued++
	q.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		return false, nil
	default:
	}
	err = context.DeadlineExceeded
	if time.Until(start) <= timeLeft(ctx) {
		select {
		case q.turn <- struct{}{}:
			return true, nil
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queued--
	return true, &WaitError{q.startAfter(q.queued, delay), err}
}

// startAfter returns when a request can start that has to wait for n others, as far as is known. The
// caller must hold q.mu.
func (q *Queue) startAfter(n int, delay time.Duration) time.Time {
	return later(q.start(), time.Now()).Add(time.Duration(n) * delay)
}

// begin starts the delay before the next request, because the request whose turn it is can be sent.
func (q *Queue) begin(delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queued--
	q.next, q.slot = time.Now().Add(delay), time.Time{}
}

// end starts the delay again, because the request has been sent only now. It ends the turn.
func (q *Queue) end(delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next = time.Now().Add(delay)
	<-q.turn
}

// giveUp ends the turn of a request that will not be sent. The next request can use its slot.
func (q *Queue) giveUp() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queued--
	<-q.turn
}

// nextStart returns when the request whose turn it is may be sent, as far as is known. With a
// Fleet, the process needs a slot for that. If it has none, or was too slow to use it, nextStart
// reserves one.
func (q *Queue) nextStart(ctx context.Context, delay time.Duration) (time.Time, error) {
	margin := min(delay/20, maxMargin)
	hasFleet := q.pacer.Fleet != nil
	q.mu.Lock()
	defer q.mu.Unlock()
	if soon := q.next.Add(-q.pacer.usualReserve() - margin/2); hasFleet && q.slot.IsZero() && time.Until(soon) > 0 {
		return soon, nil // a slot that begins before q.next could not be used
	}
	for try := 1; hasFleet && try <= slotTries && time.Since(q.slot) > margin/2; try++ {
		q.mu.Unlock()
		err := q.reserve(ctx, delay+margin, try == slotTries)
		q.mu.Lock()
		if err != nil {
			return time.Time{}, err
		}
		if time.Until(q.resume) > 0 {
			break // first wait for the end of the pause
		}
	}
	return q.start(), nil
}

func (q *Queue) hasSlot() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.slot.IsZero()
}

// usualReserve returns how long Reserve took when it last gave a slot.
func (p *Pacer) usualReserve() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reserveTook
}

// reserve reserves the Fleet's next slot for this process. If the interval is zero, reserve only
// asks when the pause ends. If the Fleet fails, and WaitForFleet is set, the site is paused for
// askInterval. Otherwise the process gives itself a slot. An error means that the context has ended.
//
// If the call takes much longer than usual, because the process or the Fleet is busy, it is unknown
// when the slot begins. So reserve leaves this slot empty, unless anyDuration is true.
func (q *Queue) reserve(ctx context.Context, interval time.Duration, anyDuration bool) error {
	called := time.Now()
	wait, err := q.pacer.Fleet.Reserve(ctx, q.key, interval)
	now := time.Now()
	if err != nil && ctxErr(ctx) != nil {
		return &WaitError{q.Next(now), ctxErr(ctx)}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked = now
	took, end := now.Sub(called), now.Add(wait)
	switch {
	case err != nil && q.pacer.WaitForFleet:
		q.resume = later(q.resume, now.Add(askInterval))
	case interval == 0 && err != nil:
		// A slot that was reserved earlier still counts.
	case interval == 0:
		q.resume = later(q.resume, end)
	case err != nil:
		q.slot = later(q.next, now)
	case took > q.pacer.usualReserve()+maxDoubt && !anyDuration:
		// It is in doubt when the slot begins.
	default:
		q.slot = end
		q.pacer.mu.Lock()
		q.pacer.reserveTook = took
		q.pacer.mu.Unlock()
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

// ctxErr returns the error of a context that has ended. A context also counts as ended when
// its deadline has passed but its error is not set yet.
func ctxErr(ctx context.Context) error {
	if timeLeft(ctx) <= 0 {
		return context.DeadlineExceeded
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

func later(t, u time.Time) time.Time {
	if u.After(t) {
		return u
	}
	return t
}
