package errtext

import (
	"errors"
	"testing"
)

// TestOf wants errors without the package that they come from.
func TestOf(t *testing.T) {
	for text, want := range map[string]string{"robotshttp: a: b": "a: b", "robotstxt: a": "a", "open robotshttp: a": "open robotshttp: a"} {
		if got := Of(errors.New(text)); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
