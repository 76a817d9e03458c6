package robotstxt

import (
	"errors"
	"fmt"
	"net/netip"
	neturl "net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// hostToASCII converts a host name to ASCII as browsers and DNS do: UTS 46,
// non-transitional. It accepts names with an underscore or two hyphens in a row, which
// are in use although they break the rules for host names.
//
// The idna.Profile is created on each call, not stored in a package variable. With such a
// variable, even programs that never call Location would contain the tables of package idna
// (350 KB).
func hostToASCII(host string) (string, error) {
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(),
		idna.CheckHyphens(false), idna.StrictDomainName(false)).ToASCII(host)
}

// defaultPorts contains the default port of each scheme that has one.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21"}

// Location returns the URL of the robots.txt that covers a URL:
// scheme://host[:port]/robots.txt, for any scheme. The scheme and the host are in lower
// case, and the host is in ASCII (IDNA). Location drops a dot after the host, a default
// port and user information. Two URLs have the same Location if and only if the same
// robots.txt covers both, so a cache can use the Location as its key.
//
// It returns an error if the URL has no scheme, no host, a bad port or an impossible host, such
// as one with more than 253 characters (RFC 9309, section 2.3; RFC 3986; UTS 46). The error quotes only the part of the URL after
// the last "@", even if that is in the path, because the part before it may contain a password.
func Location(url string) (string, error) {
	if end := plainOrigin(url); end > 0 {
		return url[:end] + "/robots.txt", nil
	}
	origin, err := originOf(url)
	if err != nil {
		return "", fmt.Errorf("robotstxt: URL %q: %w", url[strings.LastIndexByte(url, '@')+1:], err)
	}
	return origin + "/robots.txt", nil
}

// originOf returns scheme://host[:port] of a URL, in normal form.
func originOf(url string) (string, error) {
	scheme, authority, _ := splitURL(url)
	u, err := neturl.Parse(scheme + "://host")              // checks the scheme (RFC 3986, section 3.1)
	if err != nil || !strings.EqualFold(u.Scheme, scheme) { // for "a/b", Parse finds no scheme
		return "", errors.New("no scheme")
	}
	host, port, err := splitHost(authority)
	if err != nil {
		return "", err
	}
	if port != "" && port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

// plainOrigin recognizes a common kind of URL, whose scheme and host need no normalization:
// "http" or "https", and a host of lower-case letters, digits, hyphens and dots. It returns
// the length of "scheme://host", or 0 for other URLs.
func plainOrigin(url string) int {
	scheme, rest, _ := strings.Cut(url, "://")
	if scheme != "http" && scheme != "https" {
		return 0
	}
	end, last := 0, byte('.')
	for ; end < len(rest); end++ {
		c := rest[end]
		if c-'a' >= 26 && c-'0' >= 10 && c != '-' && (c != '.' || last == '.') { // a byte below 'a' or '0' wraps around; a dot at the start or after another dot means an empty label
			break
		}
		last = c
	}
	const shortHost = 63 // octets; splitHost checks the labels of longer hosts
	if end > shortHost {
		return 0
	}
	isEnd := end == len(rest) || strings.IndexByte("/?#", rest[end]) >= 0
	if !isEnd || last == '.' || strings.Contains(rest[:end], "xn--") { // package idna must check xn-- labels
		return 0
	}
	return len(scheme) + len("://") + end
}

// Covers reports whether the robots.txt at robotsURL is the one for a URL. Both URLs must
// have the same scheme, host and port, and robotsURL must have the path /robots.txt and no
// query (RFC 9309, section 2.3). Covers returns false if either URL has no [Location].
func Covers(robotsURL, url string) bool {
	_, _, path := splitURL(robotsURL)
	if path, _, _ = strings.Cut(path, "#"); path != "/robots.txt" {
		return false
	}
	location, err := Location(url)
	covered, coveredErr := Location(robotsURL)
	return err == nil && coveredErr == nil && covered == location
}

// splitURL splits a URL into scheme, authority, and the rest: path, query and fragment. A URL
// such as mailto:x@example.com has no authority, and splitURL then returns no rest either.
func splitURL(url string) (scheme, authority, rest string) {
	scheme, rest, found := strings.Cut(url, ":")
	if !found {
		return "", "", ""
	}
	authority, found = strings.CutPrefix(rest, "//")
	if !found {
		return scheme, "", ""
	}
	rest = ""
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority, rest = authority[:i], authority[i:]
	}
	return scheme, authority, rest
}

// splitHost returns the host and the port of an authority, both in normal form. The port
// may be empty. An IPv6 address with a zone is an error, because a zone has a meaning only
// on one machine.
func splitHost(authority string) (host, port string, err error) {
	if strings.Contains(authority, `\`) { // browsers read "\" as a slash, so they would see another host
		return "", "", errors.New("bad host")
	}
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i+1:]
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return "", "", errors.New("bad port")
		}
		port = strconv.FormatUint(n, 10)
	}
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(strings.TrimSuffix(host[1:], "]"))
		if err != nil || !strings.HasSuffix(host, "]") || !addr.Is6() || addr.Zone() != "" {
			return "", "", errors.New("bad address")
		}
		return "[" + addr.String() + "]", port, nil
	}
	name, err := neturl.PathUnescape(host)
	if err == nil && isTooLong(name) { // package idna takes quadratic time for long labels
		err = errors.New("too long")
	}
	if err == nil {
		host, err = hostToASCII(name)
	}
	switch {
	case err != nil, !utf8.ValidString(name), strings.ContainsFunc(host, isForbidden),
		strings.Contains("."+host, ".."): // the host has an empty label
		return "", "", errors.New("bad host")
	case host == "":
		return "", "", errors.New("no host")
	}
	return strings.TrimSuffix(host, "."), port, nil
}

// isTooLong reports whether a host has more than 253 characters, or a label of more than 63. No
// such host exists, because these are the limits of its ASCII form, which is not shorter (RFC
// 1035, section 2.3.4). A dot at the end does not count.
func isTooLong(host string) bool {
	const mostInHost, mostInLabel = 253, 63
	inHost, inLabel := 0, 0
	for i, r := range host {
		switch r {
		case '.', '\u3002', '\uff0e', '\uff61': // the dots of UTS 46
			if i+utf8.RuneLen(r) == len(host) {
				return inHost > mostInHost
			}
			inLabel = 0
		default:
			inLabel++
		}
		inHost++
		if inLabel > mostInLabel || inHost > mostInHost {
			return true
		}
	}
	return false
}

// isForbidden reports whether r must not occur in a host that hostToASCII has converted.
func isForbidden(r rune) bool {
	return r <= ' ' || r >= 0x7F || strings.ContainsRune(`#%/:<>?@[\]^|`, r)
}
