package crawlers

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// TestTable tests that each entry is complete and valid.
func TestTable(t *testing.T) {
	seen, before := map[string]bool{}, ""
	for _, c := range All() {
		if c.Token == "" || robotstxt.ProductToken(c.Token) != c.Token {
			t.Errorf("%q is not a product token", c.Token)
		}
		if seen[strings.ToLower(c.Token)] {
			t.Errorf("%s is in the table twice", c.Token)
		}
		seen[strings.ToLower(c.Token)] = true
		if operator := strings.ToLower(c.Operator); operator == "" || operator < before {
			t.Errorf("%s: the operator %q is empty or out of order; rows are sorted by operator", c.Token, c.Operator)
		} else {
			before = operator
		}
		if !isURL(c.Source) || c.IPRanges != "" && !isURL(c.IPRanges) {
			t.Errorf("%s: the source %q or the list %q is not an https URL", c.Token, c.Source, c.IPRanges)
		}
		if !c.Checked.Equal(c.Checked.Truncate(24*time.Hour)) || c.Checked.IsZero() || c.Checked.After(time.Now()) {
			t.Errorf("%s: checked on %s, which is not a day in the past; want a day such as day(2026, 11, 28)", c.Token, c.Checked)
		}
		if !slices.Contains([]Claim{Heeds, MayIgnore, NoClaim}, c.Claim) {
			t.Errorf("%s: unknown claim %q; want Heeds, MayIgnore or NoClaim", c.Token, c.Claim)
		}
		if !slices.Contains([]Status{Documented, Undocumented, Retired}, c.Status) {
			t.Errorf("%s: unknown status %q; want Documented, Undocumented or Retired", c.Token, c.Status)
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
		if c.Status != Retired && (c.RetiredOn != "" || c.Successors != nil) {
			t.Errorf("%s is in use, but has a date of retirement or a successor", c.Token)
		}
		if c.MaxCrawlDelay != 0 && c.CrawlDelay != Yes {
			t.Errorf("%s: the entry has MaxCrawlDelay without CrawlDelay", c.Token)
		}
		if c.IgnoresStar && len(c.Follows) > 0 {
			t.Errorf("%s: it ignores \"*\", but File.Group would return the group for \"*\" for a name that it follows", c.Token)
		}
		for _, followed := range c.Follows {
			if other, ok := Lookup(followed); !ok || other.Token != followed || followed == c.Token {
				t.Errorf("%s: it follows %s, which is not the token of another crawler in the table", c.Token, followed)
			}
		}
		for _, s := range c.Successors {
			if next, ok := Lookup(s); !ok || next.Status == Retired {
				t.Errorf("%s: the successor %s is not a crawler in use", c.Token, s)
			}
		}
	}
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// TestIgnoresStar compares the table with the decisions of package robotstxt. A crawler that ignores
// "*" must not get its group through a token that it follows, either.
func TestIgnoresStar(t *testing.T) {
	closed := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n"))
	for _, c := range All() {
		if got := closed.Allowed(c.Token, "/"); got != c.IgnoresStar {
			t.Errorf("%s ignores \"*\" according to package robotstxt: %t, to the table: %t", c.Token, got, c.IgnoresStar)
		}
		if got := closed.Group(Names(c.Token)...).Allowed("/"); got != c.IgnoresStar {
			t.Errorf("%s ignores \"*\" under the names %q: %t, want %t", c.Token, Names(c.Token), got, c.IgnoresStar)
		}
	}
}

// TestNames tests whose groups crawlers obey according to their operators. The pages are the sources
// in the table; that of msnbot is the source for bingbot.
func TestNames(t *testing.T) {
	const yandexBot = "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	for _, test := range []struct {
		agent, groups string // the names of groups that close the site, each a group of its own
		want          string // the token of the group that the crawler obeys
	}{
		{"YandexBot", "Yandex", "Yandex"},
		{"YandexBot", "Yandex *", "Yandex"},
		{"YandexBot", "Yandex YandexBot", "YandexBot"},
		{"YandexBot", "YandexBot Yandex", "YandexBot"},
		{"YandexBot", "*", "*"},
		{"YandexBot", "YandexImages", ""},
		{yandexBot, "yandex", "yandex"},
		{"YandexImages", "Yandex YandexBot", "Yandex"},
		{"Yandex", "YandexBot", ""}, // nobody follows in the other direction
		{"Applebot", "Googlebot", "Googlebot"},
		{"applebot", "Googlebot *", "Googlebot"},
		{"Applebot", "Googlebot Applebot", "Applebot"},
		{"Googlebot", "Applebot", ""},
		{"Kagibot", "Googlebot *", "Googlebot"},
		{"bingbot", "msnbot *", "msnbot"},
		{"bingbot", "msnbot bingbot", "bingbot"},
		{"Applebot", "Googlebot-News", ""},
		{"AdsBot-Google", "*", ""},
		{"AdsBot-Google-Foo", "Googlebot *", ""},
		{"AdsBot-Google-Mobile", "AdsBot-Google *", "AdsBot-Google"}, // by shortening, as RFC 9309 has it
		{"FooBot/1.0", "* Yandex Googlebot", "*"},
		{"", "* Yandex", "*"},
	} {
		var text strings.Builder
		for group := range strings.FieldsSeq(test.groups) {
			text.WriteString("User-agent: " + group + "\nDisallow: /\n")
		}
		names := Names(test.agent)
		d := robotstxt.Parse([]byte(text.String())).Group(names...).Decide("/")
		if d.Token != test.want || d.Allowed != (test.want == "") {
			t.Errorf("%s, names %q, in a file with groups for %s: %s, want the group %q", test.agent, names, test.groups, d, test.want)
		}
	}
}

func TestLookup(t *testing.T) {
	c, ok := Lookup("gptBOT")
	if !ok || c.Token != "GPTBot" || c.Operator != "OpenAI" {
		t.Errorf("Lookup(gptBOT) = %+v, %t, want GPTBot of OpenAI", c, ok)
	}
	if c, ok := Lookup("GPT"); ok || c.Token != "" {
		t.Errorf("Lookup(GPT) = %+v, want none", c)
	}
	c.Purposes[0] = "changed"
	for _, c := range All() {
		if len(c.Purposes) > 0 {
			c.Purposes[0] = "changed"
		}
		if len(c.Successors) > 0 {
			c.Successors[0] = "changed"
		}
		if len(c.Follows) > 0 {
			c.Follows[0] = "changed"
		}
	}
	msnbot, _ := Lookup("msnbot")
	if again, _ := Lookup("gptbot"); again.Purposes[0] != Training || msnbot.Successors[0] != "bingbot" || Names("Applebot")[1] != "Googlebot" {
		t.Error("a change of a result changed the table")
	}
}

func TestSet(t *testing.T) {
	for _, test := range []struct {
		set           string
		with, without []string
	}{
		{"@ai", []string{"GPTBot", "Google-Extended", "YandexAdditional", "Bytespider"}, []string{"Googlebot", "anthropic-ai", "bingbot"}},
		{"@search", []string{"Googlebot", "bingbot", "Applebot", "OAI-SearchBot"}, []string{"GPTBot", "msnbot", "ChatGPT-User"}},
		{"@all", []string{"Googlebot", "GPTBot", "AhrefsBot"}, []string{"msnbot", "anthropic-ai"}},
	} {
		set, ok := Set(test.set)
		if !ok {
			t.Errorf("there is no set %s", test.set)
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
