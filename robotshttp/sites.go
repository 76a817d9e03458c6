package robotshttp

import (
	"container/list"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
)

// The sites of a Cache. Their files are kept up to a limit of bytes: those that were used least recently
// are evicted. What is known about the times of requests is kept as long as it can delay one.
//
// No method looks at all sites, so that what a site costs does not grow with their number.
type sites struct {
	newQueue func(location string) *pace.Queue

	mu         sync.Mutex
	limit      int64
	size       int64 // sum of the weights of the entries
	byLocation map[string]*site
	files      list.List // the sites with an entry, the most recently used first
	queues     list.List // the sites with a queue; cleanQueues looks at the last one, and moves it to the front
}

// A site is everything that a Cache knows about one site. It is in byLocation as long as it holds an
// entry, an update, a user or a queue; see release.
type site struct {
	location string // the URL of the robots.txt
	entry    *entry // nil if it is unknown
	inFiles  *list.Element

	update   *update     // the update in progress, or nil
	queue    *pace.Queue // paces the requests; nil if none could be delayed
	inQueues *list.Element
	users    int // number of requests that use the queue

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

const (
	// These estimate how much memory a site takes without an entry, and how much its queue takes, in
	// bytes.
	siteWeight  = 350
	queueWeight = 750

	// queuesPerCall is how many queues are looked at whenever a new one is made. It must be more than
	// one, so that idle queues go faster than new ones come.
	queuesPerCall = 4
)

// entry returns the entry for a location, or nil. The site counts as used.
func (m *sites) entry(location string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.byLocation[location]
	if s == nil || s.entry == nil {
		return nil
	}
	m.files.MoveToFront(s.inFiles)
	return s.entry
}

// at returns the site with a location, and adds it if necessary. The caller must hold m.mu, and call
// release unless it gives the site something to hold.
func (m *sites) at(location string) *site {
	s := m.byLocation[location]
	if s == nil {
		s = &site{location: location}
		m.byLocation[location] = s
	}
	return s
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
	m.release(s)
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

// set changes the entry of a site, and evicts others if the limit is reached. It does not store an entry
// that is larger than the limit. The caller must hold m.mu.
func (m *sites) set(s *site, e *entry) {
	m.drop(s)
	if e.weight > m.limit {
		m.release(s)
		return
	}
	s.entry, s.inFiles = e, m.files.PushFront(s)
	m.size += e.weight
	for m.size > m.limit {
		old := m.files.Back().Value.(*site)
		m.drop(old)
		m.release(old)
	}
}

// drop removes the entry of a site. The caller must hold m.mu.
func (m *sites) drop(s *site) {
	if s.entry != nil {
		m.size -= s.entry.weight
		m.files.Remove(s.inFiles)
		s.entry, s.inFiles = nil, nil
	}
}

// release removes the queue of a site if a new one would do as well, and then the site if it holds
// nothing. The caller must hold m.mu.
func (m *sites) release(s *site) {
	if s.queue != nil && s.users == 0 && s.queue.IsIdle(time.Now()) {
		m.queues.Remove(s.inQueues)
		s.queue, s.inQueues = nil, nil
	}
	holdsNothing := s.entry == nil && s.update == nil && s.users == 0 && s.queue == nil
	if holdsNothing && m.byLocation[s.location] == s {
		delete(m.byLocation, s.location)
	}
}

// cleanQueues removes some queues that have become idle. The caller must hold m.mu.
func (m *sites) cleanQueues() {
	for range min(m.queues.Len(), queuesPerCall) {
		element := m.queues.Back()
		m.queues.MoveToFront(element)
		m.release(element.Value.(*site))
	}
}

// startUpdate returns the update of a location that is in progress. If there is none, startUpdate
// starts one, which calls run in a new goroutine.
func (m *sites) startUpdate(location string, run func(*update)) *update {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	if s.update != nil {
		return s.update
	}
	u := &update{began: time.Now(), done: make(chan struct{})}
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
	return u
}

// updating returns when the update of a location began that is in progress. If there is none, ok is false.
func (m *sites) updating(location string) (began time.Time, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.byLocation[location]; s != nil && s.update != nil {
		return s.update.began, true
	}
	return time.Time{}, false
}

// next returns when the next request to a location can start, as far as is known.
func (m *sites) next(location string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if s := m.byLocation[location]; s != nil && s.queue != nil {
		return s.queue.Next(now)
	}
	return now
}

// enter returns the queue of a location, and makes one if there is none. The caller must call leave.
func (m *sites) enter(location string) *pace.Queue {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(location)
	s.users++
	if s.queue == nil {
		m.cleanQueues()
		s.queue = m.newQueue(location)
		s.inQueues = m.queues.PushFront(s)
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
	if s := m.byLocation[location]; s != nil {
		s.pauses = 0
	}
}

// usage returns the number of sites and their size in bytes.
func (m *sites) usage() (n, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n = int64(len(m.byLocation))
	withoutEntry := n - int64(m.files.Len())
	return n, m.size + siteWeight*withoutEntry + queueWeight*int64(m.queues.Len())
}
