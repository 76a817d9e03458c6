package reply

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Refusal says how a server refuses a request of this tool, as bot walls do: with the header of a challenge,
// or with a 4xx status that does not mean that there is no file. It returns "" if the server does not.
func Refusal(code int, header http.Header) string {
	if c := challenge(header); c != "" {
		return refusal(c)
	}
	if refuses(code) {
		return refusal(status(code))
	}
	return ""
}

// refuses reports whether a status means neither that there is no file nor, as 429, that the site is
// unreachable.
func refuses(code int) bool {
	return code/100 == 4 && code != http.StatusNotFound && code != http.StatusGone && code != http.StatusTooManyRequests
}

// challenge returns the header of a response with which a bot wall says that the response is a challenge
// for browsers, or "" if there is none.
//
// Cloudflare: https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
// AWS: https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html
func challenge(header http.Header) string {
	for _, name := range []string{"Cf-Mitigated", "X-Amzn-Waf-Action"} {
		if value := header.Get(name); value == "challenge" || value == "captcha" {
			return strings.ToLower(name) + ": " + value
		}
	}
	return ""
}

func refusal(how string) string {
	return "the server refuses this tool (" + how + "), and crawlers may get another answer"
}

// status returns a status with its name, such as "404 Not Found".
func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// ErrPrivate is the error of OnlyPublic.
var ErrPrivate = errors.New("a redirect to an address that is not public, which this tool refuses")

// CheckPublic returns ErrPrivate unless an IP address with a port is public. Call it from the function Control
// of a net.Dialer, immediately before the connection, so that a host that changes its address cannot evade
// the check.
func CheckPublic(address string) error {
	if !IsPublic(address) {
		return ErrPrivate
	}
	return nil
}
