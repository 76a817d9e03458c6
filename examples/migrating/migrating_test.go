package migrating

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing/iotest"

	"github.com/robotstxt-go/robotstxt"
)

const text = `User-agent: FooBot
Crawl-delay: 2.5
Disallow: /private/
Allow: /private/press
Disallow: /private/press?print

User-agent: BarBot
Disallow: /images/

User-agent: *
Disallow: /search
Host: www.example.com

Sitemap: https://example.com/sitemap.xml
`

func respond(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(body)}
}

func Example_parse() {
	for _, resp := range []*http.Response{
		respond(200, strings.NewReader(text)),
		respond(200, io.MultiReader(strings.NewReader(text[:50]), iotest.ErrReader(errors.New("reset")))),
		respond(404, strings.NewReader("not found")),
		respond(429, strings.NewReader("slow down")),
	} {
		fmt.Println(parse(resp).Decide("BarBot", "https://example.com/shop"))
	}
	// Output:
	// Allowed: no rule of the "BarBot" group matches.
	// Disallowed: the site's robots.txt could not be read.
	// Allowed: the site has no robots.txt.
	// Disallowed: the site's robots.txt could not be read.
}

func Example_temoto() {
	body, agent := []byte(text), "FooBot"
	file := robotstxt.Parse(body)
	fmt.Println("a path:", file.Allowed(agent, "/private/x"))

	group := file.Group("FooBot/1.0")
	u, _ := url.Parse("https://example.com/private/press?print&a=1")
	fmt.Println("a parsed URL:", group.Allowed(u.String()))
	r := httptest.NewRequest("GET", "//x/private/", nil)
	fmt.Println("a request:", group.Allowed("//"+r.Host+r.URL.RequestURI()))

	delay, ok := group.CrawlDelay()
	fmt.Println("delay:", delay, ok)
	fmt.Println("token:", group.Decide("/").Token)
	fmt.Println("sitemaps:", file.Sitemaps())
	for _, record := range file.Group("*").Records() {
		if record.Is("Host") {
			fmt.Println("host:", record.Value)
		}
	}
	// Output:
	// a path: false
	// a parsed URL: false
	// a request: true
	// delay: 2.5s true
	// token: FooBot
	// sitemaps: [https://example.com/sitemap.xml]
	// host: www.example.com
}

func Example_grobotstxt() {
	agent, url := "FooBot/1.0", "https://example.com/private/x"
	file := robotstxt.Parse([]byte(text))
	fmt.Println("allowed:", file.Allowed(agent, url))
	fmt.Println("first of two names:", file.Group("FooBot-Image", "FooBot").Tokens())

	decision := file.Decide(agent, url)
	fmt.Println("why:", !decision.Allowed, decision.Rule.Line)
	named := decision.Token != "" && decision.Token != "*"
	fmt.Println("named:", named, named && !decision.Allowed)

	p := robotstxt.NewPattern("/private/*$")
	fmt.Println("pattern:", p.Matches("/private/x"), p.Octets())
	for line := range robotstxt.Lines([]byte(text)) {
		switch line.Kind {
		case robotstxt.UserAgentKind:
			fmt.Println("line", line.Number, "agent", line.Value)
		case robotstxt.OtherKind:
			fmt.Println("line", line.Number, line.Key, line.Value)
		}
	}
	// Output:
	// allowed: false
	// first of two names: [FooBot]
	// why: true 3
	// named: true true
	// pattern: true 11
	// line 1 agent FooBot
	// line 7 agent BarBot
	// line 10 agent *
	// line 12 Host www.example.com
}
