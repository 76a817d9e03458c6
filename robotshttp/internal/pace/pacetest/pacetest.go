// Package pacetest has a fleet in memory for tests.
package pacetest

import (
	"maps"
	"slices"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
)

// A Fleet lends sites. The zero Fleet is ready to use. It is not safe for concurrent use.
type Fleet struct {
	sites map[string]*site
	Calls int // number of calls of Lease
}

// A site holds times as durations, counted from the time at. If the clock goes back, nothing is
// nearer or further than it was.
type site struct {
	at          time.Time
	holder      string // of the lease; empty if there is none
	lease, turn time.Duration
	next, pause time.Duration
	queue       []waiter
}

type waiter struct {
	name string
	left time.Duration // until it counts as dead
}

// somebody is the holder of a lease that has been lost.
const somebody = "?"

const (
	minAgain = time.Second / 2
	patience = 5 * time.Second // a waiter that is so late counts as dead
	memory   = time.Minute     // a site is forgotten after that time
)

// Copy returns a copy of what the fleet knows, as a replica has it.
func (f *Fleet) Copy() Fleet {
	return Fleet{sites: maps.Clone(f.sites), Calls: f.Calls} // a site does not change, it is replaced
}

// Forget forgets all sites.
func (f *Fleet) Forget() { f.sites = nil }

// Holder returns who has the lease of a key, or "".
func (f *Fleet) Holder(now time.Time, key string) string {
	old := f.sites[key]
	if old == nil {
		return ""
	}
	s := *old
	s.queue = slices.Clone(old.queue)
	s.age(now)
	return s.holder
}

// Lease answers a request that arrives at the time now.
func (f *Fleet) Lease(now time.Time, key string, r pace.Request) pace.Lease {
	f.Calls++
	var s site
	old, isKnown := f.sites[key]
	if isKnown {
		s = *old
		s.queue = slices.Clone(old.queue)
		isKnown = s.age(now) <= memory
	}
	if !isKnown {
		s = site{at: now}
	}
	s.next, s.pause = max(s.next, r.Next), max(s.pause, r.Pause)
	l := s.decide(r, isKnown)
	l.Next, l.Pause = s.next, s.pause
	l.Clock = time.Duration(now.UnixNano())
	for _, w := range append(s.queue, waiter{name: s.holder}) {
		if w.name == "" || w.name == somebody || w.name == r.Holder {
			continue
		}
		l.Others++
		if w.name < r.Holder {
			l.Place++
		}
	}
	if f.sites == nil {
		f.sites = make(map[string]*site)
	}
	if r.Holder != "" || r.Pause > 0 {
		f.sites[key] = &s
	}
	return l
}

// age moves the times of a site to now. It returns how long all times have been over.
func (s *site) age(now time.Time) time.Duration {
	d := max(0, now.Sub(s.at))
	latest := max(s.lease, s.next, s.pause)
	for _, w := range s.queue {
		latest = max(latest, w.left)
	}
	s.at = now
	s.lease, s.turn, s.next, s.pause = max(0, s.lease-d), max(0, s.turn-d), max(0, s.next-d), max(0, s.pause-d)
	for i := range s.queue {
		s.queue[i].left -= d
	}
	s.queue = slices.DeleteFunc(s.queue, func(w waiter) bool { return w.left <= 0 })
	if s.lease == 0 {
		s.holder = ""
	}
	return d - latest
}

func (s *site) decide(r pace.Request, isKnown bool) pace.Lease {
	i := slices.IndexFunc(s.queue, func(w waiter) bool { return w.name == r.Holder })
	isHolder := s.holder == r.Holder || s.holder == somebody && r.Holds
	switch {
	case r.Holder == "": // only a pause
		return pace.Lease{}
	case r.For <= 0: // gives the site back, or leaves the queue
		if isHolder {
			s.holder, s.lease, s.turn = "", 0, 0
		}
		if i >= 0 {
			s.queue = slices.Delete(s.queue, i, i+1)
		}
		return pace.Lease{}
	case !isKnown && r.Waits: // the site was lent when this process asked last, so the lease has been lost
		s.holder, s.lease, s.turn = somebody, r.For/3, r.For/3
	case isHolder && r.Yield && len(s.queue) > 0:
		s.holder, s.lease, s.turn = "", 0, 0
	case isHolder, s.holder == "" && (i == 0 || len(s.queue) == 0):
		if s.holder != r.Holder || r.Yield {
			s.turn = r.Turn
		}
		s.holder, s.lease = r.Holder, r.For
		if i >= 0 {
			s.queue = slices.Delete(s.queue, i, i+1)
		}
		return pace.Lease{Held: true}
	}
	if r.Turn <= 0 { // it does not queue
		return pace.Lease{}
	}
	if i < 0 {
		i = len(s.queue)
		s.queue = append(s.queue, waiter{name: r.Holder})
	}
	again := s.turn + time.Duration(i)*r.Turn
	if i <= 1 {
		again = min(again, r.Turn/2) // those ahead may give the site back early
	}
	again = max(again, minAgain)
	s.queue[i].left = again + patience
	return pace.Lease{Again: again}
}
