// Command client is the second program of the README.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	transport := robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil)
	transport.Cache.MaxDelay = 5 * time.Second // wait for a crawl-delay, at most this long
	client := &http.Client{Transport: transport}
	resp, err := client.Get("https://example.com/private/")
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		fmt.Println("not sent:", refused)
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
}
