package robotstxt

import (
	"cmp"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// ProductToken returns the product token of a crawler's User-Agent header, or of a
// part of one: "FooBot" for "FooBot", for "FooBot/1.2" and for "Mozilla/5.0
// (compatible; FooBot/1.2; +https://example.com/bot)". It returns the empty string
// if the header has no token. It takes any string.
//
// The token ends before the first character that is white space, a control character, a
// format character, or one of /*()[]{}<>,;:"\=?@. RFC 9309, section 2.2.1, allows only
// letters, "-" and "_", but crawlers such as MJ12bot and archive.org_bot use other
// characters, too.
//
// If a header starts with Mozilla, the name of the crawler comes later. The result is
// the token at the first of these places that has one:
//
//   - after "compatible;"
//   - just before the first "+http", if that is in a comment, as in
//     "(Applebot/0.1; +http://…)"
//   - just before the comment, if the comment starts with the first "+http", as in
//     "FooBot/1.0 (+https://…)"
//
// The header of a browser has no such place, so its token is Mozilla.
func ProductToken(userAgent string) string {
	userAgent = lex.Trim(userAgent)
	tok := firstToken(userAgent)
	if len(tok) != len("Mozilla") || !strings.EqualFold(tok, "Mozilla") {
		return tok
	}
	return cmp.Or(tokenAfterCompatible(userAgent), tokenBeforeLink(userAgent), tok)
}

func firstToken(s string) string { return s[:lex.TokenLen(s)] }

// tokenAfterCompatible returns the token after the first "compatible;", regardless of case.
func tokenAfterCompatible(userAgent string) string {
	const marker = "compatible;"
	for rest := userAgent; len(rest) >= len(marker); rest = rest[1:] {
		if strings.EqualFold(rest[:len(marker)], marker) {
			return firstToken(lex.Trim(rest[len(marker):]))
		}
	}
	return ""
}

// tokenBeforeLink returns the token just before the first link ("+http"), if the link is in a
// comment, which is a text in parentheses. If the comment starts with the link, the result is
// the token just before the comment. If there is no such token, the result is empty.
func tokenBeforeLink(userAgent string) string {
	before, _, found := strings.Cut(userAgent, "+http")
	open := strings.LastIndexByte(before, '(')
	if !found || open <= strings.LastIndexByte(before, ')') {
		return "" // no link, or a link outside parentheses
	}
	comment := lex.Trim(before[open+1:])
	if comment == "" {
		product := lex.Trim(before[:open])
		if strings.HasSuffix(product, ")") {
			return "" // another comment precedes this one
		}
		return firstToken(product[strings.LastIndexAny(product, " \t")+1:])
	}
	comment = strings.TrimSuffix(comment, ";")
	return firstToken(lex.Trim(comment[strings.LastIndexByte(comment, ';')+1:]))
}
