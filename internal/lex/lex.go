// Package lex contains the rules for characters that several packages of this module need:
// how keys and product tokens are recognized and compared, which characters are blank,
// escaped or printed, and how a number of seconds is read.
//
// Its functions accept any bytes, as a slice or a string, and keep no reference to them.
// A byte that is not UTF-8 counts as a character that equals only itself.
package lex

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Letters returns the ASCII letters of a key in lower case. Keys with the same letters are
// the same key: "User-Agent", "user agent" and "USER_AGENT".
func Letters[S []byte | string](key S) string {
	var buf [64]byte
	return string(AppendLetters(buf[:0], key))
}

// AppendLetters appends the result of Letters to dst.
func AppendLetters[S []byte | string](dst []byte, key S) []byte {
	for i := range len(key) {
		if c := key[i] | 0x20; 'a' <= c && c <= 'z' {
			dst = append(dst, c)
		}
	}
	return dst
}

// Fold returns s in folded form: strings that differ only by case have the same folded
// form (Unicode simple folding). ASCII letters become lower case.
func Fold[S []byte | string](s S) string {
	if !CharsOf(s).HasAny(Capitals | NonASCII) {
		return string(s)
	}
	var buf [64]byte
	return string(AppendFold(buf[:0], s))
}

// AppendFold appends the result of Fold to dst.
func AppendFold[S []byte | string](dst []byte, s S) []byte {
	start := len(dst)
	dst = append(dst, s...)
	for i := start; i < len(dst); i++ {
		switch c := dst[i]; {
		case c >= utf8.RuneSelf:
			return appendFoldRunes(dst[:i], s[i-start:])
		case 'A' <= c && c <= 'Z':
			dst[i] = c | 0x20
		}
	}
	return dst
}

// appendFoldRunes does the work of AppendFold for text with characters outside ASCII.
func appendFoldRunes[S []byte | string](dst []byte, s S) []byte {
	for len(s) > 0 {
		r, size := decode(s)
		if r == utf8.RuneError {
			dst = append(dst, s[:size]...) // U+FFFD, or a byte that is not UTF-8
		} else {
			dst = utf8.AppendRune(dst, foldRune(r))
		}
		s = s[size:]
	}
	return dst
}

// foldRune returns the same character for all characters that differ only by case: the one
// with the lowest code point. But it returns ASCII letters in lower case.
func foldRune(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if 'A' <= least && least <= 'Z' {
		least |= 0x20
	}
	return least
}

// decode returns the first character of s and its size.
func decode[S []byte | string](s S) (r rune, size int) {
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}

// IsBlank reports whether r is invisible: white space, a control character or a
// format character such as a byte-order mark or a zero-width space.
func IsBlank(r rune) bool { return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf) }

// IsGraphic reports whether c is a visible ASCII character.
func IsGraphic(c byte) bool { return ' ' < c && c < 0x7F }

// Trim returns s without the blank characters at both ends.
func Trim[S []byte | string](s S) S { return TrimRight(TrimLeft(s)) }

// TrimLeft returns s without the blank characters at its start.
func TrimLeft[S []byte | string](s S) S {
	start := 0
	for start < len(s) && (s[start] == ' ' || s[start] == '\t') { // most blanks
		start++
	}
	for start < len(s) && !IsGraphic(s[start]) {
		if s[start] < utf8.RuneSelf {
			start++ // all ASCII characters are graphic or blank
			continue
		}
		r, size := decode(s[start:])
		if !IsBlank(r) {
			break
		}
		start += size
	}
	return s[start:]
}

// TrimRight returns s without the blank characters at its end.
func TrimRight[S []byte | string](s S) S {
	end := len(s)
	for end > 0 && !IsGraphic(s[end-1]) {
		if s[end-1] < utf8.RuneSelf {
			end--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(string(s[max(0, end-utf8.UTFMax):end]))
		if !IsBlank(r) {
			break
		}
		end -= size
	}
	return s[:end]
}

// Seconds reads a plain decimal number of seconds, such as "10", "0.5" or ".5". For a
// number that is too large for a Duration, it returns the longest Duration.
func Seconds(s string) (d time.Duration, ok bool) {
	const digits = "0123456789"
	if strings.Trim(s, digits+".") != "" || !strings.ContainsAny(s, digits) || strings.Count(s, ".") > 1 {
		return 0, false
	}
	d, err := time.ParseDuration(s + "s")
	if err != nil {
		d = math.MaxInt64 // the checks above leave only one error: the number is too large
	}
	return d, true
}
