package verdict

import (
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
)

func TestOtherForm(t *testing.T) {
	file := Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /a//b\n"))
	for url, want := range map[string]string{
		"/x/../private/":                        "servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it",
		"//private/":                            "servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it",
		"/x;y/..;/private/":                     "servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it",
		"/private%2Fx":                          "servers may answer it with /private/x, which line 2 disallows, so careful crawlers do not fetch it",
		"https://shop.example/x/../private/?q":  "servers may answer it with https://shop.example/private/?q, which line 2 disallows, so careful crawlers do not fetch it",
		"/x/%2e%2E/private/":                    "servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it",
		"/private%2fx":                          "servers may answer it with /private/x, which line 2 disallows, so careful crawlers do not fetch it",
		"/x\\..\\private/":                      "servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it",
		"//x/private/":                          "", // disallowed as it is: x is read as a host
		"//x//../private/?q":                    "servers may answer it with /private/?q, which line 2 disallows, so careful crawlers do not fetch it",
		"/private/":                             "", // disallowed as it is
		"/a//b":                                 "", // disallowed as it is
		"/x/../tea":                             "",
		"/tea":                                  "",
		"https://shop.example/tea?a=//private/": "",
		"":                                      "",
	} {
		if got := file.Decide("FooBot", url).Note(OtherForm); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}

// TestNames tests what is said about the name by which the group of a crawler was found. The operators' pages are
// in the table of package crawlers.
func TestNames(t *testing.T) {
	file := Parse([]byte(`
User-agent: Claude
User-agent: Googlebot
User-agent: google
User-agent: SemrushBot
User-agent: Yandex
User-agent: *
Disallow: /
`))
	for agent, want := range map[string]string{
		"Claude-User":     "by the group Claude; whether Claude-User reads it is not documented",
		"Claude-User/1.0": "by the group Claude; whether Claude-User reads it is not documented",
		"SemrushBot-SWA":  "by the group SemrushBot; whether SemrushBot-SWA reads it is not documented",
		"Google-Extended": "by the group google; whether Google-Extended reads it is not documented", // no crawler of Google has the token Google
		"YandexBot":       "by the group Yandex, which its operator documents",
		"Applebot":        "by the group Googlebot, which its operator documents",
		"Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)": "by the group Yandex, which its operator documents",
		"Googlebot-Image": "",
		"claude":          "", // the whole token
		"SEMRUSHBOT":      "",
		"FooBot":          "", // by "*"
		"*":               "",
		"APIs-Google":     "", // by no group
		"gptbto":          `no known crawler has the name "gptbto" (did you mean GPTBot?)`,
		"Gogglebot":       `no known crawler has the name "Gogglebot" (did you mean Googlebot?)`,
	} {
		v := file.Decide(agent, "/")
		got := v.Note(FollowedGroup) + v.Note(ShortenedName) + v.Note(MisspelledAgent)
		if isOpen := agent == "APIs-Google"; got != want || v.Allowed != isOpen || file.Allowed(agent, "/") != isOpen {
			t.Errorf("%s: allowed %t, got %q, want %q", agent, v.Allowed, got, want)
		}
	}
	if n := Parse([]byte("User-agent: gptbto\nDisallow: /\n")).Decide("gptbto", "/").Note(MisspelledAgent); n != "" {
		t.Errorf("for a name that the file has, the note is %q", n)
	}
}

// TestNearMiss tests which rule is named if none matches. The questions are those of owners: they are ours.
func TestNearMiss(t *testing.T) {
	for _, c := range []struct{ rule, url, want string }{
		{"Disallow: /Admin/", "/admin/", "capital letters count in paths"},
		{"Disallow: /admin/", "https://shop.example/ADMIN/", "capital letters count in paths"},
		{"Disallow: /shop/", "/shop", `the rule ends with "/", and the URL does not`},
		{"Disallow: /folder/*", "/folder", `the rule ends with "/", and the URL does not`},
		{"Disallow: /*.pdf$", "/a.pdf?dl=1", `"$" ends the path, and the URL continues with a query`},
		{"Disallow: /*&lang=", "/x?lang=de", `the rule has "&" where the URL has "?"`},
		{"Disallow: /*?utm_source=", "/p?a=1&utm_source=x", `the rule has "?" where the URL has "&"`},
		{"Disallow: /search/", "/en/search/x", `the rule matches only at the start of a path; with "/*" before it, it matches anywhere`},
		{"Disallow: /?b=9", "/books/?b=9", `the rule matches only at the start of a path; with "/*" before it, it matches anywhere`},
		{"Disallow: /nocrawl=1", "/s?x=1&nocrawl=1", `the rule matches only at the start of a path; with "/*" for its "/", it matches anywhere`},
		{"Disallow: /shop/", "/shop-assistant", ""},
		{"Disallow: /a", "/b/a", ""},  // too short
		{"Disallow: /*?", "/p&a", ""}, // it is about all queries
		{"Disallow: /shop$", "/shops", ""},
		{"Disallow: /shop$", "/shop$", ""}, // the "$" of the URL is a character
		{"Disallow: /", "/robots.txt", ""},
		{"Allow: /Admin/", "/admin/", ""}, // it is allowed anyway
		{"Disallow: /x", "/y", ""},
		{"Disallow: /admin/", "/r?to=https://shop.example/Admin/", ""}, // only the query has such a path
	} {
		v := Parse([]byte("User-agent: *\n" + c.rule + "\n")).Group("Googlebot").Explain(c.url)
		got := v.Note(NearMiss)
		if c.want != "" {
			c.want = "line 2, " + c.rule + ", does not match: " + c.want
		}
		if got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.rule, c.url, got, c.want)
		}
	}
	group := Parse([]byte("User-agent: *\nDisallow: /x\nAllow: /b\nDisallow: /B/\nDisallow: /A/\n")).Group("FooBot")
	for url, line := range map[string]string{"/a/": "line 5,", "/X": "line 2,"} {
		if got := group.Explain(url).Note(NearMiss); !strings.HasPrefix(got, line) {
			t.Errorf("%s: got %q, want %s", url, got, line)
		}
	}
	if got := group.Decide("/a/").Note(NearMiss); got != "" {
		t.Errorf("Decide says %q; only Explain should", got)
	}
}

func TestSearchResults(t *testing.T) {
	file := Parse([]byte("User-agent: *\nDisallow: /x\n"))
	for _, c := range []struct {
		agent, url string
		want       bool
	}{{"Googlebot", "/x", true}, {"Googlebot", "/y", false}, {"GPTBot", "/x", false}, {"*", "/x", false}} {
		v := file.Group(c.agent).Explain(c.url)
		if got := v.Note(SearchResults) != ""; got != c.want || strings.Contains(v.Why(), "search results") || strings.Contains(v.String(), "in search results") != c.want {
			t.Errorf("%s %s: %q, %q", c.agent, c.url, v.Why(), v)
		}
	}
}

// TestOutcomes tests the verdicts if there is no file, and if it is something else.
func TestOutcomes(t *testing.T) {
	const html = "the server answers with an HTML page, which crawlers read as a robots.txt without rules"
	for about, c := range map[string]struct {
		file               File
		outcome, why, note string
	}{
		"a file":     {Parse([]byte("User-agent: *\nAllow: /\n")), "allowed", "line 2: Allow: / (group *)", ""},
		"no file":    {File{File: robotstxt.Unavailable(), Why: "404"}, "allowed", "404", ""},
		"no answer":  {File{File: robotstxt.Unreachable(), Why: "503"}, "disallowed", "503", ""},
		"refused":    {File{File: robotstxt.Unavailable(), Why: "403", IsUnknown: true}, Unknown, "403", ""},
		"in Git":     {File{File: robotstxt.Unavailable()}, "allowed", "file unavailable", ""},
		"no group":   {Parse(nil), "allowed", "no group for this agent", ""},
		"other text": {File{File: robotstxt.Parse(nil), Format: "an HTML page", Fetched: true}, "allowed", html, html},
		"odd bytes":  {Parse([]byte("User-agent: a\xff\nDisallow: /\x1bx\n")), "disallowed", `line 2: "Disallow: /\x1bx" ("group a\xff")`, ""},
	} {
		agent := "FooBot"
		if about == "odd bytes" {
			agent = "a\xff"
		}
		v := c.file.Decide(agent, "/%1Bx")
		if v.Outcome() != c.outcome || v.Why() != c.why || v.Note(NotRobotsTxt) != c.note {
			t.Errorf("%s: %s, %s, %q", about, v.Outcome(), v.Why(), v.Notes)
		}
	}
	if v := (File{File: robotstxt.Unavailable(), IsUnknown: true}).Decide("a", "/robots.txt"); v.Outcome() != "allowed" || v.Why() != "robots.txt itself is always allowed" {
		t.Errorf("robots.txt: %s, %s", v.Outcome(), v.Why())
	}
}

func TestString(t *testing.T) {
	v := Parse([]byte("User-agent: *\nDisalow: /x\n")).Decide("FooBot", "/x")
	if want := `Disallowed: line 2, for crawlers without a group of their own, says "Disallow: /x". Line 2 is written "Disalow": most crawlers ignore the line.`; v.String() != want {
		t.Errorf("got  %s\nwant %s", v, want)
	}
}
