// Package robotshttp keeps crawlers to the rules of the robots.txt files of the
// sites they visit. It stands between an [http.Client] and package robotstxt: it
// finds, fetches and caches the files, and it decides what to make of servers that
// have none or that fail, as RFC 9309, sections 2.3 and 2.4, asks and Google does.
//
// A [Transport] makes any http.Client obey:
//
//	client := &http.Client{
//		Transport: robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil),
//	}
//
// Every request of this client, including each one that follows a redirect, now waits
// for the robots.txt of its site, and fails with a [*DisallowedError] if that does not
// allow it. It does not wait for a crawl-delay unless [Cache.MaxDelay] is set.
//
// A [Cache] answers the same questions without sending the requests. It can be used
// alone, by a crawler that decides long before it fetches, and shared by any number
// of Transports. With a [Store], caches can share what they know. [FromResponse] reads
// a single response that a crawler has fetched by itself.
//
// # What a server's answer means
//
// The status of the last response decides, see [robotstxt.FromStatus]. At most five
// redirects are followed, to other hosts too (RFC 9309, section 2.3.1.2); what is found
// at their end holds for the first host only. A redirect that cannot be followed means
// that there is no file. If the server fails or cannot be found, or if its response
// breaks off, comes too slowly or is only a part of a file, the site is unreachable.
// Only bytes beyond [robotstxt.SizeLimit], which Parse ignores, are left unread.
//
// While a site is unreachable its last robots.txt stays in force, however old. If there
// was none, everything is disallowed for 30 days and allowed thereafter (section
// 2.3.1.4). The server is asked again after a minute, two minutes, and so on up to an
// hour, or when the Retry-After header of its response says, but no sooner than in a
// minute and no later than in a day. Up to a tenth is added at random, so that many
// processes do not ask at once. With [Cache.TreatAs], a crawler that knows better can
// decide what a failure means.
//
// # How long an answer is used
//
// For 24 hours (section 2.4), or as the server says with Cache-Control (max-age,
// no-cache, no-store), Age and Expires (RFC 9111, section 4.2), within the bounds
// [Cache.MinFresh] and [Cache.MaxFresh], less up to a twentieth at random. If the
// answer is wanted in the last twentieth of that time, it is renewed in the
// background, so nobody has to wait for the file of a busy site again. A file that
// came with an ETag or Last-Modified header is fetched again only if it has changed.
//
// # With other clients
//
// A Transport checks the requests that pass through it. So it belongs below the code
// that makes requests, such as redirects and retries, and above the code that only
// carries them, such as a proxy:
//
//   - Set a proxy in the base transport. A method like colly's SetProxy replaces the
//     client's whole transport; called after WithTransport, it silently drops the one
//     that obeys.
//   - Put the Transport inside a client that retries, and tell that client to give up
//     on a DisallowedError, or it will try again for a while. Do not put such a client
//     inside the Transport: only its first request would be checked, and a redirect
//     could take it to a disallowed page.
//
// The module examples in the repository has a tested program each for net/http, colly,
// go-retryablehttp and resty.
package robotshttp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"github.com/robotstxt-go/robotstxt"
)

// A Cache fetches robots.txt files for a crawler and keeps them while they are fresh.
// It needs only the crawler's UserAgent; the other fields may stay zero. Do not change
// the fields or copy the Cache after first use.
//
// A Cache is safe for concurrent use; the functions in its fields must be, too. However
// many goroutines wait for the file of one site, it is fetched once. If one of them
// stops waiting, the others are not disturbed: a fetch has the values of the context of
// the goroutine that was first, but not its cancellation, and has its own time limit.
// If one of these functions panics during a fetch, the fetch fails and the panic is
// logged.
//
// A Cache need not be closed. Its goroutines end with their fetches and with the calls
// of the Store.
type Cache struct {
	// UserAgent is the User-Agent header that robots.txt files are fetched with. Its
	// product token, see robotstxt.ProductToken, selects the group. Without a token,
	// the rules for "*" apply.
	UserAgent string

	// Names are further names that the crawler obeys, in order of preference, for sites
	// that do not name it as in UserAgent. The first name with a group in the file
	// counts; without any, the group for "*" applies.
	Names []string

	// Client fetches the robots.txt files; if it is nil, http.DefaultClient does. The
	// Cache uses a copy that does not follow redirects by itself. Schemes other than
	// http and https work if the Client's transport supports them.
	Client *http.Client

	// Timeout limits each fetch, redirects and body included. If it is zero,
	// the limit is 10 seconds.
	Timeout time.Duration

	// MinFresh and MaxFresh bound the time for which an answer is used before
	// the server is asked again. If they are zero, they are 5 minutes and 24
	// hours. RFC 9309, section 2.4, advises against more. If they conflict,
	// MaxFresh wins.
	MinFresh, MaxFresh time.Duration

	// MaxBytes limits the memory of the cache. If it is zero, the limit is 64 MiB,
	// enough for the files of about ten thousand sites. Beyond it, files that were used
	// rarely and long ago are evicted, and fetched again when needed. A file that
	// exceeds the limit by itself is never kept.
	MaxBytes int64

	// Store, if not nil, holds a copy of all that is cached. It lets processes
	// share one cache, and a restarted process find what it knew. While the Store
	// fails, files are fetched; Stats counts that.
	Store Store

	// Supply, if not nil, is asked before anything else, for every question, with the
	// URL where the site's robots.txt belongs. The file that it returns is the site's
	// file, and the site is not asked for another. If it returns nil, the Cache
	// proceeds as usual. Use Supply for your own sites, for sites with a separate
	// agreement, for files that another program has fetched, and to test a new file.
	Supply func(ctx context.Context, robotsURL string) *robotstxt.File

	// MinDelay and MaxDelay bound the time between the starts of two requests to one
	// site. Within them it is the crawl-delay that the site's robots.txt asks of the
	// crawler; a site that asks for none gets the MinDelay. If MaxDelay is less than
	// MinDelay, as when it is zero, all sites get the MinDelay. By default both are
	// zero, and no request waits for a crawl-delay. Transports and Wait keep it.
	MinDelay, MaxDelay time.Duration

	// WaitForPacer makes requests wait while the Store is a Pacer and fails, until
	// their contexts end. Otherwise each process keeps the pace by itself meanwhile, so
	// a site may see the pace of every process of the fleet.
	WaitForPacer bool

	// CheckTarget, if not nil, is called before each request for a robots.txt,
	// including each one that follows a redirect. If it returns an error, the request
	// is not sent and the site is unreachable. It can keep a crawler off an internal
	// network by host name. To check the addresses that names resolve to, use the
	// Control function of a net.Dialer in the Client's transport.
	CheckTarget func(ctx context.Context, target *url.URL) error

	// TreatAs, if not nil, can change what the outcome of a fetch means. Its
	// arguments are the URL where the site's robots.txt belongs and either the last
	// response or, if there was none or it broke off, the error. The site is then
	// treated as if it had answered with the status that TreatAs returns: 404, for
	// example, means that there is no file. Zero changes nothing. An error stays an
	// error unless the status means that there is no file. TreatAs is asked once for
	// each answer, including a "304 Not Modified", which means that the file is still
	// the same. It must not read the response's body.
	TreatAs func(robotsURL string, resp *http.Response, err error) (status int)

	// OnResult, if not nil, is called with each Result, for metrics and archives: once
	// for each fetch, however many calls wait for it, with the body if there is a new
	// one, and once for each answer from Supply, from the Store or from memory. The
	// answer is delayed until OnResult returns.
	OnResult func(ctx context.Context, r Result)

	// Logger, or slog.Default if it is nil, gets a record of each answer at level
	// Debug; at level Info, once for each site, of a crawl-delay that MaxDelay shortens
	// or refuses; at level Warn when the Store begins to fail and when it works again;
	// and at level Error of each panic of a function that the Cache was given.
	Logger *slog.Logger

	once     sync.Once
	client   *http.Client
	agents   []string // UserAgent and Names
	entries  *otter.Cache[string, *entry]
	flights  singleflight.Group
	forgets  atomic.Int64 // how often Forget was called
	counters counters
	caller   caller
	pacer    pacer
}

// An Outcome describes how a [Result] was obtained.
type Outcome string

// The outcomes.
const (
	Fetched     Outcome = "fetched"     // the file was fetched just now, or revalidated
	Cached      Outcome = "cached"      // the file was fetched before and is fresh
	Supplied    Outcome = "supplied"    // Cache.Supply returned the file
	Stale       Outcome = "stale"       // the server fails; this is its last file
	Unavailable Outcome = "unavailable" // the site has no file: everything is allowed
	Unreachable Outcome = "unreachable" // the server fails and no file is known: everything is disallowed
)

// A Result is the robots.txt of a site and how it was obtained.
type Result struct {
	// File is never nil. For a site that is unavailable or unreachable, it is the file
	// that robotstxt.Unavailable or robotstxt.Unreachable returns.
	File    *robotstxt.File
	Outcome Outcome

	// Body is the text that File was read from, if it has just been fetched. A
	// Cache does not keep texts, so Body is empty in the Results of Cache.Get. It
	// is no longer than robotstxt.Parse needs.
	Body []byte

	// Since is the time of the answer that the Result is based on or, if Err is not
	// nil, the time when the server began to fail.
	Since time.Time

	// Expires is the time from which the server is asked again when the file is needed.
	// It is zero if the file was supplied.
	Expires time.Time

	// Took is the time that it took to get the Result, or zero if it was in memory.
	Took time.Duration

	// URL is the location of the file, see robotstxt.Location. From is the URL where it
	// was found, after redirects; it is empty if there was no answer. Neither contains
	// user information.
	URL, From string

	// Status is the HTTP status of the last response, or the one that Cache.TreatAs
	// returned. It is zero if there was no response. After a revalidation it is the
	// file's, not 304.
	Status int

	// Err is the reason why the server counts as failing. It is nil unless Outcome is
	// Stale, Unreachable, or Unavailable after 30 days of failure.
	Err error

	group *robotstxt.Group // of the File, for the Cache's agents, if known
	told  *atomic.Bool     // whether the site's crawl-delay has been logged; nil if it need not be
}

// String returns the URL, the outcome and the status in one line for logs. Its form may
// change.
func (r Result) String() string { return fmt.Sprintf("%s: %s (status %d)", r.URL, r.Outcome, r.Status) }

// Get returns the robots.txt that governs a URL, from the cache if it is there and
// fresh. Whatever the server does is in the Result: the error is not nil only if
// the URL has no [robotstxt.Location] or if ctx is done before there is a Result.
// It wraps ctx.Err() then.
func (c *Cache) Get(ctx context.Context, url string) (Result, error) {
	location, err := robotstxt.Location(url)
	if err != nil {
		return Result{}, err
	}
	return c.get(ctx, location)
}

// Allowed reports whether the crawler may fetch a URL, and why. The error is the same
// as from [Cache.Get]; the Decision is then the zero one, which allows nothing.
func (c *Cache) Allowed(ctx context.Context, url string) (robotstxt.Decision, error) {
	group, err := c.Group(ctx, url)
	if err != nil {
		return robotstxt.Decision{}, err
	}
	return group.Decide(url), nil
}

// Group returns the crawler's group in the robots.txt that governs a URL, for example
// to read its crawl-delay. The error is the same as from [Cache.Get]; without one, the
// Group is not nil.
func (c *Cache) Group(ctx context.Context, url string) (*robotstxt.Group, error) {
	location, err := robotstxt.Location(url)
	if err != nil {
		return nil, err
	}
	if ctx.Err() == nil && c.Supply == nil && !c.reports(ctx) {
		if e, ok := c.lookup(ctx, location); ok && e.Failure == nil {
			c.counters.hits.Add(1)
			return e.group, nil
		}
	}
	r, err := c.get(ctx, location)
	if err != nil {
		return nil, err
	}
	return c.groupOf(r), nil
}

// Forget makes the Cache ask the server again at the next question about the URL's
// site, whatever is in memory and in the Store, and whatever a fetch in progress
// returns. Use it when a site is known to have changed its robots.txt. If the server
// fails then, the last file stays in force. Other caches that share the Store keep what
// they have in memory.
func (c *Cache) Forget(url string) {
	location, err := robotstxt.Location(url)
	if err != nil {
		return // nothing is known of such a site
	}
	c.once.Do(c.init)
	number := c.forgets.Add(1)
	c.entries.Compute(location, func(e *entry, ok bool) (*entry, otter.ComputeOp) {
		if !ok {
			e = newEntry(location)
		}
		return e.forget(number), otter.WriteOp
	})
	c.flights.Forget(location)
}

// Fetch fetches the robots.txt at any URL, even in a subfolder. It neither uses nor
// changes the cache, and does not call OnResult or the Logger. For the file that
// governs a URL, use [Cache.Get]. The error is not nil only if robotsURL is not an
// absolute URL or ctx is done.
func (c *Cache) Fetch(ctx context.Context, robotsURL string) (Result, error) {
	if _, err := robotstxt.Location(robotsURL); err != nil {
		return Result{}, err
	}
	if _, err := url.Parse(withoutUser(robotsURL)); err != nil {
		return Result{}, err
	}
	c.once.Do(c.init)
	start := time.Now()
	e, body := c.ask(ctx, newEntry(withoutUser(robotsURL)), robotsURL)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	r := e.result(time.Now(), Fetched)
	r.Body, r.Took = body, time.Since(start)
	return r, nil
}
