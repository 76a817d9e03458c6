package crawlers

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// FromUserAgent returns the crawler that a User-Agent header names, and reports whether there is
// one. A header proves nothing, because everybody can send it.
//
// FromUserAgent finds more names than [robotstxt.ProductToken], which knows no crawlers and returns
// the first name of a header that follows the usual form:
//
//	Googlebot/2.1 (+http://www.google.com/bot.html)
//	Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
//	Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
//
// If that name is not in the table, FromUserAgent looks after "compatible;". If the name is only
// Mozilla, it takes the first word of the header that is a token, or starts with a token and "/":
//
//	DoCoMo/2.0 N905i (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)
//	Mozilla/5.0 (Linux; Android 6.0) Chrome/51.0.3613.1739 Mobile Safari/537.36; Bytespider
//
// A header that only compares itself with a crawler, such as "FooBot/1.0 (like Googlebot)", does not
// name it.
func FromUserAgent(header string) (Crawler, bool) {
	token := robotstxt.ProductToken(header)
	if c, ok := Find(token); ok {
		return c, true
	}
	if !strings.EqualFold(token, "Mozilla") {
		_, rest, _ := strings.Cut(strings.ToLower(header), "compatible;")
		return Find(robotstxt.ProductToken(rest))
	}
	isBetweenWords := func(r rune) bool { return strings.ContainsRune(" \t(),;", r) }
	for word := range strings.FieldsFuncSeq(header, isBetweenWords) {
		name, _, _ := strings.Cut(word, "/")
		if c, ok := Find(name); ok {
			return c, true
		}
	}
	return Crawler{}, false
}
