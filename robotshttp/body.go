package robotshttp

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// FromResponse returns the File that a crawler must obey. The argument resp is the response to
// the crawler's request for a robots.txt. The status of resp determines whether there is a
// file, as with [robotstxt.FromStatus]. But status 206 counts as a failure, because the body is
// only a part of a file. FromResponse decompresses a gzip body, and reads it with
// [robotstxt.ReadBody]. The caller must close the body.
//
// If the body cannot be read or decompressed, FromResponse returns an error. The File is never
// nil: after an error it is [robotstxt.Unreachable], which disallows everything.
func FromResponse(resp *http.Response) (*robotstxt.File, error) {
	if !isSuccess(resp.StatusCode) {
		return fromStatus(resp.StatusCode, nil), nil
	}
	body, err := readResponse(resp)
	if err != nil {
		return robotstxt.Unreachable(), err
	}
	return robotstxt.Parse(body), nil
}

// readResponse returns the body of a response. It returns an error if the body is
// incomplete or has an unknown encoding.
func readResponse(resp *http.Response) ([]byte, error) {
	if resp.Body == nil { // an http.Client always sets Body
		return nil, nil
	}
	r, err := decoded(resp)
	if err == nil {
		var body []byte
		if body, err = robotstxt.ReadBody(r); err == nil {
			return body, nil
		}
	}
	if resp.Request != nil && resp.Request.URL != nil {
		return nil, fmt.Errorf("robotshttp: body of %s: %w", resp.Request.URL.Redacted(), err)
	}
	return nil, fmt.Errorf("robotshttp: body: %w", err)
}

// decoded returns a reader for the decompressed body. Usually the transport has already
// decompressed the body.
func decoded(resp *http.Response) (io.Reader, error) {
	switch encoding := strings.Join(resp.Header.Values("Content-Encoding"), ", "); strings.ToLower(encoding) {
	case "", "identity", "none", "utf-8": // "none" and "utf-8" are not valid, but their meaning is clear
		return resp.Body, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(resp.Body)
		if err == io.EOF { // an empty body, as with "204 No Content"
			return resp.Body, nil
		}
		return r, err
	default:
		return nil, fmt.Errorf("unknown content encoding %q", encoding)
	}
}

// isSuccess reports whether the body of a response with this status is a complete file.
// Status 206 means that the body is only a part of a file.
func isSuccess(status int) bool {
	return 200 <= status && status < 300 && status != http.StatusPartialContent
}

// isRefusal reports whether a status means that the server refuses access; see
// Cache.DisallowRefused.
func isRefusal(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// fromStatus is like robotstxt.FromStatus, but status 206 counts as a failure.
func fromStatus(status int, body []byte) *robotstxt.File {
	if status == http.StatusPartialContent {
		return robotstxt.Unreachable()
	}
	return robotstxt.FromStatus(status, body)
}

// access returns FileUnavailable or FileUnreachable for a status that does not mean
// success.
func access(status int) robotstxt.Reason { return fromStatus(status, nil).Access() }
