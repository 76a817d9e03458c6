package robotshttp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// A fetch that lasts longer than fetchPatience counts as slow. maxSlow fetches can be slow at a time,
	// besides those that MaxFetches permits: otherwise a few hosts that never answer would hold up all
	// others.
	fetchPatience = time.Second
	maxSlow       = 1024
)

// A gate limits how many fetches are in progress.
type gate struct {
	fast, slow chan struct{} // hold a value for each fetch
	waiting    atomic.Int64  // number of calls of enter that wait
	took       atomic.Int64  // how long a fetch was in fast lately, on average, in nanoseconds
}

func newGate(n int64) *gate {
	return &gate{fast: make(chan struct{}, n), slow: make(chan struct{}, maxSlow)}
}

// enter waits until another fetch may begin. The caller must call leave when the fetch has ended.
func (g *gate) enter() (leave func()) {
	g.waiting.Add(1)
	g.fast <- struct{}{}
	g.waiting.Add(-1)
	ended := make(chan struct{})
	go g.hold(ended)
	return func() { close(ended) }
}

// hold keeps the place of a fetch in fast until the fetch has ended, or is slow and has a place in slow.
func (g *gate) hold(ended <-chan struct{}) {
	start, isSlow := time.Now(), false
	select {
	case <-ended:
	case <-time.After(fetchPatience):
		select {
		case <-ended:
		case g.slow <- struct{}{}:
			isSlow = true
		}
	}
	took := g.took.Load()
	g.took.Store(took + (int64(time.Since(start))-took)/16)
	<-g.fast
	if isSlow {
		<-ended
		<-g.slow
	}
}

// timeFor estimates how long n fetches take.
func (g *gate) timeFor(n int) time.Duration {
	return time.Duration(n/cap(g.fast)+1) * time.Duration(g.took.Load())
}

// A backlog is a line of locations whose files are wanted, but which nobody waits for.
type backlog struct {
	mu        sync.Mutex
	locations []string
	places    map[string]int // the place of each location, counted from the first that has ever come; nil if no goroutine takes locations
	taken     int            // number of locations that have left the line
}

// add appends a location, unless it is in the line. If the result is true, the caller must start a goroutine
// that takes locations.
func (b *backlog) add(location string) (mustStart bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.places[location]; ok {
		return false
	}
	if b.places == nil {
		b.places, mustStart = make(map[string]int), true
	}
	b.places[location] = b.taken + len(b.locations)
	b.locations = append(b.locations, location)
	return mustStart
}

// take removes the first location. If there is none, ok is false, and the goroutine must end.
func (b *backlog) take() (location string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.locations) == 0 {
		b.locations, b.places = nil, nil
		return "", false
	}
	location = b.locations[0]
	b.locations = b.locations[1:]
	b.taken++
	delete(b.places, location)
	return location, true
}

// ahead returns the number of locations before a location, or 0 if it is not in the line.
func (b *backlog) ahead(location string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, b.places[location]-b.taken)
}

func (b *backlog) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.locations)
}

// updateLater updates the entry for a location for somebody who does not wait for it: when it is its turn.
func (c *Cache) updateLater(location string) {
	if _, ok := c.sites.updating(location); !ok && c.backlog.add(location) {
		go c.updateBacklog()
	}
}

// updateBacklog updates the entries for the locations in the backlog, until there are none.
func (c *Cache) updateBacklog() {
	for {
		leave := c.updating.enter()
		location, ok := c.backlog.take()
		if !ok {
			leave()
			return
		}
		ended := c.startUpdate(context.Background(), location, false).done
		go func() {
			<-ended
			leave()
		}()
	}
}

// next returns when a request to a location can be sent, as far as is known, if its file must be fetched
// first. How long that will take is a guess: as long as the fetches take that come first, or as long as this
// fetch has already taken, but at least a second.
func (c *Cache) next(location string) time.Time {
	now := time.Now()
	wait := max(time.Second, c.updating.timeFor(c.backlog.ahead(location)))
	if began, ok := c.sites.updating(location); ok {
		wait = max(wait, now.Sub(began))
	}
	return later(now.Add(wait), c.sites.next(location))
}
