package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns s, quoted if it has characters that a terminal would obey or could
// not show, or that would break a line of a report.
func Printable(s string) string {
	isOdd := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isOdd) {
		return s
	}
	return strconv.Quote(s)
}
