package lex

import (
	"unicode/utf16"
	"unicode/utf8"
)

// UTF8 returns a text in UTF-16, which starts with a byte-order mark, in UTF-8 and
// without the mark. It stops when the result is longer than limit bytes. Half a
// character becomes U+FFFD. All other text is returned as it is.
func UTF8(data []byte, limit int) []byte {
	if len(data) < 2 {
		return data
	}
	var hi, lo int
	switch {
	case data[0] == 0xFE && data[1] == 0xFF:
		hi, lo = 0, 1
	case data[0] == 0xFF && data[1] == 0xFE:
		hi, lo = 1, 0
	default:
		return data
	}
	unit := func(i int) rune {
		if i+1 >= len(data) {
			return utf8.RuneError
		}
		return rune(data[i+hi])<<8 | rune(data[i+lo])
	}
	out := make([]byte, 0, min(len(data)*3/2, limit+utf8.UTFMax))
	for i := 2; i < len(data) && len(out) <= limit; i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, unit(i+2))
			if r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
