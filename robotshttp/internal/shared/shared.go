// Package shared calls the Store that several processes share. Each method of [Store] is one thing
// that is asked of it. A method limits the time and the number of calls, tries again where that
// helps, and keeps account of whether the Store works. It does not know what the values mean.
package shared

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/guard"
)

// These are the interfaces of package robotshttp with the same names.
type (
	values interface {
		Get(ctx context.Context, key string) (value []byte, ok bool, err error)
		Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	}
	locker interface {
		Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error)
	}
	pacer interface {
		Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error)
		Pause(ctx context.Context, key string, d time.Duration) error
	}
)

// A Store calls the user's Store. Use New to make one. It is safe for concurrent use.
type Store struct {
	values values
	locker locker // nil if the user's Store is not a Locker
	pacer  pacer  // nil if the user's Store is not a Pacer
	health health
}

// valueTime is the time after which a value expires. After that, a Cache treats the site as new.
const valueTime = 30 * 24 * time.Hour

// maxWait is the longest wait that Reserve may return.
const maxWait = 30 * 24 * time.Hour

// CallTime is the longest time that a call can take after it has begun.
const CallTime = callTries * callTimeout

// New returns a Store that calls the given Store of the user. If this is nil, Get finds nothing, and
// no other method may be called.
func New(store interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}, logger func() *slog.Logger) *Store {
	s := &Store{values: store, health: health{logger: logger, busy: make(chan struct{}, maxCalls)}}
	s.locker, _ = store.(locker)
	s.pacer, _ = store.(pacer)
	return s
}

// HasLocks reports whether Lock can be called.
func (s *Store) HasLocks() bool { return s.locker != nil }

// HasSlots reports whether Reserve and Pause can be called.
func (s *Store) HasSlots() bool { return s.pacer != nil }

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

// Lock tries to take the lock of a key, which expires after ttl. If the lock is not free, release is
// nil.
func (s *Store) Lock(ctx context.Context, key string, ttl time.Duration) (release func(), err error) {
	return call(ctx, &s.health, "lock", key, func(ctx context.Context) (func(), error) {
		unlock, ok, err := s.locker.Lock(ctx, key, ttl)
		if !ok || err != nil {
			return nil, err
		}
		release := func() {
			if err := guard.Call(ctx, s.health.logger, unlock); err != nil {
				s.health.record(ctx, "unlock", key, time.Now(), err)
			}
		}
		if ctx.Err() != nil { // nobody waits for the lock anymore
			release()
			return nil, ctx.Err()
		}
		return release, nil
	})
}

// Reserve takes the next free slot of a key, and returns the time until it begins. If the interval is
// zero, Reserve takes no slot, and returns the time until the key's pause ends.
func (s *Store) Reserve(ctx context.Context, key string, interval time.Duration) (wait time.Duration, err error) {
	return call(ctx, &s.health, "reserve", key, func(ctx context.Context) (time.Duration, error) {
		wait, err := s.pacer.Reserve(ctx, key, interval)
		if err == nil && (wait < 0 || wait > maxWait) {
			err = fmt.Errorf("robotshttp: the Store returned an invalid wait: %v", wait)
		}
		return wait, err
	})
}

// Pause pauses a key for d.
func (s *Store) Pause(ctx context.Context, key string, d time.Duration) {
	_, _ = call(ctx, &s.health, "pause", key, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.pacer.Pause(ctx, key, d)
	})
}
