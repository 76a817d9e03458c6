package fetch

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// ReadBody returns the body of a response. It returns an error if the body is
// incomplete or has an unknown encoding.
func ReadBody(resp *http.Response) ([]byte, error) {
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
		return nil, fmt.Errorf("robotshttp: body of %s: %w", WithoutUser(resp.Request.URL.String()), err)
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

// IsSuccess reports whether the body of a response with this status is a complete file.
// Status 206 means that the body is only a part of a file.
func IsSuccess(status int) bool {
	return 200 <= status && status < 300 && status != http.StatusPartialContent
}

// FileFor returns the file for a status and a body. It is like robotstxt.FromStatus, but status 206
// counts as a failure.
func FileFor(status int, body []byte) *robotstxt.File {
	if status == http.StatusPartialContent {
		return robotstxt.Unreachable()
	}
	return robotstxt.FromStatus(status, body)
}
