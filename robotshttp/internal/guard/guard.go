// Package guard calls functions of the user, such as the methods of a Store, which may panic or call
// runtime.Goexit.
package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// A panicError reports a panic in the user's code, such as the Store or OverrideStatus. A panic in a
// goroutine of the Cache would end the program.
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

var errGoexit = errors.New("robotshttp: a function in the Cache called runtime.Goexit")

// Call calls f, which may call the user's code. If f panics, Call logs the stack. It returns an
// error if f does not return.
func Call(ctx context.Context, logger func() *slog.Logger, f func()) error {
	err := Recover(f)
	if p, ok := err.(*panicError); ok {
		_ = Recover(func() {
			logger().LogAttrs(ctx, slog.LevelError, "robots.txt panic",
				slog.Any("value", p.value), slog.String("stack", string(p.stack)))
		})
	}
	return err
}

// Recover calls f, and returns an error if f panics or calls runtime.Goexit. A new goroutine calls
// f, because Goexit ends the goroutine, and others may wait for it.
func Recover(f func()) error {
	done := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() {
			if v := recover(); v != nil {
				err = &panicError{value: v, stack: debug.Stack()}
			}
			done <- err
		}()
		f()
		err = nil
	}()
	return <-done
}
