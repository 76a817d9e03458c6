package pace

import "time"

const (
	// leaseTime is the shortest time for which a site is lent. A lease is renewed after a third of its
	// time, so a process hears of a pause at the latest then.
	leaseTime = 15 * time.Second

	// turnTime limits a turn of more than one request. The package comment of robotshttp and the README
	// of redisstore tell users this time and leaseTime.
	turnTime = 3 * time.Second

	// retryTime is how long the fleet is not asked again after a failure.
	retryTime = time.Second

	// aloneTime is how long after a failure a process paces its requests alone, unless the fleet
	// answers. It is longer than it takes to ask again, and to fail again.
	aloneTime = 5 * time.Second

	// pauseAge is the age at which the fleet's last answer about a site without a delay is too old:
	// the site may have been paused since then.
	pauseAge = time.Second

	// grace is how long after its time a refused request is still expected, so that its site is kept.
	grace = time.Second

	// soon is when a refused request should come again if the fleet has not answered yet.
	soon = 100 * time.Millisecond

	// crowdTime is how long a process believes that as many processes want its sites as have wanted one.
	crowdTime = time.Minute

	// maxAgain is the longest time after which a process that waits for a site asks again, so that it
	// does not believe a fleet for long that was wrong.
	maxAgain = time.Minute
)

// times is what a process knows about one site with a delay. The methods decide what happens at a
// time; they do not wait, and call nobody.
type times struct {
	delay    time.Duration // between two requests
	hasFleet bool          // sites are borrowed from a fleet
	crowd    *crowd        // the fleet, if there is one

	// What this process does.
	next     time.Time // when the delay after its last request ends
	resume   time.Time // the end of the pause that a response to this process demanded
	waiting  int       // number of requests in the line, with the first
	sending  bool      // the first request may be sent, and has not been sent yet
	expected time.Time // until then the site is kept even if no request waits

	// What the fleet said.
	lease       time.Time // when the lease ends; zero if the process has none
	leaseWall   time.Time // the same by the wall clock
	turnEnd     time.Time // when the turn ends that began with the lease
	pages       int       // number of requests sent in this turn
	isQueued    bool      // the fleet has said that the site is lent, and that this process should ask again
	ask         time.Time // when to ask for the site again, or to renew the lease
	retry       time.Time // when to ask again after a failure
	alone       time.Time // until then, requests are paced without the fleet, because it failed
	fleetNext   time.Time // when the delay after the fleet's last request ends
	fleetResume time.Time // the end of the pause that the fleet knows of
}

// A call is what must be asked of the fleet.
type call int

const (
	nothing  call = iota
	get           // ask for the site, or renew the lease
	yield         // the turn is over: let others have the site if they wait, or else renew the lease
	giveBack      // the site is not needed
)

// due returns the call that is due at the time now. If that is nothing, due returns when to look
// again, or zero if only a new request can change that.
func (t *times) due(now time.Time) (call, time.Time) {
	holds := t.holds(now)
	isWanted := t.waiting > 0 || now.Before(t.expected)
	switch {
	case !t.hasFleet:
		return nothing, time.Time{}
	case !isWanted && (holds || t.isQueued):
		return giveBack, now
	case !isWanted:
		return nothing, time.Time{}
	case now.Before(t.retry):
		return nothing, t.retry
	case holds && !t.sending && t.isTurnOver(now):
		return yield, now
	case !now.Before(t.ask):
		return get, now
	}
	at := t.ask
	if holds && !t.sending {
		at = earlier(at, t.turnEnd)
	}
	if t.waiting == 0 {
		at = earlier(at, t.expected)
	}
	return nothing, at
}

// turn returns how many requests a process may send while other processes wait, and how long that takes.
// A turn is measured in requests, because 3 seconds would be two requests for one process and one for the
// next if the delay is 2 seconds.
func (t *times) turn() (pages int, length time.Duration) {
	pages = max(1, int(turnTime/max(t.delay, 1)))
	return pages, time.Duration(pages) * t.delay
}

// isTurnOver reports whether others may have the site now.
func (t *times) isTurnOver(now time.Time) bool {
	pages, _ := t.turn()
	return t.pages >= pages || !now.Before(t.turnEnd)
}

// holds reports whether the process has the site. A lease is over if either the monotonic clock or
// the wall clock says so, because the monotonic clock stands still while a computer is suspended.
func (t *times) holds(now time.Time) bool {
	return now.Before(t.lease) && now.Round(0).Before(t.leaseWall)
}

// hasSite reports whether the process may pace the site.
func (t *times) hasSite(now time.Time) bool {
	return !t.hasFleet || t.holds(now) || now.Before(t.alone)
}

// mayStart reports whether a request may be sent now.
func (t *times) mayStart(now time.Time) bool { return !t.estimate(now).After(now) }

// start returns the earliest time of the next request, if the process has the site then.
func (t *times) start() time.Time {
	return later(later(t.next, t.resume), later(t.fleetNext, t.fleetResume))
}

// estimate returns when the next request may be sent, as far as is known.
func (t *times) estimate(now time.Time) time.Time {
	start := later(t.start(), now)
	switch {
	case !t.hasSite(now):
		return later(start, later(later(t.ask, t.retry), now).Add(soon)) // the fleet needs a moment to answer
	case t.hasFleet && !t.holds(now):
		return t.crowd.slot(start, t.delay)
	}
	return start
}

// sent records that a request has been sent.
func (t *times) sent(now time.Time) {
	t.sending = false
	t.next = now.Add(t.delay)
	t.expected = later(t.expected, t.next) // if the next request comes until then, it finds the site lent
	t.pages++
}

// request returns the request for a call. A lease that the request offers to others is over for now.
func (t *times) request(c call, holder string, now time.Time) Request {
	r := Request{Holder: holder, Holds: t.holds(now), Waits: t.isQueued, Next: max(0, t.next.Sub(now)), Pause: max(0, t.resume.Sub(now))}
	if c != get {
		t.lease, t.ask = time.Time{}, now
	}
	if c != giveBack {
		r.Yield = c == yield
		r.For = max(leaseTime, 3*t.delay)
		_, r.Turn = t.turn()
	}
	return r
}

// heard records the answer to a request, which was sent at the time asked and came at the time now.
func (t *times) heard(r Request, l Lease, asked, now time.Time) {
	t.fleetResume = now.Add(l.Pause)
	if !r.Holds || l.Next > r.Next { // else the fleet only repeats what it was told, late by the round trip
		t.fleetNext = now.Add(l.Next)
	}
	t.retry, t.alone = time.Time{}, time.Time{}
	switch {
	case r.For == 0:
		t.isQueued = false
	case l.Held:
		if !r.Holds || r.Yield {
			t.pages, t.turnEnd = 0, later(now, t.start()).Add(r.Turn)
		}
		t.lease = asked.Add(r.For)
		t.leaseWall = t.lease.Round(0)
		t.isQueued = false
		t.ask = asked.Add(r.For / 3)
	default:
		t.lease, t.isQueued = time.Time{}, true
		t.ask = now.Add(min(l.Again, maxAgain))
	}
}

// failed records that the fleet did not answer a request. A lease that should only be renewed goes on.
func (t *times) failed(r Request, now time.Time, waitForFleet bool) {
	if r.For == 0 {
		t.isQueued = false
		return
	}
	t.retry = now.Add(retryTime)
	if !waitForFleet {
		t.alone = now.Add(aloneTime)
	}
}

func later(t, u time.Time) time.Time {
	if u.After(t) {
		return u
	}
	return t
}

func earlier(t, u time.Time) time.Time {
	if u.Before(t) {
		return u
	}
	return t
}
