package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// A site is a server for the page to fetch from. It answers with a status and, if that is 200, with a
// redirect and then file.
type site struct {
	*httptest.Server
	status atomic.Int32
	count  atomic.Int32 // of requests
}

func newSite(t *testing.T) *site {
	s := &site{}
	s.status.Store(200)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.count.Add(1)
		switch status := int(s.status.Load()); {
		case status != 200:
			w.WriteHeader(status)
		case r.URL.Path == "/robots.txt":
			http.Redirect(w, r, "/real.txt", http.StatusMovedPermanently)
		default:
			fmt.Fprint(w, file)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// fetch fetches a robots.txt with the form of the page.
func (p *page) fetch(site string) {
	p.t.Helper()
	p.run(`document.getElementById("fetched").replaceChildren()`)
	p.fill("site", site)
	p.enter()
	p.until(`!["Fetching…"].includes(document.getElementById("fetched").innerText) && !document.querySelector("#fetch button").disabled`)
	p.settle()
}

func (p *page) wantText(want string) {
	p.t.Helper()
	if got := p.value("text"); got != want {
		p.t.Errorf("the file is %q, want %q", got, want)
	}
}

// openFetching opens a page that may fetch from the servers of the tests.
func openFetching(t *testing.T) *page {
	return open(t, serve(t, web.Options{AllowFetch: true, AllowPrivate: true}))
}

func TestFetch(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	p := openFetching(t)
	p.want("#file-name", "No file yet")
	p.fetch(site.URL)
	if got := p.text("#fetched"); !strings.Contains(got, "redirected to "+site.URL+"/real.txt, 200 OK") || !strings.Contains(got, "This is the robots.txt file of") {
		t.Errorf("fetched: %q", got)
	}
	p.wantText(file)
	p.want(".panel-head p", site.URL+"/robots.txt. Changes stay in your browser.")
	p.fill("text", "mine")
	p.want(".panel-head p", site.URL+"/robots.txt, perhaps changed. Changes stay in your browser.")
	p.undo()
	p.reload()
	p.want("#file-name", site.URL+"/robots.txt")
	p.fill("text", "")
	p.want("#file-name", "No file yet")
}

// TestFetchFails tests that a failed fetch never replaces the user's file.
func TestFetchFails(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	site.status.Store(http.StatusNotFound)
	p := openFetching(t)
	p.fill("text", "User-agent: *\nDisallow: /mine\n")
	p.fill("urls", "/mine")
	for range 2 {
		p.fetch(site.URL)
		if got := p.text("#fetched"); !strings.HasSuffix(got, "so crawlers may fetch everything. The file below and what is said about it stay as they were.") {
			t.Errorf("fetched: %q", got)
		}
		p.want("#notices", "")
		p.wantRows("/mine|✕ disallowed line 2")
	}
}

// TestFetchUndo tests that Undo brings back what the user typed before a fetch, even after more fetches
// that fail and a reload.
func TestFetchUndo(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	p := openFetching(t)
	p.fill("text", "mine")
	p.fetch(site.URL)
	p.want("#notices", "The fetched file has replaced the earlier one. Undo Dismiss")
	site.status.Store(http.StatusServiceUnavailable)
	p.fetch(site.URL)
	p.wantText("")
	p.fetch("ftp://x")
	p.reload()
	p.want("#notices", "The fetched file has replaced the earlier one. Undo Dismiss")
	p.notice("replaced", "Undo")
	p.wantText("mine")
	p.want("#file-name", "Your file")
	p.want("#notices", "")

	site.status.Store(http.StatusOK)
	p.fetch(site.URL)
	p.fill("text", "changed")
	p.fetch(site.URL)
	p.notice("replaced", "Undo")
	p.wantText("changed")
	p.fill("text", "changed again")
	p.notice("replaced", "Undo")
	p.wantText("mine")
	p.notice("replaced", "Undo")
	p.wantText("changed again")
}

// TestFetchWithoutFile tests that a fetch that finds no file shows nothing of a file that was fetched
// before.
func TestFetchWithoutFile(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	p := openFetching(t)
	p.expected = "400 (Bad Request)" // Chromium logs the answer to the fetch that was not possible
	p.fill("urls", "/private/x")
	p.fetch(site.URL)
	p.wantRows("/private/x|✕ disallowed line 2")
	site.status.Store(http.StatusNotFound)
	p.fetch(site.URL)
	p.wantRows("/private/x|✓ allowed")
	if got := p.text("#why"); !strings.Contains(got, "the site has no robots.txt") {
		t.Errorf("404: why: %q", got)
	}
	site.status.Store(http.StatusServiceUnavailable)
	p.fetch(site.URL)
	p.wantRows("/private/x|✕ disallowed")
	p.want("#tally", "1 URL. Disallowed: 1 for any other crawler.")
	p.reload()
	p.wantRows("/private/x|✕ disallowed")
	for _, tab := range []string{"#tab-ai", "#tab-versions", "#tab-verdicts"} {
		p.click(tab)
		p.fetch("bad host")
		p.want("#unknown", "No answers: no file was fetched. Fetch one, or type a file.")
		p.want("#summary", "")
		if n := eval[int](p, `[...document.querySelectorAll(".tabpanel")].filter((e) => e.checkVisibility()).length`); n > 0 {
			t.Errorf("after a fetch that was not possible, the page still shows the tab %s", tab)
		}
	}
	p.fill("text", "#")
	p.wantRows("/private/x|✓ allowed")
}

// TestFetchRefused tests fetches that the page or its server refuses.
func TestFetchRefused(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	p := open(t, serve(t, web.Options{AllowFetch: true}))
	p.fetch(site.URL)
	if got := p.text("#fetched"); !strings.Contains(got, "It leads to an address that is not public") || site.count.Load() > 0 {
		t.Errorf("a private address: %q and %d requests", got, site.count.Load())
	}
	p.run(`window.sent = 0; const send = window.fetch; window.fetch = (path, ...rest) => { if (path === "api/fetch") sent++; return send(path, ...rest) }`)
	p.fetch("ftp://x")
	p.want("#fetched", "Only http and https URLs can be fetched.")
	if n := eval[int](p, "sent"); n > 0 {
		t.Errorf("%d requests for a URL that cannot be fetched", n)
	}
	reachable := open(t, serve(t, web.Options{Reach: "Everyone can."}))
	reachable.want("#reach", "Everyone can.")
	for _, p := range []*page{reachable, open(t, serveStatic(t))} {
		if eval[bool](p, `!document.getElementById("fetch").hidden`) {
			t.Errorf("%s offers to fetch", p.url)
		}
	}
}
