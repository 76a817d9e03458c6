package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// TestButtonsWithNothingToDo clicks each button of each tab while nothing but a file, or nothing at all, is entered.
// No click may take anything away, and buttons that could do nothing are disabled.
func TestButtonsWithNothingToDo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ about, text, disabled string }{
		{"nothing", "", "copy-file download add-named copy-csv keep restore forget choose"},
		{"a file", file, "add-named restore forget choose"},
	} {
		p := openTab(t, serve(t, web.Options{AllowFetch: true}))
		p.goTo(p.url)
		p.run(catchCopies)
		p.fill("text", test.text)
		enabled, disabled := map[string][]string{}, []string{}
		tabs := []string{"verdicts", "versions", "ai"}
		for _, tab := range tabs {
			p.click("#tab-" + tab)
			for _, id := range eval[[]string](p, `[...document.querySelectorAll("button[id]:not([role=tab], #example)")].filter((b) => b.checkVisibility()).map((b) => b.id)`) {
				if !eval[bool](p, fmt.Sprintf("document.getElementById(%q).disabled", id)) {
					enabled[tab] = append(enabled[tab], id)
				} else if !slices.Contains(disabled, id) {
					disabled = append(disabled, id)
				}
			}
		}
		for _, tab := range tabs {
			p.click("#tab-" + tab)
			for _, id := range enabled[tab] {
				if id == "clear-agents" && p.text("#agents") == "any other crawler ×" {
					continue // a click before has removed them
				}
				p.click("#" + id)
				p.wantText(test.text)
				if got := p.text("#notices"); got != "" && got != "All crawlers were removed. Undo Dismiss" {
					t.Errorf("with %s: after a click on %s, the page says %q", test.about, id, got)
				}
			}
		}
		if got := strings.Join(disabled, " "); got != test.disabled {
			t.Errorf("with %s: disabled are %s, want %s", test.about, got, test.disabled)
		}
	}
}

// seen returns the characters of an element in the order in which they are seen, from left to right.
func (p *page) seen(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`(() => {
		const seen = [];
		const walk = document.createTreeWalker(document.querySelector(%q), NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			for (let i = 0; i < walk.currentNode.length; i++) {
				const range = document.createRange();
				range.setStart(walk.currentNode, i);
				range.setEnd(walk.currentNode, i + 1);
				seen.push([range.getBoundingClientRect().left, walk.currentNode.data[i]]);
			}
		}
		return seen.sort(([a], [b]) => a - b).map(([, c]) => c).join("");
	})()`, selector))
}

// TestRightToLeft tests where the host and the path of a URL with Hebrew letters are seen. The letters read from
// right to left, but the URL around them reads from left to right (URL Standard, "Internationalization and special
// characters").
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.fill("text", "User-agent: *\nDisallow: /\n")
	p.fill("urls", "https://shop.example/\u05d1\u05d2\u05d3/x\n/\u05d1\u05d2\u05d3/x")
	const path = "/\u05d3\u05d2\u05d1/x"
	for selector, want := range map[string]string{
		"#cell-0-0":                   "✕disallowedline 2",
		".grid-row:nth-child(1) .url": "https://shop.example" + path,
		".grid-row:nth-child(2) .url": path,
		"#why .witness":               "https://shop.example" + path,
	} {
		if got := p.seen(selector); got != want {
			t.Errorf("%s is seen as %q, want %q", selector, got, want)
		}
	}
}

const shop = `# The robots.txt of a shop
User-agent: *
Disallow: /basket
Disallow: /search?
Allow: /basket/help
Disallow: /Account/

User-agent: Googlebot
User-agent: Bingbot
Disallow: /basket
Disallow: /*?sort=
Allow: /basket/help$

User-agent: GPTBot
Disalow: /reviews/
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`

var shopPaths = []string{"/", "/basket", "/basket/help", "/basket/help/returns", "/search?q=tea", "/tea?sort=price", "/reviews/42",
	"/account/orders", "/tea/green/sencha-first-flush", "/blog/2026/05/how-to-brew", "/imprint", "/robots.txt"}

// TestFirstScreen tests that a laptop shows all verdicts about twelve URLs, and the sentence above them, without
// scrolling: also with all AI crawlers.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	p := openTab(t, serve(t, fileOptions(shop)))
	p.goTo(p.url)
	p.do(chromedp.EmulateViewport(1280, 800))
	p.fill("urls", "https://shop.example"+strings.Join(shopPaths, "\nhttps://shop.example"))
	for _, test := range []struct {
		about   string
		columns int
	}{{"the default crawlers", 3}, {"all AI crawlers", 4}} {
		hidden := eval[[]string](p, `[...document.querySelectorAll("#tally, .grid-head, .grid-cell .symbol, .grid-cell.verdict small, #why")].filter((e) => {
			const { left, right, top, bottom } = e.getBoundingClientRect();
			const isShown = ([x, y]) => e.contains(document.elementFromPoint(x, y)) || !e.innerText;
			return ![[left + 1, (top + bottom) / 2], [right - 1, (top + bottom) / 2], [(left + right) / 2, top + 1], [(left + right) / 2, bottom - 1]].every(isShown);
		}).map((e) => (e.closest("[id]")?.id ?? "") + " " + e.innerText)`)
		if len(hidden) > 0 {
			t.Errorf("with %s, these are not on the first screen: %q", test.about, hidden)
		}
		if n := eval[int](p, `document.querySelectorAll(".grid-cell.verdict").length`); n != 12*test.columns {
			t.Errorf("with %s: %d verdicts, want %d", test.about, n, 12*test.columns)
		}
		p.click("#add-ai")
	}
}

// TestSets tests that crawlers with the same verdicts share a column, and that a click opens their names.
func TestSets(t *testing.T) {
	t.Parallel()
	p := openTab(t, serve(t, fileOptions("User-agent: GPTBot\nDisallow: /x\n")))
	p.goTo(p.url)
	p.fill("urls", "/x")
	p.want(".grid-head", "URL any other crawler, Googlebot, bingbot group (none) GPTBot group GPTBot")
	p.wantRows("/x|✓ allowed|✕ disallowed line 2")
	p.click(".grid-head button")
	p.want(".set:popover-open", "any other crawler Googlebot bingbot")
	p.press("\u001b")
	p.run(catchCopies)
	p.click("#copy-csv")
	if got := eval[string](p, "copied"); strings.Count(got, "\n") != 5 || !strings.Contains(got, `"/x","bingbot","","allowed","0",""`) {
		t.Errorf("CSV %q, want a record for each of four crawlers", got)
	}
	p.click("#add-ai")
	if got := p.text(".grid-head"); !strings.HasPrefix(got, "URL any other crawler, ") || !strings.Contains(got, " crawlers group (none) GPTBot group GPTBot") {
		t.Errorf("with all AI crawlers, the columns are %q", got)
	}
}

// TestFetchPage tests that a page in place of a robots.txt is called what it is, and that its verdicts say so.
func TestFetchPage(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Shop</title>")
	}))
	t.Cleanup(site.Close)
	p := openFetching(t)
	p.fill("urls", "/x")
	p.fetch(site.URL)
	if got := p.text("#fetched"); !strings.HasSuffix(got, "The server answers with an HTML page, which crawlers read as a robots.txt without rules.") {
		t.Errorf("fetched: %q", got)
	}
	p.wantRows("/x|✓ allowed (?)")
	for _, selector := range []string{"#why", "#summary"} {
		if got := p.text(selector); !strings.Contains(strings.ToLower(got), "the file is an html page, which crawlers read as a robots.txt without rules") {
			t.Errorf("%s: %q", selector, got)
		}
	}
}

// TestNotes tests that the page says which rule misses a URL by one thing, and how others read the lines that
// decide: in the table, and in the tab about AI.
func TestNotes(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.fill("text", "User-agent: *\nDisallow: /Admin/\nDisalow: /\n")
	p.fill("urls", "/admin/\n/x")
	p.wantRows("/admin/|✕ disallowed line 3 (?)", "/x|✕ disallowed line 3 (?)")
	p.click("#tab-ai")
	const caveat = `line 3 is written "Disalow": most crawlers ignore the line`
	for _, selector := range []string{"#ai-summary", "#ai-table tbody tr:first-child td.disallowed"} {
		if got := p.text(selector); !strings.Contains(got, caveat) {
			t.Errorf("%s: %q", selector, got)
		}
	}
	p.fill("text", "User-agent: *\nDisallow: /Admin/\n")
	p.click("#tab-verdicts")
	p.wantRows("/admin/|✓ allowed (?)", "/x|✓ allowed")
	if got := p.text("#why"); !strings.HasSuffix(got, "Line 2, Disallow: /Admin/, does not match: capital letters count in paths.") {
		t.Errorf("why: %q", got)
	}
	p.fill("text", "User-agent: *\nDisalow: /a\nAlow: /b\nSitmap: /c\n")
	if got := eval[[]string](p, `[...document.querySelectorAll("#findings-list li.error")].map((li) => li.innerText.match(/line \d|Write "[^"]*"/g).join(" "))`); strings.Join(got, ", ") != `line 2 Write "Disallow:", line 3 Write "Allow:", line 4 Write "Sitemap:"` {
		t.Errorf("the advice is %q", got)
	}
}

// TestFilters tests that the filters of the table appear when they can be used, and that the table shows all rows
// again when its filter disappears.
func TestFilters(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, fileOptions(file)))
	p.fill("urls", "/private\n/x")
	want := func(filters string) {
		t.Helper()
		p.want("#filter", "Rows "+filters)
	}
	want("All 2 Disallowed for some 1")
	p.click("[data-line='2'] .digits")
	want("All 2 Disallowed for some 1 This line 1")
	p.click("#tab-versions")
	p.click("#keep")
	p.fill("text", "")
	p.click("#tab-verdicts")
	p.click("#count-changed")
	p.wantRows("/private|✓ allowed Δ changed")
	p.click("#tab-versions")
	p.click("#forget")
	p.click("#tab-verdicts")
	if got := p.rows(); len(got) != 2 {
		t.Errorf("without an old version, the rows are %q, want two", got)
	}
}
