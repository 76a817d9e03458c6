package robotstxt_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/robotstxt-go/robotstxt"
)

// The conformance cases are the files in these folders of testdata, one topic a
// file. Their form is explained in testdata/README.md.
var conformanceFolders = []string{"rfc9309", "google", "ours"}

// A conformanceCase is a robots.txt and what is to be read from it, or a single
// section that needs no robots.txt.
type conformanceCase struct {
	file     string // "testdata/rfc9309/2.1-groups.txt"
	at       string // file:line of the header it starts with
	data     string // the robots.txt
	parsed   bool   // has a robots.txt, be it empty
	verbatim bool   // not quoted, so its line ends are of no importance
	sections map[string]conformanceSection
	wants    []conformanceWant // the rows of the section want
}

type conformanceSection struct {
	at   string // file:line of its header
	rows []conformanceRow
}

type conformanceRow struct {
	at     string // file:line
	fields []string
}

// A conformanceWant says what is decided about one URL.
type conformanceWant struct {
	at         string // file:line
	allowed    bool
	agent, url string
	line       int // of the rule, 0 if none decided
}

// conformanceSections are the sections beside the robots.txt. Each is given
// with the kinds of its fields, see conformanceKind; "?" marks one that may be
// left out, "*" one that may be repeated.
var conformanceSections = map[string]struct {
	kinds string
	alone bool // is a case by itself, without a robots.txt
	empty bool // may have no rows: that there is nothing is a statement
	check func(r conformanceRun, s conformanceSection)
}{
	"want":        {kinds: "verdict text text line", check: conformanceRun.wants},
	"reasons":     {kinds: "reason text text text?", check: conformanceRun.reasons},
	"chosen":      {kinds: "text text*", check: conformanceRun.chosen},
	"groups":      {kinds: "text line*", empty: true, check: conformanceRun.groups},
	"sitemaps":    {kinds: "text", empty: true, check: conformanceRun.sitemaps},
	"records":     {kinds: "text line text text", empty: true, check: conformanceRun.records},
	"crawl-delay": {kinds: "text delay", check: conformanceRun.crawlDelays},

	"tokens":    {kinds: "text text", alone: true, check: conformanceRun.tokens},
	"locations": {kinds: "text text", alone: true, check: conformanceRun.locations},
	"covers":    {kinds: "yesno text text", alone: true, check: conformanceRun.covers},
	"status":    {kinds: "number verdict reason", alone: true, check: conformanceRun.status},
}

// conformanceReasons are the names that the cases give to reasons.
var conformanceReasons = map[string]robotstxt.Reason{
	"RuleMatched":     robotstxt.RuleMatched,
	"NoRuleMatched":   robotstxt.NoRuleMatched,
	"NoGroup":         robotstxt.NoGroup,
	"RobotsTxt":       robotstxt.RobotsTxt,
	"FileUnavailable": robotstxt.FileUnavailable,
	"FileUnreachable": robotstxt.FileUnreachable,
}

// conformanceFiles returns all cases. It fails the test if a file is malformed
// or a folder has none.
func conformanceFiles(tb testing.TB) []conformanceCase {
	tb.Helper()
	var cases []conformanceCase
	for _, folder := range conformanceFolders {
		folder = path.Join("testdata", folder)
		entries, err := os.ReadDir(folder)
		if err != nil {
			tb.Fatal(err)
		}
		if len(entries) == 0 {
			tb.Errorf("%s: no cases", folder)
		}
		for _, e := range entries {
			file := path.Join(folder, e.Name())
			if path.Ext(file) != ".txt" {
				tb.Errorf("%s: not a .txt file", file)
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			c, err := parseConformance(file, string(text))
			if err != nil {
				tb.Error(err)
				continue
			}
			cases = append(cases, c...)
		}
	}
	return cases
}

// parseConformance reads the cases of a file.
func parseConformance(file, text string) ([]conformanceCase, error) {
	var cases []conformanceCase
	var section string
	said, sourced := false, false
	for i, line := range strings.SplitAfter(text, "\n") {
		at := fmt.Sprintf("%s:%d", file, i+1)
		name, isHeader := conformanceHeader(line)
		last := len(cases) - 1
		switch {
		case isHeader:
			section = name
			robots := name == "robots.txt" || name == "robots.txt.quoted"
			spec, known := conformanceSections[name]
			if !robots && !known {
				return nil, fmt.Errorf("%s: unknown section %q", at, name)
			}
			if robots || spec.alone {
				cases = append(cases, conformanceCase{file: file, at: at, parsed: robots, verbatim: name == "robots.txt", sections: map[string]conformanceSection{}})
				last++
			} else if last < 0 || !cases[last].parsed {
				return nil, fmt.Errorf("%s: section %q has no robots.txt above it", at, name)
			}
			if _, twice := cases[last].sections[name]; twice {
				return nil, fmt.Errorf("%s: section %q again", at, name)
			}
			if known {
				cases[last].sections[name] = conformanceSection{at: at}
			}
		case section == "":
			source, ok := strings.CutPrefix(line, "Source: ")
			sourced = sourced || ok && strings.TrimSpace(source) != ""
			said = said || !ok && strings.TrimSpace(line) != ""
		case section == "robots.txt":
			cases[last].data += line
		case section == "robots.txt.quoted":
			fields, err := conformanceFields(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			if quoted := strings.TrimSpace(line); len(fields) > 1 || quoted != "" && quoted[0] != '"' {
				return nil, fmt.Errorf("%s: not a Go string literal", at)
			}
			cases[last].data += strings.Join(fields, "")
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
			continue
		default:
			row := conformanceRow{at: at}
			var err error
			if row.fields, err = conformanceFields(line); err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			kinds := conformanceSections[section].kinds
			if !conformanceFit(strings.Fields(kinds), row.fields) {
				return nil, fmt.Errorf("%s: not a row of %q: it takes %s", at, section, kinds)
			}
			s := cases[last].sections[section]
			s.rows = append(s.rows, row)
			cases[last].sections[section] = s
			if section == "want" {
				cases[last].wants = append(cases[last].wants, newConformanceWant(row))
			}
		}
	}
	if !said || !sourced {
		return nil, fmt.Errorf("%s:1: does not start with a sentence and a line \"Source: …\"", file)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s:1: no cases", file)
	}
	for _, c := range cases {
		if len(c.sections) == 0 {
			return nil, fmt.Errorf("%s: nothing is said of this robots.txt", c.at)
		}
		for name, s := range c.sections {
			if len(s.rows) == 0 && !conformanceSections[name].empty {
				return nil, fmt.Errorf("%s: no rows", s.at)
			}
		}
	}
	return cases, nil
}

// conformanceHeader returns the name in a line such as "-- want --".
func conformanceHeader(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimRight(line, "\n"), "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " --")
}

// conformanceFields splits a line at spaces and tabs. A field that starts with
// a quote is a Go string literal.
func conformanceFields(line string) ([]string, error) {
	var fields []string
	for {
		line = strings.TrimLeft(line, " \t\n")
		if line == "" {
			return fields, nil
		}
		end := strings.IndexAny(line+"\n", " \t\n")
		field := line[:end]
		if line[0] == '"' {
			literal, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, errors.New("a field starts with a quote but is no Go string literal")
			}
			end = len(literal)
			field, _ = strconv.Unquote(literal)
		}
		if line = line[end:]; strings.TrimLeft(line, " \t\n") == line && line != "" {
			return nil, errors.New("a Go string literal is not followed by a space")
		}
		fields = append(fields, field)
	}
}

// conformanceFit reports whether the fields of a row are of the given kinds.
func conformanceFit(kinds, fields []string) bool {
	for len(kinds) > 0 {
		kind, repeated := strings.CutSuffix(kinds[0], "*")
		kind, optional := strings.CutSuffix(kind, "?")
		if len(fields) == 0 {
			return repeated || optional
		}
		if !conformanceKind(kind, fields[0]) {
			return false
		}
		if fields = fields[1:]; !repeated {
			kinds = kinds[1:]
		} else if len(fields) == 0 {
			kinds = nil
		}
	}
	return len(fields) == 0
}

// conformanceKind reports whether a field is of a kind.
func conformanceKind(kind, field string) bool {
	switch kind {
	case "verdict":
		return field == "allow" || field == "disallow"
	case "yesno":
		return field == "yes" || field == "no"
	case "line":
		n, err := strconv.Atoi(field)
		return err == nil && n > 0 || field == "-"
	case "number":
		_, err := strconv.Atoi(field)
		return err == nil
	case "delay":
		_, err := time.ParseDuration(field)
		return err == nil || field == "-"
	case "reason":
		_, ok := conformanceReasons[field]
		return ok
	}
	return kind == "text"
}

func newConformanceWant(row conformanceRow) conformanceWant {
	line, _ := strconv.Atoi(row.fields[3]) // 0 for "-"
	return conformanceWant{at: row.at, allowed: row.fields[0] == "allow", agent: row.fields[1], url: row.fields[2], line: line}
}

// TestConformance runs the cases of testdata, a file a subtest.
func TestConformance(t *testing.T) {
	cases := conformanceFiles(t)
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].file == cases[0].file {
			n++
		}
		name := strings.TrimSuffix(strings.TrimPrefix(cases[0].file, "testdata/"), ".txt")
		t.Run(name, func(t *testing.T) {
			for _, c := range cases[:n] {
				c.run(t)
			}
		})
		cases = cases[n:]
	}
}

// run checks the case. The line ends of a robots.txt that is not quoted must
// not matter: if it passes as it is, it is read with each kind, and without the
// last.
func (c conformanceCase) run(t *testing.T) {
	t.Helper()
	c.runData(t, c.data, "")
	if c.verbatim && !t.Failed() {
		c.runData(t, strings.ReplaceAll(c.data, "\n", "\r\n"), " (with CRLF for LF)")
		c.runData(t, strings.ReplaceAll(c.data, "\n", "\r"), " (with CR for LF)")
		c.runData(t, strings.TrimSuffix(c.data, "\n"), " (without the last LF)")
	}
}

func (c conformanceCase) runData(t *testing.T, data, note string) {
	t.Helper()
	r := conformanceRun{T: t, note: note}
	if c.parsed {
		r.file, r.lines = robotstxt.Parse([]byte(data)), conformanceLines(data)
	}
	for name, s := range c.sections {
		conformanceSections[name].check(r, s)
	}
}

// conformanceLines returns the lines of a robots.txt.
func conformanceLines(data string) []string {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if text, ok := strings.CutPrefix(data, mark); ok {
			var units []uint16
			b := []byte(text)
			for ; len(b) > 1; b = b[2:] {
				units = append(units, order.Uint16(b))
			}
			if len(b) > 0 {
				units = append(units, 0xfffd)
			}
			data = string(utf16.Decode(units))
			break
		}
	}
	data = strings.ReplaceAll(data, "\r\n", "\n")
	data = strings.ReplaceAll(data, "\r", "\n")
	return strings.Split(strings.TrimSuffix(data, "\n"), "\n")
}

// A conformanceRun is a robots.txt under test.
type conformanceRun struct {
	*testing.T
	file  *robotstxt.File // nil for a section without one
	lines []string        // of the file
	note  string          // how the file differs from the written one
}

// failf reports a row that failed.
func (r conformanceRun) failf(at, format string, args ...any) {
	r.Helper()
	r.Errorf("%s: %s%s", at, fmt.Sprintf(format, args...), r.note)
}

// compare reports where the rows of a section are not what the file has.
func (r conformanceRun) compare(at, what string, want []conformanceRow, got [][]string) {
	r.Helper()
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			r.failf(want[i].at, "%s: got no %q", what, want[i].fields)
		case i >= len(want):
			r.failf(at, "%s: got %q behind the last row", what, got[i])
		case !slices.Equal(want[i].fields, got[i]):
			r.failf(want[i].at, "%s: got %q, want %q", what, got[i], want[i].fields)
		}
	}
}

func (r conformanceRun) wants(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		w := newConformanceWant(row)
		call := fmt.Sprintf("Decide(%q, %q)", w.agent, w.url)
		d := r.file.Decide(w.agent, w.url)
		if got, want := conformanceVerdict(d.Allowed, d.Rule.Line), conformanceVerdict(w.allowed, w.line); got != want {
			r.failf(w.at, "%s = %s, want %s", call, got, want)
		}
		if got := r.file.Allowed(w.agent, w.url); got != d.Allowed {
			r.failf(w.at, "Allowed(%q, %q) = %v, but %s says %v", w.agent, w.url, got, call, d.Allowed)
		}
		g := r.file.Group(w.agent)
		if got := g.Decide(w.url); got.Allowed != d.Allowed || got.Rule != d.Rule {
			r.failf(w.at, "Decide(%q) of the group = %+v, but %s = %+v", w.url, got, call, d)
		}
		if got := g.Allowed(w.url); got != d.Allowed {
			r.failf(w.at, "Allowed(%q) of the group = %v, but %s says %v", w.url, got, call, d.Allowed)
		}
		switch rule := d.Rule; {
		case rule == robotstxt.Rule{}:
			if !d.Allowed || d.Reason == robotstxt.RuleMatched {
				r.failf(w.at, "%s = %+v, but has no rule", call, d)
			}
		case rule.Line < 1 || rule.Line > len(r.lines):
			r.failf(w.at, "%s names line %d of %d", call, rule.Line, len(r.lines))
		case rule.Pattern == "" || !strings.Contains(r.lines[rule.Line-1], rule.Pattern):
			r.failf(w.at, "%s names pattern %q, but line %d is %q", call, rule.Pattern, rule.Line, r.lines[rule.Line-1])
		case rule.Allow != d.Allowed || d.Reason != robotstxt.RuleMatched:
			r.failf(w.at, "%s contradicts itself: %+v", call, d)
		}
	}
}

func conformanceVerdict(allowed bool, line int) string {
	verdict, by := "disallow", "no rule"
	if allowed {
		verdict = "allow"
	}
	if line != 0 {
		by = fmt.Sprintf("line %d", line)
	}
	return verdict + ", " + by
}

func (r conformanceRun) reasons(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		agent, url := row.fields[1], row.fields[2]
		d := r.file.Decide(agent, url)
		if want := conformanceReasons[row.fields[0]]; d.Reason != want {
			r.failf(row.at, "Decide(%q, %q).Reason = %q, want %q", agent, url, d.Reason, want)
		}
		if len(row.fields) < 4 {
			continue
		}
		if want := strings.TrimPrefix(row.fields[3], "-"); d.Token != want && d.Token != row.fields[3] {
			r.failf(row.at, "Decide(%q, %q).Token = %q, want %q", agent, url, d.Token, want)
		}
	}
}

func (r conformanceRun) chosen(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		agents := row.fields[1:]
		got := "-"
		if tokens := r.file.Group(agents...).Tokens(); len(tokens) > 0 {
			got = strings.Join(tokens, ",")
		}
		if want := row.fields[0]; got != want {
			r.failf(row.at, "Group(%q).Tokens() = %q, want %q", agents, got, want)
		}
	}
}

func (r conformanceRun) groups(s conformanceSection) {
	r.Helper()
	var got [][]string
	for _, g := range r.file.Groups() {
		fields := []string{strings.Join(g.Tokens(), ",")}
		for _, rule := range g.Rules() {
			fields = append(fields, strconv.Itoa(rule.Line))
		}
		got = append(got, fields)
	}
	r.compare(s.at, "groups", s.rows, got)
}

func (r conformanceRun) sitemaps(s conformanceSection) {
	r.Helper()
	var got [][]string
	for _, sitemap := range r.file.Sitemaps() {
		got = append(got, []string{sitemap})
	}
	r.compare(s.at, "sitemaps", s.rows, got)
}

// records compares the records of the file, then those of each group. The rows
// of a group are those of all its tokens.
func (r conformanceRun) records(s conformanceSection) {
	r.Helper()
	owners := []string{"-"}
	r.ownRecords(s, owners, r.file.Records())
	for _, g := range r.file.Groups() {
		owners = append(owners, g.Tokens()...)
		r.ownRecords(s, g.Tokens(), g.Records())
	}
	for _, row := range s.rows {
		if !slices.Contains(owners, row.fields[0]) {
			r.failf(row.at, "records: there is no group %q", row.fields[0])
		}
	}
}

func (r conformanceRun) ownRecords(s conformanceSection, owners []string, records []robotstxt.Record) {
	r.Helper()
	var want []conformanceRow
	for _, row := range s.rows {
		if slices.Contains(owners, row.fields[0]) {
			want = append(want, conformanceRow{at: row.at, fields: row.fields[1:]})
		}
	}
	var got [][]string
	for _, record := range records {
		got = append(got, []string{strconv.Itoa(record.Line), record.Key, record.Value})
	}
	r.compare(s.at, "records of "+strings.Join(owners, ","), want, got)
}

func (r conformanceRun) crawlDelays(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		agent := row.fields[0]
		want, err := time.ParseDuration(row.fields[1])
		got, ok := r.file.Group(agent).CrawlDelay()
		if ok != (err == nil) || got != want {
			r.failf(row.at, "Group(%q).CrawlDelay() = %v, %v; want %s", agent, got, ok, row.fields[1])
		}
	}
}

func (r conformanceRun) tokens(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		got := robotstxt.ProductToken(row.fields[0])
		if want := row.fields[1]; got != want {
			r.failf(row.at, "ProductToken(%q) = %q, want %q", row.fields[0], got, want)
		}
		if again := robotstxt.ProductToken(got); again != got {
			r.failf(row.at, "ProductToken(%q) = %q, and of that %q", row.fields[0], got, again)
		}
	}
}

func (r conformanceRun) locations(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		url, want := row.fields[0], row.fields[1]
		got, err := robotstxt.Location(url)
		if err != nil {
			got = "error"
		}
		if got != want {
			r.failf(row.at, "Location(%q) = %q, %v; want %s", url, got, err, want)
		}
		if err != nil {
			continue
		}
		if again, err := robotstxt.Location(got); again != got {
			r.failf(row.at, "Location(%q) = %q, and of that %q, %v", url, got, again, err)
		}
		if !robotstxt.Covers(got, url) {
			r.failf(row.at, "Covers(%q, %q) = false, but that is its Location", got, url)
		}
	}
}

func (r conformanceRun) covers(s conformanceSection) {
	r.Helper()
	for _, row := range s.rows {
		got := robotstxt.Covers(row.fields[1], row.fields[2])
		if want := row.fields[0] == "yes"; got != want {
			r.failf(row.at, "Covers(%q, %q) = %v, want %v", row.fields[1], row.fields[2], got, want)
		}
	}
}

// status asks for the URL that the body disallows, as the row says, for one
// that it does not mention, and for /robots.txt, which is always allowed.
func (r conformanceRun) status(s conformanceSection) {
	r.Helper()
	elsewhere := map[robotstxt.Reason]robotstxt.Decision{
		robotstxt.RuleMatched:     {Allowed: true, Reason: robotstxt.NoRuleMatched},
		robotstxt.FileUnavailable: {Allowed: true, Reason: robotstxt.FileUnavailable},
		robotstxt.FileUnreachable: {Allowed: false, Reason: robotstxt.FileUnreachable},
	}
	for _, row := range s.rows {
		status, _ := strconv.Atoi(row.fields[0])
		reason := conformanceReasons[row.fields[2]]
		file := robotstxt.FromStatus(status, []byte("User-agent: *\nDisallow: /x\n"))
		for url, want := range map[string]robotstxt.Decision{
			"/x":          {Allowed: row.fields[1] == "allow", Reason: reason},
			"/y":          elsewhere[reason],
			"/robots.txt": {Allowed: true, Reason: robotstxt.RobotsTxt},
		} {
			got := file.Decide("foobot", url)
			if got.Allowed != want.Allowed || got.Reason != want.Reason {
				r.failf(row.at, "FromStatus(%d, …): %s: got %v, %q; want %v, %q", status, url, got.Allowed, got.Reason, want.Allowed, want.Reason)
			}
			if line := got.Rule.Line; (line != 0) != (want.Reason == robotstxt.RuleMatched) {
				r.failf(row.at, "FromStatus(%d, …): %s: %q names line %d", status, url, got.Reason, line)
			}
			if g := file.Group("foobot").Decide(url); g.Allowed != got.Allowed || g.Reason != got.Reason {
				r.failf(row.at, "FromStatus(%d, …): %s: the group decides %+v, the file %+v", status, url, g, got)
			}
		}
	}
}

// TestSizeLimit has the cases of design rule 4.1.1, which are too large for
// testdata: what lies beyond SizeLimit does not count, nor does a line of which
// any byte but its end lies there.
func TestSizeLimit(t *testing.T) {
	const limit = robotstxt.SizeLimit
	if limit != 500*1024 { // RFC 9309, section 2.5: at least 500 kibibytes
		t.Errorf("SizeLimit is %d", limit)
	}
	const head, rule = "User-agent: *\n", "Disallow: /abc"
	// ending returns a file whose third line is the rule. The rule ends at
	// offset end; the comment in the second line makes up for the rest.
	ending := func(end int, after string) string {
		return head + "#" + strings.Repeat("x", end-len(head)-len("#\n")-len(rule)) + "\n" + rule + after
	}
	encode := func(text string) string {
		data := []byte("\xff\xfe")
		for _, unit := range utf16.Encode([]rune(text)) {
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
		return string(data)
	}
	// In UTF-8 this comment takes three bytes a character, in UTF-16 two.
	wide := "#" + strings.Repeat("ツ", limit/3) + "\n"
	narrow := "#" + strings.Repeat("x", limit*3/4) + "\n"

	for _, test := range []struct {
		name    string
		data    string
		url     string
		allowed bool
		line    int
	}{
		{"ends at the limit, as the file does", ending(limit, ""), "/abc", false, 3},
		{"ends at the limit, LF beyond", ending(limit, "\n"), "/abc", false, 3},
		{"ends at the limit, CR beyond", ending(limit, "\r"), "/abc", false, 3},
		{"ends at the limit, CRLF beyond", ending(limit, "\r\n"), "/abc", false, 3},
		{"CR before the limit, LF beyond", ending(limit-1, "\r\n"), "/abc", false, 3},
		{"LF before the limit", ending(limit-1, "\n"), "/abc", false, 3},
		{"one byte beyond", ending(limit+1, "\n"), "/abc", true, 0},
		{"one byte beyond leaves no shorter rule", ending(limit+1, ""), "/ab", true, 0},
		{"all but the key beyond", ending(limit+4, ""), "/", true, 0},
		{"a space beyond", ending(limit, " \n"), "/abc", true, 0},
		{"a comment beyond", ending(limit-3, " # which crosses it\n"), "/abc", true, 0},
		{"a rule behind the limit", ending(limit, "\nDisallow: /d\n"), "/d", true, 0},
		{"the rule before that", ending(limit, "\nDisallow: /d\n"), "/abc", false, 3},
		{"a rule behind LF at the limit", ending(limit-1, "\nDisallow: /d\n"), "/d", true, 0},
		{"a rule far behind", ending(limit, strings.Repeat("\nDisallow: /d", 1e5)), "/d", true, 0},
		{"UTF-16 that ends at the limit in UTF-8", encode(ending(limit, "")), "/abc", false, 3},
		{"UTF-16 with LF at the limit in UTF-8", encode(ending(limit, "\n")), "/abc", false, 3},
		{"UTF-16 with one byte beyond in UTF-8", encode(ending(limit, "d")), "/abcd", true, 0},
		{"UTF-16 with one byte beyond leaves no shorter rule", encode(ending(limit, "d")), "/abc", true, 0},
		{"a line that Google's C++ cuts", head + "Disallow: /" + strings.Repeat("a", 20_000), "/" + strings.Repeat("a", 19_999), true, 0},
		{"all of that line", head + "Disallow: /" + strings.Repeat("a", 20_000), "/" + strings.Repeat("a", 20_000), false, 2},
		{"one line of 5 MB", head + "Disallow: /" + strings.Repeat("a", 5e6), "/", true, 0},
		{"the rule before one line of 5 MB", head + rule + "\nDisallow: /" + strings.Repeat("*", 5e6), "/abc", false, 2},
		{"the rule behind one line of 5 MB", head + strings.Repeat("*", 5e6) + "\n" + rule, "/abc", true, 0},
		{"a group that begins behind the limit", ending(limit, "\nUser-agent: foobot\nDisallow: /d\n"), "/abc", false, 3},
		{"UTF-16 above the limit, below it in UTF-8", encode(head + narrow + rule), "/abc", false, 3},
		{"UTF-16 below the limit, above it in UTF-8", encode(head + wide + rule), "/abc", true, 0},
		{"the rule before that in UTF-16", encode(head + rule + "\n" + wide + "Disallow: /d"), "/abc", false, 2},
	} {
		d := robotstxt.Parse([]byte(test.data)).Decide("foobot", test.url)
		if got, want := conformanceVerdict(d.Allowed, d.Rule.Line), conformanceVerdict(test.allowed, test.line); got != want {
			t.Errorf("%s: %s: got %s, want %s", test.name, test.url, got, want)
		}
	}
}

// TestAccessResults compares the two files that stand for a failure with what
// FromStatus makes of a status.
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
					t.Errorf("%s: %q, %s: the group says %v, the file %v", test.name, agent, url, got, want)
				}
			}
		}
		if n := len(test.file.Groups()) + len(test.file.Sitemaps()) + len(test.file.Records()); n != 0 {
			t.Errorf("%s: holds %d groups, sitemaps and records", test.name, n)
		}
	}
}

// TestConformanceFormat makes sure that a mistake in a file of cases is found,
// and that its line is named.
func TestConformanceFormat(t *testing.T) {
	const start = "A sentence.\nSource: ours, because.\n"
	const robots = start + "-- robots.txt --\nUser-agent: *\nDisallow: /a\n"
	for _, test := range []struct{ name, text, want string }{
		{"well-formed", robots + "-- want --\n# a comment\n\ndisallow \"foo bot\"\t/a 2\nallow \"\" / -\n", ""},
		{"nothing found", robots + "-- sitemaps --\n-- records --\n", ""},
		{"without a robots.txt", start + "-- covers --\nyes a b\n", ""},
		{"empty file", "", "x.txt:1: does not start"},
		{"no sentence", strings.TrimPrefix(robots, "A sentence.\n") + "-- want --\nallow a / -\n", "x.txt:1: does not start"},
		{"no source", strings.Replace(robots, "Source", "Sauce", 1) + "-- want --\nallow a / -\n", "x.txt:1: does not start"},
		{"empty source", strings.Replace(robots, "ours, because.", "", 1) + "-- want --\nallow a / -\n", "x.txt:1: does not start"},
		{"no case", start, "x.txt:1: no cases"},
		{"nothing said", robots, "x.txt:3: nothing is said"},
		{"no rows", robots + "-- want --\n# none\n", "x.txt:6: no rows"},
		{"unknown section", robots + "-- wants --\nallow a / -\n", "x.txt:6: unknown section \"wants\""},
		{"section twice", robots + "-- want --\nallow a / -\n-- want --\nallow a / -\n", "x.txt:8: section \"want\" again"},
		{"no robots.txt", start + "-- want --\nallow a / -\n", "x.txt:3: section \"want\" has no robots.txt"},
		{"robots.txt of another case", start + "-- covers --\nyes a b\n-- want --\nallow a / -\n", "x.txt:5: section \"want\" has no robots.txt"},
		{"verdict", robots + "-- want --\nallowed a / -\n", "x.txt:7: not a row of \"want\""},
		{"line", robots + "-- want --\nallow a / 0\n", "x.txt:7: not a row of \"want\""},
		{"too few fields", robots + "-- want --\nallow a /\n", "x.txt:7: not a row of \"want\""},
		{"too many fields", robots + "-- want --\nallow a / - -\n", "x.txt:7: not a row of \"want\""},
		{"delay", robots + "-- crawl-delay --\na 10\n", "x.txt:7: not a row of \"crawl-delay\""},
		{"reason", robots + "-- reasons --\nnone a /\n", "x.txt:7: not a row of \"reasons\""},
		{"yes or no", start + "-- covers --\nmaybe a b\n", "x.txt:4: not a row of \"covers\""},
		{"status", start + "-- status --\n2xx allow NoGroup\n", "x.txt:4: not a row of \"status\""},
		{"lines of groups", robots + "-- groups --\n* 2 x\n", "x.txt:7: not a row of \"groups\""},
		{"open literal", robots + "-- want --\nallow \"a / -\n", "x.txt:7: a field starts with a quote"},
		{"glued literal", robots + "-- want --\nallow \"a\"b / -\n", "x.txt:7: a Go string literal is not followed"},
		{"unquoted line", start + "-- robots.txt.quoted --\nUser-agent:\n-- want --\nallow a / -\n", "x.txt:4: not a Go string literal"},
		{"two literals", start + "-- robots.txt.quoted --\n\"a\" \"b\"\n-- want --\nallow a / -\n", "x.txt:4: not a Go string literal"},
	} {
		_, err := parseConformance("x.txt", test.text)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
	}
}
