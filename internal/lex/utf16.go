package lex

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// IsUTF16 reports whether data starts with a byte-order mark of UTF-16.
func IsUTF16(data []byte) bool {
	return len(data) >= 2 && (string(data[:2]) == "\xFE\xFF" || string(data[:2]) == "\xFF\xFE")
}

// UTF8 converts UTF-16 that starts with a byte-order mark to UTF-8, and drops the mark. It
// stops once the result is longer than limit bytes. Half a surrogate pair becomes U+FFFD.
// UTF8 returns other data unchanged.
func UTF8(data []byte, limit int) []byte {
	if !IsUTF16(data) {
		return data
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[0] == 0xFF {
		order = binary.LittleEndian
	}
	unit := func(i int) rune {
		if i+1 >= len(data) {
			return utf8.RuneError
		}
		return rune(order.Uint16(data[i:]))
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
