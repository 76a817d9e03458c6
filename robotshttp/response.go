package robotshttp

import (
	"net/http"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
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
	if !fetch.IsSuccess(resp.StatusCode) {
		return fetch.FileFor(resp.StatusCode, nil), nil
	}
	body, err := fetch.ReadBody(resp)
	if err != nil {
		return robotstxt.Unreachable(), err
	}
	return robotstxt.Parse(body), nil
}
