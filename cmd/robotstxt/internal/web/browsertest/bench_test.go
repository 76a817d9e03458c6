package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// BenchmarkKeystroke measures the time from a keystroke in a large file to the frame that
// shows the letter ("painted"), and to the frame that shows the verdicts. For comparison,
// "bare" is a page with only a text area. All results are medians.
func BenchmarkKeystroke(b *testing.B) {
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><html data-ready data-busy="0"><link rel="icon" href="data:,">
			<textarea id="text" wrap="off" style="font: 13.5px/22px monospace; white-space: pre; height: 400px; width: 500px"></textarea>
			<textarea id="urls"></textarea><div class="grid-body"></div>
			<script>document.getElementById("text").addEventListener("input", () => document.querySelector(".grid-body").replaceChildren(String(Math.random())))</script>`)
	}))
	b.Cleanup(bare.Close)
	for _, urls := range []int{10, 1000} {
		for name, url := range map[string]string{"bare": bare.URL + "/", "served": serve(b, web.Options{}), "static": serveStatic(b)} {
			b.Run(fmt.Sprintf("%s/rules=24000/urls=%d", name, urls), func(b *testing.B) { benchmarkKeystroke(b, url, urls) })
		}
	}
}

func benchmarkKeystroke(b *testing.B, url string, count int) {
	p := open(b, url)
	var text, urls strings.Builder
	text.WriteString("User-agent: *\n")
	for i := range 24_000 {
		fmt.Fprintf(&text, "Disallow: /a/%d\n", i*7)
	}
	for i := range count {
		fmt.Fprintf(&urls, "https://shop.example/a/%d?page=%d\n", i*21, i)
	}
	p.run(fmt.Sprintf(`const set = (id, v) => { const f = document.getElementById(id); f.value = v; f.dispatchEvent(new Event("input")) };
		set("text", %s); set("urls", %s)`, quote(text.String()), quote(urls.String())))
	p.run(`const t = document.getElementById("text"); t.focus(); t.setSelectionRange(50, 50);
		window.painted = []; window.verdicts = [];
		new PerformanceObserver((list) => painted.push(...list.getEntries().filter((e) => e.name === "keydown").map((e) => e.duration)))
			.observe({ type: "event", durationThreshold: 16 });
		let start = 0;
		addEventListener("keydown", (event) => start = event.timeStamp, true);
		new MutationObserver(() => requestAnimationFrame(() => { if (start) verdicts.push(performance.now() - start); start = 0; }))
			.observe(document.querySelector(".grid-body"), { childList: true });`)
	for b.Loop() {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			params := input.DispatchKeyEventParams{Type: kind, Key: "x", Code: "KeyX", WindowsVirtualKeyCode: 88}
			if kind == input.DispatchKeyEventTypeKeyDown {
				params.Text = "x"
			}
			p.do(call(input.DispatchKeyEvent, params))
		}
		p.settle()
	}
	b.ReportMetric(0, "ns/op") // not reported: it would include the pauses between two keys
	for _, metric := range []string{"painted", "verdicts"} {
		times := eval[[]float64](p, metric)
		if len(times) == 0 {
			times = []float64{0}
		}
		slices.Sort(times)
		b.ReportMetric(times[len(times)/2], metric+"-ms")
	}
}
