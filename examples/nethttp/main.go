// Command nethttp crawls a site with net/http.
package main

import (
	"net/http"
	"time"

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
	// The Timeout includes the wait for the site's crawl-delay, which is at most 30 seconds for each
	// request and each redirect.
	client := &http.Client{Transport: transport, Timeout: 2 * time.Minute}
	return site.VisitAll(siteURL, client.Get)
}
