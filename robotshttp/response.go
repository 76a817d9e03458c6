package robotshttp

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// FromResponse returns the File that a crawler must obey. The argument resp is the response to
// the crawler's request for a robots.txt. The status of resp determines whether there is a
// file, as with [robotstxt.FromStatus]. But status 206 counts as a failure, because the body is
// only a part of a file, and so does 304: a crawler that has sent a condition keeps its old File.
// FromResponse decompresses a gzip body, and reads it with
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

// Fetch fetches the robots.txt file at robotsURL once, even if the file is in a subfolder or has another
// name. A crawler uses a [Cache] instead. Fetch follows redirects and reads the answer as a Cache does, and
// sends userAgent as the User-Agent header, unless it is empty. If client is nil, Fetch uses
// [http.DefaultClient]. The Timeout of the client limits the whole fetch, redirects and body included; if it
// is zero, the limit is 10 seconds.
//
// A failure of the server is not an error, but part of the Result; so is a fetch that takes too long. Fetch
// returns an error only if robotsURL is not an absolute URL or ctx is done.
func Fetch(ctx context.Context, client *http.Client, userAgent, robotsURL string) (Result, error) {
	if _, err := robotstxt.Location(robotsURL); err != nil {
		return Result{}, err
	}
	plain := fetch.WithoutUser(robotsURL)
	if _, err := url.Parse(plain); err != nil {
		return Result{}, err
	}
	direct := fetch.WithoutRedirects(client)
	f := fetch.Fetcher{Client: direct, UserAgent: userAgent, Timeout: positive(direct.Timeout, fetchTimeout), Logger: slog.Default}
	start := time.Now()
	got := f.Fetch(ctx, robotsURL, nil)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	now := time.Now()
	e := afterFetch(unknown(plain), got, policy{minFresh: minFresh, maxFresh: day}, now)
	var r Result
	e.result(&r, now, Fetched)
	r.Body, r.Header, r.Duration = got.Body, got.Header, now.Sub(start)
	return r, nil
}
