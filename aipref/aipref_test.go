package aipref_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

// format describes the sections of the cases; see testdata/README.md.
var format = casefile.Format{
	"want":          {Fields: "text text allow|disallow text*"},
	"header":        {Fields: "text"},
	"signal header": {Fields: "text"},
	"signals":       {Fields: "line text", AllowEmpty: true},
	"file signals":  {Fields: "line text", AllowEmpty: true},
	"licenses":      {Fields: "line text", AllowEmpty: true},
}

func readCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases, err := casefile.ReadFolders(os.DirFS("."), format, "testdata")
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

func TestConformance(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.At(c.Line), func(t *testing.T) { checkCase(t, c) })
	}
}

func checkCase(t *testing.T, c casefile.Case) {
	file, header := robotstxt.Parse(c.Robots), headers(c)
	want, ok := c.Section("want")
	if !ok {
		t.Fatal("the case has no section want")
	}
	var last aipref.Answer
	for _, row := range want.Rows {
		agent, url := row.Fields[0], row.Fields[1]
		last = aipref.For(file, []string{agent}, url)
		checkRow(t, c, row, last, last.Combine(header))
		checkAccess(t, c.Robots, last, agent, url)
	}
	got := map[string][][]string{"signals": signalRows(last.Signals), "file signals": signalRows(last.FileSignals), "licenses": nil}
	for _, l := range last.Licenses() {
		got["licenses"] = append(got["licenses"], []string{strconv.Itoa(l.Line), l.URL})
	}
	for name, got := range got {
		checkRows(t, c, name, got)
	}
}

// headers returns the preferences in the headers of a case.
func headers(c casefile.Case) aipref.Preferences {
	lines := func(name string) (values []string) {
		section, _ := c.Section(name)
		for _, row := range section.Rows {
			values = append(values, row.Fields[0])
		}
		return values
	}
	return aipref.ParseUsageHeader(lines("header")).Combine(aipref.ParseSignalHeader(lines("signal header")))
}

func checkRow(t *testing.T, c casefile.Case, row casefile.Row, a aipref.Answer, p aipref.Preferences) {
	t.Helper()
	got := append([]string{row.Fields[0], row.Fields[1], access(a)}, describe(t, a, p)...)
	if diff := cmp.Diff(row.Fields, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", c.At(row.Line), diff)
	}
}

func checkRows(t *testing.T, c casefile.Case, name string, got [][]string) {
	t.Helper()
	section, ok := c.Section(name)
	if !ok {
		return
	}
	var want [][]string
	for _, row := range section.Rows {
		want = append(want, row.Fields)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", c.At(section.Line), diff)
	}
}

func signalRows(signals []aipref.Signal) (rows [][]string) {
	for _, s := range signals {
		rows = append(rows, []string{strconv.Itoa(s.Line), strings.TrimSpace(s.String())})
	}
	return rows
}

func access(a aipref.Answer) string {
	if a.Access.Allowed {
		return "allow"
	}
	return "disallow"
}

// describe returns the preferences in the form of a case's row, and checks that each
// has the mechanism of its line.
func describe(t *testing.T, a aipref.Answer, p aipref.Preferences) (fields []string) {
	add := func(key string, pref aipref.Preference) {
		if pref.Value == aipref.Unknown {
			if pref != (aipref.Preference{}) {
				t.Errorf("%s: unknown, but with a line or a mechanism: %+v", key, pref)
			}
			return
		}
		if pref.Line != 0 && pref.Mechanism != aipref.TrainingGroup { // whose lines are no signals
			i := slices.IndexFunc(a.Signals, func(s aipref.Signal) bool { return s.Line == pref.Line })
			if want := a.Signals[i].Mechanism; pref.Mechanism != want {
				t.Errorf("%s: mechanism %q, want %q", key, pref.Mechanism, want)
			}
		}
		fields = append(fields, fmt.Sprintf("%s=%s@%s", key, pref.Value, place(pref)))
	}
	add("training", p.Training)
	add("search", p.Search)
	add("input", p.AIInput)
	if p.Use != (aipref.Use{}) {
		fields = append(fields, fmt.Sprintf("use=%s@%s", p.Use.Level, place(aipref.Preference{Line: p.Use.Line, Mechanism: aipref.ContentSignalHeader})))
	}
	for _, key := range slices.Sorted(maps.Keys(p.Other)) {
		name := key
		if !utf8.ValidString(key) {
			name = strconv.Quote(key)
		}
		add("other:"+name, p.Other[key])
	}
	return fields
}

// place returns the line of a preference, or the header that has it.
func place(p aipref.Preference) string {
	switch {
	case p.Line != 0:
		return strconv.Itoa(p.Line)
	case p.Mechanism == aipref.ContentUsageHeader:
		return "header"
	case p.Mechanism == aipref.ContentSignalHeader:
		return "signal-header"
	}
	return string(p.Mechanism)
}

// sameAnswer compares only the exported fields of preferences.
var sameAnswer = cmpopts.IgnoreUnexported(aipref.Preferences{})

func TestParseUsageHeader(t *testing.T) {
	header := func(v aipref.Value) aipref.Preference {
		return aipref.Preference{Value: v, Mechanism: aipref.ContentUsageHeader}
	}
	no, yes := header(aipref.Disallow), header(aipref.Allow)
	for _, test := range []struct {
		name   string
		values []string
		want   aipref.Preferences
	}{
		{"none", nil, aipref.Preferences{}},
		{"empty", []string{""}, aipref.Preferences{}},
		{"one", []string{"train-ai=n"}, aipref.Preferences{Training: no}},
		{"two lines are one dictionary", []string{"train-ai=n", "search=y"}, aipref.Preferences{Training: no, Search: yes}},
		{"the last line counts", []string{"train-ai=n", "train-ai=y"}, aipref.Preferences{Training: yes}},
		{"an error in any line", []string{"train-ai=n", "Search=y"}, aipref.Preferences{}},
		{"no path in a header", []string{"/x train-ai=n"}, aipref.Preferences{}},
		{"space around", []string{"  train-ai=n \t"}, aipref.Preferences{Training: no}},
	} {
		if diff := cmp.Diff(test.want, aipref.ParseUsageHeader(test.values), sameAnswer); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestCombine tests that Combine takes the more restrictive preferences, and changes
// neither of its operands.
func TestCombine(t *testing.T) {
	p := aipref.ParseUsageHeader([]string{"train-ai=n, search=y, ai=y"})
	file := robotstxt.Parse([]byte("User-agent: *\nContent-Signal: ai-train=yes, search=no, ai=no, use=full\n"))
	q := aipref.For(file, []string{"FooBot"}, "/").Preferences
	signal := func(v aipref.Value) aipref.Preference {
		return aipref.Preference{Value: v, Mechanism: aipref.ContentSignal, Line: 2}
	}
	want := aipref.Preferences{
		Training: aipref.Preference{Value: aipref.Disallow, Mechanism: aipref.ContentUsageHeader},
		Search:   signal(aipref.Disallow),
		Use:      aipref.Use{Level: "full", Line: 2},
		Other:    map[string]aipref.Preference{"ai": signal(aipref.Disallow)},
	}
	if diff := cmp.Diff(want, p.Combine(q), sameAnswer); diff != "" {
		t.Errorf("p.Combine(q): (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, q.Combine(p), sameAnswer); diff != "" {
		t.Errorf("q.Combine(p): (-want +got)\n%s", diff)
	}
	if p.Other["ai"].Value != aipref.Allow {
		t.Error("Combine changed its receiver")
	}
}

// TestCombineEqual tests that Combine names the receiver's lines if all preferences are
// equal.
func TestCombineEqual(t *testing.T) {
	const records = "Content-Usage: train-ai=n, search=n, ai-use=n, a=n\nContent-Signal: ai-train=no, search=no, ai-input=no, use=full\n"
	file := robotstxt.Parse([]byte("User-agent: a\n" + records + "User-agent: b\n" + records + "Allow: /\n"))
	p, q := aipref.For(file, []string{"a"}, "/").Preferences, aipref.For(file, []string{"b"}, "/").Preferences
	all := cmp.AllowUnexported(aipref.Preferences{})
	if diff := cmp.Diff(p, p.Combine(q), all); diff != "" || cmp.Equal(p, q, all) {
		t.Errorf("p.Combine(q): (-want +got)\n%s", diff)
	}
}

// TestZero tests answers without a file, and answers for a file that is empty, unavailable
// or unreachable.
func TestZero(t *testing.T) {
	if got := (aipref.Answer{}).Licenses(); got != nil {
		t.Errorf("zero Answer: got licenses %v, want none", got)
	}
	for _, file := range []*robotstxt.File{new(robotstxt.File), robotstxt.Unavailable(), robotstxt.Unreachable()} {
		a := aipref.For(file, []string{"FooBot"}, "/")
		if diff := cmp.Diff(aipref.Preferences{}, a.Preferences, sameAnswer); diff != "" || a.Access != file.Decide("FooBot", "/") {
			t.Errorf("preferences of a file whose decision is %q (-want +got)\n%s", a.Access, diff)
		}
	}
}

// TestNames tests that For reads the group for the first of an agent's names that the file has, for access
// and for preferences.
func TestNames(t *testing.T) {
	file := robotstxt.Parse([]byte("User-agent: One\nContent-Signal: ai-train=no\nDisallow: /\n\nUser-agent: Two\nContent-Signal: ai-train=yes\nAllow: /\n"))
	for line, names := range map[int][]string{2: {"Other", "One", "Two"}, 6: {"Two", "One"}, 0: {"Other"}} {
		a := aipref.For(file, names, "/")
		if a.Training.Line != line || a.Access.Allowed != (line != 2) {
			t.Errorf("names %q: %s, training %s, want the preference of line %d", names, a.Access, a.Training, line)
		}
	}
}

// TestParseSignalHeader tests that the most restrictive value of all lines of a header
// counts.
func TestParseSignalHeader(t *testing.T) {
	header := func(v aipref.Value) aipref.Preference {
		return aipref.Preference{Value: v, Mechanism: aipref.ContentSignalHeader}
	}
	no, yes := header(aipref.Disallow), header(aipref.Allow)
	for _, test := range []struct {
		name   string
		values []string
		want   aipref.Preferences
	}{
		{"none", nil, aipref.Preferences{}},
		{"empty", []string{""}, aipref.Preferences{}},
		{"one line", []string{"search=yes, ai-train=no"}, aipref.Preferences{Training: no, Search: yes}},
		{"any case", []string{"AI-Train=NO"}, aipref.Preferences{Training: no}},
		{"any case of ASCII letters", []string{"AI-TRAİN=no"}, aipref.Preferences{Other: map[string]aipref.Preference{"ai-traİn": no}}},
		{"two lines", []string{"ai-train=no, ai-input=yes", "ai-train=yes"}, aipref.Preferences{Training: no, AIInput: yes}},
		{"use", []string{"use=full", "use=reference"}, aipref.Preferences{Use: aipref.Use{Level: "reference"}}},
		{"keys of Content-Usage", []string{"train-ai=n, ai-use=n"}, aipref.Preferences{}},
	} {
		if diff := cmp.Diff(test.want, aipref.ParseSignalHeader(test.values), sameAnswer); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestString tests the text of a preference from a line, from a header, and from neither, and of
// values that lack a part.
func TestString(t *testing.T) {
	for want, p := range map[string]aipref.Preference{
		"disallowed by line 4 (Content-Usage)":                    {Value: aipref.Disallow, Mechanism: aipref.ContentUsage, Line: 4},
		"disallowed by line 2 (__usage_ai-training, provisional)": {Value: aipref.Disallow, Mechanism: aipref.TrainingGroup, Line: 2},
		"allowed by the Content-Signal header":                    {Value: aipref.Allow, Mechanism: aipref.ContentSignalHeader},
		"nothing is said":                                         {},
	} {
		if got := p.String(); got != want {
			t.Errorf("String of %+v = %q, want %q", p, got, want)
		}
	}
	if got := (aipref.Signal{Mechanism: aipref.DisallowAITraining, Path: "/a"}).String(); got != "DisallowAITraining: /a" {
		t.Errorf("String of a signal without a value = %q, want %q", got, "DisallowAITraining: /a")
	}
	for v, want := range map[aipref.Value]string{aipref.Unknown: "unknown", aipref.Disallow + 1: "disallow"} {
		if got := v.String(); got != want {
			t.Errorf("String of the value %d = %q, want %q", v, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	file := robotstxt.Parse([]byte("License: https://a/b\nUser-agent: *\nContent-Usage: train-ai=n, tdm=n\n"))
	want := fmt.Sprint(aipref.For(file, []string{"a"}, "/"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := fmt.Sprint(aipref.For(file, []string{"a"}, "/")); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// TestSharedRecords tests that Licenses does not read all records again for each token, if
// thousands of tokens share thousands of records.
func TestSharedRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	const n = 2000
	var shared, alone strings.Builder
	shared.WriteString("License: https://example.com/\nUser-agent: a")
	for i := range n {
		fmt.Fprintf(&shared, ",a%d", i)
		fmt.Fprintf(&alone, "User-agent: a%d\nAllow: /%d\n", i, i)
	}
	shared.WriteString("\n" + strings.Repeat("L:\n", n) + "Allow: /\n")
	for _, text := range []string{shared.String(), shared.String() + alone.String()} {
		a := aipref.For(robotstxt.Parse([]byte(text)), []string{"a"}, "/")
		var licenses []aipref.License
		allocated := testing.AllocsPerRun(1, func() { licenses = a.Licenses() })
		if len(licenses) != 1 || allocated > n*n/4 { // without a limit it is n*n or more
			t.Errorf("got %d licenses with %v allocations, want 1 with at most %d", len(licenses), allocated, n*n/4)
		}
	}
}

// TestMostRecords tests that Licenses reads as many records as it says, and no group after them.
func TestMostRecords(t *testing.T) {
	const tokens, records = 1000, robotstxt.SizeLimit / 1000 // all tokens but the last share the records
	for _, above := range []int{0, 1} {
		var shared, alone strings.Builder
		shared.WriteString("User-agent: a")
		for i := range tokens - 1 {
			fmt.Fprintf(&shared, ",a%d", i)
			fmt.Fprintf(&alone, "User-agent: a%d\nAllow: /%d\n", i, i) // makes it a group of its own
		}
		shared.WriteString("\n" + strings.Repeat("L:\n", records) + "Allow: /\n")
		text := strings.Repeat("L:\n", above) + shared.String() + alone.String() + "User-agent: last\nLicense: https://example.com/\n"
		licenses := aipref.For(robotstxt.Parse([]byte(text)), []string{"a"}, "/").Licenses()
		if isRead := tokens*records+above <= robotstxt.SizeLimit; (len(licenses) == 1) != isRead {
			t.Errorf("%d records above the groups, and %d of %d tokens: got %d licenses below them; found: %t, want %t", above, records, tokens, len(licenses), len(licenses) == 1, isRead)
		}
	}
}

// TestManyGroups tests that Licenses finds the license in the last group of a file with as
// many groups as possible.
func TestManyGroups(t *testing.T) {
	const license = "License: https://example.com/\n"
	var b strings.Builder
	for i := 0; b.Len() < robotstxt.SizeLimit-100; i++ {
		fmt.Fprintf(&b, "user-agent:%x\na:\nallow:/\n", i)
	}
	b.WriteString(license)
	licenses := aipref.For(robotstxt.Parse([]byte(b.String())), []string{"a"}, "/").Licenses()
	if len(licenses) != 1 {
		t.Errorf("got %d licenses, want 1", len(licenses))
	}
}

// TestLongFile tests that For and Licenses read all lines of a file that is as long as
// allowed.
func TestLongFile(t *testing.T) {
	for _, line := range []string{"Content-Usage: /*a*b train-ai=n\n", "Content-Signal: a=no\n", "DisallowAITraining: /a*b\n", "License: x\n"} {
		data := append([]byte("User-agent: *\n"), bytes.Repeat([]byte(line), robotstxt.SizeLimit/len(line))...)
		a := aipref.For(robotstxt.Parse(data), []string{"FooBot"}, "/"+strings.Repeat("a", 100))
		if n := len(a.Signals) + len(a.Licenses()); n < robotstxt.SizeLimit/len(line)-1 {
			t.Errorf("a file of lines %q: got only %d signals and licenses", line, n)
		}
	}
}

// TestUnknown tests which parts of a record say nothing.
func TestUnknown(t *testing.T) {
	for _, test := range []struct {
		key, value string
		want       []string
	}{
		{"Content-Signal", "search=yes, ai-train=no, USE=Reference", nil},
		{"Content-Signal", "/a ai-train=n, train-ai=no, use=some, search", []string{"ai-train", "train-ai", "use", "search"}},
		{"content_signal", "", nil},
		{"Content-Usage", "/a train-ai=n, ai-use=y;a=1", nil},
		{"Content-Usage", "train-ai=no, bots=n, Search=y", []string{"train-ai=no, bots=n, Search=y"}}, // keys are in lower case (RFC 9651)
		{"Content-Usage", "train-ai=no, bots=n, search=y", []string{"train-ai", "bots"}},
		{"DisallowAITraining", "/a", nil},
	} {
		signal, ok := aipref.ReadSignal(robotstxt.Record{Line: 2, Key: test.key, Value: test.value})
		if diff := cmp.Diff(test.want, signal.Unknown()); diff != "" || !ok || signal.Line != 2 {
			t.Errorf("%s: %s: %+v, %t, unknown (-want +got):\n%s", test.key, test.value, signal, ok, diff)
		}
	}
	if _, ok := aipref.ReadSignal(robotstxt.Record{Key: "License", Value: "https://shop.example/"}); ok {
		t.Error("ReadSignal took a license for a signal")
	}
}
