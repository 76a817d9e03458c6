package choices

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

func TestParse(t *testing.T) {
	c, err := Parse("search=yes, training=no")
	if err != nil || c.String() != "training=no,search=yes" {
		t.Errorf("got %v, error %v", c, err)
	}
	for _, list := range []string{"", "training", "training=maybe", "ads=no", "training=no,", "training=no,training=yes", "training=no,search=no,training=no"} {
		if c, err := Parse(list); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", list, c)
		}
	}
}

// short returns a text with "User-agent: ..." instead of several user-agent lines, because the table of
// crawlers grows.
func short(text string) string {
	return severalAgents.ReplaceAllString(text, "User-agent: ...$1")
}

var severalAgents = regexp.MustCompile(`(?:User-agent: [^\r\n]+(\r\n|\r|\n)){2,}`)

// apply returns the result of choices such as "training=no".
func apply(t *testing.T, robots, list string, preferences bool) Result {
	t.Helper()
	c, err := Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Apply([]byte(robots), c, preferences)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestText pins where the lines are added.
func TestText(t *testing.T) {
	const group = firstLine + "training=no\nUser-agent: ...\nDisallow: /\n" + lastLine + "\n"
	for _, test := range []struct {
		about, robots, list string
		preferences         bool
		want                string
	}{
		{"a file", "User-agent: *\nDisallow: /x\n", "training=no", false, "User-agent: *\nDisallow: /x\n" + group},
		{"an empty file", "", "training=no", false, group},
		{"no line end", "User-agent: *\nDisallow: /x", "training=no", false, "User-agent: *\nDisallow: /x\n" + group},
		{"CRLF, no line end", "User-agent: *\r\nDisallow: /x", "training=no", false, strings.ReplaceAll("User-agent: *\nDisallow: /x\n"+group, "\n", "\r\n")},
		{"CR", "User-agent: *\rDisallow: /x\r", "training=no", false, strings.ReplaceAll("User-agent: *\nDisallow: /x\n"+group, "\n", "\r")},
		{"a group without rules at the end", "User-agent: FooBot\n", "training=no", false, "User-agent: FooBot\n" + strings.Replace(group, "User-agent", "Disallow:\nUser-agent", 1)},
		{"nothing to refuse", "User-agent: *\nDisallow: /x", "training=yes", false, "User-agent: *\nDisallow: /x"},
		{"preferences for the group of all", "User-agent: *\nDisallow: /x\n# shop\nUser-agent: FooBot\nDisallow: /\n", "search=yes,training=yes", true,
			"User-agent: *\nDisallow: /x\n" + firstLine + "training=yes,search=yes\nContent-Usage: train-ai=y, search=y\nContent-Signal: ai-train=yes, search=yes\n" + lastLine + "\n# shop\nUser-agent: FooBot\nDisallow: /\n"},
		{"preferences for a group without rules", "User-agent: *\nSitemap: /s\n", "input=no,training=yes", true,
			"User-agent: *\n" + firstLine + "training=yes,input=no\nContent-Usage: train-ai=y, ai-use=n\nContent-Signal: ai-train=yes, ai-input=no\n" + lastLine + "\nSitemap: /s\n" +
				firstLine + "training=yes,input=no\nDisallow:\nUser-agent: ...\nDisallow: /\n" + lastLine + "\n"},
		{"preferences without a group of all", "Sitemap: /s\n", "training=yes", true, "Sitemap: /s\n" + firstLine + "training=yes\nUser-agent: *\nContent-Usage: train-ai=y\nContent-Signal: ai-train=yes\nDisallow:\n" + lastLine + "\n"},
		{"a purpose without keys", "Sitemap: /s\n", "user=yes", true, "Sitemap: /s\n"},
		{"a crawler that would fall back, but has a group", "User-agent: Diffbot-User\nDisallow: /x\n", "search=no,user=yes", false,
			"User-agent: Diffbot-User\nDisallow: /x\n" + firstLine + "search=no,user=yes\nUser-agent: ...\nDisallow: /\nUser-agent: Applebot-Extended\nDisallow:\n" + lastLine + "\n"},
		{"a crawler that would fall back", "User-agent: *\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n", "search=no,user=yes", false,
			"User-agent: *\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n" + firstLine + "search=no,user=yes\nUser-agent: ...\nDisallow: /\nUser-agent: Applebot-Extended\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n" +
				"User-agent: Diffbot-User\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n" + lastLine + "\n"},
	} {
		r := apply(t, test.robots, test.list, test.preferences)
		if diff := cmp.Diff(test.want, short(string(r.Text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, diff)
		}
		if again := apply(t, string(r.Text), test.list, test.preferences); !bytes.Equal(again.Text, r.Text) {
			t.Errorf("%s: applied again, the text is\n%s", test.about, again.Text)
		}
	}
}

// TestChoicesChange tests that new choices replace the lines of the old ones.
func TestChoicesChange(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /x\n"
	r := apply(t, robots, "training=no,search=no", true)
	if got := apply(t, string(r.Text), "training=yes", false); string(got.Text) != robots {
		t.Errorf("got\n%s\nwant\n%s", got.Text, robots)
	}
	const noEnd = "# robotstxt ai --set training=no\nUser-agent: FooBot\nDisallow: /\n"
	if got := apply(t, noEnd, "training=yes", false); string(got.Text) != noEnd {
		t.Errorf("a block without an end: got\n%s", got.Text)
	}
}

// TestResult tests what is said about a file whose groups contradict the choices.
func TestResult(t *testing.T) {
	r := apply(t, `User-agent: GPTBot
Allow: /press/
Disallow: /x

User-agent: OAI-SearchBot
Disallow: /

User-agent: CCBot
Disallow: /
`, "training=no,search=yes", false)
	want := []string{"GPTBot /press/ line 2"}
	for i, open := range r.StillOpen {
		if i >= len(want) || want[i] != open.Crawler.Token+" "+open.Path+" line 2" || open.Decision.Rule.Line != 2 {
			t.Errorf("still open: %+v", open)
		}
	}
	if len(r.StillOpen) != 1 || len(r.StillClosed) != 1 || r.StillClosed[0].Crawler.Token != "OAI-SearchBot" || r.StillClosed[0].Decision.Rule.Line != 6 {
		t.Errorf("still open: %+v, still closed: %+v", r.StillOpen, r.StillClosed)
	}
	has := func(list []crawlers.Crawler, token string) bool {
		return slices.ContainsFunc(list, func(c crawlers.Crawler) bool { return c.Token == token })
	}
	if !has(r.Closed, "meta-externalagent") || !has(r.Closed, "Google-Extended") || has(r.Closed, "Applebot") || has(r.Closed, "Googlebot") || has(r.Closed, "Bytespider") || !has(r.AlsoUsed, "Applebot") {
		t.Errorf("closed: %v, also used: %v", r.Closed, r.AlsoUsed)
	}
	for _, change := range r.Changes {
		if slices.Contains(change.Agents, "CCBot") || slices.Contains(change.Agents, "OAI-SearchBot") {
			t.Errorf("the verdict changes for a crawler that was closed before: %v", change)
		}
	}
	signals := aipref.For(robotstxt.Parse(apply(t, "", "training=no", true).Text), []string{"FooBot"}, "/")
	if signals.Training.Value != aipref.Disallow {
		t.Errorf("the preference about training is %v", signals.Training)
	}
}

// TestContradictions tests that earlier preferences are noticed if they state the opposite of a choice,
// also in groups for named crawlers.
func TestContradictions(t *testing.T) {
	const robots = "User-agent: *\nAllow: /\nContent-Signal: ai-train=no, search=yes\nContent-Usage: ai-use=n\n"
	want := []Contradiction{
		{Purpose: crawlers.Training, Line: 7, Agents: []string{"*"}},
		{Purpose: crawlers.Input, Line: 8, Agents: []string{"*"}},
	}
	if diff := cmp.Diff(want, apply(t, robots, "training=yes,search=yes,input=yes", true).Contradictions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range []Result{apply(t, robots, "training=no,search=yes,input=no", true), apply(t, robots, "training=yes", false)} {
		if len(r.Contradictions) > 0 {
			t.Errorf("got %v", r.Contradictions)
		}
	}
}

// TestContradictionsInGroups tests that the crawlers of other groups are named.
func TestContradictionsInGroups(t *testing.T) {
	const robots = "Content-Signal: ai-train=yes\nUser-agent: GPTBot\nUser-agent: Googlebot\nContent-Signal: /press/ ai-train=yes\nContent-Usage: search=n\nDisallow: /x\n" +
		"User-agent: FooBot\nAllowAITraining: /\nUser-agent: *\nContent-Usage: train-ai=y\nDisallow: /y\n"
	both := []string{"GPTBot", "Googlebot"}
	want := []Contradiction{
		{crawlers.Training, 4, true, both, "/press/"},
		{crawlers.Search, 5, false, both, ""},
		{crawlers.Training, 8, true, []string{"FooBot", "*"}, "/"},
		{crawlers.Training, 10, true, []string{"FooBot", "*"}, ""},
	}
	r := apply(t, robots, "training=no,search=yes", true)
	if diff := cmp.Diff(want, r.Contradictions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Googlebot"}, r.Without); diff != "" {
		t.Errorf("crawlers without the preferences (-want +got):\n%s", diff)
	}
	if r := apply(t, robots, "training=no", false); len(r.Without) > 0 {
		t.Errorf("no preferences are stated, but these crawlers are without: %v", r.Without)
	}
}

// TestForeignLines tests that Apply refuses a block with a line that it would not write.
func TestForeignLines(t *testing.T) {
	const file = "User-agent: *\nAllow: /a\n"
	written := string(apply(t, file, "training=no,search=no", true).Text)
	for _, test := range []struct{ about, old, new, want string }{
		{"a comment", "# robotstxt ai --set training=no,search=no\nContent-Usage", "# robotstxt ai --set training=no,search=no\n# ours\nContent-Usage", "line 4 is not"},
		{"a rule", "Content-Usage", "Disallow: /private\nContent-Usage", "line 4 is not"},
		{"a crawler", "User-agent: GPTBot\n", "User-agent: GPTBot\nUser-agent: BadBot\n", "is not what"},
		{"other choices in the first line", "training=no,search=no\nUser-agent", "search=yes\nUser-agent", "line 8 is not"},
		{"a rule that was repeated", "Allow: /a\n# robotstxt", "Allow: /b\n# robotstxt", "is not what"},
		{"a blank line", "Content-Usage", "\nContent-Usage", ""},
		{"a line is missing", "User-agent: GPTBot\n", "", ""},
		{"a new group of all, for lines that were written without one", written, "User-agent: *\nDisallow: /x\n" + string(apply(t, "", "training=no", true).Text), ""},
		{"more rules at the end, for lines that were written without them", written, "User-agent: a\nDisallow: /\n" + strings.TrimPrefix(string(apply(t, "User-agent: a\n", "training=no", false).Text), "User-agent: a\n"), ""},
	} {
		if !strings.Contains(written, test.old) {
			t.Fatalf("%s: %q is not in\n%s", test.about, test.old, written)
		}
		robots := strings.Replace(written, test.old, test.new, 1)
		for _, c := range []Choices{{crawlers.Training: false, crawlers.Search: false}, {crawlers.Training: true}} {
			switch r, err := Apply([]byte(robots), c, false); {
			case test.want == "" && err != nil:
				t.Errorf("%s: error %v", test.about, err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%s: error %v, want %q, and the text\n%s", test.about, err, test.want, r.Text)
			}
		}
	}
	const noEnd = "# robotstxt ai --set training=no\nUser-agent: FooBot\nDisallow: /\n"
	text := string(apply(t, noEnd, "training=no", false).Text)
	if got := string(apply(t, text, "training=yes", false).Text); got != noEnd {
		t.Errorf("after a block without an end: got\n%s", got)
	}
}

func TestApplyErrors(t *testing.T) {
	for about, data := range map[string]string{
		"UTF-16":              "\xff\xfeU\x00",
		"UTF-16 without mark": "U\x00s\x00e\x00r\x00",
		"too large":           strings.Repeat("#\n", robotstxt.SizeLimit/2+1),
		"becomes too large":   strings.Repeat("#\n", robotstxt.SizeLimit/2-10),
	} {
		if _, err := Apply([]byte(data), Choices{crawlers.Training: false}, false); err == nil {
			t.Errorf("%s: no error", about)
		}
	}
}

// FuzzApply tests that no line of a file changes, that only crawlers that are closed lose access, that
// nobody may fetch more than without the lines of Apply, and that the same choices change nothing more.
func FuzzApply(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /x\n"), uint8(0b0001_0011))
	f.Add([]byte("User-agent: GPTBot\nAllow: /x\nUser-agent: Diffbot\r\nUser-agent:*"), uint8(0b0000_1111))
	f.Add([]byte("User-agent: *\nContent-Signal: search=no\nUser-agent: a\n\nDisallow: /\rUser-agent: SemrushBot"), uint8(0b1111_1111))
	f.Add([]byte("User-agent: *\nDisallow: /x\n"+firstLine+"training=no\nUser-agent: CCBot\nDisallow: /\n"+lastLine+"\n"), uint8(0b0001_0001))
	f.Fuzz(func(t *testing.T, data []byte, bits uint8) {
		c := Choices{}
		for i, p := range purposes {
			if bits>>i&1 != 0 {
				c[p.purpose] = bits>>(i+4)&1 != 0
			}
		}
		r, err := Apply(data, c, bits&1 != 0)
		if err != nil {
			return
		}
		clean, _ := cut(data)
		if kept, _ := cut(r.Text); !bytes.HasPrefix(kept, clean) || len(kept) > len(data)+len("\r\n") {
			t.Errorf("%q becomes %q", data, r.Text)
		}
		if again, err := Apply(r.Text, c, bits&1 != 0); err != nil || !again.Unchanged || !bytes.Equal(again.Text, r.Text) {
			t.Errorf("%q becomes %q, and then %q, error %v", data, r.Text, again.Text, err)
		}
		r.prove(robotstxt.Parse(clean), c)
		for _, change := range r.Changes {
			if change.Others {
				t.Errorf("%q: the verdict changes for all others: %v", data, change)
			}
			for _, agent := range change.Agents {
				if !slices.ContainsFunc(r.Closed, func(c crawlers.Crawler) bool {
					name, token := lex.Fold(agent), lex.Fold(c.Token)
					return name == token || strings.HasPrefix(name, token+"-")
				}) {
					t.Errorf("%q: the verdict changes for %s: %v", data, agent, change)
				}
			}
			for _, d := range change.Differences {
				if d.New.Allowed {
					t.Errorf("%q: a crawler gains access: %v", data, d)
				}
			}
		}
	})
}
