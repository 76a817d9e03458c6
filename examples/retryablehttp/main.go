// The command retryablehttp crawls a site with a client that retries,
// github.com/hashicorp/go-retryablehttp.
//
// The Transport goes inside that client, so that each try and each redirect is
// checked. Around the client it would check the first request only. The client must
// be told that a disallow is not a failure that passes.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	s := site.Start()
	defer s.Close()
	outcomes := crawl(robotshttp.NewTransport(site.UserAgent, nil), s.URL)
	for _, path := range site.Paths {
		fmt.Println(path, outcomes[path])
	}
}

// crawl asks for the pages of a site. The transport obeys its robots.txt.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	client := newClient(transport)
	outcomes := make(map[string]string)
	for _, path := range site.Paths {
		outcomes[path] = visit(client, siteURL+path)
	}
	return outcomes
}

func newClient(transport http.RoundTripper) *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.HTTPClient.Transport = transport
	client.CheckRetry = checkRetry
	client.RetryWaitMin = 10 * time.Millisecond // a real crawler would leave the default
	client.Logger = nil
	return client
}

// checkRetry is the client's default, except that a disallow is final.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if _, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return false, err
	}
	return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
}

// visit asks for a page and returns what came of it.
func visit(client *retryablehttp.Client, url string) string {
	resp, err := client.Get(url)
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return refused.Decision.String()
	}
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	return resp.Status
}
