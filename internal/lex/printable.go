package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// List joins words, as in "a, b and c". If there are more than most of them, it counts the others, as in "a, b, c and
// 4 more", but it never leaves out just one.
func List(words []string, most int) string {
	if more := len(words) - most; more > 1 {
		words = append(words[:most:most], strconv.Itoa(more)+" more")
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Printable returns s unchanged if all its characters can be printed. Otherwise, it returns s
// quoted and escaped, because an unprintable character could control a terminal or break a
// line. The same holds for the start of a workflow command; see [NoCommand].
func Printable(s string) string {
	isOdd := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isOdd) && NoCommand(s) == s {
		return s
	}
	return NoCommand(strconv.Quote(s))
}

// NoCommand escapes "##[" in s. In the log of a GitHub workflow, a command of the old form, such as
// "##[add-mask]", can start anywhere in a line.
func NoCommand(s string) string { return strings.ReplaceAll(s, "##[", `##\x5b`) }
