package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// isURL reports whether a file is to be fetched.
func isURL(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// fetch returns the content of a robots.txt file on the web. A URL without a path
// stands for that of its site. There is no content but with a status that crawlers
// take for a file (RFC 9309, section 2.3.1).
func fetch(address string) (io.ReadCloser, error) {
	if u, err := url.Parse(address); err == nil && strings.Trim(u.Path, "/") == "" {
		if address, err = robotstxt.Location(address); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "robotstxt (+https://github.com/robotstxt-go/robotstxt)")
	client := http.Client{Timeout: 10 * time.Second, CheckRedirect: checkRedirect}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: the server answers %s, so %s", printable(address), resp.Status, meaningOf(resp.StatusCode))
	}
	return resp.Body, nil
}

// checkRedirect limits redirects to as many as crawlers follow (RFC 9309, section
// 2.3.1.2).
func checkRedirect(_ *http.Request, via []*http.Request) error {
	const most = 5
	if len(via) > most {
		return errors.New("more than five redirects")
	}
	return nil
}

// meaningOf says what crawlers make of a status without a file.
func meaningOf(status int) string {
	if robotstxt.FromStatus(status, nil).Allowed("*", "/") {
		return "crawlers may fetch everything"
	}
	return "crawlers may fetch nothing"
}
