package browsertest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// views calls check with every view of the page, in both themes and at three widths.
func views(t *testing.T, check func(p *page, name string)) {
	p := open(t, serve(t, web.Options{AllowFetch: true}))
	for _, theme := range []string{"light", "dark"} {
		p.setTheme(theme)
		for _, width := range []int64{360, 800, 1400} {
			p.do(chromedp.EmulateViewport(width, 800))
			p.fill("text", "")
			p.fill("urls", "")
			check(p, theme+", empty")
			p.click("#example")
			check(p, theme+", verdicts")
			p.click("#tab-versions")
			p.click("#keep")
			check(p, theme+", versions")
			p.click("#tab-ai")
			p.click("[name=training][value=no] + span")
			check(p, theme+", AI")
			p.click("#tab-verdicts")
		}
	}
}

// contrastFaults is JavaScript that returns the visible texts, and the marks under the text of the file, with a contrast of less than
// 4.5 to 1 (WCAG 2.2, success criterion 1.4.3), each with its contrast.
const contrastFaults = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = (color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const over = (top, under) => { const a = top[3] / 255; return [0, 1, 2].map((i) => top[i] * a + under[i] * (1 - a)); };
	const background = (node) => {
		const layers = [];
		for (; node; node = node.parentElement) layers.unshift(rgba(getComputedStyle(node).backgroundColor));
		return layers.reduce((under, top) => over(top, under), [255, 255, 255]);
	};
	const luminance = (c) => {
		const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
	const faults = [];
	let checked = 0;
	for (const node of document.querySelectorAll("body *")) {
		const text = [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
		if ((!text && !node.matches("input, textarea")) || node.disabled || !node.checkVisibility()) continue;
		checked++;
		const under = background(node);
		const value = ratio(over(rgba(getComputedStyle(node).color), under), under);
		if (value < 4.5) faults.push(value.toFixed(2) + " " + node.tagName + "." + node.className + " " + text.slice(0, 30));
	}
	const text = rgba(getComputedStyle(document.getElementById("text")).color);
	for (const mark of document.querySelectorAll("#marks .mark")) {
		const value = ratio(text, over(rgba(getComputedStyle(mark).backgroundColor), background(document.getElementById("editor"))));
		if (value < 4.5) faults.push(value.toFixed(2) + " " + mark.className);
	}
	return checked < 20 ? ["only " + checked + " texts were checked"] : faults;
})()`

// TestViews tests the contrast and the width of every view.
func TestViews(t *testing.T) {
	t.Parallel()
	views(t, func(p *page, name string) {
		p.run(`await Promise.all(document.getAnimations().map((a) => a.finished))`) // transitions of colors
		if faults := eval[[]string](p, contrastFaults); len(faults) > 0 {
			t.Errorf("%s: too little contrast:\n%s", name, strings.Join(faults, "\n"))
		}
		if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s: the page is %d px wider than the window, which has %d px", name, wide, eval[int](p, "innerWidth"))
		}
	})
}

// TestNames tests that all controls have a name for screen readers.
func TestNames(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{AllowFetch: true}))
	p.click("#example")
	p.click("#tab-versions")
	p.click("#keep")
	p.fill("text", "User-agent: *\nDisalow: /x\n")
	for _, tab := range []string{"#tab-versions", "#tab-ai", "#tab-verdicts"} {
		p.click(tab)
		nodes, err := chromedp.Run(p.ctx, func(ctx context.Context, target *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
			return cdp.Call(ctx, target, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		})
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, node := range nodes.Nodes {
			if node.Ignored || node.Role == nil || !needsName[unquote(node.Role.Value)] {
				continue
			}
			checked++
			if node.Name == nil || unquote(node.Name.Value) == "" {
				t.Errorf("%s: a %s without a name", tab, node.Role.Value)
			}
		}
		if checked < 15 {
			t.Errorf("%s: only %d nodes need a name, want at least 15", tab, checked)
		}
	}
	labels := eval[[]string](p, `[...document.querySelectorAll("button[aria-label]")].filter((b) => /\w/.test(b.textContent) && !b.getAttribute("aria-label").includes(b.textContent))
		.concat(...document.querySelectorAll("h1[role], h2[role], h3[role]")).map((e) => e.outerHTML)`)
	if len(labels) > 0 {
		t.Errorf("names of buttons without the text on them (WCAG 2.2, success criterion 2.5.3), or roles that hide a heading: %q", labels)
	}
	ids := eval[[]string](p, `[...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)`)
	if len(ids) > 0 {
		t.Errorf("ids that occur twice: %q", ids)
	}
	missing := eval[[]string](p, `["aria-controls", "aria-labelledby", "aria-describedby", "aria-activedescendant", "for"].flatMap((name) =>
		[...document.querySelectorAll("[" + name + "]")].map((e) => e.getAttribute(name))).filter((id) => !document.getElementById(id))`)
	if len(missing) > 0 {
		t.Errorf("attributes refer to ids that do not exist: %q", missing)
	}
}

var needsName = map[string]bool{
	"button": true, "textbox": true, "combobox": true, "radio": true, "tab": true, "tabpanel": true, "grid": true,
	"gridcell": true, "columnheader": true, "rowheader": true, "region": true, "link": true,
}

func unquote[T ~[]byte](value T) string { return strings.Trim(string(value), `"`) }

// focused returns the id, class or tag of the element that has the focus.
func (p *page) focused() string {
	p.t.Helper()
	return eval[string](p, `(document.activeElement.id || document.activeElement.className || document.activeElement.tagName)`)
}

// TestKeyboard tests that the page can be used with the keyboard alone.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, fileOptions(file)))
	p.press(kb.Tab)
	if got := p.focused(); got != "skip" {
		t.Fatalf("the first press of the tab key moves the focus to %s, want skip", got)
	}
	p.enter()
	if got := p.focused(); got != "text" {
		t.Fatalf("the skip link moves the focus to %s, want text", got)
	}
	p.tabTo("urls")
	p.press("/private/x" + kb.Enter + "/")
	p.tabTo("agent")
	p.press("FooBot")
	p.enter()
	p.tabTo("grid")
	p.press(kb.ArrowDown)
	p.wantActive("✕ disallowed line 6")
	p.press(kb.ArrowRight)
	p.wantActive("✓ allowed")
	p.press(kb.Home)
	p.wantActive("✕ disallowed line 6")
	p.press(kb.End)
	p.wantActive("✓ allowed")
	p.press(kb.ArrowUp)
	p.wantActive("✕ disallowed line 2")
	if got := p.text("#why"); !strings.Contains(got, "line 2") || eval[string](p, `document.getElementById("why").getAttribute("role")`) != "status" {
		t.Errorf("why: %q", got)
	}
	p.enter()
	if got := p.focused(); got != "text" {
		t.Errorf("Enter in the table moves the focus to %s, want text", got)
	}
	if got := eval[int](p, `document.getElementById("text").selectionStart`); got != strings.Index(file, "Disallow") {
		t.Errorf("the cursor is at %d", got)
	}
	p.tabTo("tab-verdicts")
	p.press(kb.ArrowRight)
	if got := p.focused(); got != "tab-versions" {
		t.Errorf("the right arrow moves the focus to %s, want tab-versions", got)
	}
	p.tabTo("keep")
	p.enter()
	if got := p.value("before"); got != file {
		t.Errorf("the old version is %q, want %q", got, file)
	}
	p.run(`document.getElementById("tab-versions").focus()`)
	p.press(kb.ArrowRight)
	p.tabTo("ai-url")
	p.press(kb.Tab + kb.ArrowRight + kb.ArrowRight) // training: no
	p.tabTo("choose")
	p.enter()
	if got := p.value("text"); !strings.HasSuffix(got, file) || !strings.Contains(got, "GPTBot") {
		t.Errorf("the file is %q, want a group for GPTBot in it", got)
	}
}

// wantActive checks the text of the cell that aria-activedescendant names.
func (p *page) wantActive(want string) {
	p.t.Helper()
	p.want("#"+eval[string](p, `document.getElementById("grid").getAttribute("aria-activedescendant")`), want)
}

// tabTo presses the tab key until an element has the focus. On the way, each element must
// show that it has the focus.
func (p *page) tabTo(id string) {
	p.t.Helper()
	for range 40 {
		p.press(kb.Tab)
		if !eval[bool](p, `(() => { const s = getComputedStyle(document.activeElement), p = getComputedStyle(document.activeElement.closest(".editor, label") ?? document.body);
			const after = document.activeElement.nextElementSibling && getComputedStyle(document.activeElement.nextElementSibling);
			return [s, p, after].some((style) => style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) })()`) {
			p.t.Errorf("%s does not show that it has the focus", p.focused())
		}
		if p.focused() == id {
			return
		}
	}
	p.t.Fatalf("the tab key does not reach %s", id)
}

// TestTabKeys tests the keys that move between the tabs.
func TestTabKeys(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, web.Options{}))
	p.run(`document.getElementById("tab-verdicts").focus()`)
	for _, step := range []struct{ key, want string }{
		{kb.End, "tab-ai"}, {kb.ArrowRight, "tab-verdicts"}, {kb.ArrowLeft, "tab-ai"}, {kb.ArrowLeft, "tab-versions"}, {kb.Home, "tab-verdicts"},
	} {
		p.press(step.key)
		if got := p.focused(); got != step.want || !eval[bool](p, `document.activeElement.ariaSelected === "true"`) {
			t.Errorf("%q moves to %s, want %s", step.key, got, step.want)
		}
	}
}
