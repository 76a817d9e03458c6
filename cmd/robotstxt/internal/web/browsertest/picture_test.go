package browsertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

var (
	pictures = flag.String("pictures", "", "write screenshots to this directory")
	update   = flag.Bool("update", false, "write docs/page.png")
)

// quote returns a string as a JavaScript literal.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // impossible: JSON can represent every string
	}
	return string(data)
}

func (p *page) setTheme(theme string) {
	p.t.Helper()
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	}))
}

// TestPictures writes screenshots if the flag -pictures is set.
func TestPictures(t *testing.T) {
	t.Parallel()
	if *pictures == "" {
		t.Skip("no -pictures given")
	}
	p := openTab(t, serve(t, web.Options{AllowFetch: true}))
	p.goTo(p.url)
	shot := func(name string) {
		for _, theme := range []string{"light", "dark"} {
			p.setTheme(theme)
			for _, width := range []int64{360, 800, 1400} {
				p.do(chromedp.EmulateViewport(width, 900))
				p.settle()
				data, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(*pictures, fmt.Sprintf("%s-%s-%d.png", name, theme, width))
				if err := os.WriteFile(file, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.do(chromedp.EmulateViewport(1400, 900))
	}
	shot("empty")
	p.click("#example")
	p.click("#tab-versions")
	p.click("#keep")
	p.click("#tab-verdicts")
	p.run(`document.getElementById("text").focus(); document.getElementById("text").setSelectionRange(60, 60)`)
	p.press("x")
	p.click("[id=cell-1-0]")
	shot("verdicts")
	p.click("#tab-versions")
	shot("versions")
	p.click("#tab-ai")
	p.click("[name=training][value=no] + span")
	shot("ai")
}

// TestREADME takes the screenshot for the README. With the flag -update, it writes it.
func TestREADME(t *testing.T) {
	t.Parallel()
	p := openTab(t, serve(t, web.Options{AllowFetch: true}))
	p.goTo(p.url)
	p.do(chromedp.EmulateViewport(1400, 800))
	p.click("#example")
	p.run(`const t = document.getElementById("text"), i = t.value.indexOf("/basket/help"); t.focus(); t.setSelectionRange(i, i)`)
	p.click("#cell-2-1")
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	data = smaller(t, data)
	if *update {
		if err := os.WriteFile("../../../../../docs/page.png", data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// smaller compresses a PNG file better than browsers do.
func smaller(t *testing.T, data []byte) []byte {
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
