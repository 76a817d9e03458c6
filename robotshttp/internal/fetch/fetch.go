// Package fetch gets the robots.txt of a site from its server. It has one operation: from a URL and
// the last response, [Fetcher.Fetch] makes the next response or an error. It does not know how long a
// response may be used, what a failure means, or where files are kept.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/guard"
)

// maxRedirects is the largest number of redirects to follow. RFC 9309, section 2.3.1.2,
// requires at least five.
const maxRedirects = 5

// A Fetcher fetches robots.txt files. Do not change it after first use; it is then safe for
// concurrent use. The fields are those of a robotshttp.Cache with the same names.
type Fetcher struct {
	Client         *http.Client // must not follow redirects; see WithoutRedirects
	UserAgent      string
	Timeout        time.Duration // limits each fetch; must be positive
	CheckTarget    func(ctx context.Context, target *url.URL) error
	OverrideStatus func(robotsURL string, resp *http.Response, err error) (status int)
	Logger         func() *slog.Logger // receives panics of the functions above
}

// A Response is what is kept of a server's response to a request for a robots.txt, except the body.
type Response struct {
	Status int
	Header http.Header // only headers that can still be used; see keptHeaders
	From   string      // the URL of the response, after redirects
	Time   time.Time   // when the response arrived
}

// A Result is the result of a fetch. If Err is not nil, the fetch failed, and the other fields are
// zero.
type Result struct {
	Response    *Response
	NotModified bool        // the server confirms the old file; Response.Status is the old status
	Body        []byte      // nil if the site has no file, or if NotModified is true
	Header      http.Header // all headers of the last response; nil if there was no complete one
	Err         error
}

// A LocalError is an error of CheckTarget or a panic. It says nothing about the site.
type LocalError struct{ error }

func (e LocalError) Unwrap() error { return e.error }

// maxHeader is the largest size of a header that is kept, in bytes. A longer validator would make
// many servers refuse the next request.
const maxHeader = 1 << 10

// fetching is the context key that marks a Fetcher's requests.
type fetching struct{}

// IsFetch reports whether the context belongs to a request of a Fetcher.
func IsFetch(ctx context.Context) bool { return ctx.Value(fetching{}) != nil }

// Fetch fetches the robots.txt at a URL. The parameter old is the last response, or nil. With an old
// response, the request can be conditional, so that the server sends the file again only if the file
// has changed. If the server refuses the condition, Fetch asks once more without it.
//
// If OverrideStatus returns a status, Fetch uses this status instead of the response's status. After an
// error, Fetch uses the status from OverrideStatus only if that status means that there is no file;
// otherwise Fetch returns the error.
func (f *Fetcher) Fetch(ctx context.Context, robotsURL string, old *Response) (r Result) {
	if err := guard.Call(ctx, f.Logger, func() { r = f.fetch(ctx, robotsURL, old) }); err != nil {
		return Result{Err: LocalError{err}}
	}
	return r
}

func (f *Fetcher) fetch(ctx context.Context, robotsURL string, old *Response) Result {
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	resp, err := f.follow(ctx, robotsURL, old)
	isRepeated := err == nil && isConditional(resp.Request) && (refusesCondition(resp.StatusCode) || confirmsOther(resp, old))
	if isRepeated { // without the condition
		resp.Body.Close()
		resp, err = f.follow(ctx, robotsURL, nil)
	}
	var body []byte
	if err == nil {
		defer resp.Body.Close()
		if IsSuccess(resp.StatusCode) {
			body, err = ReadBody(resp)
		}
	}
	if err != nil {
		resp = nil // OverrideStatus must not see an incomplete response
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("robotshttp: no complete response within %v: %w", f.Timeout, err)
		}
	}
	status := 0
	if f.OverrideStatus != nil {
		status = f.OverrideStatus(WithoutUser(robotsURL), resp, err)
	}
	if err != nil {
		if status != 0 && FileFor(status, nil).Access() == robotstxt.FileUnavailable {
			return Result{Response: &Response{Status: status, Time: time.Now()}}
		}
		return Result{Err: err}
	}
	kept := &Response{Status: cmp.Or(status, resp.StatusCode), From: resp.Request.URL.String(), Time: time.Now()}
	if resp.StatusCode == http.StatusNotModified && isConditional(resp.Request) && (status == 0 || IsSuccess(status)) {
		kept.Status = old.Status
		kept.Header = confirmed(resp.Header, old.Header)
		return Result{Response: kept, NotModified: true, Header: resp.Header}
	}
	kept.Header = keptHeaders(resp.Header, kept.Status)
	if isRepeated { // the server does not understand these validators
		kept.Header.Del("Etag")
		kept.Header.Del("Last-Modified")
	}
	switch {
	case !kept.HasFile(): // perhaps because OverrideStatus says so
		return Result{Response: kept, Header: resp.Header}
	case !IsSuccess(resp.StatusCode): // OverrideStatus says that the body is a file, and it has not been read
		body, err = ReadBody(resp)
	}
	if err != nil {
		return Result{Err: err}
	}
	return Result{Response: kept, Body: body, Header: resp.Header}
}

func isConditional(req *http.Request) bool {
	return req.Header.Get("If-None-Match") != "" || req.Header.Get("If-Modified-Since") != ""
}

// refusesCondition reports whether a response with a status says nothing about the file, because the
// server, or a firewall before it, has refused the request for its condition. RFC 9110, section 13.1.2,
// allows only 304 and the file as answers to such a GET request. The statuses 404, 410, 429 and 451 do not
// depend on the condition.
func refusesCondition(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusGone, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons:
		return false
	}
	return status >= 400 && status < 500
}

// confirmsOther reports whether a response confirms another version of the file than the old one, because
// its ETag differs (RFC 9111, section 4.3.4). Some servers compare only dates, whose resolution is a second.
func confirmsOther(resp *http.Response, old *Response) bool {
	its, ours := resp.Header.Get("Etag"), old.Header.Get("Etag")
	return resp.StatusCode == http.StatusNotModified && its != "" && ours != "" &&
		strings.TrimPrefix(its, "W/") != strings.TrimPrefix(ours, "W/")
}

// follow requests a URL, follows at most maxRedirects redirects, and returns the last response.
// The last response is itself a redirect if there are too many redirects, or if its target is
// invalid.
func (f *Fetcher) follow(ctx context.Context, robotsURL string, old *Response) (*http.Response, error) {
	target, user, err := parse(robotsURL)
	if err != nil {
		return nil, err
	}
	firstScheme := target.Scheme
	for hops := 0; ; hops++ {
		resp, err := f.send(ctx, target, user, old)
		if err != nil {
			return nil, err
		}
		next, ok := redirect(resp, firstScheme)
		if !ok || hops == maxRedirects {
			return resp, nil
		}
		resp.Body.Close()
		target, user = next, nil
	}
}

// parse parses a URL. The user name and the password in the URL are a separate result, so that they
// cannot get into an error. The host is in the form that is dialed.
func parse(robotsURL string) (target *url.URL, user *url.Userinfo, err error) {
	target, err = url.Parse(robotsURL)
	if err != nil {
		reason := errors.Unwrap(err) // err contains the whole URL
		return nil, nil, fmt.Errorf("robotshttp: %s: %w", WithoutUser(robotsURL), reason)
	}
	user, target.User = target.User, nil
	return target, user, normalizeHost(target)
}

// normalizeHost changes the host of a URL to its normal form, as in robotstxt.Location: "LOCALHOST."
// becomes "localhost".
func normalizeHost(u *url.URL) error {
	location, err := robotstxt.Location(u.String())
	if err != nil {
		return err
	}
	normal, err := url.Parse(location)
	if err != nil {
		return err
	}
	u.Host = normal.Host
	return nil
}

// send sends one request, unless CheckTarget returns an error.
func (f *Fetcher) send(ctx context.Context, target *url.URL, user *url.Userinfo, old *Response) (*http.Response, error) {
	if f.CheckTarget != nil {
		if err := f.CheckTarget(ctx, target); err != nil {
			return nil, LocalError{fmt.Errorf("robotshttp: %s: %w", target, err)}
		}
	}
	req, err := f.request(ctx, target.String(), old)
	if err != nil {
		return nil, err
	}
	if user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	resp, err := f.Client.Do(req)
	if err == nil {
		resp.Request = req // some RoundTrippers do not set resp.Request
	}
	return resp, err
}

// request returns a request for the robots.txt at a URL. If the old response can be revalidated,
// the request is conditional, so the server need not send the file again if it has not changed.
func (f *Fetcher) request(ctx context.Context, url string, old *Response) (*http.Request, error) {
	req, err := http.NewRequestWithContext(context.WithValue(ctx, fetching{}, true), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	setIfPresent(req.Header, "User-Agent", f.UserAgent)
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

// redirect returns the target of a redirect, and true if the Fetcher should follow the redirect. The
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
	target.User, target.Fragment, target.RawFragment = nil, "", ""
	if normalizeHost(target) != nil {
		return nil, false
	}
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

// keptHeaders returns the headers of a response that can still be used: those about its lifetime,
// for a file the validators, and for a failure Retry-After. Headers above maxHeader are dropped.
func keptHeaders(header http.Header, status int) http.Header {
	keys := []string{"Age", "Cache-Control", "Expires"}
	switch {
	case IsSuccess(status):
		keys = append(keys, "Etag", "Last-Modified")
	case FileFor(status, nil).Access() == robotstxt.FileUnreachable:
		keys = append(keys, "Retry-After")
	}
	if header.Get("Expires")+header.Get("Retry-After") != "" { // these can be relative to Date
		keys = append(keys, "Date")
	}
	kept := make(http.Header)
	for _, key := range keys {
		values := header.Values(key)
		if len(strings.Join(values, ", ")) > maxHeader {
			continue
		}
		for _, value := range values {
			kept.Add(key, strings.Clone(value)) // without a copy, the value could keep the memory of all headers in use
		}
	}
	return kept
}

// confirmed returns the headers for a response "304 Not Modified": its own, and those caching headers
// of the old response that it lacks (RFC 9111, section 4.3.4).
func confirmed(header, old http.Header) http.Header {
	kept := keptHeaders(header, http.StatusOK)
	for _, key := range []string{"Cache-Control", "Etag", "Expires", "Last-Modified"} {
		if _, ok := kept[key]; !ok && old[key] != nil {
			kept[key] = old[key]
		}
	}
	return kept
}

// canRevalidate reports whether the next request to a URL can be conditional. For that, the
// response must be a robots.txt file from the same URL, with an ETag or Last-Modified header. It may be
// nil.
func (r *Response) canRevalidate(url string) bool {
	return r != nil && r.From == url && r.HasFile() &&
		r.Header.Get("Etag")+r.Header.Get("Last-Modified") != ""
}

// HasFile reports whether the body of the response is a robots.txt file.
func (r *Response) HasFile() bool { return IsSuccess(r.Status) }

// WithoutRedirects returns a copy of client that does not follow redirects. If client is
// nil, it copies http.DefaultClient.
func WithoutRedirects(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Transport = LocationFilter{cmp.Or(c.Transport, http.DefaultTransport)}
	return &c
}

// A LocationFilter sends requests through Base. From a redirect it removes a Location header without a
// robotstxt.Location, because nobody can follow it. An http.Client would return an error instead of the
// response, or convert the host to ASCII before it calls CheckRedirect, which takes minutes if the host
// is long.
type LocationFilter struct{ Base http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (f LocationFilter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f.Base.RoundTrip(req)
	switch {
	case err != nil:
		return resp, err
	case resp == nil:
		return nil, fmt.Errorf("robotshttp: RoundTripper %T returned a nil Response with a nil error", f.Base)
	}
	if resp.StatusCode/100 == 3 {
		target, err := req.URL.Parse(resp.Header.Get("Location"))
		if err == nil {
			_, err = robotstxt.Location(target.String())
		}
		if err != nil {
			resp.Header.Del("Location")
		}
	}
	return resp, nil
}
