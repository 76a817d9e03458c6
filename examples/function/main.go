// Command function shows how to crawl a site with your own function for fetching a URL. The
// function in this example uses net/http. Yours can use fasthttp or a headless browser, for
// example.
package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A fetcher fetches a URL and returns the status, the header and the body of the response. It
// must not follow redirects.
type fetcher func(url, userAgent string) (status int, header http.Header, body string, err error)

// RoundTrip calls the fetcher and turns its results into a response.
func (f fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	status, header, body, err := f(req.URL.String(), req.UserAgent())
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status, " ", http.StatusText(status)), Header: header,
		Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

func main() {
	transport := robotshttp.NewTransport(site.UserAgent, fetcher(fetch))
	transport.Cache.MinDelay = 100 * time.Millisecond // keeps the example fast; use a second or more
	site.Run(crawl, transport)
}

// fetch is an example of a fetcher. Replace it with your own.
func fetch(url, userAgent string) (status int, header http.Header, body string, err error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, "", err
	}
	req.Header.Set("User-Agent", userAgent)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(text), err
}

// crawl requests the pages of a site. The transport obeys the site's robots.txt.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	// The Timeout includes the wait for the site's crawl-delay, which is at most 30 seconds for each
	// request and each redirect.
	client := &http.Client{Transport: transport, Timeout: 2 * time.Minute}
	return site.VisitAll(siteURL, client.Get)
}
