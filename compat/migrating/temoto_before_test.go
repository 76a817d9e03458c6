package migrating

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/temoto/robotstxt"
)

func Example_temotoBefore() {
	robots, err := robotstxt.FromBytes(body)
	if err != nil {
		panic(err)
	}
	agent := "FooBot"
	fmt.Println("a path:", robots.TestAgent("/private/x", agent))
	fmt.Println("a URL:", robots.TestAgent("https://example.com/private/x", agent))

	group := robots.FindGroup("FooBot/1.0")
	u, _ := url.Parse("https://example.com/private/press?print&a=1")
	fmt.Println("a parsed URL:", group.Test(u.Path), group.Test(u.RequestURI()))
	fmt.Println("a sorted query:", group.Test(u.Path+"?"+u.Query().Encode()))
	r := httptest.NewRequest("GET", "//x/private/", nil)
	fmt.Println("a request:", group.Test(r.URL.RequestURI()))

	fmt.Printf("token: %q\n", group.Agent)
	fmt.Println("delay:", group.CrawlDelay)
	fmt.Println("sitemaps:", robots.Sitemaps)
	fmt.Println("host:", robots.Host)
	// Output:
	// a path: false
	// a URL: true
	// a parsed URL: true false
	// a sorted query: true
	// a request: true
	// token: ""
	// delay: 2.5s
	// sitemaps: [https://example.com/sitemap.xml]
	// host: www.example.com
}

func Example_temotoErrorsBefore() {
	text := "Disallow: /private/\n\nUser-agent: *\nDisallow: /search\n"
	_, err := robotstxt.FromString(text)
	var parseError *robotstxt.ParseError
	fmt.Println(errors.As(err, &parseError), len(robotstxt.WhitespaceChars))
	// Output: true 3
}

func Example_temotoResponseBefore() {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	resp, err := http.Get(site.URL + "/robots.txt")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	robots, err := robotstxt.FromResponse(resp)
	if err != nil {
		panic(err)
	}
	fmt.Println(robots.TestAgent("/private/", "FooBot"))
	robots, err = robotstxt.FromStatusAndBytes(resp.StatusCode, body)
	if err != nil {
		panic(err)
	}
	fmt.Println(robots.TestAgent("/private/", "FooBot"))
	// Output:
	// true
	// true
}
