package robotshttp

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// A panicError reports a panic in the user's code, such as the Store or OverrideStatus. The
// Cache recovers from such panics, because a panic in one of its goroutines would end the
// program.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("robotshttp: panic: %v", e.value) }

// Unwrap returns the value of the panic if it is an error.
func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

// guard calls f. If f panics, guard logs the stack and returns an error.
func guard(ctx context.Context, logger func() *slog.Logger, f func()) error {
	p := recovered(f)
	if p == nil {
		return nil
	}
	_ = recovered(func() {
		logger().LogAttrs(ctx, slog.LevelError, "robots.txt panic",
			slog.Any("value", p.value), slog.String("stack", string(p.stack)))
	})
	return p
}

// recovered calls f. If f panics, recovered returns the panic as a panicError. Otherwise, it
// returns nil.
func recovered(f func()) (p *panicError) {
	defer func() {
		if v := recover(); v != nil {
			p = &panicError{value: v, stack: debug.Stack()}
		}
	}()
	f()
	return nil
}
