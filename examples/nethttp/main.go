// Command nethttp crawls a site with net/http.
package main

import (
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() { site.Run(crawl, robotshttp.NewTransport(site.UserAgent, nil)) }

// crawl requests the pages of a site. The transport obeys the site's robots.txt.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	return site.VisitAll(siteURL, client.Get)
}
