// The command colly crawls a site with github.com/gocolly/colly, link by link.
//
// Colly's own check of robots.txt is off by default and stays so. A proxy belongs into
// the transport below: the collector's SetProxy replaces its whole transport, and with
// it the one that obeys robots.txt files.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gocolly/colly/v2"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	s := site.Start()
	defer s.Close()
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.Proxy = proxy
	outcomes := crawl(robotshttp.NewTransport(site.UserAgent, base), s.URL)
	for _, path := range site.Paths {
		fmt.Println(path, outcomes[path])
	}
}

// proxy returns the proxy for a request. A crawler that has several takes turns here.
func proxy(*http.Request) (*url.URL, error) { return nil, nil }

// crawl follows the links of a site. The transport obeys its robots.txt.
func crawl(transport http.RoundTripper, siteURL string) map[string]string {
	outcomes := make(map[string]string)
	c := colly.NewCollector(colly.UserAgent(site.UserAgent))
	c.WithTransport(transport)
	note := func(r *colly.Response, outcome string) {
		outcomes[r.Request.URL.Path] = outcome
	}
	c.OnResponse(func(r *colly.Response) { note(r, status(r)) })
	c.OnError(func(r *colly.Response, err error) {
		if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
			note(r, refused.Decision.String())
		} else if r.StatusCode != 0 {
			note(r, status(r))
		} else {
			note(r, err.Error())
		}
	})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if link := e.Request.AbsoluteURL(e.Attr("href")); strings.HasPrefix(link, siteURL) {
			_ = e.Request.Visit(link) // OnError notes what goes wrong
		}
	})
	_ = c.Visit(siteURL + "/")
	return outcomes
}

func status(r *colly.Response) string {
	return fmt.Sprint(r.StatusCode, " ", http.StatusText(r.StatusCode))
}
