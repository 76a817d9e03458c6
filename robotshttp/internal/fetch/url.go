package fetch

import "strings"

// WithoutUser removes the user name and the password from a URL. If rawURL is not an
// absolute URL, WithoutUser removes everything up to the last "@".
func WithoutUser(rawURL string) string {
	scheme, rest, ok := strings.Cut(rawURL, "://")
	if !ok {
		return rawURL[strings.LastIndexByte(rawURL, '@')+1:]
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	return scheme + "://" + rest[at+1:]
}
