package show

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
)

func TestShow(t *testing.T) {
	for _, c := range []struct{ about, stdin, want string }{
		{"groups, records, sitemaps", "Host: a\nUser-agent: FooBot\nDisallow: /a\nuser-agent: *\nCrawl-delay: 5\nAllow: /\x1b\nUser-agent: foobot\nDisallow: /b\nSitemap: s.xml\n",
			`User-agent: FooBot
         (some URLs are allowed, such as /, and some are not, such as /b)
      3  Disallow: /a
      8  Disallow: /b

User-agent: *
         (everything is allowed)
      5  Crawl-delay: 5
      6  Allow: /

Records outside any group
      1  Host: a

Sitemaps
      9  s.xml
`},
		{"no group for all", "User-agent: FooBot\nUser-agent: Bar/1\nDisallow:\n",
			`User-agent: FooBot, Bar
         (no rules: everything is allowed)

All other crawlers
         (no group: everything is allowed)
`},
		{"the policy token", "User-agent: __usage_ai-training\nDisallow: /\n",
			`User-agent: __usage_ai-training
         (nothing is allowed)
         (__usage_ai-training is no crawler: these rules say which pages may be used for training (provisional))
      2  Disallow: /

All other crawlers
         (no group: everything is allowed)
`},
		{"nothing", "", "All other crawlers\n         (no group: everything is allowed)\n"},
		{"lines that no crawler reads", "Disallow: /a\nHost: h\nUser-agent:\nUser-agent: <b>\nDisallow: /b\nFoo: bar\nUser-agent: <i>\nUser-agent: *\nDisallow: /c\nSitemap: s\nUser-agent: ;\n",
			`User-agent: *
         (some URLs are allowed, such as /, and some are not, such as /c)
      9  Disallow: /c

Records outside any group
      2  Host: h

Sitemaps
     10  s

Ignored (before the first group)
      1  Disallow: /a

Ignored (under a name that no crawler can have)
      3  User-agent: 
      4  User-agent: <b>
      5  Disallow: /b
      6  Foo: bar
     11  User-agent: ;
`},
		{"odd bytes", "User-agent: *\nDisallow: /\x1b[2J/\xff\n", "User-agent: *\n         (some URLs are allowed, such as /, and some are not, such as /%1B%5B2J/%FF)\n      2  \"Disallow: /\\x1b[2J/\\xff\"\n"},
	} {
		stdout, stderr, status := runWith(c.stdin, "show", "-")
		_, stdout, _ = strings.Cut(stdout, "\n\n") // after the summary
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.about, status, stderr, diff)
		}
	}
}

// TestShowTooMuch tests that the output does not grow with the number of crawlers times the
// number of rules that they share.
func TestShowTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	const most = 1200 // enough for more than twice as many rules as are shown
	var agents, own strings.Builder
	for i := range most {
		fmt.Fprintf(&agents, "User-agent: a%d\n", i)
		fmt.Fprintf(&own, "User-agent: a%d\nDisallow: /%d\n", i, i)
	}
	for about, shared := range map[string]string{
		"rules":      strings.Repeat("Disallow: /b\n", most),
		"records":    "Allow: /\n" + strings.Repeat("Host: b\n", most),
		"long value": "Allow: /\nHost: " + strings.Repeat("b", 60000) + "\n",
		"long rule":  "Disallow: /" + strings.Repeat("b", 60000) + "\n",
	} {
		for _, format := range []struct{ flag, want string }{
			{"--json=false", "\nUser-agent: a1199\n         (rules and records not shown: the output would be too large)\n"},
			{"--json", `{"tokens":["a1199"],"rules":[],"records":[],"left_out":true}`},
		} {
			stdin := agents.String() + shared + own.String()
			stdout, stderr, status := runWith(stdin, "show", format.flag, "-")
			if len(stdout) > 2_500_000+10*len(stdin) || !strings.Contains(stdout, format.want) || stderr != "" || status != cli.ExitOK {
				t.Errorf("%s, %s: status %d, standard error %q, output of %d bytes, want one with %q", about, format.flag, status, stderr, len(stdout), format.want)
			}
		}
	}
}

func TestShowJSON(t *testing.T) {
	for stdin, want := range map[string]string{
		"": `[],"records":[],"sitemaps":[],"ignored":[]}` + "\n",
		"Host: a\nUser-agent: *\nAllow: /b\nCrawl-delay: 0.5\nSitemap: s": `[{"tokens":["*"],"coverage":{"urls":"all","allowed":"/"},"rules":[{"line":3,"allow":true,"pattern":"/b"}],` +
			`"records":[{"line":4,"key":"Crawl-delay","value":"0.5"}],"crawl_delay":0.5}],` +
			`"records":[{"line":1,"key":"Host","value":"a"}],"sitemaps":[{"line":5,"url":"s"}],"ignored":[]}` + "\n",
		"Allow: /b": `[],"records":[],"sitemaps":[],"ignored":[{"line":1,"key":"Allow","value":"/b","reason":"before the first group"}]}` + "\n",
	} {
		stdout, stderr, status := runWith(stdin, "show", "--json", "-")
		_, stdout, _ = strings.Cut(stdout, `","groups":`) // after the summary
		if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
			t.Errorf("%q: status %d, standard error %q, output (-want +got):\n%s", stdin, status, stderr, diff)
		}
	}
}

// TestShowCoverage tests the note on which URLs the crawlers of a group may fetch.
func TestShowCoverage(t *testing.T) {
	for _, c := range []struct{ about, rules, want, asJSON string }{
		{"nothing except the file itself", "Disallow: /\nAllow: /robots.txt$\n", "nothing is allowed", `{"urls":"none","disallowed":"/"}`},
		{"a dead rule", "Disallow: /a\nAllow: /a*\n", "everything is allowed", `{"urls":"all","allowed":"/"}`},
		{"a record and no rule", "Crawl-delay: 5\n", "no rules: everything is allowed", `{"urls":"all","allowed":"/"}`},
		{"some", "Disallow: /\nAllow: /press/\n", "some URLs are allowed, such as /press/, and some are not, such as /", `{"urls":"some","allowed":"/press/","disallowed":"/"}`},
		{"a hard question", "Allow: /" + strings.Repeat("a*", 79_999) + "a\nDisallow: /" + strings.Repeat("a", 80_000) + "\n",
			"too many rules to work out how much is allowed", `{"urls":"undecided","allowed":"/"}`},
		{"more rules than are searched", strings.Repeat("Disallow: /\n", 20_001), "too many rules to work out how much is allowed", `{"urls":"undecided"}`},
		{"as many rules as are searched", strings.Repeat("Disallow: /\n", 20_000), "nothing is allowed", `{"urls":"none","disallowed":"/"}`},
	} {
		stdin := "User-agent: *\n" + c.rules
		stdout, stderr, status := runWith(stdin, "show", "-")
		if !strings.Contains(stdout, "\n\nUser-agent: *\n         ("+c.want+")\n      ") || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, output %.200q, want %q", c.about, status, stderr, stdout, c.want)
		}
		if stdout, _, _ = runWith(stdin, "show", "--json", "-"); !strings.Contains(stdout, `"coverage":`+c.asJSON) {
			t.Errorf("%s: output %.200q, want %q", c.about, stdout, c.asJSON)
		}
	}
}

// TestShowCoverageOfMany tests two groups that together have too many rules.
func TestShowCoverageOfMany(t *testing.T) {
	list := strings.Repeat("Disallow: /\n", 12_000)
	stdout, _, _ := runWith("User-agent: a\n"+list+"User-agent: b\n"+list, "show", "-")
	const first, second = "User-agent: a\n         (nothing is allowed)\n", "User-agent: b\n         (too many rules to work out how much is allowed)\n"
	if !strings.Contains(stdout, first) || !strings.Contains(stdout, second) {
		t.Errorf("output %.200q", stdout)
	}
}

// TestShowNotes tests what is said about lines that other crawlers read differently.
func TestShowNotes(t *testing.T) {
	const file = "User-agent: GPTBot, CCBot\nDisalow: /x\nDisallow /y\n"
	stdout, _, _ := runWith(file, "show", "-")
	const want = `
         (line 1 has several names: Google and others read only the first)
      2  Disallow: /x  (line 2 is written "Disalow": most crawlers ignore the line)
      3  Disallow: /y  (line 3 is written without a colon: many crawlers ignore the line)
`
	if !strings.Contains(stdout, want) {
		t.Errorf("got\n%s\nwant in it\n%s", stdout, want)
	}
	stdout, _, _ = runWith(file, "show", "--json", "-")
	if !strings.Contains(stdout, `"notes":[{"code":"several-names","text":"line 1 has several names: Google and others read only the first"}]`) || !strings.Contains(stdout, `"pattern":"/x","notes":[{"code":"misspelled-key","text":"line 2 is written \"Disalow\": most crawlers ignore the line"}]`) {
		t.Errorf("JSON: %s", stdout)
	}
}

// TestShowUTF16 tests that the note about the whole file is printed.
func TestShowUTF16(t *testing.T) {
	stdout, _, _ := runWith("\xff\xfea\x00\n\x00", "show", "-")
	if want := "\n\nthe file is in UTF-16: many crawlers cannot read it\n\nAll other crawlers\n"; !strings.Contains(stdout, want) {
		t.Errorf("got\n%s\nwant in it\n%s", stdout, want)
	}
}
