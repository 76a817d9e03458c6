package robotshttp

import "sync/atomic"

// Stats counts what a [Cache] has done since its first use, and contains the size of the
// Cache. To publish it with expvar:
//
//	expvar.Publish("robots", expvar.Func(func() any { return cache.Stats() }))
type Stats struct {
	Hits        int64 // Results from memory
	StoreHits   int64 // Results from the Store
	Supplied    int64 // Results from Cache.Supply
	Fetches     int64 // fetches: the sum of Files, NotModified, Unavailable and Failures
	Files       int64 // fetches that returned a file
	NotModified int64 // fetches that returned "304 Not Modified"
	Unavailable int64 // fetches whose status means that there is no file
	Failures    int64 // fetches without a complete response, or with a status that means failure
	StoreErrors int64 // Store calls that failed or returned an invalid value
	PacedAlone  int64 // requests that were sent although the Pacer failed
	Bytes       int64 // memory in use, in bytes
	Entries     int64 // sites in memory
}

// Stats returns the current counts. While the Cache is in use, the counts can be slightly
// inconsistent.
func (c *Cache) Stats() Stats {
	c.once.Do(c.init)
	n := &c.counters
	return Stats{
		Hits:        n.hits.Load(),
		StoreHits:   n.storeHits.Load(),
		Supplied:    n.supplied.Load(),
		Fetches:     n.fetches.Load(),
		Files:       n.files.Load(),
		NotModified: n.notModified.Load(),
		Unavailable: n.unavailable.Load(),
		Failures:    n.failures.Load(),
		StoreErrors: c.caller.errors.Load(),
		PacedAlone:  n.pacedAlone.Load(),
		Bytes:       int64(c.entries.WeightedSize()),
		Entries:     int64(c.entries.EstimatedSize()),
	}
}

type counters struct {
	hits, storeHits, supplied, fetches, files, notModified, unavailable, failures, pacedAlone atomic.Int64
}

// count counts a fetch. The entry e is the result of the fetch.
func (n *counters) count(e *entry) {
	n.fetches.Add(1)
	switch {
	case e.Failure != nil:
		n.failures.Add(1)
	case e.Answer.notModified:
		n.notModified.Add(1)
	case e.Answer.hasFile():
		n.files.Add(1)
	default:
		n.unavailable.Add(1)
	}
}
