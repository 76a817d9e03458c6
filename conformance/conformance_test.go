package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/conformance/internal/wire"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

const testdata = "../testdata"

func topics(t *testing.T) []topic {
	t.Helper()
	list, err := readTopics(testdata)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func resolvedSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func validate(t *testing.T, s *jsonschema.Resolved, data []byte) error {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// TestExport tests that the exported files fit the schema, and that they contain the topics
// unchanged.
func TestExport(t *testing.T) {
	folder := t.TempDir()
	var out, errs bytes.Buffer
	if status := command([]string{"export", "-testdata", testdata, folder}, nil, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	s := resolvedSchema(t)
	list := topics(t)
	if want := fmt.Sprintf("%s: %d topics\n", folder, len(list)); out.String() != want {
		t.Errorf("got output %q, want %q", &out, want)
	}
	for _, want := range list {
		data, err := os.ReadFile(filepath.Join(folder, want.Topic+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, data); err != nil {
			t.Errorf("%s: %v", want.Topic, err)
		}
		var got topic
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%s: %v", want.Topic, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", want.Topic, diff)
		}
	}
	if data, err := os.ReadFile(filepath.Join(folder, "suite.schema.json")); err != nil || !bytes.Equal(data, schema) {
		t.Errorf("the schema was not exported: %v", err)
	}
}

// TestSchema tests that the schema rejects mistakes. Each row makes one replacement in a
// topic that fits the schema.
func TestSchema(t *testing.T) {
	const good = `{"topic": "ours/a-b", "level": "ours", "shows": "x", "source": "y", "cases": [
		{"id": "ours/a-b.txt:5", "robots": {"base64": "/w=="}, "status": 404, "sitemaps": [], "questions": [
			{"id": "ours/a-b.txt:9", "agent": "a", "url": "/", "verdict": "allow", "line": 1, "tags": ["bytes"]},
			{"id": "ours/a-b.txt:9", "agent": "a", "url": "/", "verdict": "either", "ours": "disallow"}],
			"crawl_delays": [{"agent": "a", "seconds": null}, {"agent": "b", "seconds": 0.5}]},
		{"id": "ours/a-b.txt:11", "locations": [{"url": "x", "location": null}]},
		{"id": "ours/a-b.txt:12", "covers": [{"robots_url": "x", "url": "x", "covers": true}]}]}`
	s := resolvedSchema(t)
	if err := validate(t, s, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, old, new string }{
		{"another field", `"shows"`, `"more": 1, "shows"`},
		{"another field of a case", `"status"`, `"more": 1, "status"`},
		{"another field of a question", `"line"`, `"more": 1, "line"`},
		{"folder", `"ours/a-b"`, `"mine/a-b"`},
		{"level", `"level": "ours"`, `"level": "mine"`},
		{"no source", `"source": "y", `, ``},
		{"empty source", `"source": "y"`, `"source": ""`},
		{"place", `ours/a-b.txt:5`, `ours/a-b:5`},
		{"line 0", `"line": 1`, `"line": 0`},
		{"Base64", `/w==`, `/w=`},
		{"verdict", `"verdict": "allow"`, `"verdict": "yes"`},
		{"either without ours", `, "ours": "disallow"`, ``},
		{"ours without either", `"verdict": "either"`, `"verdict": "allow"`},
		{"tag", `"bytes"`, `"bits"`},
		{"status without questions", `"questions"`, `"note": "x", "que"`},
		{"no robots", `"robots": {"base64": "/w=="}, `, ``},
		{"a case without any expectation", `, "covers": [{"robots_url": "x", "url": "x", "covers": true}]`, ``},
		{"delay", `0.5`, `-0.5`},
		{"location", `"location": null`, `"location": 1`},
		{"covers", `"covers": true`, `"covers": "yes"`},
	} {
		bad := strings.Replace(good, test.old, test.new, 1)
		if bad == good {
			t.Errorf("%s: the topic does not contain %q", test.name, test.old)
		}
		if validate(t, s, []byte(bad)) == nil {
			t.Errorf("%s: the schema accepts the mistake", test.name)
		}
	}
}

// TestEverythingExported tests that every row of testdata is exported. For rows that the
// command run does not ask about, it also tests the expectations with this module.
func TestEverythingExported(t *testing.T) {
	cases, err := casefile.ReadProtocol(testdata)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int{}, map[string]int{}
	for _, c := range cases {
		for _, s := range c.Sections {
			want[s.Name] += len(s.Rows)
			for _, row := range s.Rows {
				if row.Either {
					want["either"]++
				}
			}
		}
	}
	for _, topic := range topics(t) {
		for _, c := range topic.Cases {
			countCase(got, c)
			checkCase(t, c)
		}
	}
	for _, name := range []string{"reasons", "chosen", "groups", "records", "tokens"} {
		delete(want, name) // these concern only the API of this module
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("number of rows in each section (-want +got)\n%s", diff)
	}
}

func countCase(n map[string]int, c caseData) {
	for _, q := range c.Questions {
		if len(q.Tags) > 0 && q.Tags[0] == "status" {
			n["status"]++
		} else {
			n["want"]++
		}
		if q.Verdict == "either" {
			n["either"]++
		}
	}
	if c.Sitemaps != nil {
		n["sitemaps"] += len(*c.Sitemaps)
	}
	n["crawl-delay"] += len(c.CrawlDelays)
	n["locations"] += len(c.Locations)
	n["covers"] += len(c.Covers)
}

func checkCase(t *testing.T, c caseData) {
	if c.Robots != nil {
		file := robotstxt.Parse([]byte(*c.Robots))
		if c.Sitemaps != nil {
			sitemaps := []wire.Octets{}
			for _, s := range file.Sitemaps() {
				sitemaps = append(sitemaps, wire.Octets(s))
			}
			if diff := cmp.Diff(*c.Sitemaps, sitemaps); diff != "" {
				t.Errorf("%s: sitemaps (-want +got)\n%s", c.ID, diff)
			}
		}
		for _, d := range c.CrawlDelays {
			delay, ok := file.Group(string(d.Agent)).CrawlDelay()
			if ok != (d.Seconds != nil) || ok && delay.Seconds() != *d.Seconds {
				t.Errorf("%s: crawl-delay of %q is %v, %v; want %v", c.ID, d.Agent, delay, ok, d.Seconds)
			}
		}
	}
	for _, l := range c.Locations {
		got, err := robotstxt.Location(string(l.URL))
		if (err == nil) != (l.Location != nil) || err == nil && got != *l.Location {
			t.Errorf("%s: Location(%q) = %q, %v, but the suite expects another result", c.ID, l.URL, got, err)
		}
	}
	for _, v := range c.Covers {
		if got := robotstxt.Covers(string(v.RobotsURL), string(v.URL)); got != v.Covers {
			t.Errorf("%s: Covers(%q, %q) = %v, want %v", c.ID, v.RobotsURL, v.URL, got, v.Covers)
		}
	}
}

// TestIDs tests that no two questions have the same ID.
func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, topic := range topics(t) {
		for _, c := range topic.Cases {
			for _, q := range c.Questions {
				if seen[q.ID] {
					t.Errorf("two questions have the ID %s", q.ID)
				}
				seen[q.ID] = true
			}
		}
	}
}

func TestTags(t *testing.T) {
	const plain = "User-agent: *\nDisallow: /a # * %\n"
	for _, test := range []struct {
		robots, agent, url, want string
	}{
		{plain, "foobot", "https://example.com/a", ""},
		{plain, "MJ12bot", "https://example.com/a", ""},
		{plain, "foobot/1.0", "https://example.com/a", "agent"},
		{plain, "", "https://example.com/a", "agent"},
		{plain, "AZaz09-_.", "https://example.com/a", ""},
		{plain, "a/", "https://example.com/a", "agent"},
		{plain, "a:", "https://example.com/a", "agent"},
		{plain, "a@", "https://example.com/a", "agent"},
		{plain, "a[", "https://example.com/a", "agent"},
		{plain, "a`", "https://example.com/a", "agent"},
		{plain, "a{", "https://example.com/a", "agent"},
		{plain, "a b", "https://example.com/a", "agent"},
		{plain, "\u00e4", "https://example.com/a", "agent"},
		{plain, "foobot", "https://example.com/\x7f", "escapes"},
		{plain, "foobot", "https://example.com/~", ""},
		{plain, "foobot", "https://example.com/!", ""},
		{plain, "foobot", "example.com/a", "relative"},
		{plain, "foobot", "https://example.com/%41", "escapes"},
		{plain, "foobot", "https://example.com/ä", "escapes"},
		{plain, "foobot", "https://example.com/ ", "escapes"},
		{plain, "foobot", "https://example.com/\xff", "bytes escapes"},
		{plain + "\xff", "foobot", "https://example.com/", "bytes"},
		{plain + "Allow: /%41", "foobot", "https://example.com/", "escapes"},
		{plain + "Allow: /*b", "foobot", "https://example.com/", "wildcards"},
		{plain + "Allow: /b$", "foobot", "https://example.com/", "wildcards"},
	} {
		if got := strings.Join(tagsOf([]byte(test.robots), test.agent, test.url), " "); got != test.want {
			t.Errorf("robots.txt %q, agent %q, URL %q: got tags %q, want %q", test.robots, test.agent, test.url, got, test.want)
		}
	}
}

func TestAbsolute(t *testing.T) {
	for url, want := range map[string]string{
		"/":               "https://www.example.com/",
		"/a?b#c":          "https://www.example.com/a?b#c",
		"//example.com/a": "//example.com/a",
		"":                "",
		"example.com/a":   "example.com/a",
		"https://a/b":     "https://a/b",
	} {
		if got := absolute(url); got != want {
			t.Errorf("absolute(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestOctets(t *testing.T) {
	for octets, want := range map[wire.Octets]string{
		"":          `""`,
		"a<ツ\x00":   `"a<ツ\u0000"`,
		"\ufffd":    `"�"`,
		"a\xff\xfe": `{"base64":"Yf/+"}`,
	} {
		data, err := wire.Marshal(octets)
		if err != nil || string(data) != want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", octets, data, err, want)
		}
		var again wire.Octets
		if err := json.Unmarshal(data, &again); err != nil || again != octets {
			t.Errorf("Unmarshal(%s) = %q, %v; want %q", data, again, err, octets)
		}
	}
	var o wire.Octets
	for _, bad := range []string{`1`, `{"base64": "?"}`, `["a"]`} {
		if json.Unmarshal([]byte(bad), &o) == nil {
			t.Errorf("Unmarshal(%s) returned no error", bad)
		}
	}
}

// TestReadme tests the examples of README.md.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, _ := strings.Cut(string(text), "```json\n")
	sample, _, _ = strings.Cut(sample, "```")
	var got topic
	if err := json.Unmarshal([]byte(sample), &got); err != nil {
		t.Fatal(err)
	}
	want := topicNamed(t, got.Topic)
	want.Cases[0].Questions = want.Cases[0].Questions[:1]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the part of a file in README.md (-want +got)\n%s", diff)
	}

	var lines, tags []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `    {"id"`) {
			lines = append(lines, strings.TrimSpace(line))
		}
		if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "` | "); ok && !strings.Contains(cell, " ") {
			tags = append(tags, cell)
		}
	}
	if diff := cmp.Diff(tagNames, tags); diff != "" {
		t.Errorf("the tags in README.md (-want +got)\n%s", diff)
	}
	if len(lines) != 2 {
		t.Fatalf("README.md shows the lines %q, want a question and an answer", lines)
	}
	var out bytes.Buffer
	quiet := func(q wire.Question) wire.Answer { return wire.Answer{Verdict: answer(q).Verdict} }
	if err := wire.Serve(strings.NewReader(lines[0]), &out, quiet); err != nil || out.String() != lines[1]+"\n" {
		t.Errorf("got answer %q, %v; want %q", &out, err, lines[1])
	}
	checkQuestion(t, lines[0])
}

// checkQuestion tests that the suite contains a question.
func checkQuestion(t *testing.T, line string) {
	t.Helper()
	for _, topic := range topics(t) {
		for _, c := range topic.Cases {
			for _, q := range c.Questions {
				if data, err := wire.Marshal(wireQuestion(c, q)); err == nil && string(data) == line {
					return
				}
			}
		}
	}
	t.Errorf("the suite does not ask %s", line)
}
