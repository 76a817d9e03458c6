package migrating

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func Example_temoto() {
	file := robotstxt.Parse(body)
	agent := "FooBot"
	fmt.Println("a path:", file.Allowed(agent, "/private/x"))
	fmt.Println("a URL:", file.Allowed(agent, "https://example.com/private/x"))

	group := file.Group("FooBot/1.0")
	u, _ := url.Parse("https://example.com/private/press?print&a=1")
	fmt.Println("a parsed URL:", group.Allowed(u.String()))
	r := httptest.NewRequest("GET", "//x/private/", nil)
	fmt.Println("a request:", group.Allowed("//"+r.Host+r.URL.RequestURI()))

	fmt.Printf("token: %q\n", group.Decide("/").Token)
	delay, ok := group.CrawlDelay()
	fmt.Println("delay:", delay, ok)
	fmt.Println("sitemaps:", file.Sitemaps())
	for line := range robotstxt.Lines(body) {
		if strings.EqualFold(line.Key, "Host") {
			fmt.Println("host:", line.Value)
		}
	}
	// Output:
	// a path: false
	// a URL: false
	// a parsed URL: false
	// a request: true
	// token: "FooBot"
	// delay: 2.5s true
	// sitemaps: [https://example.com/sitemap.xml]
	// host: www.example.com
}

func Example_temotoErrors() {
	text := "Disallow: /private/\n\nUser-agent: *\nDisallow: /search\n"
	file := robotstxt.Parse([]byte(text))
	fmt.Println(file.Allowed("FooBot", "/search"))
	for _, finding := range lint.Check([]byte(text)) {
		fmt.Println("lint: line", finding.Line)
	}
	// Output:
	// false
	// lint: line 1
}

func Example_temotoResponse() {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	file := robotstxt.Unreachable()
	if resp, err := http.Get(site.URL + "/robots.txt"); err == nil {
		defer resp.Body.Close()
		if file, err = robotshttp.FromResponse(resp); err != nil {
			fmt.Println(err)
		}
		fmt.Println(robotstxt.FromStatus(resp.StatusCode, body).Allowed("FooBot", "/private/"))
	}
	fmt.Println(file.Allowed("FooBot", "/private/"))

	cache := &robotshttp.Cache{UserAgent: "FooBot/1.0 (+https://example.com/bot)"}
	decision, err := cache.Allowed(context.Background(), site.URL+"/private/")
	fmt.Println(decision, err)
	// Output:
	// true
	// true
	// Allowed: the site has no robots.txt. <nil>
}
