package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

const shop = `# The shop
User-agent: FooBot
Disallow: /basket
Allow: /basket/help

User-agent: BarBot, FooBot-Image
User-agent: *
Crawl-delay: 5
Disallow: /search?
Content-Usage: train-ai=n
Sitemap: https://shop.example/sitemap.xml
`

// ask sends a request through JSON, as the page does, and reads the answer.
func ask[T any](t *testing.T, req Request) T {
	t.Helper()
	data, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	d := json.NewDecoder(strings.NewReader(string(Answer(data, ""))))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("answer to %s: %v", data, err)
	}
	return out
}

func TestList(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", " \n\r\n", []string{}},
		{"lines", "https://a.example/x \r\n\n /b?c\n*\n", []string{"https://a.example/x", "/b?c"}},
		{"a URL beside a sitemap", "/a\n<url><loc> https://a.example/?a=1&amp;b=2 </loc></url>\n/c?d&e\n", []string{"/a", "https://a.example/?a=1&b=2", "/c?d&e"}},
	} {
		got := ask[listAnswer](t, Request{Op: "list", Text: test.text})
		if diff := cmp.Diff(test.want, got.URLs); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestDecide(t *testing.T) {
	got := ask[decideAnswer](t, Request{
		Op:     "decide",
		Text:   shop,
		URLs:   []string{"https://shop.example/basket/1", "/basket/help", "/", "/robots.txt"},
		Agents: []string{"Mozilla/5.0 (compatible; foobot/2.0; +https://foo.example)", "Other"},
	})
	foo := agent{"Mozilla/5.0 (compatible; foobot/2.0; +https://foo.example)", "foobot", "FooBot"}
	want := decideAnswer{
		Agents: []agent{foo, {"Other", "Other", "*"}},
		Decisions: []decision{
			{Verdict: answers.Verdict{Reason: robotstxt.RuleMatched, Token: "FooBot", Line: 3, Rule: "Disallow: /basket"}},
			{Verdict: answers.Verdict{Allowed: true, Reason: robotstxt.RuleMatched, Token: "FooBot", Line: 4, Rule: "Allow: /basket/help"}},
			{Verdict: answers.Verdict{Allowed: true, Reason: robotstxt.NoRuleMatched, Token: "FooBot"}},
			{Verdict: answers.Verdict{Allowed: true, Reason: robotstxt.RobotsTxt}},
			{Verdict: answers.Verdict{Allowed: true, Reason: robotstxt.NoRuleMatched, Token: "*"}},
		},
		Columns: []column{
			{Title: "foobot", Agents: []agent{foo}, Lines: []span{{2, 4}}, Verdicts: []int{0, 1, 2, 3}},
			{Title: "Other", Agents: []agent{{"Other", "Other", "*"}}, Lines: []span{{6, 10}}, Verdicts: []int{4, 4, 4, 3}},
		},
		BeforeDecisions: []decision{},
		Notes:           []string{},
		MoreNamed:       true, // BarBot
	}
	for i := range got.Decisions {
		if got.Decisions[i].Why == "" {
			t.Errorf("decision %d has no sentence", i)
		}
		got.Decisions[i].Why = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAgents tests that the names of one crawler get one column, and that sets are replaced by their
// crawlers.
func TestAgents(t *testing.T) {
	search, _ := crawlers.Set("@search")
	for _, test := range []struct {
		given string
		want  []string
		note  string
	}{
		{"gptbot GPTBot Mozilla/5.0(compatible;GPTBot/1.2;+https://openai.com/gptbot) * *", []string{"gptbot", "*"}, ""},
		{"@search", tokensOf(search), ""},
		{"googlebot @search", append([]string{"googlebot"}, slices.DeleteFunc(tokensOf(search), func(token string) bool { return token == "Googlebot" })...), ""},
		{"Mozilla/5.0(Linux;Bytespider) bytespider", []string{"Bytespider"}, ""},
		{"X @robots", []string{"X"}, "@robots is not a set of crawlers. The sets are @ai, @search and @all."},
		{"?", []string{"*"}, `"?" does not name a crawler.`},
		{"gptbto", []string{"gptbto"}, `No known crawler has the name "gptbto" (did you mean GPTBot?).`},
	} {
		var got []string
		answer := ask[decideAnswer](t, Request{Op: "decide", Agents: strings.Fields(test.given)})
		for _, a := range answer.Agents {
			got = append(got, a.Agent)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || strings.Join(answer.Notes, " ") != test.note {
			t.Errorf("%s: notes %q, want %q; (-want +got)\n%s", test.given, answer.Notes, test.note, diff)
		}
	}
}

func tokensOf(set []crawlers.Crawler) (tokens []string) {
	for _, c := range set {
		tokens = append(tokens, c.Token)
	}
	return tokens
}

// TestSets tests which agents share a column: those for which the same lines decide, and to which the same must be
// said. A column says what is true for all of them.
func TestSets(t *testing.T) {
	for _, test := range []struct{ about, text, agents, urls, want string }{
		{"all alike", "User-agent: *\nDisallow: /x\n", "* Googlebot bingbot GPTBot", "/x /y", "any other crawler, Googlebot, bingbot, GPTBot"},
		{"by lines", "User-agent: GPTBot\nDisallow: /x\nUser-agent: *\nDisallow: /x\n", "GPTBot Googlebot *", "/x", "GPTBot|any other crawler, Googlebot"},
		{"not by URLs that are not shown", "User-agent: GPTBot\nDisallow: /x\n", "GPTBot Googlebot *", "/y", "GPTBot|any other crawler, Googlebot"}, // another reason
		{"several groups", "User-agent: GPTBot\nDisallow: /x\nUser-agent: CCBot\nDisallow: /y\n", "GPTBot CCBot", "/z", "GPTBot, CCBot"},
		{"one by one", "User-agent: GPTBot, CCBot\nDisallow: /x\n", "GPTBot CCBot", "/x", "GPTBot|CCBot"}, // only CCBot is the second name on a line
		{"more than four", "User-agent: b\nDisallow: /\n", "a1 b a2 a3 * a4 a5", "/", "any other crawler, 5 crawlers|b"},
		{"AI crawlers", "User-agent: *\nDisallow: /\n", "GPTBot CCBot ClaudeBot Bytespider Amazonbot", "/", "5 AI crawlers"},
		{"undocumented shortening", "User-agent: Claude\nDisallow: /\n", "Claude-User ClaudeBot Claude", "/", "Claude-User|ClaudeBot|Claude"},
		{"a misspelled name, which is said once", "User-agent: *\nDisallow: /x\n", "gptbto Googlebot", "/x", "gptbto, Googlebot"},
		{"AdsBot does not obey *", "User-agent: *\nDisallow: /\n", "AdsBot-Google *", "/", "AdsBot-Google|any other crawler"},
	} {
		var titles []string
		for _, c := range ask[decideAnswer](t, Request{Op: "decide", Text: test.text, Agents: strings.Fields(test.agents), URLs: strings.Fields(test.urls)}).Columns {
			titles = append(titles, c.Title)
		}
		if got := strings.Join(titles, "|"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.about, got, test.want)
		}
	}
	for agents, want := range map[string]bool{"": false, "*": true, "A *": false} {
		if got := ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: a\nDisallow: /\n", Agents: strings.Fields(agents)}); got.MoreNamed != want {
			t.Errorf("agents %q: the file names more crawlers: %v, want %v", agents, got.MoreNamed, want)
		}
	}
	before := "User-agent: a\nDisallow: /\n"
	if got := ask[decideAnswer](t, Request{Op: "decide", Before: &before, URLs: []string{"/"}, Agents: []string{"a", "b"}}); len(got.Columns) != 2 {
		t.Errorf("verdicts that change only for a: %d columns, want 2", len(got.Columns))
	}
}

// TestSetsSay tests the sentences and the lines of a column of crawlers with several groups.
func TestSetsSay(t *testing.T) {
	const text = "User-agent: GPTBot\nUser-agent: Googlebot\nDisallow: /x\n"
	got := ask[decideAnswer](t, Request{Op: "decide", Text: text, URLs: []string{"/x", "/y", "/robots.txt"}, Agents: []string{"GPTBot", "Googlebot"}})
	var whys []string
	for _, i := range got.Columns[0].Verdicts {
		whys = append(whys, got.Decisions[i].Why)
	}
	want := []string{
		`Disallowed: line 3 tells GPTBot, Googlebot "Disallow: /x". A disallowed page can still appear in search results, without its text; to remove it, allow it and answer with noindex.`,
		`Allowed: no rule of the "GPTBot, Googlebot" group matches.`,
		"Allowed: robots.txt itself may always be fetched.",
	}
	if diff := cmp.Diff(want, whys); diff != "" || len(got.Columns) != 1 {
		t.Errorf("%d columns, want 1 (-want +got)\n%s", len(got.Columns), diff)
	}
	got = ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: a\n" + text + "User-agent: a\nDisallow: /y\n", URLs: []string{"/x", "/y"}, Agents: []string{"a", "GPTBot", "Googlebot"}})
	if why := got.Decisions[got.Columns[1].Verdicts[0]].Why; !strings.Contains(why, "tells GPTBot, Googlebot") || !strings.Contains(why, "search results") {
		t.Errorf("beside a column with some of the verdicts: got %s", why)
	}
	one := ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: *\nDisallow: /x\n", Agents: []string{"*", "GPTBot"}})
	if diff := cmp.Diff([]span{{1, 2}}, one.Columns[0].Lines); diff != "" {
		t.Errorf("lines of one group (-want +got)\n%s", diff)
	}
	two := ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n", URLs: []string{"/"}, Agents: []string{"a", "b"}})
	if diff := cmp.Diff([]span{{1, 2}, {4, 5}}, two.Columns[0].Lines); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
}

// TestDoubt tests which verdicts the table marks: those whose sentence says more than people expect.
func TestDoubt(t *testing.T) {
	for _, test := range []struct {
		about, text, url string
		want             bool
	}{
		{"plain", "User-agent: *\nDisallow: /x\n", "/x", false}, // with a note about search results
		{"a misspelled key", "User-agent: *\nDisalow: /x\n", "/x", true},
		{"a rule misses the URL by one thing", "User-agent: *\nDisallow: /X\n", "/x", true},
		{"not a robots.txt", "<html>", "/x", true},
	} {
		got := ask[decideAnswer](t, Request{Op: "decide", Text: test.text, URLs: []string{test.url}, Agents: []string{"Googlebot"}})
		if got.Decisions[0].Doubt != test.want {
			t.Errorf("%s: %v", test.about, got.Decisions[0])
		}
	}
}

// TestDefaultAgents tests which crawlers get a column if the user has chosen none.
func TestDefaultAgents(t *testing.T) {
	token := robotstxt.Parse([]byte("User-agent: __usage_ai-training\nDisallow: /\n"))
	if agents := defaultAgents(token); slices.Contains(agents, "__usage_ai-training") {
		t.Errorf("got %q, with a name that no crawler has", agents)
	}
	for text, want := range map[string]string{
		"":                               "* Googlebot bingbot GPTBot",
		"User-agent: *\nDisallow: /\n":   "* Googlebot bingbot GPTBot",
		"User-agent: a\nUser-agent: *\n": "* a Googlebot bingbot",
		"User-agent: googlebot\nUser-agent: a\nDisallow: /\n": "* googlebot a bingbot",
		"User-agent: a,b,c,d,e,f,g,h,i\nDisallow: /\n":        "* a b c d e f g h",
	} {
		var got []string
		for _, a := range ask[decideAnswer](t, Request{Op: "decide", Text: text}).Agents {
			got = append(got, a.Agent)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: got %s, want %s", text, s, want)
		}
	}
}

// TestFallback tests that a verdict by the group of a company says so.
func TestFallback(t *testing.T) {
	got := ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: Claude\nDisallow: /\n", Agents: []string{"Claude-User", "Claude"}})
	if note := "by the group Claude; whether Claude-User reads it is not documented"; got.Columns[0].Note != note || got.Columns[1].Note != "" {
		t.Errorf("notes %q and %q, want %q and none", got.Columns[0].Note, got.Columns[1].Note, note)
	}
}

// TestDecisionNotes tests that a sentence about a decision says how other crawlers read the lines, and why a
// group does not apply.
func TestDecisionNotes(t *testing.T) {
	const text = "User-agent: GPTBot, CCBot\nUser-agent: *\nDisalow: /x\n"
	got := ask[decideAnswer](t, Request{Op: "decide", Text: text, URLs: []string{"/x"}, Agents: []string{"CCBot", "GPTBot", "AdsBot-Google", "APIs-Google"}})
	var whys []string
	for _, c := range got.Columns {
		whys = append(whys, got.Decisions[c.Verdicts[0]].Why)
	}
	want := []string{
		`Disallowed: line 3 tells CCBot "Disallow: /x". Line 3 is written "Disalow": most crawlers ignore the line. Line 1 has several names: Google and others read only the first.`,
		`Disallowed: line 3 tells GPTBot "Disallow: /x". Line 3 is written "Disalow": most crawlers ignore the line.`,
		"Allowed: the file has no rules for this crawler. AdsBot-Google does not obey the group of *.",
		"Allowed: the file has no rules for this crawler. APIs-Google does not obey the group of *.",
	}
	if diff := cmp.Diff(want, whys); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWitnesses tests that there is a URL for each rule, in the order of the rules.
func TestWitnesses(t *testing.T) {
	const text = "User-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /b\nAllow: /b/c\nDisallow: /b/c/d\n"
	lines := []int{}
	got := ask[listAnswer](t, Request{Op: "witnesses", Text: text})
	for _, url := range got.URLs {
		file := robotstxt.Parse([]byte(text))
		lines = append(lines, max(file.Decide("FooBot", url).Rule.Line, file.Decide("*", url).Rule.Line))
	}
	if diff := cmp.Diff([]int{0, 2, 4, 5, 6}, lines); diff != "" {
		t.Errorf("lines that decide about %q: (-want +got)\n%s", got.URLs, diff)
	}
	if many := ask[listAnswer](t, Request{Op: "witnesses", Text: largeFile(2000)}); len(many.URLs) != 1000 {
		t.Errorf("for 2,000 rules: %d URLs, want 1,000", len(many.URLs))
	}
}

func TestGroupLines(t *testing.T) {
	for _, test := range []struct {
		name, agent string
		want        []span
	}{
		{"a line that names several tokens", "BarBot", []span{{6, 10}}},
		{"a token falls back to a shorter one", "FooBot-News", []span{{2, 4}}},
		{"another case", "FOOBOT-IMAGE", []span{{6, 10}}},
	} {
		got := ask[decideAnswer](t, Request{Op: "decide", Text: shop, Agents: []string{test.agent}})
		if diff := cmp.Diff(test.want, got.Columns[0].Lines); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
	none := ask[decideAnswer](t, Request{Op: "decide", Text: "User-agent: A\nDisallow: /", Agents: []string{"B"}})
	if c := none.Columns[0]; c.Agents[0].Group != "" || len(c.Lines) != 0 {
		t.Errorf("no group applies, but got %+v", c)
	}
}

func TestDecideBefore(t *testing.T) {
	before := "User-agent: *\nDisallow: /old"
	got := ask[decideAnswer](t, Request{
		Op: "decide", Text: shop, Before: &before, URLs: []string{"/basket", "/old"}, Agents: []string{"FooBot"},
	})
	var verdicts []bool
	for i := range got.Columns[0].Verdicts {
		verdicts = append(verdicts,
			got.BeforeDecisions[got.Columns[0].Before[i]].Allowed,
			got.Decisions[got.Columns[0].Verdicts[i]].Allowed)
	}
	if diff := cmp.Diff([]bool{true, false, false, true}, verdicts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReview(t *testing.T) {
	got := ask[reviewAnswer](t, Request{Op: "review", URL: "/", Text: shop + "License: https://shop.example/l.xml\nDisalow: /x\n"})
	var codes []string
	for _, f := range got.Findings {
		codes = append(codes, fmt.Sprint(f.Places[0].Line, f.Code))
	}
	if want := "13misspelled-key"; !strings.Contains(strings.Join(codes, " "), want) {
		t.Errorf("findings: got %s, want among them %s", codes, want)
	}
	for _, want := range []string{"FooBot", "AI crawlers may fetch /", "one sitemap"} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("the summary %q does not contain %q", got.Summary, want)
		}
	}
	other := got.AI.Rows[0]
	if other.Agent != "*" || other.Training.Value != "disallow" || other.Training.Line != 10 || other.Search.Value != "unknown" {
		t.Errorf("AI: got %+v", other)
	}
	if diff := cmp.Diff([]answers.Note{{Line: 12, Text: "License: https://shop.example/l.xml"}}, got.AI.Notes); diff != "" {
		t.Errorf("notes: (-want +got)\n%s", diff)
	}
}

// TestCommon tests which crawlers get other answers than most.
func TestCommon(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "*"},
		{"User-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\nContent-Usage: train-ai=n\nAllow: /\n", "* CCBot GPTBot"},
		{"User-agent: *\nDisallow: /\nUser-agent: GPTBot\nContent-Signal: use=full\nDisallow: /\n", "* GPTBot"},
		{"User-agent: *\nDisallow: /\nUser-agent: Claude\nDisallow: /\n", "* Claude-SearchBot Claude-User"},
	} {
		got := []string{}
		for _, row := range ask[reviewAnswer](t, Request{Op: "review", Text: test.text, URL: "/"}).AI.Rows {
			if !row.IsCommon {
				got = append(got, row.Agent)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%q: got %s, want %s", test.text, s, test.want)
		}
	}
}

// TestChoose tests that the file of the answer refuses what was chosen, and that the answer says so.
func TestChoose(t *testing.T) {
	got := ask[chooseAnswer](t, Request{Op: "choose", Text: shop, Choices: "training=no", Preferences: true})
	file := robotstxt.Parse([]byte(got.Text))
	if file.Allowed("GPTBot", "/x") || !file.Allowed("OAI-SearchBot", "/x") || !strings.Contains(got.Text, "Content-Signal: ai-train=no") {
		t.Errorf("the file is\n%s", got.Text)
	}
	if proof := strings.Join(got.Proof, " "); !strings.Contains(proof, "GPTBot") {
		t.Errorf("the proof is %q", proof)
	}
	large := strings.Repeat("#", robotstxt.SizeLimit+1)
	if got := ask[chooseAnswer](t, Request{Op: "choose", Text: large, Choices: "training=no"}); got.Text != large || !strings.HasPrefix(got.Proof[0], "Nothing is changed: the file is larger") {
		t.Errorf("a file that is too large: %.200q", got.Proof)
	}
}

// TestNotes tests the notes about pasted URLs.
func TestNotes(t *testing.T) {
	const shop = "https://shop.example/robots.txt"
	for _, test := range []struct{ text, site, want string }{
		{"/a\nhttps://shop.example/", shop, ""},
		{"/a\n* \nwww.shop.example/x\n", "", `2 lines are left out, because they are neither URLs nor paths. The first is line 2, "*".`},
		{"x", "", `Line 1 is left out: "x" is neither a URL nor a path.`},
		{"https://www.shop.example/\nhttps://shop.example/\nhttp://shop.example/\n", shop, "URLs of other sites: 2. Crawlers do not use " + shop + " for them."},
		{"https://www.shop.example/\n", "robots.txt", ""},
		{"<sitemapindex><sitemap><loc>https://shop.example/1.xml</loc></sitemap></sitemapindex>", shop, "This is an index of sitemaps, so it has no URLs of pages. Enter the sitemaps that it names."},
		{"<urlset><url><loc>/a</loc><a", shop, "Line 1: the XML of the sitemap is broken."},
	} {
		if got := strings.Join(ask[listAnswer](t, Request{Op: "list", Text: test.text, Site: test.site}).Notes, " "); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// TestCrawlers tests that undocumented and retired crawlers are marked.
func TestCrawlers(t *testing.T) {
	marked := 0
	for _, c := range ask[crawlersAnswer](t, Request{Op: "crawlers"}).Crawlers {
		if c.Token == "" || c.About == "" {
			t.Errorf("got %+v", c)
		}
		if strings.HasSuffix(c.About, ", undocumented") || strings.HasSuffix(c.About, ", retired") {
			marked++
		}
	}
	if marked == 0 {
		t.Error("no crawler is marked as undocumented or retired")
	}
}

// TestFix tests that lint's edits reach the page.
func TestFix(t *testing.T) {
	got := ask[reviewAnswer](t, Request{Op: "review", Text: "User-agent: *\nDisalow: /x\n"})
	want := &edit{Line: 2, Text: "Disallow: /x"}
	for _, f := range got.Findings {
		if f.Code == "misspelled-key" {
			if diff := cmp.Diff(want, f.Places[0].Fix); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			return
		}
	}
	t.Errorf("no misspelled-key in %+v", got.Findings)
}

// TestFindingsOnce tests that findings with the same advice are listed once, and that the worst findings
// come first.
func TestFindingsOnce(t *testing.T) {
	text := "User-agent: *\nDisallow /abc\nDisallow: /abcd\nDisallow /xyz\n/private/\nDisallow: /abcd\nDisalow: /b\nAlow: /c\n"
	var got []string
	for _, f := range ask[reviewAnswer](t, Request{Op: "review", Text: text}).Findings {
		s := string(f.Severity) + " " + f.Code
		for _, p := range f.Places {
			s += fmt.Sprint(" ", p.Line)
		}
		got = append(got, s)
	}
	want := []string{"error misspelled-key 7", "error misspelled-key 8", "warning missing-colon 2 4", "warning junk-line 5", "info duplicate-rule 6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestTextApart tests that Answer uses the text outside the JSON unless the JSON contains one.
func TestTextApart(t *testing.T) {
	for request, want := range map[string]string{
		`{"op":"list"}`:                `{"urls":["/a"],"notes":[]}`,
		`{"op":"list","text":"/json"}`: `{"urls":["/json"],"notes":[]}`,
	} {
		if got := string(Answer([]byte(request), "/a\n")); got != want {
			t.Errorf("%s: got %s, want %s", request, got, want)
		}
	}
}

// TestManyFindings tests that the number of places in an answer is limited.
func TestManyFindings(t *testing.T) {
	got := ask[reviewAnswer](t, Request{Op: "review", Text: "User-agent: *\n" + strings.Repeat("Disallow /x\n", 2000)})
	places := 0
	for _, f := range got.Findings {
		places += len(f.Places)
		if f.Code == "missing-colon" && f.Count != 2000 {
			t.Errorf("%s is counted %d times, want 2000", f.Code, f.Count)
		}
	}
	if places != maxPlaces || got.Counts["warning"] < 2000 {
		t.Errorf("%d places, counts %v", places, got.Counts)
	}
}

// TestManyAdvices tests that each finding has a place, although there are more than the answer has room for.
func TestManyAdvices(t *testing.T) {
	var text strings.Builder
	text.WriteString("User-agent: b\n")
	for i := range 2 * maxPlaces {
		fmt.Fprintf(&text, "Disallow: /é%d\n", i)
	}
	got := ask[reviewAnswer](t, Request{Op: "review", Text: text.String()})
	for _, f := range got.Findings {
		if len(f.Places) == 0 {
			t.Fatalf("%+v has no place", f)
		}
	}
	if len(got.Findings) != maxPlaces || got.Counts["warning"] != 2*maxPlaces {
		t.Errorf("%d findings, counts %v", len(got.Findings), got.Counts)
	}
}

func TestCompare(t *testing.T) {
	before := "User-agent: A\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n"
	got := ask[compareAnswer](t, Request{Op: "compare", Before: &before, Text: "User-agent: A\nDisallow: /x/\n\nUser-agent: *\nDisallow: /y\n"})
	if len(got.Changes) != 1 || len(got.Changes[0].Differences) != 1 {
		t.Fatalf("got %+v", got)
	}
	c := got.Changes[0]
	d := c.Differences[0]
	if diff := cmp.Diff([]string{"A"}, c.Agents); diff != "" || c.Others {
		t.Errorf("agents: %s others %v", diff, c.Others)
	}
	if d.Old.Allowed || d.Old.Line != 2 || !d.New.Allowed || robotstxt.Parse([]byte(before)).Allowed("A", d.URL) {
		t.Errorf("got %+v", d)
	}
	same := ask[compareAnswer](t, Request{Op: "compare", Before: &before, Text: "# the same\n" + before})
	if len(same.Changes) != 0 {
		t.Errorf("no verdict changes, but got %+v", same)
	}
}

// TestColumns tests that columns are counted in UTF-16 code units.
func TestColumns(t *testing.T) {
	var got []string
	for _, text := range []string{"User-agent: *\nDisallow: /üü zz\n", "User-agent: *\n\nDisallow: /😀é zz #x\n"} {
		for _, f := range ask[reviewAnswer](t, Request{Op: "review", Text: text}).Findings {
			if f.Code == "space-in-path" {
				for _, p := range f.Places {
					got = append(got, fmt.Sprintf("%d:%d", p.Line, p.Column))
				}
			}
		}
	}
	if diff := cmp.Diff([]string{"2:14", "3:15"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	for _, request := range []string{"", "{", "[]", `{"op":"nonsense"}`, `{"op":1}`, `{"op":"decide","urls":[1]}`, `{"op":"choose","choices":"x"}`} {
		var out struct{ Error string }
		if err := json.Unmarshal(Answer([]byte(request), ""), &out); err != nil || out.Error == "" {
			t.Errorf("%q: got %s, want an error", request, Answer([]byte(request), ""))
		}
	}
}

// TestNoNull tests that empty lists are [], not null: the page does not check.
func TestNoNull(t *testing.T) {
	for _, op := range []string{"list", "witnesses", "decide", "review", "compare", "crawlers"} {
		for _, text := range []string{`User-agent: *\nDisallow: /`, ""} {
			answer := string(Answer(fmt.Appendf(nil, `{"op":%q,"text":"%s","before":"","agents":["a"]}`, op, text), ""))
			if strings.Contains(strings.ReplaceAll(answer, `"fix":null`, ""), ":null") {
				t.Errorf("%s: %s", op, answer)
			}
		}
	}
}

// FuzzDecide compares the engine with package robotstxt.
func FuzzDecide(f *testing.F) {
	f.Add(shop, "FooBot", "/basket")
	f.Add("User-agent: a,b\nUser-agent: Ä\nAllow: *$\nDisallow: /\ufeff", "ä/1.0", "https://x.example/?%zz")
	files, err := filepath.Glob("../../../../../testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases in testdata (%v)", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "*", "/a")
	}
	f.Fuzz(func(t *testing.T, text, agent, url string) {
		if !utf8.ValidString(text) || !utf8.ValidString(agent) || !utf8.ValidString(url) {
			t.Skip("JSON cannot represent strings that are not UTF-8")
		}
		if token := robotstxt.ProductToken(agent); token == "" && agent != "*" || strings.HasPrefix(agent, "@") {
			t.Skip("the agent has no column")
		}
		got := ask[decideAnswer](t, Request{Op: "decide", Text: text, URLs: []string{url}, Agents: []string{agent}})
		want := robotstxt.Parse([]byte(text)).Decide(agent, url)
		d, c := got.Decisions[0], got.Columns[0]
		if d.Allowed != want.Allowed || d.Line != want.Rule.Line || d.Reason != want.Reason || c.Agents[0].Group != want.Token {
			t.Fatalf("got %+v of %+v, want %+v", d, c.Agents, want)
		}
		if d.Line != 0 && !contains(c.Lines, d.Line) {
			t.Errorf("the deciding line %d is not in its group %v", d.Line, c.Lines)
		}
	})
}

func contains(spans []span, line int) bool {
	for _, s := range spans {
		if s[0] <= line && line <= s[1] {
			return true
		}
	}
	return false
}

// FuzzAnswer tests that Answer returns JSON for any request.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"op":"review","text":"Disalow: /😀","url":"/"}`))
	f.Add([]byte(`{"op":"list","text":"<loc>&x;<loc>"}`))
	f.Add([]byte(`{"op":"choose","text":"User-agent:*","choices":"training=no,search=yes","preferences":true}`))
	f.Add([]byte(`{"op":"decide","agents":["@ai","gptbot","?"]}`))
	f.Add([]byte(`{"op":"compare","text":"\u0000","before":"User-agent:*"}`))
	f.Fuzz(func(t *testing.T, request []byte) {
		if answer := Answer(request, ""); !json.Valid(answer) {
			t.Errorf("not JSON: %q", answer)
		}
	})
}
