package accesslog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkRead measures a log in the Combined Log Format.
func BenchmarkRead(b *testing.B) {
	agents := []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"CCBot/2.0 (https://commoncrawl.org/faq/)",
		"-",
	}
	paths := []string{"/", "/robots.txt", "/shop/item-7/", "/search?q=tea", "/wp-admin/x", "/list.pdf"}
	var log strings.Builder
	start := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	const lines = 10_000
	for i := range lines {
		fmt.Fprintf(&log, "192.0.2.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n", i%256,
			start.Add(time.Duration(i)*time.Second).Format("02/Jan/2006:15:04:05 -0700"), paths[i%len(paths)], i, agents[i/2%len(agents)])
	}
	const robots = "User-agent: *\nDisallow: /wp-admin/\nDisallow: /search\n\nUser-agent: GPTBot\nUser-agent: CCBot\nCrawl-delay: 2\nDisallow: /\n\nUser-agent: bingbot\nDisallow: /*.pdf$\n"
	b.ReportAllocs()
	b.SetBytes(int64(log.Len()))
	for b.Loop() {
		if err := NewCollector(Options{Versions: always(robots)}, Parser{}).Read("access.log", strings.NewReader(log.String())); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*lines)/b.Elapsed().Seconds(), "lines/s")
}
