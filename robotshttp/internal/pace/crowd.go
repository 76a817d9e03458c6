package pace

import (
	"sync"
	"time"
)

// A crowd is what a process has heard of the other processes of its fleet, so that they can share sites while
// the fleet fails. It is safe for concurrent use.
type crowd struct {
	mu     sync.Mutex
	others int           // how many other processes want the same site
	place  int           // how many of their names come before the name of this process
	clock  time.Time     // when the fleet's clock was at zero
	heard  time.Time     // when the fleet said so
	took   time.Duration // how long the call took
}

// hear records an answer of the fleet, to a request of the time asked. Of the answers in crowdTime, the one
// with the most others counts, because the first processes that want a site do not hear of the last ones.
// Among these, the quickest counts, because it says best what time it is.
func (c *crowd) hear(l Lease, asked, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	took := now.Sub(asked)
	isBetter := l.Others > c.others || l.Others == c.others && took <= c.took
	if isBetter || now.Sub(c.heard) >= crowdTime {
		c.others, c.place = l.Others, l.Place
		c.clock = asked.Add(took/2 - l.Clock)
		c.heard, c.took = now, took
	}
}

// slot returns the first time, not before start, at which this process may send a request without the
// fleet. A slot is longer than the delay by a fifth: a tenth by which a request may be late, and a tenth by
// which the processes may differ about the fleet's clock.
func (c *crowd) slot(start time.Time, delay time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.others == 0 || delay <= 0 {
		return start
	}
	length := delay + delay/5
	round := time.Duration(1+c.others) * length
	sinceSlot := (start.Sub(c.clock) + round - time.Duration(c.place)*length) % round // since the last slot of this process began
	if sinceSlot <= delay/10 {
		return start
	}
	return start.Add(round - sinceSlot)
}
