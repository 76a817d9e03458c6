package shared

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/guard"
)

const (
	// callTimeout is the longest time to wait for a call of a Store.
	callTimeout = time.Second

	// callTries is the largest number of attempts for a call. After an attempt, there is
	// another one only if the attempt took longer than callTimeout.
	callTries = 2

	// restTime is how long a Store that was too slow is not called.
	restTime = time.Second

	// warnInterval is the shortest time between two warnings that the Store fails.
	warnInterval = time.Minute

	// setPatience is how long a fetch waits for Set. Without this wait, a process that exits
	// right after a fetch would not save the file.
	setPatience = callTimeout / 10
)

// A health records how the calls of a Store end, and so whether the Store works; see call.
type health struct {
	logger func() *slog.Logger
	errors atomic.Int64
	window *window // a call that waits for it has not begun, so load does not look like a failure

	mu     sync.Mutex
	worked time.Time // when the latest successful call ended
	rest   time.Time // when to call the Store again; zero unless the Store was too slow
	warned time.Time // when the log last said that the Store fails
}

var errResting = errors.New("robotshttp: store skipped: its last call timed out")

// call runs a function that calls the Store, when the window lets it, and returns the function's results. It
// stops waiting for the function after callTimeout, and then tries once more.
func call[T any](ctx context.Context, h *health, op, key string, run func(context.Context) (T, error)) (value T, err error) {
	for try := 1; ; try++ {
		if h.isResting() {
			return value, errResting
		}
		select {
		case <-h.window.free:
		case <-ctx.Done():
			return value, ctx.Err()
		}
		start := time.Now()
		value, err = limited(ctx, h.logger, run)
		h.window.leave(start)
		if err != nil && hasEnded(ctx) { // the Store did not fail
			return value, err
		}
		if !errors.Is(err, context.DeadlineExceeded) || try == callTries {
			h.record(ctx, op, key, start, err)
			return value, err
		}
	}
}

// hasEnded reports whether a context has ended. When its deadline passes, its error may not be set yet.
func hasEnded(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) <= 0
}

// limited runs a call in a new goroutine and stops waiting for it after callTimeout.
func limited[T any](ctx context.Context, logger func() *slog.Logger, run func(context.Context) (T, error)) (value T, err error) {
	type result struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		if err := guard.Call(ctx, logger, func() { r.value, r.err = run(ctx) }); err != nil {
			r.err = err
		}
		done <- r
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// isResting reports whether the Store must not be called now, because a call was too slow. When the rest is
// over, the first caller may try whether the Store works again, and another rest begins for the others.
func (h *health) isResting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if now.Before(h.rest) {
		return true
	}
	if !h.rest.IsZero() {
		h.rest = now.Add(restTime)
	}
	return false
}

// record records the outcome of a call that began at start, and logs it if note says so. It does not wait
// for the log's handler, which may need the result of the call itself.
func (h *health) record(ctx context.Context, op, key string, start time.Time, err error) {
	if h.note(start, err) {
		go guard.Recover(func() {
			h.logger().LogAttrs(ctx, slog.LevelWarn, "robots.txt store fails",
				slog.String("op", op), slog.String("key", key), slog.Any("error", err))
		})
	}
}

// note notes the outcome of a call that began at start. If the call was too slow, and no other call has
// succeeded meanwhile, the Store rests. The result says whether to log the outcome: a failure, if none
// was logged within warnInterval.
func (h *health) note(start time.Time, err error) (isNews bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if err == nil {
		h.worked, h.rest = now, time.Time{}
		return false
	}
	h.errors.Add(1)
	if errors.Is(err, context.DeadlineExceeded) && h.worked.Before(start) {
		h.rest = now.Add(restTime)
	}
	if now.Sub(h.warned) < warnInterval {
		return false
	}
	h.warned = now
	return true
}
