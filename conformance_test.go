package robotstxt_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

// checks has a function for each section of the conformance cases; see testdata/README.md.
var checks = map[string]func(r run, s casefile.Section){
	"want":        run.wants,
	"reasons":     run.reasons,
	"chosen":      run.chosen,
	"groups":      run.groups,
	"sitemaps":    run.sitemaps,
	"records":     run.records,
	"crawl-delay": run.crawlDelays,

	"tokens":    run.tokens,
	"locations": run.locations,
	"covers":    run.covers,
	"status":    run.status,
}

var reasons = map[string]robotstxt.Reason{
	"RuleMatched":     robotstxt.RuleMatched,
	"NoRuleMatched":   robotstxt.NoRuleMatched,
	"NoGroup":         robotstxt.NoGroup,
	"RobotsTxt":       robotstxt.RobotsTxt,
	"FileUnavailable": robotstxt.FileUnavailable,
	"FileUnreachable": robotstxt.FileUnreachable,
}

// readCases returns all conformance cases. It fails the test if a file is
// malformed or a folder has no cases.
func readCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases, err := casefile.ReadProtocol(os.DirFS("."), "testdata")
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

// addQuestions adds the files, agents and URLs of all "want" sections to the fuzz corpus.
func addQuestions(f *testing.F) {
	for _, c := range readCases(f) {
		s, _ := c.Section("want")
		for _, row := range s.Rows {
			f.Add(c.Robots, row.Fields[1], row.Fields[2])
		}
	}
}

// TestConformance runs the cases of testdata, with a subtest for each file.
func TestConformance(t *testing.T) {
	cases := readCases(t)
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].File == cases[0].File {
			n++
		}
		name := strings.TrimSuffix(strings.TrimPrefix(cases[0].File, "testdata/"), ".txt")
		t.Run(name, func(t *testing.T) {
			for _, c := range cases[:n] {
				runCase(t, c)
			}
		})
		cases = cases[n:]
	}
}

// runCase checks a case. The line endings of a robots.txt that is not quoted must not
// matter: if the case passes as it is, runCase repeats it with each kind of line ending,
// and without the last one.
func runCase(t *testing.T, c casefile.Case) {
	t.Helper()
	data := string(c.Robots)
	runData(t, c, data, "")
	if c.HasRobots && !c.Quoted && !t.Failed() {
		runData(t, c, strings.ReplaceAll(data, "\n", "\r\n"), " (with CRLF for LF)")
		runData(t, c, strings.ReplaceAll(data, "\n", "\r"), " (with CR for LF)")
		runData(t, c, strings.TrimSuffix(data, "\n"), " (without the last LF)")
	}
}

func runData(t *testing.T, c casefile.Case, data, note string) {
	t.Helper()
	r := run{T: t, Case: c, note: note}
	if c.HasRobots {
		r.file = robotstxt.Parse([]byte(data))
	}
	for _, s := range c.Sections {
		check := checks[s.Name]
		if check == nil {
			t.Fatalf("%s: unknown section %q", c.At(s.Line), s.Name)
		}
		check(r, s)
	}
}

// A run is one run of a case.
type run struct {
	*testing.T
	casefile.Case
	file *robotstxt.File // nil for a case without a robots.txt
	note string          // how the file differs from the one in the case
}

// failf reports that the row on a line of the case failed.
func (r run) failf(line int, format string, args ...any) {
	r.Helper()
	r.Errorf("%s: %s%s", r.At(line), fmt.Sprintf(format, args...), r.note)
}

// compare reports the differences between the rows that a section wants and the rows that
// we got. The section starts on the given line.
func (r run) compare(line int, what string, want []casefile.Row, got [][]string) {
	r.Helper()
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			r.failf(want[i].Line, "%s: got nothing, want %q", what, want[i].Fields)
		case i >= len(want):
			r.failf(line, "%s: got %q, want nothing after the last row", what, got[i])
		case !slices.Equal(want[i].Fields, got[i]):
			r.failf(want[i].Line, "%s: got %q, want %q", what, got[i], want[i].Fields)
		}
	}
}

func (r run) wants(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		agent, url := row.Fields[1], row.Fields[2]
		d := r.file.Decide(agent, url)
		line, _ := strconv.Atoi(row.Fields[3]) // 0 for "-"
		if got, want := verdict(d.Allowed, d.Rule.Line), verdict(row.Fields[0] == "allow", line); got != want {
			r.failf(row.Line, "Decide(%q, %q) = %s, want %s", agent, url, got, want)
		}
	}
}

func verdict(allowed bool, line int) string {
	verdict, by := "disallow", "no rule"
	if allowed {
		verdict = "allow"
	}
	if line != 0 {
		by = fmt.Sprintf("line %d", line)
	}
	return verdict + ", " + by
}

func (r run) reasons(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		agent, url := row.Fields[1], row.Fields[2]
		d := r.file.Decide(agent, url)
		if want := reasons[row.Fields[0]]; d.Reason != want {
			r.failf(row.Line, "Decide(%q, %q).Reason = %q, want %q", agent, url, d.Reason, want)
		}
		if len(row.Fields) < 4 {
			continue
		}
		if want := strings.TrimPrefix(row.Fields[3], "-"); d.Token != want && d.Token != row.Fields[3] {
			r.failf(row.Line, "Decide(%q, %q).Token = %q, want %q", agent, url, d.Token, want)
		}
	}
}

func (r run) chosen(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		agents := row.Fields[1:]
		got := "-"
		if tokens := r.file.Group(agents...).Tokens(); len(tokens) > 0 {
			got = strings.Join(tokens, ",")
		}
		if want := row.Fields[0]; got != want {
			r.failf(row.Line, "Group(%q).Tokens() = %q, want %q", agents, got, want)
		}
	}
}

func (r run) groups(s casefile.Section) {
	r.Helper()
	var got [][]string
	for _, g := range r.file.Groups() {
		fields := []string{strings.Join(g.Tokens(), ",")}
		for _, rule := range g.Rules() {
			fields = append(fields, strconv.Itoa(rule.Line))
		}
		got = append(got, fields)
	}
	r.compare(s.Line, "groups", s.Rows, got)
}

func (r run) sitemaps(s casefile.Section) {
	r.Helper()
	var got [][]string
	for _, sitemap := range r.file.Sitemaps() {
		got = append(got, []string{sitemap})
	}
	r.compare(s.Line, "sitemaps", s.Rows, got)
}

// records compares the rows with the records of the file, of each group, and of each token
// that the rows name. A group has the records of all its tokens.
func (r run) records(s casefile.Section) {
	r.Helper()
	owners := []string{"-"}
	r.ownRecords(s, owners, r.file.Records())
	for _, g := range r.file.Groups() {
		owners = append(owners, g.Tokens()...)
		r.ownRecords(s, g.Tokens(), g.Records())
		for _, tok := range g.Tokens() {
			if slices.ContainsFunc(s.Rows, func(row casefile.Row) bool { return row.Fields[0] == tok }) {
				r.ownRecords(s, []string{tok}, r.file.Group(tok).Records())
			}
		}
	}
	for _, row := range s.Rows {
		if !slices.Contains(owners, row.Fields[0]) {
			r.failf(row.Line, "records: there is no group %q", row.Fields[0])
		}
	}
}

func (r run) ownRecords(s casefile.Section, owners []string, records []robotstxt.Record) {
	r.Helper()
	var want []casefile.Row
	for _, row := range s.Rows {
		known := func(other casefile.Row) bool { return slices.Equal(row.Fields[1:], other.Fields) }
		if slices.Contains(owners, row.Fields[0]) && !slices.ContainsFunc(want, known) {
			want = append(want, casefile.Row{Line: row.Line, Fields: row.Fields[1:]})
		}
	}
	slices.SortStableFunc(want, func(x, y casefile.Row) int {
		m, _ := strconv.Atoi(x.Fields[0])
		n, _ := strconv.Atoi(y.Fields[0])
		return m - n
	})
	var got [][]string
	for _, record := range records {
		got = append(got, []string{strconv.Itoa(record.Line), record.Key, record.Value})
	}
	r.compare(s.Line, "records of "+strings.Join(owners, ","), want, got)
}

func (r run) crawlDelays(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		agent := row.Fields[0]
		want, err := time.ParseDuration(row.Fields[1])
		got, ok := r.file.Group(agent).CrawlDelay()
		if ok != (err == nil) || got != want {
			r.failf(row.Line, "Group(%q).CrawlDelay() = %v, %v; want %s", agent, got, ok, row.Fields[1])
		}
	}
}

func (r run) tokens(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		got := robotstxt.ProductToken(row.Fields[0])
		if want := row.Fields[1]; got != want {
			r.failf(row.Line, "ProductToken(%q) = %q, want %q", row.Fields[0], got, want)
		}
		if again := robotstxt.ProductToken(got); again != got {
			r.failf(row.Line, "ProductToken(%q) = %q, but ProductToken of this result = %q", row.Fields[0], got, again)
		}
	}
}

func (r run) locations(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		url, want := row.Fields[0], row.Fields[1]
		got, err := robotstxt.Location(url)
		if err != nil {
			got = "error"
		}
		if got != want {
			r.failf(row.Line, "Location(%q) = %q, %v; want %s", url, got, err, want)
		}
		if err != nil {
			continue
		}
		if again, err := robotstxt.Location(got); again != got {
			r.failf(row.Line, "Location(%q) = %q, but Location of this result = %q, %v", url, got, again, err)
		}
		if !robotstxt.Covers(got, url) {
			r.failf(row.Line, "Covers(%q, %[2]q) = false, but the first is Location(%[2]q)", got, url)
		}
	}
}

func (r run) covers(s casefile.Section) {
	r.Helper()
	for _, row := range s.Rows {
		got := robotstxt.Covers(row.Fields[1], row.Fields[2])
		if want := row.Fields[0] == "yes"; got != want {
			r.failf(row.Line, "Covers(%q, %q) = %v, want %v", row.Fields[1], row.Fields[2], got, want)
		}
	}
}

// status decides about three URLs: /x, which the body disallows, /y, which it does not
// mention, and /robots.txt, which is always allowed. A row has the decision about /x.
func (r run) status(s casefile.Section) {
	r.Helper()
	elsewhere := map[robotstxt.Reason]robotstxt.Decision{
		robotstxt.RuleMatched:     {Allowed: true, Reason: robotstxt.NoRuleMatched},
		robotstxt.FileUnavailable: {Allowed: true, Reason: robotstxt.FileUnavailable},
		robotstxt.FileUnreachable: {Allowed: false, Reason: robotstxt.FileUnreachable},
	}
	for _, row := range s.Rows {
		status, _ := strconv.Atoi(row.Fields[0])
		reason := reasons[row.Fields[2]]
		file := robotstxt.FromStatus(status, []byte("User-agent: *\nDisallow: /x\n"))
		for url, want := range map[string]robotstxt.Decision{
			"/x":          {Allowed: row.Fields[1] == "allow", Reason: reason},
			"/y":          elsewhere[reason],
			"/robots.txt": {Allowed: true, Reason: robotstxt.RobotsTxt},
		} {
			got := file.Decide("foobot", url)
			if got.Allowed != want.Allowed || got.Reason != want.Reason {
				r.failf(row.Line, "FromStatus(%d, …): %s: got %v, %q; want %v, %q", status, url, got.Allowed, got.Reason, want.Allowed, want.Reason)
			}
			if line := got.Rule.Line; (line != 0) != (want.Reason == robotstxt.RuleMatched) {
				r.failf(row.Line, "FromStatus(%d, …): %s: reason %q, but line %d", status, url, got.Reason, line)
			}
			if g := file.Group("foobot").Decide(url); g.Allowed != got.Allowed || g.Reason != got.Reason {
				r.failf(row.Line, "FromStatus(%d, …): %s: the group decides %+v, the file %+v", status, url, g, got)
			}
		}
	}
}

// TestAccess tests the reasons of Files that were unavailable or unreachable, and that
// other Files have none.
func TestAccess(t *testing.T) {
	for _, test := range []struct {
		file *robotstxt.File
		want robotstxt.Reason
	}{
		{robotstxt.Unavailable(), robotstxt.FileUnavailable},
		{robotstxt.Unreachable(), robotstxt.FileUnreachable},
		{robotstxt.FromStatus(404, nil), robotstxt.FileUnavailable},
		{robotstxt.FromStatus(429, nil), robotstxt.FileUnreachable},
		{robotstxt.FromStatus(204, nil), ""},
		{robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n")), ""},
		{new(robotstxt.File), ""},
	} {
		if got := test.file.Access(); got != test.want {
			t.Errorf("%v: Access() = %q, want %q", test.file, got, test.want)
		}
	}
}

// TestAccessResults compares Unavailable and Unreachable with the results of FromStatus.
func TestAccessResults(t *testing.T) {
	for _, test := range []struct {
		name string
		file *robotstxt.File
		like int
	}{
		{"Unavailable", robotstxt.Unavailable(), 404},
		{"Unreachable", robotstxt.Unreachable(), 503},
	} {
		like := robotstxt.FromStatus(test.like, nil)
		for _, url := range []string{"/", "/x", "/robots.txt"} {
			for _, agent := range []string{"foobot", "AdsBot-Google", "*", ""} {
				if got, want := test.file.Decide(agent, url), like.Decide(agent, url); got != want {
					t.Errorf("%s: %q, %s: got %+v, want %+v", test.name, agent, url, got, want)
				}
				if got, want := test.file.Group(agent).Allowed(url), test.file.Allowed(agent, url); got != want {
					t.Errorf("%s: %q, %s: Allowed of the group = %v, of the file %v", test.name, agent, url, got, want)
				}
			}
		}
		if n := len(test.file.Groups()) + len(test.file.Sitemaps()) + len(test.file.Records()); n != 0 {
			t.Errorf("%s: has %d groups, sitemaps and records, want none", test.name, n)
		}
	}
}
