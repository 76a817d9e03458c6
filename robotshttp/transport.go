package robotshttp

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// A Transport is an [http.RoundTripper] that sends a request only if the
// robots.txt of its site allows it. Each redirect that an http.Client follows is a
// request too, and is checked like the first. Requests for a /robots.txt are always
// sent.
//
// The first request to a site waits for its robots.txt, until its context ends. The site
// is the one in the request's URL, whatever its Host field says. An opaque URL is an
// error if it names a host other than the one that the request would be sent to.
//
// A request without a User-Agent header is sent with the Cache's UserAgent, on a copy. If
// a request has one with another product token (RFC 9309, section 2.2.1), it is sent only
// if the robots.txt allows it for both tokens.
//
// The Transports of a Cache keep one pace for each site, see [Cache.MinDelay]. A request
// that would wait longer than its context lasts fails at once, with a [*WaitError].
// Requests for a /robots.txt do not wait.
//
// If a site answers a request with status 429 or 503 and a Retry-After header, later
// requests wait for that time, but at most for the Cache's MaxDelay or a minute,
// whichever is longer, and then do not all start at once. Google documents since October
// 6, 2026 that its crawlers heed Retry-After, too ("Reduce the Google crawl rate"). If
// the Cache's Store is a [Pacer], all this applies to the whole fleet.
//
// A Transport is safe for concurrent use. Its fields must not be changed after first
// use.
type Transport struct {
	// Cache decides. Transports may share one. Without a Cache, every request
	// fails.
	Cache *Cache

	// Base sends the requests. If it is nil, http.DefaultTransport does.
	Base http.RoundTripper

	// OnDisallowed, if not nil, is called once for each request that the robots.txt does
	// not allow, including those to sites that are unreachable. If it returns ErrSend,
	// and nothing else, the request is sent anyway, at the site's pace. Any other error
	// becomes the error of the request; nil means the DisallowedError. A crawler can use
	// this to report violations instead of obeying, or to let a person decide about a
	// site.
	OnDisallowed func(*http.Request, *DisallowedError) error
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

	// Robots is the Result that the decision is based on. If the site is unreachable, its
	// Err says why, its Status what the server answered, if it did, and its Expires when
	// the server will be asked again.
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
	location, sent, err := t.admit(req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	req = t.signed(req)
	if sent != nil {
		req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{WroteHeaders: sent}))
	}
	resp, err := cmp.Or(t.Base, http.DefaultTransport).RoundTrip(req)
	if err == nil && location != "" {
		t.Cache.slowDown(req.Context(), location, resp)
	}
	return resp, err
}

// signed returns the request or, if it has no User-Agent, a copy with the Cache's.
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
	if c, ok := cmp.Or(t.Base, http.DefaultTransport).(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// admit waits until a request may be sent, or returns an error if it may not. The
// location is empty if the request is for a robots.txt that the Cache fetches.
func (t *Transport) admit(req *http.Request) (location string, sent func(), err error) {
	switch {
	case req.URL == nil:
		return "", nil, errors.New("robotshttp: nil Request.URL")
	case t.Cache == nil:
		return "", nil, errors.New("robotshttp: Transport without a Cache")
	case isFetch(req.Context()):
		return "", nil, nil
	}
	url, err := requestURL(req.URL)
	if err == nil {
		location, err = robotstxt.Location(url)
	}
	if err != nil {
		return "", nil, err
	}
	agent := req.UserAgent()
	if strings.EqualFold(robotstxt.ProductToken(agent), robotstxt.ProductToken(t.Cache.UserAgent)) {
		agent = ""
	}
	var appeal func(*DisallowedError) error
	if t.OnDisallowed != nil {
		appeal = func(refused *DisallowedError) error { return t.OnDisallowed(req, refused) }
	}
	sent, err = t.Cache.admit(req.Context(), url, location, agent, appeal)
	return location, sent, err
}
