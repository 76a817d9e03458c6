// Package pace delays the requests to one site, so that they are sent at least a delay apart, by this
// process and by a fleet whose processes borrow the site from each other. It knows neither files nor
// HTTP: whether a request may be sent, and how long the delay is, it learns from a function of the
// caller.
//
// The times of a site with a delay of 1 s that a process borrows from a fleet (o is a request):
//
//	        |<- renewed after a third ->|
//	asked  held                                                   lease
//	  |<----------------------- 15 s, or three delays ------------->|
//	         |<------- turn: 3 s, or one delay ------->|
//	         |     o            o            o         |
//	                             |<- delay ->|<- delay -> next
//	                                         yield
//
// A process asks the fleet for a site when a request waits for it, and stands in a queue there until
// its turn comes: it asks again whenever the fleet says. It then has the site to itself, and paces its
// requests by its own clock. After its turn it lets the next process have the site, with the time of
// the next request. It gives the site back when a request could be sent, but none is there.
//
// A site without a delay is not borrowed. Its requests wait only for the end of a pause, for which the
// fleet is asked at most once a second.
//
// The file times.go decides, and this one waits.
package pace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// A Request asks a fleet for a site. Package robotshttp documents it as LeaseRequest.
type Request struct {
	Holder              string
	For, Turn           time.Duration
	Holds, Waits, Yield bool
	Next, Pause         time.Duration
}

// A Lease is the answer to a Request. Package robotshttp documents it.
type Lease struct {
	Held               bool
	Next, Pause, Again time.Duration
}

// checkAge is the age at which the result of a check is too old.
const checkAge = time.Second

// A Pacer is what the Queues of one process have in common. Do not change it after first use.
type Pacer struct {
	// Lease asks the fleet for the site with a key. If it is nil, the process is alone.
	Lease func(ctx context.Context, key string, r Request) (Lease, error)

	// Holder is the name of this process in the fleet. No other process has the same name.
	Holder string

	// WaitForFleet makes requests wait while the fleet fails. Otherwise each process paces only its
	// own requests meanwhile.
	WaitForFleet bool
}

// A Queue paces the requests to one site. Requests with a delay take turns. A request keeps its turn
// until it has been sent, so that requests with slow connections are not sent together.
type Queue struct {
	pacer *Pacer
	key   string
	turn  chan struct{} // a lock: sending a value takes the turn, receiving the value ends it

	mu        sync.Mutex // guards the fields below
	times     times
	changed   chan struct{} // closed when the times have changed, and replaced
	isAsking  bool          // a call of the fleet is in progress
	timer     *time.Timer   // when the next call is due; nil before the first time
	readPause time.Time     // when the fleet last said whether the site is paused
	isReading bool          // the fleet is being asked whether the site is paused
}

// A WaitError says that a request is not sent, because it would have to wait too long.
type WaitError struct {
	Until time.Time // when the request may be sent, as far as is known
	Err   error     // the error of the context, context.DeadlineExceeded if the wait would end after its deadline, or ErrLate
}

func (e *WaitError) Error() string { return fmt.Sprintf("wait until %v: %v", e.Until, e.Err) }

// ErrLate means that a request would have to wait longer than it wants to.
var ErrLate = errors.New("the wait is too long")

// NewQueue returns the Queue of a site. The key is the name of the site in the fleet.
func (p *Pacer) NewQueue(key string) *Queue {
	return &Queue{
		pacer:   p,
		key:     key,
		turn:    make(chan struct{}, 1),
		changed: make(chan struct{}),
		times:   times{hasFleet: p.Lease != nil},
	}
}

// IsIdle reports whether a request could be sent at once at the time now, so that a new Queue would
// do as well.
func (q *Queue) IsIdle(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &q.times
	isBusy := t.waiting > 0 || now.Before(t.expected) || q.isAsking || q.isReading
	return !isBusy && !t.holds(now) && !t.isQueued && !t.start().After(now)
}

// Next returns when the next request could be sent, as far as is known. It is not before now, and asks
// nobody.
func (q *Queue) Next(now time.Time) time.Time {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(now)
}

func (q *Queue) next(now time.Time) time.Time {
	if q.times.delay <= 0 { // no request has had to take turns
		return later(now, q.times.start())
	}
	return q.times.estimate(now)
}

// Pause stops all requests to the site for d, those of the fleet included. It never shortens an
// earlier pause.
func (q *Queue) Pause(d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times.resume = later(q.times.resume, time.Now().Add(d))
	q.hasChanged()
	if q.pacer.Lease != nil {
		go q.pacer.Lease(context.Background(), q.key, Request{Pause: d})
	}
}

// Wait waits until a request may be sent. The function check returns the delay between two requests,
// or an error if the request must not be sent. Wait calls check at once, and again before a request
// is sent that has waited, because the answer may have changed.
//
// If latest is not zero, the request does not wait longer than that. If the context ends first, or the
// wait would be too long, Wait returns a *WaitError. If the wait would end after latest, the request
// is expected to come again at its time, and the site is kept for it.
//
// If the result sent is not nil, the caller must call it as soon as the request has been sent, or has
// failed. No other request gets its turn before that.
func (q *Queue) Wait(ctx context.Context, latest time.Time, check func() (delay time.Duration, err error)) (sent func(), err error) {
	r := &request{ctx: ctx, latest: latest, check: check}
	if err := r.doCheck(); err != nil {
		return nil, err
	}
	for r.delay <= 0 {
		waited, err := q.waitForPause(r)
		if err == nil && waited {
			err = r.doCheck()
		}
		if err != nil || !waited {
			return nil, err
		}
	}
	if err := q.waitForTurn(r); err != nil {
		return nil, err
	}
	return sync.OnceFunc(q.end), nil
}

// A request waits, but not too long.
type request struct {
	ctx    context.Context
	latest time.Time // it does not wait longer; zero is no limit

	check   func() (time.Duration, error)
	checked time.Time     // when check last returned
	delay   time.Duration // what check last returned
}

func (r *request) doCheck() (err error) {
	r.delay, err = r.check()
	r.checked = time.Now()
	return err
}

// refusal returns why the request cannot wait until a time, or nil if it can.
func (r *request) refusal(until time.Time) error {
	deadline, hasDeadline := r.ctx.Deadline()
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case hasDeadline && until.After(deadline):
		return context.DeadlineExceeded
	case !r.latest.IsZero() && until.After(r.latest):
		return ErrLate
	}
	return nil
}

// sleep waits until a time, or until changed is closed. Without a time, it waits for changed alone.
// If the request cannot wait longer, sleep returns the reason.
func (r *request) sleep(until time.Time, changed <-chan struct{}) error {
	var wake, late <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		wake = timer.C
	}
	if !r.latest.IsZero() {
		timer := time.NewTimer(time.Until(r.latest))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-wake:
	case <-changed:
	case <-late:
		return ErrLate
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	return nil
}

// take waits for a lock. If the request cannot wait longer, take returns the reason.
func (r *request) take(lock chan<- struct{}) error {
	var late <-chan time.Time
	if !r.latest.IsZero() {
		timer := time.NewTimer(time.Until(r.latest))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case lock <- struct{}{}:
	case <-late:
		return ErrLate
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	return nil
}

// waitForPause waits until the end of a pause, if the site is paused. It does not limit the number
// of requests, but after a pause they start at slightly different times. The result waited reports
// whether the site was paused.
func (q *Queue) waitForPause(r *request) (waited bool, err error) {
	for {
		resume, isKnown, changed := q.pause()
		now := time.Now()
		switch {
		case !isKnown:
			if err := r.sleep(time.Time{}, changed); err != nil {
				return false, &WaitError{later(resume, now.Add(soon)), err}
			}
		case !resume.After(now):
			return waited, nil
		default:
			if err := r.refusal(resume); err != nil {
				return false, &WaitError{resume, err}
			}
			d := resume.Sub(now)
			until := resume.Add(time.Duration(rand.Float64() * float64(d) / 10))
			if r.refusal(until) != nil {
				until = resume
			}
			if err := r.sleep(until, nil); err != nil {
				return false, &WaitError{resume, err}
			}
			waited = true
		}
	}
}

// pause returns when the pause of the site ends. If the fleet must first be asked, isKnown is false,
// and changed is closed when it has answered.
func (q *Queue) pause() (resume time.Time, isKnown bool, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	isKnown = q.pacer.Lease == nil || time.Since(q.readPause) < pauseAge
	if !isKnown && !q.isReading {
		q.isReading = true
		go q.askForPause()
	}
	return later(q.times.resume, q.times.fleetResume), isKnown, q.changed
}

func (q *Queue) askForPause() {
	l, err := q.pacer.Lease(context.Background(), q.key, Request{})
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.isReading, q.readPause = false, now
	switch {
	case err == nil:
		q.times.fleetResume = now.Add(l.Pause)
	case q.pacer.WaitForFleet:
		q.times.fleetResume = later(q.times.fleetResume, now.Add(retryTime))
	}
	q.hasChanged()
}

// waitForTurn waits until a request with a delay may be sent. If the error is nil, the request has its
// turn until the caller calls q.end.
func (q *Queue) waitForTurn(r *request) (err error) {
	if err := q.takeTurn(r); err != nil {
		return err
	}
	isReady := false
	defer func() {
		if !isReady { // an error, or a panic of a function of the caller
			q.leave()
			<-q.turn
		}
	}()
	for {
		now := time.Now()
		if now.Sub(r.checked) >= checkAge && q.mayStart(r.delay) {
			if err := r.doCheck(); err != nil {
				return err
			}
		}
		start, isKnown, changed := q.begin(r.delay)
		switch {
		case isKnown && start.IsZero():
			isReady = true
			return nil
		case !isKnown:
			err = r.sleep(time.Time{}, changed)
		default:
			if err = r.refusal(start); err == nil {
				err = r.sleep(start, changed)
			}
		}
		if err != nil {
			return q.refuse(q.Next(time.Now()), err)
		}
	}
}

// takeTurn waits for a request's turn in this process. If the expected wait is too long, takeTurn
// returns an error at once.
func (q *Queue) takeTurn(r *request) error {
	q.mu.Lock()
	q.times.delay = r.delay
	start := q.startOfLast(r.delay)
	q.times.waiting++
	q.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		return nil
	default:
	}
	err := r.refusal(start)
	if err == nil {
		err = r.take(q.turn)
	}
	if err == nil {
		return nil
	}
	q.leave()
	q.mu.Lock()
	start = q.startOfLast(r.delay)
	q.mu.Unlock()
	return q.refuse(start, err)
}

// startOfLast returns when a request can start that waits for all the others, as far as is known. The
// caller must hold q.mu.
func (q *Queue) startOfLast(delay time.Duration) time.Time {
	ahead := q.times.waiting
	if q.times.sending {
		ahead--
	}
	return q.next(time.Now()).Add(time.Duration(ahead) * delay)
}

// mayStart reports whether a request with the given delay may be sent now.
func (q *Queue) mayStart(delay time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times.delay = delay
	return q.times.mayStart(time.Now())
}

// begin begins to send the request whose turn it is, if it may be sent now; then start is zero.
// Otherwise begin returns when it may be sent. If the fleet must first answer, isKnown is false. When
// the times change, changed is closed.
func (q *Queue) begin(delay time.Duration) (start time.Time, isKnown bool, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now, t := time.Now(), &q.times
	t.delay = delay
	if t.mayStart(now) {
		t.sending = true
		t.next = now.Add(delay)
		return time.Time{}, true, nil
	}
	q.call(now)
	isWaiting := q.isAsking && !t.hasSite(now)
	return t.estimate(now), !isWaiting, q.changed
}

// end starts the delay, because the request has been sent only now. It ends the turn.
func (q *Queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.times.sent(now)
	q.times.waiting--
	q.call(now)
	<-q.turn
}

// leave ends the wait of a request that is not sent.
func (q *Queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times.waiting--
	q.call(time.Now())
}

// refuse returns the error of a request that cannot wait until a time, for the given reason. If it wants
// to come again then, the site is kept for it.
func (q *Queue) refuse(until time.Time, reason error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if reason == ErrLate {
		q.times.expected = later(q.times.expected, until.Add(grace))
	}
	return &WaitError{until, reason}
}

// call asks the fleet what is due now, if anything, or looks again when it is. The caller must hold
// q.mu.
func (q *Queue) call(now time.Time) {
	if q.isAsking {
		return
	}
	c, at := q.times.due(now)
	if c != nothing {
		q.isAsking = true
		go q.askFleet(q.times.request(c, q.pacer.Holder, now), now)
		return
	}
	switch {
	case at.IsZero():
	case q.timer == nil:
		q.timer = time.AfterFunc(at.Sub(now), q.wake)
	default:
		q.timer.Reset(at.Sub(now))
	}
}

func (q *Queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.call(time.Now())
}

func (q *Queue) askFleet(r Request, asked time.Time) {
	l, err := q.pacer.Lease(context.Background(), q.key, r)
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.isAsking = false
	if err == nil {
		q.readPause = now
		q.times.heard(r, l, asked, now)
	} else {
		q.times.failed(r, now, q.pacer.WaitForFleet)
	}
	q.hasChanged()
	q.call(now)
}

// hasChanged wakes the requests that wait. The caller must hold q.mu.
func (q *Queue) hasChanged() {
	close(q.changed)
	q.changed = make(chan struct{})
}
