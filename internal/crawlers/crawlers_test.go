package crawlers

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/golden"
)

// TestTable tests that each entry is complete and valid.
func TestTable(t *testing.T) {
	seen, before := map[string]bool{}, ""
	for _, c := range All() {
		if c.Token == "" || robotstxt.ProductToken(c.Token) != c.Token || seen[strings.ToLower(c.Token)] {
			t.Errorf("%q is not a product token, or the table contains it twice", c.Token)
		}
		seen[strings.ToLower(c.Token)] = true
		if operator := strings.ToLower(c.Operator); operator == "" || operator < before {
			t.Errorf("%s: the operator %q is empty or out of order", c.Token, c.Operator)
		} else {
			before = operator
		}
		if !isURL(c.Source) || c.IPRanges != "" && !isURL(c.IPRanges) {
			t.Errorf("%s: the source %q or the list %q is not an https URL", c.Token, c.Source, c.IPRanges)
		}
		if day, err := time.Parse(time.DateOnly, c.Checked); err != nil || day.After(time.Now()) {
			t.Errorf("%s: checked on %q, which is not a day in the past", c.Token, c.Checked)
		}
		if !slices.Contains([]Claim{Heeds, MayIgnore, NoClaim}, c.Claim) {
			t.Errorf("%s: unknown claim %q", c.Token, c.Claim)
		}
		if !slices.Contains([]Status{Documented, Undocumented, Retired}, c.Status) {
			t.Errorf("%s: unknown status %q", c.Token, c.Status)
		}
		if !slices.Contains([]Answer{Yes, No, ""}, c.CrawlDelay) {
			t.Errorf("%s: unknown answer %q", c.Token, c.CrawlDelay)
		}
		if c.Status == Documented && len(c.Purposes) == 0 {
			t.Errorf("%s is documented, but has no purpose", c.Token)
		}
		for _, p := range c.Purposes {
			if !slices.Contains([]Purpose{Training, Search, Input, User, Other}, p) {
				t.Errorf("%s: unknown purpose %q", c.Token, p)
			}
		}
		if c.Status != Retired && (c.Since != "" || c.Successors != nil) {
			t.Errorf("%s is in use, but has a date of retirement or a successor", c.Token)
		}
		if c.Inherited && c.Successors == nil || c.MostDelay != 0 && c.CrawlDelay != Yes {
			t.Errorf("%s: the entry has Inherited without Successors, or MostDelay without CrawlDelay", c.Token)
		}
		for _, s := range c.Successors {
			if next, ok := Find(s); !ok || next.Status == Retired {
				t.Errorf("%s: the successor %s is not a crawler in use", c.Token, s)
			}
		}
	}
	if len(seen) < 90 {
		t.Errorf("All returned %d crawlers, want at least 90", len(seen))
	}
}

// TestGolden compares all entries with a golden file. If you change the table, run the test
// with -update and read the difference: a constant that several entries share can change
// all of them.
func TestGolden(t *testing.T) {
	var text strings.Builder
	for _, c := range All() {
		fmt.Fprintf(&text, "%+v\n", c)
	}
	golden.Check(t, "table.txt", text.String())
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// TestIgnoresStar compares the table with the decisions of package robotstxt.
func TestIgnoresStar(t *testing.T) {
	closed := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n"))
	for _, c := range All() {
		if got := closed.Allowed(c.Token, "/"); got != c.IgnoresStar || IgnoresStar(c.Token) != got {
			t.Errorf("%s ignores \"*\" according to package robotstxt: %t, to the table: %t, to IgnoresStar: %t", c.Token, got, c.IgnoresStar, IgnoresStar(c.Token))
		}
	}
	for token, want := range map[string]bool{"ADSBOT-google-mobile-apps": true, "Mediapartners-Google-x": true, "AdsBot": false, "FooBot": false, "": false} {
		if IgnoresStar(token) != want {
			t.Errorf("IgnoresStar(%q) = %t, want %t", token, !want, want)
		}
	}
}

func TestStarless(t *testing.T) {
	if diff := cmp.Diff([]string{"AdsBot-Google", "APIs-Google", "Mediapartners-Google"}, Starless()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFind(t *testing.T) {
	if c, ok := Find("gptBOT"); !ok || c.Token != "GPTBot" || c.Operator != "OpenAI" || c.ByPerson() {
		t.Errorf("Find(gptBOT) = %+v, %t, want GPTBot of OpenAI", c, ok)
	}
	if c, ok := Find("ChatGPT-User"); !ok || !c.ByPerson() {
		t.Errorf("Find(ChatGPT-User) = %+v, %t, want a crawler for which ByPerson is true", c, ok)
	}
	if c, ok := Find("GPT"); ok || c.ByPerson() {
		t.Errorf("Find(GPT) = %+v, want none", c)
	}
	All()[0].Token = "changed"
	if c, _ := Find(All()[0].Token); c.Token == "changed" {
		t.Error("a change of the result of All changed the table")
	}
}

func TestSet(t *testing.T) {
	for _, test := range []struct {
		set          string
		with         []string
		without      []string
		least, limit int
	}{
		{"@ai", []string{"GPTBot", "Google-Extended", "YandexAdditional", "Bytespider"}, []string{"Googlebot", "anthropic-ai", "bingbot"}, 50, 80},
		{"@search", []string{"Googlebot", "bingbot", "Applebot", "OAI-SearchBot"}, []string{"GPTBot", "msnbot", "ChatGPT-User"}, 20, 50},
		{"@all", []string{"Googlebot", "GPTBot", "AhrefsBot"}, []string{"msnbot", "anthropic-ai"}, 85, 200},
	} {
		set, ok := Set(test.set)
		if !ok || len(set) < test.least || len(set) > test.limit {
			t.Errorf("Set(%q) = %d crawlers, %t; want %d to %d", test.set, len(set), ok, test.least, test.limit)
		}
		has := func(token string) bool {
			return slices.ContainsFunc(set, func(c Crawler) bool { return c.Token == token })
		}
		for _, token := range test.with {
			if !has(token) {
				t.Errorf("the set %s lacks %s", test.set, token)
			}
		}
		for _, token := range test.without {
			if has(token) {
				t.Errorf("the set %s contains %s, which does not belong there", test.set, token)
			}
		}
	}
	if set, ok := Set("ai"); ok || set != nil {
		t.Errorf("Set(ai) = %v, %t, want none", set, ok)
	}
}

func TestMeant(t *testing.T) {
	for name, want := range map[string][]string{
		"Claude":    {"ClaudeBot", "Claude-SearchBot", "Claude-User"},
		"meta":      {"FacebookBot", "facebookexternalhit", "meta-externalagent", "meta-webindexer", "meta-externalfetcher"},
		"OpenAI":    {"GPTBot", "OAI-SearchBot", "ChatGPT-User", "OAI-AdsBot"},
		"ChatGPT":   {"ChatGPT-User"},
		"Bing":      {"bingbot"},
		"Grok":      nil, // xAI does not document a crawler
		"Yandex":    nil, // a token itself
		"Googlebot": nil,
		"Adsbot":    nil, // a crawler of Seostar, and not only the start of AdsBot-Google
		"Image":     nil, // the start of ImagesiftBot, by chance
		"bot":       nil,
		"FooBot":    nil,
		"":          nil,
	} {
		if diff := cmp.Diff(want, Meant(name)); diff != "" {
			t.Errorf("Meant(%q) (-want +got):\n%s", name, diff)
		}
	}
	if google := Meant("Google"); !slices.Contains(google, "Google-Extended") || slices.Contains(google, "Google-NotebookLM") {
		t.Errorf("Meant(Google) = %v, want Google-Extended, but no retired token", google)
	}
}

func TestReadsPages(t *testing.T) {
	for token, want := range map[string]bool{
		"Googlebot": true, "GPTBot": true, "Google-Extended": true, "Google-CloudVertexBot": true, "CCBot": true,
		"Googlebot-Image": false, "ChatGPT-User": false, "AdsBot-Google": false, "SemrushBot": false, "Bytespider": false,
	} {
		if got := Known(token).ReadsPages(); got != want {
			t.Errorf("%s: ReadsPages() = %t, want %t", token, got, want)
		}
	}
}
