package robotstxt

import (
	"fmt"
	"testing"
)

func TestString(t *testing.T) {
	file := Parse([]byte("User-agent: FooBot\nUser-agent: Bar\nDisallow: /x\nAllow: /x/\x1by\n\nUser-agent: *\nDisallow: /\n"))
	for _, test := range []struct {
		value any
		want  string
	}{
		{file, `[["FooBot" "Bar"]: ["Disallow: /x" "Allow: /x/\x1by"] ["*"]: ["Disallow: /"]]`},
		{file.Group("Bar"), `["FooBot" "Bar"]: ["Disallow: /x" "Allow: /x/\x1by"]`},
		{new(File), "[]"},
		{new(Group), "[]: []"},
		{Unavailable(), "file unavailable"},
		{Unreachable(), "file unreachable"},
		{NewPattern("/x*"), "/x*"},
	} {
		if got := fmt.Sprint(test.value); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
