// Package robotshttp makes an [http.Client] obey robots.txt: it fetches and caches the file
// of each site, and sends only the requests that the file allows. If a file is missing or
// cannot be read, the package follows RFC 9309, section 2.3.1, and Google's documentation.
//
// A [Transport] makes any http.Client obey robots.txt:
//
//	client := &http.Client{
//		Transport: robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil),
//	}
//
// Every request of this client, redirects included, waits for the robots.txt of its site. If the
// robots.txt disallows the request, the error is a [*DisallowedError]. If the robots.txt has a
// crawl-delay, the requests to the site wait for each other: they are sent at least that time
// apart, or 30 seconds if the crawl-delay is longer. [Cache.MaxDelay] changes this limit. The Timeout
// of an http.Client includes this wait; see [Transport]. Requests to other sites do not wait for each
// other; see [NewTransport].
//
// A [Cache] tells a crawler which URLs it may fetch. A crawler that decides about URLs long
// before it fetches them needs only a Cache. Several Transports can share a Cache, and several
// Caches can share their files in a [Store]. [FromResponse] reads a robots.txt response that
// the crawler has fetched itself.
//
// # What a server's answer means
//
// The status of the last response determines what the crawler may fetch; see
// [robotstxt.FromStatus]. The Cache follows at most five redirects, even to other hosts (RFC
// 9309, section 2.3.1.2). The file at the end of the redirects applies only to the first host.
// A redirect that cannot be followed means that there is no file. The site is unreachable if
// the server fails or cannot be found, if its response is incomplete or too slow, or if it is a
// "304 Not Modified" that the Cache did not ask for. The Cache reads the body only up to [robotstxt.SizeLimit], because Parse ignores the rest.
// [Cache.DisallowRefused] changes what status 401 and 403 mean. If a response with status 200 is an
// HTML page, for example, it has no rules and allows everything; [Result.NotRobotsTxt] and the log say
// so. A body that starts as a gzip file does is decompressed, whatever the header says.
//
// While a site is unreachable, its last robots.txt stays in force, however old, unless the Cache
// had to evict it (see [Cache.MaxBytes]) and has no [Store]. If the Cache has no robots.txt of the site, everything is disallowed for 30 days and allowed after that
// (section 2.3.1.4). [Cache.OverrideStatus] can change the meaning of a failure.
//
// After a failure, the Cache tries again after a minute, then after two minutes, then after
// four, and so on, up to an hour. If the response has a Retry-After header with a time that is not over,
// the Cache waits for that time instead. This wait is at least a minute and at most a day. Each wait is
// up to a tenth longer, at random, so that many processes do not try at once.
//
// # How long an answer is used
//
// The lifetime of an answer is 24 hours (section 2.4). The server can state a different
// lifetime with the headers Cache-Control (max-age, no-cache, no-store), Age and Expires (RFC
// 9111, section 4.2). The lifetime is at least [Cache.MinFresh] and at most [Cache.MaxFresh].
// The Cache then shortens it by up to a twentieth, at random. The lifetime is over if the wall clock or
// the monotonic clock says so, so the time in which a computer is suspended counts, too.
//
// If an answer is needed in the last twentieth of its lifetime, the Cache renews it in the
// background. So requests to a busy site need not wait for the file again. If the file came
// with an ETag or Last-Modified header of at most 1 KB, the server sends the file again only if it has
// changed. If the server refuses such a conditional request with a status 4xx other than 404, 410,
// 429 and 451, or confirms another ETag, this says nothing about the file, and the Cache asks once more
// without the condition.
//
// # What is promised
//
//   - No request is sent that the robots.txt in force does not allow. Exceptions are requests for
//     robots.txt files with their redirects, and [ErrSend]. Servers answer requests
//     for /x/../private/, //private/, /private%2F and /private;v=1/ with the page /private/. So a URL
//     must be allowed in each of the forms that [robotstxt.Forms] lists. Other spellings that a server
//     may take for the same page are not checked.
//   - The requests of one process to a site are sent no closer together than the site's delay. If
//     the Cache has a [Store] that is a [Lender], this is true for all processes of a fleet, as long as
//     the Lender keeps what it was told. While the Lender fails, the processes share all sites by what
//     it last said, so that few requests are early, or they wait; see [Cache.WaitForStore].
//   - The processes of a fleet take turns on a site with a delay. A turn lasts 3 seconds or one delay,
//     whichever is longer. So a request may have to wait for as many turns as there are processes: a
//     fleet of 8 with a delay of 10 seconds needs deadlines of more than 80 seconds.
//   - A process that dies or is starved holds up fetches of other processes no longer than a fetch
//     of a robots.txt may take, and a few seconds more. It holds up their pages of a site that it has
//     borrowed for at most 15 seconds or three delays, whichever is longer.
//
// # With other clients
//
// A Transport checks only the requests that pass through it. To make all requests pass through
// it, redirects and retries included, configure the client as follows:
//
//   - Set a proxy in the Transport's Base. Do not set it with a method such as colly's
//     SetProxy, which replaces the client's transport. In colly, calling SetProxy after
//     WithTransport silently removes the Transport, and requests are no longer checked.
//   - Put the Transport inside a client that retries, and tell the client not to retry
//     after a DisallowedError. Do not put such a client inside the Transport: the Transport
//     would check only the client's first request, and a redirect could lead the client to
//     a disallowed page.
//
// The folder examples of the repository contains tested programs for net/http, colly and
// go-retryablehttp.
package robotshttp

// For those who change this package: the way of a request, from top to bottom.
//
//	Transport.RoundTrip      url.go: the URL that is sent; robotstxt.Location: the site
//	  Cache.wait             sites.go: everything that is known about the site
//	    pace.Queue.Wait      when may it be sent? To answer, it calls Cache.check:
//	      Cache.check        may it be sent, and what is the delay?
//	        Cache.get        update.go: the Result, from memory or from an update:
//	          shared.Store   the entry of another process, or the lock of the fetch
//	          fetch.Fetcher  from a URL and the last response: the next response
//	          afterFetch     entry.go: from the old entry and the response: the new entry
//	        updateLater      backlog.go: the update of a request that does not wait, when it is its turn
//	        decide           wait.go: each form of the URL against the crawler's group
//	      shared.Store       in a fleet: borrows the site, so that the request may be sent
//	  Base.RoundTrip
//	  Cache.slowDown         a pause, if the site is too busy
//
// The words: a location is the URL of a robots.txt, and the name of its site. A fetch.Response is what
// is kept of a server's response; a failure sums up the fetches that failed since then. Both together
// are a state, which the Store keeps. An entry is a state with the parsed file and its times, which are
// drawn at the type entry. An update brings an entry up to date while goroutines wait for it. A Result
// is what users see of an entry.
//
// The packages in the folder internal know less than this one: fetch knows neither a cache nor how long
// a response may be used, shared does not know what the values mean, and pace knows neither files nor
// HTTP. Cache.init in update.go connects them. The package guard calls the functions of users, which may panic. The mutex of the sites is
// never held while such a function runs.

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/shared"
)

// A Cache fetches robots.txt files for a crawler and keeps them while they are fresh.
// It needs only the crawler's UserAgent; the other fields may stay zero. Do not change
// the fields or copy the Cache after first use.
//
// A Cache is safe for concurrent use; the functions in its fields must be, too. If one of
// these functions panics during a fetch, the fetch fails and the panic is logged. If it calls
// runtime.Goexit, the fetch fails, too.
//
// If several goroutines need the file of a site, the Cache fetches the file once. The fetch
// uses the context values of the first goroutine. But it has its own time limit, and continues
// even if that goroutine stops waiting. A fetch for which no goroutine waits has no context values: a
// renewal, or one for [Cache.Peek] or a request that does not wait.
//
// A Cache need not be closed. Its goroutines end when their fetches and Store calls end.
type Cache struct {
	// UserAgent is the User-Agent header of requests for robots.txt files. The crawler obeys
	// the group for the product token in UserAgent (see robotstxt.ProductToken). If
	// UserAgent has no token, the Cache tries Names, and then "*". If neither UserAgent nor Names has
	// a token other than "Mozilla", the Cache logs a warning when it is first used.
	UserAgent string

	// Names are further names of the crawler, in order of preference. If a file has no group
	// for UserAgent, the Cache tries these names in order. If there is no group for any of
	// them, the group for "*" applies.
	Names []string

	// Client fetches the robots.txt files. If it is nil, http.DefaultClient fetches them.
	// The Cache uses a copy of the Client and follows redirects itself. Schemes other than
	// http and https work if the Client's transport supports them.
	Client *http.Client

	// Timeout limits each fetch, redirects and body included. If it is zero,
	// the limit is 10 seconds.
	Timeout time.Duration

	// An answer is used for at least MinFresh and at most MaxFresh before the server is
	// asked again. The defaults are 5 minutes and 24 hours. RFC 9309, section 2.4, advises
	// against more than 24 hours. If MinFresh is longer than MaxFresh, MaxFresh wins.
	MinFresh, MaxFresh time.Duration

	// MaxBytes limits the memory of the files in the cache, in bytes. If it is zero, the limit is 64 MiB,
	// enough for the files of 70,000 sites with 8 rules each, or of 45,000 if all come with the headers ETag
	// and Last-Modified. At the limit, the Cache evicts the files that were used least recently. It fetches
	// them again when they are needed. It never stores a file that is larger than the limit. Not counted are
	// the times of sites whose next request must wait; each such site takes about 1,100 bytes.
	MaxBytes int64

	// Store, if not nil, keeps a copy of each cached file. Several processes can share a
	// Store, and a restarted process finds its files there. If the Store fails, the Cache
	// fetches the files from their sites. Stats counts the failures of the Store.
	Store Store

	// Supply, if not nil, is called first whenever the Cache needs a site's robots.txt. If it
	// returns a file, the Cache uses this file and does not fetch one from the site. If it
	// returns nil, the Cache proceeds as usual. The argument robotsURL is the location of the
	// site's robots.txt. Use Supply to test a new file, or for files that another program has
	// fetched. Use it also for your own sites, and for sites with which you have an agreement.
	Supply func(ctx context.Context, robotsURL string) *robotstxt.File

	// MaxFetches limits how many robots.txt files the Cache fetches at once. Further fetches wait, and
	// Stats counts them. If it is zero, the limit is 64. So that hosts that never answer do not hold up
	// others, a fetch no longer counts after a second, unless there are 1,024 such fetches.
	MaxFetches int

	// MinDelay and MaxDelay limit the time between two requests to one site. Transports and Wait
	// obey the crawl-delay in the site's robots.txt, but wait at least MinDelay and at most
	// MaxDelay. If MaxDelay is zero, the limit is 30 seconds. If it is negative, requests do not
	// wait for crawl-delays. If the site has no crawl-delay, or if MaxDelay is less than MinDelay,
	// the time is MinDelay.
	MinDelay, MaxDelay time.Duration

	// SiteDelay, if not nil, is called before each request, and returns the time between two requests to a
	// site. The argument location is the robotstxt.Location of the site's URLs, and delay is the time that
	// MinDelay and MaxDelay describe. If the result is not positive, requests do not wait for each other.
	// Use SiteDelay for sites with which you have an agreement, or to slow down where responses take long.
	// In a fleet, all processes should return about the same.
	SiteDelay func(location string, delay time.Duration) time.Duration

	// WaitForStore says what happens if the Store is a Lender and fails. If WaitForStore is true,
	// requests wait until the Store works again or their contexts end. If it is false, the processes go on
	// without the Store: they send requests to each site in turn, by the Store's clock and by what it last
	// said about the other processes. A few requests are then early, most of them when the failure begins and
	// ends. A process that has never reached the Store does not know of the others, so several such processes
	// together visit a site too fast.
	WaitForStore bool

	// CheckTarget, if not nil, is called before each request for a robots.txt, redirects
	// included. The host of target is in the form that is dialed, as in robotstxt.Location. If CheckTarget
	// returns an error, the request is not sent, and the site counts as unreachable. Each such error starts
	// the 30 days anew after which an unreachable site is allowed, so a blocked site stays disallowed. A panic
	// during a fetch does the same. Use CheckTarget to block the host names of an internal network. To block
	// IP addresses, use the Control function of a net.Dialer in the Client's transport.
	CheckTarget func(ctx context.Context, target *url.URL) error

	// DisallowRefused says what it means if a server refuses access to its robots.txt, with status
	// 401 or 403. By default, there is no file, and everything is allowed (RFC 9309, section
	// 2.3.1.3). If DisallowRefused is true, everything is disallowed, as many sites mean it. Like
	// any answer, this one is used for 24 hours; see MaxFresh.
	DisallowRefused bool

	// OverrideStatus, if not nil, is called once after each fetch. The Cache then proceeds as
	// if the site had answered with the returned status, such as 404 for "no file". Zero
	// changes nothing. The argument robotsURL is the location of the site's robots.txt, and
	// resp is the last response. If resp is a "304 Not Modified", the file has not changed. If
	// there was no complete response, resp is nil and err is the reason; then only a status
	// that means "no file" has an effect. OverrideStatus must not read the response's body.
	OverrideStatus func(robotsURL string, resp *http.Response, err error) (status int)

	// OnResult, if not nil, is called with each Result, for metrics and archives. This
	// includes Results from Supply, from the Store and from memory. A request that waits is checked
	// again before it is sent, and so has more than one Result. After a fetch, OnResult is
	// called once, even if several goroutines wait for the file. If a fetch returned a new
	// file, Result.Body is its text. The Cache returns the Result only after OnResult has
	// returned. So OnResult must not ask the Cache about the same site: it would wait for itself.
	OnResult func(ctx context.Context, r Result)

	// OnReady, if not nil, is called in a new goroutine when requests that could not be sent at once may
	// succeed now: when a robots.txt has come and, in a fleet, when the site has been lent to this process.
	// The argument location is the robotstxt.Location of the site's URLs. A program that does not wait need
	// not wait for WaitError.Until or Hint.Next then. It must still come back at that time: OnReady is not
	// called when a delay or a pause ends, or if the robots.txt was already there.
	OnReady func(location string)

	// Logger receives the log messages of the Cache. If it is nil, slog.Default() receives
	// them. At level Debug, the Cache logs each Result. At level Warn it logs that the Store fails
	// and that a response is not a robots.txt, each at most once a minute, and that the crawler has no
	// name; see UserAgent. At level Error it logs each panic of a function in its fields.
	Logger *slog.Logger

	once     sync.Once
	fetcher  fetch.Fetcher
	store    *shared.Store
	pacer    pace.Pacer
	fetching *gate   // limits the fetches
	updating *gate   // limits the updates for the backlog
	backlog  backlog // the files that are wanted by Peek, or by requests that do not wait
	policy   policy
	sites    sites
	counters counters
	warned   atomic.Int64 // when the log last said that a response is not a robots.txt, in Unix nanoseconds; 0 for never
}

// An Outcome describes how a [Result] was obtained.
type Outcome string

// The outcomes.
const (
	Fetched     Outcome = "fetched"     // the file was just fetched or revalidated
	Cached      Outcome = "cached"      // the file was fetched earlier and is still fresh
	Supplied    Outcome = "supplied"    // Cache.Supply returned the file
	Stale       Outcome = "stale"       // the server fails, so the Cache uses its last file
	Refused     Outcome = "refused"     // the server refuses access to the file, and Cache.DisallowRefused is set: everything is disallowed
	Unavailable Outcome = "unavailable" // the site has no file: everything is allowed
	Unreachable Outcome = "unreachable" // the server fails and no file is known: everything is disallowed
)

// FileRefused is the Reason of a [robotstxt.Decision] of a Cache or Transport if the Outcome is
// Refused.
const FileRefused robotstxt.Reason = "the site refuses access to its robots.txt"

// A Result is the robots.txt of a site, with details of how it was obtained.
type Result struct {
	// File is never nil. If Outcome is Unavailable, File is the result of robotstxt.Unavailable. If
	// Outcome is Refused or Unreachable, File is the result of robotstxt.Unreachable.
	File    *robotstxt.File
	Outcome Outcome

	// NotRobotsTxt reports that the response with the file is not a robots.txt, but an HTML page, for
	// example: a login, or the challenge of a server that suspects a bot; see robotstxt.NotRobotsTxt.
	// It has no rules, so everything is allowed (RFC 9309, section 2.3.1.1), which is rarely what the
	// site wants. To treat such a site as unreachable, compare the response's Content-Type in
	// Cache.OverrideStatus, or check this field before requests.
	NotRobotsTxt bool

	// Body is the text of a file that has just been fetched, as robotstxt.ReadBody returns it, and Header
	// is the header of the last response of that fetch. Body is nil if the site has no file or confirmed
	// the old one. Header is nil if there was no complete response. Both are set only in the Result of the
	// function Fetch and in Results that are passed to OnResult.
	Body   []byte
	Header http.Header

	// Since is the arrival time of the response that determines the Result. If Err is not nil,
	// Since is the time of the first failure instead, or of the last error of CheckTarget. Since is
	// zero if the file was supplied.
	Since time.Time

	// Expires is the time after which the Cache asks the server again, if the file is
	// needed. It is zero if the file was supplied.
	Expires time.Time

	// Duration is how long it took to get the Result. It is zero if the Result was in
	// memory.
	Duration time.Duration

	// URL is the location of the file; see robotstxt.Location. FinalURL is the URL
	// after redirects; it is empty if there was no response. Neither contains a user name or
	// a password.
	URL, FinalURL string

	// Status is the HTTP status of the last response, or the status that OverrideStatus
	// returned. It is zero if there was no response. After a revalidation it is the status
	// of the response that contained the file, not 304.
	Status int

	// Err is the error of the last fetch if Outcome is Stale or Unreachable, or if Outcome is
	// Unavailable because the server has failed for 30 days. Otherwise, Err is nil.
	Err error

	group *robotstxt.Group // the crawler's group in File; nil if it has not been looked up
}

// String returns the URL, the outcome and the status in one line for logs. Its form may
// change.
func (r Result) String() string { return fmt.Sprintf("%s: %s (status %d)", r.URL, r.Outcome, r.Status) }

// Sitemaps returns the URLs of the sitemaps in the file, in order. Relative URLs are resolved against
// the URL of the file, after redirects. URLs that are invalid or have no host are left out.
func (r Result) Sitemaps() (urls []string) {
	base, err := url.Parse(cmp.Or(r.FinalURL, r.URL))
	if err != nil {
		return nil
	}
	for _, sitemap := range r.File.Sitemaps() {
		if u, err := base.Parse(sitemap); err == nil && u.Host != "" {
			urls = append(urls, u.String())
		}
	}
	return urls
}

// Get returns the robots.txt that governs the URL of a page. It fetches the file unless it is in the
// cache and fresh. A failure of the server is not an error, but part of the Result. Get returns an
// error only if the URL has no [robotstxt.Location], or if ctx is done before there is a
// Result. In the second case the error is a [*WaitError], which wraps ctx.Err().
func (c *Cache) Get(ctx context.Context, pageURL string) (Result, error) {
	location, err := robotstxt.Location(pageURL)
	if err != nil {
		return Result{}, err
	}
	var r Result
	err = c.get(ctx, location, time.Time{}, &r)
	return r, err
}

// Decide says whether the crawler may fetch a URL. The URL must be allowed in each of its forms, which
// [robotstxt.Forms] lists. The Decision is the first that refuses or, if there is none, the Decision for
// the URL as it is. The error is the same as from [Cache.Get]. After an error, the Decision is zero and allows nothing.
func (c *Cache) Decide(ctx context.Context, url string) (robotstxt.Decision, error) {
	location, err := robotstxt.Location(url)
	if err != nil {
		return robotstxt.Decision{}, err
	}
	var r Result
	if err := c.get(ctx, location, time.Time{}, &r); err != nil {
		return robotstxt.Decision{}, err
	}
	d, _ := decideFor(&r, url, c.groupOf(&r), nil)
	return d, nil
}

// Forget makes the Cache fetch the robots.txt of the URL's site again when the file is next
// needed. A fetch that began earlier and is still in progress does not change that. Use Forget when
// a site has changed its robots.txt. If the server fails, the last file stays in force. Other Caches
// that share the Store may have the old file in memory, and use it until it expires. With a Store, a
// Cache that evicts the site before the next fetch (see Cache.MaxBytes) forgets that it was told to
// forget.
func (c *Cache) Forget(url string) {
	location, err := robotstxt.Location(url)
	if err != nil {
		return // the URL has no robots.txt
	}
	c.once.Do(c.init)
	c.sites.forget(location)
}
