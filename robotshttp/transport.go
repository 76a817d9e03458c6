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
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// A Transport is an [http.RoundTripper] that sends a request only if the site's robots.txt
// allows the request. It also checks each redirect that an http.Client follows. It removes the Location
// header of a redirect if no request could be sent there, because the URL has no [robotstxt.Location].
// Requests for a /robots.txt are always sent, and at once.
//
// The first request to a site waits until the site's robots.txt has been fetched, or until the
// request's context ends. The URL of the request says which site that is, whatever the
// request's field Host contains. If the URL's field Opaque contains a host, the host must be
// the same as in the URL's field Host; otherwise the request fails.
//
// If a request has no User-Agent header, the Transport sends a copy with the Cache's UserAgent.
// If a request's User-Agent has a product token (RFC 9309, section 2.2.1) other than the
// Cache's, the robots.txt must allow the request for both tokens.
//
// Requests wait for the crawl-delay of a site as [Cache.MinDelay] describes. The delay counts from
// when a request has been sent: while it connects, the next one waits. Transports with the same
// Cache share these delays. If a request would wait longer than its context lasts, it fails at once,
// with a [*WaitError].
//
// The Timeout of an [http.Client] includes this wait. If a request fails for that reason, the error of
// the client does not always wrap the WaitError. So set a Timeout that is longer than the Cache's
// MaxDelay, or none:
//
//	client := &http.Client{Transport: transport, Timeout: 2 * time.Minute}
//
// If a site answers a request with status 429 or 503, it is too busy. The program gets this response, and
// can send the request again, which then waits like any other. If the response has a Retry-After header,
// later requests to the site wait for the time in the header, but at most for the Cache's MaxDelay or a
// minute, whichever is longer. Google's crawlers obey Retry-After, too ("Reduce the Google crawl rate",
// October 6, 2026). If the header is missing, or its time is zero or past, later requests wait for 10
// seconds, and twice as long each time that the site is still too busy after that, up to five minutes.
// After the wait, requests start at slightly different times.
//
// If the Cache's Store is a [Lender], a whole fleet obeys all these delays.
//
// A Transport is safe for concurrent use. Do not change its fields after first use.
type Transport struct {
	// Cache decides which requests are sent. Several Transports may share a Cache. If Cache
	// is nil, every request fails.
	Cache *Cache

	// Base sends the requests. If it is nil, http.DefaultTransport sends them. If Base does not say
	// when it has sent a request (by calling the function WroteHeaders of package httptrace), a
	// delay counts from when Base has returned. If Base sends a request twice, because the first
	// connection broke, the delay counts from the first time.
	//
	// Base must not send another request to the same site through this Cache before it sends its own:
	// with a crawl-delay, each would wait for the other until the context ends.
	Base http.RoundTripper

	// MaxWait limits how long a request waits for its turn and for the robots.txt. A request that would
	// have to wait longer fails at once with a [*WaitError]. If MaxWait is zero, there is no limit but
	// the request's context. If it is negative, requests do not wait at all.
	//
	// MaxWait is for programs that keep their URLs in order of time: put the URL back until
	// WaitError.Until, or until Cache.OnReady names its site, and try again then. In a fleet, the failed
	// request has asked for the site, and keeps its place until a second after Until. So a process that never
	// waits gets the same share of a site as one that does. See also [Cache.Peek].
	//
	// All requests of the client share the turns of a site, so a request for a sitemap or a login can
	// fail with a WaitError, too: put it back like a page. MaxWait does not limit requests with which an
	// http.Client follows a redirect, because the client would have to start again with the first
	// request. So that these do not wait either, return http.ErrUseLastResponse in the client's
	// CheckRedirect, and treat the target as a new page.
	MaxWait time.Duration

	// OnDisallowed, if not nil, is called once for each request that the robots.txt does not
	// allow, including requests to unreachable sites. If it returns nil, the request fails
	// with the DisallowedError. If it returns ErrSend itself (not wrapped), the request is
	// sent anyway, after the site's crawl-delay. If it returns another error, the request
	// fails with that error. Use OnDisallowed to report disallowed requests without stopping
	// them, or to ask a person whether to send them.
	OnDisallowed func(*http.Request, *DisallowedError) error
}

// NewTransport returns a [Transport] for the crawler with the given User-Agent header. It delays
// requests only to sites whose robots.txt has a crawl-delay, and most have none: to all other sites, it
// sends as many requests at once as the program makes. To be polite to these sites, set
// Cache.MinDelay, or limit the requests at once with MaxConnsPerHost of an [http.Transport] as base.
//
// The Transport sends all requests through base, including those for robots.txt files. If base is
// nil, it uses [http.DefaultTransport].
func NewTransport(userAgent string, base http.RoundTripper) *Transport {
	if base == nil {
		base = http.DefaultTransport // now, because the result may become the http.DefaultTransport
	}
	client := &http.Client{Transport: base}
	return &Transport{Cache: &Cache{UserAgent: userAgent, Client: client}, Base: base}
}

// A DisallowedError means that a request was not sent, because the site's robots.txt does not
// allow the request or could not be read; [RetryAt] tells the two apart. An http.Client wraps this error
// in a [url.Error]; use errors.As to find it.
type DisallowedError struct {
	URL      string // without a user name or password
	Form     string // the form of URL that is disallowed; usually the URL itself (see robotstxt.Forms)
	Decision robotstxt.Decision

	// Robots is the Result on which the decision is based. If the site is unreachable,
	// Robots.Err is the reason, and Robots.Expires is the time of the next attempt.
	// Robots.Status is the status of the response, if there was one.
	Robots Result
}

// Error returns the URL, and the decision as a sentence. Its wording may change.
func (e *DisallowedError) Error() string {
	if e.Unwrap() == nil {
		url := e.URL
		if e.Form != "" && e.Form != url {
			url += ": a server can read it as " + e.Form
		}
		return "robotshttp: " + url + ": " + e.Decision.String()
	}
	return fmt.Sprintf("robotshttp: %s: Disallowed: %s could not be read (%s) and will not be tried again before %s.",
		e.URL, e.Robots.URL, strings.TrimPrefix(e.Robots.Err.Error(), "robotshttp: "), e.Robots.Expires.Format(time.RFC3339))
}

// Unwrap returns the error that made the site unreachable, or nil if there was none.
func (e *DisallowedError) Unwrap() error {
	if e.Decision.Reason != robotstxt.FileUnreachable {
		return nil
	}
	return e.Robots.Err
}

// RoundTrip sends a request through Base if the robots.txt allows the request. If not,
// RoundTrip closes the request's body and returns a [*DisallowedError]. If the request would have to wait
// too long, or its context ends first, the error is a [*WaitError]. RoundTrip also returns an error if the
// request's URL has no [robotstxt.Location].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	location, sent, err := t.wait(req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	req = t.withUserAgent(req)
	if sent != nil {
		defer sent() // if Base does not call WroteHeaders
		req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{WroteHeaders: sent}))
	}
	resp, err := fetch.LocationFilter{Base: cmp.Or(t.Base, http.DefaultTransport)}.RoundTrip(req)
	if err == nil && location != "" {
		t.Cache.slowDown(location, resp)
	}
	return resp, err
}

// wait waits until a request may be sent, or returns an error if the request must not be sent. The
// result location is the URL of the robots.txt that governs the request. If sent is not nil,
// RoundTrip must call it when the request has been sent. The Cache's own requests for a robots.txt
// do not wait; for these, location is empty.
func (t *Transport) wait(req *http.Request) (location string, sent func(), err error) {
	switch {
	case req.URL == nil:
		return "", nil, errors.New("robotshttp: nil Request.URL")
	case t.Cache == nil:
		return "", nil, errors.New("robotshttp: the Transport has no Cache")
	case fetch.IsFetch(req.Context()):
		return "", nil, nil
	}
	url, err := requestURL(req.URL)
	if err != nil {
		return "", nil, err
	}
	location, err = robotstxt.Location(url)
	if err != nil {
		return "", nil, err
	}
	r := &request{url: url, location: location}
	if t.MaxWait != 0 && req.Response == nil { // a request with a Response follows a redirect
		r.latest = time.Now().Add(max(t.MaxWait, 0))
	}
	if agent := req.UserAgent(); !strings.EqualFold(robotstxt.ProductToken(agent), robotstxt.ProductToken(t.Cache.UserAgent)) {
		r.agent = agent
	}
	if t.OnDisallowed != nil {
		r.onDisallowed = func(refused *DisallowedError) error { return t.OnDisallowed(req, refused) }
	}
	sent, err = t.Cache.wait(req.Context(), r)
	return location, sent, err
}

// withUserAgent returns the request or, if it has no User-Agent header, a copy with the
// Cache's UserAgent.
func (t *Transport) withUserAgent(req *http.Request) *http.Request {
	if _, ok := req.Header["User-Agent"]; ok || t.Cache.UserAgent == "" {
		return req
	}
	clone := req.WithContext(req.Context())
	clone.Header = make(http.Header, len(req.Header)+1)
	maps.Copy(clone.Header, req.Header)
	clone.Header.Set("User-Agent", t.Cache.UserAgent)
	return clone
}

// slowDown pauses a site after a response with status 429 or 503. The pause is the time in the
// Retry-After header, but at most MaxDelay or a minute, whichever is longer. If the header does not
// contain a wait, see sites.pauseBusy.
func (c *Cache) slowDown(location string, resp *http.Response) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		c.sites.hasRecovered(location)
		return
	}
	queue := c.sites.enter(location)
	defer c.sites.leave(location)
	d, ok := retryAfter(resp.Header, time.Now())
	if ok {
		d = min(d, max(c.maxDelay(), time.Minute))
	} else {
		d = c.sites.pauseBusy(location)
	}
	if d > 0 {
		queue.Pause(d)
	}
}

// CloseIdleConnections closes the idle connections of Base, if Base has a method for this.
// [http.Client.CloseIdleConnections] calls this method.
func (t *Transport) CloseIdleConnections() {
	if c, ok := cmp.Or(t.Base, http.DefaultTransport).(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
