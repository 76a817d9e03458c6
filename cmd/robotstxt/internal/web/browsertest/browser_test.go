package browsertest

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

var (
	browserContext context.Context
	staticDir      string
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run starts the browser, writes the static page, and runs all tests.
func run(m *testing.M) int {
	path := chromium()
	if path == "" {
		fmt.Println("SKIPPED: no test of the page has run, because there is no Chromium. Install it, or set CHROMIUM to its path.")
		if os.Getenv("CHROMIUM") != "" {
			return 1
		}
		return 0
	}
	dir, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	staticDir = dir + "/site"
	if err := web.WriteSite(context.Background(), staticDir); err != nil {
		fmt.Println(err)
		return 1
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // tests may run as root
		chromedp.DisableGPU,
		chromedp.UserDataDir(dir+"/profile"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil {
		fmt.Println("starting Chromium:", err)
		return 1
	}
	browserContext = ctx
	return m.Run()
}

// chromium returns the path of the browser, or nothing if there is none.
func chromium() string {
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if name := os.Getenv("CHROMIUM"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// fileOptions are the options for a file that does not change.
func fileOptions(file string) web.Options {
	return web.Options{AllowFetch: true, FileName: "robots.txt", ReadFile: func() ([]byte, error) { return []byte(file), nil }}
}

// serve serves the page as "robotstxt serve" does, and returns its address.
func serve(t testing.TB, o web.Options) string { return startServer(t, o).URL + "/" }

func startServer(t testing.TB, o web.Options) *httptest.Server {
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	o.Host = strings.TrimPrefix(server.URL, "http://")
	handler = web.Handler(o)
	return server
}

// serveStatic serves the static page in the folder /robots/, because some hosts serve pages
// in folders.
func serveStatic(t testing.TB) string {
	server := httptest.NewServer(http.StripPrefix("/robots", http.FileServer(http.Dir(staticDir))))
	t.Cleanup(server.Close)
	return server.URL + "/robots/"
}

// onBoth runs a test on the page of "robotstxt serve" and on the static page.
func onBoth(t *testing.T, test func(t *testing.T, p *page)) {
	t.Run("served", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, serve(t, web.Options{AllowFetch: true})))
	})
	t.Run("static", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, serveStatic(t)))
	})
}

// A page is a browser tab that shows the page.
type page struct {
	t   testing.TB
	ctx context.Context
	url string // the address of the page, without the fragment

	expected string // problems that contain this text do not fail the test, unless it is empty

	mu       sync.Mutex
	problems []string
}

// open opens an address of the page in a new tab, and waits until the page is ready. Unless the address
// is a link, the table then has only the column of any other crawler.
func open(t testing.TB, url string) *page {
	t.Helper()
	p := openTab(t, url)
	p.goTo(url)
	if !strings.Contains(url, "#") {
		p.run(`document.getElementById("clear-agents").click()`)
	}
	return p
}

// openTab opens an empty tab, without cookies or storage, for an address of the page. The test
// fails if the page sends a request to another address, or writes to the console.
func openTab(t testing.TB, url string) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browserContext, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	p := &page{t: t, ctx: ctx, url: strings.SplitN(url, "#", 2)[0]}
	t.Cleanup(func() {
		stop()
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, problem := range p.problems {
			if p.expected == "" || !strings.Contains(problem, p.expected) {
				t.Error(problem)
			}
		}
	})
	if err := chromedp.Listen(ctx, p.watch); err != nil {
		t.Fatal(err)
	}
	p.do(
		call(network.Enable, network.EnableParams{}),
		call(cdplog.Enable, cdp.Empty{}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}), // in all tabs at once
		call(cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: hurry}),
		chromedp.EmulateViewport(1400, 900),
	)
	return p
}

// hurry is JavaScript that shortens the delays after which the page reacts to typing.
const hurry = `{ const wait = setTimeout; setTimeout = (run, time) => wait(run, time < 1000 ? time / 10 : time) }`

// goTo opens an address and waits until the page is ready.
func (p *page) goTo(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url), chromedp.WaitReady(chromedp.CSS("html[data-ready]")))
	p.settle()
}

// watch records problems: requests to other addresses, exceptions, and console messages.
func (p *page) watch(event any) {
	problem := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.url) && !strings.HasPrefix(e.Request.URL, "about:") {
			problem = "a request to another address: " + e.Request.URL
		}
	case *runtime.EventExceptionThrown:
		problem = fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		problem = "console: " + string(e.Type)
		for _, arg := range e.Args {
			problem += fmt.Sprintf(" %s%s", arg.Value, arg.Description)
		}
	case *cdplog.EventEntryAdded:
		problem = fmt.Sprintf("log: %s %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	}
	if problem != "" {
		p.mu.Lock()
		p.problems = append(p.problems, problem)
		p.mu.Unlock()
	}
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// call returns a step that sends a command of the Chrome DevTools Protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// eval returns the value of a JavaScript expression, which may be a promise.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	out, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return out
}

// run runs JavaScript and waits for its effects.
func (p *page) run(script string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void]("(async () => {"+script+"})()", chromedp.EvalAwaitPromise))
	p.settle()
}

// until waits until a JavaScript expression is true.
func (p *page) until(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		p.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// settle waits until the page has no more requests to send and nothing more to draw. It
// first waits for two frames, because some events, such as a new selection, come with the
// next frame.
func (p *page) settle() {
	p.t.Helper()
	eval[bool](p, `new Promise((done) => {
		const check = () => document.documentElement.dataset.busy === "0" ? done(true) : setTimeout(check, 5);
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(check)));
	})`)
}

// fill replaces the text of a field, as if the new text had been pasted.
func (p *page) fill(id, text string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`const f = document.getElementById(%q); f.focus(); f.select(); document.execCommand("insertText", false, %s)`, id, quote(text)))
}

// click clicks the middle of an element, which must be visible. It clicks coordinates, not
// the element, because the page may replace the element at any time.
func (p *page) click(selector string) {
	p.t.Helper()
	place := eval[[]float64](p, fmt.Sprintf(`(() => {
		const node = document.querySelector(%q);
		if (!node) return [];
		node.scrollIntoView({ block: "nearest", inline: "nearest" });
		const { left, top, width, height } = node.getBoundingClientRect();
		const [x, y] = [left + width / 2, top + height / 2];
		return node.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
	})()`, selector))
	if len(place) == 0 {
		p.t.Fatalf("%s is not there, or something covers it", selector)
	}
	p.do(chromedp.MouseClickXY(place[0], place[1]))
	p.settle()
}

// press sends keys to the element that has the focus.
func (p *page) press(keys string, options ...chromedp.KeyOption) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, options...))
	p.settle()
}

// enter presses and releases the Enter key, as a keyboard does. If the page prevents the
// default action when the key goes down, the element that then gets the focus does not get
// the key.
func (p *page) enter() {
	p.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		params := input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
		if kind == input.DispatchKeyEventTypeKeyDown {
			params.Text = "\r"
		}
		p.do(call(input.DispatchKeyEvent, params))
	}
	p.settle()
}

// text returns the visible text of an element, with single spaces.
func (p *page) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q).innerText.replace(/\\s+/g, ' ').trim()", selector))
}
