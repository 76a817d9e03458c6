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

// short returns a text with "User-agent: ..." instead of several user-agent lines, and without checksums,
// because the table of crawlers grows.
func short(text string) string {
	text = sums.ReplaceAllString(text, lastLine)
	return severalAgents.ReplaceAllString(text, "User-agent: ...$1")
}

var (
	severalAgents = regexp.MustCompile(`(?:User-agent: [^\r\n]+(\r\n|\r|\n)){3,}`)
	sums          = regexp.MustCompile(lastLine + "[0-9a-f]{8}")
)

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
	const (
		no    = firstLine + "training=no\n"
		end   = lastLine + "\n"
		group = no + "User-agent: ...\nDisallow: /\n\n" + end
		all   = "User-agent: *\nDisallow: /x\n"

		preferences = firstLine + "training=yes,search=yes\nContent-Usage: train-ai=y, search=y\nContent-Signal: ai-train=yes, search=yes\n" + end
	)
	for _, test := range []struct {
		about, robots, list string
		preferences         bool
		want                string
	}{
		{"a file", all, "training=no", false, group + all},
		{"an empty file", "", "training=no", false, group},
		{"a file without groups, and no line end", "Sitemap: /s", "training=no", false, "Sitemap: /s\n" + group},
		{"CRLF, no line end", "Sitemap: /s\r\nUser-agent: *\r\nDisallow: /x", "training=no", false, strings.ReplaceAll("Sitemap: /s\n"+group+"User-agent: *\nDisallow: /x", "\n", "\r\n")},
		{"CR", "User-agent: *\rDisallow: /x\r", "training=no", false, strings.ReplaceAll(group+all, "\n", "\r")},
		{"a byte-order mark", "\ufeff" + all, "training=no", false, "\ufeff" + group + all},
		{"comments about the file, and about the group", "# The file\n\n# All\n # of them\n" + all, "training=no", false, "# The file\n\n" + group + "# All\n # of them\n" + all},
		{"a group without rules at the end", "User-agent: FooBot\n", "training=no", false, group + "User-agent: FooBot\n"},
		{"nothing to refuse", "User-agent: *\nDisallow: /x", "training=yes", false, "User-agent: *\nDisallow: /x"},

		{"a crawler with a group", "User-agent: GPTBot\nUser-agent: FooBot\nDisallow: /x\n", "training=no", false, group + "User-agent: GPTBot\nUser-agent: FooBot\nDisallow: /x\n"},

		{"preferences for all groups that are open", all + "# shop\nUser-agent: FooBot\nDisallow: /\n\nUser-agent: BarBot\nAllow: /\n", "search=yes,training=yes", true,
			"User-agent: *\n" + preferences + "Disallow: /x\n# shop\nUser-agent: FooBot\nDisallow: /\n\nUser-agent: BarBot\n" + preferences + "Allow: /\n"},
		{"preferences for a site that is closed", "User-agent: *\nDisallow: /\n", "search=yes,training=yes", true, "User-agent: *\n" + preferences + "Disallow: /\n"},
		{"preferences for a group without rules", "User-agent: *\nSitemap: /s\n", "input=no,training=yes", true,
			firstLine + "training=yes,input=no\nUser-agent: ...\nDisallow: /\n\n" + end +
				"User-agent: *\n" + firstLine + "training=yes,input=no\nContent-Usage: train-ai=y, ai-use=n\nContent-Signal: ai-train=yes, ai-input=no\n" + end + "Sitemap: /s\n"},
		{"preferences without a group of all", "Sitemap: /s\n", "training=yes", true, "Sitemap: /s\n" + firstLine + "training=yes\nUser-agent: *\nContent-Usage: train-ai=y\nContent-Signal: ai-train=yes\nDisallow:\n\n" + end},
		{"a purpose without keys", "Sitemap: /s\n", "user=yes", true, "Sitemap: /s\n"},

		{"a crawler that would fall back, but has a group", "User-agent: Diffbot-User\nDisallow: /x\n", "search=no,user=yes", false,
			firstLine + "search=no,user=yes\nUser-agent: ...\nDisallow: /\n\nUser-agent: Applebot-Extended\nDisallow:\n\n" + end + "User-agent: Diffbot-User\nDisallow: /x\n"},
		{"a crawler that would fall back", "User-agent: *\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n", "search=no,user=yes", false,
			firstLine + "search=no,user=yes\nUser-agent: ...\nDisallow: /\n\nUser-agent: Applebot-Extended\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n" +
				"User-agent: Diffbot-User\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n" + end + "User-agent: *\nCrawl-delay: 5\nAllow: /x/y\nDisallow: /x\n\n"},
		{"a crawler that would fall back to a group that is closed", "User-agent: Diffbot\nDisallow: /d\n", "search=no,user=yes", false,
			firstLine + "search=no,user=yes\nUser-agent: ...\nDisallow: /\n\nUser-agent: Applebot-Extended\nDisallow:\n\nUser-agent: Diffbot-User\nDisallow: /d\n\n" + end +
				"User-agent: Diffbot\nDisallow: /d\n"},
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
	if got := apply(t, noEnd+string(r.Text), "training=yes", false); string(got.Text) != noEnd+robots {
		t.Errorf("a block without an end, above another one: got\n%s", got.Text)
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
	type verdict struct {
		token, path string
		line        int
	}
	verdicts := func(list []Verdict) (all []verdict) {
		for _, v := range list {
			all = append(all, verdict{v.Crawler.Token, v.Path, v.Decision.Rule.Line - above(r.Text)})
		}
		return all
	}
	if !slices.Equal(verdicts(r.StillOpen), []verdict{{"GPTBot", "/press/", 2}}) || !slices.Equal(verdicts(r.StillClosed), []verdict{{"OAI-SearchBot", "/", 6}}) {
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
	r := apply(t, robots, "training=no,search=yes", true)
	both := []string{"GPTBot", "Googlebot"}
	_, text, _ := bytes.Cut(r.Text, []byte("\n")) // without the signal above the groups
	line := above(text)                           // Apply adds four lines to each group, too
	want := []Contradiction{
		{crawlers.Training, line + 8, true, both, "/press/"},
		{crawlers.Search, line + 9, false, both, ""},
		{crawlers.Training, line + 12, true, []string{"FooBot", "*"}, "/"},
		{crawlers.Training, line + 18, true, []string{"FooBot", "*"}, ""},
	}
	if diff := cmp.Diff(want, r.Contradictions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestForeignLines tests that Apply refuses to remove a block that somebody else has changed.
func TestForeignLines(t *testing.T) {
	const file = "User-agent: *\nAllow: /a\n"
	written := string(apply(t, file, "training=no,search=no", true).Text)
	const start = firstLine + "training=no,search=no\n"
	for _, test := range []struct{ about, old, new, want string }{
		{"a comment", start, start + "# ours\n", "lines 1 to "},
		{"a rule", start, start + "Disallow: /private\n", "lines 1 to "},
		{"a line is missing", "User-agent: GPTBot\n", "", "lines 1 to "},
		{"the second block", "Content-Usage", "Allow: /private\nContent-Usage", " are not as robotstxt ai --set wrote them"},
		{"other line ends", "\n", "\r\n", ""},
		{"blanks at the end", "Disallow: /\n", "Disallow: / \n", ""},
		{"other lines of the owner", file[:14], "User-agent: *\nAllow: /b\n", ""},
	} {
		robots := strings.ReplaceAll(written, test.old, test.new)
		if robots == written {
			t.Fatalf("%s: %q is not in\n%s", test.about, test.old, written)
		}
		for _, c := range []Choices{{crawlers.Training: false, crawlers.Search: false}, {crawlers.Training: true}} {
			switch r, err := Apply([]byte(robots), c, false); {
			case test.want == "" && (err != nil || bytes.Contains(r.Text, []byte("search=no")) && c[crawlers.Training]):
				t.Errorf("%s: error %v, and the text\n%s", test.about, err, r.Text)
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
	f.Add([]byte("User-agent: FooBot\nUser-agent: GPTBot\nDisallow: /x\nUser-agent: GPTBot\nUser-agent: FooBot\nAllow: /x/y\nDisallow:"), uint8(0b0000_0001))
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
