package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// holds returns the file, the URLs, the old version and the crawlers of the page.
func (p *page) holds() string {
	p.t.Helper()
	return eval[string](p, `JSON.stringify([["text", "urls", "before", "ai-url", "site"].map((id) => document.getElementById(id).value),
		[...document.querySelectorAll("#agents li")].map((li) => li.title)])`)
}

// TestLink tests that a link holds the inputs of every tab, and that the page does not claim that the text in
// it is the file of that name.
func TestLink(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		p.run(catchCopies)
		p.fill("text", odd)
		p.fill("urls", "/<b>x</b>\n/\u202egnp.exe\nhttps://ü.example/😀?a=b#c")
		p.fill("agent", "i<i>Bot</i>")
		p.enter()
		p.click("#tab-ai")
		p.fill("ai-url", "/NEW")
		p.click("#tab-versions")
		p.click("#keep")
		p.click("#share")
		p.until("typeof copied === \"string\"")
		p.want("#notices", "")
		link, before := eval[string](p, "copied"), p.holds()
		if !strings.HasPrefix(link, p.url+"#") {
			t.Fatalf("link %q", link)
		}
		p.reload()
		for _, p := range []*page{p, open(t, link)} {
			if got := p.holds(); got != before {
				t.Errorf("the link contains\n%q\nwant\n%q", got, before)
			}
			p.wantText(odd)
			if !eval[bool](p, `!document.getElementById("versions").hidden`) {
				t.Error("the link does not contain the chosen tab")
			}
		}
	})
	p := open(t, serve(t, fileOptions(file)))
	p.want(".panel-head p", "robots.txt. Changes stay in your browser.")
	open(t, eval[string](p, "location.href")).want(".panel-head p", "robots.txt, perhaps changed. Changes stay in your browser.")
}

func TestDamagedLink(t *testing.T) {
	t.Parallel()
	for _, fragment := range []string{"#1.", "#1.!!!", "#1.AAAA", "#1.q1YqSa0oUbJSUkhJLE4FAA"} {
		p := open(t, serve(t, fileOptions(file))+fragment)
		p.want("#notices", "The link is damaged: its content cannot be read.")
		if got := eval[string](p, `document.getElementById("text").value`); got != file {
			t.Errorf("%s: the text is %q", fragment, got)
		}
	}
	p := open(t, serve(t, fileOptions(file))+"#text")
	if p.text("#notices") != "" {
		t.Error("a fragment that is not a link was taken for a damaged one")
	}
}

// TestLongLink tests the notices about a link that is too long for mail, and about a state
// that is too long for a link.
func TestLongLink(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.run(catchCopies)
	noise := `let seed = 1, noise = ""; while (noise.length < %d) noise += (seed = seed * 48271 %% 2147483647).toString(36);
		const t = document.getElementById("text"); t.value = noise; t.dispatchEvent(new Event("input"))`
	p.run(fmt.Sprintf(noise, 20_000))
	p.click("#share")
	p.until(`document.getElementById("notices").innerText.includes("KB long. Mail and chat programs may cut links above 8 KB.")`)
	p.run(fmt.Sprintf(noise, 2_000_000))
	p.until(`document.getElementById("notices").innerText.includes("reloading the page loses your changes")`)
	p.click("#share")
	p.want("#share", "Too long for a link")
	const asks = `!dispatchEvent(new Event("beforeunload", { cancelable: true }))`
	if !eval[bool](p, asks) {
		t.Error("leaving the page loses the file without a question")
	}
	p.run(`const t = document.getElementById("text"); t.value = ""; t.dispatchEvent(new Event("input"))`)
	p.until(`!document.getElementById("notices").innerText.includes("reloading")`)
	if eval[bool](p, asks) {
		t.Error("leaving the page asks a question although nothing would be lost")
	}
}
