package robotstxt_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// vocabulary lists the pieces from which compose makes files, agents and URLs. All of them
// mean something to the parser, so the texts that a fuzzer composes are worth testing.
var vocabulary = []string{
	"User-agent: ", "useragent:", "User-Agent *", "Allow: /", "Allow:", "Disallow: /", "Disallow: ", "dissallow:/",
	"Sitemap: ", "Crawl-delay: ", "Host: a", "\n", "\n", "\n", "\r", "\r\n", "\n\n",
	"a", "b", "A", "foo", "Foo", "-bar", "-", "/", "//", "/a", "/b/", "/a/b", "*", "**", "$", "?", ";", ":", "://", "#", ",", "(", ")", " ", "\t", "=", "&",
	"%", "%2", "%2A", "%2a", "%24", "%3A", "%3a", "%2F", "%2f", "%61", "%7e", "~", "%E3%83%84", "ツ", "%zz", "%%", "2A", "4", "index.html", "/index.htm", ".",
	"Mozilla/5.0 (compatible; ", "adsbot-google", "/robots.txt", "1.5", "\x00", "\x7f", "\xff", "\u200b", "\ufeff", "\u00a0", "K", "ſ", "é", "É", "[", "|", "\\", `"`, "<", "http://x", "\xfe\xff", "\xff\xfe",
}

// compose turns each byte into a piece of the vocabulary.
func compose(picks []byte) string {
	var text strings.Builder
	for _, p := range picks {
		text.WriteString(vocabulary[int(p)%len(vocabulary)])
	}
	return text.String()
}

// FuzzDecide compares Decide with slowDecide, on any bytes.
func FuzzDecide(f *testing.F) {
	addQuestions(f)
	f.Fuzz(func(t *testing.T, data []byte, agent, url string) {
		checkDecision(t, data, agent, url)
	})
}

// FuzzComposed compares Decide with slowDecide, on files that compose makes.
func FuzzComposed(f *testing.F) {
	f.Add([]byte{0, 29, 11, 5, 17, 11}, []byte{17}, []byte{26})
	f.Fuzz(func(t *testing.T, file, agent, url []byte) {
		checkDecision(t, []byte(compose(file)), compose(agent), compose(url))
	})
}

// FuzzMatch compares Pattern.Matches with slowMatch, on patterns and URLs that compose
// makes.
func FuzzMatch(f *testing.F) {
	f.Add([]byte{26, 29}, []byte{26})
	f.Fuzz(func(t *testing.T, p, u []byte) {
		pattern, url := compose(p), "/"+compose(u)
		got := robotstxt.NewPattern(pattern)
		if want := pattern != "" && slowMatch(pattern, slowTarget(url)); got.Matches(url) != want {
			t.Errorf("pattern %q, URL %q: Matches is %v, slowMatch %v", pattern, url, !want, want)
		}
		if want := slowSpecificity(pattern); got.Octets() != want {
			t.Errorf("pattern %q: Octets is %d, slowSpecificity %d", pattern, got.Octets(), want)
		}
		checkDecision(t, []byte("User-agent: *\nAllow: "+pattern), "*", url)
	})
}

// FuzzIndex compares Decide with slowDecide for a group whose rules are found by an index.
func FuzzIndex(f *testing.F) {
	f.Add([]byte{26, 29, 17, 30, 31, 18, 61, 21, 64, 62}, []byte{26, 17})
	f.Fuzz(func(t *testing.T, picks, u []byte) {
		var data strings.Builder
		data.WriteString("User-agent: *\n")
		for i := range max(120, len(picks)) {
			line := "Disallow: /"
			if i%3 == 0 {
				line = "Allow: *"
			}
			for j := range 1 + i%4 {
				if len(picks) > 0 {
					line += vocabulary[int(picks[(i*i+j)%len(picks)])%len(vocabulary)]
				}
			}
			data.WriteString(strings.NewReplacer("\n", "", "\r", "").Replace(line) + "\n")
		}
		file, url := robotstxt.Parse([]byte(data.String())), "/"+compose(u)
		for range 100 {
			file.Allowed("FooBot", "/")
		}
		checkFile(t, file, []byte(data.String()), "FooBot", url)
	})
}

func checkDecision(t *testing.T, data []byte, agent, url string) {
	t.Helper()
	f := robotstxt.Parse(data)
	checkFile(t, f, data, agent, url)
	compareGroups(t, data, f)
}

// checkFile compares what a file decides with slowDecide, and tests that all ways to ask agree.
func checkFile(t *testing.T, f *robotstxt.File, data []byte, agent, url string) {
	t.Helper()
	d := f.Decide(agent, url)
	allowed, line := slowDecide(data, agent, url)
	if d.Allowed != allowed || d.Rule.Line != line {
		t.Errorf("robots.txt %q\nagent %q, URL %q: Decide says %v by line %d, slowDecide %v by line %d", data, agent, url, d.Allowed, d.Rule.Line, allowed, line)
	}
	isMatch := d.Reason == robotstxt.RuleMatched
	if isMatch != (d.Rule != robotstxt.Rule{}) || isMatch && d.Rule.Allow != d.Allowed || !isMatch && !d.Allowed {
		t.Errorf("robots.txt %q\nagent %q, URL %q: the decision contradicts itself: %+v", data, agent, url, d)
	}
	g := f.Group(agent)
	if f.Allowed(agent, url) != d.Allowed || g.Allowed(url) != d.Allowed || g.Decide(url) != d {
		t.Errorf("robots.txt %q\nagent %q, URL %q: Allowed is %v and of the group %v; Decide is %v and of the group %v",
			data, agent, url, f.Allowed(agent, url), g.Allowed(url), d, g.Decide(url))
	}
}

// FuzzParse tests what must be true of every file.
func FuzzParse(f *testing.F) {
	addQuestions(f)
	f.Fuzz(func(t *testing.T, data []byte, agent, url string) {
		lines := slices.Collect(robotstxt.Lines(data))
		file := robotstxt.Parse(data)
		checkParts(t, file, lines)
		compareGroups(t, data, file)
		for _, line := range lines {
			checkColumns(t, line)
		}
		if got, want := file.Sitemaps(), slowSitemaps(data); !slices.Equal(got, want) {
			t.Errorf("robots.txt %q: Sitemaps %q, slowSitemaps %q", data, got, want)
		}
		compareRecords(t, data, "the file", file.Records(), slowFileRecords(data))
		compareRecords(t, data, strconv.Quote(agent), file.Group(agent).Records(), slowRecords(data, agent))
		compareDelays(t, data, agent, file.Group(agent))
		for _, g := range file.Groups() {
			compareDelays(t, data, g.Tokens()[0], g)
		}
		want := file.Decide(agent, url)
		checkLine(t, lines, want.Rule)

		var plain []string
		for _, l := range lines {
			plain = append(plain, l.Text)
		}
		if text := strings.Join(plain, "\n"); len(text) > robotstxt.SizeLimit/2 || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return // with more lines, it could be too long; or it would be read as UTF-16
		}
		for _, end := range []string{"\n", "\r", "\r\n"} {
			check := robotstxt.Parse([]byte(strings.Join(plain, end)))
			if got := check.Decide(agent, url); got != want {
				t.Errorf("robots.txt %q with line ends %q: Decide = %v, want %v", data, end, got, want)
			}
		}
		want.Rule.Line = 0
		got := robotstxt.Parse([]byte(strings.Join(withRecords(plain), "\n"))).Decide(agent, url)
		if got.Rule.Line = 0; got != want {
			t.Errorf("robots.txt %q with unknown records: Decide = %v, want %v", data, got, want)
		}
	})
}

// checkColumns tests that the parts of a line are at their columns.
func checkColumns(t *testing.T, line robotstxt.Line) {
	t.Helper()
	at := func(column int, part string) bool {
		return column == 0 && part == "" || column > 0 && strings.HasPrefix(line.Text[column-1:], part)
	}
	if !at(line.KeyColumn, line.Key) || !at(line.ValueColumn, line.Value) || !at(line.CommentColumn, line.Comment) {
		t.Errorf("wrong column in %+v", line)
	}
	if comment := strings.IndexByte(line.Text, '#'); line.CommentColumn != comment+1 || comment >= 0 && line.Comment != line.Text[comment:] {
		t.Errorf("wrong comment in %+v", line)
	}
}

// compareRecords compares the records of a group, or of the file, with those that a slow
// function returned.
func compareRecords(t *testing.T, data []byte, owner string, got []robotstxt.Record, slow []slowLine) {
	t.Helper()
	var want []robotstxt.Record
	for _, l := range slow {
		want = append(want, robotstxt.Record{Line: l.number, Key: l.written, Value: l.value})
	}
	if !slices.Equal(got, want) {
		t.Errorf("robots.txt %q: records of %s: got %v, slow functions %v", data, owner, got, want)
	}
}

// compareDelays compares the crawl-delay of an agent's group with slowCrawlDelay.
func compareDelays(t *testing.T, data []byte, agent string, g *robotstxt.Group) {
	t.Helper()
	seconds, ok := slowCrawlDelay(data, agent)
	delay, err := time.ParseDuration(seconds + "s")
	if got, gotOK := g.CrawlDelay(); gotOK != ok || ok && err == nil && got != delay {
		t.Errorf("robots.txt %q, agent %q: CrawlDelay %v (%v), slowCrawlDelay %q (%v)", data, agent, got, gotOK, seconds, ok)
	}
}

// compareGroups compares the tokens of the groups with slowListed.
func compareGroups(t *testing.T, data []byte, f *robotstxt.File) {
	t.Helper()
	var got [][]string
	for _, g := range f.Groups() {
		got = append(got, g.Tokens())
	}
	if want := slowListed(data); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("robots.txt %q: Groups %q, slowListed %q", data, got, want)
	}
}

// checkParts compares the records and rules of a file with its lines, and tests its groups.
func checkParts(t *testing.T, file *robotstxt.File, lines []robotstxt.Line) {
	t.Helper()
	for _, r := range file.Records() {
		checkRecord(t, lines, r)
	}
	for _, g := range file.Groups() {
		if len(g.Tokens()) == 0 {
			t.Error("a group without tokens")
		}
		for _, tok := range g.Tokens() {
			if got := file.Group(tok).Tokens(); tok != "*" && !slices.Equal(got, g.Tokens()) {
				t.Errorf("the group of %q has tokens %q, want %q", tok, got, g.Tokens())
			}
		}
		for _, r := range g.Rules() {
			checkLine(t, lines, r)
		}
		for _, r := range g.Records() {
			checkRecord(t, lines, r)
		}
	}
}

// checkLine compares a rule, unless it is zero, with the line that it names.
func checkLine(t *testing.T, lines []robotstxt.Line, r robotstxt.Rule) {
	t.Helper()
	if r == (robotstxt.Rule{}) {
		return
	}
	if r.Line < 1 || r.Line > len(lines) {
		t.Fatalf("rule %v names line %d of a file of %d lines", r, r.Line, len(lines))
	}
	l := lines[r.Line-1]
	if l.Number != r.Line || l.Value != r.Pattern || l.Kind != robotstxt.AllowKind && l.Kind != robotstxt.DisallowKind || (l.Kind == robotstxt.AllowKind) != r.Allow {
		t.Errorf("rule %v is on line %+v", r, l)
	}
}

func checkRecord(t *testing.T, lines []robotstxt.Line, r robotstxt.Record) {
	t.Helper()
	if r.Line < 1 || r.Line > len(lines) {
		t.Fatalf("record %v names line %d of a file of %d lines", r, r.Line, len(lines))
	}
	l := lines[r.Line-1]
	if l.Key != r.Key || l.Value != r.Value || l.Kind != robotstxt.OtherKind && l.Kind != robotstxt.CrawlDelayKind {
		t.Errorf("record %v is on line %+v", r, l)
	}
}

// withRecords inserts an unknown record before, between and after the lines.
func withRecords(lines []string) []string {
	const record = "X-Nothing: /"
	out := []string{record}
	for _, l := range lines {
		out = append(out, l, record)
	}
	return out
}
