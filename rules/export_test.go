package rules

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// Decided returns a URL that the rule on a line decides, if there is one.
func Decided(g *robotstxt.Group, line int) (url string, ok bool) {
	s := newRuleset(g)
	f := newFinder(s)
	patterns := s.ofLine(line)
	for i := range patterns {
		if target, end := f.find(&patterns[i]); end == found {
			return urlOf(target), true
		}
	}
	return "", false
}

// Matches reports whether a pattern matches a target according to the code for searches.
func Matches(written, target string) bool {
	patterns := compile(nil, robotstxt.Rule{Pattern: written})
	return patterns[0].matches(target)
}

// URLOf returns a URL with the target.
func URLOf(target string) string { return urlOf(target) }

// IsTarget reports whether a search can produce a target.
func IsTarget(target string) bool {
	at, ok := inPath, strings.HasPrefix(target, "/")
	for i := 0; i < len(target) && ok; i++ {
		c := target[i]
		if c != '%' && strings.IndexByte(ordinary, c) < 0 {
			return false
		}
		at, _, ok = advance(at, c)
	}
	return ok
}

// TokenFor returns the token of the file whose group an agent obeys, as Diff finds it.
func TokenFor(f *robotstxt.File, agent string) string { return newFileRules(f).tokenFor(agent) }
