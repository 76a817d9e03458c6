package pace

import (
	"testing"
	"time"
)

// What is due at second 100 for a site with a delay of 2 seconds.
func TestDue(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Unix(0, 0).Add(time.Duration(seconds * float64(time.Second)))
	}
	now := at(100)
	for _, test := range []struct {
		name string
		t    times
		want call
		at   time.Time
	}{
		{"alone", times{waiting: 1}, nothing, time.Time{}},
		{"nobody waits", times{hasFleet: true}, nothing, time.Time{}},
		{"a request waits", times{hasFleet: true, waiting: 1}, get, time.Time{}},
		{"queued", times{hasFleet: true, waiting: 1, isQueued: true, ask: at(103)}, nothing, at(103)},
		{"queued, time to ask", times{hasFleet: true, waiting: 1, isQueued: true, ask: at(100)}, get, time.Time{}},
		{"queued, nobody waits", times{hasFleet: true, isQueued: true, ask: at(103)}, giveBack, time.Time{}},
		{"queued, expected", times{hasFleet: true, isQueued: true, ask: at(103), expected: at(102)}, nothing, at(102)},
		{"failed", times{hasFleet: true, waiting: 1, retry: at(101)}, nothing, at(101)},
		{"held", times{hasFleet: true, waiting: 1, lease: at(115), ask: at(105), turnEnd: at(103)}, nothing, at(103)},
		{"held, turn over by requests", times{hasFleet: true, waiting: 1, lease: at(115), ask: at(105), turnEnd: at(103), pages: 1}, yield, time.Time{}},
		{"held, turn over by time", times{hasFleet: true, waiting: 1, lease: at(115), ask: at(105), turnEnd: at(100)}, yield, time.Time{}},
		{"held, turn over, but a request is being sent", times{hasFleet: true, waiting: 1, sending: true, lease: at(115), ask: at(105), turnEnd: at(99)}, nothing, at(105)},
		{"held, time to renew", times{hasFleet: true, waiting: 1, lease: at(110), ask: at(100), turnEnd: at(103)}, get, time.Time{}},
		{"held, time to renew, while a request is being sent", times{hasFleet: true, waiting: 1, sending: true, lease: at(110), ask: at(100)}, get, time.Time{}},
		{"held, nobody waits", times{hasFleet: true, lease: at(115), ask: at(105)}, giveBack, time.Time{}},
		{"held until the next request may start", times{hasFleet: true, lease: at(115), ask: at(105), turnEnd: at(103), expected: at(102)}, nothing, at(102)},
		{"lease over", times{hasFleet: true, waiting: 1, lease: at(100), ask: at(100), turnEnd: at(90)}, get, time.Time{}},
	} {
		test.t.delay, test.t.leaseWall = 2*time.Second, test.t.lease
		got, next := test.t.due(now)
		if got == nothing && !next.Equal(test.at) || got != test.want {
			t.Errorf("%s: call %d, next at %v, want %d at %v", test.name, got, next, test.want, test.at)
		}
	}
}

// How many requests a process may send in its turn, and how long the turn takes, so that turns take
// about 3 seconds and all processes may send equally many.
func TestTurn(t *testing.T) {
	for _, test := range []struct {
		delay  time.Duration
		pages  int
		length time.Duration
	}{
		{100 * time.Millisecond, 30, 3 * time.Second},
		{time.Second, 3, 3 * time.Second},
		{1500 * time.Millisecond, 2, 3 * time.Second},
		{2 * time.Second, 1, 2 * time.Second}, // two requests would take 4 seconds
		{10 * time.Second, 1, 10 * time.Second},
	} {
		s := times{delay: test.delay}
		if pages, length := s.turn(); pages != test.pages || length != test.length {
			t.Errorf("delay %v: a turn has %d requests in %v, want %d in %v", test.delay, pages, length, test.pages, test.length)
		}
	}
}

// A process that was suspended for longer than its lease must ask again, although its monotonic clock
// stood still.
func TestSuspended(t *testing.T) {
	now := time.Now()
	s := times{hasFleet: true, waiting: 1}
	s.heard(Request{Holder: "a", For: 15 * time.Second}, Lease{Held: true}, now, now)
	if !s.mayStart(now) {
		t.Error("a request must wait, although the process has the site")
	}
	s.leaseWall = s.leaseWall.Add(-time.Hour) // as if the wall clock had gone on for an hour
	if s.mayStart(now) {
		t.Error("a request may start after an hour, although the lease lasts 15 seconds")
	}
}

// A process obeys the time of the next request that the fleet knows, even if the process has the site:
// another one may have had it meanwhile, because the fleet lost the lease.
func TestNextOfFleet(t *testing.T) {
	now := time.Unix(100, 0)
	held := times{hasFleet: true, delay: 10 * time.Second}
	held.heard(Request{For: 15 * time.Second}, Lease{Held: true}, now, now)
	held.sent(now)
	renewal := held.request(get, "a", now)
	held.heard(renewal, Lease{Held: true, Next: renewal.Next}, now, now.Add(50*time.Millisecond))
	if got := held.start().Sub(now); got != 10*time.Second {
		t.Errorf("the next request may start after %v, want 10s: the fleet only repeats what it was told", got)
	}
	held.heard(renewal, Lease{Held: true, Next: renewal.Next + 5*time.Second}, now, now)
	if got := held.start().Sub(now); got != 15*time.Second {
		t.Errorf("the next request may start after %v, want 15s", got)
	}
}

// A process whose fleet fails is alone only until the fleet answers.
func TestAlone(t *testing.T) {
	now := time.Unix(100, 0)
	s := times{hasFleet: true, crowd: &crowd{}, delay: time.Second, waiting: 1}
	s.failed(Request{For: 15 * time.Second}, now, false)
	if !s.mayStart(now.Add(aloneTime/2)) || s.mayStart(now.Add(aloneTime)) {
		t.Error("a request may not start while the process is alone, or may start after that")
	}
	s.heard(Request{For: 15 * time.Second}, Lease{Again: time.Second}, now, now)
	if s.mayStart(now) {
		t.Error("a request may start although another process has the site")
	}
}

// While the fleet fails, a process sends a request in its slot, unless it is a tenth of the delay too late.
// The third of five processes has 12 seconds in each round of 60, from second 24 on, by the fleet's clock.
func TestSlot(t *testing.T) {
	zero := time.Unix(1000, 0) // when the fleet's clock was at zero
	at := func(seconds float64) time.Time { return zero.Add(time.Duration(seconds * float64(time.Second))) }
	const round = 60
	for _, test := range []struct {
		name   string
		delay  time.Duration
		others int
		isHeld bool
		now    float64
		want   float64
	}{
		{"before the slot", 10 * time.Second, 4, false, 23.9, 24},
		{"in the slot", 10 * time.Second, 4, false, 24, 24},
		{"just in time", 10 * time.Second, 4, false, 25, 25},
		{"too late", 10 * time.Second, 4, false, 25.1, 24 + round},
		{"in the slot of another", 10 * time.Second, 4, false, 40, 24 + round},
		{"rounds later", 10 * time.Second, 4, false, 40 + 100*round, 24 + 101*round},
		{"nobody else wants the site", 10 * time.Second, 0, false, 40, 40},
		{"the delay has ended", 0, 4, false, 40, 40},
		{"the process has the site", 10 * time.Second, 4, true, 40, 40},
	} {
		s := times{hasFleet: true, delay: test.delay, crowd: &crowd{others: test.others, place: 2, clock: zero}, alone: at(1e6)}
		if test.isHeld {
			s.lease, s.leaseWall = at(1e6), at(1e6)
		}
		if got := s.estimate(at(test.now)); !got.Equal(at(test.want)) {
			t.Errorf("%s: the next request may be sent at second %v, want %v", test.name, got.Sub(zero).Seconds(), test.want)
		}
		if !s.mayStart(at(test.want)) || test.want > test.now && s.mayStart(at(test.now)) {
			t.Errorf("%s: a request may not be sent at second %v, or already at %v", test.name, test.want, test.now)
		}
	}
}

// What the fleet says about its clock was true in the middle of the call. A process believes the answer with
// the most others, and the quickest of these, but only for a minute.
func TestHear(t *testing.T) {
	start := time.Unix(100, 0)
	var c crowd
	for _, test := range []struct {
		second     int           // when the answer comes
		took       time.Duration // how long the call took
		others     int
		clock      time.Duration
		isBelieved bool
	}{
		{0, 2 * time.Second, 3, 20 * time.Second, true},
		{1, 4 * time.Second, 4, 30 * time.Second, true},   // more others
		{2, time.Second, 3, 31 * time.Second, false},      // fewer
		{3, 5 * time.Second, 4, 32 * time.Second, false},  // slower
		{4, 3 * time.Second, 4, 33 * time.Second, true},   // quicker
		{5, 3 * time.Second, 4, 34 * time.Second, true},   // as quick
		{64, 4 * time.Second, 3, 90 * time.Second, false}, // within a minute
		{65, 4 * time.Second, 3, 91 * time.Second, true},  // after a minute
	} {
		now := start.Add(time.Duration(test.second) * time.Second)
		old := c.clock
		c.hear(Lease{Others: test.others, Place: test.second, Clock: test.clock}, now.Add(-test.took), now)
		if want := now.Add(-test.took/2 - test.clock); test.isBelieved && (!c.clock.Equal(want) || c.others != test.others || c.place != test.second) {
			t.Errorf("second %d: the clock was at zero at %v, want %v; %d others, place %d", test.second, c.clock, want, c.others, c.place)
		}
		if !test.isBelieved && !c.clock.Equal(old) {
			t.Errorf("second %d: the answer was believed", test.second)
		}
	}
}
