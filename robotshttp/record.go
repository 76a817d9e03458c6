package robotshttp

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

const (
	day = 24 * time.Hour

	// patience is how long a site without a file may be unreachable before it
	// counts as having none (RFC 9309, section 2.3.1.4). If nobody asked for as
	// long as that between two failures, nobody knows whether they are one.
	patience = 30 * day

	// clockSkew is how far ahead the clock of another machine may be.
	clockSkew = 5 * time.Minute
)

// A record is what is known of the robots.txt of one site. It holds the last
// answer or how the server has failed since, or both if the answer was a file.
type record struct {
	URL     string // the file's Location
	Answer  *answer
	Failure *failure

	packed []byte // the Answer's body, compressed; nil if there is no Store
}

// A failure sums up one or more fetches that failed in a row.
type failure struct {
	Since  time.Time // when the first failed
	Last   time.Time // when the last failed
	Retry  time.Time // when to try again
	Count  int       // how many failed
	Status int       // of the last, if it had a response
	Error  string    // of the last

	err error // has the text Error
}

// distrustFuture corrects a record that was written by a clock far ahead of ours: an
// answer from the future is made older than any other, and a failure is dropped.
func (r *record) distrustFuture(now time.Time) {
	latest := now.Add(clockSkew)
	if f := r.Failure; f != nil && (f.Since.After(latest) || f.Last.After(latest)) {
		r.Failure = nil
	}
	if r.Answer != nil && r.Answer.Time.After(latest) {
		r.Answer.Time = time.Unix(0, 0)
	}
}

// An entry is a record as it is kept in memory. There, only renewing changes.
type entry struct {
	record
	file  *robotstxt.File  // what the Answer means
	group *robotstxt.Group // what the file says to the crawler, once it is in memory

	expires   time.Time // when to ask the server, or zero if it has not been asked
	renew     time.Time // when to ask it ahead of that, in the background
	renewing  uint32    // 1 if that is under way
	forgotten time.Time // when Cache.Forget made the entry, if it did
}

func newEntry(url string) *entry { return &entry{record: record{URL: url}} }

// isFresh reports whether the entry may be used without asking the server.
func (e *entry) isFresh() bool { return time.Now().Before(e.expires) }

// isNew reports whether it is not yet time to renew the entry.
func (e *entry) isNew() bool { return time.Now().Before(e.renew) }

// next returns what is known after a fetch that ended with an answer and its body,
// or with an error.
func (e *entry) next(a *answer, body []byte, err error, now time.Time) *entry {
	switch {
	case err != nil:
		return e.failed(&answer{Time: now}, err)
	case access(a.Status) == robotstxt.FileUnreachable:
		return e.failed(a, fmt.Errorf("robotshttp: status %d %s", a.Status, http.StatusText(a.Status)))
	case a.notModified:
		return &entry{record: record{URL: e.URL, Answer: a, packed: e.packed}, file: e.file}
	}
	return parsed(record{URL: e.URL, Answer: a}, body)
}

// failed returns what is known after a fetch that failed.
func (e *entry) failed(a *answer, err error) *entry {
	f := &failure{Since: a.Time, Last: a.Time, Count: 1, Status: a.Status, Error: err.Error(), err: err}
	if p := e.Failure; p != nil && f.Last.Sub(p.Last) < patience {
		f.Since, f.Count = p.Since, p.Count+1
	}
	f.Retry = f.Last.Add(pause(f.Count, a.Header, f.Last))
	if !e.hasFile() {
		return &entry{record: record{URL: e.URL, Failure: f}}
	}
	next := *e
	next.Failure = f
	return &next
}

// parsed returns the entry of a record whose Answer has the body.
func parsed(r record, body []byte) *entry {
	e := &entry{record: r}
	if r.Answer != nil {
		e.file = fromStatus(r.Answer.Status, body)
	}
	return e
}

// hasFile reports whether a file is known, whether or not it is in force.
func (e *entry) hasFile() bool { return e.Answer != nil && e.Answer.hasFile() }

// time returns how old the entry's knowledge is: of two entries for one site, the
// later counts.
func (e *entry) time() time.Time {
	switch {
	case e.Failure != nil:
		return e.Failure.Last
	case e.Answer != nil:
		return e.Answer.Time
	}
	return e.forgotten
}

// schedule sets when a server that answered or failed is to be asked again, given
// the time now. After a failure that is in a day at the latest. An answer that is a
// little ahead, by the clock of another machine, counts as one of now.
func (c *Cache) schedule(e *entry, now time.Time) {
	if f := e.Failure; f != nil {
		wait := min(f.Retry.Sub(now), day)
		e.expires = now.Add(wait + jitter(wait, 10))
		e.renew = e.expires
		return
	}
	d := c.lifetime(e.Answer.Header, e.Answer.Time)
	start := e.Answer.Time
	if start.After(now) {
		start = now
	}
	e.expires = start.Add(d - jitter(d, 20))
	e.renew = e.expires.Add(-d / 20)
}

// jitter returns a random duration of up to an n-th of d. It keeps processes from
// doing together what each does every d.
func jitter(d time.Duration, n float64) time.Duration {
	return time.Duration(rand.Float64() * float64(d) / n)
}

// result returns what the entry means at a time. The outcome is the one to report
// of a file that is in force.
func (e *entry) result(now time.Time, outcome Outcome) Result {
	r := Result{File: e.file, group: e.group, Outcome: outcome, Expires: e.expires, URL: e.URL}
	if a := e.Answer; a != nil {
		r.Since, r.From, r.Status = a.Time, a.From, a.Status
		if !a.hasFile() {
			r.Outcome = Unavailable
		}
	}
	f := e.Failure
	if f == nil {
		return r
	}
	r.Since, r.Status, r.Err = f.Since, f.Status, f.err
	switch {
	case e.Answer != nil:
		r.Outcome = Stale
	case now.Sub(f.Since) < patience:
		r.File, r.group, r.Outcome = robotstxt.Unreachable(), nil, Unreachable
	default:
		r.File, r.group, r.Outcome = robotstxt.Unavailable(), nil, Unavailable
	}
	return r
}

// weight returns the memory that the entry takes, in bytes. The constants were
// measured; they are the sizes of what surrounds the strings.
func (e *entry) weight() uint32 {
	n := 300 + len(e.URL) + len(e.packed)
	if a := e.Answer; a != nil {
		n += 100 + len(a.From) + e.file.Size()
		if len(a.Header) > 0 {
			n += 400
		}
		for _, values := range a.Header {
			for _, value := range values {
				n += 24 + len(value)
			}
		}
	}
	if f := e.Failure; f != nil {
		n += 130 + 2*len(f.Error) // err has the text, too
	}
	return uint32(n)
}
