package section_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// TestCut compares the line numbers and the tokens of each section.
func TestCut(t *testing.T) {
	for data, want := range map[string]string{
		"":                             "[]",
		"# a\nSitemap: /s\n":           "[1 2]",
		"User-agent: a\nDisallow: /\n": "[] [1 2 a]",
		"Disallow: /\n\nUser-agent: a": "[1 2] [3 a]",
		"User-agent: a/1.0\nDisallow:": "[] [1 2 a]",
		"User-agent: /\nUser-agent: b": "[] [1 2 b]",
		"User-agent: a, b\nAllow: /":   "[] [1 2 a b]",
		"User-agent: a\n\nUser-agent: B\nCrawl-delay: 1\nUser-agent: c\nAllow:\nUser-agent: d": "[] [1 2 3 4 5 6 a b c] [7 d]",
	} {
		var got []string
		for _, s := range section.Cut([]byte(data)) {
			var words []any
			for _, l := range s.Lines {
				words = append(words, l.Number)
			}
			for _, a := range s.Agents {
				words = append(words, a.Folded)
			}
			got = append(got, fmt.Sprint(words))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("Cut(%q) (-want +got):\n%s", data, diff)
		}
	}
}

// FuzzCut compares the sections with the groups of package robotstxt, which divides files into
// sections, too: each token must have the same rules.
func FuzzCut(f *testing.F) {
	cases, err := casefile.ReadProtocol(os.DirFS("../.."), "testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add(c.Robots)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want := map[string][]robotstxt.Rule{}
		for _, g := range robotstxt.Parse(data).Groups() {
			for _, token := range g.Tokens() {
				want[lex.Fold(token)] = g.Rules()
			}
		}
		got := map[string][]robotstxt.Rule{}
		for _, s := range section.Cut(data) {
			rules := rulesOf(s)
			seen := map[string]bool{}
			for _, a := range s.Agents {
				if !seen[a.Folded] {
					got[a.Folded] = append(got[a.Folded], rules...)
				}
				seen[a.Folded] = true
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("robots.txt %q: rules of the groups (-) and of the sections (+):\n%s", data, diff)
		}
	})
}

func rulesOf(s section.Section) (rules []robotstxt.Rule) {
	for _, l := range s.Lines {
		if section.IsRule(&l) && l.Value != "" {
			rules = append(rules, robotstxt.Rule{Line: l.Number, Allow: l.Kind == robotstxt.AllowKind, Pattern: l.Value})
		}
	}
	return rules
}

// TestAgents tests the names that Cut finds on a user-agent line, and their positions.
func TestAgents(t *testing.T) {
	got := section.Cut([]byte("# a\nUser-agent: ,FooBot/1.2, b x\n"))[1].Agents
	want := []section.Agent{{"FooBot", "foobot", "FooBot/1.2", false, 2, 1}, {"b", "b", "b x", true, 2, 13}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIsRecord(t *testing.T) {
	for text, want := range map[string]bool{
		"Noindex: /a": true, "Über: 1": true, "my key_1.2: x": true,
		"see https://www.example.org/": false, "https://www.example.org/": false, "<p>: a": false, "Disallow: /": false, "# a: b": false,
	} {
		for l := range robotstxt.Lines([]byte(text)) {
			if got := section.IsRecord(&l); got != want {
				t.Errorf("IsRecord(%q) = %v, want %v", text, got, want)
			}
		}
	}
}

func TestIsUnmarkedUTF16(t *testing.T) {
	for data, want := range map[string]bool{
		"U\x00s\x00": true, "\x00U\x00s": true, "U\x00s\x00e": true, "U\x00\x00s": false, "U\x00": false, "\xFF\xFEU\x00": false,
		"User": false, "User\x00agent": false, "\x00\x00\x00\x00": false, strings.Repeat("U\x00", 200): true,
		"": false, "U\x00ser-agent": false, "U\x00s\x01": false, "\x00U\x04\x10\x00s\x00e": true,
		"U\x00s\x00e\x00r\x00\x04\x10\x04\x10": false, "U\x00s\x00e\x00r\x00-\x00\x04\x10": true, // a third of the bytes, and more
		strings.Repeat("U\x00", 128) + "\x00" + strings.Repeat("U", 1000): true, // the 257th byte does not count
	} {
		if got := section.IsUnmarkedUTF16([]byte(data)); got != want {
			t.Errorf("IsUnmarkedUTF16(%q) = %v, want %v", data, got, want)
		}
	}
}

func TestLineEnd(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n": "\n", "\r\n": "\r\n", "\ra": "\r", "\n\r": "\n", "\r": "\r"} {
		if got := section.LineEnd([]byte(text)); got != want {
			t.Errorf("LineEnd(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for data, want := range map[string]int{"abc": 3, "\xFE\xFF\x30\x00": 3, "\uFEFFa": 4} {
		if got := section.Size([]byte(data)); got != want {
			t.Errorf("Size(%q) = %d, want %d", data, got, want)
		}
	}
}
