// Command decide is the first program of the README.
package main

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

func main() {
	file := robotstxt.Parse([]byte(`
User-agent: FooBot
Disallow: /private/
Allow: /private/press
`))
	fmt.Println(file.Allowed("FooBot", "https://example.com/private/x"))
	fmt.Println(file.Decide("FooBot", "https://example.com/private/press/1"))
}
