package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/robotstxt-go/robotstxt"
)

// A Transport is an [http.RoundTripper] that sends a request only if the
// robots.txt of its site allows it. Each redirect that an http.Client follows is a
// request of its own, and is checked like the first. Requests for a /robots.txt
// itself are always sent.
//
// The first request to a site waits for its robots.txt, until its context ends. The
// site is told from the request's URL, whatever its Host field says.
//
// A Transport does not change requests, and so does not set their User-Agent
// header. That ought to have the same product token as the Cache's UserAgent (RFC
// 9309, section 2.2.1).
//
// A Transport is safe for concurrent use. Its fields must not be changed after
// first use.
type Transport struct {
	// Cache, which must not be nil, decides. Transports may share one.
	Cache *Cache

	// Base sends the requests; http.DefaultTransport does if it is nil.
	Base http.RoundTripper

	// MinDelay and MaxDelay, unless both are zero, make the Transport's requests
	// to one site wait for each other. Between the starts of two lies the
	// crawl-delay that its robots.txt asks of the crawler, but no more than
	// MaxDelay, and no less than MinDelay, which counts also if there is no
	// crawl-delay. So without a MaxDelay it is the MinDelay for all sites. A
	// request that would wait longer than its context lasts fails at once, with
	// context.DeadlineExceeded. Requests for a /robots.txt do not wait.
	MinDelay, MaxDelay time.Duration

	pacer pacer
}

// NewTransport returns a [Transport] for the crawler with the User-Agent. Base
// sends its requests and those for robots.txt files; if it is nil,
// [http.DefaultTransport] does.
func NewTransport(userAgent string, base http.RoundTripper) *Transport {
	client := &http.Client{Transport: base}
	return &Transport{Cache: &Cache{UserAgent: userAgent, Client: client}, Base: base}
}

// A DisallowedError is the error of a request that a [Transport] did not send,
// because the site's robots.txt does not allow it. An http.Client wraps it in a
// [url.Error]; errors.As finds it.
type DisallowedError struct {
	URL      string // without a password
	Decision robotstxt.Decision
}

// Error returns the decision as a sentence. Its wording may change.
func (e *DisallowedError) Error() string { return "robotshttp: " + e.Decision.String() }

// RoundTrip sends a request through Base if it may be sent. Otherwise it closes
// the request's body and returns a [*DisallowedError], or an error if the
// request's context ended first or its URL has no [robotstxt.Location].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.admit(req); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	return orDefault(t.Base).RoundTrip(req)
}

// CloseIdleConnections closes the idle connections of Base, if it can. It is what
// [http.Client.CloseIdleConnections] calls.
func (t *Transport) CloseIdleConnections() {
	if c, ok := orDefault(t.Base).(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// admit returns when a request may be sent, or why it may not.
func (t *Transport) admit(req *http.Request) error {
	if req.URL == nil {
		return errors.New("robotshttp: nil Request.URL")
	}
	url := requestURL(req.URL)
	if isFetch(req.Context()) || robotstxt.Covers(url, url) {
		return nil
	}
	for range 3 { // not for ever: a file that is never kept is never fresh
		group, err := t.check(req.Context(), url)
		if err != nil || t.MinDelay <= 0 && t.MaxDelay <= 0 {
			return err
		}
		if err := t.pacer.wait(req.Context(), url, t.delay(group)); err != nil {
			return err
		}
		if t.Cache.isFresh(url) {
			break
		}
		// The robots.txt has expired meanwhile. While it is fetched, the requests
		// behind this one catch up with it, so all of them queue again.
	}
	// The wait may have been so long that other rules apply by now.
	_, err := t.check(req.Context(), url)
	return err
}

// check returns the group that allows a URL, or an error.
func (t *Transport) check(ctx context.Context, url string) (*robotstxt.Group, error) {
	group, err := t.Cache.Group(ctx, url)
	if err != nil {
		return nil, err
	}
	if d := group.Decide(url); !d.Allowed {
		return nil, &DisallowedError{URL: url, Decision: d}
	}
	return group, nil
}

// delay returns the time to leave between two requests.
func (t *Transport) delay(group *robotstxt.Group) time.Duration {
	d, _ := group.CrawlDelay()
	return max(min(d, t.MaxDelay), t.MinDelay)
}

// requestURL returns the URL that a request asks for, without a password. That of
// an opaque one may lack the host.
func requestURL(u *url.URL) string {
	if strings.HasPrefix(u.Opaque, "/") && !strings.HasPrefix(u.Opaque, "//") {
		return u.Scheme + "://" + u.Host + u.RequestURI()
	}
	return u.Redacted()
}

// A pacer spaces requests to sites. The zero pacer is ready to use.
type pacer struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter // by Location
	sweep    int                      // the number of limiters to look for idle ones at
}

// wait returns when the next request to a URL's site may start, given the least
// time between two.
func (p *pacer) wait(ctx context.Context, url string, delay time.Duration) error {
	location, err := robotstxt.Location(url)
	if err != nil {
		return err
	}
	r := p.reserve(location, delay)
	d := r.Delay()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		r.Cancel()
		return fmt.Errorf("robotshttp: crawl-delay of %s: %w", location, context.DeadlineExceeded)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		r.Cancel()
		return ctx.Err()
	}
}

// reserve takes the next free place in the queue of a location.
func (p *pacer) reserve(location string, delay time.Duration) *rate.Reservation {
	p.mu.Lock()
	defer p.mu.Unlock()
	lim, ok := p.limiters[location]
	if !ok {
		p.dropIdle()
		lim = rate.NewLimiter(rate.Every(delay), 1)
		p.limiters[location] = lim
	}
	lim.SetLimit(rate.Every(delay))
	return lim.Reserve()
}

// dropIdle forgets the locations for which nobody would have to wait, whenever
// there are twice as many as it left the last time.
func (p *pacer) dropIdle() {
	if p.limiters == nil {
		p.limiters = make(map[string]*rate.Limiter)
	}
	if len(p.limiters) < p.sweep {
		return
	}
	for location, lim := range p.limiters {
		if lim.Tokens() >= 1 {
			delete(p.limiters, location)
		}
	}
	p.sweep = max(2*len(p.limiters), 100)
}
