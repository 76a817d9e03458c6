package robotstxt_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

func Example() {
	file := robotstxt.Parse([]byte(`
User-agent: FooBot
Disallow: /private/
Allow: /private/press
`))
	fmt.Println(file.Allowed("FooBot", "https://example.com/private/x"))
	fmt.Println(file.Decide("FooBot", "https://example.com/private/press/1"))
	// Output:
	// false
	// Allowed: line 4 tells FooBot "Allow: /private/press".
}

func ExampleFile_Decide() {
	file := robotstxt.Parse([]byte(`User-agent: *
Disallow: /*?session=
`))
	d := file.Decide("Mozilla/5.0 (compatible; FooBot/1.2)", "https://example.com/tea?session=7")
	fmt.Println(d.Allowed, d.Reason, d.Rule.Line, d.Rule.Pattern, d.Token)
	// Output: false rule matched 2 /*?session= *
}

func ExampleFile_Group() {
	file := robotstxt.Parse([]byte(`User-agent: FooBot
Crawl-delay: 2.5
Disallow: /archive/
`))
	group := file.Group("FooBot-Image", "FooBot")
	delay, ok := group.CrawlDelay()
	fmt.Println(group.Tokens(), group.Rules(), delay, ok)
	// Output: [FooBot] [Disallow: /archive/] 2.5s true
}

func ExampleLocation() {
	location, err := robotstxt.Location("HTTPS://www.Müller.eu:443/shop?item=7")
	fmt.Println(location, err)
	// Output: https://www.xn--mller-kva.eu/robots.txt <nil>
}

func ExampleLines() {
	for line := range robotstxt.Lines([]byte("user agent: *\nDissallow: /x # not there\n")) {
		fmt.Printf("line %d: %v is spelt %q, %q in column %d\n", line.Number, line.Kind, line.Key, line.Value, line.ValueColumn)
	}
	// Output:
	// line 1: User-agent is spelt "user agent", "*" in column 13
	// line 2: Disallow is spelt "Dissallow", "/x" in column 12
}

func ExampleProductToken() {
	fmt.Println(robotstxt.ProductToken("Mozilla/5.0 (compatible; FooBot/1.2; +https://example.com/bot)"))
	// Output: FooBot
}
