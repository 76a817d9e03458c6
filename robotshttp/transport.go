package robotshttp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// A Transport is an [http.RoundTripper] that sends a request only if the
// robots.txt of its site allows it. Each redirect that an http.Client follows is a
// request too, and is checked like the first. Requests for a /robots.txt are always
// sent.
//
// The first request to a site waits for its robots.txt, until its context ends. The
// site is the one in the request's URL, whatever its Host field says. An opaque URL
// that names another host than the one it would be sent to is an error.
//
// A request without a User-Agent header is sent with the Cache's UserAgent, on a
// copy. If a request has one, it should have the same product token (RFC 9309, section
// 2.2.1).
//
// A Transport is safe for concurrent use. Its fields must not be changed after first
// use.
type Transport struct {
	// Cache decides. Transports may share one. Without a Cache, every request
	// fails.
	Cache *Cache

	// Base sends the requests; http.DefaultTransport does if it is nil.
	Base http.RoundTripper

	// MinDelay and MaxDelay bound the time between the starts of two requests to
	// one site. Within them it is the crawl-delay that the site's robots.txt asks
	// of the crawler; a site that asks for none gets the MinDelay. If MaxDelay is
	// less than MinDelay, as when it is zero, all sites get the MinDelay. By
	// default both are zero, and no request waits for a crawl-delay.
	//
	// All Transports of a Cache keep one pace for each site, and all caches of a
	// fleet if their Store is a Pacer. A request that would wait longer than its
	// context lasts fails at once, with context.DeadlineExceeded. Requests for a
	// /robots.txt do not wait.
	//
	// If a site answers a request with status 429 or 503 and a Retry-After header,
	// later requests wait for the time that it asks for, but at most for MaxDelay,
	// or for a minute if that is longer. This holds even if both delays are zero.
	MinDelay, MaxDelay time.Duration
}

// NewTransport returns a [Transport] for the crawler with the User-Agent. Base
// sends its requests and those for robots.txt files; if it is nil,
// [http.DefaultTransport] does.
func NewTransport(userAgent string, base http.RoundTripper) *Transport {
	client := &http.Client{Transport: base}
	return &Transport{Cache: &Cache{UserAgent: userAgent, Client: client}, Base: base}
}

// A DisallowedError is the error of a request that a [Transport] did not send,
// because the site's robots.txt does not allow it or could not be read. An
// http.Client wraps it in a [url.Error]; errors.As finds it.
type DisallowedError struct {
	URL      string // without user information
	Decision robotstxt.Decision

	// Robots is what the decision rests on. If the site is unreachable, its Err
	// says why, its Status what the server answered, if it did, and its Expires
	// when the server will be asked again.
	Robots Result
}

// Error returns the decision as a sentence. Its wording may change.
func (e *DisallowedError) Error() string {
	if e.Unwrap() == nil {
		return "robotshttp: " + e.Decision.String()
	}
	return fmt.Sprintf("robotshttp: Disallowed: %s could not be read (%s) and will not be tried again before %s.",
		e.Robots.URL, strings.TrimPrefix(e.Robots.Err.Error(), "robotshttp: "), e.Robots.Expires.Format(time.RFC3339))
}

// Unwrap returns why the site is unreachable. It returns nil if a rule decided.
func (e *DisallowedError) Unwrap() error {
	if e.Decision.Reason != robotstxt.FileUnreachable {
		return nil
	}
	return e.Robots.Err
}

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
	resp, err := orDefault(t.Base).RoundTrip(t.signed(req))
	if err == nil && !isFetch(req.Context()) {
		t.slowDown(req, resp)
	}
	return resp, err
}

// signed returns the request with the Cache's User-Agent, if it has none.
func (t *Transport) signed(req *http.Request) *http.Request {
	if _, ok := req.Header["User-Agent"]; ok || t.Cache.UserAgent == "" {
		return req
	}
	clone := req.WithContext(req.Context())
	clone.Header = make(http.Header, len(req.Header)+1)
	maps.Copy(clone.Header, req.Header)
	clone.Header.Set("User-Agent", t.Cache.UserAgent)
	return clone
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
	if t.Cache == nil {
		return errors.New("robotshttp: Transport without a Cache")
	}
	if isFetch(req.Context()) {
		return nil
	}
	url, err := requestURL(req.URL)
	if err != nil {
		return err
	}
	if robotstxt.Covers(url, url) {
		return nil
	}
	location, err := robotstxt.Location(url)
	if err != nil {
		return err
	}
	for range 3 { // not for ever: a file that is never kept is never fresh
		group, err := t.check(req.Context(), url, location)
		if err != nil {
			return err
		}
		waited, err := t.Cache.turn(req.Context(), location, t.delay(group))
		if err != nil || !waited {
			return err
		}
		if _, ok := t.Cache.lookup(req.Context(), location); ok {
			break
		}
		// The robots.txt has expired meanwhile. While it is fetched, the requests
		// behind this one catch up with it, so all of them queue again.
	}
	// The wait may have been so long that other rules apply by now.
	_, err = t.check(req.Context(), url, location)
	return err
}

// check returns the group that allows a URL, or an error.
func (t *Transport) check(ctx context.Context, url, location string) (*robotstxt.Group, error) {
	r, err := t.Cache.get(ctx, location)
	if err != nil {
		return nil, err
	}
	group := t.Cache.groupOf(r)
	if d := group.Decide(url); !d.Allowed {
		return nil, &DisallowedError{URL: url, Decision: d, Robots: r}
	}
	return group, nil
}

// slowDown makes the requests to a site wait if a response says so.
func (t *Transport) slowDown(req *http.Request, resp *http.Response) {
	url, err := requestURL(req.URL)
	if err != nil {
		return
	}
	if location, err := robotstxt.Location(url); err == nil {
		t.Cache.slowDown(req.Context(), location, resp, max(t.MaxDelay, time.Minute))
	}
}

// delay returns the time to leave between two requests.
func (t *Transport) delay(group *robotstxt.Group) time.Duration {
	d, _ := group.CrawlDelay()
	return max(min(d, t.MaxDelay), t.MinDelay)
}
