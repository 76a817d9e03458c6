package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns s. It quotes s if a character would control a terminal, cannot be
// shown, or would break a line of a report.
func Printable(s string) string {
	isOdd := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isOdd) {
		return s
	}
	return strconv.Quote(s)
}
