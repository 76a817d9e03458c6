package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns s unchanged if all its characters can be printed. Otherwise, it returns s
// quoted and escaped, because an unprintable character could control a terminal or break a
// line.
func Printable(s string) string {
	isOdd := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isOdd) {
		return s
	}
	return strconv.Quote(s)
}
