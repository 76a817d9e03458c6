// Command client is the second program of the README.
package main

import (
	"fmt"
	"net/http"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func main() {
	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil)}
	resp, err := client.Get("https://example.com/private/")
	if err != nil {
		fmt.Println(err) // if robots.txt disallows the URL, a *robotshttp.DisallowedError with the line
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
}
