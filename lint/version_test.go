package lint_test

import (
	"regexp"
	"testing"

	"github.com/robotstxt-go/robotstxt/lint"
)

// Version is the same each time.
func TestVersion(t *testing.T) {
	version := lint.Version()
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(version) || version != lint.Version() {
		t.Errorf("version %q, want the same 16 hexadecimal digits each time", version)
	}
	// A scan asks for it with each file.
	if n := testing.AllocsPerRun(10, func() { lint.Version() }); n > 0 {
		t.Errorf("%v allocations, want the version to be computed once", n)
	}
}
