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
// name is trimmed and may be empty. [NameToken] returns its token.
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

// NameToken is like Token, but for a name on a user-agent line: there, "*" is a token, too, if it
// is the whole name or if white space follows it.
func NameToken[S []byte | string](name S) (token S, standsAlone bool) {
	if len(name) == 0 || name[0] != '*' {
		return Token(name)
	}
	if r, _ := decode(name[1:]); len(name) > 1 && !unicode.IsSpace(r) {
		return name[:0], false
	}
	return name[:1], false
}

// Token returns the product token of a crawler's name or User-Agent header, or an empty token if
// there is none. The name is trimmed. If a header starts with Mozilla, the crawler's name comes
// later:
//
//   - after "compatible;"
//   - just before the first "+http", if that is in a comment
//   - just before the comment, if the comment starts with the first "+http"
//
// The first of these that has a token counts. If none has, the token is Mozilla.
//
// The token stands alone if more words follow it, as in "Google Favicon". In a header, words count
// up to the next ";" or ")".
func Token[S []byte | string](name S) (token S, standsAlone bool) {
	token = name[:TokenLen(name)]
	if len(token) == len(name) { // a plain name, as usual
		return token, false
	}
	if len(token) == len("Mozilla") && strings.EqualFold(string(token), "Mozilla") {
		header := string(name)
		for _, product := range []string{productAfterCompatible(header), productBeforeLink(header)} {
			if n := TokenLen(product); n > 0 {
				return S(product[:n]), startsBlank(product[n:])
			}
		}
	}
	return token, startsBlank(name[len(token):])
}

func startsBlank[S []byte | string](s S) bool {
	r, _ := decode(s)
	return len(s) > 0 && IsBlank(r)
}

// productAfterCompatible returns the text between the first "compatible;", regardless of case, and
// the next ";" or ")".
func productAfterCompatible(header string) string {
	const marker = "compatible;"
	for rest := header; len(rest) >= len(marker); rest = rest[1:] {
		if strings.EqualFold(rest[:len(marker)], marker) {
			rest = rest[len(marker):]
			if end := strings.IndexAny(rest, ";)"); end >= 0 {
				rest = rest[:end]
			}
			return Trim(rest)
		}
	}
	return ""
}

// productBeforeLink returns the text just before the first link ("+http"), if the link is in a
// comment, which is a text in parentheses. If the comment starts with the link, the result is the
// word just before the comment.
func productBeforeLink(header string) string {
	before, _, found := strings.Cut(header, "+http")
	open := strings.LastIndexByte(before, '(')
	if !found || open <= strings.LastIndexByte(before, ')') {
		return "" // no link, or a link outside parentheses
	}
	comment := Trim(before[open+1:])
	if comment == "" {
		product := Trim(before[:open])
		if strings.HasSuffix(product, ")") {
			return "" // another comment precedes this one
		}
		return product[strings.LastIndexAny(product, " \t")+1:]
	}
	comment = strings.TrimSuffix(comment, ";")
	return Trim(comment[strings.LastIndexByte(comment, ';')+1:])
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
