package known

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Misspelled returns the token of a well-known crawler that a token in a file misspells by one letter, or "".
// It accepts a token that adds a suffix to a known one, such as SemrushBot-SA. It returns only tokens that
// have at least 8 letters: a name that differs by a letter from a shorter one often belongs to another crawler.
func Misspelled(token string) string { return misspelled(token, 8) }

// MisspelledAgent is like Misspelled for the name that a user gives, who can say best what is meant: it also
// returns shorter tokens, such as GPTBot.
func MisspelledAgent(token string) string { return misspelled(token, 6) }

func misspelled(token string, fewestLetters int) string {
	stem, _, _ := strings.Cut(token, "-")
	for _, known := range []string{token, stem} {
		if _, ok := crawlers.Lookup(known); ok {
			return ""
		}
	}
	folded := lex.Fold(token)
	for _, w := range words {
		if len(w.token) >= fewestLetters && lex.HasAtMostOneEdit(w.folded, folded) {
			return w.token
		}
	}
	return ""
}

// words are the tokens of well-known crawlers.
var words = func() (tokens []word) {
	for _, c := range all {
		tokens = append(tokens, word{c.Token, lex.Fold(c.Token)})
	}
	return tokens
}()

type word struct{ token, folded string }

// wordsForAll are words that authors write in place of "*", in folded form.
var wordsForAll = []string{"all", "any", "every", "everyone", "everybody", "todos", "tous", "alle"}

// IsWordForAll reports whether a name on a user-agent line is a word that authors write in place of "*".
// No crawler can have this name.
func IsWordForAll(name string) bool { return slices.Contains(wordsForAll, lex.Fold(name)) }
