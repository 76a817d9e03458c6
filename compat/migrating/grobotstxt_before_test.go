package migrating

import (
	"fmt"

	"github.com/jimsmart/grobotstxt"
)

func Example_grobotstxtBefore() {
	agent, url := "FooBot", "https://example.com/private/x"
	fmt.Println("one agent:", grobotstxt.AgentAllowed(text, agent, url))
	fmt.Println("a header:", grobotstxt.AgentAllowed(text, "FooBot/1.0", url))
	agents := []string{"FooBot", "BarBot"}
	fmt.Println("two agents:", grobotstxt.AgentsAllowed(text, agents, url), grobotstxt.AgentsAllowed(text, agents, "https://example.com/images/"))

	m := grobotstxt.NewRobotsMatcher()
	fmt.Println("matcher:", m.AgentAllowed(text, agent, url))
	fmt.Println("why:", m.Disallowed(), m.MatchingLine())
	fmt.Println("named:", m.EverSeenSpecificAgent(), m.DisallowedIgnoreGlobal())

	path, pattern := "/private/x", "/private/*$"
	fmt.Println("pattern:", grobotstxt.Matches(path, pattern), grobotstxt.LongestMatchStrategy{}.MatchAllow(path, pattern))
	fmt.Println("sitemaps:", grobotstxt.Sitemaps(text))
	grobotstxt.AllowFrequentTypos = true
	// Output:
	// one agent: false
	// a header: true
	// two agents: false false
	// matcher: false
	// why: true 3
	// named: true true
	// pattern: true 11
	// sitemaps: [https://example.com/sitemap.xml]
}

type handler struct{}

func (handler) HandleRobotsStart()                                 {}
func (handler) HandleRobotsEnd()                                   {}
func (handler) HandleUserAgent(line int, value string)             { fmt.Println(line, "agent", value) }
func (handler) HandleAllow(line int, value string)                 {}
func (handler) HandleDisallow(line int, value string)              { fmt.Println(line, "disallow", value) }
func (handler) HandleSitemap(line int, value string)               {}
func (handler) HandleUnknownAction(line int, action, value string) { fmt.Println(line, action, value) }

func Example_grobotstxtLinesBefore() {
	grobotstxt.Parse(text, handler{})
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
