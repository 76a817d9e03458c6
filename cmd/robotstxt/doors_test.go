package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// A verdictCase is a question about a file, and what all doors must answer. The first table of docs/deviations.md
// says how others read the lines, and the table of package crawlers has the operators' pages.
type verdictCase struct {
	about, file, agent, url string
	allowed                 bool
	codes                   string // of the notes, without those of hints: see verdictCase.hint
	hint                    string // a note that is only for people: near-miss or search-results
	plain                   string // the same file in a form that all read alike; empty if there is none
}

const all = "User-agent: *\n"

var verdictCases = []verdictCase{
	{"a rule", all + "Disallow: /\n", "FooBot", "/", false, "", "", ""},
	{"no rule", all + "Disallow: /x\n", "FooBot", "/", true, "", "", ""},
	{"no group", "User-agent: a\nDisallow: /\n", "FooBot", "/", true, "", "", ""},
	{"an empty file", "", "FooBot", "/", true, "", "", ""},
	{"robots.txt itself", all + "Disalow: /\n", "FooBot", "/robots.txt", true, "", "", ""},
	{"a misspelled key", all + "Disalow: /\n", "GPTBot", "/", false, "misspelled-key", "", all + "Disallow: /\n"},
	{"a misspelled key of an allow rule", all + "Disallow: /\nAllowed: /x\n", "GPTBot", "/x", true, "misspelled-key", "", all + "Disallow: /\nAllow: /x\n"},
	{"no colon", all + "Disallow /x\n", "GPTBot", "/x", false, "missing-colon", "", all + "Disallow: /x\n"},
	{"no slash", all + "Disallow: x\n", "FooBot", "/x", false, "path-without-slash", "", all + "Disallow: /x\n"},
	{"the second name", "User-agent: GPTBot, CCBot\nDisallow: /\n", "CCBot", "/", false, "several-names", "", "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"},
	{"the first name", "User-agent: GPTBot, CCBot\nDisallow: /\n", "GPTBot", "/", false, "", "", ""},
	{"a misspelled user-agent key", "User agent: GPTBot\nDisallow: /\n", "GPTBot", "/", false, "misspelled-key", "", "User-agent: GPTBot\nDisallow: /\n"},
	{"a user-agent line without a colon", "User-agent GPTBot\nDisallow: /\n", "GPTBot", "/", false, "missing-colon", "", "User-agent: GPTBot\nDisallow: /\n"},
	{"a header", "User-agent: Mozilla/5.0 (compatible; FooBot/1.2)\nDisallow: /\n", "FooBot", "/", false, "user-agent-header", "", "User-agent: FooBot\nDisallow: /\n"},
	{"a word in place of *", "User-agent: everyone\nDisallow: /\n", "everyone", "/", false, "unusable-token", "", ""},
	{"UTF-16", utf16(all + "Disallow: /\n"), "GPTBot", "/", false, "utf-16", "", all + "Disallow: /\n"},
	{"an index page", all + "Disallow: /\nAllow: /news/index.html\n", "FooBot", "/news/", true, "index-page", "", ""},
	{"a crawler that ignores *", all + "Disallow: /\n", "AdsBot-Google", "/", true, "ignores-star", "", ""},
	{"YandexBot follows Yandex", "User-agent: Yandex\nDisallow: /\n", "YandexBot", "/", false, "followed-group", "search-results", ""},
	{"Applebot follows Googlebot", "User-agent: Googlebot\nDisallow: /\n", "Applebot", "/", false, "followed-group", "search-results", ""},
	{"bingbot follows msnbot", "User-agent: msnbot\nDisallow: /\n", "bingbot", "/", false, "followed-group", "search-results", ""},
	{"a followed group with a misspelled key", "User-agent: Yandex\nDisalow: /\n", "YandexBot", "/", false, "followed-group misspelled-key", "search-results", "User-agent: Yandex\nDisallow: /\n"},
	{"a shortened name", "User-agent: Claude\nDisallow: /\n", "Claude-User", "/", false, "shortened-name", "", ""},
	{"three notes", "User-agent: GPTBot, Claude\nDisalow: /private/\n", "Claude-User", "/private/", false, "shortened-name misspelled-key several-names", "", "User-agent: GPTBot\nUser-agent: Claude\nDisallow: /private/\n"},
	{"another form", all + "Disallow: /private/\n", "FooBot", "/a/../private/x", true, "other-form", "", ""},
	{"a near miss", all + "Disallow: /Private/\n", "FooBot", "/private/", true, "", "near-miss", ""},
	{"a search engine", all + "Disallow: /\n", "Googlebot", "/", false, "", "search-results", ""},
	{"a misspelled agent", "User-agent: GPTBot\nDisallow: /\n" + all + "Disallow: /x\n", "gptbto", "/", true, "misspelled-agent", "", ""},
	{"translated keys", "Agente de usuario: *\nNo permitir: /private/\n", "FooBot", "/private/", true, "not-robots-txt", "", ""},
	{"an HTML page", "<!DOCTYPE html>\n<title>Log in</title>\n", "FooBot", "/", true, "not-robots-txt", "", ""},
	{"JSON", "{\"error\": 404}\n", "FooBot", "/", true, "not-robots-txt", "", ""},
}

func utf16(text string) string {
	encoded := "\xff\xfe"
	for _, c := range []byte(text) {
		encoded += string([]byte{c, 0})
	}
	return encoded
}

// A verdictDoor is a way to ask about a file. In its arguments, FILE is the robots.txt, OTHER an old version, AGENT
// and URL the question, and LOG, PAGE, LIST, YES and NO files that are about it.
type verdictDoor struct {
	args   string
	codes  func(c verdictCase) string // of the notes that the door prints
	status func(c verdictCase) int    // the exit status
	isFor  func(c verdictCase) bool   // whether the door can be asked this; nil for all
	paths  []string                   // the keys in the JSON below which its notes are; none for the whole JSON
}

// verdictDoors are the doors, by the name of the command. A command without a door that says notes gives the reason.
var verdictDoors = map[string][]verdictDoor{
	"check": {
		{args: "check --json --robots FILE --agent AGENT URL", codes: withHint, status: ifClosed},
		{args: "check --sitemap --json --robots FILE --agent AGENT LIST", codes: ofDisallowed, status: ifClosed, isFor: isPlainURL},
	},
	"tags": {{args: "tags --json --robots FILE --url URL --agent AGENT PAGE", codes: withHint, status: always(cli.ExitOK)}},
	"test": {
		{args: "test --json --robots FILE YES", codes: ofCaveats, status: always(cli.ExitOK), isFor: isRobots},
		{args: "test --json --robots FILE NO", codes: withHint, status: always(cli.ExitNo), isFor: isRobots},
		{args: "test --json --robots FILE YES", codes: none, status: always(cli.ExitError), isFor: isNoRobots},
	},
	"log": {{args: "log --json --robots FILE LOG", codes: ofDisallowed, status: always(cli.ExitOK), isFor: isPlainURL}},
	"ai":  {{args: "ai --json --agent AGENT FILE URL", codes: withoutHint, status: always(cli.ExitOK)}},
	"diff": {
		{args: "diff --json --agent AGENT OTHER FILE", codes: withoutHint, status: always(cli.ExitNo), isFor: hasPlain, paths: []string{"new"}},
		{args: "diff --json --agent AGENT FILE OTHER", codes: withoutHint, status: always(cli.ExitNo), isFor: hasPlain, paths: []string{"old"}},
		{args: "diff --json --agent AGENT FILE FILE", codes: none, status: always(cli.ExitOK), isFor: isRobots},
		{args: "diff --json --agent AGENT FILE FILE", codes: none, status: always(cli.ExitError), isFor: isNoRobots},
	},
	"show":  {{args: "show --json FILE", codes: ofLines, status: always(cli.ExitOK), isFor: hasPlain}},
	"lint":  {{args: "lint --json FILE", codes: ofLines, status: ofLint, isFor: hasPlain}},
	"sites": nil, // asks a server; see the end of TestVerdicts
	"serve": nil, // asks package engine; see the end of TestVerdicts
	"scan":  nil, // a record has the verdict without notes: reading the lines would double the time of scan --no-lint
}

func none(verdictCase) string            { return "" }
func withoutHint(c verdictCase) string   { return c.codes }
func withHint(c verdictCase) string      { return strings.TrimSpace(c.codes + " " + c.hint) }
func always(n int) func(verdictCase) int { return func(verdictCase) int { return n } }
func isRobots(c verdictCase) bool        { return c.codes != "not-robots-txt" }
func isNoRobots(c verdictCase) bool      { return !isRobots(c) }
func hasPlain(c verdictCase) bool        { return c.plain != "" }

// isPlainURL excludes the URL of robots.txt, which is no page, and URLs that get a count in place of a note.
func isPlainURL(c verdictCase) bool { return c.url != "/robots.txt" && c.codes != "other-form" }

func ifClosed(c verdictCase) int {
	if c.allowed {
		return cli.ExitOK
	}
	return cli.ExitNo
}

// ofDisallowed is for doors that list only disallowed requests.
func ofDisallowed(c verdictCase) string {
	if c.allowed {
		return ""
	}
	return c.codes
}

// ofCaveats is for expectations that hold.
func ofCaveats(c verdictCase) string {
	return filter(c.codes, func(code string) bool { return verdict.IsCaveat(reading.Note{Code: code}) })
}

// ofLines is for doors that are not about a crawler.
func ofLines(c verdictCase) string {
	return filter(c.codes, func(code string) bool { return reading.Effect(code) != "" })
}

func ofLint(c verdictCase) int {
	if strings.Contains(c.codes, "misspelled-key") || c.codes == "utf-16" {
		return cli.ExitNo
	}
	return cli.ExitOK
}

func filter(codes string, keep func(string) bool) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(codes), func(code string) bool { return !keep(code) }), " ")
}

// TestVerdicts tests that all commands and the page say the same about a verdict: what it is, the notes about it, and
// the exit status. The words are those of package verdict.
func TestVerdicts(t *testing.T) {
	for _, cmd := range newRootCommand().Commands() {
		if _, ok := verdictDoors[cmd.Name()]; !ok && !cmd.Hidden && cmd.Name() != "completion" && cmd.Name() != "help" {
			t.Errorf("the table verdictDoors has no row for robotstxt %s", cmd.Name())
		}
	}
	for _, c := range verdictCases {
		v := verdict.Parse([]byte(c.file)).Group(c.agent).Explain(c.url)
		if codes := codesOf(v.Notes); v.Allowed != c.allowed || codes != withHint(c) {
			t.Errorf("%s: package verdict says allowed %t, %q; want %t, %q", c.about, v.Allowed, codes, c.allowed, withHint(c))
		}
		for _, doors := range verdictDoors {
			for _, door := range doors {
				if door.isFor == nil || door.isFor(c) {
					c.testDoor(t, door, v)
				}
			}
		}
		c.testText(t, v)
		c.testSites(t, v)
		c.testPage(t, v)
	}
}

func codesOf(notes []reading.Note) string {
	var codes []string
	for _, n := range notes {
		codes = append(codes, n.Code)
	}
	return strings.Join(codes, " ")
}

func (c verdictCase) args(t *testing.T, line string) []string {
	verb, opposite := "disallow", "allow"
	if c.allowed {
		verb, opposite = opposite, verb
	}
	t.Chdir(clitest.Folder(t, map[string]string{
		"robots.txt": c.file, "other.txt": c.plain, "page.html": "<title>Tea</title>", "list.txt": "https://shop.example" + c.url + "\n",
		"x.log": clitest.LogLine("192.0.2.1", "2026-11-01", c.url, c.agent), "yes.test": fmt.Sprintf("%s %s %s\n", verb, c.agent, c.url),
		"no.test": fmt.Sprintf("%s %s %s\n", opposite, c.agent, c.url),
	}))
	return strings.Fields(strings.NewReplacer("FILE", "robots.txt", "OTHER", "other.txt", "AGENT", c.agent, "URL", c.url,
		"LOG", "x.log", "PAGE", "page.html", "LIST", "list.txt", "YES", "yes.test", "NO", "no.test").Replace(line))
}

// testDoor compares the codes of the notes that a door prints as JSON, and the exit status.
func (c verdictCase) testDoor(t *testing.T, door verdictDoor, v verdict.Verdict) {
	stdout, stderr, status := runWith("", c.args(t, door.args)...)
	if want := door.status(c); status != want {
		t.Errorf("%s: %s: status %d, want %d; standard error %q, output %s", c.about, door.args, status, want, stderr, stdout)
	}
	notes := notesIn(t, stdout, door.paths...)
	if strings.HasPrefix(door.args, "lint") {
		for _, n := range notes {
			if !strings.Contains(n.Text, reading.Effect(n.Code)) {
				t.Errorf("%s: lint says %q", c.about, n.Text)
			}
		}
		notes = slices.DeleteFunc(notes, func(n reading.Note) bool { return reading.Effect(n.Code) == "" })
		c.compare(t, door.args, sorted(door.codes(c)), sorted(codesOf(notes)))
		return
	}
	c.compare(t, door.args, sorted(door.codes(c)), sorted(codesOf(notes)))
	c.compareTexts(t, door.args, notes, v)
}

func (c verdictCase) compare(t *testing.T, door, want, got string) {
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s: (-want +got)\n%s", c.about, door, diff)
	}
}

// compareTexts tests that notes are those of the verdict.
func (c verdictCase) compareTexts(t *testing.T, door string, notes []reading.Note, v verdict.Verdict) {
	for _, n := range notes {
		if !slices.Contains(v.Notes, n) {
			t.Errorf("%s: %s says %q, the verdict %q", c.about, door, n, v.Notes)
		}
	}
}

// sorted returns each code once.
func sorted(codes string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(strings.Fields(codes)))), " ")
}

// notesIn returns the notes, or the findings of lint, that are in JSON, below the keys if there are any.
func notesIn(t *testing.T, text string, keys ...string) (notes []reading.Note) {
	var walk func(value any, isIn bool)
	walk = func(value any, isIn bool) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				walk(v, isIn)
			}
		case map[string]any:
			code, isNote := value["code"].(string)
			if isNote && isIn {
				notes = append(notes, reading.Note{Code: code, Text: value["text"].(string)})
			}
			for key, v := range value {
				walk(v, isIn || slices.Contains(keys, key))
			}
		}
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		var value any
		if json.Unmarshal([]byte(line), &value) != nil {
			if err := json.Unmarshal([]byte(text), &value); err != nil && text != "" {
				t.Errorf("%s: %v", text, err)
			}
			walk(value, len(keys) == 0)
			break
		}
		walk(value, len(keys) == 0)
	}
	return notes
}

// testText tests that commands print the verdict and its notes as text.
func (c verdictCase) testText(t *testing.T, v verdict.Verdict) {
	for _, line := range []string{"check --robots FILE --agent AGENT URL", "tags --robots FILE --url URL --agent AGENT PAGE", "test --robots FILE NO"} {
		if strings.HasPrefix(line, "test") && !isRobots(c) {
			continue
		}
		stdout, stderr, _ := runWith("", c.args(t, line)...)
		text := strings.Join(strings.Fields(stdout), " ")
		outcome := v.Outcome()
		if strings.HasPrefix(line, "tags") {
			outcome = map[bool]string{true: "fetch yes", false: "fetch no"}[v.Allowed]
		}
		if why := strings.Join(strings.Fields(v.Why()), " "); !strings.Contains(text, outcome) || !strings.Contains(text, why) {
			t.Errorf("%s: %s: no %q and %q in %q", c.about, line, outcome, why, text)
		}
		if said := v.Note(verdict.MisspelledAgent); !strings.Contains(stderr, said) {
			t.Errorf("%s: %s: no %q in %q", c.about, line, said, stderr)
		}
		if said := v.Note(verdict.SearchResults); strings.HasPrefix(line, "check") && strings.Count(text, "search results") > 1 || !strings.Contains(text, said) && strings.HasPrefix(line, "check") {
			t.Errorf("%s: %s: not once %q in %q", c.about, line, said, text)
		}
	}
}

// testSites tests the note of sites, which is about the home page and its crawlers.
func (c verdictCase) testSites(t *testing.T, v verdict.Verdict) {
	crawler, _ := crawlers.Lookup(c.agent)
	if c.url != "/" || !crawler.AI && c.agent != "Googlebot" && c.agent != "bingbot" {
		return
	}
	server := httptest.NewServer(clitest.Writes(c.file))
	defer server.Close()
	for _, format := range []string{"--json", "--csv", "--json=false"} {
		stdout, stderr, status := runWith("", "sites", format, server.URL)
		text := strings.ReplaceAll(strings.ReplaceAll(strings.Join(strings.Fields(stdout), " "), `\"`, `"`), `""`, `"`)
		for _, n := range v.Caveats() {
			if !strings.Contains(text, n.Text) {
				t.Errorf("%s: sites %s: no %q in %s", c.about, format, n.Text, text)
			}
		}
		if stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: sites %s: status %d, standard error %q", c.about, format, status, stderr)
		}
	}
}

// testPage tests what the page shows.
func (c verdictCase) testPage(t *testing.T, v verdict.Verdict) {
	ask := func(request engine.Request) string {
		data, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		return string(engine.Answer(data, ""))
	}
	if strings.HasPrefix(c.file, "\xff") {
		return // an editor has no UTF-16
	}
	if c.codes == verdict.MisspelledAgent {
		return // the page says so above its table, once for all URLs
	}
	answer := ask(engine.Request{Op: "decide", Text: c.file, URLs: []string{c.url}, Agents: []string{c.agent}})
	notes := notesIn(t, answer)
	c.compare(t, "decide", sorted(withHint(c)), sorted(codesOf(notes)))
	c.compareTexts(t, "decide", notes, v)
	var decided struct {
		Decisions []struct {
			Allowed bool
			Why     string
		}
	}
	if err := json.Unmarshal([]byte(answer), &decided); err != nil || decided.Decisions[0].Allowed != c.allowed || decided.Decisions[0].Why != v.String() {
		t.Errorf("%s: decide: %s, %v", c.about, answer, err)
	}
	if hasPlain(c) {
		notes := notesIn(t, ask(engine.Request{Op: "compare", Text: c.file, Before: &c.plain}), "new")
		c.compare(t, "compare", sorted(ofLines(c)), sorted(filter(codesOf(notes), func(code string) bool { return reading.Effect(code) != "" })))
	}
	if crawler, _ := crawlers.Lookup(c.agent); crawler.AI && hasPlain(c) {
		notes := notesIn(t, ask(engine.Request{Op: "review", Text: c.file, URL: c.url}), "ai")
		if got := codesOf(notes); !strings.Contains(got, strings.Fields(c.codes)[0]) {
			t.Errorf("%s: review: no %q in %q", c.about, c.codes, got)
		}
	}
}
