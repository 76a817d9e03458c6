package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// TestStart tests what the page shows to somebody who has a file and has entered nothing.
func TestStart(t *testing.T) {
	t.Parallel()
	p := openTab(t, serve(t, fileOptions(file)))
	p.goTo(p.url)
	p.want(".panel-head p", "robots.txt. Changes stay in your browser.")
	if got := p.text("#summary"); !strings.HasPrefix(got, "FooBot may fetch nothing") {
		t.Errorf("the summary is %q", got)
	}
	p.want(".grid-head", "URL any other crawler, Googlebot, bingbot group * FooBot group FooBot")
	if got := strings.Join(p.rows(), "\n"); !strings.Contains(got, "✕ disallowed line 2") || !strings.Contains(got, "✓ allowed line 3") {
		t.Errorf("rows:\n%s\nwant a URL for line 2 and one for line 3", got)
	}
	if got := p.text("#suggested"); !strings.HasPrefix(got, "You have entered no URLs") {
		t.Errorf("the note about the URLs is %q", got)
	}
	p.fill("urls", "/mine")
	p.wantRows("/mine|✓ allowed|✕ disallowed line 6")
	p.want("#tally", "1 URL. Disallowed: 1 (by line 6) for FooBot.")
	p.fill("text", "User-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisallow: /m\nDisallow: /x\n")
	p.fill("urls", "/mine\n/x\n/m")
	p.want("#tally", "3 URLs. Disallowed: 3 (2 by line 4, 1 by line 5) for any other crawler, Googlebot, bingbot; 3 (by line 2) for GPTBot.")
	if !eval[bool](p, `document.getElementById("suggested").hidden`) {
		t.Error("the note about the URLs stays when URLs are entered")
	}
}

// TestCrawlers tests how crawlers get into the table and out of it. The names of one crawler are one
// column.
func TestCrawlers(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, fileOptions("User-agent: Claude\nDisallow: /\n")))
	p.fill("urls", "/x")
	for _, name := range []string{"claude-user", "Mozilla/5.0 (compatible; Claude-User/2.1; +https://foo.example)", "@robots"} {
		p.fill("agent", name)
		p.enter()
	}
	p.wantRows("/x|✕ disallowed line 2 (?)|✓ allowed")
	p.want("#agents li:nth-child(1) small", "read as Claude-User")
	p.want("#agent-note", "@robots is not a set of crawlers. The sets are @ai, @search and @all.")
	p.want(".grid-head .grid-cell:nth-child(2)", "Claude-User group Claude (?)")
	p.click("#cell-0-0")
	if got := p.text("#why"); !strings.HasSuffix(got, "By the group Claude; whether Claude-User reads it is not documented.") {
		t.Errorf("why: %q", got)
	}
	p.click("#agents li:nth-child(1) button")
	p.click("#add-named")
	p.wantRows("/x|✕ disallowed line 2|✓ allowed")
	p.fill("agent", "@search")
	p.enter()
	if got := p.text(".grid-head .set"); !strings.Contains(got, "bingbot") || strings.Contains(got, "GPTBot") {
		t.Errorf("with @search, the first column is for %s", got)
	}
	p.click("#clear-agents")
	p.click("#add-ai")
	all := eval[int](p, `document.querySelectorAll(".set li").length`) + 2 // these have columns of their own
	const countChips = `[...document.querySelectorAll("#agents li")].filter((li) => li.checkVisibility()).length`
	if chips := eval[int](p, countChips); all < 20 || chips != 4 {
		t.Errorf("%d crawlers and %d chips, want at least 20 crawlers, and 4 chips to leave room for the table", all, chips)
	}
	p.click("#agents summary")
	if chips := eval[int](p, countChips); chips != all+1 {
		t.Errorf("%d chips for %d crawlers", chips, all)
	}
	p.click("#agents li li button")
	if chips := eval[int](p, countChips); chips != all {
		t.Errorf("one crawler was removed: %d chips, want %d", chips, all)
	}
	if n := eval[int](p, `document.querySelectorAll("#crawlers option").length`); n < 30 {
		t.Errorf("the field offers %d crawlers, want at least 30", n)
	}
}

// TestSitemap drops a sitemap with 10,000 URLs, once compressed and once not, on the page, and pastes one
// beside plain URLs.
func TestSitemap(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		var sitemap strings.Builder
		sitemap.WriteString("<urlset>")
		for i := range 10_000 {
			folder := "public"
			if i%100 == 0 {
				folder = "private"
			}
			fmt.Fprintf(&sitemap, "<url><loc>https://a.example/%s/%d</loc></url>\n", folder, i)
		}
		p.fill("text", file)
		for _, stream := range []string{"", `.pipeThrough(new CompressionStream("gzip"))`} {
			p.fill("urls", "")
			p.run(`const data = new DataTransfer();
				data.items.add(new File([await new Response(new Blob([` + quote(sitemap.String()) + `]).stream()` + stream + `).blob()], "sitemap.xml"));
				document.getElementById("urls").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))`)
			p.until(`document.getElementById("count-all").textContent === "10,000"`)
			p.want("#tally", "10,000 URLs. Disallowed: 100 (by line 2) for any other crawler.")
		}
		p.until(`document.getElementById("live").textContent === document.getElementById("tally").textContent`)
		p.click("#count-disallowed")
		if rows := p.rows(); len(rows) < 5 || len(rows) > 60 || rows[1] != "https://a.example/private/100|✕ disallowed line 2" {
			t.Errorf("rows %q", rows)
		}
		p.run(`document.getElementById("grid").scrollTop = 1e9`)
		p.until(`document.querySelector(".grid-row:last-child .url")?.textContent === "https://a.example/private/9900"`)
		p.run(`const data = new DataTransfer(); data.items.add(new File([new Uint8Array([31, 139])], "sitemap.xml.gz"));
			document.getElementById("sitemap").files = data.files; document.getElementById("sitemap").dispatchEvent(new Event("change"))`)
		p.want("#notices", "The sitemap is damaged, or larger than 50 MB. Dismiss")
		p.click("#count-all")
		p.fill("urls", "/a\n<url><loc>/private/b</loc></url>\n/c\nd")
		p.wantRows("/a|✓ allowed", "/private/b|✕ disallowed line 2", "/c|✓ allowed")
		p.want("#urls-note", `Line 4 is left out: "d" is neither a URL nor a path.`)
	})
}

// TestFindings tests that equal findings are listed once, that the worst come first, and that one button
// fixes all equal findings.
func TestFindings(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	const text = "User-agent: *\nDisalow: /tea/\nAllow: /tea/green/\nAllow: /tea/green/\nDisalow: /milk/\n/private/\n"
	p.fill("text", text)
	if got := eval[[]string](p, `[...document.querySelectorAll("#findings-list .badge")].map((b) => b.textContent)`); strings.Join(got, ",") != "✖ error,▲ warning,i info" {
		t.Errorf("the findings are %q, want an error, a warning and an info", got)
	}
	p.want("#findings-summary", "2 errors, 1 warning, 1 info")
	if got := p.text("#finding-0"); !strings.HasPrefix(got, "✖ error line 2 line 5 ") {
		t.Errorf("the error is %q", got)
	}
	p.click("[data-line='2'] .finding")
	if got := eval[string](p, "document.activeElement.textContent"); got != "line 2" {
		t.Errorf("the focus is on %q", got)
	}
	p.enter()
	if got := p.focused(); got != "text" {
		t.Errorf("the focus is on %s, want text", got)
	}
	p.click("#finding-0 .fix")
	p.wantText("User-agent: *\nDisallow: /tea/\nAllow: /tea/green/\nAllow: /tea/green/\nDisallow: /milk/\n/private/\n")
	p.undo()
	p.wantText(text)
}

func TestVersions(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.fill("text", file)
	p.click("#tab-versions")
	p.click("#keep")
	p.want("#changes-summary", "No verdict changes, for any URL and any crawler")
	p.fill("text", "# moved\n"+strings.Replace(file, "/private\n", "/private/\n", 1))
	p.want("#changes-summary", "1 change")
	url := p.text("#changes .witness")
	if !strings.HasPrefix(url, "/private") {
		t.Errorf("the URL is %q", url)
	}
	if got := p.text("#changes li"); !strings.Contains(got, "now allowed") || !strings.Contains(got, "Before: Disallowed: line 2") {
		t.Errorf("the change is %q", got)
	}
	p.click("#changes button")
	p.wantRows(url + "|✓ allowed (?) Δ changed")
	p.click("#count-changed")
	p.wantRows(url + "|✓ allowed (?) Δ changed")
	if got := p.text("#why"); !strings.Contains(got, "Before: Disallowed: line 2") {
		t.Errorf("why: %q", got)
	}
	p.click("#tab-versions")
	p.click("#restore")
	p.wantText(file)
	p.want("#count-changed", "0")
	p.click("#forget")
	p.want("#changes-summary", "No old version yet")
	p.want("#changes", "")
}

// aiRows returns the rows of the table about AI.
func (p *page) aiRows() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll("#ai-table tbody tr")].map((r) => r.innerText.replace(/\s+/g, " ").trim()).join("\n")`)
}

func TestAI(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	text := "User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /a\nContent-Usage: train-ai=n\n"
	p.fill("text", text)
	p.click("#tab-ai")
	n := eval[int](p, `Number(document.getElementById("ai-summary").innerText.match(/\d+/)[0])`)
	p.want("#ai-summary", fmt.Sprintf("All %d AI crawlers may fetch /; the file refuses training to all AI crawlers.", n))
	if got, want := p.aiRows(), fmt.Sprintf("* any other crawler not listed ✓ yes line 3 ✕ no line 2 – – –\nAll %d AI crawlers Show each of them – ✓ yes ✕ no – – –", n); got != want {
		t.Errorf("rows:\n%s\nwant:\n%s", got, want)
	}
	p.fill("ai-url", "/a")
	if got, want := p.aiRows(), fmt.Sprintf("\nGPTBot OpenAI training ✕ no line 6 – – – –\nThe other %d AI crawlers ", n-1); !strings.Contains(got, want) {
		t.Errorf("for /a, the rows are\n%s\nwant %q", got, want)
	}
	p.click("#ai-toggle")
	if got := strings.Count(p.aiRows(), "\n"); got != n+1 {
		t.Errorf("%d rows, want one for each of %d crawlers, and two more", got+1, n)
	}
	p.click("#ai-table tbody button")
	if got := eval[int](p, `document.getElementById("text").selectionStart`); got != strings.Index(text, "Allow") {
		t.Errorf("the cursor is at %d", got)
	}
}

// TestChoices tests the rules from choices, their proof and their undo.
func TestChoices(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		p.fill("text", file)
		p.click("#tab-ai")
		p.click("[name=training][value=no] + span")
		p.click("[name=search][value=yes] + span")
		p.wantText(file)
		if got := p.text("#proof"); !strings.Contains(got, "GPTBot") || !strings.Contains(got, "search crawlers, may fetch the same URLs as before.") {
			t.Errorf("the proof is %q", got)
		}
		p.click("[name=preferences]")
		p.click("#choose")
		got := p.value("text")
		if !strings.HasPrefix(got, "# robotstxt ai --set training=no,search=yes\nUser-agent: ") || !strings.Contains(got, "User-agent: GPTBot\n") || !strings.Contains(got, "Content-Signal: ai-train=no, search=yes\n") {
			t.Errorf("the file is\n%s", got)
		}
		if !eval[bool](p, `document.getElementById("choose").disabled`) {
			t.Error("the button would change the file again")
		}
		p.want("#notices", "Your choices have changed the file. Undo Dismiss")
		p.notice("replaced", "Undo")
		p.wantText(file)
	})
}
