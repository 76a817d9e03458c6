package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkKeystroke measures the request that the page sends at each keystroke (decide), and
// the one when typing pauses (review), with 5,640 rules and 1,000 URLs.
func BenchmarkKeystroke(b *testing.B) {
	text, urls := largeFile(5640), largeList(1000)
	for _, req := range []Request{
		{Op: "decide", Text: text, URLs: urls, Agents: []string{"Googlebot"}},
		{Op: "decide", Text: text, URLs: urls, Agents: []string{"Googlebot", "bingbot", "GPTBot", "CCBot", "*"}, Before: &text},
		{Op: "review", Text: text, URL: "/"},
	} {
		data, err := json.Marshal(req)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s/agents=%d", req.Op, len(req.Agents)), func(b *testing.B) {
			for b.Loop() {
				Answer(data, "")
			}
		})
	}
}

func largeFile(rules int) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range rules {
		fmt.Fprintf(&b, "Disallow: /products/archive/%d/details\n", i*7)
	}
	return b.String()
}

func largeList(n int) []string {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://shop.example/products/archive/%d/details?page=%d", i*21, i)
	}
	return urls
}
