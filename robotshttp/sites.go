package robotshttp

import (
	"container/list"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
)

// The sites of a Cache, up to a limit of bytes. Sites that were used least recently are evicted.
// A site in use loses only its entry.
type sites struct {
	mu         sync.Mutex
	limit      int64
	size       int64                    // sum of the weights of the sites
	byLocation map[string]*list.Element // the values are of type *site
	recent     list.List                // all sites, the most recently used first
}

// A site is everything that a Cache knows about one site.
type site struct {
	location string // the URL of the robots.txt
	entry    *entry // nil if it is unknown
	weight   int64  // of the entry and the queue

	update *update     // the update in progress, or nil
	queue  *pace.Queue // paces the requests; nil before the first one
	users  int         // number of requests that use the queue

	busyUntil time.Time // when the last pause ends that the site has not stated; see pauseBusy
	pauses    int       // number of such pauses since the last good response
}

// An update gets the robots.txt of a site from the Store or the server. Several goroutines can wait
// for it.
type update struct {
	began  time.Time
	done   chan struct{} // closed when the update ends
	result Result        // the result, when the update has ended

	// forgotten says that Forget was called after the update began, so the result may be out of
	// date. The mutex of the sites guards it.
	forgotten bool
}

// These estimate how much memory a site takes without an entry, and how much its queue takes, in bytes.
const (
	siteWeight  = 350
	queueWeight = 750
)

// entry returns the entry for a location, or nil. The site counts as used.
func (m *sites) entry(location string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	if element := m.byLocation[location]; element != nil {
		m.recent.MoveToFront(element)
		return element.Value.(*site).entry
	}
	return nil
}

// at returns the site with a location, and adds it if necessary. The site counts as used. The caller
// must hold m.mu.
func (m *sites) at(location string) *site {
	element := m.byLocation[location]
	if element == nil {
		element = m.recent.PushFront(&site{location: location})
		m.byLocation[location] = element
	}
	m.recent.MoveToFront(element)
	return element.Value.(*site)
}

// put stores the entry e, which comes from the update u. It reports whether e is up to date.
//
// If Forget was called during the update, e may be out of date. Then put stores an expired copy of
// e, or nothing if a later update has already stored an entry: update A begins, Forget, update B
// begins and ends, A ends, and A's entry is dropped.
func (m *sites) put(u *update, e *entry) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(e.URL)
	if !u.forgotten {
		m.set(s, e)
	} else if s.entry != nil && s.entry.forgotten {
		m.set(s, forget(e))
	}
	return !u.forgotten
}

// forget replaces the entry for a location with an expired one. An update that is in progress does
// not change that.
func (m *sites) forget(location string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	e := s.entry
	if e == nil {
		e = unknown(location)
	}
	if s.update != nil {
		s.update.forgotten = true
		s.update = nil
	}
	m.set(s, forget(e))
}

// set changes the entry of a site. It does not store an entry that is larger than the limit. The
// caller must hold m.mu.
func (m *sites) set(s *site, e *entry) {
	if e != nil && e.weight > m.limit {
		e = nil
	}
	s.entry = e
	m.weigh(s)
	m.evict()
}

// weigh updates the weight of a site. The caller must hold m.mu.
func (m *sites) weigh(s *site) {
	m.size -= s.weight
	s.weight = 0
	switch {
	case s.entry != nil:
		s.weight = s.entry.weight
	case s.queue != nil:
		s.weight = siteWeight
	}
	if s.queue != nil {
		s.weight += queueWeight
	}
	m.size += s.weight
}

// evict removes the sites that were used least recently, until the limit is kept. The caller must
// hold m.mu.
func (m *sites) evict() {
	now := time.Now()
	for range m.recent.Len() { // look at each site at most once, because all may be in use
		if m.size <= m.limit {
			return
		}
		element := m.recent.Back()
		s := element.Value.(*site)
		s.entry = nil
		m.weigh(s)
		if s.isIdle(now) {
			m.remove(element)
		} else {
			m.recent.MoveToFront(element)
		}
	}
}

func (m *sites) remove(element *list.Element) {
	s := m.recent.Remove(element).(*site)
	delete(m.byLocation, s.location)
	m.size -= s.weight
}

// isIdle reports whether nobody uses the site, and a request to it could be sent at once.
func (s *site) isIdle(now time.Time) bool {
	return s.update == nil && s.users == 0 && (s.queue == nil || s.queue.IsIdle(now))
}

// startUpdate returns the update of a location that is in progress. If there is none, startUpdate
// starts one, which calls run in a new goroutine; then isNew is true.
func (m *sites) startUpdate(location string, run func(*update)) (u *update, isNew bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	if s.update != nil {
		return s.update, false
	}
	u = &update{began: time.Now(), done: make(chan struct{})}
	s.update = u
	go func() {
		run(u)
		m.mu.Lock()
		defer m.mu.Unlock()
		if s.update == u {
			s.update = nil
		}
		m.release(s)
		close(u.done)
	}()
	return u, true
}

// next returns when the next request to a location can start, as far as is known. If the file must be
// fetched first, nobody knows how long that will take: the guess is as long as it has taken, but at
// least a second.
func (m *sites) next(location string, hasFile bool) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	fetched := now
	if !hasFile {
		fetched = now.Add(time.Second)
	}
	element := m.byLocation[location]
	if element == nil {
		return fetched
	}
	s := element.Value.(*site)
	if !hasFile && s.update != nil {
		fetched = later(fetched, now.Add(now.Sub(s.update.began)))
	}
	if s.queue == nil {
		return fetched
	}
	return later(fetched, s.queue.Next(now))
}

// enter returns the queue of a location. If it has none, newQueue makes it. The caller must call
// leave.
func (m *sites) enter(location string, newQueue func(string) *pace.Queue) *pace.Queue {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	s.users++
	if s.queue == nil {
		s.queue = newQueue(location)
		m.weigh(s)
		m.evict()
	}
	return s.queue
}

func (m *sites) leave(location string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	s.users--
	m.release(s)
}

const (
	// If a site is too busy, but does not state a time, it is left alone for minBusyPause at first, and
	// for at most maxBusyPause.
	minBusyPause = 10 * time.Second
	maxBusyPause = 5 * time.Minute
)

// pauseBusy returns how long to leave a site alone that is too busy but does not state a time. The time
// doubles with each pause until hasRecovered is called. During a pause, the result is zero, because
// responses to requests that were sent before the pause say nothing new.
func (m *sites) pauseBusy(location string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, now := m.at(location), time.Now()
	if now.Before(s.busyUntil) {
		return 0
	}
	d := min(minBusyPause<<s.pauses, maxBusyPause)
	if d < maxBusyPause {
		s.pauses++
	}
	s.busyUntil = now.Add(d)
	return d
}

// hasRecovered forgets how often a site was too busy, because it has sent a good response.
func (m *sites) hasRecovered(location string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if element := m.byLocation[location]; element != nil {
		element.Value.(*site).pauses = 0
	}
}

// release removes a site that holds nothing. The caller must hold m.mu.
func (m *sites) release(s *site) {
	if element := m.byLocation[s.location]; element != nil && element.Value == s && s.weight == 0 && s.isIdle(time.Now()) {
		m.remove(element)
	}
}

// usage returns the number of sites and their size in bytes.
func (m *sites) usage() (n, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.byLocation)), m.size
}
