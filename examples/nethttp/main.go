// The command nethttp crawls a site with net/http.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

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
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	outcomes := make(map[string]string)
	for _, path := range site.Paths {
		outcomes[path] = visit(client, siteURL+path)
	}
	return outcomes
}

// visit asks for a page and returns what came of it.
func visit(client *http.Client, url string) string {
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
