package lint_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
)

// TestCheckParsed wants the findings of Check, whether the checks need the parsed file
// or not.
func TestCheckParsed(t *testing.T) {
	for _, text := range []string{
		"User-agent: *\nDisallow: /a\nDisallow: /a/*\nDisallow: /a\nSitemap: /a\n",
		"User-agent: *\nDisallow: /a\nUser-agent: FooBot\nDisallow: /b\n",
		"<html>\n",
		"",
	} {
		data := []byte(text)
		if diff := cmp.Diff(lint.Check(data), lint.CheckParsed(robotstxt.Parse(data), data)); diff != "" {
			t.Errorf("%q (-Check +CheckParsed):\n%s", text, diff)
		}
	}
}

// TestPageBeyondLimit wants nothing said about a page that crawlers do not get to see.
func TestPageBeyondLimit(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("\n", robotstxt.SizeLimit) + "<html>\n",
		strings.Repeat(" ", robotstxt.SizeLimit) + "<html>\n",
	} {
		findings := lint.Check([]byte(text))
		if len(findings) != 1 || findings[0].Code != "file-too-large" {
			t.Errorf("findings %v, want only file-too-large", findings)
		}
	}
}
