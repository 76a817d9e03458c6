package aipref

import (
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

// TestPolicyFor tests groups of a policy token, with a made-up token: the rules decide
// as they do about fetching, and only the group of the token itself counts.
func TestPolicyFor(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: *\nDisallow: /star\n" +
		"User-agent: Made-Up\nDisallow: /\nAllow: /press/\n" +
		"User-agent: Made-Up-Too\nDisallow: /press/\nUser-agent: Made-Up-Too-Too\nDisallow: /press/\n"))
	none := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\nUser-agent: Made\nDisallow: /\n"))
	empty := robotstxt.Parse([]byte("User-agent: made-up\nDisallow:\n"))
	for _, test := range []struct {
		name   string
		file   *robotstxt.File
		url    string
		tokens []string
		value  Value
		line   int
	}{
		{"disallow", file, "/x", []string{"made-up"}, Disallow, 4},
		{"the longest pattern decides", file, "/press/x", []string{"made-up"}, Allow, 5},
		{"the most restrictive token", file, "/press/x", []string{"made-up", "made-up-too"}, Disallow, 7},
		{"of equal ones the first token", file, "/press/x", []string{"made-up-too", "made-up-too-too"}, Disallow, 7},
		{"no tokens", file, "/x", nil, Unknown, 0},
		{"no group of the token", none, "/x", []string{"made-up"}, Unknown, 0},
		{"a group without rules", empty, "/x", []string{"made-up"}, Unknown, 0},
		{"no file", robotstxt.Unreachable(), "/x", []string{"made-up"}, Unknown, 0},
	} {
		want := Preference{Value: test.value, Line: test.line}
		if test.value != Unknown {
			want.Mechanism = policyToken
		}
		if got := policyFor(test.file, test.url, test.tokens).Training; got != want {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
	if got := For(file, "FooBot", "/x").Training; got != (Preference{}) {
		t.Errorf("a token is read that no draft has: %+v", got)
	}
}
