package crawlers_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

func ExampleLookup() {
	c, ok := crawlers.Lookup("claudebot")
	fmt.Println(ok, c.Token, "of", c.Operator, c.Purposes)
	fmt.Println(c.Claim, "according to", c.Source)
	_, ok = crawlers.Lookup("FooBot")
	fmt.Println(ok)
	// Output:
	// true ClaudeBot of Anthropic [training]
	// heeds robots.txt according to https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler
	// false
}

// The AI crawlers that a file shuts out.
func ExampleSet() {
	file := robotstxt.Parse([]byte("User-agent: GPTBot\nUser-agent: BadBot\nDisallow: /\n"))
	ai, _ := crawlers.Set("@ai")
	for _, c := range ai {
		if !file.Allowed(c.Token, "/") {
			fmt.Println(c.Token, "of", c.Operator, c.Purposes)
		}
	}
	// Output:
	// GPTBot of OpenAI [training]
}

// Apple documents that Applebot obeys the rules for Googlebot in a file that does not name Applebot.
func ExampleNames() {
	file := robotstxt.Parse([]byte("User-agent: Googlebot\nDisallow: /drafts/\n"))
	names := crawlers.Names("Applebot")
	fmt.Println(names)
	fmt.Println(file.Group(names...).Decide("/drafts/").Token)
	// Output:
	// [Applebot Googlebot]
	// Googlebot
}

func ExampleFromUserAgent() {
	for _, header := range []string{
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"Mozilla/5.0 (Linux; Android 6.0) Chrome/51.0.3613.1739 Mobile Safari/537.36; Bytespider",
		"Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile Safari/537.36",
	} {
		if c, ok := crawlers.FromUserAgent(header); ok {
			fmt.Println(c.Token, "of", c.Operator)
		} else {
			fmt.Println("no well-known crawler")
		}
	}
	// Output:
	// GPTBot of OpenAI
	// Bytespider of ByteDance
	// no well-known crawler
}
