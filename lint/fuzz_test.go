package lint_test

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/lint"
)

// pieces are strings that mean something to the parser, the checks or the formatter. From
// them, compose builds files that are more useful than a fuzzer's random bytes.
var pieces = []string{
	"User-agent: ", "useragent:", "User-agent *", "Allow: /", "Allow:", "Disallow: /", "Disallow: ", "dissallow:/", "Disallow /",
	"Sitemap: ", "Sitemap: https://example.com/s.xml", "Crawl-delay: ", "Crawl-delay: 5", "Host: a", "Noindex: /", "content-signal: ", "Content-Usage: /a ", "License: ",
	"\n", "\n", "\n", "\r", "\r\n", "\n\n", "# a", " # b", "#", "a", "b", "A", "foo", "Foo", "FooBot/1.2", "Mozilla/5.0 (compatible; a)", "-bar", "/", "/a", "/b/",
	"*", "**", "$", "?", ":", "：", "://", ",", "(", ")", " ", "\t", "=", "yes", "search=no", "train-ai=n", "%", "%2A", "%24", "%61", "ツ", "%zz",
	"index.html", "/index.htm", ".", "junk", "<html>", "{{x}}", "1.5", "\x00", "\xff", "\xfe", "\xff\xfe", "\u200b", "\ufeff", "\u00a0", "K", "ſ", "а", "[", "|", "\\", "^",
}

func compose(picks []byte) []byte {
	var text bytes.Buffer
	for _, p := range picks {
		text.WriteString(pieces[int(p)%len(pieces)])
	}
	return text.Bytes()
}

func addCases(f *testing.F) {
	for _, c := range readCases(f) {
		if len(c.Robots) < 10000 {
			f.Add(c.Robots)
		}
	}
}

// FuzzCheck wants findings to be in order and inside the file, with known codes and whole
// sentences.
func FuzzCheck(f *testing.F) {
	addCases(f)
	f.Add([]byte("User-agent: *\nDisallow: /%!1\n"))
	f.Add([]byte("User)agent: ,\x06,"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFindings(t, data)
		checkFindings(t, compose(data))
	})
}

func checkFindings(t *testing.T, data []byte) {
	t.Helper()
	lines := slices.Collect(robotstxt.Lines(data))
	findings := lint.Check(data)
	inOrder := func(x, y lint.Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	}
	if !slices.IsSortedFunc(findings, inOrder) {
		t.Errorf("robots.txt %q: findings are not in order: %v", data, findings)
	}
	for _, f := range findings {
		width := 0
		if 0 < f.Line && f.Line <= len(lines) {
			width = len(lines[f.Line-1].Text)
		}
		if f.Line < 1 || f.Line > max(1, len(lines)) || f.Column < 1 || f.Column > width+1 {
			t.Errorf("robots.txt %q: the finding %v is outside the file", data, f)
		}
		if !slices.ContainsFunc(lint.Codes(), func(c lint.Code) bool { return c.Name == f.Code }) {
			t.Errorf("robots.txt %q: the finding %v has an unknown code", data, f)
		}
		checkSentences(t, string(data), f)
	}
	checkIdle(t, lines, lint.CheckAll(data))
}

// checkIdle replaces the lines that findings call ineffective, and wants no decision to
// change.
func checkIdle(t *testing.T, lines []robotstxt.Line, findings []lint.Finding) {
	t.Helper()
	ineffective := []string{"rule-before-user-agent", "duplicate-rule", "allow-and-disallow", "dead-rule"}
	var with, without []string
	for _, l := range lines {
		with, without = append(with, l.Text), append(without, l.Text)
	}
	for _, f := range findings {
		if slices.Contains(ineffective, f.Code) && lines[f.Line-1].Kind != robotstxt.CrawlDelayKind {
			without[f.Line-1] = "Disallow:" // like a rule, it ends a run of user-agent lines
		}
	}
	if !slices.Equal(with, without) {
		compare(t, []byte("\n"+strings.Join(with, "\n")), []byte("\n"+strings.Join(without, "\n")), "/a/b?c")
	}
}

// FuzzFormat wants a formatted file to mean the same as before, for the agents and URLs that
// it names and for others.
func FuzzFormat(f *testing.F) {
	for _, c := range readCases(f) {
		if len(c.Robots) < 10000 {
			f.Add(c.Robots, "/a/b?c")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, url string) {
		checkFormat(t, data, url)
		checkFormat(t, compose(data), url)
	})
}

func checkFormat(t *testing.T, data []byte, url string) {
	t.Helper()
	text, err := format.Format(data)
	if err != nil {
		return
	}
	if again, err := format.Format(text); err != nil || !bytes.Equal(text, again) {
		t.Errorf("robots.txt %q\nformatted %q\nagain     %q, error %v", data, text, again, err)
	}
	before, after := robotstxt.Parse(data), robotstxt.Parse(text)
	if diff := gocmp.Diff(describe(before), describe(after)); diff != "" {
		t.Errorf("robots.txt %q\nformatted %q\n(-before +after):\n%s", data, text, diff)
	}
	compare(t, data, text, url)
}

// compare wants two files to have the same decisions for some agents and URLs, including
// those that the first file names.
func compare(t *testing.T, data, text []byte, url string) {
	t.Helper()
	before, after := robotstxt.Parse(data), robotstxt.Parse(text)
	agents, urls := []string{"", "Other", "a-bar"}, []string{url, "/", "/robots.txt", "/a/"}
	for _, g := range before.Groups() {
		agents = append(agents, g.Tokens()...)
		for _, r := range g.Rules() {
			urls = append(urls, pathsOf(r.Pattern)...)
		}
	}
	for _, agent := range agents[:min(len(agents), 20)] {
		for _, url := range urls[:min(len(urls), 100)] {
			if b, a := before.Decide(agent, url), after.Decide(agent, url); b.Allowed != a.Allowed {
				t.Errorf("robots.txt %q\nbecame %q\nagent %q, URL %q: decision %v, before %v", data, text, agent, url, a, b)
			}
		}
	}
}

// pathsOf returns paths that a pattern matches or almost matches.
func pathsOf(pattern string) []string {
	plain := strings.TrimRight(pattern, "*$")
	return []string{pattern, pattern + "x", plain, plain[:max(0, len(plain)-1)], strings.ReplaceAll(plain, "*", ""), strings.ReplaceAll(plain, "*", "x/")}
}

// A meaning is everything that a file says, except line numbers.
type meaning struct {
	Sitemaps []string
	Records  []robotstxt.Record
	Groups   map[string]groupMeaning // by token
}

type groupMeaning struct {
	Rules   []robotstxt.Rule
	Records []robotstxt.Record
	Delay   float64
}

func describe(f *robotstxt.File) meaning {
	m := meaning{f.Sitemaps(), withoutLines(f.Records()), map[string]groupMeaning{}}
	for _, g := range f.Groups() {
		rules := g.Rules()
		for i := range rules {
			rules[i].Line = 0
		}
		for _, token := range g.Tokens() {
			g := f.Group(token)
			delay, _ := g.CrawlDelay()
			m.Groups[lex.Fold(token)] = groupMeaning{rules, withoutLines(g.Records()), delay.Seconds()}
		}
	}
	return m
}

// withoutLines removes line numbers, and writes variants of a key in the same way.
func withoutLines(records []robotstxt.Record) []robotstxt.Record {
	for i := range records {
		records[i].Line = 0
		records[i].Key = strings.ToLower(records[i].Key)
		for l := range robotstxt.Lines([]byte(records[i].Key + ":")) {
			if l.Kind == robotstxt.CrawlDelayKind {
				records[i].Key = l.Kind.String()
			}
		}
	}
	return records
}
