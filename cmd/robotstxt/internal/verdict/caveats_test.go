package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

// TestCaveats tests what is said about decisions that other crawlers may make differently. The first table of
// docs/deviations.md says how they read the lines.
func TestCaveats(t *testing.T) {
	for _, c := range []struct{ about, file, agent, url, want string }{
		{"plain lines", "User-agent: *\nDisallow: /x\n", "a", "/x", ""},
		{"keys in any case", "USER-AGENT: *\ndisallow: /x\n", "a", "/x", ""},
		{"a misspelled key", "User-agent: *\nDisalow: /x\n", "a", "/x", `line 2 is written "Disalow": most crawlers ignore the line`},
		{"a misspelled key of another rule", "User-agent: *\nDisalow: /x\nDisallow: /y\n", "a", "/y", ""},
		{"no colon", "User-agent: *\nDisallow /x\n", "a", "/x", "line 2 is written without a colon: many crawlers ignore the line"},
		{"no slash", "User-agent: *\nDisallow: x\n", "a", "/x", `line 2 is written without "/": some crawlers ignore the line`},
		{"the second name", "User-agent: a, b\nDisallow: /\n", "b", "/", "line 1 has several names: Google and others read only the first"},
		{"the first name", "User-agent: a, b\nDisallow: /\n", "a", "/", ""},
		{"the second name, no rule", "User-agent: a, b\nDisallow: /x\n", "b", "/", "line 1 has several names: Google and others read only the first"},
		{"a name in a line of its own, too", "User-agent: a, b\nUser-agent: b\nDisallow: /\n", "b", "/", ""},
		{"a name in a line of its own, of another rule", "User-agent: a, b\nDisallow: /x\nUser-agent: b\nDisallow: /y\n", "b", "/x", "line 1 has several names: Google and others read only the first"},
		{"a name in a line of its own, no rule", "User-agent: a, b\nDisallow: /x\nUser-agent: b\nDisallow: /y\n", "b", "/", ""},
		{"a misspelled user-agent key", "User agent: *\nDisallow: /\n", "a", "/", `line 1 is written "User agent": most crawlers ignore the line`},
		{"a user-agent line without a colon", "User-agent *\nDisallow: /\n", "a", "/", "line 1 is written without a colon: many crawlers ignore the line"},
		{"a header", "User-agent: Mozilla/5.0 (compatible; FooBot/1.2)\nDisallow: /\n", "FooBot", "/", "line 1 is a whole User-Agent header: some crawlers read only its first word"},
		{"a word in place of *", "User-agent: All\nDisallow: /\n", "all", "/", `no crawler can have the name "All" in line 1`},
		{"both", "User-agent: a, b\nDisalow: /\n", "b", "/", `line 2 is written "Disalow": most crawlers ignore the line; line 1 has several names: Google and others read only the first`},
		{"a crawler that ignores the group of *", "User-agent: *\nDisallow: /\n", "AdsBot-Google", "/", "AdsBot-Google does not obey the group of *"},
		{"no group of *", "User-agent: a\nDisallow: /\n", "AdsBot-Google", "/", ""},
		{"no group", "User-agent: a\nDisallow: /\n", "b", "/", ""},
		{"an index file", "User-agent: *\nDisallow: /\nAllow: /news/index.html\n", "a", "/news/", "Google takes /news/ for /news/index.html; other crawlers may not"},
		{"an index file itself", "User-agent: *\nDisallow: /\nAllow: /news/index.html\n", "a", "/news/index.html", ""},
		{"robots.txt", "User-agent: *\nDisalow: /\n", "a", "/robots.txt", ""},
		{"UTF-16", utf16("User-agent: *\nDisallow: /\n"), "a", "/", "the file is in UTF-16, which many crawlers cannot read"},
	} {
		d := robotstxt.Parse([]byte(c.file)).Decide(c.agent, c.url)
		got := strings.Join(Parse([]byte(c.file)).Explain(c.agent, c.url, d).Notes(), "; ")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.about, diff)
		}
	}
}

// utf16 returns an ASCII text in UTF-16, with a byte-order mark.
func utf16(text string) string {
	encoded := "\xff\xfe"
	for _, c := range []byte(text) {
		encoded += string([]byte{c, 0})
	}
	return encoded
}

func TestFallbackNote(t *testing.T) {
	file := robotstxt.Parse([]byte(`
User-agent: Claude
User-agent: Googlebot
User-agent: google
User-agent: SemrushBot
User-agent: *
Disallow: /
`))
	for agent, want := range map[string]string{
		"Claude-User":     "by the group Claude; whether Claude-User reads it is not documented",
		"Claude-User/1.0": "by the group Claude; whether Claude-User reads it is not documented",
		"SemrushBot-SWA":  "by the group SemrushBot; whether SemrushBot-SWA reads it is not documented",
		"Google-Extended": "by the group google; whether Google-Extended reads it is not documented", // no crawler of Google has the token Google
		"Googlebot-Image": "",
		"Applebot":        "by the group Googlebot, which its operator documents",
		"claude":          "", // the whole token
		"SEMRUSHBOT":      "",
		"FooBot":          "", // by "*"
		"APIs-Google":     "", // by no group
	} {
		d := file.Group(crawlers.Names(agent)...).Decide("/")
		if got := fallback(agent, d.Token); got != want {
			t.Errorf("fallback(%q, %q) = %q, want %q", agent, d.Token, got, want)
		}
	}
}
