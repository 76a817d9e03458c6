package robotshttp

import (
	"errors"
	"net/url"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// requestURL returns the URL of a request, without a user name or password. It returns an error
// if u.Opaque is not empty and does not start with "/", if the host in u.Opaque is invalid or
// differs from u.Host, or if a part that is sent as it is contains a "#".
func requestURL(u *url.URL) (string, error) {
	site := u.Scheme + "://" + u.Host
	switch {
	case strings.Contains(u.Opaque+u.RawQuery, "#"): // the text after it would be sent, but not compared with rules
		return "", errors.New(`robotshttp: the URL's field Opaque or RawQuery contains "#"`)
	case u.Opaque == "":
		plain := *u
		plain.User = nil
		return plain.String(), nil
	case strings.HasPrefix(u.Opaque, "//"):
		named := fetch.WithoutUser(u.RequestURI())
		its, err := robotstxt.Location(named)
		if err != nil {
			return "", err
		}
		if dialed, err := robotstxt.Location(site); err != nil || dialed != its {
			return "", errors.New("robotshttp: the host in the URL's field Opaque differs from the URL's field Host")
		}
		return named, nil
	case strings.HasPrefix(u.Opaque, "/"):
		return site + u.RequestURI(), nil
	}
	return "", errors.New(`robotshttp: the URL's field Opaque does not start with "/"`)
}
