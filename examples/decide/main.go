// Command decide is the first program of the README.
package main

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

func main() {
	file := robotstxt.Parse([]byte("User-agent: FooBot\nDisallow: /private/\nAllow: /private/press\n"))
	group := file.Group("FooBot/1.0 (+https://example.com/bot)")
	fmt.Println(group.Allowed("https://example.com/private/x"))
	fmt.Println(group.Decide("https://example.com/private/press/1"))
}
