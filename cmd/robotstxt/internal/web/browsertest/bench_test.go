package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// BenchmarkKeystroke measures the time from a change of a file with 5,640 rules to the
// moment when the verdicts about 1,000 URLs and the marks of the file are drawn, and how
// long the page cannot take the next key meanwhile ("blocked").
func BenchmarkKeystroke(b *testing.B) {
	b.Run("served", func(b *testing.B) { benchmarkKeystroke(b, serve(b, web.Options{})) })
	b.Run("static", func(b *testing.B) { benchmarkKeystroke(b, serveStatic(b)) })
}

func benchmarkKeystroke(b *testing.B, url string) {
	p := open(b, url)
	var text, urls strings.Builder
	text.WriteString("User-agent: *\n")
	for i := range 5640 {
		fmt.Fprintf(&text, "Disallow: /products/archive/%d/details\n", i*7)
	}
	for i := range 1000 {
		fmt.Fprintf(&urls, "https://shop.example/products/archive/%d/details?page=%d\n", i*21, i)
	}
	p.run(fmt.Sprintf(`const set = (id, v) => { const f = document.getElementById(id); f.value = v; f.dispatchEvent(new Event("input")) };
		set("text", %s); set("urls", %s)`, quote(text.String()), quote(urls.String())))
	p.want("#count-disallowed", "1,000")
	p.run(`const t = document.getElementById("text"); t.focus(); t.setSelectionRange(50, 50)`)
	var total, blocked float64
	best := math.Inf(1)
	for b.Loop() {
		times := eval[[]float64](p, `new Promise((done) => {
			const start = performance.now();
			let blocked = 0;
			new MutationObserver((_, observer) => {
				observer.disconnect();
				requestAnimationFrame(() => done([performance.now() - start, blocked]));
			}).observe(document.querySelector(".grid-body"), { childList: true });
			document.execCommand("insertText", false, "x");
			blocked = performance.now() - start;
		})`)
		total += times[0]
		best = min(best, times[0])
		blocked += times[1]
		p.settle()
	}
	b.ReportMetric(0, "ns/op") // which would count the pauses between two keys
	b.ReportMetric(total/float64(b.N), "ms/key")
	b.ReportMetric(best, "best-ms/key") // for machines that have more to do
	b.ReportMetric(blocked/float64(b.N), "blocked-ms/key")
}
