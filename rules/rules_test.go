package rules_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

// diff returns the differences as text.
func diff(old, new *robotstxt.File, agents ...string) string {
	var b strings.Builder
	for _, c := range rules.Diff(old, new, rules.Options{Agents: agents}) {
		b.WriteString(c.String())
	}
	return b.String()
}

// TestNames tests the differences for crawlers that obey the groups of other tokens. That Applebot obeys
// the group of Googlebot is documented by Apple; see package crawlers.
func TestNames(t *testing.T) {
	const (
		google   = "User-agent: Googlebot\nDisallow: /\n"
		apple    = "User-agent: Applebot\nAllow: /\n"
		closed   = "  now disallowed  /  by line 2: Disallow: /  (was allowed by line 4: Allow: /)\n"
		byNobody = "  now allowed  /  by no rule  (was disallowed by line 2: Disallow: /)\n"
	)
	names := func(agent string) []string {
		follows := map[string][]string{"applebot": {"Googlebot"}, "otherbot": {"One", "Two"}, "adsbot-google": {"Googlebot"}}
		return append([]string{agent}, follows[strings.ToLower(robotstxt.ProductToken(agent))]...)
	}
	for _, test := range []struct {
		name, old, new string
		agents         []string
		want           string
	}{
		{"the crawler loses its own group, and obeys the other", google + apple, google, nil, "Applebot\n" + closed},
		{"the crawler loses its own group, and obeys nobody's", apple, "", nil, ""},
		{"the other group goes, which both obey", google, "", nil, "Googlebot\n" + byNobody},
		{"the same for the follower", google, "", []string{"Applebot/1.0"}, "Applebot/1.0\n" + byNobody},
		{"the crawler gets a group with the same rule", google, google + "User-agent: Applebot\nDisallow: /\n", nil, ""},
		{"the crawler gets a group of its own", google, google + apple, nil, "Applebot\n" + "  now allowed  /  by line 4: Allow: /  (was disallowed by line 2: Disallow: /)\n"},
		{"its own group comes first, whatever the order", apple + google, google + apple, nil, ""},
		{
			"a crawler that neither file names, and that follows different groups of them",
			"User-agent: One\nDisallow: /a\n\nUser-agent: Two\nDisallow:\n",
			"User-agent: Two\nDisallow:\n\nUser-agent: *\nDisallow: /a\n", []string{"otherbot"},
			"otherbot\n  now allowed  /a  by no rule  (was disallowed by line 2: Disallow: /a)\n",
		},
		{"a crawler that ignores * does not get it from the other", "", "User-agent: *\nDisallow: /\n", []string{"AdsBot-Google"}, ""},
	} {
		old, new := robotstxt.Parse([]byte(test.old)), robotstxt.Parse([]byte(test.new))
		var b strings.Builder
		for _, c := range rules.Diff(old, new, rules.Options{Agents: test.agents, Names: names}) {
			b.WriteString(c.String())
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestDiff tests the differences between two files, as text. Each row names the part of the
// protocol that it is about.
func TestDiff(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{
			"the longest pattern wins: a shorter rule changes only what it decides",
			"User-agent: *\nDisallow: /a/\nAllow: /a/b/",
			"User-agent: *\nAllow: /a/b/",
			"Crawlers that no group names\n" +
				"  now allowed  /a/  by no rule  (was disallowed by line 2: Disallow: /a/)\n",
		},
		{
			"allow wins at a tie",
			"User-agent: *\nDisallow: /*b\nAllow: /a*",
			"User-agent: *\nDisallow: /*b\nAllow: /a",
			"Crawlers that no group names\n" +
				"  now disallowed  /ab  by line 2: Disallow: /*b  (was allowed by line 3: Allow: /a*)\n",
		},
		{
			"order, comments, spelling, duplicates and dead rules do not count",
			"User-agent: *\nDisallow: /~a\nAllow: /c",
			"user agent: * # all\nallow: c\n\ndisallow: /%7ea\nAllow: /c\nDisallow: /c\nAllow: /~\n",
			"",
		},
		{
			"a wildcard at the end makes a rule longer, but changes no verdict here",
			"User-agent: *\nDisallow: /a",
			"User-agent: *\nDisallow: /a*",
			"",
		},
		{
			"a percent sign that starts no escape, and a colon, in the query of a rule",
			"User-agent: *\nDisallow: /?%Gx:",
			"User-agent: *\nDisallow: /?%Gx:\nAllow: /*yyyyyyyyyy",
			"Crawlers that no group names\n" +
				"  now allowed  /?%Gx:yyyyyyyyyy  by line 3: Allow: /*yyyyyyyyyy  (was disallowed by line 2: Disallow: /?%Gx:)\n",
		},
		{
			"an escaped slash is another character",
			"User-agent: *\nDisallow: /a%2fb",
			"User-agent: *\nDisallow: /a/b",
			"Crawlers that no group names\n" +
				"  now allowed     /a%2Fb  by no rule                 (was disallowed by line 2: Disallow: /a%2fb)\n" +
				"  now disallowed  /a/b    by line 2: Disallow: /a/b  (was allowed by no rule)\n",
		},
		{
			"a name that stands alone is not for longer names",
			"User-agent: Google Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b",
			"User-agent: Google\nDisallow: /a\n\nUser-agent: *\nDisallow: /b",
			"Google-\n" +
				"  now allowed     /b  by no rule               (was disallowed by line 5: Disallow: /b)\n" +
				"  now disallowed  /a  by line 2: Disallow: /a  (was allowed by no rule)\n",
		},
		{
			"only longer names obey another group than before",
			"User-agent: Google Bot\nDisallow: /a\n\nUser-agent: Google\nDisallow: /b",
			"User-agent: Google\nDisallow: /a\nDisallow: /b",
			"Google-\n" +
				"  now disallowed  /a  by line 2: Disallow: /a  (was allowed by no rule)\n",
		},
		{
			"longer names do not take the place of the crawlers that no group names",
			"",
			"User-agent: Google Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b",
			"Google\n" +
				"  now disallowed  /a  by line 2: Disallow: /a  (was allowed by no rule)\n" +
				"Crawlers that no group names\n" +
				"  now disallowed  /b  by line 5: Disallow: /b  (was allowed by no rule)\n",
		},
		{
			"a name that stands alone on one of its lines",
			"User-agent: Google Bot\nDisallow: /a\n\nUser-agent: Google\nDisallow: /c",
			"User-agent: Google\nDisallow: /c",
			"Google\n" +
				"  now allowed  /a  by no rule  (was disallowed by line 2: Disallow: /a)\n",
		},
		{
			"an index page allows its directory",
			"User-agent: *\nDisallow: /a/\nAllow: /a/index.html",
			"User-agent: *\nDisallow: /a/",
			"Crawlers that no group names\n" +
				"  now disallowed  /a/index.html  by line 2: Disallow: /a/  (was allowed by line 3: Allow: /a/index.html)\n",
		},
		{
			"/robots.txt is always allowed",
			"User-agent: *\nDisallow: /robots.txt$",
			"",
			"",
		},
		{
			"a crawler that loses its group obeys the group for *",
			"User-agent: FooBot\nAllow: /\nUser-agent: *\nDisallow: /a",
			"User-agent: *\nDisallow: /a",
			"FooBot\n" +
				"  now disallowed  /a  by line 2: Disallow: /a  (was allowed by line 2: Allow: /)\n",
		},
		{
			"a crawler with a suffix falls back to the token without it",
			"User-agent: FooBot-Image\nDisallow: /a\nUser-agent: FooBot\nDisallow: /b",
			"User-agent: FooBot\nDisallow: /b",
			"FooBot-Image\n" +
				"  now allowed     /a  by no rule               (was disallowed by line 2: Disallow: /a)\n" +
				"  now disallowed  /b  by line 2: Disallow: /b  (was allowed by no rule)\n",
		},
		{
			"AdsBot-Google does not obey the group for *",
			"User-agent: AdsBot-Google\nUser-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /a",
			"User-agent: *\nDisallow: /a",
			"AdsBot-Google\n" +
				"  now allowed  /a  by no rule  (was disallowed by line 3: Disallow: /a)\n",
		},
		{
			"AdsBot-Google falls back to AdsBot, but not to the group for *",
			"User-agent: AdsBot\nDisallow: /a\nUser-agent: *\nDisallow: /a",
			"User-agent: *\nDisallow: /a",
			"AdsBot-Google\n" +
				"  now allowed  /a  by no rule  (was disallowed by line 2: Disallow: /a)\n",
		},
		{
			"the case of tokens does not count",
			"User-agent: FooBot\nDisallow: /a\nUser-agent: FOOBOT\nDisallow: /b",
			"User-agent: Foobot\nDisallow: /a",
			"FooBot\n" +
				"  now allowed  /b  by no rule  (was disallowed by line 4: Disallow: /b)\n",
		},
		{
			"crawlers with the same change are listed together",
			"User-agent: a\nUser-agent: b\nUser-agent: *\nDisallow: /a\nUser-agent: c\nDisallow: /a",
			"User-agent: c\nDisallow: /a",
			"a, b, and crawlers that no group names\n" +
				"  now allowed  /a  by no rule  (was disallowed by line 4: Disallow: /a)\n",
		},
		{
			"crawlers with the same change are listed together, even if their groups differ",
			"User-agent: a\nUser-agent: b\nUser-agent: *\nDisallow: /a\nUser-agent: b\nAllow: /b\nUser-agent: *\nAllow: /c",
			"User-agent: c\nDisallow: /a",
			"a, b, and crawlers that no group names\n" +
				"  now allowed  /a  by no rule  (was disallowed by line 4: Disallow: /a)\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			old, new := robotstxt.Parse([]byte(test.old)), robotstxt.Parse([]byte(test.new))
			if d := cmp.Diff(test.want, diff(old, new)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// TestDiffAccess compares files that could not be read (RFC 9309, section 2.3.1).
func TestDiffAccess(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: *\nDisallow: /a"))
	for _, test := range []struct {
		name     string
		old, new *robotstxt.File
		want     string
	}{
		{"the zero File is like an empty file", new(robotstxt.File), robotstxt.Parse(nil), ""},
		{"an unavailable file is like an empty one", robotstxt.Unavailable(), robotstxt.Parse(nil), ""},
		{"a new file where there was none", robotstxt.Unavailable(), file,
			"Crawlers that no group names\n" +
				"  now disallowed  /a  by line 2: Disallow: /a  (was allowed by a missing robots.txt)\n"},
		{"an unreachable file disallows everything", file, robotstxt.Unreachable(),
			"Crawlers that no group names\n" +
				"  now disallowed  /  by a robots.txt that could not be read  (was allowed by no rule)\n" +
				"AdsBot-Google, APIs-Google, Mediapartners-Google\n" +
				"  now disallowed  /  by a robots.txt that could not be read  (was allowed by no rule)\n"},
		{"both files are unreachable", robotstxt.Unreachable(), robotstxt.Unreachable(), ""},
	} {
		if d := cmp.Diff(test.want, diff(test.old, test.new)); d != "" {
			t.Errorf("%s: -want +got\n%s", test.name, d)
		}
	}
}

// TestAgents compares files for some crawlers only.
func TestAgents(t *testing.T) {
	old := robotstxt.Parse([]byte("User-agent: a\nDisallow: /a\nUser-agent: *\nDisallow: /b"))
	new := robotstxt.Parse(nil)
	a := "  now allowed  /a  by no rule  (was disallowed by line 2: Disallow: /a)\n"
	b := "  now allowed  /b  by no rule  (was disallowed by line 4: Disallow: /b)\n"
	for _, test := range []struct {
		agents []string
		want   string
	}{
		{[]string{"A-Image/2.0"}, "A-Image/2.0\n" + a},
		{[]string{"b", "", "a"}, "b, and crawlers that no group names\n" + b + "a\n" + a},
		{[]string{"AdsBot-Google"}, ""},
	} {
		if d := cmp.Diff(test.want, diff(old, new, test.agents...)); d != "" {
			t.Errorf("%q: -want +got\n%s", test.agents, d)
		}
	}
}

// TestURLs tests the URLs of differences.
func TestURLs(t *testing.T) {
	old := robotstxt.Parse([]byte("User-agent: *\nDisallow: /*.pdf$\nDisallow: /b/\nDisallow: /c$\nDisallow: /%e"))
	new := robotstxt.Parse(nil)
	var got []string
	for _, c := range rules.Diff(old, new, rules.Options{}) {
		for _, d := range c.Differences {
			checkDifference(t, old, new, "", d)
			got = append(got, d.URL)
		}
	}
	if d := cmp.Diff([]string{"/x.pdf", "/b/", "/c", "/%e"}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestDiffAgents tests that all given crawlers with the same change are listed.
func TestDiffAgents(t *testing.T) {
	old := robotstxt.Parse([]byte("User-agent: FooBot\nAllow: /\nUser-agent: *\nDisallow: /a"))
	want := "BarBot, BazBot, and crawlers that no group names\n" +
		"  now allowed  /a  by no rule  (was disallowed by line 4: Disallow: /a)\n"
	if d := cmp.Diff(want, diff(old, robotstxt.Parse(nil), "BarBot", "FooBot", "BazBot", "*")); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// checkCrawlers asks both files about each URL of a change, for each of its crawlers.
func checkCrawlers(t *testing.T, old, new *robotstxt.File, c rules.Change) {
	t.Helper()
	agents := c.Agents
	if c.Others {
		agents = append([]string{"*"}, agents...)
	}
	for _, agent := range agents {
		for _, d := range c.Differences {
			checkDifference(t, old, new, agent, d)
		}
	}
}

// TestTogether tests that crawlers are listed together only if every URL shown has these
// decisions for each of them. The same two rules can decide different URLs in different
// groups.
func TestTogether(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{
			"in one group, another rule decides the URL that is shown for the other group",
			"User-agent: *\nDisallow: /\n",
			"User-agent: *\nDisallow: /$\nDisallow: /private/\n\nUser-agent: Bingbot\nDisallow: /private/\n",
			"Bingbot\n" +
				"  now allowed  /  by no rule  (was disallowed by line 2: Disallow: /)\n" +
				"Crawlers that no group names\n" +
				"  now allowed  /x  by no rule  (was disallowed by line 2: Disallow: /)\n",
		},
		{
			"the group that allows more needs a longer URL",
			"",
			"User-agent: *\nAllow: /shop$\n\nUser-agent: Bingbot\nUser-agent: *\nDisallow: /shop\n",
			"Bingbot\n" +
				"  now disallowed  /shop  by line 6: Disallow: /shop  (was allowed by no rule)\n" +
				"Crawlers that no group names\n" +
				"  now disallowed  /shopx  by line 6: Disallow: /shop  (was allowed by no rule)\n",
		},
		{
			"the groups differ, but not about the URL",
			"User-agent: *\nDisallow: /x\n",
			"User-agent: *\nAllow: /y\n\nUser-agent: Bingbot\nUser-agent: *\nDisallow: /shop\n",
			"Bingbot, and crawlers that no group names\n" +
				"  now allowed     /x     by no rule                  (was disallowed by line 2: Disallow: /x)\n" +
				"  now disallowed  /shop  by line 6: Disallow: /shop  (was allowed by no rule)\n",
		},
	} {
		old, new := robotstxt.Parse([]byte(test.old)), robotstxt.Parse([]byte(test.new))
		if d := cmp.Diff(test.want, diff(old, new)); d != "" {
			t.Errorf("%s: -want +got\n%s", test.name, d)
		}
	}
}

// TestRandomGroups compares random pairs of files with several groups.
func TestRandomGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	together := 0
	for range 3000 {
		old, new := randomGroups(r), randomGroups(r)
		for _, c := range rules.Diff(old, new, rules.Options{}) {
			checkCrawlers(t, old, new, c)
			if len(c.Agents) > 1 || c.Others && len(c.Agents) > 0 {
				together++
			}
		}
	}
	if together < 500 {
		t.Errorf("crawlers are listed together only %d times", together)
	}
}

// randomGroups returns a file of up to five groups of short rules.
func randomGroups(r *rand.Rand) *robotstxt.File {
	var b strings.Builder
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range r.IntN(6) {
		for range 1 + r.IntN(2) {
			b.WriteString("User-agent: " + pick("*", "a", "b", "c") + "\n")
		}
		for range r.IntN(4) {
			b.WriteString(pick("Allow", "Disallow") + ": /" + pick("", "$", "*$", "a", "b", "a$", "a*b", "ab") + "\n")
		}
	}
	return robotstxt.Parse([]byte(b.String()))
}

// TestDead tests the sentences about the dead rules of a group.
func TestDead(t *testing.T) {
	for _, test := range []struct {
		name, rules string
		want        []string
	}{
		{"no rules", "", nil},
		{"a shorter rule decides some URLs", "Disallow: /\nAllow: /a\n", nil},
		{"the same rule twice: the first decides", "Disallow: /a\nDisallow: /%61\n", []string{
			"line 3: The rule does nothing: line 2, \"Disallow: /a\", already covers it."}},
		{"allow wins at a tie", "Disallow: /a\nAllow: /a\n", []string{
			"line 2: The rule does nothing: line 3, \"Allow: /a\", overrides it for every URL."}},
		{"a wildcard at the end counts", "Allow: /a\nDisallow: /a*\n", []string{
			"line 2: The rule does nothing: line 3, \"Disallow: /a*\", overrides it for every URL."}},
		{"two rules cover a third", "Disallow: */a\nAllow: /a***\nAllow: /*/a*\n", []string{
			"line 2: The rule does nothing: lines 3 and 4 override it for every URL."}},
		{"/robots.txt is always allowed", "Disallow: /robots.txt$\nDisallow: /robots.txt\n", []string{
			"line 2: The rule does nothing: it matches only /robots.txt, which is always allowed."}},
		{"a page that is disallowed may still allow its directory", "Allow: /index.html\nDisallow: /index.html*\n", nil},
		{"a page and its directory are disallowed", "Allow: /index.html\nDisallow: /index.html*\nDisallow: /*$\n", []string{
			"line 2: The rule does nothing: lines 3 and 4 override it for every URL."}},
		{"what looks like an escape after decoding is not decoded again", "Disallow: /%%341\nDisallow: /%%33a\n", nil},
		{"a page and its directory are disallowed in a folder", "Allow: /a/index.html\nDisallow: /a/index.html*\nDisallow: /a*/$\n", []string{
			"line 2: The rule does nothing: lines 3 and 4 override it for every URL."}},
		{"no target contains %24, but these rules match other targets", "Disallow: /%2*4$\nDisallow: /?%2*4$\n", nil},
		{"a rule that covers another may itself be dead", "Disallow: /a\nDisallow: /a*\nAllow: /a**\n", []string{
			"line 2: The rule does nothing: line 4, \"Allow: /a**\", overrides it for every URL.",
			"line 3: The rule does nothing: line 4, \"Allow: /a**\", overrides it for every URL."}},
		{"a rule with the same pattern as another may itself be dead", "Disallow: /ab\nAllow: /ab\nDisallow: /a***\n", []string{
			"line 2: The rule does nothing: line 4, \"Disallow: /a***\", already covers it.",
			"line 3: The rule does nothing: line 4, \"Disallow: /a***\", overrides it for every URL."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dead, undecided := rules.DeadRules(robotstxt.Parse([]byte("User-agent: *\n" + test.rules)).Group())
			var got []string
			for _, d := range dead {
				got = append(got, "line "+string(rune('0'+d.Rule.Line))+": "+d.String())
			}
			if d := cmp.Diff(test.want, got); d != "" || len(undecided) > 0 {
				t.Errorf("undecided %v, -want +got\n%s", undecided, d)
			}
		})
	}
}

// TestCoverage tests how much the crawlers of a group may fetch, and the URLs that show it.
func TestCoverage(t *testing.T) {
	for _, test := range []struct {
		file *robotstxt.File
		want string
		rules.Coverage
	}{
		{robotstxt.Parse(nil), "all", rules.Coverage{AllowedURL: "/"}},
		{robotstxt.Unavailable(), "all", rules.Coverage{AllowedURL: "/"}},
		{robotstxt.Unreachable(), "none", rules.Coverage{DisallowedURL: "/"}},
		{parse("Disallow: /"), "none", rules.Coverage{DisallowedURL: "/"}},
		{parse("Disallow: /\nAllow: /robots.txt"), "some", rules.Coverage{AllowedURL: "/robots.txtx", DisallowedURL: "/"}},
		{parse("Disallow: /\nAllow: /robots.txt$"), "none", rules.Coverage{DisallowedURL: "/"}},
		{parse("Disallow: /robots.txt$"), "all", rules.Coverage{AllowedURL: "/"}},
		{parse("Disallow: /a\nDisallow: /*.pdf$"), "some", rules.Coverage{AllowedURL: "/", DisallowedURL: "/x.pdf"}},
		{parse("Disallow: /a\nAllow: /*"), "all", rules.Coverage{AllowedURL: "/"}},
		{parse("Disallow: /$\nDisallow: /?"), "some", rules.Coverage{AllowedURL: "/x", DisallowedURL: "/?"}},
	} {
		a := rules.CoverageOf(test.file.Group())
		if a.String() != test.want || a != test.Coverage {
			t.Errorf("rules %v: coverage %v %+v, want %s %+v", test.file.Group().Rules(), a, a, test.want, test.Coverage)
		}
	}
}

func parse(rules string) *robotstxt.File {
	return robotstxt.Parse([]byte("User-agent: *\n" + rules))
}

// TestUndecided compares rules that exceed the budget of a search: 80,000 letters, and the
// same letters with a wildcard after each.
func TestUndecided(t *testing.T) {
	const n = 80_000
	letters := "Disallow: /" + strings.Repeat("a", n) + "\n"
	wildcards := "Allow: /" + strings.Repeat("a*", n-1) + "a\n"
	file := parse(letters + wildcards)
	want := file.Group().Rules()[:1]
	dead, undecided := rules.DeadRules(file.Group())
	if len(dead) > 0 || !cmp.Equal(undecided, want) {
		t.Errorf("DeadRules returned %d dead rules and %d undecided, want 0 and 1", len(dead), len(undecided))
	}
	if a := rules.CoverageOf(file.Group()); a.String() != "undecided" || a.AllowedURL == "" {
		t.Errorf("coverage is %+v, want undecided with an AllowedURL", a)
	}
	opposite := strings.NewReplacer("Disallow", "Allow", "Allow", "Disallow").Replace(letters + wildcards)
	if c := rules.CoverageOf(parse("Disallow: /\n" + opposite).Group()); c.String() != "undecided" || c.AllowedURL != "" || c.DisallowedURL == "" {
		t.Errorf("coverage of the opposite rules is %+v, want undecided with only a DisallowedURL", c)
	}
	changes := rules.Diff(parse(wildcards), file, rules.Options{})
	if len(changes) != 1 || !cmp.Equal(changes[0].UndecidedNew, want) || len(changes[0].UndecidedOld)+len(changes[0].Differences) > 0 {
		t.Errorf("the rule was added: got changes %.300s, want only an undecided rule of the new file", fmt.Sprint(changes))
	}
	changes = rules.Diff(file, parse(wildcards), rules.Options{})
	if len(changes) != 1 || !cmp.Equal(changes[0].UndecidedOld, want) || !strings.Contains(changes[0].String(), "  undecided, because too complex to compare: old file, line 2: Disallow: /aaa") {
		t.Errorf("the rule was removed: got changes %.300s, want only an undecided rule of the old file", fmt.Sprint(changes))
	}
}

// TestDeadText tests that sentences stay short if lists and rules are long: one long rule
// can make thousands of rules dead.
func TestDeadText(t *testing.T) {
	short := robotstxt.Rule{Line: 2, Pattern: "/" + strings.Repeat("ä", 99)}
	long := robotstxt.Rule{Line: 2, Pattern: "/" + strings.Repeat("ä", 100)}
	many := make([]robotstxt.Rule, 12)
	for i := range many {
		many[i].Line = i + 3
	}
	for _, test := range []struct {
		instead []robotstxt.Rule
		want    string
	}{
		{[]robotstxt.Rule{short}, `line 2, "Disallow: ` + short.Pattern + `", already covers it.`},
		{[]robotstxt.Rule{long}, `line 2, "Disallow: ` + short.Pattern + `…", already covers it.`},
		{many[:10], "lines 3, 4, 5, 6, 7, 8, 9, 10, 11 and 12 already cover it."},
		{many, "lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more already cover it."},
	} {
		got := rules.DeadRule{Instead: test.instead}.String()
		if want := "The rule does nothing: " + test.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestChangeText tests the text of a change with a long rule.
func TestChangeText(t *testing.T) {
	stars := strings.Repeat("*", 200)
	var text strings.Builder
	for _, c := range rules.Diff(parse("Disallow: /a"), parse("Disallow: /*?"+stars), rules.Options{}) {
		text.WriteString(c.String())
	}
	rule := "by line 2: Disallow: /*?" + stars[:97] + "…"
	want := "Crawlers that no group names\n" +
		"  now allowed     /a   by no rule" + strings.Repeat(" ", utf8.RuneCountInString(rule)-len("by no rule")) + "  (was disallowed by line 2: Disallow: /a)\n" +
		"  now disallowed  /x?  " + rule + "  (was allowed by no rule)\n"
	if d := cmp.Diff(want, text.String()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestManySharedRules tests that a file in which all groups share their rules takes memory that does
// not grow with the number of groups times the number of rules, and that the result says so.
func TestManySharedRules(t *testing.T) {
	var allocated [2]uint64
	for i := range allocated {
		n := 2000 << i
		var text strings.Builder
		for name := range n {
			fmt.Fprintf(&text, "User-agent: a%d\nHost: a\n", name)
		}
		text.WriteString(strings.Repeat("Disallow: /a\n", n))
		file := robotstxt.Parse([]byte(text.String()))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		changes := rules.Diff(robotstxt.Unavailable(), file, rules.Options{})
		runtime.ReadMemStats(&after)
		allocated[i] = after.TotalAlloc - before.TotalAlloc
		if len(changes) != 1 || !changes[0].Incomplete || len(changes[0].Agents) < n {
			t.Errorf("%d groups: %.200v, want one incomplete change with all crawlers", n, changes)
		}
	}
	if allocated[1] > 3*allocated[0] {
		t.Errorf("%d bytes allocated, then %d", allocated[0], allocated[1])
	}
}

// TestManyTokens tests that Diff does not compare a file with very many tokens, and says so. For each
// token, it would go through all of them.
func TestManyTokens(t *testing.T) {
	for n, isIncomplete := range map[int]bool{2000: false, 2001: true} {
		var text strings.Builder
		for name := range n {
			fmt.Fprintf(&text, "User-agent: a%d\n", name)
		}
		file := robotstxt.Parse([]byte(text.String() + "Disallow: /a\n"))
		changes := rules.Diff(robotstxt.Unavailable(), file, rules.Options{})
		if len(changes) != 1 || changes[0].Incomplete != isIncomplete || len(changes[0].Agents) < n {
			t.Errorf("%d tokens: %.200v, want one change with all crawlers, incomplete: %v", n, changes, isIncomplete)
		}
	}
}

// TestIncomplete compares files with more differences than the budget allows.
func TestIncomplete(t *testing.T) {
	old, new := parse(numbered("Allow: /#$\n", 500_000)), parse(numbered("Disallow: /#\n", 250_000))
	changes := rules.Diff(old, new, rules.Options{Agents: []string{"*"}})
	if len(changes) != 1 || !changes[0].Incomplete || len(changes[0].Differences) == 0 ||
		!strings.HasSuffix(changes[0].String(), "\n  incomplete: comparing all rules would take too long, so there may be more differences\n") {
		t.Errorf("got %d changes, want an incomplete one with differences", len(changes))
	}
	foo := parse(numbered("Allow: /#$\n", 490_000) + "User-agent: FooBot\nDisallow: /\n")
	changes = rules.Diff(foo, new, rules.Options{Agents: []string{"*", "FooBot"}})
	if len(changes) != 2 || !changes[1].Incomplete || !cmp.Equal(changes[1].Agents, []string{"FooBot"}) {
		t.Errorf("got %d changes for two crawlers, want 2, the second incomplete", len(changes))
	}
}

// TestUndecidedDirectory tests an allow rule for an index page. If it decides the page, it
// is not dead, although the search for its directory exceeds the budget.
func TestUndecidedDirectory(t *testing.T) {
	const n = 80_000
	file := parse("Allow: /" + strings.Repeat("a", n) + "/index.html\nDisallow: /" + strings.Repeat("a*", n) + "/$\n")
	if dead, undecided := rules.DeadRules(file.Group()); len(dead)+len(undecided) > 0 {
		t.Errorf("got %d dead rules and %d undecided, want none", len(dead), len(undecided))
	}
	file = parse("Allow: /" + strings.Repeat("a", n) + "/index.html$\nDisallow: /" + strings.Repeat("a*", n) + "/*$\n")
	if dead, undecided := rules.DeadRules(file.Group()); len(dead) > 0 || len(undecided) != 1 {
		t.Errorf("got %d dead rules and %d undecided, want 0 and 1", len(dead), len(undecided))
	}
}

// TestUndecidedGroups tests that two crawlers with the same differences, but different
// undecided rules, are not listed together.
func TestUndecidedGroups(t *testing.T) {
	const n = 30_000
	wildcards := "Disallow: /b\nAllow: /" + strings.Repeat("a*", n-1) + "a\n"
	hard := wildcards + "Disallow: /" + strings.Repeat("a", n) + "\n"
	old := robotstxt.Parse([]byte("User-agent: a\n" + wildcards + "User-agent: b\n" + hard))
	new := robotstxt.Parse([]byte("User-agent: a\n" + hard + "User-agent: b\n" + hard + "Disallow: /" + strings.Repeat("a", n+1) + "\n"))
	changes := rules.Diff(old, new, rules.Options{})
	if len(changes) != 2 || !cmp.Equal(changes[0].UndecidedNew, new.Group("a").Rules()[2:]) || !cmp.Equal(changes[1].UndecidedNew, new.Group("b").Rules()[3:]) {
		t.Errorf("got %d changes, want 2 with different undecided rules", len(changes))
	}
}

// TestUndecidedUnreachable compares an unreachable old file, which disallows everything
// without a rule, with a new file that has an undecided rule.
func TestUndecidedUnreachable(t *testing.T) {
	const n = 80_000
	file := parse("Allow: /" + strings.Repeat("a", n) + "\nDisallow: /" + strings.Repeat("a*", n-1) + "a\n")
	want := file.Group().Rules()[:1]
	changes := rules.Diff(robotstxt.Unreachable(), file, rules.Options{Agents: []string{"*"}})
	if len(changes) != 1 || !cmp.Equal(changes[0].UndecidedNew, want) || len(changes[0].UndecidedOld) > 0 {
		t.Errorf("got %d changes, want one with an undecided rule of the new file", len(changes))
	}
}

// TestPrintable tests that control characters of a pattern are escaped.
func TestPrintable(t *testing.T) {
	old, new := parse("Disallow: /a\x1b[2J"), parse("")
	want := "Crawlers that no group names\n" +
		"  now allowed  /a%1B%5B2J  by no rule  (was disallowed by line 2: \"Disallow: /a\\x1b[2J\")\n"
	if d := cmp.Diff(want, diff(old, new)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestTokenFor compares the token that Diff finds for an agent with the one that the file finds.
func TestTokenFor(t *testing.T) {
	const groups = "User-agent: FooBot\nUser-agent: FooBot-Image\nUser-agent: -a\nUser-agent: AdsBot-Google-Mobile\nDisallow: /\n"
	for _, text := range []string{"", groups, groups + "User-agent: *\nDisallow: /\n"} {
		f := robotstxt.Parse([]byte(text))
		for _, agent := range []string{
			"", "*", "foobot", "FooBot/1.0", "FooBot-Image", "FooBot-Image-2", "FooBot-News", "FooBots", "Foo", "-a", "-a-b", "-b", "a-",
			"AdsBot-Google", "AdsBot-Google-Mobile", "AdsBot-Google-X", "BarBot", "FooBot" + strings.Repeat("-a", 30), "BarBot" + strings.Repeat("-a", 30),
		} {
			if got, want := rules.TokenFor(f, agent), strings.ToLower(f.Group(agent).Decide("/").Token); got != want {
				t.Errorf("robots.txt %q: the token for %q is %q, want %q", text, agent, got, want)
			}
		}
	}
}
