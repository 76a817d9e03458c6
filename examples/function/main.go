// The command function crawls a site with a fetcher that is not net/http: any function
// that fetches a URL, such as one for fasthttp or for a headless browser.
package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A fetcher fetches a URL and returns the status, the header and the body of the response.
// It does not follow redirects.
type fetcher func(url, userAgent string) (status int, header http.Header, body string, err error)

// RoundTrip makes an http.RoundTripper of a fetcher.
func (f fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	status, header, body, err := f(req.URL.String(), req.UserAgent())
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status, " ", http.StatusText(status)), Header: header,
		Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

func main() {
	s := site.Start()
	defer s.Close()
	outcomes := crawl(robotshttp.NewTransport(site.UserAgent, fetcher(fetch)), s.URL)
	for _, path := range site.Paths {
		fmt.Println(path, outcomes[path])
	}
}

// fetch stands for the fetcher that you have.
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
