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
		if c.Inherited && c.Successors == nil || c.MaxCrawlDelay != 0 && c.CrawlDelay != Yes {
			t.Errorf("%s: the entry has Inherited without Successors, or MaxCrawlDelay without CrawlDelay", c.Token)
		}
		for _, s := range c.Successors {
			if next, ok := Find(s); !ok || next.Status == Retired {
				t.Errorf("%s: the successor %s is not a crawler in use", c.Token, s)
			}
		}
	}
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// TestIgnoresStar compares the table with the decisions of package robotstxt.
func TestIgnoresStar(t *testing.T) {
	closed := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n"))
	for _, c := range All() {
		if got := closed.Allowed(c.Token, "/"); got != c.IgnoresStar {
			t.Errorf("%s ignores \"*\" according to package robotstxt: %t, to the table: %t", c.Token, got, c.IgnoresStar)
		}
	}
}

func TestFind(t *testing.T) {
	c, ok := Find("gptBOT")
	if !ok || c.Token != "GPTBot" || c.Operator != "OpenAI" {
		t.Errorf("Find(gptBOT) = %+v, %t, want GPTBot of OpenAI", c, ok)
	}
	if c, ok := Find("GPT"); ok || c.Token != "" {
		t.Errorf("Find(GPT) = %+v, want none", c)
	}
	c.Purposes[0] = "changed"
	for _, c := range All() {
		if len(c.Purposes) > 0 {
			c.Purposes[0] = "changed"
		}
		if len(c.Successors) > 0 {
			c.Successors[0] = "changed"
		}
	}
	msnbot, _ := Find("msnbot")
	if again, _ := Find("gptbot"); again.Purposes[0] != Training || msnbot.Successors[0] != "bingbot" {
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
