// Command retryablehttp crawls a site with github.com/hashicorp/go-retryablehttp, a client
// that retries.
//
// Put the Transport into the client, so that the Transport checks each retry and each redirect.
// A Transport around the client would check only the first request. Tell the client not to
// retry a request that robots.txt disallows.
package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

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
	return site.VisitAll(siteURL, client.Get)
}

func newClient(transport http.RoundTripper) *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.HTTPClient.Transport = transport
	client.CheckRetry = checkRetry
	client.RetryWaitMin = 10 * time.Millisecond // keeps the example fast; do not copy this line
	client.Logger = nil
	return client
}

// checkRetry is like the client's default policy, but does not retry requests that
// robots.txt disallows.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if _, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return false, err
	}
	return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
}
