// Package shared calls the Store that several processes share. Each method of [Store] is one thing
// that is asked of it. A method limits the time and the number of calls, tries again where that
// helps, and keeps account of whether the Store works. It does not know what the values mean.
package shared

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
)

// A Store calls the user's Store. Use New to make one. It is safe for concurrent use.
type Store struct {
	values values
	lease  Lease // nil if the user's Store does not lend sites
	holder string
	health health
}

// values is the interface Store of package robotshttp.
type values interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Lease is the method Lease of a Lender of package robotshttp.
type Lease func(ctx context.Context, key string, r pace.Request) (pace.Lease, error)

// valueTime is the time after which a value expires. After that, a Cache treats the site as new.
const valueTime = 30 * 24 * time.Hour

// maxPause is the longest pause. A Store that says more is wrong.
const maxPause = 24 * time.Hour

// maxOthers is more processes than a fleet has.
const maxOthers = 10_000

// CallTime is the longest time that a call can take after it has begun.
const CallTime = callTries * callTimeout

// New returns a Store that calls the given Store of the user. If values is nil, Get finds nothing, and
// no other method may be called. If lease is nil, the Store lends nothing. The holder is the name of
// this process.
func New(values values, lease Lease, holder string, logger func() *slog.Logger) *Store {
	return &Store{values: values, lease: lease, holder: holder, health: health{logger: logger, window: newWindow()}}
}

// Lends reports whether Lease and Lock can be called.
func (s *Store) Lends() bool { return s.lease != nil }

// Errors returns how many calls have failed or returned an invalid value.
func (s *Store) Errors() int64 { return s.health.errors.Load() }

// Get returns the value of a key, or nil if there is none.
func (s *Store) Get(ctx context.Context, key string) (value []byte, err error) {
	if s.values == nil {
		return nil, nil
	}
	return call(ctx, &s.health, "get", key, func(ctx context.Context) ([]byte, error) {
		value, ok, err := s.values.Get(ctx, key)
		if !ok {
			return nil, err
		}
		return append([]byte{}, value...), err // an empty value is not nil
	})
}

// Failed counts and logs a failure that the caller has found, such as a damaged value from Get. The
// name op says what failed.
func (s *Store) Failed(ctx context.Context, op, key string, err error) {
	s.health.record(ctx, op, key, time.Now(), err)
}

// Set sets the value of a key, and then calls done. If that takes longer than setPatience, Set
// returns early, and the rest happens in the background.
func (s *Store) Set(ctx context.Context, key string, value []byte, done func()) {
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer done()
		_, _ = call(ctx, &s.health, "set", key, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, s.values.Set(ctx, key, value, valueTime)
		})
	}()
	select {
	case <-finished:
	case <-time.After(setPatience):
	}
}

// Lock tries to take the lock of a key, which expires after ttl. A lock is a lease without a Turn, so
// that this process does not wait for it in the queue of the key. The caller must call release, even if
// Lock fails: perhaps the Store has heard the call.
func (s *Store) Lock(ctx context.Context, key string, ttl time.Duration) (ok bool, release func(), err error) {
	l, err := s.Lease(ctx, key, pace.Request{Holder: s.holder, For: ttl}, 0)
	return l.Held, func() {
		if l.Held || err != nil {
			_, _ = s.Lease(ctx, key, pace.Request{Holder: s.holder}, 0)
		}
	}, err
}

// Lease asks for the lease of a key, or gives it back. The longest delay is maxNext; r can show that a
// site has a longer one. An answer with impossible numbers is a failure of the Store.
func (s *Store) Lease(ctx context.Context, key string, r pace.Request, maxNext time.Duration) (pace.Lease, error) {
	return call(ctx, &s.health, "lease", key, func(ctx context.Context) (pace.Lease, error) {
		l, err := s.lease(ctx, key, r)
		if r.Turn <= 0 { // nobody wants to know the time of the next request
			l.Next = 0
		}
		isNegative := min(l.Next, l.Pause, l.Again, l.Clock) < 0 || min(l.Others, l.Place) < 0
		isTooLarge := l.Next > max(maxNext, r.Next, r.Turn) || l.Pause > maxPause || max(l.Others, l.Place) > maxOthers
		if err == nil && (isNegative || isTooLarge) {
			err = fmt.Errorf("robotshttp: impossible answer from the Store: %+v", l)
		}
		return l, err
	})
}
