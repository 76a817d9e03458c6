package reading_test

import (
	"os"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/lint"
)

// The rows come from the first table of docs/deviations.md, which says how others read such lines.

func TestOfRule(t *testing.T) {
	for text, want := range map[string]string{
		"Disallow: /x":   "",
		"DISALLOW:/x":    "",
		"Allow: *x":      "",
		"Disallow:":      "",
		"Disalow: /x":    `misspelled-key: line 2 is written "Disalow": most crawlers ignore the line`,
		`"Allow": /x`:    `misspelled-key: line 2 is written "\"Allow\"": most crawlers ignore the line`,
		"Disallow /x":    "missing-colon: line 2 is written without a colon: many crawlers ignore the line",
		"Disallow: x":    `path-without-slash: line 2 is written without "/": some crawlers ignore the line`,
		"Disalow x":      `misspelled-key: line 2 is written "Disalow": most crawlers ignore the line`, // the one that most crawlers mind
		"Disallow x":     "missing-colon: line 2 is written without a colon: many crawlers ignore the line",
		"Allow: ?q=1#\\": `path-without-slash: line 2 is written without "/": some crawlers ignore the line`,
	} {
		if got := textOf(reading.OfRule(lineOf(t, text))); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func lineOf(t *testing.T, text string) *robotstxt.Line {
	for l := range robotstxt.Lines([]byte("#\n" + text)) {
		if l.Number == 2 {
			return &l
		}
	}
	t.Fatalf("%q is no line", text)
	return nil
}

func textOf(n reading.Note) string { return strings.TrimPrefix(n.Code+": "+n.Text, ": ") }

func TestOfName(t *testing.T) {
	for text, want := range map[string][]string{
		"User-agent: a":                                    {""},
		"user-agent: a/1.0":                                {""},
		"User-agent: *":                                    {""},
		"User-agent: a,b, c":                               {"", "several-names", "several-names"},
		"User-agent: , a":                                  {""},
		"User-agent: <b>, a":                               {"several-names"}, // others read only the first, which is no name
		"User-agent: All, a":                               {"unusable-token", "several-names"},
		"User agent: a":                                    {"misspelled-key"},
		"User-agent a":                                     {"missing-colon"},
		"User-agent: Mozilla/5.0":                          {""}, // all read Mozilla
		"User-agent: Moz (a, b)":                           {""},
		"User-agent: FooBot [NC,OR]":                       {"", "several-names"},
		"User-agent: Mozilla/5.0 (compatible; Moz/1.0)":    {"user-agent-header"},
		"User-agent: Mozilla/5.0 (compatible; FooBot/1.0)": {"user-agent-header"},
	} {
		l := lineOf(t, text)
		var got []string
		for _, a := range section.Cut([]byte("#\n" + text))[1].Agents {
			got = append(got, reading.OfName(l, a).Code)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestOfFile(t *testing.T) {
	for data, want := range map[string]string{
		"":                           "",
		"User-agent: *":              "",
		"\xff\xfea\x00":              "utf-16: the file is in UTF-16: many crawlers cannot read it",
		"\x00a\x00b\x00c\x00d\x00\n": "utf-16: the file is in UTF-16: many crawlers cannot read it",
	} {
		if got := textOf(reading.OfFile([]byte(data))); got != want {
			t.Errorf("%q: got %q, want %q", data, got, want)
		}
	}
}

func TestHasSeveralNames(t *testing.T) {
	for value, want := range map[string]bool{
		"GPTBot": false, "GPTBot, CCBot": true, "GPTBot,CCBot": true, "GPTBot,": false, "FooBot [NC,OR]": false,
		"GPTBot; CCBot": true, "GPTBot and CCBot": true, "Foo and Bar": false, "GPTBot bot": false, "": false,
	} {
		if got := reading.HasSeveralNames(value); got != want {
			t.Errorf("%q: got %t", value, got)
		}
	}
}

// TestCodes tests that package lint has each code with the same words, and that the first table of
// docs/deviations.md has a row for it.
func TestCodes(t *testing.T) {
	doc, err := os.ReadFile("../../docs/deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, c := range lint.Codes() {
		texts[c.Name] = c.Text
	}
	for _, code := range []string{reading.UTF16, reading.MisspelledKey, reading.MissingColon, reading.PathWithoutSlash,
		reading.SeveralNames, reading.UnusableToken, reading.UserAgentHeader} {
		if effect := reading.Effect(code); effect == "" || !strings.Contains(texts[code], effect) {
			t.Errorf("%s: lint says %q, without %q", code, texts[code], effect)
		}
		isAlike := code == reading.UnusableToken // all read such a name, but no crawler has it
		if !isAlike && !strings.Contains(string(doc), "| `"+code+"` |") {
			t.Errorf("%s: docs/deviations.md has no row", code)
		}
	}
}
