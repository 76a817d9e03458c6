package migrating

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

func Example_benjaminestes() {
	url := "https://Example.com:443/private/x"
	robotsURL, err := robotstxt.Location(url)
	fmt.Println("location:", robotsURL, err)

	file := robotstxt.FromStatus(200, body)
	fmt.Println("allowed:", file.Allowed("FooBot", url))
	fmt.Println("a longer token:", file.Allowed("FooBotanist", url))
	allowed := file.Group("FooBot").Allowed
	fmt.Println("allowed:", allowed(url), allowed("/private/press"))

	for _, sitemap := range file.Sitemaps() {
		fmt.Println("sitemap:", sitemap, robotstxt.Covers(robotsURL, sitemap))
	}
	// Output:
	// location: https://example.com/robots.txt <nil>
	// allowed: false
	// a longer token: true
	// allowed: false true
	// sitemap: https://example.com/sitemap.xml true
}
