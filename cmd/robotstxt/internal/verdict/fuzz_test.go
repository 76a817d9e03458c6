package verdict

import (
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/rules"
)

// FuzzVerdict tests that a verdict is the decision of package robotstxt, with notes that have a text, and that a
// file has no differences from itself.
func FuzzVerdict(f *testing.F) {
	f.Add("User-agent: GPTBot, Claude\nDisalow: /private/\nUser agent *\nDisallow: x$\nAllow: /a/index.html\n", "Claude-User", "/a/../Private/?q")
	f.Add("Disallow: /\nUser-agent: Yandex\nDisallow: /*?a=\nDisallow: /B/*\n", "YandexBot", "https://shop.example//b;c/?x=1&a=2#f")
	f.Add("\xff\xfeU\x00", "gptbto", "//h")
	f.Fuzz(func(t *testing.T, text, agent, url string) {
		file := Parse([]byte(text))
		group := file.Group(agent)
		v := group.Explain(url)
		want := robotstxt.Parse([]byte(text)).Group(crawlers.Names(agent)...).Decide(url)
		if v.Decision != want || file.Allowed(agent, url) != want.Allowed || v.Outcome() == Unknown {
			t.Errorf("%+v, want %+v", v, want)
		}
		checkNotes(t, v.Notes)
		for _, line := range group.Rules() {
			if n := file.OfRule(line.Line); n.Text != "" {
				checkNotes(t, []reading.Note{n})
			}
		}
		if v.Why() == "" || v.String() == "" {
			t.Errorf("no words for %+v", v)
		}
		if len(text) < 1000 {
			if changes := Diff(file, Parse([]byte(text)), rules.Options{}); len(changes) > 0 && len(changes[0].Verdicts) > 0 {
				t.Errorf("the file differs from itself: %+v", changes)
			}
		}
	})
}

func checkNotes(t *testing.T, notes []reading.Note) {
	for _, n := range notes {
		if n.Code == "" || n.Text == "" {
			t.Errorf("note %+v", n)
		}
	}
}
