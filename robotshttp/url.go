package robotshttp

import (
	"errors"
	"net/url"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// withoutUser returns a URL without its user information. If s is not a URL, it
// removes everything that might be user information.
func withoutUser(rawURL string) string {
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

// requestURL returns the URL that a request is for, without user information. It
// is an error if that is not clear: an opaque URL may name a host other than the one
// to which the request is sent.
func requestURL(u *url.URL) (string, error) {
	site := u.Scheme + "://" + u.Host
	switch {
	case u.Opaque == "":
		plain := *u
		plain.User = nil
		return plain.String(), nil
	case strings.HasPrefix(u.Opaque, "//"):
		named := withoutUser(u.RequestURI())
		its, err := robotstxt.Location(named)
		if err != nil {
			return "", err
		}
		if dialled, err := robotstxt.Location(site); err != nil || dialled != its {
			return "", errors.New("robotshttp: opaque URL names another host than the request's")
		}
		return named, nil
	case strings.HasPrefix(u.Opaque, "/"):
		return site + u.RequestURI(), nil
	}
	return "", errors.New("robotshttp: opaque URL without a path")
}
