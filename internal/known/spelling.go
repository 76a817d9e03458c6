package known

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// longTokens are the tokens of well-known crawlers that have at least 8 letters. A name that differs by
// a letter from a shorter token often belongs to another crawler.
var longTokens = func() (tokens []word) {
	const fewestLetters = 8
	for _, c := range all {
		if len(c.Token) >= fewestLetters {
			tokens = append(tokens, word{c.Token, lex.Fold(c.Token)})
		}
	}
	return tokens
}()

type word struct{ token, folded string }

// Misspelled returns the token of a well-known crawler that a token misspells by one letter, or "".
// It accepts a token that adds a suffix to a known one, such as SemrushBot-SA.
func Misspelled(token string) string {
	stem, _, _ := strings.Cut(token, "-")
	for _, known := range []string{token, stem} {
		if _, ok := crawlers.Find(known); ok {
			return ""
		}
	}
	folded := lex.Fold(token)
	for _, w := range longTokens {
		if lex.HasAtMostOneEdit(w.folded, folded) {
			return w.token
		}
	}
	return ""
}

// wordsForAll are words that authors write in place of "*", in folded form.
var wordsForAll = []string{"all", "any", "every", "everyone", "everybody", "todos", "tous", "alle"}

// IsWordForAll reports whether a name on a user-agent line is a word that authors write in place of "*".
// No crawler can have this name.
func IsWordForAll(name string) bool { return slices.Contains(wordsForAll, lex.Fold(name)) }
