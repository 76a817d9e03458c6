// Command scheduler crawls many sites with a few workers. No goroutine waits for a site: the sites are
// in a heap, in order of the time of their next request. One goroutine owns the heap, and hands each site to
// a worker when its time has come, or earlier if the Cache says that the site is ready.
package main

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt"
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
	place  int       // in the heap; -1 if it is not there
	busy   bool      // a worker has the first page
	ready  bool      // the site became ready meanwhile
}

// A byTime is a heap of queues.
type byTime []*queue

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h byTime) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}
func (h *byTime) Push(x any) {
	x.(*queue).place = len(*h)
	*h = append(*h, x.(*queue))
}
func (h *byTime) Pop() any {
	last := (*h)[len(*h)-1]
	last.place = -1
	*h = (*h)[:len(*h)-1]
	return last
}

// A crawler crawls pages. The fields sites and heap belong to the goroutine that calls add and run.
type crawler struct {
	client *http.Client
	cache  *robotshttp.Cache
	report func(url, outcome string) // is called once for each page

	sites map[string]*queue // the keys are the locations of the robots.txt files
	heap  byTime
	ready chan string // receives the locations of sites for which a request need not wait longer
}

// newCrawler returns a crawler whose requests fail instead of waiting.
func newCrawler(transport *robotshttp.Transport, report func(url, outcome string)) *crawler {
	c := &crawler{cache: transport.Cache, report: report, sites: make(map[string]*queue), ready: make(chan string)}
	transport.MaxWait = -1
	c.client = &http.Client{
		Transport: transport,
		// A redirect is a new page, which waits for its own site.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// add adds a page to the pages of its site.
func (c *crawler) add(p page) {
	location, err := robotstxt.Location(p.url)
	if err != nil {
		c.report(p.url, err.Error())
		return
	}
	q := c.sites[location]
	if q == nil {
		q = &queue{place: -1}
		c.sites[location] = q
	}
	q.pages = append(q.pages, p)
	c.park(q)
}

// park puts a site into the heap, unless it is there, a worker has it, or it has no pages.
func (c *crawler) park(q *queue) {
	if q.place < 0 && !q.busy && len(q.pages) > 0 {
		heap.Push(&c.heap, q)
	}
}

// run fetches all pages with a number of workers.
func (c *crawler) run(ctx context.Context, workers int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.cache.OnReady = func(location string) {
		select {
		case c.ready <- location:
		case <-ctx.Done():
		}
	}
	due, done := make(chan visit), make(chan visit)
	for range workers {
		go func() {
			for v := range due {
				done <- c.fetch(ctx, v)
			}
		}()
	}
	defer close(due)
	busy := 0 // number of workers that have a page
	timer := time.NewTimer(0)
	stop := ctx.Done()
	for busy > 0 || len(c.heap) > 0 && ctx.Err() == nil {
		var next visit
		var free chan<- visit // nil unless it is the time of the first site
		if len(c.heap) > 0 && ctx.Err() == nil {
			first := c.heap[0]
			if wait := time.Until(first.at); wait > 0 {
				timer.Reset(wait)
			} else {
				next = visit{queue: first, page: first.pages[0], tries: first.failed}
				free = due
			}
		}
		select {
		case free <- next:
			heap.Pop(&c.heap)
			next.queue.busy, next.queue.ready = true, false
			busy++
		case v := <-done:
			busy--
			c.finish(v)
		case location := <-c.ready:
			c.wake(c.sites[location])
		case <-timer.C:
		case <-stop:
			stop = nil // wait for the workers
		}
	}
}

// wake makes it the time of a site.
func (c *crawler) wake(q *queue) {
	switch {
	case q == nil: // another program uses the Cache, too
	case q.busy:
		q.ready = true
	case q.place >= 0:
		q.at = time.Now()
		heap.Fix(&c.heap, q.place)
	}
}

// A visit is an attempt to fetch the first page of a site.
type visit struct {
	queue *queue
	page  page
	tries int // number of attempts that have failed before

	// What came of it.
	early  bool      // the request was not sent, because it would have had to wait
	failed bool      // another attempt may succeed
	text   string    // what to report, if the page is not fetched again
	target string    // where the page redirects to, or empty
	at     time.Time // when to send the next request to the site
}

// finish takes back a site from a worker.
func (c *crawler) finish(v visit) {
	q := v.queue
	q.at, q.busy = v.at, false
	defer c.park(q)
	switch {
	case v.early && q.ready:
		q.at = time.Now()
	case v.early:
	case v.failed && q.failed < maxTries:
		q.failed++
	default:
		q.pages = q.pages[1:]
		if v.failed {
			q.at = time.Now() // give each of the other pages one attempt
		} else {
			q.failed = 0
		}
		if v.target != "" && v.page.hops < maxHops {
			c.add(page{url: v.target, hops: v.page.hops + 1})
		} else {
			c.report(v.page.url, v.text)
		}
	}
}

// fetch makes a visit, and returns it with what came of it.
func (c *crawler) fetch(ctx context.Context, v visit) visit {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.page.url, nil)
	if err != nil {
		v.text = err.Error()
		return v
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return v.withError(err)
	}
	resp.Body.Close()
	v.text = resp.Status
	v.at = c.cache.Peek(v.page.url).Next
	switch target, err := resp.Location(); {
	case err == nil:
		v.target = target.String()
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusServiceUnavailable:
		v.failed = true // the Transport has paused the site
	}
	return v
}

// withError returns a visit to which there was no response.
func (v visit) withError(err error) visit {
	v.text = site.Reason(err)
	_, isDisallowed := errors.AsType[*robotshttp.DisallowedError](err)
	at, canRetry := robotshttp.RetryAt(err)
	switch {
	case canRetry && isDisallowed: // the robots.txt could not be read
		v.failed, v.at = true, at
	case canRetry:
		v.early, v.at = true, at
	case !isDisallowed: // the server did not answer
		v.failed, v.at = true, time.Now().Add(time.Minute<<v.tries)
	}
	return v
}
