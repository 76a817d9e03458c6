package robotshttp

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// FromResponse returns the File that a crawler must obey after it gets the response to its
// request for a robots.txt, see [robotstxt.FromStatus]. It undoes a gzip encoding and reads
// the body as [robotstxt.ReadBody] does. The caller must close the body.
//
// The error is not nil if the body cannot be read in full. The File is never nil:
// with an error it is [robotstxt.Unreachable], which disallows everything.
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

// readResponse reads the body of a response. An error means that it cannot be read
// in full.
func readResponse(resp *http.Response) ([]byte, error) {
	if resp.Body == nil { // possible if the response does not come from an http.Client
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

// decoded undoes the content encoding of a body. Usually the transport has done so already.
func decoded(resp *http.Response) (io.Reader, error) {
	switch encoding := strings.Join(resp.Header.Values("Content-Encoding"), ", "); strings.ToLower(encoding) {
	case "", "identity", "none", "utf-8": // the last two are not valid, but clear
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

// isSuccess reports whether a response with the status has a file in its body. A 206, which
// nobody requested, has only a part of one.
func isSuccess(status int) bool {
	return 200 <= status && status < 300 && status != http.StatusPartialContent
}

// fromStatus is robotstxt.FromStatus, except that a part of a file is not a file.
func fromStatus(status int, body []byte) *robotstxt.File {
	if status == http.StatusPartialContent {
		return robotstxt.Unreachable()
	}
	return robotstxt.FromStatus(status, body)
}

// access returns the meaning of a status other than success: FileUnavailable or
// FileUnreachable.
func access(status int) robotstxt.Reason { return fromStatus(status, nil).Access() }
