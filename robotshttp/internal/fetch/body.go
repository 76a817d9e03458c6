package fetch

import (
	"bufio"
	"compress/gzip"
	"errors"
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

// maxLayers limits how many times a body can be compressed.
const maxLayers = 2

// decoded returns a reader for the decompressed body. Usually the transport has already
// decompressed the body. No text starts with the bytes 1F 8B (RFC 1952, section 2.3.1), so a body that
// does is decompressed, whatever the header says.
func decoded(resp *http.Response) (io.Reader, error) {
	r := bufio.NewReader(resp.Body)
	for layers := 0; ; layers++ {
		start, err := r.Peek(2)
		switch {
		case err != nil && err != io.EOF: // the next read might succeed, so this error must not get lost
			return nil, err
		case string(start) == "\x1f\x8b" && layers < maxLayers:
		case string(start) == "\x1f\x8b":
			return nil, errors.New("compressed too many times")
		case layers > 0 || len(start) == 0: // an empty body, as with "204 No Content", can have any encoding
			return r, nil
		default:
			return r, checkPlain(resp.Header)
		}
		text, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReader(text)
	}
}

// checkPlain returns an error if, by its header, a body that is not a gzip file is compressed.
func checkPlain(header http.Header) error {
	switch encoding := strings.Join(header.Values("Content-Encoding"), ", "); strings.ToLower(encoding) {
	case "", "identity", "none", "utf-8": // "none" and "utf-8" are not valid, but their meaning is clear
		return nil
	case "gzip", "x-gzip":
		return gzip.ErrHeader
	default:
		return fmt.Errorf("unknown content encoding %q", encoding)
	}
}

// IsSuccess reports whether the body of a response with this status is a complete file.
// Status 206 means that the body is only a part of a file.
func IsSuccess(status int) bool {
	return 200 <= status && status < 300 && status != http.StatusPartialContent
}

// FileFor returns the file for a status and a body. It is like robotstxt.FromStatus, but the statuses 206 and
// 304 count as failures: neither response contains the whole file.
func FileFor(status int, body []byte) *robotstxt.File {
	if status == http.StatusPartialContent || status == http.StatusNotModified {
		return robotstxt.Unreachable()
	}
	return robotstxt.FromStatus(status, body)
}
