package robotshttp

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
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

// A state holds what the Cache knows about the robots.txt of one site: the last response, the
// server's failures since then, or both. The Store keeps states.
type state struct {
	URL      string          // the URL of the robots.txt, as robotstxt.Location returns it
	Response *fetch.Response `json:"Answer"`
	Failure  *failure

	packed []byte // compressed body of the Response; nil if there is no Store
}

// A failure summarizes one or more fetches that failed in a row.
type failure struct {
	Since  time.Time // when the first fetch failed
	Last   time.Time // when the last fetch failed
	Retry  time.Time // when to try again
	Fresh  time.Time // when the Response stops being fresh; zero if there was no fresh Response when the last fetch failed
	Count  int       // number of failed fetches, at most maxFailures
	Status int       // status of the last response; 0 if there was none
	Error  string    // text of the last error

	err error // the last error itself; if the failure was read from the Store, a new error with the text of the field Error
}

// validate returns an error if the state is impossible, for example if the state has neither a
// response nor a failure.
func (s *state) validate() error {
	if s.Response == nil && s.Failure == nil {
		return fmt.Errorf("the state has neither a response nor a failure")
	}
	epoch := time.Unix(0, 0)
	if s.Response != nil && s.Response.Time.Before(epoch) {
		return fmt.Errorf("the response has the impossible time %v", s.Response.Time)
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
// time of the response is more than clockSkew after now, dropFutureTimes sets this time to 1970, so
// that the response has expired.
func (s *state) dropFutureTimes(now time.Time) {
	latest := now.Add(clockSkew)
	if f := s.Failure; f != nil && f.Last.After(latest) {
		s.Failure = nil
	}
	if s.Response != nil && s.Response.Time.After(latest) {
		s.Response.Time = time.Unix(0, 0)
	}
}

// A policy contains the settings of a Cache that decide what an entry means.
type policy struct {
	agents             []string // the crawler's names, in order of preference
	minFresh, maxFresh time.Duration
	disallowRefused    bool
	keepText           bool // there is a Store, which needs the text of each file
}

// An entry holds the state of one site in memory. It does not change after it has been stored.
//
// The life of an entry with a Response and no Failure:
//
//	Response.Time -----------> renew ----------------> fresh, expires --->
//	              used               used, and renewed        used only after
//	                                 in the background        an update
//
// After a failure, renew is the time of the next attempt. If that is before fresh, the picture above
// applies again. If not:
//
//	Failure.Last ------------> fresh ----------------> renew, expires --->
//	              used               used as Stale            used only after
//	                                                          an update
type entry struct {
	state
	parsed
	group *robotstxt.Group // the crawler's group in file

	fresh   time.Time // until this time, the method result uses the Response and ignores the Failure
	expires time.Time // when to ask the server again; zero means now
	renew   time.Time // when to start an update in the background; not after expires

	made     time.Time // when the entry was made
	madeWall time.Time // the same, without the reading of the monotonic clock

	forgotten bool  // the function forget made this entry
	weight    int64 // how much memory the entry takes, in bytes
}

// A parsed is what a Response and its body mean. It is zero if there is no Response.
type parsed struct {
	file         *robotstxt.File
	notRobotsTxt bool // see Result.NotRobotsTxt
}

// parse returns what a response with a status means. The body is empty unless the status means success.
func parse(status int, body []byte) parsed {
	_, notRobotsTxt := robotstxt.NotRobotsTxt(body)
	return parsed{fetch.FileFor(status, body), notRobotsTxt}
}

// newEntry returns the entry for a state at the time now. The parameter f is the parsed Response.
// The time of the Response may be in the future, if a machine whose clock is ahead stored it. In that
// case, newEntry assumes that the Response has just arrived.
func newEntry(s state, f parsed, p policy, now time.Time) *entry {
	e := &entry{state: s, parsed: f, made: now, madeWall: now.Round(0)}
	if e.Response != nil && p.disallowRefused && isRefusal(e.Response.Status) {
		e.file = robotstxt.Unreachable()
	}
	if e.file != nil {
		e.group = e.file.Group(p.agents...)
	}
	var end time.Time
	if r := e.Response; r != nil {
		d := lifetime(r.Header, r.Time, p)
		end = earlier(r.Time, now).Add(d)
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
	e.weight = weigh(e)
	return e
}

// unknown returns the entry for a site of which nothing is known. It has expired.
func unknown(location string) *entry {
	e := &entry{state: state{URL: location}}
	e.weight = weigh(e)
	return e
}

// forget returns an expired copy of an entry. The Cache uses the file in this copy only if the
// server fails.
func forget(e *entry) *entry {
	return &entry{state: e.state, parsed: e.parsed, group: e.group, forgotten: true, weight: e.weight}
}

// afterFetch returns the entry that replaces old after a fetch with the result f.
func afterFetch(old *entry, f fetch.Result, p policy, now time.Time) *entry {
	r := f.Response
	if f.Err != nil {
		return afterFailure(old, &fetch.Response{Time: now}, f.Err, p, now)
	}
	if f.NotModified {
		return newEntry(state{URL: old.URL, Response: r, packed: old.packed}, old.parsed, p, now)
	}
	content := parse(r.Status, f.Body)
	if content.file.Access() == robotstxt.FileUnreachable {
		return afterFailure(old, r, fmt.Errorf("robotshttp: status %d %s", r.Status, http.StatusText(r.Status)), p, now)
	}
	s := state{URL: old.URL, Response: r}
	if p.keepText {
		s.packed = pack(f.Body)
	}
	return newEntry(s, content, p, now)
}

// afterFailure returns the entry that replaces old after a failed fetch. If there was no response, only the
// Time of r is set. The new entry keeps the Response of old until it expires. If this Response is a file, the
// new entry keeps it even after that.
func afterFailure(old *entry, r *fetch.Response, err error, p policy, now time.Time) *entry {
	f := &failure{Since: r.Time, Last: r.Time, Count: 1, Status: r.Status, Error: err.Error(), err: err}
	if before := old.Failure; before != nil && f.Last.Sub(before.Last) < patience {
		f.Since, f.Count = before.Since, min(before.Count+1, maxFailures)
	}
	if _, ok := errors.AsType[fetch.LocalError](err); ok {
		f.Since = f.Last // else a blocked host would be allowed after 30 days
	}
	f.Retry = f.Last.Add(backoff(f.Count, r.Header, f.Last))
	if old.isBefore(now, old.fresh) {
		f.Fresh = old.fresh
	} else if !old.hasFile() {
		return newEntry(state{URL: old.URL, Failure: f}, parsed{}, p, now)
	}
	return withFailure(old, f, p, now)
}

// withFailure returns a copy of an entry with the failure f.
func withFailure(e *entry, f *failure, p policy, now time.Time) *entry {
	return newEntry(state{URL: e.URL, Response: e.Response, Failure: f, packed: e.packed}, e.parsed, p, now)
}

// merge returns the newer of two entries for the same site, even if it has expired. If the newer
// entry is only a Failure, without a Response, and the older entry has a file, merge returns a copy
// of the older entry with that Failure. If mine is a forgotten entry, the result is one, too.
func merge(mine, stored *entry, p policy, now time.Time) *entry {
	newer, older := mine, stored
	if stored.time().After(mine.time()) {
		newer, older = stored, mine
	}
	if newer.Failure != nil && newer.Response == nil && older.hasFile() {
		newer = withFailure(older, newer.Failure, p, now)
	}
	if mine.forgotten {
		newer = forget(newer)
	}
	return newer
}

// isUsable reports whether the entry can be used without a fetch, because it has not expired.
// If ahead is true, the entry must also not be due for renewal.
func (e *entry) isUsable(now time.Time, ahead bool) bool {
	if ahead {
		return e.isBefore(now, e.renew)
	}
	return e.isBefore(now, e.expires)
}

// isBefore reports whether now is before t, a time of the entry, by the monotonic clock and by the
// wall clock. On many systems, the monotonic clock stands still while the computer is suspended. The
// wall clock can be set back.
func (e *entry) isBefore(now, t time.Time) bool {
	elapsed := max(now.Sub(e.made), now.Round(0).Sub(e.madeWall)) // Round strips the monotonic clock
	return elapsed < t.Sub(e.made)
}

// hasFile reports whether the Response contains a robots.txt file. The file may have expired.
func (e *entry) hasFile() bool { return e.Response != nil && e.Response.HasFile() }

// time returns the time of the last failure or, if there is no failure, of the response. If there is
// neither, the result is zero.
func (e *entry) time() time.Time {
	switch {
	case e.Failure != nil:
		return e.Failure.Last
	case e.Response != nil:
		return e.Response.Time
	}
	return time.Time{}
}

// isRefusal reports whether a status means that the server refuses access; see
// Cache.DisallowRefused.
func isRefusal(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
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

// result stores the Result for the entry at the given time in r. The parameter outcome says how the
// Cache got the entry. If the entry has a fresh file, the Result has this Outcome. Otherwise,
// result sets the Outcome to Stale, Unavailable or Unreachable.
func (e *entry) result(r *Result, now time.Time, outcome Outcome) {
	*r = Result{File: e.file, Outcome: outcome, NotRobotsTxt: e.notRobotsTxt, Expires: e.expires, URL: e.URL, group: e.group}
	if a := e.Response; a != nil {
		r.Since, r.FinalURL, r.Status = a.Time, a.From, a.Status
		switch {
		case a.HasFile():
		case e.file.Access() == robotstxt.FileUnreachable:
			r.Outcome = Refused
		default:
			r.Outcome = Unavailable
		}
	}
	f := e.Failure
	switch {
	case f == nil:
		return
	case e.isBefore(now, e.fresh): // the renewal failed
		if r.Outcome == Fetched {
			r.Outcome = Cached
		}
		return
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
}

// weigh estimates how much memory an entry takes, in bytes. The constants come from
// measurements.
func weigh(e *entry) int64 {
	n := 350 + len(e.URL) + len(e.packed)
	if a := e.Response; a != nil {
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
