package migrating

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
)

func Example_grobotstxt() {
	agent, url := "FooBot", "https://example.com/private/x"
	file := robotstxt.Parse([]byte(text))
	fmt.Println("one agent:", file.Allowed(agent, url))
	fmt.Println("a header:", file.Allowed("FooBot/1.0", url))
	group := file.Group("FooBot", "BarBot")
	image := "https://example.com/images/1"
	fmt.Println("the first that is named:", group.Allowed(url), group.Allowed(image))
	fmt.Println("both:", file.Allowed("FooBot", image) && file.Allowed("BarBot", image))

	decision := file.Decide(agent, url)
	fmt.Println("why:", !decision.Allowed, decision.Rule.Line)
	named := decision.Token != "" && decision.Token != "*"
	fmt.Println("named:", named, named && !decision.Allowed)

	p := robotstxt.NewPattern("/private/*$")
	fmt.Println("pattern:", p.Matches("/private/x"), p.Octets())
	fmt.Println("sitemaps:", file.Sitemaps())
	fmt.Println("rules:", group.Rules())
	// Output:
	// one agent: false
	// a header: false
	// the first that is named: false true
	// both: false
	// why: true 3
	// named: true true
	// pattern: true 11
	// sitemaps: [https://example.com/sitemap.xml]
	// rules: [Disallow: /private/ Allow: /private/press Disallow: /private/press?print]
}

func Example_grobotstxtLines() {
	for line := range robotstxt.Lines([]byte(text)) {
		switch line.Kind {
		case robotstxt.UserAgentKind:
			fmt.Println(line.Number, "agent", line.Value)
		case robotstxt.DisallowKind:
			fmt.Println(line.Number, "disallow", line.Value)
		case robotstxt.CrawlDelayKind, robotstxt.OtherKind:
			fmt.Println(line.Number, line.Key, line.Value)
		}
	}
	// Output:
	// 1 agent FooBot
	// 2 Crawl-delay 2.5
	// 3 disallow /private/
	// 5 disallow /private/press?print
	// 7 agent BarBot
	// 8 disallow /images/
	// 10 agent *
	// 11 disallow /search
	// 14 Host www.example.com
}
