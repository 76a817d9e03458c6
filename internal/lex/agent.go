package lex

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names returns the names in the value of a user-agent line, each with its offset in the
// value. Commas separate names (RFC 9309, erratum 8895). But a value with a "(" is
// probably a whole User-Agent header, so it is one name even if it contains commas. Each
// name is trimmed and may be empty. Its first NameLen(name) bytes are the token.
func Names[S []byte | string](value S) iter.Seq2[int, S] {
	return func(yield func(int, S) bool) {
		if index(value, '(') >= 0 {
			yield(offsetOf(value), Trim(value))
			return
		}
		for start := 0; ; {
			name := value[start:]
			comma := index(name, ',')
			if comma >= 0 {
				name = name[:comma]
			}
			if !yield(start+offsetOf(name), Trim(name)) || comma < 0 {
				return
			}
			start += comma + 1
		}
	}
}

// offsetOf returns how many bytes Trim removes from the start of s.
func offsetOf[S []byte | string](s S) int { return len(s) - len(TrimLeft(s)) }

// index returns the index of the first c in s, or -1.
func index[S []byte | string](s S, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// NameLen returns the length of the token at the start of a name on a user-agent line. The
// token is a product token or "*". A "*" is a token only if it is the whole name, or if
// white space follows it.
func NameLen[S []byte | string](name S) int {
	if len(name) == 0 || name[0] != '*' {
		return TokenLen(name)
	}
	if r, _ := decode(name[1:]); len(name) > 1 && !unicode.IsSpace(r) {
		return 0
	}
	return 1
}

// TokenLen returns the length of the product token at the start of s. The token ends
// before the first character that is blank or one of /*()[]{}<>,;:"\=?@. RFC 9309, section
// 2.2.1, allows only letters, "-" and "_", but crawlers such as MJ12bot and
// archive.org_bot have other characters in their names.
func TokenLen[S []byte | string](s S) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < utf8.RuneSelf {
			if endsToken[c] {
				return i
			}
		} else if r, _ := decode(s[i:]); IsBlank(r) {
			return i
		}
	}
	return len(s)
}

// endsToken marks the ASCII characters that no product token contains.
var endsToken = func() (ends [utf8.RuneSelf]bool) {
	for c := range byte(utf8.RuneSelf) {
		ends[c] = !IsGraphic(c) || strings.IndexByte(`/*()[]{}<>,;:"\=?@`, c) >= 0
	}
	return ends
}()
