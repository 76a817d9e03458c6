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
}
