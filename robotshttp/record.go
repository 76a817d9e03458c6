package robotshttp

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

const (
	day = 24 * time.Hour

	// patience is how long a site without a file may be unreachable before it counts
	// as having none (RFC 9309, section 2.3.1.4). If there was no request for that
	// long between two failures, they may be separate outages.
	patience = 30 * day

	// clockSkew is how far ahead the clock of another machine may be.
	clockSkew = 5 * time.Minute

	// maxFailures is how many failures are counted. More do not lengthen the wait.
	maxFailures = 7
)

// A state is what is known about the robots.txt of one site: the last answer, the
// server's failures since, or both.
type state struct {
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
	Fresh  time.Time // until when the Answer is still used, if a renewal ahead of time failed
	Count  int       // how many failed, at most maxFailures
	Status int       // of the last, if it had a response
	Error  string    // of the last

	err error // has the text Error
}

// validate returns an error if no Cache can have written the state.
func (s *state) validate() error {
	if s.Answer == nil && s.Failure == nil {
		return fmt.Errorf("neither an answer nor a failure")
	}
	epoch := time.Unix(0, 0)
	if s.Answer != nil && s.Answer.Time.Before(epoch) {
		return fmt.Errorf("an answer of %v", s.Answer.Time)
	}
	f := s.Failure
	if f == nil {
		return nil
	}
	if f.Count < 1 || f.Count > maxFailures || f.Since.Before(epoch) || f.Last.Before(f.Since) ||
		f.Retry.Before(f.Last) || f.Retry.After(f.Last.Add(day)) {
		return fmt.Errorf("%d failures from %v to %v, until %v", f.Count, f.Since, f.Last, f.Retry)
	}
	return nil
}

// distrustFuture corrects a state that was written by a clock far ahead of ours: an
// answer from the future is made older than any other, and a failure is dropped.
func (s *state) distrustFuture(now time.Time) {
	latest := now.Add(clockSkew)
	if f := s.Failure; f != nil && f.Last.After(latest) {
		s.Failure = nil
	}
	if s.Answer != nil && s.Answer.Time.After(latest) {
		s.Answer.Time = time.Unix(0, 0)
	}
}

// An entry is a state in memory. Only the fields renewing and told ever change.
type entry struct {
	state
	file  *robotstxt.File  // what the Answer means
	group *robotstxt.Group // what the file says to the crawler, once it is in memory

	fresh   time.Time // until when the Answer is used, even if the server fails
	expires time.Time // when to ask the server, or zero if it has not been asked
	renew   time.Time // when to renew it early, in the background

	asked     int64 // how many calls of Cache.Forget came before the question
	forgotten bool  // Forget was called since

	renewing atomic.Bool
	told     *atomic.Bool // whether the log has the site's crawl-delay; shared by the entries of the site
}

func newEntry(url string) *entry { return &entry{state: state{URL: url}} }

// isUsable reports whether the entry may be used without asking the server or, for a
// renewal ahead of time, whether it is too early for that.
func (e *entry) isUsable(ahead bool) bool {
	if ahead {
		return time.Now().Before(e.renew)
	}
	return time.Now().Before(e.expires)
}

// forget returns the entry after a call of Cache.Forget with the number: what is known
// is then used only if the server fails.
func (e *entry) forget(number int64) *entry {
	return &entry{state: e.state, file: e.file, group: e.group, told: e.told, asked: number, forgotten: true}
}

// next returns what is known after a fetch.
func (e *entry) next(f fetched, now time.Time) *entry {
	switch a := f.answer; {
	case f.err != nil:
		return e.failed(&answer{Time: now}, f.err)
	case access(a.Status) == robotstxt.FileUnreachable:
		return e.failed(a, fmt.Errorf("robotshttp: status %d %s", a.Status, http.StatusText(a.Status)))
	case a.notModified:
		return &entry{state: state{URL: e.URL, Answer: a, packed: e.packed}, file: e.file}
	default:
		return parsed(state{URL: e.URL, Answer: a}, f.body)
	}
}

// failed returns what is known after a failed fetch. A file is kept, and so is any
// answer that has not expired.
func (e *entry) failed(a *answer, err error) *entry {
	f := &failure{Since: a.Time, Last: a.Time, Count: 1, Status: a.Status, Error: err.Error(), err: err}
	if p := e.Failure; p != nil && f.Last.Sub(p.Last) < patience {
		f.Since, f.Count = p.Since, min(p.Count+1, maxFailures)
	}
	f.Retry = f.Last.Add(backoff(f.Count, a.Header, f.Last))
	if f.Last.Before(e.fresh) {
		f.Fresh = e.fresh
	} else if !e.hasFile() {
		return &entry{state: state{URL: e.URL, Failure: f}}
	}
	return e.withFailure(f)
}

// withFailure returns the entry with another failure.
func (e *entry) withFailure(f *failure) *entry {
	return &entry{state: state{URL: e.URL, Answer: e.Answer, Failure: f, packed: e.packed}, file: e.file}
}

// parsed returns the entry of a state with the body of its Answer.
func parsed(s state, body []byte) *entry {
	e := &entry{state: s}
	if s.Answer != nil {
		e.file = fromStatus(s.Answer.Status, body)
	}
	return e
}

// hasFile reports whether a file is known, whether or not it is in force.
func (e *entry) hasFile() bool { return e.Answer != nil && e.Answer.hasFile() }

// time returns when the server was last asked. Of two entries for a site, the later
// one counts.
func (e *entry) time() time.Time {
	switch {
	case e.Failure != nil:
		return e.Failure.Last
	case e.Answer != nil:
		return e.Answer.Time
	}
	return time.Time{}
}

// schedule sets when a server that answered or failed should be asked again, given the
// time now. An answer slightly in the future, by the clock of another machine, counts
// as if it came now.
func (c *Cache) schedule(e *entry, now time.Time) {
	var end time.Time
	if a := e.Answer; a != nil {
		d := c.lifetime(a.Header, a.Time)
		end = earlier(a.Time, now).Add(d)
		e.fresh = end.Add(-jitter(d, 20))
		e.renew = e.fresh.Add(-d / 20)
	}
	e.expires = e.fresh
	if f := e.Failure; f != nil {
		wait := f.Retry.Sub(now)
		e.fresh = earlier(end, f.Fresh)
		e.renew = now.Add(wait + jitter(wait, 10))
		e.expires = later(e.fresh, e.renew)
	}
}

func earlier(t, u time.Time) time.Time {
	if u.Before(t) {
		return u
	}
	return t
}

func later(t, u time.Time) time.Time {
	if u.After(t) {
		return u
	}
	return t
}

// jitter returns a random duration of up to d/n, so that processes that do something
// every d do not all do it at the same time.
func jitter(d time.Duration, n float64) time.Duration {
	return time.Duration(rand.Float64() * float64(d) / n)
}

// result returns the Result for the entry at a time. If a file is in force, its
// Outcome is outcome.
func (e *entry) result(now time.Time, outcome Outcome) Result {
	r := Result{File: e.file, Outcome: outcome, Expires: e.expires, URL: e.URL, group: e.group, told: e.told}
	if a := e.Answer; a != nil {
		r.Since, r.FinalURL, r.Status = a.Time, a.From, a.Status
		if !a.hasFile() {
			r.Outcome = Unavailable
		}
	}
	f := e.Failure
	if f == nil || now.Before(e.fresh) {
		return r
	}
	r.Since, r.Status, r.Err = f.Since, f.Status, f.err
	switch {
	case e.hasFile():
		r.Outcome = Stale
	case now.Sub(f.Since) < patience:
		r.File, r.group, r.Outcome = robotstxt.Unreachable(), nil, Unreachable
	default:
		r.File, r.group, r.Outcome = robotstxt.Unavailable(), nil, Unavailable
	}
	return r
}

// weight returns the memory that the entry takes, in bytes. The constants were
// measured; they cover everything except the strings.
func (e *entry) weight() uint32 {
	n := 350 + len(e.URL) + len(e.packed)
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
		n += 160 + 2*len(f.Error) // err has the text, too
	}
	return uint32(n)
}
