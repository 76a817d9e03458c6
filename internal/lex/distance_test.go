package lex_test

import (
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3},
		{"abc", "abxc", 1}, {"abc", "ac", 1}, {"abc", "axc", 1}, {"abc", "bac", 1}, {"abcd", "abdc", 1},
		{"abc", "cab", 2}, {"abcd", "badc", 2}, {"ca", "abc", 3}, {"kitten", "sitting", 3},
	} {
		if got := lex.Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
