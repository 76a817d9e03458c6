package migrating

import (
	"fmt"
	"strings"

	"github.com/benjaminestes/robots/v2"
)

func Example_benjaminestesBefore() {
	url := "https://Example.com:443/private/x"
	robotsURL, err := robots.Locate(url)
	fmt.Println("location:", robotsURL, err)

	r, err := robots.From(200, strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	fmt.Println("allowed:", r.Test("FooBot", url))
	fmt.Println("a longer token:", r.Test("FooBotanist", url))
	allowed := r.Tester("FooBot")
	fmt.Println("allowed:", allowed(url), allowed("/private/press"))

	for _, sitemap := range r.Sitemaps() {
		other, err := robots.Locate(sitemap)
		fmt.Println("sitemap:", sitemap, err == nil && other == robotsURL)
	}
	// Output:
	// location: https://example.com/robots.txt <nil>
	// allowed: false
	// a longer token: false
	// allowed: false true
	// sitemap: https://example.com/sitemap.xml true
}
