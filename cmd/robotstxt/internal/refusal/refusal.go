// Package refusal recognizes servers that refuse a file to this tool, as bot walls do. Then nobody knows
// what they answer crawlers.
package refusal

import (
	"fmt"
	"net/http"
	"strings"
)

// Of returns how a server refuses a request of this tool, or "" if it does not: the header of a challenge,
// or a 4xx status that does not mean that there is no file. After 429, a file is unreachable.
func Of(status int, header http.Header) string {
	if challenge := Challenge(header); challenge != "" {
		return challenge
	}
	if status/100 == 4 && status != http.StatusNotFound && status != http.StatusGone && status != http.StatusTooManyRequests {
		return Status(status)
	}
	return ""
}

// Challenge returns the header of a response with which a bot wall says that the response is a challenge
// for browsers, or "" if there is none.
//
// Cloudflare: https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
// AWS: https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html
func Challenge(header http.Header) string {
	for _, name := range []string{"Cf-Mitigated", "X-Amzn-Waf-Action"} {
		if value := header.Get(name); value == "challenge" || value == "captcha" {
			return strings.ToLower(name) + ": " + value
		}
	}
	return ""
}

// Text says that a server refuses this tool. The parameter is what Of returned.
func Text(refusal string) string {
	return "the server refuses this tool (" + refusal + "), and crawlers may get another answer"
}

// Status returns a status with its name, such as "404 Not Found".
func Status(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}
