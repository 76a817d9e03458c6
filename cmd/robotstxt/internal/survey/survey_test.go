package survey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/golden"
)

var noon = time.Date(2026, 11, 1, 13, 0, 0, 0, time.FixedZone("CET", 3600))

// captures contains at least one capture for each possible value of Place, Access, Content
// and Encoding.
var captures = []Capture{
	{URL: "https://a.example/robots.txt", Status: 200, Fetched: noon, Body: []byte(
		"User-agent: *\nCrawl-delay: 2.5\nDisallow: /private\nAllow: /private/press\nFrobnicate: 1\nfrobnicate: 2\nNoindex: /old\n" +
			"Content-Usage: train-ai=n\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://a.example/map.xml\n")},
	{URL: "https://b.example/robots.txt", Status: 404, Fetched: noon, Body: []byte("<html>")},
	{URL: "https://c.example/robots.txt", Status: 503},
	{URL: "https://d.example/robots.txt", Status: 301},
	{URL: "https://d.example/home", Status: 200, Body: []byte("<html><body>User-agent: x")},
	{URL: "HTTPS://E.example:443/robots.txt", Status: 200, Body: []byte("\ufeff# nothing\r\n")},
	{URL: "sites/f.txt", Body: []byte("User-agent: caf\xe9\nDisallow: /\n"), Truncated: true},
	{URL: "g.txt", Body: []byte("\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00")},
	{URL: "https://i.example/robots.txt", Status: 304},
	{URL: "https://j.example/robots.txt", Status: 302, Redirect: "https://www.j.example/robots.txt"},
	{URL: "https://k.example/robots.txt", Status: 200, Undecoded: true},
	{URL: "https://l.example/robots.txt", Status: 200, Archive: "a.warc.gz", Offset: 123, Inner: 45, Body: []byte(
		"User-agent: *\nContent-Signal: search=yes, AI-Train = no\nContent-Usage: /x train-ai=n\nContent-Signal: x\nDisallow:\n")},
	{URL: "h.txt", Body: []byte("Not found.\nCaf\u00e9: closed\n")},
	{URL: "https://m.example/robots.txt", Status: 200, Elsewhere: true, PayloadDigest: "sha1:ABC"},
}

var questions = Questions{Agents: []string{"*", "GPTBot", "GPTBot-Images", "Mozilla/5.0 (compatible; FooBot/1.0)"}, Paths: []string{"/private/press/1", "/private/x"}}

// TestGolden compares records and their summary with golden files.
func TestGolden(t *testing.T) {
	var got bytes.Buffer
	encoder := json.NewEncoder(&got)
	encoder.SetEscapeHTML(false)
	summary := questions.NewSummary()
	summary.Made.Lint = "0123456789abcdef" // not the version of today
	summary.Inputs = 1
	summary.add(&Summary{Skipped: map[string]int{"request": 1}, Damaged: map[string]int{"cut record": 1}})
	q := questions
	for _, c := range captures {
		r := q.Answer(c)
		q.NoLint = true // only the first record contains findings
		summary.Add(&r)
		if err := encoder.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	golden.Check(t, "records.jsonl", got.String())
	asJSON, err := json.MarshalIndent(&summary, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "summary.json", string(asJSON)+"\n")
	var text bytes.Buffer
	if err := summary.Print(&text); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "summary.txt", text.String())
}

// Print tells missing files from those that crawlers may not have.
func TestStatuses(t *testing.T) {
	var s Summary
	for _, status := range []int{404, 404, 404, 410, 401, 403, 403, 400, 451, 429, 503, 301, 304, 0, 99, 5000} {
		r := Questions{NoLint: true}.Answer(Capture{URL: "https://a.example/robots.txt", Status: status, Body: []byte("Allow: /")})
		s.Add(&r)
	}
	other := Questions{NoLint: true}.Answer(Capture{URL: "https://a.example/x", Status: 404})
	s.Add(&other)
	want := map[int]int{404: 3, 410: 1, 401: 1, 403: 2, 400: 1, 451: 1, 429: 1, 503: 1, 301: 1, 304: 1}
	if diff := cmp.Diff(want, s.Statuses); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var text strings.Builder
	if err := s.Print(&text); err != nil {
		t.Fatal(err)
	}
	const row = "no file     4 missing (404, 410), 3 refused (401, 403), 2 other 4xx, 4 unreachable, 1 redirects, 1 not modified\n"
	if !strings.Contains(text.String(), row) {
		t.Errorf("the summary lacks the row\n%s%s", row, text.String())
	}
	s, text = Summary{}, strings.Builder{}
	s.Add(&other)
	if err := s.Print(&text); err != nil || !strings.Contains(text.String(), "no file     0\n") {
		t.Errorf("error %v, only other URLs: the summary does not say \"no file     0\"\n%s", err, text.String())
	}
}

// docs/json.md describes all fields of records and summaries.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, ofScan, _ := strings.Cut(string(doc), "\n## scan\n")
	ofScan, _, _ = strings.Cut(ofScan, "\n## ")
	for _, of := range []reflect.Type{
		reflect.TypeFor[Record](), reflect.TypeFor[AgentRecord](), reflect.TypeFor[PathRecord](), reflect.TypeFor[RuleRecord](),
		reflect.TypeFor[Summary](), reflect.TypeFor[Verdicts](), reflect.TypeFor[Times](), reflect.TypeFor[made](),
	} {
		for i := range of.NumField() {
			if name := of.Field(i).Tag.Get("json"); !strings.Contains(ofScan, "`"+name+"`") {
				t.Errorf("docs/json.md lacks the field %q", name)
			}
		}
	}
	for _, c := range classes {
		if !strings.Contains(ofScan, "`"+c.name+"`") {
			t.Errorf("docs/json.md lacks the class %q", c.name)
		}
	}
}

// The answers about an agent do not depend on the other agents in the questions, although
// agents of the same group share their answers.
func TestAgents(t *testing.T) {
	agents := []string{"*", "GPTBot", "FooBot", "AdsBot-Google", "FooBot-Image", "gptbot/1.0", "Yandex", "YandexBot"}
	bodies := []string{
		"User-agent: *\nDisallow: /\nUser-agent: FooBot\nAllow: /\nContent-Usage: train-ai=n\n",
		"User-agent: GPTBot\nUser-agent: FooBot-Image\nCrawl-delay: 1\nDisallow: /x\nContent-Signal: ai-train=no\n",
		"User-agent: Yandex\nDisallow: /x\nContent-Signal: ai-train=no\n",
		"User-agent: GPTBot\nAllow: /\nUser-agent: gptbot\nDisallow: /private\n",
	}
	for _, body := range bodies {
		c := Capture{Body: []byte(body)}
		together := Questions{Agents: agents, Paths: questions.Paths}.Answer(c)
		for i, agent := range agents {
			alone := Questions{Agents: []string{agent}, Paths: questions.Paths}.Answer(c).Agents[0]
			if diff := cmp.Diff(alone, together.Agents[i]); diff != "" {
				t.Errorf("%s, file %q (-alone +together):\n%s", agent, body, diff)
			}
		}
	}
}

// YandexBot obeys the group for Yandex, according to Yandex.
func TestFollows(t *testing.T) {
	a := Questions{Agents: []string{"YandexBot"}}.Answer(Capture{Body: []byte("User-agent: Yandex\nDisallow: /\nContent-Signal: ai-train=no\n")}).Agents[0]
	if a.Token != "Yandex" || a.Allowed || a.Coverage != "none" || a.AITraining != "disallow" {
		t.Errorf("got %+v, want the answers of the group for Yandex", a)
	}
}

// The group for the policy token is for all agents; see package aipref.
func TestTrainingGroup(t *testing.T) {
	a := Questions{Agents: []string{"GPTBot"}}.Answer(Capture{Body: []byte("User-agent: __usage_ai-training\nDisallow: /\n")}).Agents[0]
	if a.Token != "" || !a.Allowed || a.AITraining != "disallow" {
		t.Errorf("got %+v, want an agent without a group that may not train", a)
	}
}

// A record says how the token of a group names an agent. A summary counts names that an agent follows, and shorter
// ones, together.
func TestNamed(t *testing.T) {
	for _, c := range []struct{ agent, token, by string }{
		{"GPTBot", "GPTBot", "name"},
		{"GPTBot/1.0", "gptbot", "name"},
		{"Mozilla/5.0 (compatible; FooBot/1.0)", "FooBot", "name"},
		{"Mozilla-Tabstack", "Mozilla", "shorter"},
		{"SemrushBot-OCOB", "SemrushBot", "shorter"},
		{"Google-Extended", "google", "shorter"},
		{"Applebot", "googlebot", "follows"}, // Apple documents it
		{"GPTBot", "*", "*"},
		{"*", "*", "*"},
		{"GPTBot", "FooBot", ""},
	} {
		s := Questions{Agents: []string{c.agent}}.NewSummary()
		r := s.Made.Questions.Answer(Capture{Body: []byte("User-agent: " + c.token + "\nDisallow: /\n")})
		s.Add(&r)
		a := s.Agents[0]
		got := map[string]int{"name": a.Named.None, "follows": a.Other.None, "shorter": a.Other.None, "*": a.Star.None, "": a.All}
		if r.Agents[0].By != c.by || got[c.by] != 1 {
			t.Errorf("%s by the group %s: %q, want %q; %+v", c.agent, c.token, r.Agents[0].By, c.by, a)
		}
	}
}

// TestAccess tests the first and last status with each meaning (RFC 9309, section 2.3.1).
func TestAccess(t *testing.T) {
	for want, statuses := range map[string][]int{
		"file":         {0, 200, 299},
		"redirect":     {300, 303, 305, 399},
		"not_modified": {304},
		"unavailable":  {400, 404, 499},
		"unreachable":  {429, 500, 599},
	} {
		for _, status := range statuses {
			if got := (Questions{}).Answer(Capture{Status: status}).Access; got != want {
				t.Errorf("status %d: %s, want %s", status, got, want)
			}
		}
	}
}

// The verdict and the preferences of an agent are those for "/" only.
func TestHomePage(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /\nAllow: /$\nContent-Usage: /$ train-ai=n\n")
	a := Questions{Agents: []string{"*"}}.Answer(Capture{Body: body}).Agents[0]
	if !a.Allowed || a.Line != 3 || a.AITraining != "disallow" {
		t.Errorf("%+v, want allowed, line 3 and AITraining disallow", a)
	}
}

func TestCoverage(t *testing.T) {
	star := Questions{Agents: []string{"*"}}
	for _, c := range []struct {
		about, body string
		want        string
	}{
		{"no rule", "User-agent: *\n", "all"},
		{"no group", "", "all"},
		{"everything disallowed", "User-agent: *\nDisallow: /\n", "none"},
		{"only the home page disallowed", "User-agent: *\nDisallow: /$\n", "some"},
		{"an exception", "User-agent: *\nDisallow: /\nAllow: /x\n", "some"},
		{"an exception for robots.txt, which is always allowed", "User-agent: *\nDisallow: /\nAllow: /robots.txt$\n", "none"},
		{"the same, without the anchor", "User-agent: *\nDisallow: /\nAllow: /robots.txt\n", "some"},
		{"a rule that never decides", "User-agent: *\nDisallow: /x\nAllow: /x\n", "all"},
		{"a folder disallowed", "User-agent: *\nDisallow: /x\n", "some"},
	} {
		if got := star.Answer(Capture{Body: []byte(c.body)}).Agents[0].Coverage; got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
	if got := star.Answer(Capture{Status: 503}).Agents[0].Coverage; got != "none" {
		t.Errorf("an unreachable file: %s, want none", got)
	}
}

// Summaries of parts of the records add up to the summary of all, even after they were encoded
// as JSON and decoded.
func TestMerge(t *testing.T) {
	want, first, second := questions.NewSummary(), questions.NewSummary(), questions.NewSummary()
	for _, s := range []*Summary{&want, &second} {
		s.Skipped["request"]++
		s.Damaged["cut record"]++
		s.Inputs = 7
	}
	for i, c := range slices.Concat(captures, captures) {
		r := questions.Answer(c)
		want.Add(&r)
		if i < len(captures) {
			first.Add(&r)
		} else {
			second.Add(&r)
		}
	}
	text, err := json.Marshal(&second)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseSummary(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Merge(again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all := questions.NewSummary()
	if err := all.Merge(&want); err != nil || !cmp.Equal(want, all) {
		t.Errorf("merged into an empty summary: error %v (-want +got):\n%s", err, cmp.Diff(want, all))
	}
	none := questions.NewSummary()
	for _, s := range []*Summary{&none, new(Summary)} {
		if got, err := json.Marshal(s); err != nil || bytes.Contains(bytes.ReplaceAll(got, []byte(`"agents":null`), nil), []byte("null")) {
			t.Errorf("an empty summary: %s, error %v, want no null", got, err)
		}
	}
}

// Summaries that were made in different ways are not added up.
func TestMergeRefuses(t *testing.T) {
	made := func(q Questions) *Summary {
		s := q.NewSummary()
		s.Captures[FileClass] = 1
		return &s
	}
	plain := Questions{Agents: []string{"GPTBot", "CCBot"}}
	otherFormat, otherLint := made(plain), made(plain)
	otherFormat.Made.Format, otherLint.Made.Lint = format+1, "f00"
	for _, c := range []struct {
		other *Summary
		want  string
	}{
		{made(plain), ""},
		{made(Questions{Agents: []string{"GPTBot"}}), "they differ in --agent"},
		{made(Questions{Agents: []string{"GPTBot", "CCBot", "*"}}), "they differ in --agent"},
		{made(Questions{Agents: []string{"CCBot", "GPTBot"}}), "they differ in --agent"},
		{made(Questions{Agents: plain.Agents, Paths: []string{"/x"}}), "they differ in --path"},
		{made(Questions{Agents: plain.Agents, NoLint: true}), "they differ in --no-lint"},
		{made(Questions{Agents: plain.Agents, Rules: true}), "they differ in --rules"},
		{otherFormat, "they differ in the format"},
		{otherLint, "they differ in the version of lint"},
	} {
		s := made(plain)
		err := s.Merge(c.other)
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("error %s, want %s", got, c.want)
		}
		if sum := map[bool]int{true: 2, false: 1}[err == nil]; s.Files() != sum {
			t.Errorf("%s: the sum counts %d files, want %d", c.want, s.Files(), sum)
		}
	}
}

// ParseSummary refuses JSON that is not a summary of this format.
func TestParseSummary(t *testing.T) {
	s := Questions{Agents: []string{"*"}}.NewSummary()
	s.Add(&Record{Class: FileClass, Agents: []AgentRecord{{Agent: "*"}}})
	text, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{string(text), "{}", `not a summary: its "made" has no "format"`},
		{string(text), "User-agent: *", "not a summary: invalid character 'U' looking for beginning of value"},
		{string(text), `{"made":{"format":"1"}}`, "not a summary: json: "},
		{fmt.Sprintf(`"format":%d,`, format), `"format":99,`, fmt.Sprintf("a summary of format 99, but this program reads format %d: read the inputs again", format)},
		{`"statuses"`, `"stati"`, `not a summary: json: unknown field "stati"`},
		{`"file":1`, `"file":"1"`, "not a summary: json: "},
		{`"agent":"*"`, `"agent":"x"`, "not a summary: its agents are not those of its questions"},
		{`}`, `}}`, "not a summary: invalid character"},
	} {
		s, err := ParseSummary([]byte(strings.Replace(string(text), c.old, c.new, 1)))
		if c.want == "" && (err != nil || s.Files() != 1) || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %+v, error %v, want error %s", c.new, s, err, c.want)
		}
	}
}

// FuzzParseSummary checks that no JSON makes ParseSummary, Merge or Print panic, and that a
// summary is the same when it is written and read again.
func FuzzParseSummary(f *testing.F) {
	text, err := os.ReadFile("testdata/summary.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"made":{"format":3,"questions":{"agents":["*"]}},"agents":[{"agent":"*"}],"keys":{"":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseSummary(text)
		if err != nil {
			return
		}
		once, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseSummary(once)
		if err != nil {
			t.Fatalf("%v: %s", err, once)
		}
		if twice, _ := json.Marshal(again); !bytes.Equal(once, twice) {
			t.Errorf("written and read, the summary differs:\n%s\n%s", once, twice)
		}
		if err := s.Merge(again); err != nil {
			t.Error(err)
		}
		if err := s.Print(io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// Each capture counts as one class, and only complete robots.txt files count in the verdicts.
func TestApart(t *testing.T) {
	var s Summary
	for i, c := range captures {
		r := questions.Answer(c)
		if s.Add(&r); s.Total() != i+1 {
			t.Errorf("%d captures, but the classes add up to %d: %+v", i+1, s.Total(), s.Captures)
		}
		for _, a := range append(s.Agents, s.Any) {
			if v := a.Verdicts; v.Allowed+v.Disallowed < s.Files() || v.All+v.None+v.Some+v.Undecided < s.Files() {
				t.Errorf("%d files, but the verdicts do not add up to them: %+v", s.Files(), a)
			}
		}
	}
	page := Questions{Agents: []string{"*"}}.Answer(Capture{Body: []byte("<html>")})
	s.Add(&page)
	want := map[string]int{
		"file": 3, "html": 1, "other": 1, "empty": 1, "truncated": 1, "undecoded": 1, "elsewhere": 1,
		"unavailable": 1, "unreachable": 1, "redirect": 2, "not_modified": 1, "redirect_target": 1,
	}
	if diff := cmp.Diff(want, s.Captures); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

// A file without groups is an HTML page if its first text except comments starts with "<".
func TestContent(t *testing.T) {
	for _, c := range []struct {
		about, body string
		want        string
	}{
		{"a page", "<html>", html},
		{"a page after blanks", "\ufeff \r\n\t\n<html>\nAllow: /\n", html},
		{"a page after a comment", "# a\n\n<html>\nAllow: /\n", html},
		{"a page in UTF-16", "\xff\xfe<\x00h\x00", html},
		{"a page of one line that crosses the size limit", "<" + strings.Repeat("a", robotstxt.SizeLimit), html},
		{"a page with a group", "<html>\nUser-agent: *\nDisallow: /\n", robotsTxt},
		{"a tag after other text", "Sitemap: /\n<html>", robotsTxt},
		{"text", "a < b", otherContent},
		{"blanks", " \r\n\t\n", empty},
	} {
		if r := (Questions{NoLint: true}).Answer(Capture{Body: []byte(c.body)}); r.Content != c.want {
			t.Errorf("%s: %q, want %q", c.about, r.Content, c.want)
		}
	}
}

// A record contains the first 100 tokens of a file, and the number of further tokens.
func TestTokens(t *testing.T) {
	var body strings.Builder
	for i := range 130 {
		fmt.Fprintf(&body, "User-agent: Bot%d\nDisallow: /%d\n", i, i/2)
	}
	r := Questions{NoLint: true}.Answer(Capture{Body: []byte(body.String())})
	if len(r.Tokens) != 100 || r.Tokens[0] != "Bot0" || r.Tokens[99] != "Bot99" || r.MoreTokens != 30 {
		t.Errorf("tokens %q and %d more, want 100 and 30 more", r.Tokens, r.MoreTokens)
	}
}

// A record contains the labels of Content-Signal and Content-Usage with their values. A
// summary contains a limited number of labels.
func TestLabels(t *testing.T) {
	for value, want := range map[string][]Count{
		"search=yes, AI-Train = no":    {{"ai-train=no", 1}, {"search=yes", 1}},
		"/private/ train-ai=n":         {{"train-ai=n", 1}},
		"* ai-input=yes":               {{"ai-input=yes", 1}},
		"yes":                          {{"other", 1}},
		"a=" + strings.Repeat("x", 40): {{"other", 1}},
		"a=b=c, \x1b=x":                {{"other", 2}},
	} {
		r := Questions{NoLint: true}.Answer(Capture{Body: []byte("User-agent: *\nContent-Signal: " + value + "\nContent-Usage: " + value + "\n")})
		if diff := cmp.Diff([][]Count{want, want}, [][]Count{r.ContentSignal, r.ContentUsage}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", value, diff)
		}
	}
	var s Summary
	for i := range maxLabels + 5 {
		s.Add(&Record{Class: FileClass, ContentSignal: []Count{{fmt.Sprint(i), 1}}})
	}
	if len(s.ContentSignal) != maxLabels+1 || s.ContentSignal["other"].Files != 5 {
		t.Errorf("%d labels, want %d", len(s.ContentSignal), maxLabels+1)
	}
}

// With Rules, a record has the first 1,000 rules of a file, as written, and the number of groups with each.
func TestRules(t *testing.T) {
	const body = "User-agent: a\nDisallow: /x\nDisallow: /x\nAllow: /x\nDisallow:\nUser-agent: b\nDisallow: /%78\nDisallow: /x\n"
	r := Questions{NoLint: true, Rules: true}.Answer(Capture{Body: []byte(body)})
	want := []RuleRecord{{"disallow", "/x", 2}, {"allow", "/x", 1}, {"disallow", "/%78", 1}}
	if diff := cmp.Diff(want, r.RuleList); diff != "" || r.MoreRules != 0 {
		t.Errorf("%d more, (-want +got):\n%s", r.MoreRules, diff)
	}
	var long strings.Builder
	for i := range 1030 {
		fmt.Fprintf(&long, "User-agent: Bot%d\nDisallow: /%d\n", i, i)
	}
	r = Questions{NoLint: true, Rules: true}.Answer(Capture{Body: []byte(long.String())})
	if len(r.RuleList) != 1000 || r.RuleList[999] != (RuleRecord{"disallow", "/999", 1}) || r.MoreRules != 30 {
		t.Errorf("%d rules and %d more, want 1,000 and 30 more", len(r.RuleList), r.MoreRules)
	}
	if r = (Questions{NoLint: true}).Answer(Capture{Body: []byte(body)}); len(r.RuleList) != 0 || r.MoreRules != 0 {
		t.Errorf("without Rules: %+v", r.RuleList)
	}
}

// User-agent lines after the first 500 KiB, which crawlers need not read (RFC 9309, section 2.5), are counted apart.
func TestUnreadAgents(t *testing.T) {
	const line, end = "User-agent: *\nDisallow: /a\n", "User-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\n"
	for _, c := range []struct {
		about string
		size  int // of the text before the user-agent lines
		want  int
	}{
		{"a file that ends at the limit", robotstxt.SizeLimit - len(end), 0},
		{"a line whose end is after the limit", robotstxt.SizeLimit - len(end) + 1, 0},
		{"a line that crosses the limit", robotstxt.SizeLimit - len(end) + 2, 1},
		{"a line that ends at the limit", robotstxt.SizeLimit - len("User-agent: GPTBot\n"), 1},
		{"a line after the limit", robotstxt.SizeLimit, 2},
	} {
		body := line + strings.Repeat("#", c.size-len(line)-1) + "\n" + end
		r := Questions{Agents: []string{"CCBot"}, NoLint: true}.Answer(Capture{Body: []byte(body)})
		if r.UnreadAgents != c.want || r.Class != FileClass || r.Agents[0].By == "*" != (c.want > 0) {
			t.Errorf("%s: %d unread user-agent lines, want %d; class %s, %+v", c.about, r.UnreadAgents, c.want, r.Class, r.Agents[0])
		}
		s := Questions{}.NewSummary()
		s.Add(&r)
		twice := s
		if twice.add(&s); s.UnreadAgents != min(c.want, 1) || twice.UnreadAgents != 2*s.UnreadAgents {
			t.Errorf("%s: the summary counts %d files, and the sum of two %d", c.about, s.UnreadAgents, twice.UnreadAgents)
		}
	}
}

// Any counts a file once, however many of the agents have the verdict.
func TestAny(t *testing.T) {
	q := Questions{Agents: []string{"GPTBot", "CCBot", "Claude-User", "Applebot"}, NoLint: true}
	s := q.NewSummary()
	for _, body := range []string{
		"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
		"User-agent: Claude\nUser-agent: Googlebot\nDisallow: /\nUser-agent: CCBot\nDisallow: /x\n",
		"User-agent: *\nDisallow: /\nUser-agent: GPTBot\nDisallow: /\n",
		"User-agent: *\nDisallow: /x\n",
	} {
		r := q.Answer(Capture{Body: []byte(body)})
		s.Add(&r)
	}
	want := AgentSummary{
		Verdicts: Verdicts{Allowed: 3, Disallowed: 3, All: 2, None: 3, Some: 2},
		Named:    Verdicts{Allowed: 1, Disallowed: 2, None: 2, Some: 1},
		Other:    Verdicts{Disallowed: 1, None: 1},
		Star:     Verdicts{Allowed: 1, Disallowed: 1, None: 1, Some: 1},
	}
	if diff := cmp.Diff(want, s.Any); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// However many findings a file has, a record counts them all.
func TestManyFindings(t *testing.T) {
	const lines = 9_000
	r := Questions{}.Answer(Capture{Body: []byte("User-agent: *\n" + strings.Repeat("Disallow /a\n", lines))})
	if want := (Count{"missing-colon", lines}); !slices.Contains(r.Findings, want) {
		t.Errorf("findings %v, want %v", r.Findings, want)
	}
}

// However many keys there are, a summary contains at most maxKeys of them.
func TestManyKeys(t *testing.T) {
	var s Summary
	for i := range 2 * maxKeys {
		s.Add(&Record{Class: FileClass, UnknownKeys: []Count{{fmt.Sprint(i), 2}}})
	}
	other := Summary{Keys: map[string]Times{"x": {1, 1}}}
	if s.add(&other); len(s.Keys) != maxKeys {
		t.Errorf("%d keys, want %d", len(s.Keys), maxKeys)
	}
}

// Print lists the most common keys, and leaves out empty lists.
func TestPrint(t *testing.T) {
	var s Summary
	var text strings.Builder
	if err := s.Print(&text); err != nil || text.String() != "files       0\nsize        0 kB\ngroups      0\nrules       0\nnot counted 0\nno file     0\n" {
		t.Errorf("error %v; an empty summary is printed as\n%s", err, text.String())
	}
	text.Reset()
	for i := range 17 {
		for n := range i + 1 {
			s.Add(&Record{Class: FileClass, Bytes: 100_000, UnknownKeys: []Count{{fmt.Sprintf("key-%02d", i), n + 1}}})
		}
	}
	if err := s.Print(&text); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(text.String(), "\n")
	want := []string{"files       153", "size        15300 kB", "groups      0", "rules       0", "not counted 0", "no file     unknown (the inputs have no HTTP status)", "", "most common keys", "    files     times"}
	for i := 16; i > 1; i-- {
		want = append(want, fmt.Sprintf("%9d %9d  key-%02d", i+1, (i+1)*(i+2)/2, i))
	}
	if diff := cmp.Diff(append(want, ""), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Add counts each coverage, and Merge adds the counts up.
func TestAllCoverages(t *testing.T) {
	var one, two Summary
	for i, coverage := range []string{"all", "some", "some", "none", "none", "none", "undecided", "undecided", "undecided", "undecided"} {
		r := Record{Class: FileClass, Agents: []AgentRecord{{Agent: "x", Coverage: coverage, Allowed: i > 2, By: []string{"", "*", "name"}[i%3]}}}
		one.Add(&r)
		two.Add(&r)
	}
	one.add(&two)
	want := []AgentSummary{{
		Agent:    "x",
		Verdicts: Verdicts{Allowed: 14, Disallowed: 6, All: 2, Some: 4, None: 6, Undecided: 8},
		Star:     Verdicts{Allowed: 4, Disallowed: 2, Some: 2, None: 2, Undecided: 2},
		Named:    Verdicts{Allowed: 4, Disallowed: 2, Some: 2, None: 2, Undecided: 2},
	}}
	if diff := cmp.Diff(want, one.Agents); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Unknown keys are counted if they consist of at most 30 letters, "-" and "_".
func TestUnknownKeys(t *testing.T) {
	long := strings.Repeat("a", 30)
	body := "User-agent: *\n" + long + ": x\n" + long + "a: x\nA-b_z: x\na.b: x\na1: x\n\u00e4: x\n"
	got := Questions{NoLint: true}.Answer(Capture{URL: "a.txt", Body: []byte(body)}).UnknownKeys
	if diff := cmp.Diff([]Count{{"a-b_z", 1}, {long, 1}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The encoding of a text is recognized wherever its first special character is.
func TestEncoding(t *testing.T) {
	for i := range 20 {
		for c, want := range map[string]string{"\x7f": "ascii", "\u0080": "utf-8", "\x80": "other"} {
			body := strings.Repeat("a", i) + c + strings.Repeat("a", 20-i)
			if got, mark := encoding([]byte(body)); got != want || mark {
				t.Errorf("%q: %s, mark %t; want %s", body, got, mark, want)
			}
		}
	}
	for body, want := range map[string]string{"\ufeffa": "utf-8", "\xfe\xff\x00a": "utf-16", "\xff\xfea\x00": "utf-16"} {
		if got, mark := encoding([]byte(body)); got != want || !mark {
			t.Errorf("%q: %s, mark %t; want %s", body, got, mark, want)
		}
	}
}

// FuzzRecord checks that every capture has a record that can be encoded as JSON and is the
// same each time.
func FuzzRecord(f *testing.F) {
	for _, c := range captures {
		f.Add(c.URL, c.Status, c.Body)
	}
	f.Fuzz(func(t *testing.T, url string, status int, body []byte) {
		c := Capture{URL: url, Status: status, Body: body}
		first, err := json.Marshal(questions.Answer(c))
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := json.Marshal(questions.Answer(c)); !bytes.Equal(first, second) {
			t.Errorf("the records of the same capture differ:\n%s\n%s", first, second)
		}
	})
}
