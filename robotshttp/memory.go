package robotshttp

import (
	"container/list"
	"sync"
)

// A memory holds the entries of sites, up to a limit of bytes. It evicts those that were used least
// recently.
type memory struct {
	mu       sync.Mutex
	limit    int64
	size     int64                    // sum of the weights of the entries
	elements map[string]*list.Element // by location; the values are of type *entry
	recent   list.List                // all elements, the most recently used first
	flights  map[string]*flight       // by location
}

// A flight gets the robots.txt of a site from the Store or the server. Several goroutines can wait
// for it.
type flight struct {
	done   chan struct{} // closed when the flight ends
	result Result        // the result, when the flight has ended

	// forgotten says that Forget was called after the flight began, so the result may be out of
	// date. The memory's mutex guards it.
	forgotten bool
}

// get returns the entry for a location, or nil. The entry counts as used.
func (m *memory) get(location string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.use(location)
}

func (m *memory) use(location string) *entry {
	element, ok := m.elements[location]
	if !ok {
		return nil
	}
	m.recent.MoveToFront(element)
	return element.Value.(*entry)
}

// put stores the entry e, which comes from the flight f. It reports whether e is up to date.
//
// If Forget was called during the flight, e may be out of date. Then put stores an expired copy of
// e, or nothing if a later flight has already stored an entry: flight A begins, Forget, flight B
// begins and ends, A ends, and A's entry is dropped.
func (m *memory) put(f *flight, e *entry) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !f.forgotten {
		m.set(e)
	} else if old := m.use(e.URL); old != nil && old.forgotten {
		m.set(e.forget())
	}
	return !f.forgotten
}

// forget replaces the entry for a location with an expired one. Flights that are in progress do not
// change that.
func (m *memory) forget(location string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.use(location)
	if e == nil {
		e = newEntry(location)
	}
	m.set(e.forget())
	if f := m.flights[location]; f != nil {
		f.forgotten = true
		delete(m.flights, location)
	}
}

// set stores an entry, in place of the one with the same location. It then evicts entries until the
// limit is kept. It does not store an entry that is larger than the limit.
func (m *memory) set(e *entry) {
	if element, ok := m.elements[e.URL]; ok {
		m.remove(element)
	}
	e.weight = e.weigh()
	if e.weight > m.limit {
		return
	}
	m.size += e.weight
	m.elements[e.URL] = m.recent.PushFront(e)
	for m.size > m.limit {
		m.remove(m.recent.Back())
	}
}

func (m *memory) remove(element *list.Element) {
	e := m.recent.Remove(element).(*entry)
	delete(m.elements, e.URL)
	m.size -= e.weight
}

// fly returns the flight for a location that is in progress. If there is none, fly starts one, which
// calls run in a new goroutine.
func (m *memory) fly(location string, run func(*flight)) *flight {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.flights[location]
	if f != nil {
		return f
	}
	f = &flight{done: make(chan struct{})}
	m.flights[location] = f
	go func() {
		run(f)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.flights[location] == f {
			delete(m.flights, location)
		}
		close(f.done)
	}()
	return f
}

// usage returns the number of entries and their size in bytes.
func (m *memory) usage() (entries, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.elements)), m.size
}
