package lint

import (
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A word is a key or a token.
type word struct {
	usual  string // the usual spelling
	folded string // what is compared: the result of lex.Letters for a key, and of lex.Fold for a token
}

// keys are the keys of the protocol, and Crawl-delay.
var keys = []word{
	{"User-agent", "useragent"},
	{"Disallow", "disallow"},
	{"Sitemap", "sitemap"},
	{"Crawl-delay", "crawldelay"},
	{"Allow", "allow"},
}

// similarKey returns the key of the protocol that another key misspells by one letter, or "".
func similarKey(key string) string { return similar(keys, lex.Letters(key)) }

// longTokens are the tokens of well-known crawlers that have at least 8 letters. A name that differs by
// a letter from a shorter token often belongs to another crawler.
var longTokens = func() (tokens []word) {
	const fewestLetters = 8
	for _, c := range crawlers.All() {
		if len(c.Token) >= fewestLetters {
			tokens = append(tokens, word{c.Token, lex.Fold(c.Token)})
		}
	}
	return tokens
}()

// similarToken returns the token of a well-known crawler that a token misspells by one letter, or "".
// It accepts a token that adds a suffix to a known one, such as SemrushBot-SA.
func similarToken(token string) string {
	stem, _, _ := strings.Cut(token, "-")
	if _, ok := crawlers.Find(stem); ok {
		return ""
	}
	return similar(longTokens, lex.Fold(token))
}

// similar returns the first of the words that is at most one edit away from a folded word, or "".
func similar(words []word, folded string) string {
	for _, w := range words {
		if hasAtMostOneEdit(w.folded, folded) {
			return w.usual
		}
	}
	return ""
}

// hasAtMostOneEdit reports whether a is b, or becomes b if one byte is added, removed or replaced, or if
// two neighbors are swapped.
func hasAtMostOneEdit(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	isSwap := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return len(a) <= 1 && len(b) <= 1 || isSwap
}
