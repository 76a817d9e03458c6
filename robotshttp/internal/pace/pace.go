// Package pace delays the requests to one site, so that they are sent at least a delay apart, by this
// process and by a fleet whose processes borrow the site from each other. It knows neither files nor
// HTTP: whether a request may be sent, and how long the delay is, it learns from a function of the
// caller.
//
// The times of a site with a delay of 1 s, which a process borrows from a fleet for 15 s. Each o is a
// request that is sent:
//
//	asked                     renew                                           lease
//	  |<-------- 5 s --------->|<-------------------- 10 s ------------------->|
//	   held           turnEnd
//	   o    o    o    next
//	   |<-->|<-->|<-->|
//	    1 s  1 s  1 s
//	             yield
//
// A process asks the fleet for a site when a request waits for it, and stands in a queue there until
// its turn comes: it asks again whenever the fleet says. It then has the site to itself, and paces its
// requests by its own clock. The turn is over after 3 requests, or after 3 s if fewer came. The process
// then yields: the next process gets the site, with the time of the next request; if none waits, the
// lease is renewed. Only a request that takes long to be sent delays this; the lease is then renewed
// after 5 s. The process gives the site back when a request could be sent, but none is there.
//
// While the fleet fails, each process sends one request to the site in each round. A round has a slot for
// each process, in the order of their names, by the fleet's clock. So they need not hear of each other, nor
// of the failure at the same time. For the second of three processes:
//
//	0 s   1.2 s   2.4 s   3.6 s   4.8 s
//	|-------|-------|-------|-------|----
//	        o                       o
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
	Others, Place      int
	Clock              time.Duration
}

// checkAge is the age at which the result of a check is too old.
const checkAge = time.Second

// A Pacer is what the Queues of one process have in common. Do not change it after first use.
type Pacer struct {
	// Lease asks the fleet for the site with a key. If it is nil, the process is alone.
	Lease func(ctx context.Context, key string, r Request) (Lease, error)

	// Holder is the name of this process in the fleet. No other process has the same name.
	Holder string

	// Lent, if not nil, is called in a new goroutine whenever this process has got the site with a key.
	Lent func(key string)

	// WaitForFleet makes requests wait while the fleet fails. Otherwise the processes share all sites by
	// what the fleet last said.
	WaitForFleet bool

	crowd crowd
}

// A Queue paces the requests to one site. Requests with a delay form a line. The first one stays first
// until it has been sent, so that requests with slow connections are not sent together. A turn is
// something else: the time for which a process has the site while other processes wait.
type Queue struct {
	pacer *Pacer
	key   string
	first chan struct{} // a lock, which the first request in the line has: sending a value takes it, receiving the value releases it

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

// ErrLate means that a request would have to wait until after its time latest; see Wait.
var ErrLate = errors.New("longer than Transport.MaxWait")

// NewQueue returns the Queue of a site. The key is the name of the site in the fleet.
func (p *Pacer) NewQueue(key string) *Queue {
	return &Queue{
		pacer:   p,
		key:     key,
		first:   make(chan struct{}, 1),
		changed: make(chan struct{}),
		times:   times{hasFleet: p.Lease != nil, crowd: &p.crowd},
	}
}

// IsIdle reports whether a request could be sent at once at the time now, so that a new Queue would
// do as well.
func (q *Queue) IsIdle(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &q.times
	isBusy := t.waiting > 0 || now.Before(t.expected) || q.isAsking || q.isReading
	isBusy = isBusy || now.Sub(q.readPause) < pauseAge // a new Queue would ask the fleet again
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
		go q.tellPause(q.times.resume)
	}
}

// tellPause tells the fleet when a pause ends, again and again until the fleet has heard or the pause is over.
func (q *Queue) tellPause(resume time.Time) {
	for d := time.Until(resume); d > 0; d = time.Until(resume) {
		if _, err := q.pacer.Lease(context.Background(), q.key, Request{Pause: d}); err == nil {
			return
		}
		time.Sleep(retryTime)
	}
}

// Wait waits until a request may be sent. The function check returns the delay between two requests,
// or an error if the request must not be sent. Wait calls check at once, and again before a request
// is sent that has waited, because the answer may have changed. Another delay than before counts from
// the next request that is sent: it does not move the time that was set when the last one was sent.
//
// If latest is not zero, the request does not wait longer than that. If the context ends first, or the
// wait would be too long, Wait returns a *WaitError. If the wait would end after latest, the request
// is expected to come again at its time, and the site is kept for it.
//
// If the result sent is not nil, the caller must call it as soon as the request has been sent, or has
// failed. No other request is sent before that.
func (q *Queue) Wait(ctx context.Context, latest time.Time, check func() (delay time.Duration, err error)) (sent func(), err error) {
	w := &waiter{ctx: ctx, latest: latest, check: check}
	if err := w.doCheck(); err != nil {
		return nil, err
	}
	for w.delay <= 0 {
		waited, err := q.waitForPause(w)
		if err == nil && waited {
			err = w.doCheck()
		}
		if err != nil || !waited {
			return nil, err
		}
	}
	if err := q.waitForStart(w); err != nil {
		return nil, err
	}
	return sync.OnceFunc(q.end), nil
}

// A waiter is a request that waits, but not too long.
type waiter struct {
	ctx    context.Context
	latest time.Time // it does not wait longer; zero is no limit

	check   func() (time.Duration, error)
	checked time.Time     // when check last returned
	delay   time.Duration // what check last returned
}

func (w *waiter) doCheck() (err error) {
	w.delay, err = w.check()
	w.checked = time.Now()
	return err
}

// refusal returns why the request cannot wait until a time, or nil if it can.
func (w *waiter) refusal(until time.Time) error {
	deadline, hasDeadline := w.ctx.Deadline()
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case hasDeadline && until.After(deadline):
		return context.DeadlineExceeded
	case !w.latest.IsZero() && until.After(w.latest):
		return ErrLate
	}
	return nil
}

// sleep waits until a time, until changed is closed, or until it has taken the lock. It does not wait for what
// is zero or nil. If the request cannot wait longer, sleep returns the reason.
func (w *waiter) sleep(until time.Time, changed <-chan struct{}, lock chan<- struct{}) error {
	select {
	case <-After(until):
	case <-changed:
	case lock <- struct{}{}:
	case <-After(w.latest):
		return ErrLate
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
	return nil
}

// After returns a channel that receives a value at a time, or never if the time is zero.
func After(t time.Time) <-chan time.Time {
	if t.IsZero() {
		return nil
	}
	return time.After(time.Until(t))
}

// waitForPause waits until the end of a pause, if the site is paused. It does not limit the number
// of requests, but after a pause they start at slightly different times. The result waited reports
// whether the site was paused.
func (q *Queue) waitForPause(w *waiter) (waited bool, err error) {
	for {
		resume, isKnown, changed := q.pause()
		now := time.Now()
		switch {
		case !isKnown:
			if err := w.sleep(time.Time{}, changed, nil); err != nil {
				return false, &WaitError{later(resume, now.Add(soon)), err}
			}
		case !resume.After(now):
			return waited, nil
		default:
			if err := w.refusal(resume); err != nil {
				return false, &WaitError{resume, err}
			}
			d := resume.Sub(now)
			until := resume.Add(time.Duration(rand.Float64() * float64(d) / 10))
			if w.refusal(until) != nil {
				until = resume
			}
			if err := w.sleep(until, nil, nil); err != nil {
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

// waitForStart waits until a request with a delay may be sent. If the error is nil, the request is first
// in the line until the caller calls q.end.
func (q *Queue) waitForStart(w *waiter) error {
	if err := q.waitInLine(w); err != nil {
		return err
	}
	isReady := false
	defer func() {
		if !isReady { // an error, or a panic of a function of the caller
			q.leave()
			<-q.first
		}
	}()
	for {
		now := time.Now()
		if now.Sub(w.checked) >= checkAge && q.mayStart(w.delay) {
			if err := w.doCheck(); err != nil {
				return err
			}
		}
		start, changed, ok := q.begin(w.delay)
		if ok {
			isReady = true
			return nil
		}
		err := w.refusal(start)
		if err == nil {
			err = w.sleep(start, changed, nil)
		}
		if err != nil {
			return q.refuse(q.Next(time.Now()), err)
		}
	}
}

// waitInLine waits until a request is the first of this process. If the expected wait is too long,
// waitInLine returns an error at once.
func (q *Queue) waitInLine(w *waiter) error {
	q.mu.Lock()
	q.times.delay = w.delay
	start := q.startOfLast(w.delay)
	q.times.waiting++
	q.mu.Unlock()
	select {
	case q.first <- struct{}{}:
		return nil
	default:
	}
	err := w.refusal(start)
	if err == nil {
		err = w.sleep(time.Time{}, nil, q.first)
	}
	if err == nil {
		return nil
	}
	q.leave()
	q.mu.Lock()
	start = q.startOfLast(w.delay)
	q.mu.Unlock()
	return q.refuse(start, err)
}

// startOfLast estimates when a request can start if it joins the end of the line now. The caller must
// hold q.mu.
func (q *Queue) startOfLast(delay time.Duration) time.Time {
	ahead := q.times.waiting
	if q.times.sending { // q.next counts that request
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

// begin begins to send the first request, if it may be sent now; then ok is true. Otherwise start is when
// it may be sent, or zero if the fleet must first answer. The channel changed is closed when the times
// change.
func (q *Queue) begin(delay time.Duration) (start time.Time, changed <-chan struct{}, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now, t := time.Now(), &q.times
	t.delay = delay
	if t.mayStart(now) {
		t.sending = true
		t.next = now.Add(delay)
		return time.Time{}, nil, true
	}
	q.callIfDue(now)
	if q.isAsking && !t.hasSite(now) {
		return time.Time{}, q.changed, false
	}
	return t.estimate(now), q.changed, false
}

// end starts the delay, because the first request has been sent only now. The next one becomes first.
func (q *Queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.times.sent(now)
	q.times.waiting--
	q.callIfDue(now)
	<-q.first
}

// leave ends the wait of a request that is not sent.
func (q *Queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times.waiting--
	q.callIfDue(time.Now())
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

// callIfDue makes the call of the fleet that is due, in the background. If none is due yet, it sets the
// timer for the next one. The caller must hold q.mu.
func (q *Queue) callIfDue(now time.Time) {
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
	q.callIfDue(time.Now())
}

func (q *Queue) askFleet(r Request, asked time.Time) {
	l, err := q.pacer.Lease(context.Background(), q.key, r)
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.isAsking = false
	if err == nil {
		q.pacer.crowd.hear(l, asked, now)
		q.readPause = now
		q.times.heard(r, l, asked, now)
		if l.Held && !r.Holds && q.pacer.Lent != nil {
			go q.pacer.Lent(q.key)
		}
	} else {
		q.times.failed(r, now, q.pacer.WaitForFleet)
	}
	q.hasChanged()
	q.callIfDue(now)
}

// hasChanged wakes the requests that wait. The caller must hold q.mu.
func (q *Queue) hasChanged() {
	close(q.changed)
	q.changed = make(chan struct{})
}
