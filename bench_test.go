package robotstxt_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

// sample is a typical file.
var sample = []byte(`# A shop that shows crawlers its goods, but not its tills.

User-agent: *
Allow: /
Disallow: /basket
Disallow: /*?session=

User-agent: FooBot
User-agent: BarBot
Crawl-delay: 2.5
Allow: /archive/press/
Disallow: /archive/
Disallow: /*.pdf$

User-agent: GreedyBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`)

// rulesFile returns a file with one group of the given number of rules. If wildEvery is not
// 0, every wildEvery-th rule has wildcards.
func rulesFile(rules, wildEvery int) []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range rules {
		if wildEvery > 0 && i%wildEvery == 0 {
			fmt.Fprintf(&b, "Disallow: /*/list-%d/*?page=\n", i)
		} else {
			fmt.Fprintf(&b, "Disallow: /shop/item-%d/\n", i*7919%rules)
		}
	}
	return []byte(b.String())
}

// escapedFile returns a file with one group of the given number of rules. All contain escapes and
// "?" or "%24", so they are compared in another spelling than their canonical form.
func escapedFile(rules int) []byte {
	formats := []string{"/%%D0%%BA%%D0%%B0%%D1%%82%%D0%%B0%%D0%%BB%%D0%%BE%%D0%%B3-%d?page=", "/shop/a-long-name-with/%%24item-%d", "/*%%24a-long-name-with-stars-%d*?a=%%2F"}
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range rules {
		fmt.Fprintf(&b, "Disallow: "+formats[i%len(formats)]+"\n", i*7919%rules)
	}
	return []byte(b.String())
}

// namesFile returns a file with one group for the given number of names, and one for all other
// crawlers. Lists of more than a hundred AI crawlers are common.
func namesFile(names int) []byte {
	var b strings.Builder
	for i := range names {
		fmt.Fprintf(&b, "User-agent: %cBot-%d\n", 'A'+i%26, i)
	}
	b.WriteString("Disallow: /\n\nUser-agent: *\nDisallow: /basket\n")
	return []byte(b.String())
}

func benchmarkFiles(tb testing.TB) []struct {
	name string
	data []byte
} {
	return []struct {
		name string
		data []byte
	}{
		{"sample", sample},
		{"names=240", namesFile(240)},
		{"rules=184,wild=31", rulesFile(184, 6)},
		{"rules=5000", rulesFile(5000, 0)},
		{"rules=3000,wild=1500", rulesFile(3000, 2)},
		{"rules=5000 with escapes", escapedFile(5000)},
	}
}

func BenchmarkParse(b *testing.B) {
	for _, file := range benchmarkFiles(b) {
		b.Run(file.name, func(b *testing.B) {
			b.SetBytes(int64(len(file.data)))
			b.ReportAllocs()
			for b.Loop() {
				robotstxt.Parse(file.data)
			}
		})
	}
}

// BenchmarkParseAndAllowed measures a crawler that parses a file to ask about one URL.
func BenchmarkParseAndAllowed(b *testing.B) {
	for _, file := range benchmarkFiles(b) {
		b.Run(file.name, func(b *testing.B) {
			b.SetBytes(int64(len(file.data)))
			b.ReportAllocs()
			for b.Loop() {
				robotstxt.Parse(file.data).Allowed("FooBot", "https://shop.example/shop/item-77/list-12/x?page=3")
			}
		})
	}
}

// BenchmarkAllowed measures a crawler that asks a parsed file about many URLs.
func BenchmarkAllowed(b *testing.B) {
	urls := map[string]string{
		"plain":   "https://shop.example/shop/item-77/list-12/x?page=3",
		"escaped": "https://shop.example/shop/item-77/tea%20cups/ツ",
	}
	for _, file := range benchmarkFiles(b) {
		for name, url := range urls {
			b.Run(file.name+","+name, func(b *testing.B) {
				f := robotstxt.Parse(file.data)
				b.ReportAllocs()
				for b.Loop() {
					f.Allowed("FooBot", url)
				}
			})
		}
	}
}

// BenchmarkStars measures patterns that make backtracking matchers slow.
func BenchmarkStars(b *testing.B) {
	url := "https://shop.example/" + strings.Repeat("a", 2000)
	for _, stars := range []int{8, 400} {
		b.Run(fmt.Sprintf("stars=%d", stars), func(b *testing.B) {
			f := robotstxt.Parse([]byte("User-agent: *\nDisallow: /" + strings.Repeat("a*", stars) + "b\n"))
			b.ReportAllocs()
			for b.Loop() {
				f.Allowed("FooBot", url)
			}
		})
	}
}

// BenchmarkHostile measures input that is meant to slow Parse down.
func BenchmarkHostile(b *testing.B) {
	for name, data := range hostile() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				robotstxt.Parse(data)
			}
		})
	}
}

func TestParseAllocations(t *testing.T) {
	count := func(data []byte) float64 {
		least := math.Inf(1)
		for range 20 { // with the race detector, a sync.Pool drops items at random
			least = min(least, testing.AllocsPerRun(1, func() { robotstxt.Parse(data) }))
		}
		return least
	}
	if n := count(sample); n > 8 {
		t.Errorf("Parse of a typical file allocates %v times", n)
	}
	// For ten times the lines, slices may grow a few more times, but not in proportion.
	small, large := count(rulesFile(1000, 6)), count(rulesFile(10_000, 6))
	if large > small+12 || large > 30 {
		t.Errorf("Parse allocates %v times for 1,000 rules, %v for 10,000", small, large)
	}
}

// TestManyEscapedRules tests that the index finds rules whose escapes the URL spells differently, and that
// a URL is compared with few of many such rules. Each comparison allocates memory for the other spelling.
func TestManyEscapedRules(t *testing.T) {
	f := robotstxt.Parse(escapedFile(3000))
	const plain = "https://shop.example/shop/a-long-name-with/item-77/list-12/x?page=3"
	for range 100 { // so that the rules get an index
		f.Allowed("FooBot", plain)
	}
	for url, line := range map[string]int{
		plain:                                     0,
		"/shop/a-long-name-with/$item-1919":       3,
		"/shop/a-long-name-with/%24item-1919":     3,
		"/каталог-0?page=7":                       2,
		"/x/$a-long-name-with-stars-838/?a=/":     4,
		"/x/%24a-long-name-with-stars-838/?a=%2f": 4,
	} {
		if d := f.Decide("FooBot", url); d.Rule.Line != line {
			t.Errorf("%s: %v, want line %d", url, d, line)
		}
	}
	if n := testing.AllocsPerRun(10, func() { f.Allowed("FooBot", plain) }); n > 100 {
		t.Errorf("Allowed allocates %v times for one URL and 3,000 rules", n)
	}
}
