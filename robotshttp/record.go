package robotshttp

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

const (
	day = 24 * time.Hour

	// If a site is unreachable and its file is not known, everything is disallowed, but only
	// for 30 days. After that, the site counts as having no file (RFC 9309, section 2.3.1.4).
	// If 30 days or more pass between two failures, they belong to different outages.
	patience = 30 * day

	// A time from another machine can be in the future by up to clockSkew, because clocks
	// differ.
	clockSkew = 5 * time.Minute

	// maxFailures is the largest value of failure.Count. More failures do not lengthen the
	// wait; see backoff.
	maxFailures = 7
)

// A state holds what the Cache knows about the robots.txt of one site: the last answer, the
// server's failures since then, or both.
type state struct {
	URL     string // the URL of the robots.txt, as robotstxt.Location returns it
	Answer  *answer
	Failure *failure

	packed []byte // compressed body of the Answer; nil if there is no Store
}

// A failure summarizes one or more fetches that failed in a row.
type failure struct {
	Since  time.Time // when the first fetch failed
	Last   time.Time // when the last fetch failed
	Retry  time.Time // when to try again
	Fresh  time.Time // when the Answer stops being fresh; zero if there was no fresh Answer when the last fetch failed
	Count  int       // number of failed fetches, at most maxFailures
	Status int       // status of the last response; 0 if there was none
	Error  string    // text of the last error

	err error // the last error itself; if the failure was read from the Store, a new error with the text of the field Error
}

// validate returns an error if the state is impossible, for example if the state has neither an
// answer nor a failure.
func (s *state) validate() error {
	if s.Answer == nil && s.Failure == nil {
		return fmt.Errorf("the state has neither an answer nor a failure")
	}
	epoch := time.Unix(0, 0)
	if s.Answer != nil && s.Answer.Time.Before(epoch) {
		return fmt.Errorf("the answer has the impossible time %v", s.Answer.Time)
	}
	f := s.Failure
	if f == nil {
		return nil
	}
	if f.Count < 1 || f.Count > maxFailures || f.Since.Before(epoch) || f.Last.Before(f.Since) ||
		f.Retry.Before(f.Last) || f.Retry.After(f.Last.Add(day)) {
		return fmt.Errorf("the failures in the state are impossible: %d failures, first at %v, last at %v, next try at %v", f.Count, f.Since, f.Last, f.Retry)
	}
	return nil
}

// dropFutureTimes corrects a state that was stored by a machine with a wrong clock. If the time of
// the last failure is more than clockSkew after now, dropFutureTimes removes the failure. If the
// time of the answer is more than clockSkew after now, dropFutureTimes sets this time to 1970, so
// that the answer has expired.
func (s *state) dropFutureTimes(now time.Time) {
	latest := now.Add(clockSkew)
	if f := s.Failure; f != nil && f.Last.After(latest) {
		s.Failure = nil
	}
	if s.Answer != nil && s.Answer.Time.After(latest) {
		s.Answer.Time = time.Unix(0, 0)
	}
}

// An entry holds the state of one site in memory. It does not change after it has been stored.
type entry struct {
	state
	file  *robotstxt.File  // the parsed Answer
	group *robotstxt.Group // the crawler's group in file

	fresh   time.Time // until this time, the method result uses the Answer and ignores the Failure
	expires time.Time // when to ask the server again; zero means now
	renew   time.Time // when to start renewing the Answer in the background

	forgotten bool // the method forget made this entry
	weight    int64
}

func newEntry(url string) *entry { return &entry{state: state{URL: url}} }

// isUsable reports whether the entry can be used without a fetch, because it has not expired.
// If ahead is true, the entry must also not be due for renewal.
func (e *entry) isUsable(now time.Time, ahead bool) bool {
	if ahead {
		return now.Before(e.renew)
	}
	return now.Before(e.expires)
}

// forget returns an expired copy of the entry. The Cache uses the file in this copy only if the
// server fails.
func (e *entry) forget() *entry {
	return &entry{state: e.state, file: e.file, group: e.group, forgotten: true}
}

// next returns the entry that replaces e after the fetch with the result f. The caller must complete
// it.
func (e *entry) next(f fetchResult, now time.Time) *entry {
	switch a := f.answer; {
	case f.err != nil:
		return e.failed(&answer{Time: now}, f.err)
	case access(a.Status) == robotstxt.FileUnreachable:
		return e.failed(a, fmt.Errorf("robotshttp: status %d %s", a.Status, http.StatusText(a.Status)))
	case a.notModified:
		return &entry{state: state{URL: e.URL, Answer: a, packed: e.packed}, file: e.file}
	default:
		return &entry{state: state{URL: e.URL, Answer: a}, file: fromStatus(a.Status, f.body)}
	}
}

// failed returns the entry that replaces e after a failed fetch. The new entry keeps the
// Answer of e until the Answer expires. If the Answer is a file, the new entry keeps even an
// expired Answer.
func (e *entry) failed(a *answer, err error) *entry {
	f := &failure{Since: a.Time, Last: a.Time, Count: 1, Status: a.Status, Error: err.Error(), err: err}
	if p := e.Failure; p != nil && f.Last.Sub(p.Last) < patience {
		f.Since, f.Count = p.Since, min(p.Count+1, maxFailures)
	}
	if _, ok := errors.AsType[localError](err); ok {
		f.Since = f.Last // else a blocked host would be allowed after 30 days
	}
	f.Retry = f.Last.Add(backoff(f.Count, a.Header, f.Last))
	if f.Last.Before(e.fresh) {
		f.Fresh = e.fresh
	} else if !e.hasFile() {
		return &entry{state: state{URL: e.URL, Failure: f}}
	}
	return e.withFailure(f)
}

// withFailure returns a copy of the entry with the failure f.
func (e *entry) withFailure(f *failure) *entry {
	return &entry{state: state{URL: e.URL, Answer: e.Answer, Failure: f, packed: e.packed}, file: e.file}
}

// hasFile reports whether the Answer contains a robots.txt file. The file may have expired.
func (e *entry) hasFile() bool { return e.Answer != nil && e.Answer.hasFile() }

// time returns the time of the last failure or, if there is no failure, of the answer. If there is
// neither, the result is zero.
func (e *entry) time() time.Time {
	switch {
	case e.Failure != nil:
		return e.Failure.Last
	case e.Answer != nil:
		return e.Answer.Time
	}
	return time.Time{}
}

// complete sets the fields of an entry that depend on the Cache. The time of the
// Answer may be in the future, if a machine whose clock is ahead stored it. In that case,
// complete assumes that the Answer has just arrived.
func (c *Cache) complete(e *entry, now time.Time) {
	if e.Answer != nil && c.DisallowRefused && isRefusal(e.Answer.Status) {
		e.file = robotstxt.Unreachable()
	}
	if e.file != nil {
		e.group = e.file.Group(c.agents...)
	}
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

// jitter returns a random duration of up to d/n. It keeps processes from doing the same
// thing at the same time.
func jitter(d time.Duration, n float64) time.Duration {
	return time.Duration(rand.Float64() * float64(d) / n)
}

// result returns the Result for the entry at the given time. The parameter outcome says how the
// Cache got the entry. If the entry has a fresh file, the Result has this Outcome. Otherwise,
// result sets the Outcome to Stale, Unavailable or Unreachable.
func (e *entry) result(now time.Time, outcome Outcome) Result {
	r := Result{File: e.file, Outcome: outcome, Expires: e.expires, URL: e.URL, group: e.group}
	if a := e.Answer; a != nil {
		r.Since, r.FinalURL, r.Status = a.Time, a.From, a.Status
		switch {
		case a.hasFile():
		case e.file.Access() == robotstxt.FileUnreachable:
			r.Outcome = Refused
		default:
			r.Outcome = Unavailable
		}
	}
	f := e.Failure
	switch {
	case f == nil:
		return r
	case now.Before(e.fresh): // the renewal failed
		if r.Outcome == Fetched {
			r.Outcome = Cached
		}
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

// weigh estimates how much memory the entry takes, in bytes. The constants come from
// measurements.
func (e *entry) weigh() int64 {
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
		n += 160 + 2*len(f.Error) // twice, because f.err also contains the text
	}
	return int64(n)
}
