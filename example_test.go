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

func ExampleFromStatus() {
	body := []byte("User-agent: *\nDisallow: /private/\n") // of the response
	for _, status := range []int{200, 404, 503} {
		d := robotstxt.FromStatus(status, body).Decide("FooBot", "https://example.com/private/x")
		fmt.Println(status, d)
	}
	// Output:
	// 200 Disallowed: line 2, for crawlers without a group of their own, says "Disallow: /private/".
	// 404 Allowed: the site has no robots.txt.
	// 503 Disallowed: the site's robots.txt could not be read.
}

func ExampleFile_Groups() {
	file := robotstxt.Parse([]byte(`User-agent: FooBot
User-agent: BarBot
Disallow: /private/

User-agent: *
Disallow: /
`))
	for _, group := range file.Groups() {
		fmt.Println(group.Tokens(), group.Rules())
	}
	// Output:
	// [FooBot BarBot] [Disallow: /private/]
	// [*] [Disallow: /]
}

func ExampleFile_Sitemaps() {
	file := robotstxt.Parse([]byte(`User-agent: FooBot
Sitemap: https://example.com/sitemap.xml
Disallow: /private/
`))
	fmt.Println(file.Sitemaps())
	// Output: [https://example.com/sitemap.xml]
}

func ExampleRecord_Is() {
	file := robotstxt.Parse([]byte(`User-agent: *
Disallow: /private/
Content-Usage: train-ai=n
`))
	for _, r := range file.Group("FooBot").Records() {
		if r.Is("Content-Usage") {
			fmt.Printf("line %d: %s\n", r.Line, r.Value)
		}
	}
	// Output: line 3: train-ai=n
}

func ExampleCovers() {
	const page = "https://example.com/shop/tea"
	fmt.Println(robotstxt.Covers("https://example.com/robots.txt", page))
	fmt.Println(robotstxt.Covers("https://www.example.com/robots.txt", page))  // another host
	fmt.Println(robotstxt.Covers("https://example.com/shop/robots.txt", page)) // in a folder
	// Output:
	// true
	// false
	// false
}

func ExamplePattern() {
	pattern := robotstxt.NewPattern("/shop/*.pdf$")
	fmt.Println(pattern.Matches("https://example.com/shop/tea/prices.pdf"))
	fmt.Println(pattern.Matches("https://example.com/shop/prices.pdf?page=2"))
	// Output:
	// true
	// false
}
