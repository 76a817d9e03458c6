package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

const file = `User-agent: *
Disallow: /private
Allow: /private/press

User-agent: FooBot
Disallow: /
`

// wantMark checks the classes of the mark of a visible line. Without classes, it wants no mark.
func (p *page) wantMark(line int, classes ...string) {
	p.t.Helper()
	got := strings.Fields(eval[string](p, fmt.Sprintf(`[...document.querySelectorAll("#marks .mark")].find((m) =>
		m.getBoundingClientRect().top === document.querySelector("[data-line='%d']").getBoundingClientRect().top)?.className ?? ""`, line)))
	for _, class := range classes {
		if !slices.Contains(got, class) {
			p.t.Errorf("line %d is marked %q, want %q", line, got, class)
		}
	}
	if len(classes) == 0 && len(got) != 0 {
		p.t.Errorf("line %d is marked %q, want no mark", line, got)
	}
}

func (p *page) want(selector, text string) {
	p.t.Helper()
	if got := p.text(selector); got != text {
		p.t.Errorf("%s is %q, want %q", selector, got, text)
	}
}

// rows returns the rows of the table, with "|" between the cells.
func (p *page) rows() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll(".grid-row")].map((row) =>
		[...row.children].map((cell) => cell.matches(".url") ? cell.textContent : cell.innerText.replace(/\s+/g, " ").trim()).join("|"))`)
}

func (p *page) wantRows(want ...string) {
	p.t.Helper()
	if got := p.rows(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		p.t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTyping(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		p.fill("urls", "/private/press/1\n/private/x\n/")
		p.do(chromedp.Focus(chromedp.CSS("#text")))
		p.press(strings.ReplaceAll(file, "\n", kb.Enter))
		p.wantRows("/private/press/1|✓ allowed line 3", "/private/x|✕ disallowed line 2", "/|✓ allowed")
		p.wantMark(3, "allowed", "chosen", "in-group")
		p.wantMark(2, "disallowed", "in-group")
		p.wantMark(1, "in-group")
		p.wantMark(5)
		p.run(`const t = document.getElementById("text"); t.focus(); t.setSelectionRange(14, 32)`)
		p.press(kb.Delete)
		p.wantRows("/private/press/1|✓ allowed line 3", "/private/x|✓ allowed", "/|✓ allowed")
		p.press("z", chromedp.KeyModifiers(kb.ModifierCtrl))
		p.wantRows("/private/press/1|✓ allowed line 3", "▸/private/x|✕ disallowed line 2", "/|✓ allowed")
	})
}

func TestLinesAndRows(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, fileOptions(file)))
	p.fill("urls", "/private/press/1\n/private/x\n/")
	p.click("#cell-1-0")
	p.wantMark(2, "disallowed", "chosen")
	if got := p.text("#why"); !strings.HasPrefix(got, "✕ /private/x for any other crawler. Disallowed: line 2, ") {
		t.Errorf("why: %q", got)
	}
	p.click("[data-line='3'] .digits")
	p.want("#line-status", "Line 3 decides 1 of 3 URLs.")
	p.want(".grid-row.decided .url", "▸ /private/press/1")
	p.click("#filter-line")
	p.wantRows("▸/private/press/1|✓ allowed line 3")
	p.click("#count-all")
	if n := len(p.rows()); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
}

// catchCopies is JavaScript that stores copied text in a variable, because Chromium has no
// clipboard without a screen.
const catchCopies = `navigator.clipboard.writeText = async (text) => { window.copied = text }`

func TestCopy(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.run(catchCopies)
	p.fill("text", file)
	p.fill("urls", "/private/\"x\",1\n/")
	p.click("#copy-csv")
	want := `"url","agent","group","verdict","line","rule"` + "\r\n" +
		`"/private/""x"",1","*","*","disallowed","2","Disallow: /private"` + "\r\n" +
		`"/","*","*","allowed","0",""` + "\r\n"
	if got := eval[string](p, "copied"); got != want {
		t.Errorf("CSV %q, want %q", got, want)
	}
	p.want("#copy-csv", "Copied")
	p.click("#copy-file")
	if got := eval[string](p, "copied"); got != file {
		t.Errorf("copied %q, want the file", got)
	}
	p.run(`const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved = text); return make(blob) }`)
	p.click("#download")
	p.until("window.saved !== undefined")
	if got := eval[string](p, "saved"); got != file {
		t.Errorf("downloaded %q, want the file", got)
	}
}

// odd is text that a careless page would run as code, lose, or show wrong.
const odd = "User-agent: *\nDisallow: /<script>alert(1)</script>\n# </textarea></script><img src=x onerror=alert(1)>\n" +
	"Disallow: /\u202egnp.exe\nDisallow: /ü😀\u200b\u00a0\u2028\ttab\n<b>License: &lt;\n\n\n  trailing \\n ${x} `"

func TestOddText(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		p.fill("text", odd)
		p.fill("urls", "/<script>alert(1)</script>\n<img src=x onerror=alert(1)>\n/\u202egnp.exe")
		p.fill("agent", "img<img src=x onerror=alert(1)>")
		p.enter()
		p.wantRows(
			"/<script>alert(1)</script>|✕ disallowed line 2",
			"/\u202egnp.exe|✕ disallowed line 4")
		p.want("#urls-note", `Line 2 is left out: "<img src=x onerror=alert(1)>" is neither a URL nor a path.`)
		for _, tab := range []string{"versions", "ai", "verdicts"} {
			p.click("#tab-" + tab)
		}
		if n := eval[int](p, `document.querySelectorAll("main script, main img, main b:empty, main i:empty").length`); n != 0 {
			t.Errorf("text was parsed as HTML: it became %d elements", n)
		}
		// The page has as many lines as the engine counts.
		if n := eval[int](p, `document.querySelectorAll("[data-line]").length`); n != strings.Count(odd, "\n")+1 {
			t.Errorf("%d lines, want %d", n, strings.Count(odd, "\n")+1)
		}
	})
}

func TestJunk(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	junk := strings.Repeat("<html>\x01\x7f \u202e<p>ä&amp;</p>\t:\n", 20_000)[:500<<10]
	p.run(`const t = document.getElementById("text"); t.value = ` + quote(junk) + `; t.dispatchEvent(new Event("input"))`)
	p.fill("urls", "/x")
	p.wantRows("/x|✓ allowed (?)") // it is no robots.txt
	p.run(`document.getElementById("text").scrollTop = 1e9`)
	if n := eval[int](p, `document.querySelectorAll("[data-line]").length`); n == 0 || n > 100 {
		t.Errorf("%d lines are drawn, want from 1 to 100", n)
	}
}

func TestServerGone(t *testing.T) {
	t.Parallel()
	server := startServer(t, fileOptions(file))
	p := open(t, server.URL+"/")
	p.expected = "net::ERR"
	server.CloseClientConnections()
	server.Close()
	p.fill("urls", "/x")
	p.fetch("shop.example")
	p.run("await new Promise((done) => setTimeout(done, 1500))") // the page has asked for the file on disk, too
	p.want("#notices", "The program that serves this page does not answer. Was it stopped? Until it answers, the page cannot follow what you change.")
	if eval[bool](p, `document.getElementById("fetched").checkVisibility()`) {
		t.Error("the form for fetching says something, too")
	}
	if got := eval[string](p, `getComputedStyle(document.getElementById("findings-summary"), "::before").content + getComputedStyle(document.getElementById("grid")).opacity`); got != `"Out of date: "0.45` {
		t.Errorf("the findings and verdicts are not marked as out of date: %s", got)
	}
	if got := eval[string](p, `document.getElementById("text").value`); got != file {
		t.Errorf("the text is %q", got)
	}
}
