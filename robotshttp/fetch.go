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

// maxRedirects is how many redirects are followed: RFC 9309, section 2.3.1.2,
// asks for at least five.
const maxRedirects = 5

// fetchTimeout limits a fetch if Cache.Timeout does not.
const fetchTimeout = 10 * time.Second

// An answer is a response to a request for a robots.txt, without its body.
type answer struct {
	Status int
	Header http.Header // only keptHeaders
	From   string      // the URL that gave it, after redirects
	Time   time.Time   // when it came

	notModified bool // it confirms the previous answer
}

// A fetched is the outcome of a fetch: an answer, with the body if there is a new file,
// or an error if there was no complete response.
type fetched struct {
	answer *answer
	body   []byte
	err    error
}

// keptHeaders are the headers that matter after the response has been read.
var keptHeaders = []string{
	"Age", "Cache-Control", "Date", "Etag", "Expires", "Last-Modified", "Retry-After",
}

// fetching is the context key that marks requests for robots.txt.
type fetching struct{}

// isFetch reports whether the context belongs to a request that the Cache makes for a
// robots.txt, redirects included.
func isFetch(ctx context.Context) bool { return ctx.Value(fetching{}) != nil }

// fetch asks for the robots.txt at a URL, and for its body only if it has changed since
// old, which may be nil. TreatAs may change what the outcome means.
func (c *Cache) fetch(ctx context.Context, robotsURL string, old *answer) fetched {
	ctx, cancel := context.WithTimeout(ctx, positive(c.Timeout, fetchTimeout))
	defer cancel()
	resp, err := c.follow(context.WithValue(ctx, fetching{}, true), robotsURL, old)
	var body []byte
	if err == nil {
		defer resp.Body.Close()
		if isSuccess(resp.StatusCode) {
			body, err = readResponse(resp)
		}
	}
	if err != nil {
		resp = nil // including one that broke off
	}
	status := 0
	if c.TreatAs != nil {
		status = c.TreatAs(withoutUser(robotsURL), resp, err)
	}
	if err != nil {
		if status != 0 && access(status) == robotstxt.FileUnavailable {
			return fetched{answer: &answer{Status: status, Time: time.Now()}}
		}
		return fetched{err: err}
	}
	a := newAnswer(resp)
	if resp.StatusCode == http.StatusNotModified && old.isAt(a.From) && (status == 0 || isSuccess(status)) {
		return fetched{answer: a.confirm(old)}
	}
	a.Status = cmp.Or(status, resp.StatusCode)
	switch {
	case !a.hasFile():
		body = nil
	case !isSuccess(resp.StatusCode):
		body, err = readResponse(resp)
	}
	return fetched{a, body, err}
}

// follow sends the request, follows redirects, and returns the last response. It is a
// redirect only if it cannot be followed or exceeds the limit.
func (c *Cache) follow(ctx context.Context, robotsURL string, old *answer) (*http.Response, error) {
	target, err := url.Parse(robotsURL)
	if err != nil {
		return nil, err
	}
	first := target.Scheme
	for hops := 0; ; hops++ {
		resp, err := c.send(ctx, target, old)
		if err != nil {
			return nil, err
		}
		next, ok := redirect(resp, first)
		if !ok || hops == maxRedirects {
			return resp, nil
		}
		resp.Body.Close()
		target = next
	}
}

// send sends one request, unless the target is vetoed.
func (c *Cache) send(ctx context.Context, target *url.URL, old *answer) (*http.Response, error) {
	if c.CheckTarget != nil {
		if err := c.CheckTarget(ctx, target); err != nil {
			return nil, fmt.Errorf("robotshttp: %s: %w", target.Redacted(), err)
		}
	}
	req, err := c.request(ctx, target.String(), old)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err == nil {
		resp.Request = req // not every RoundTripper does so
	}
	return resp, err
}

// request returns a request for the robots.txt at a URL, a conditional one if old
// came from there.
func (c *Cache) request(ctx context.Context, url string, old *answer) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	setIfPresent(req.Header, "User-Agent", c.UserAgent)
	if old.isAt(url) {
		setIfPresent(req.Header, "If-None-Match", old.Header.Get("Etag"))
		setIfPresent(req.Header, "If-Modified-Since", old.Header.Get("Last-Modified"))
	}
	return req, nil
}

// setIfPresent sets a header, unless the value is empty or cannot be sent: a server, or
// a Store, may have given us any bytes.
func setIfPresent(h http.Header, key, value string) {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }
	if value != "" && !strings.ContainsFunc(value, isControl) {
		h.Set(key, value)
	}
}

// redirect returns the target of a redirect, if a robots.txt can be there: the target
// must have a host, and its scheme must be http, https or the one of the first request.
func redirect(resp *http.Response, first string) (target *url.URL, ok bool) {
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
	return target, target.Scheme == first || target.Scheme == "http" || target.Scheme == "https"
}

// escapeQuery escapes octets that are not allowed in a query. Some servers put them
// into Location headers, and browsers escape them like this.
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
			h.Add(key, strings.Clone(value)) // it may share memory with all other headers
		}
	}
	from := *resp.Request.URL
	from.User = nil
	return &answer{Status: resp.StatusCode, Header: h, From: from.String(), Time: time.Now()}
}

// confirm turns a "304 Not Modified" into the answer that it confirms: the old one
// with the new headers (RFC 9111, section 4.3.4).
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

// isAt reports whether a is a file from the URL that has an ETag or Last-Modified
// header, so that a request can be conditional.
func (a *answer) isAt(url string) bool {
	return a != nil && a.From == url && a.hasFile() &&
		a.Header.Get("Etag")+a.Header.Get("Last-Modified") != ""
}

// hasFile reports whether the response has a file in its body.
func (a *answer) hasFile() bool { return isSuccess(a.Status) }

// withoutRedirects returns a copy of a client, or of the default one, that does not
// follow redirects.
func withoutRedirects(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Transport = locationFilter{cmp.Or(c.Transport, http.DefaultTransport)}
	return &c
}

// A locationFilter removes Location headers that are not URLs. If a response has one,
// an http.Client returns only an untyped error and not the response.
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
