// Command scheduler crawls many sites with a few workers. No goroutine waits for a site: the sites are
// in a heap, in order of the time of their next request.
package main

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	s := site.Start()
	defer s.Close()
	transport := robotshttp.NewTransport(site.UserAgent, nil)
	c := newCrawler(transport, func(url, outcome string) { fmt.Println(url[len(s.URL):], outcome) })
	for _, path := range site.Paths {
		c.add(page{url: s.URL + path})
	}
	c.run(context.Background(), 4)
}

const (
	maxHops  = 5 // redirects of a page
	maxTries = 3 // attempts of a page, or at a site, that fail one after the other
)

// A page is a URL to fetch.
type page struct {
	url  string
	hops int // number of redirects that have led to it
}

// A queue holds the pages of a site. The site is visited by one worker at a time.
type queue struct {
	pages  []page
	at     time.Time // when to send the next request
	failed int       // number of attempts that have failed since the last response
	active bool      // it is in the heap, or a worker has it
}

// A byTime is a heap of queues.
type byTime []*queue

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h byTime) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byTime) Push(x any)        { *h = append(*h, x.(*queue)) }
func (h *byTime) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

type crawler struct {
	client *http.Client
	cache  *robotshttp.Cache
	report func(url, outcome string) // is called once for each page, by any worker

	mu      sync.Mutex
	changed *sync.Cond
	sites   map[string]*queue
	heap    byTime
	busy    int // number of workers that have a page
}

// newCrawler returns a crawler whose requests fail instead of waiting.
func newCrawler(transport *robotshttp.Transport, report func(url, outcome string)) *crawler {
	transport.MaxWait = -1
	c := &crawler{cache: transport.Cache, report: report, sites: make(map[string]*queue)}
	c.changed = sync.NewCond(&c.mu)
	c.client = &http.Client{
		Transport: transport,
		// A redirect is a new page, which waits for its own site.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// add adds a page to the pages of its site.
func (c *crawler) add(p page) {
	u, err := url.Parse(p.url)
	if err != nil {
		c.report(p.url, err.Error())
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.sites[u.Host]
	if q == nil {
		q = &queue{}
		c.sites[u.Host] = q
	}
	q.pages = append(q.pages, p)
	if !q.active {
		q.active = true
		heap.Push(&c.heap, q)
	}
	c.changed.Broadcast()
}

// run fetches all pages with a number of workers.
func (c *crawler) run(ctx context.Context, workers int) {
	var group sync.WaitGroup
	defer context.AfterFunc(ctx, c.changed.Broadcast)()
	for range workers {
		group.Go(func() {
			for q := c.next(ctx); q != nil; q = c.next(ctx) {
				c.visit(ctx, q)
			}
		})
	}
	group.Wait()
}

// next waits until it is the time of a site, and returns its queue. It returns nil if there is nothing
// left to do.
func (c *crawler) next(ctx context.Context) *queue {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ctx.Err() == nil && (len(c.heap) > 0 || c.busy > 0) {
		if len(c.heap) == 0 {
			c.changed.Wait() // a redirect may lead to a new page
			continue
		}
		if wait := time.Until(c.heap[0].at); wait > 0 {
			timer := time.AfterFunc(wait, c.changed.Broadcast)
			c.changed.Wait()
			timer.Stop()
			continue
		}
		q := heap.Pop(&c.heap).(*queue)
		c.busy++
		return q
	}
	return nil
}

// visit fetches the first page of a site, and says when to come again.
func (c *crawler) visit(ctx context.Context, q *queue) {
	c.mu.Lock()
	p := q.pages[0]
	q.pages = q.pages[1:]
	c.mu.Unlock()
	isDone, at := c.fetch(ctx, q, p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isDone {
		q.pages = append([]page{p}, q.pages...)
	}
	q.at, q.active = at, len(q.pages) > 0
	if q.active {
		heap.Push(&c.heap, q)
	}
	c.busy--
	c.changed.Broadcast()
}

// fetch fetches a page. If the page must be fetched again, isDone is false. The time at is when to send
// the next request to the site.
func (c *crawler) fetch(ctx context.Context, q *queue, p page) (isDone bool, at time.Time) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		c.report(p.url, err.Error())
		return true, time.Now()
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return c.failed(q, p, err)
	}
	resp.Body.Close()
	_, at, _ = c.cache.Peek(p.url)
	target, err := resp.Location()
	isBusy := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable
	switch {
	case err == nil && p.hops < maxHops:
		c.add(page{url: target.String(), hops: p.hops + 1})
	case isBusy && q.failed < maxTries:
		q.failed++
		return false, at // the Transport has paused the site
	default:
		c.report(p.url, resp.Status)
	}
	q.failed = 0
	return true, at
}

// failed is like fetch for a request that has failed.
func (c *crawler) failed(q *queue, p page, err error) (isDone bool, at time.Time) {
	if wait, ok := errors.AsType[*robotshttp.WaitError](err); ok {
		return false, wait.Until
	}
	refused, isRefused := errors.AsType[*robotshttp.DisallowedError](err)
	isFinal := isRefused && refused.Unwrap() == nil // else the robots.txt could not be read
	if isFinal || q.failed >= maxTries {
		c.report(p.url, site.Reason(err))
		return true, time.Now()
	}
	q.failed++
	if isRefused {
		return false, refused.Robots.Expires
	}
	return false, time.Now().Add(time.Minute << q.failed)
}
