package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/scan"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/survey"
	"github.com/spf13/cobra"
)

// schemas is the folder of the JSON schemas.
const schemas = "../../docs/json"

// jsonOutputs lists the outputs that are JSON. Each has a schema in the folder schemas.
var jsonOutputs = []struct {
	name    string // of the schema
	command string
	about   string
	infer   func(*jsonschema.ForOptions) (*jsonschema.Schema, error)
}{
	{"ai", "robotstxt ai --json", "What a robots.txt file lets AI crawlers do with a page.", inferAI},
	{"check", "robotstxt check --json", "A line of this form for each URL and each crawler.", jsonschema.For[verdictView]},
	{"check-archive", "robotstxt check --archive", "A line of this form for each URL and each crawler.", inferArchive},
	{"diff", "robotstxt diff --json", "What changes between two robots.txt files, for any URL. Crawlers with the same changes are listed together.", jsonschema.For[diffView]},
	{"lint", "robotstxt lint --json", "A line of this form for each finding.", jsonschema.For[findingView]},
	{"log", "robotstxt log --json", "What crawlers did, according to access logs. Times are in UTC.", jsonschema.For[accesslog.Report]},
	{"scan", "robotstxt scan --json", "Many robots.txt files, summed up. The documentation of survey.Summary describes the keys.", inferScan},
	{"scan-records", "robotstxt scan --records", "A line of this form for each file. The documentation of package survey describes the keys.", jsonschema.For[survey.Record]},
	{"show", "robotstxt show --json", "A robots.txt file as crawlers understand it.", jsonschema.For[fileView]},
	{"tags", "robotstxt tags --json", "What robots.txt, headers and meta tags say about a page.", inferTags},
	{"test", "robotstxt test --json", "The expectations that a robots.txt file fails.", jsonschema.For[testView]},
}

// inferTags lets the reason be empty, as for a page without a robots.txt file.
func inferTags(o *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[tagsJSON](o)
	if err == nil {
		mayBeEmpty(s.Properties["crawlers"].Items.Properties["reason"])
	}
	return s, err
}

// inferAI lets the properties be empty that a crawler that is not listed, or an unknown
// preference, does not have.
func inferAI(o *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[aiJSON](o)
	if err == nil {
		agent := s.Properties["agents"].Items.Properties
		mayBeEmpty(agent["claim"], agent["status"])
		for _, preference := range []*jsonschema.Schema{agent["training"], agent["search"], agent["input"], agent["other"].AdditionalProperties} {
			mayBeEmpty(preference.Properties["mechanism"])
		}
	}
	return s, err
}

// inferArchive has the keys that an archiveChecker writes by hand.
func inferArchive(o *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[struct {
		URL     string           `json:"url"`
		Agent   string           `json:"agent"`
		Allowed *bool            `json:"allowed" jsonschema:"null if the archives do not answer the question"`
		Reason  robotstxt.Reason `json:"reason"`
		Token   string           `json:"token" jsonschema:"the name of the group that applies; empty if no group does"`
		Line    int              `json:"line" jsonschema:"the line number of the rule that decides; 0 if no rule does"`
		Rule    string           `json:"rule" jsonschema:"the rule that decides; empty if no rule does"`
		Capture *captureView     `json:"capture" jsonschema:"the capture of the robots.txt; null if there is none"`
	}](o)
	if err == nil {
		reason := s.Properties["reason"]
		reason.Enum = append(reason.Enum, oneOf(noCapture, isTruncated, isUndecoded, isRedirect).Enum...)
	}
	return s, err
}

// inferScan adds the key that only files of --out have.
func inferScan(o *jsonschema.ForOptions) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[survey.Summary](o)
	if err != nil {
		return nil, err
	}
	state, err := jsonschema.For[scan.State](o)
	if err == nil {
		state.Description = "in files of --out: the input and the questions that the summary is about"
		s.Properties["scan"], s.PropertyOrder = state, append(s.PropertyOrder, "scan")
	}
	return s, err
}

func mayBeEmpty(list ...*jsonschema.Schema) {
	for _, s := range list {
		s.Enum = append(s.Enum, "")
	}
}

// schemaOptions contains the schemas of types that are strings with few values.
var schemaOptions = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[robotstxt.Reason](): oneOf(robotstxt.RuleMatched, robotstxt.NoRuleMatched, robotstxt.NoGroup,
		robotstxt.RobotsTxt, robotstxt.FileUnavailable, robotstxt.FileUnreachable),
	reflect.TypeFor[crawlers.Purpose]():   oneOf(crawlers.Training, crawlers.Search, crawlers.Input, crawlers.User, crawlers.Other),
	reflect.TypeFor[accesslog.Identity](): oneOf(accesslog.Unknown, accesslog.Verified, accesslog.Forged),
	reflect.TypeFor[accesslog.Time]():     {Types: []string{"null", "string"}, Format: "date-time"},
	reflect.TypeFor[aipref.Claim]():       oneOf(aipref.Heeds, aipref.MayIgnore, aipref.NoClaim),
	reflect.TypeFor[aipref.Status]():      oneOf(aipref.Documented, aipref.Undocumented, aipref.Retired),
	reflect.TypeFor[aipref.Mechanism](): oneOf(aipref.ContentUsage, aipref.ContentUsageHeader, aipref.ContentSignal,
		aipref.ContentSignalHeader, aipref.AllowAITraining, aipref.DisallowAITraining),
	reflect.TypeFor[lint.Severity]():   oneOf(lint.Error, lint.Warning, lint.Info),
	reflect.TypeFor[survey.Place]():    oneOf(survey.Site, survey.OtherURL, survey.UnknownPlace),
	reflect.TypeFor[survey.Access]():   oneOf(survey.File, survey.Redirected, survey.NotModified, survey.Unavailable, survey.Unreachable),
	reflect.TypeFor[survey.Content]():  oneOf("", survey.RobotsTxt, survey.HTML, survey.OtherContent, survey.Empty, survey.Undecoded),
	reflect.TypeFor[survey.Encoding](): oneOf("", survey.ASCII, survey.UTF8, survey.UTF16, survey.OtherEncoding),
	reflect.TypeFor[survey.Coverage](): oneOf(survey.All, survey.None, survey.Some, survey.Undecided),
}}

func oneOf[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// TestSchemas infers the schemas from the types that commands print.
func TestSchemas(t *testing.T) {
	for _, o := range jsonOutputs {
		s, err := o.infer(schemaOptions)
		if err != nil {
			t.Fatal(err)
		}
		s.Schema, s.Title, s.Description = "https://json-schema.org/draft/2020-12/schema", o.command, o.about
		walkSchema("", s, func(_ string, s *jsonschema.Schema) { forbidNull(s) })
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("..", schemas, o.name+".schema.json"), string(text)+"\n")
	}
}

// forbidNull forbids null in places where encoding/json could print it, but commands do not:
// for a list, in a list, and where the key could be missing.
func forbidNull(s *jsonschema.Schema) {
	notNull := func(s *jsonschema.Schema) {
		if s != nil && len(s.Types) == 2 {
			s.Type, s.Types = s.Types[1], nil
		}
	}
	if slices.Contains(s.Types, "array") {
		notNull(s)
		notNull(s.Items)
	}
	for name, property := range s.Properties {
		if !slices.Contains(s.Required, name) {
			notNull(property)
		}
	}
	notNull(s.AdditionalProperties)
}

// walkSchema calls visit for a schema and all schemas in it, each with its place.
func walkSchema(place string, s *jsonschema.Schema, visit func(place string, s *jsonschema.Schema)) {
	if s == nil || s.Not != nil { // nothing may be there
		return
	}
	visit(place, s)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		walkSchema(place+"."+name, s.Properties[name], visit)
	}
	walkSchema(place+"[]", s.Items, visit)
	walkSchema(place+"{}", s.AdditionalProperties, visit)
}

func readSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(schemas, name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// A jsonRun is a run of a command.
type jsonRun struct {
	stdin, args string
	file        string // the file with the output; empty for standard output
}

// output returns what the run prints.
func (r jsonRun) output(t *testing.T, command string) string {
	t.Helper()
	stdout, stderr, _ := runWith(r.stdin, append(strings.Fields(command)[1:], strings.Fields(r.args)...)...)
	if r.file != "" {
		text, err := os.ReadFile(r.file)
		if err != nil {
			t.Fatal(err)
		}
		stdout = string(text)
	}
	if stdout == "" {
		t.Errorf("%s %s prints nothing: %s", command, r.args, stderr)
	}
	return stdout
}

// jsonRuns returns runs that together print every key of the schemas.
func jsonRuns(t *testing.T) map[string][]jsonRun {
	site, other := newSite(t, writes(robotsTxt)), newSite(t, writes("<!DOCTYPE html>"))
	ranges := filepath.Join(t.TempDir(), "bingbot.json")
	write(t, ranges, googleList)
	visits := logLine("198.51.100.1", "2026-11-01", "/robots.txt", "bingbot/2.0") + logLine("192.0.2.1", "2026-11-01", "/archive/1", "FooBot/1.0") + logLine("192.0.2.1", "2026-11-02", "/", "FooBot/1.0")
	hard := "User-agent: *\nAllow: /" + strings.Repeat("a*", 29_999) + "a\n"
	harder := newFile(t, hard+"Disallow: /"+strings.Repeat("a", 30_000)+"\n")
	capture := func(path string, status int, header, body string) string {
		return string(warctest.Response("https://shop.example"+path, time.Unix(1e9, 0), status, header, []byte(body)))
	}
	page := capture("/robots.txt", 200, "", "User-agent: *\nCrawl-delay: 1\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nNosuch: x\nDisallow: /tea\nSitemap: https://shop.example/s.xml\n")
	dir, out := folder(t, map[string]string{
		"a.warc": string(warctest.Record("warcinfo", "", nil)) + page + capture("/old", 302, "Location: /r\r\n", "") + page[:len(page)-20],
		"b.txt":  "<html>", "c.md": "",
	}), t.TempDir()
	large := numbered("User-agent: a#\n", 300) + "Host: " + strings.Repeat("b", 60_000) + "\nAllow: /\n" + numbered("User-agent: a#\nDisallow: /#\n", 300)
	return map[string][]jsonRun{
		"ai": {
			{args: preferences},
			{args: "--agent GPTBot --agent NosuchBot " + sample + " /basket"},
			{stdin: "User-agent: OpenAI\nDisallow: /\n", args: "-"},
		},
		"lint": {
			{args: mistakes},
			{stdin: "User-agent: *\nDisallow: /bcd\nDisallow: /bcd\n", args: "-"},
		},
		"scan": {
			{args: sample + " " + preferences},
			{args: "--agent GPTBot " + dir},
			{args: "--summary --out " + out + "/1 " + dir, file: filepath.Join(out, "1", dir) + ".summary.json"},
			{args: "--out " + out + "/2 --agent FooBot --path /x " + dir, file: filepath.Join(out, "2", dir, "a.warc.summary.json")},
		},
		"scan-records": {
			{args: sample + " " + preferences},
			{args: "--agent GPTBot --agent * --path /x " + dir},
		},
		"show": {
			{args: sample},
			{args: preferences},
			{stdin: "Disallow: /\nUser-agent: *\nDisallow: /\n", args: "-"},
			{stdin: large, args: "-"},
		},
		"check": {
			{args: "--agent @search --robots " + sample + " /tea /basket /robots.txt"},
			{args: site.URL + "/private " + other.URL + "/x"},
			{args: "--robots " + site.URL + "/none /x"},
			{args: "--robots " + site.URL + "/busy /x"},
		},
		"check-archive": {
			{args: filepath.Join(dir, "a.warc") + " --agent GPTBot --agent * https://shop.example/tea https://shop.example/ https://w.example/"},
		},
		"diff": {
			{args: sample + " " + sample},
			{args: "--examples 1 " + preferences + " " + sample},
			{stdin: hard, args: "- " + harder},
			{stdin: hard, args: harder + " -"},
		},
		"log": {
			{args: "--robots " + sample + " " + samples + "nginx.log " + samples + "caddy.jsonl"},
			{stdin: visits, args: "--robots " + sample + " --ip-ranges " + ranges + " -"},
			{args: "--robots " + sample + " -"},
			{stdin: logLine("192.0.2.1", "2026-11-01", "/", "GPTBot"), args: "--robots " + newFile(t, "User-agent: *\nDissallow: /\n") + " -"},
		},
		"tags": {
			{args: "--robots " + site.URL + "/robots.txt --url /private --agent a --agent FooBot " + tagged},
			{stdin: "<p>", args: "-"},
		},
		"test": {
			{stdin: "allow * /\nallow GPTBot /x\ndelay * 1\nsitemap https://shop.example/\n", args: "--robots " + newFile(t, expectRobots) + " -"},
			{args: "--robots " + sample + " testdata/expectations.txt"},
		},
	}
}

// TestJSONFollowsSchemas validates the output of commands, and tests that the runs print
// every key with a value other than null.
func TestJSONFollowsSchemas(t *testing.T) {
	runs := jsonRuns(t)
	for _, o := range jsonOutputs {
		schema := readSchema(t, o.name)
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
		printed := map[*jsonschema.Schema]bool{}
		for _, r := range runs[o.name] {
			for values := json.NewDecoder(strings.NewReader(r.output(t, o.command))); ; {
				var v any
				if err := values.Decode(&v); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s %s: %v", o.command, r.args, err)
				}
				if err := resolved.Validate(v); err != nil {
					t.Errorf("%s %s: %v", o.command, r.args, err)
				}
				markPrinted(printed, schema, v)
			}
		}
		walkSchema(o.name, schema, func(place string, s *jsonschema.Schema) {
			if !printed[s] {
				t.Errorf("no run prints %s", place)
			}
		})
	}
}

// markPrinted marks the parts of a schema for which there is a value.
func markPrinted(printed map[*jsonschema.Schema]bool, s *jsonschema.Schema, v any) {
	if s == nil || v == nil {
		return
	}
	printed[s] = true
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			markPrinted(printed, s.Items, item)
		}
	case map[string]any:
		for key, value := range v {
			markPrinted(printed, cmp.Or(s.Properties[key], s.AdditionalProperties), value)
		}
	}
}

// TestSchemasAreComplete tests that each command with --json has a schema, that the README of
// the folder lists all schemas, and that all keys are in snake_case.
func TestSchemasAreComplete(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(schemas, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	snakeCase := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	var names, commands []string
	for _, o := range jsonOutputs {
		names = append(names, filepath.Join(schemas, o.name+".schema.json"))
		commands = append(commands, o.command)
		if !bytes.Contains(readme, []byte("| `"+o.command+"` | ["+o.name+".schema.json]("+o.name+".schema.json) |")) {
			t.Errorf("the README has no line about %s", o.command)
		}
		walkSchema(o.name, readSchema(t, o.name), func(place string, s *jsonschema.Schema) {
			for key := range s.Properties {
				if !snakeCase.MatchString(key) {
					t.Errorf("%s.%s is not in snake_case", place, key)
				}
			}
		})
	}
	files, err := filepath.Glob(schemas + "/*.json")
	if slices.Sort(names); err != nil || !slices.Equal(files, names) {
		t.Errorf("files %q, want %q", files, names)
	}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if name := c.CommandPath() + " --json"; c.Flags().Lookup("json") != nil && !slices.Contains(commands, name) {
			t.Errorf("%s has no schema", name)
		}
	}
	visit(newRootCommand())
}
