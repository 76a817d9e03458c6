package reply

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// These are the reasons why a robots.txt, or anything else, could not be fetched, in words that the owner of a
// site knows. They do not name the site, so that sites can share a reason, and repeat no text of a server.

// reason says why there was no response, or not all of it. The limit is the time limit of the fetch.
func reason(err error, limit time.Duration) string {
	dns, isDNS := errors.AsType[*net.DNSError](err)
	certificate, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	switch {
	case IsPrivate(err):
		return errPrivate.Error()
	case errors.Is(err, errRedirects):
		return errRedirects.Error()
	case errors.Is(err, context.Canceled):
		return "it was interrupted"
	case errors.Is(err, context.DeadlineExceeded), os.IsTimeout(err):
		return Late(limit)
	case isDNS && dns.IsNotFound:
		return "there is no such host"
	case isDNS:
		return "the name of the host could not be looked up"
	case isInvalid && certificate.Reason == x509.Expired:
		return "the certificate has expired"
	case is[x509.HostnameError](err):
		return "the certificate is for another name"
	case is[x509.UnknownAuthorityError](err):
		return "the certificate is from nobody that browsers trust"
	case is[*tls.CertificateVerificationError](err):
		return "the certificate is not valid"
	case is[tls.RecordHeaderError](err), is[tls.AlertError](err), errors.Is(err, http.ErrSchemeMismatch):
		return "the server has no working HTTPS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the server refuses connections"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer was cut off"
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return "the server closed the connection without an answer"
	}
	return "the connection failed, or the answer is not one of a web server"
}

// IsPrivate reports whether a Guard has refused a connection.
func IsPrivate(err error) bool { return errors.Is(err, errPrivate) }

// is reports whether an error in the tree of err has the type E.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Late is the reason for a fetch that took longer than its limit.
func Late(limit time.Duration) string {
	return fmt.Sprintf("it did not answer within %g s", limit.Seconds())
}

// lost says why a redirect leads nowhere.
func lost(header http.Header) string {
	if _, err := robotstxt.Location(header.Get("Location")); err == nil || strings.HasPrefix(header.Get("Location"), "/") {
		return errRedirects.Error()
	}
	return "it redirects to something that is no web address"
}

// refusal says how a server refuses a request of this tool, as bot walls do: with the header of a challenge,
// or with a 4xx status that does not mean that there is no file. It returns "" if the server does not.
func refusal(code int, header http.Header) string {
	how := challenge(header)
	if how == "" && refuses(code) && !isObjectStore(header) {
		how = status(code)
	}
	if how == "" {
		return ""
	}
	return "the server refuses this tool (" + how + "), and crawlers may get another answer"
}

// refuses reports whether a status means neither that there is no file nor, as 429, that the site is
// unreachable.
func refuses(code int) bool {
	return code/100 == 4 && code != http.StatusNotFound && code != http.StatusGone && code != http.StatusTooManyRequests
}

// isObjectStore reports whether a response is that of an object store, which answers 403 to everybody for a file
// that does not exist. CloudFront may pass only the header Server of Amazon S3 on.
//
// Amazon S3, and stores with the same API: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTCommonResponseHeaders.html
// Google Cloud Storage: https://cloud.google.com/storage/docs/xml-api/reference-headers
func isObjectStore(header http.Header) bool {
	return header.Get("Server") == "AmazonS3" || header.Get("X-Amz-Request-Id")+header.Get("X-Guploader-Uploadid") != ""
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

// answers is the reason for a status.
func answers(code int) string { return "the server answers " + status(code) }

// status returns a status with its name, such as "404 Not Found".
func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// userInfo matches the user name and password in a URL.
var userInfo = regexp.MustCompile(`//[^/?#\s"]*@`)

// Redacted replaces the user names and passwords in the URLs of a text with "xxxxx". A token is often the user
// name. The URLs may be invalid or relative.
func Redacted(text string) string {
	if !strings.Contains(text, "@") { // saves most of the time for long lists
		return text
	}
	return userInfo.ReplaceAllString(text, "//xxxxx@")
}
