package robotshttp

import "sync/atomic"

// Stats counts what a [Cache] has done since its first use, and contains the size of the
// Cache. To publish it with expvar:
//
//	expvar.Publish("robots", expvar.Func(func() any { return cache.Stats() }))
type Stats struct {
	Hits         int64 // Results from memory; a request that waits is checked again and counts again
	StoreHits    int64 // Results from the Store
	Fetches      int64 // requests for a robots.txt, each with its redirects
	Failures     int64 // Fetches without a complete response, or with a status that means failure
	NotRobotsTxt int64 // Fetches of something other than a robots.txt; see Result.NotRobotsTxt
	StoreErrors  int64 // Store calls that failed or returned an invalid value
	Waiting      int64 // robots.txt files that wait to be fetched; see Cache.MaxFetches
	Bytes        int64 // memory in use, in bytes
	Entries      int64 // sites in memory
}

// Stats returns the current counts. While the Cache is in use, the counts can be slightly
// inconsistent.
func (c *Cache) Stats() Stats {
	c.once.Do(c.init)
	n := &c.counters
	entries, bytes := c.sites.usage()
	return Stats{
		Hits:         n.hits.Load(),
		StoreHits:    n.storeHits.Load(),
		Fetches:      n.fetches.Load(),
		Failures:     n.failures.Load(),
		NotRobotsTxt: n.notRobotsTxt.Load(),
		StoreErrors:  c.store.Errors(),
		Waiting:      int64(c.backlog.len()) + c.fetching.waiting.Load(),
		Bytes:        bytes,
		Entries:      entries,
	}
}

type counters struct {
	hits, storeHits, fetches, failures, notRobotsTxt atomic.Int64
}
