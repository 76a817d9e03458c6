package robotshttp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// maxRedirects is the largest number of redirects to follow. RFC 9309, section 2.3.1.2,
// requires at least five.
const maxRedirects = 5

// fetchTimeout is the default of Cache.Timeout.
const fetchTimeout = 10 * time.Second

// An answer is a server's response to a request for a robots.txt. It does not contain the
// body.
type answer struct {
	Status int
	Header http.Header // only the headers in keptHeaders
	From   string      // the URL of the response, after redirects
	Time   time.Time   // when the response arrived

	notModified bool // the response was a 304, so the previous file is still valid
}

// A fetchResult is the result of fetch. If err is not nil, the fetch failed, and the other fields
// mean nothing. The body is nil if the site has no file, or if the server confirms that the previous
// file is still valid.
type fetchResult struct {
	answer *answer
	body   []byte
	err    error
}

// A localError is an error of CheckTarget or a panic. It says nothing about the site.
type localError struct{ error }

func (e localError) Unwrap() error { return e.error }

// keptHeaders are the headers that the Cache needs after it has read the response.
var keptHeaders = []string{
	"Age", "Cache-Control", "Date", "Etag", "Expires", "Last-Modified", "Retry-After",
}

// fetching is the context key that marks a Cache's requests for robots.txt files.
type fetching struct{}

// isFetch reports whether the context belongs to a Cache's request for a robots.txt.
func isFetch(ctx context.Context) bool { return ctx.Value(fetching{}) != nil }

// fetch fetches the robots.txt at a URL. The parameter old is the previous answer, or nil. With
// a previous answer, the request can be conditional, so that the server sends the file again
// only if the file has changed. If OverrideStatus returns a status, fetch uses this status instead
// of the response's status. After an error, fetch uses the status from OverrideStatus only if that
// status means that there is no file; otherwise fetch returns the error.
func (c *Cache) fetch(ctx context.Context, robotsURL string, old *answer) fetchResult {
	ctx, cancel := context.WithTimeout(ctx, positive(c.Timeout, fetchTimeout))
	defer cancel()
	resp, err := c.follow(ctx, robotsURL, old)
	var body []byte
	if err == nil {
		defer resp.Body.Close()
		if isSuccess(resp.StatusCode) {
			body, err = readResponse(resp)
		}
	}
	if err != nil {
		resp = nil // OverrideStatus must not see an incomplete response
	}
	status := 0
	if c.OverrideStatus != nil {
		status = c.OverrideStatus(withoutUser(robotsURL), resp, err)
	}
	if err != nil {
		if status != 0 && access(status) == robotstxt.FileUnavailable {
			return fetchResult{answer: &answer{Status: status, Time: time.Now()}}
		}
		return fetchResult{err: err}
	}
	a := newAnswer(resp)
	if resp.StatusCode == http.StatusNotModified && old.canRevalidate(a.From) && (status == 0 || isSuccess(status)) {
		return fetchResult{answer: a.confirm(old)}
	}
	a.Status = cmp.Or(status, resp.StatusCode)
	switch {
	case !a.hasFile():
		body = nil
	case !isSuccess(resp.StatusCode):
		body, err = readResponse(resp)
	}
	return fetchResult{a, body, err}
}

// follow requests a URL, follows at most maxRedirects redirects, and returns the last response.
// The last response is itself a redirect if there are too many redirects, or if its target is
// invalid.
func (c *Cache) follow(ctx context.Context, robotsURL string, old *answer) (*http.Response, error) {
	target, err := url.Parse(robotsURL)
	if err != nil {
		return nil, err
	}
	firstScheme := target.Scheme
	for hops := 0; ; hops++ {
		resp, err := c.send(ctx, target, old)
		if err != nil {
			return nil, err
		}
		next, ok := redirect(resp, firstScheme)
		if !ok || hops == maxRedirects {
			return resp, nil
		}
		resp.Body.Close()
		target = next
	}
}

// send sends one request, unless CheckTarget returns an error.
func (c *Cache) send(ctx context.Context, target *url.URL, old *answer) (*http.Response, error) {
	if c.CheckTarget != nil {
		if err := c.CheckTarget(ctx, target); err != nil {
			return nil, localError{fmt.Errorf("robotshttp: %s: %w", target.Redacted(), err)}
		}
	}
	req, err := c.request(ctx, target.String(), old)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err == nil {
		resp.Request = req // some RoundTrippers do not set resp.Request
	}
	return resp, err
}

// request returns a request for the robots.txt at a URL. If the old answer can be revalidated,
// the request is conditional, so the server need not send the file again if it has not changed.
func (c *Cache) request(ctx context.Context, url string, old *answer) (*http.Request, error) {
	req, err := http.NewRequestWithContext(context.WithValue(ctx, fetching{}, true), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	setIfPresent(req.Header, "User-Agent", c.UserAgent)
	if old.canRevalidate(url) {
		setIfPresent(req.Header, "If-None-Match", old.Header.Get("Etag"))
		setIfPresent(req.Header, "If-Modified-Since", old.Header.Get("Last-Modified"))
	}
	return req, nil
}

// setIfPresent sets a header, unless the value is empty or contains control characters. Such
// characters would make the request fail, and they can come from a server or a Store.
func setIfPresent(h http.Header, key, value string) {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }
	if value != "" && !strings.ContainsFunc(value, isControl) {
		h.Set(key, value)
	}
}

// redirect returns the target of a redirect, and true if the Cache should follow the redirect. The
// target must be a URL with a host, and its scheme must be http, https, or the scheme of the
// first request. If resp is not a redirect, ok is false.
func redirect(resp *http.Response, firstScheme string) (target *url.URL, ok bool) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	target, err := resp.Location()
	if err != nil {
		return nil, false
	}
	if _, err := robotstxt.Location(target.String()); err != nil {
		return nil, false
	}
	target.User, target.Fragment, target.RawFragment = nil, "", ""
	target.RawQuery = escapeQuery(target.RawQuery)
	return target, target.Scheme == firstScheme || target.Scheme == "http" || target.Scheme == "https"
}

// escapeQuery escapes bytes that are not allowed in a query, as browsers do. Some servers
// send such bytes in Location headers.
func escapeQuery(query string) string {
	var b strings.Builder
	for _, c := range []byte(query) {
		if c <= ' ' || c >= 0x7F {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func newAnswer(resp *http.Response) *answer {
	h := make(http.Header)
	for _, key := range keptHeaders {
		for _, value := range resp.Header.Values(key) {
			h.Add(key, strings.Clone(value)) // without a copy, the value could keep the memory of all headers in use
		}
	}
	from := *resp.Request.URL
	from.User = nil
	return &answer{Status: resp.StatusCode, Header: h, From: from.String(), Time: time.Now()}
}

// confirm completes the answer for a "304 Not Modified" response. The answer gets the status of
// the old answer, and those caching headers of the old answer that the response lacks (RFC 9111,
// section 4.3.4).
func (a *answer) confirm(old *answer) *answer {
	for _, key := range []string{"Cache-Control", "Etag", "Expires", "Last-Modified"} {
		if _, ok := a.Header[key]; !ok && old.Header[key] != nil {
			a.Header[key] = old.Header[key]
		}
	}
	a.Status = old.Status
	a.notModified = true
	return a
}

// canRevalidate reports whether the next request to a URL can be conditional. For that, the
// answer a must be a robots.txt file from the same URL, with an ETag or Last-Modified header.
func (a *answer) canRevalidate(url string) bool {
	return a != nil && a.From == url && a.hasFile() &&
		a.Header.Get("Etag")+a.Header.Get("Last-Modified") != ""
}

// hasFile reports whether the body of the response is a robots.txt file.
func (a *answer) hasFile() bool { return isSuccess(a.Status) }

// withoutRedirects returns a copy of client that does not follow redirects. If client is
// nil, it copies http.DefaultClient.
func withoutRedirects(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Transport = locationFilter{cmp.Or(c.Transport, http.DefaultTransport)}
	return &c
}

// A locationFilter removes Location headers that are not URLs. Because of such a header, an
// http.Client would return an error instead of the response.
type locationFilter struct{ base http.RoundTripper }

func (f locationFilter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f.base.RoundTrip(req)
	if err == nil {
		if _, err := req.URL.Parse(resp.Header.Get("Location")); err != nil {
			resp.Header.Del("Location")
		}
	}
	return resp, err
}
