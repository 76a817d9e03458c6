// The command resty crawls a site with github.com/go-resty/resty.
//
// The Transport goes inside resty's client, which must be told that a disallow is not
// a failure that passes. Resty sets a User-Agent of its own unless it is given one.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

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

func newClient(transport http.RoundTripper) *resty.Client {
	return resty.New().
		SetTransport(transport).
		SetHeader("User-Agent", site.UserAgent).
		SetTimeout(30 * time.Second).
		SetRetryCount(3).
		SetRetryWaitTime(10 * time.Millisecond). // a real crawler would leave the default
		AddRetryCondition(shouldRetry)
}

// shouldRetry reports whether a request failed in a way that may pass. A disallow
// does not.
func shouldRetry(resp *resty.Response, err error) bool {
	if _, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return false
	}
	return err != nil || resp.StatusCode() >= 500
}

// visit asks for a page and returns what came of it.
func visit(client *resty.Client, url string) string {
	resp, err := client.R().Get(url)
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		return refused.Decision.String()
	}
	if err != nil {
		return err.Error()
	}
	return resp.Status()
}
