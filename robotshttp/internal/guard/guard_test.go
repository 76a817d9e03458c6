package guard_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/guard"
)

// A function that does not return is an error. A panic is logged with its stack, and even a Logger may
// panic.
func TestCall(t *testing.T) {
	var logged bytes.Buffer
	logger := func() *slog.Logger { return slog.New(slog.NewTextHandler(&logged, nil)) }
	for _, test := range []struct {
		name   string
		f      func()
		logger func() *slog.Logger
		want   string // text of the error; empty for no error
		logs   bool
	}{
		{"returns", func() {}, logger, "", false},
		{"panics", func() { panic("no") }, logger, "robotshttp: panic: no", true},
		{"panics with an error", func() { panic(io.EOF) }, logger, "robotshttp: panic: EOF", true},
		{"panics with nil", func() { panic(nil) }, logger, "panic called with nil argument", true},
		{"ends its goroutine", runtime.Goexit, logger, "robotshttp: a function in the Cache called runtime.Goexit", false},
		{"panics, and so does the Logger", func() { panic("no") }, func() *slog.Logger { panic("log") }, "robotshttp: panic: no", false},
	} {
		logged.Reset()
		err := guard.Call(t.Context(), test.logger, test.f)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if (text == "") != (test.want == "") || !strings.Contains(text, test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
		if got := strings.Contains(logged.String(), "guard_test.go"); got != test.logs {
			t.Errorf("%s: the stack is logged: %t, want %t: %s", test.name, got, test.logs, &logged)
		}
	}
	if err := guard.Recover(func() { panic(io.EOF) }); !errors.Is(err, io.EOF) {
		t.Errorf("%v does not wrap the error with which the function panicked", err)
	}
}
