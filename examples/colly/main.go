// Command colly crawls a site with github.com/gocolly/colly, and follows all links.
//
// The Transport checks robots.txt, so do not turn on colly's own check. Set a proxy in the
// base transport. Do not use the collector's method SetProxy: it would replace the Transport.
package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.Proxy = proxy
	base.MaxConnsPerHost = 2 // also for sites without a crawl-delay
	site.Run(crawl, robotshttp.NewTransport(site.UserAgent, base))
}

// proxy returns the proxy for a request, or nil for no proxy. A crawler with several proxies
// can choose one here.
func proxy(*http.Request) (*url.URL, error) { return nil, nil }

// crawl follows the links of a site and returns the outcome for each path.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	outcomes := make(map[string]string)
	c := colly.NewCollector(colly.UserAgent(site.UserAgent))
	c.WithTransport(transport)
	c.SetRequestTimeout(2 * time.Minute) // includes the wait for the site's crawl-delay; colly's default is 10 seconds
	note := func(r *colly.Response, outcome string) {
		outcomes[r.Request.URL.Path] = outcome
	}
	c.OnResponse(func(r *colly.Response) { note(r, status(r)) })
	c.OnError(func(r *colly.Response, err error) {
		if r.StatusCode != 0 {
			note(r, status(r))
		} else {
			note(r, site.Reason(err))
		}
	})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if link := e.Request.AbsoluteURL(e.Attr("href")); strings.HasPrefix(link, siteURL) {
			_ = e.Request.Visit(link) // OnError handles the error
		}
	})
	_ = c.Visit(siteURL + "/")
	return outcomes
}

func status(r *colly.Response) string {
	return fmt.Sprint(r.StatusCode, " ", http.StatusText(r.StatusCode))
}
