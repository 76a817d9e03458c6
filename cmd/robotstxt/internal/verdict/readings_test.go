package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"a header", "User-agent: Mozilla/5.0 (compatible; FooBot/1.2)\nDisallow: /\n", "FooBot", "/", "line 1 is a whole User-Agent header: most crawlers read only its first word"},
		{"a word in place of *", "User-agent: All\nDisallow: /\n", "all", "/", `line 1 has the name "All": no crawler can have this name`},
		{"both", "User-agent: a, b\nDisalow: /\n", "b", "/", `line 2 is written "Disalow": most crawlers ignore the line; line 1 has several names: Google and others read only the first`},
		{"a crawler that ignores the group of *", "User-agent: *\nDisallow: /\n", "AdsBot-Google", "/", "AdsBot-Google does not obey the group of *"},
		{"no group of *", "User-agent: a\nDisallow: /\n", "AdsBot-Google", "/", ""},
		{"no group", "User-agent: a\nDisallow: /\n", "b", "/", ""},
		{"an index file", "User-agent: *\nDisallow: /\nAllow: /news/index.html\n", "a", "/news/", "Google takes /news/ for /news/index.html; other crawlers may not"},
		{"an index file itself", "User-agent: *\nDisallow: /\nAllow: /news/index.html\n", "a", "/news/index.html", ""},
		{"robots.txt", "User-agent: *\nDisalow: /\n", "a", "/robots.txt", ""},
		{"UTF-16", utf16("User-agent: *\nDisallow: /\n"), "a", "/", "the file is in UTF-16: many crawlers cannot read it"},
	} {
		var texts []string
		for _, n := range Parse([]byte(c.file)).Decide(c.agent, c.url).Notes {
			texts = append(texts, n.Text)
		}
		got := strings.Join(texts, "; ")
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
