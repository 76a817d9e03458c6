package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestTwoVersions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
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
		p.wantRows(url + "|✓ allowed Δ changed")
		p.click("#tab-versions")
		p.click("#forget")
		p.want("#changes-summary", "No old version yet")
		p.want("#changes", "")
	})
}

func TestFix(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *page) {
		p.fill("text", "User-agent: *\nDisalow: /tea/\nAllow: /tea/green/")
		p.want("#findings-summary", "1 warning")
		p.click("#findings .fix")
		if got, want := eval[string](p, `document.getElementById("text").value`), "User-agent: *\nDisallow: /tea/\nAllow: /tea/green/"; got != want {
			t.Errorf("after the fix the text is %q, want %q", got, want)
		}
		p.do(chromedp.Focus(chromedp.CSS("#text")))
		p.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
		if got := eval[string](p, `document.getElementById("text").value`); !strings.Contains(got, "Disalow:") {
			t.Errorf("after undo the text is %q, want the misspelled key", got)
		}
	})
}
