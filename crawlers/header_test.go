package crawlers_test

import (
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

func TestFromUserAgent(t *testing.T) {
	const (
		mac     = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)"
		android = "Mozilla/5.0 (Linux; Android 6.0; Nexus 5 Build/MRA58N) AppleWebKit/537.36 (KHTML, like Gecko)"
	)
	for header, want := range map[string]string{
		// The name is the product token.
		"GPTBot":              "GPTBot",
		"Googlebot-Image/1.0": "Googlebot-Image",
		"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)":               "bingbot",
		mac + " Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)": "Applebot",

		// The name has no link and no "compatible;".
		android + " Chrome/51.0.3613.1739 Mobile Safari/537.36; Bytespider":                                               "Bytespider",
		android + " Chrome/51.0.5668.1446 Mobile Safari/537.36; Bytespider;bytespider@bytedance.com":                      "Bytespider",
		mac + " Version/8.0.2 Safari/600.2.5 (Applebot/0.1)":                                                              "Applebot",
		"Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko, Mediapartners-Google) Chrome/114.0 Safari/537.36": "Mediapartners-Google",
		// Previews of messages on Apple's devices name three crawlers.
		mac + " Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0": "facebookexternalhit",

		// The header starts with the name of a telephone.
		"DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)": "Googlebot-Mobile",
		"Nokia6820/2.0 Profile/MIDP-1.0 (Compatible; Googlebot-Mobile/2.1)":                                    "Googlebot-Mobile",

		// The plus sign before the comment is not a part of the name.
		"Baiduspider+(+http://www.baidu.com/search/spider.htm)": "Baiduspider",

		// Browsers, and apps.
		"Pinterest for iOS/7.11 (iPhone9,3; 12.1.2)":                                                                                    "",
		mac + " Chrome/126.0.0.0 Safari/537.36":                                                                                         "",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0":                                              "",
		"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)":                                                               "",
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; Googlebot/2.1)":                                                             "", // a browser with a changed header
		"Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]": "",
		android + " YaBrowser/24.4.1 Yandex2/1.0 Mobile Safari/537.36":                                                                  "",

		// Crawlers that are not in the table: a comparison, a URL and an address name nobody.
		"FooBot/1.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": "",
		"FooBot/1.0 (like Googlebot)":                                                          "",
		"FooBot/1.0 (compatible with Googlebot)":                                               "",
		"Mozilla/5.0 (compatible; FooBot/1.0; treat like Googlebot)":                           "",
		"Mozilla/5.0 (compatible; FooBot/1.0; +https://example.com/GPTBot)":                    "",
		"Mozilla/5.0 (compatible; heritrix/3.3.0 +http://archive.org/details/archive.org_bot)": "",
		mac + " (FooBot/1.0; +https://example.com/) Googlebot":                                 "",
		mac + " Safari/537.36 gptbot@example.com http://example.com/GPTBot":                    "",
		"SemrushBot-BA/1.0": "",
		"":                  "",
	} {
		c, ok := crawlers.FromUserAgent(header)
		if c.Token != want || ok != (want != "") {
			t.Errorf("FromUserAgent(%q) = %q, %t; want %q", header, c.Token, ok, want)
		}
	}
}

// FuzzFromUserAgent tests that a crawler is found only in headers that contain its token, and that a
// header whose product token is a crawler's names this crawler.
func FuzzFromUserAgent(f *testing.F) {
	f.Add("Mozilla/5.0 (Linux) Safari/537.36; Bytespider")
	f.Add("DoCoMo/2.0 (compatible; Googlebot-Mobile/2.1)")
	f.Add("FooBot/1.0 (compatible; Googlebot/2.1)")
	f.Fuzz(func(t *testing.T, header string) {
		c, ok := crawlers.FromUserAgent(header)
		if ok != (c.Token != "") || !strings.Contains(strings.ToLower(header), strings.ToLower(c.Token)) {
			t.Errorf("FromUserAgent(%q) = %q, %t", header, c.Token, ok)
		}
		if want, ok := crawlers.Lookup(robotstxt.ProductToken(header)); ok && c.Token != want.Token {
			t.Errorf("FromUserAgent(%q) = %q, want %q", header, c.Token, want.Token)
		}
	})
}

// TestFromUserAgentTokens tests that each token names its crawler.
func TestFromUserAgentTokens(t *testing.T) {
	for _, c := range crawlers.All() {
		for _, header := range []string{c.Token, c.Token + "/1.0", "Mozilla/5.0 (Linux) Safari/537.36 (" + c.Token + "/1.0)"} {
			if got, _ := crawlers.FromUserAgent(header); got.Token != c.Token {
				t.Errorf("FromUserAgent(%q) = %q, want %q", header, got.Token, c.Token)
			}
		}
	}
}
