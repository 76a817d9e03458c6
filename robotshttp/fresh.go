package robotshttp

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// lifetime returns how long a response may be used after its arrival. The result is between minFresh
// and maxFresh.
func lifetime(h http.Header, came time.Time, p policy) time.Duration {
	// The Age header says how long ago the server sent the answer. If the server
	// states a lifetime, it began at that moment. The default lifetime (RFC 9309, section 2.4)
	// begins only when the crawler receives the file.
	d, ok := statedLifetime(h, came)
	if ok {
		d = max(d, 0) - age(h)
	} else {
		d = day
	}
	return min(max(d, p.minFresh), p.maxFresh)
}

// statedLifetime returns the lifetime that the server states in the header (RFC 9111, section
// 4.2.1). If the header states no lifetime, ok is false. A malformed lifetime counts as zero
// (section 4.2.1, last paragraph).
func statedLifetime(h http.Header, came time.Time) (d time.Duration, ok bool) {
	if d, ok := cacheControl(h); ok {
		return d, true
	}
	if h.Get("Expires") == "" {
		return 0, false
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return 0, true
	}
	return expires.Sub(date(h, came)), true
}

// cacheControl returns the shortest lifetime in the Cache-Control directives, if there is one
// (RFC 9111, section 5.2.2). For simplicity, it splits the header at all commas, even in quoted
// strings: a wrong lifetime does little harm, because MinFresh and MaxFresh limit it.
func cacheControl(h http.Header) (d time.Duration, ok bool) {
	d = math.MaxInt64
	for directive := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(directive, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "no-cache", "no-store":
			return 0, true
		case "max-age":
			seconds, _ := parseSeconds(strings.Trim(strings.TrimSpace(value), `"`))
			d, ok = min(d, seconds), true
		}
	}
	return d, ok
}

// age returns the Age header, or zero if there is none (RFC 9111, section 5.1).
func age(h http.Header) time.Duration {
	d, _ := parseSeconds(h.Get("Age"))
	return d
}

// date returns the Date header, or the time of arrival if there is none (RFC 9110, section
// 6.6.1).
func date(h http.Header, came time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return came
}

// backoff returns the wait after n failures in a row. With a Retry-After header, the wait is
// the time in the header, but at least a minute and at most a day. Without the header, the wait
// is a minute after the first failure, and doubles with each further failure, up to an hour.
func backoff(n int, h http.Header, came time.Time) time.Duration {
	if d, ok := retryAfter(h, came); ok {
		return min(max(d, time.Minute), day)
	}
	return min(time.Minute<<(n-1), time.Hour)
}

// retryAfter returns the wait in a Retry-After header (RFC 9110, section 10.2.3). The header
// contains a number of seconds or a date. Zero seconds and a date in the past are no wait: a server
// that fails and says so has not thought about it, so ok is false.
func retryAfter(h http.Header, came time.Time) (d time.Duration, ok bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := parseSeconds(value); ok {
		return d, d > 0
	}
	t, err := http.ParseTime(value)
	d = t.Sub(date(h, came))
	return d, err == nil && d > 0
}

// parseSeconds parses a number of seconds in decimal digits. If the number is too large for a
// Duration, parseSeconds returns the largest number of seconds that fits (RFC 9111, section
// 1.2.2).
func parseSeconds(s string) (d time.Duration, ok bool) {
	const most = math.MaxInt64 / int64(time.Second)
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return time.Duration(min(n, uint64(most))) * time.Second, true
}
