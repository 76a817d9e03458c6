package robotshttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotstag"
)

// A crawler that stores pages should obey robots.txt files, X-Robots-Tag headers and robots
// meta tags. The Transport obeys robots.txt, and package robotstag reads the headers and tags.
func Example_threeSignals() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
		case "/report.pdf":
			w.Header().Set("X-Robots-Tag", "otherbot: none, FooBot: noindex")
		case "/news":
			fmt.Fprint(w, `<meta name="robots" content="nofollow, unavailable_after: 25 Jun 2020 15:00:00 PST">`)
		default:
			fmt.Fprint(w, "Welcome!")
		}
	}))
	defer site.Close()

	const agent = "FooBot/1.0 (+https://example.com/bot)"
	client := &http.Client{Transport: robotshttp.NewTransport(agent, nil)}
	for _, path := range []string{"/", "/private/", "/report.pdf", "/news"} {
		resp, err := client.Get(site.URL + path)
		if err != nil {
			fmt.Println(path, "may not be fetched")
			continue
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, robotstag.MaxHTML))
		resp.Body.Close()
		if err != nil {
			fmt.Println(err)
			continue
		}
		fromPage, _ := robotstag.FromHTML(strings.NewReader(string(body))) // reading a string cannot fail
		d := robotstag.FromHeader(resp.Header).Join(fromPage).For(agent)
		fmt.Printf("%s index: %v, follow links: %v\n", path, d.MayIndex(time.Now()), d.MayFollow())
	}
	// Output:
	// / index: true, follow links: true
	// /private/ may not be fetched
	// /report.pdf index: false, follow links: true
	// /news index: false, follow links: false
}
