package lex

import "strings"

// AppendCanonical appends the canonical form of a path and query, or of a pattern: it
// decodes escapes of unreserved characters, writes all other escapes in upper case,
// and escapes all octets that need it (RFC 9309, section 2.2.2). It keeps a "%" that does
// not start an escape.
func AppendCanonical[S []byte | string](dst []byte, s S) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		escape := !IsLegal(c)
		if c == '%' {
			if d, ok := Unescape(s[i:]); ok {
				c, escape = d, !IsUnreserved(d)
				i += len("XX")
			}
		}
		if escape {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendSpelling appends s, a canonical pattern or path, in the spelling in which patterns
// and paths are compared. It decodes "%24" to "$". The caller sets hasQuery for a pattern
// that contains "?", and for a path that is compared with such patterns. If hasQuery is
// true, AppendSpelling also decodes "%3A" to ":" and "%2F" to "/" after the first "?" (RFC
// 9309, section 2.2.2, figure 4).
func AppendSpelling(dst []byte, s string, hasQuery bool) []byte {
	inQuery := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		inQuery = inQuery || hasQuery && c == '?'
		switch rest := s[i:]; {
		case c != '%':
		case strings.HasPrefix(rest, "%24"):
			c, i = '$', i+len("24")
		case inQuery && strings.HasPrefix(rest, "%3A"):
			c, i = ':', i+len("3A")
		case inQuery && strings.HasPrefix(rest, "%2F"):
			c, i = '/', i+len("2F")
		}
		dst = append(dst, c)
	}
	return dst
}

// Unescape decodes the escape %XX at the start of s, if there is one.
func Unescape[S []byte | string](s S) (c byte, ok bool) {
	if len(s) < len("%XX") || s[0] != '%' {
		return 0, false
	}
	hi, lo := hexValue(s[1]), hexValue(s[2])
	return byte(hi<<4 | lo), hi >= 0 && lo >= 0
}

// hexValue returns the value of a hex digit, or -1.
func hexValue(c byte) int {
	if c >= 'a' {
		c -= 'a' - 'A'
	}
	return strings.IndexByte("0123456789ABCDEF", c)
}

// IsUnreserved reports whether an octet never needs an escape in a URL (RFC 3986,
// section 2.3).
func IsUnreserved(c byte) bool {
	return (c|0x20)-'a' < 26 || c-'0' < 10 || strings.IndexByte("-._~", c) >= 0
}

// IsLegal reports whether a path or query may contain an octet as it is. It also returns
// true for "%", which starts an escape (RFC 3986, sections 3.3 and 3.4).
func IsLegal(c byte) bool { return isLegal[c] }

var isLegal = func() (legal [256]bool) {
	for c := range legal {
		legal[c] = IsUnreserved(byte(c)) || strings.IndexByte("%!$&'()*+,;=:@/?", byte(c)) >= 0
	}
	return legal
}()
