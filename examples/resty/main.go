// Command resty crawls a site with github.com/go-resty/resty.
//
// Put the Transport into resty's client, and tell the client not to retry a request that
// robots.txt disallows. Set a User-Agent header: without it, resty sends its own.
package main

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() { site.Run(crawl, newTransport()) }

// newTransport returns a transport that has at most two requests to a site at once. Without this limit,
// a site without a crawl-delay gets all requests at once.
func newTransport() http.RoundTripper {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxConnsPerHost = 2
	return robotshttp.NewTransport(site.UserAgent, base)
}

// crawl requests the pages of a site. The transport obeys the site's robots.txt.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	client := newClient(transport)
	return site.VisitAll(siteURL, func(url string) (*http.Response, error) {
		resp, err := client.R().Get(url)
		return resp.RawResponse, err
	})
}

func newClient(transport http.RoundTripper) *resty.Client {
	return resty.New().
		SetTransport(transport).
		SetHeader("User-Agent", site.UserAgent).
		SetTimeout(2 * time.Minute). // includes the wait for the site's crawl-delay, at most 30 seconds
		SetRetryCount(3).
		SetRetryWaitTime(10 * time.Millisecond). // keeps the example fast; do not copy this line
		AddRetryCondition(shouldRetry)
}

// shouldRetry reports whether to retry a request after an error or a status of 500 or more. A
// request that robots.txt disallows is never retried.
func shouldRetry(resp *resty.Response, err error) bool {
	if _, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return false
	}
	return err != nil || resp.StatusCode() >= 500
}
