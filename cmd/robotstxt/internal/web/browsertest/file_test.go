package browsertest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// reload reloads the page and waits until the new document, not the old one, is ready.
func (p *page) reload() {
	p.t.Helper()
	eval[bool](p, "window.isOld = true")
	p.do(chromedp.Reload())
	for isReady := false; !isReady; {
		var err error
		isReady, err = chromedp.Run(p.ctx, chromedp.Evaluate[bool](`!window.isOld && "ready" in document.documentElement.dataset`))
		if p.ctx.Err() != nil {
			p.t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.settle()
}

func (p *page) value(id string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.getElementById(%q).value", id))
}

// notice clicks a button of the notice about a topic.
func (p *page) notice(topic, button string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`[...document.querySelectorAll("#notice-%s button")].find((b) => b.textContent === %q).click()`, topic, button))
}

func (p *page) undo() {
	p.t.Helper()
	p.do(chromedp.Focus(chromedp.CSS("#text")))
	p.press("z", chromedp.KeyModifiers(kb.ModifierCtrl))
}

// TestExampleAsks tests that the page asks before the example replaces somebody's work, and
// that undo restores all of it.
func TestExampleAsks(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.click("#example")
	p.want("#notices", "")
	p.click("#example")
	p.want("#notices", "")
	p.fill("text", file)
	p.fill("urls", "/mine")
	mine := p.holds()
	p.click("#example")
	p.want("#notices", "The example would replace your file and URLs. Show the example Keep mine")
	if got := eval[string](p, "document.activeElement.textContent"); got != "Show the example" {
		t.Errorf("the focus is on %q", got)
	}
	p.notice("replaced", "Keep mine")
	if got := p.holds(); got != mine {
		t.Errorf("the example replaced %s", mine)
	}
	for _, undo := range []func(){func() { p.notice("replaced", "Undo") }, p.undo} {
		p.click("#example")
		p.notice("replaced", "Show the example")
		if example := p.holds(); !strings.Contains(example, "shop.example") {
			t.Errorf("the example is %s", example)
		}
		undo()
		if got := p.holds(); got != mine {
			t.Errorf("undo restored %s, want %s", got, mine)
		}
	}
	p.press("y", chromedp.KeyModifiers(kb.ModifierCtrl))
	if got := p.holds(); !strings.Contains(got, "shop.example") {
		t.Errorf("redo restored %s, want the example", got)
	}
	p.undo()
	if got := p.holds(); got != mine {
		t.Errorf("the second undo restored %s, want %s", got, mine)
	}
}

// TestUndoLarge tests that undo restores a file that is too large for the browser's undo.
func TestUndoLarge(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("Disallow: /x\n", 5000)
	p := open(t, serve(t, fileOptions(large)))
	p.click("#example")
	p.notice("replaced", "Show the example")
	p.notice("replaced", "Undo")
	if got := p.value("text"); got != large {
		t.Errorf("undo restored %d bytes, want %d", len(got), len(large))
	}
}

// TestNote tests that the page shows a note if the text differs from the file, and keeps
// showing it.
func TestNote(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, fileOptions("Disallow: /\xfc")))
	p.run("await new Promise((done) => setTimeout(done, 1500))") // the page has asked for the file again
	if got := p.text("#notices"); !strings.Contains(got, "bytes that are not UTF-8") {
		t.Errorf("the notices are %q", got)
	}
	p.reload()
	if got := p.text("#notices"); !strings.Contains(got, "bytes that are not UTF-8") {
		t.Errorf("after a reload the notices are %q", got)
	}
}

// TestFollowsFile tests that the page shows a change on disk or, if the text was edited,
// offers it.
func TestFollowsFile(t *testing.T) {
	t.Parallel()
	var disk atomic.Value
	disk.Store("first")
	options := fileOptions("")
	options.ReadFile = func() ([]byte, error) { return []byte(disk.Load().(string)), nil }
	p := open(t, serve(t, options))
	p.fill("urls", "/x")
	disk.Store("second\r\nline")
	p.until(`document.getElementById("text").value === "second\nline"`)
	p.settle()
	p.want("#notices", "This is robots.txt as it is on disk now. Undo Dismiss")
	p.notice("replaced", "Undo")
	if got := p.value("text") + p.value("urls"); got != "first/x" {
		t.Errorf("after undo the file and the URLs are %q, want %q", got, "first/x")
	}
	p.fill("text", "mine")
	disk.Store("third")
	p.until(`document.getElementById("notice-disk") !== null`)
	p.want("#notice-disk", "robots.txt has changed on disk, and you have changed it here. Show the file on disk Keep mine")
	p.notice("disk", "Keep mine")
	p.reload()
	if got := p.value("text") + p.text("#notices"); got != "mine" {
		t.Errorf("after a reload: %q", got)
	}
	disk.Store("fourth")
	p.reload() // the file has changed while the page was away
	p.until(`document.getElementById("notice-disk") !== null`)
	p.notice("disk", "Show the file on disk")
	if got := p.value("text"); got != "fourth" {
		t.Errorf("the text is %q, want %q", got, "fourth")
	}
	disk.Store("fifth")
	p.reload() // nothing was edited
	if got := p.value("text"); got != "fifth" {
		t.Errorf("after a reload without edits: %q", got)
	}
}

// TestFileGone tests the notice while the file cannot be read.
func TestFileGone(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	options := fileOptions("")
	options.ReadFile = func() ([]byte, error) {
		if gone.Load() {
			return nil, fmt.Errorf("open robots.txt: no such file")
		}
		return []byte("here"), nil
	}
	p := open(t, serve(t, options))
	p.expected = "500 (Internal Server Error)"
	gone.Store(true)
	p.until(`document.getElementById("notices").innerText === "Open robots.txt: no such file."`)
	gone.Store(false)
	p.until(`document.getElementById("notices").innerText === ""`)
	if got := p.value("text"); got != "here" {
		t.Errorf("the text is %q", got)
	}
}

// TestFromFile tests the text of a page that is opened from a file.
func TestFromFile(t *testing.T) {
	t.Parallel()
	p := openTab(t, "file://")
	p.expected = "main.js"
	p.do(chromedp.Navigate("file://" + staticDir + "/index.html"))
	p.until(`getComputedStyle(document.querySelector(".not-started")).visibility === "visible"`)
	if got := p.text(".not-started"); !strings.HasPrefix(got, "This page has not started. Browsers do not run it from a file") {
		t.Errorf("the page says %q", got)
	}
}

// TestRoom tests that nothing is cut off if line numbers have five digits and crawlers have
// long names.
func TestRoom(t *testing.T) {
	t.Parallel()
	text := "User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: search=yes, ai-input=no, use=reference\n" + strings.Repeat("#\n", 10_000)
	text += "Disallow: /x\nContent-Usage: train-ai=n\nContent-Signal: search=yes, ai-input=no, use=reference\nAllow: /\n"
	p := open(t, serve(t, fileOptions(strings.Replace(text, "Disallow: /x", "Disallow: /y", 1))))
	p.click("#tab-versions")
	p.click("#keep")
	p.run(`const t = document.getElementById("text"); t.value = ` + quote(text) + `; t.dispatchEvent(new Event("input"))`)
	p.click("#tab-verdicts")
	p.fill("urls", "/x\n/y")
	p.fill("agent", "Mozilla/5.0 (compatible; "+strings.Repeat("Long", 20)+"/1.0; +http://x)")
	p.enter()
	p.click("#add-ai")
	for _, width := range []int64{360, 800, 1400} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.settle()
		cut := eval[[]string](p, `[...document.querySelectorAll(".grid-cell.verdict, .line-number, .chips li, .chips")].filter((e) => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)).map((e) => e.className + " " + e.innerText).slice(0, 3)`)
		if len(cut) > 0 {
			t.Errorf("at a width of %d px, these are cut off: %q", width, cut)
		}
		if got := p.text("#cell-0-0"); got != "✕ disallowed line 10004 Δ changed" {
			t.Errorf("at a width of %d px, the first cell is %q", width, got)
		}
	}
	p.click("#tab-ai")
	for _, width := range []int64{360, 800, 1400} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.settle()
		if wide := eval[int](p, `document.querySelector(".ai-scroll").scrollWidth - document.querySelector(".ai-scroll").clientWidth`); wide > 0 {
			t.Errorf("at a width of %d px, the table about AI is %d px too wide", width, wide)
		}
	}
}

// TestWorkerFails tests an answer that comes after the worker has failed, and a question that
// is asked after that.
func TestWorkerFails(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	got := eval[string](p, `(async () => {
		window.Worker = class { postMessage({ id }) { setTimeout(() => { this.onerror(); this.onmessage({ data: { id, answer: "{}" } }); }); } };
		const { ask } = await import("/wasm.js");
		const first = await ask({ op: "list", text: "" }).catch((error) => error.message);
		return first + " " + await ask({ op: "list", text: "" }).catch((error) => error.message);
	})()`)
	if want := "The engine does not start in this browser."; got != want+" "+want {
		t.Errorf("got %q", got)
	}
}
