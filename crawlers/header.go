package crawlers

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// FromUserAgent returns the crawler that a User-Agent header names, and reports whether there is
// one. It takes any string.
//
// FromUserAgent finds more names than [robotstxt.ProductToken], which has no list of crawlers, and so
// finds only names in the usual places:
//
//	Googlebot/2.1 (+http://www.google.com/bot.html)
//	Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
//	Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
//
// If the product token is only Mozilla, FromUserAgent takes the first word of the header that is a
// token in the table, with or without a version. If it is another name that is not in the table, such as
// that of a telephone, FromUserAgent takes the name after "compatible;":
//
//	Mozilla/5.0 (Linux; Android 6.0) Chrome/51.0.3613.1739 Mobile Safari/537.36; Bytespider
//	DoCoMo/2.0 N905i (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)
//
// Headers in which another robot compares itself with a crawler do not name the crawler. A product
// token that contains "bot" belongs to a robot:
//
//	FooBot/1.0 (like Googlebot)
//	FooBot/1.0 (compatible; Googlebot/2.1)
//
// An app that has the name of a crawler does not name the crawler, either:
//
//	Pinterest for iOS/7.11 (iPhone; iOS 12.1)
func FromUserAgent(header string) (Crawler, bool) {
	if i, ok := fromUserAgent(header); ok {
		return table[i].clone(), true
	}
	return Crawler{}, false
}

// fromUserAgent returns the index of the crawler that a header names.
func fromUserAgent(header string) (i int, ok bool) {
	token := strings.TrimRight(robotstxt.ProductToken(header), "+") // Baidu writes "Baiduspider+(+http://…"
	if strings.HasPrefix(header, token+" for ") {
		return 0, false
	}
	if i, ok := lookup(token); ok {
		return i, true
	}
	if !strings.EqualFold(token, "Mozilla") {
		if strings.Contains(strings.ToLower(token), "bot") {
			return 0, false
		}
		_, rest, _ := strings.Cut(strings.ToLower(header), "compatible;")
		return lookup(robotstxt.ProductToken(rest))
	}
	isBetweenWords := func(r rune) bool { return strings.ContainsRune(" \t(),;", r) }
	for word := range strings.FieldsFuncSeq(header, isBetweenWords) {
		name, _, _ := strings.Cut(word, "/")
		if i, ok := lookup(name); ok {
			return i, true
		}
	}
	return 0, false
}
