package robotstag_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/robotstag"
)

// format describes the sections of the cases; see testdata/README.md.
var format = casefile.Format{
	"response":   {IsText: true, First: true},
	"want":       {Fields: "text text text*"},
	"directives": {Fields: "X-Robots-Tag|Robots-Tag|meta number number text text"},
	"may index":  {Fields: "text text yes|no"},
	"dates":      {Fields: "text text", NoFile: true},
}

func readCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases, err := casefile.ReadFolders(os.DirFS("."), format, "testdata/google", "testdata/draft", "testdata/others", "testdata/ours")
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

// response returns the header and the page of a case.
func response(tb testing.TB, c casefile.Case) (http.Header, []byte) {
	tb.Helper()
	section, _ := c.Section("response")
	head, page, found := bytes.Cut(section.Text, []byte("\n\n"))
	if text, ok := bytes.CutPrefix(section.Text, []byte("\n")); ok {
		head, page = nil, text
	} else if found {
		head = append(slices.Clip(head), '\n')
	}
	header := http.Header{}
	for line := range strings.Lines(string(head)) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case ok:
			header.Add(name, value)
		case !strings.HasPrefix(line, "HTTP/"):
			tb.Fatalf("%s: %q is not a header line", c.At(section.Line), line)
		}
	}
	return header, page
}

// tagsOf returns the directives in the response of a case.
func tagsOf(tb testing.TB, c casefile.Case) robotstag.Tags {
	tb.Helper()
	header, page := response(tb, c)
	fromHTML, err := robotstag.FromHTML(bytes.NewReader(page))
	if err != nil {
		tb.Fatal(err)
	}
	return robotstag.FromHeader(header).Join(fromHTML)
}

func TestConformance(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.At(c.Line), func(t *testing.T) {
			if dates, ok := c.Section("dates"); ok {
				checkDates(t, c, dates)
				return
			}
			tags := tagsOf(t, c)
			if _, ok := c.Section("want"); !ok {
				t.Fatal("the case has no section want")
			}
			for _, section := range c.Sections {
				checkSection(t, c, section, tags)
			}
		})
	}
}

func checkSection(t *testing.T, c casefile.Case, section casefile.Section, tags robotstag.Tags) {
	t.Helper()
	var all [][]string
	for d := range tags.All() {
		name := d.Name
		if name == "" {
			name = d.Text
		}
		all = append(all, []string{string(d.Source), strconv.Itoa(d.Number), strconv.Itoa(d.Offset), orDash(d.Token), name})
	}
	for i, row := range section.Rows {
		got := []string{row.Fields[0]}
		switch section.Name {
		case "want":
			d := tags.For(row.Fields[0])
			got = append(append(got, orDash(d.String())), d.Unknown...)
		case "may index":
			now, err := time.Parse(time.RFC3339, row.Fields[1])
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row.Fields[1], map[bool]string{true: "yes", false: "no"}[tags.For(row.Fields[0]).MayIndex(now)])
		case "directives":
			got = slices.Concat(all[min(i, len(all)):min(i+1, len(all))]...)
		}
		if diff := cmp.Diff(row.Fields, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.At(row.Line), diff)
		}
	}
	if section.Name == "directives" && len(section.Rows) != len(all) {
		t.Errorf("%s: got %d directives, want %d", c.At(section.Line), len(all), len(section.Rows))
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func checkDates(t *testing.T, c casefile.Case, dates casefile.Section) {
	for _, row := range dates.Rows {
		d := xRobotsTag("unavailable_after: " + row.Fields[0]).For()
		got := "-"
		if !d.UnavailableAfter.IsZero() {
			got = d.UnavailableAfter.Format(time.RFC3339Nano)
		}
		if want := row.Fields[1]; got != want || (got == "-") != (len(d.Unknown) > 0) {
			t.Errorf("%s: the date %q is read as %s, want %s; unknown directives: %q", c.At(row.Line), row.Fields[0], got, want, d.Unknown)
		}
	}
}

// xRobotsTag returns the directives of X-Robots-Tag fields with these values.
func xRobotsTag(values ...string) robotstag.Tags {
	return robotstag.FromHeader(http.Header{"X-Robots-Tag": values})
}

// An answer is what a program reads in a header.
type answer struct {
	noIndex bool
	after   time.Time
}

// wrongPrograms lists wrong ways to read X-Robots-Tag, each with a file whose cases show
// that it is wrong.
var wrongPrograms = []struct {
	name, file string
	ask        func(values []string, agent string) answer
}{
	{"look for noindex anywhere", "testdata/google/header.txt", func(values []string, agent string) answer {
		right := xRobotsTag(values...).For(agent)
		return answer{strings.Contains(strings.ToLower(strings.Join(values, ",")), "noindex"), right.UnavailableAfter}
	}},
	{"read the first field only", "testdata/google/header.txt", func(values []string, agent string) answer {
		right := xRobotsTag(values[0]).For(agent)
		return answer{right.Has("noindex"), right.UnavailableAfter}
	}},
	{"apply the directives for one crawler to all", "testdata/others/mdn.txt", func(values []string, _ string) answer {
		var a answer
		for d := range xRobotsTag(values...).All() {
			right := xRobotsTag(d.Text).For()
			a.noIndex = a.noIndex || right.Has("noindex")
			if a.after.IsZero() {
				a.after = right.UnavailableAfter
			}
		}
		return a
	}},
	{"cut at every comma and colon", "testdata/ours/date-in-list.txt", func(values []string, agent string) answer {
		a := answer{noIndex: xRobotsTag(values...).For(agent).Has("noindex")}
		for piece := range strings.SplitSeq(strings.Join(values, ","), ",") {
			parts := append(strings.Split(piece, ":"), "")
			if strings.TrimSpace(parts[0]) == "unavailable_after" {
				a.after = xRobotsTag("unavailable_after: " + parts[1]).For().UnavailableAfter
			}
		}
		return a
	}},
}

// TestWrongPrograms tests that the cases detect these mistakes.
func TestWrongPrograms(t *testing.T) {
	cases := readCases(t)
	for _, program := range wrongPrograms {
		failed := false
		for _, c := range cases {
			want, ok := c.Section("want")
			if c.File != program.file || !ok {
				continue
			}
			header, _ := response(t, c)
			values := header.Values("X-Robots-Tag")
			for _, row := range want.Rows {
				right := xRobotsTag(values...).For(row.Fields[0])
				if len(values) > 0 && program.ask(values, row.Fields[0]) != (answer{right.Has("noindex"), right.UnavailableAfter}) {
					failed = true
				}
			}
		}
		if !failed {
			t.Errorf("programs that %s pass the cases of %s", program.name, program.file)
		}
	}
}

// TestZero tests that tags without directives restrict nothing.
func TestZero(t *testing.T) {
	var none robotstag.Directives
	for name, tags := range map[string]robotstag.Tags{
		"zero":      {},
		"no header": robotstag.FromHeader(nil),
		"no fields": robotstag.FromHeader(http.Header{"Content-Type": {"noindex"}, "X-Robots-Tag": nil, "Robots-Tag": {"", " "}}),
		"joined":    robotstag.Tags{}.Join(robotstag.Tags{}),
	} {
		if diff := cmp.Diff(none, tags.For("FooBot"), cmp.AllowUnexported(none)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
	_, snippet := none.MaxSnippet()
	_, video := none.MaxVideoPreview()
	if snippet || video || !none.MayIndex(time.Now()) || !none.MayFollow() || none.String() != "" {
		t.Error("the zero Directives restricts something")
	}
}

func TestLimits(t *testing.T) {
	for value, want := range map[string][2]string{
		"max-snippet: 20":                                  {"20 true", "0 false"},
		"max-snippet: 1, max-snippet: 2":                   {"1 true", "0 false"},
		"max-snippet: -1, max-video-preview: -1":           {"0 false", "0 false"},
		"max-video-preview: 7":                             {"0 false", "7 true"},
		"max-video-preview: 0":                             {"0 false", "0 true"},
		"max-snippet: 0":                                   {"0 true", "0 true"},
		"nosnippet, max-snippet: 20, max-video-preview: 7": {"0 true", "0 true"},
	} {
		d := xRobotsTag(value).For()
		if got := [2]string{fmt.Sprintln(d.MaxSnippet()), fmt.Sprintln(d.MaxVideoPreview())}; got != [2]string{want[0] + "\n", want[1] + "\n"} {
			t.Errorf("%s: limits %q, want %q", value, got, want)
		}
	}
}

// TestSeveralAgents tests that a crawler with several names obeys the directives for each.
func TestSeveralAgents(t *testing.T) {
	tags := xRobotsTag("FooBot: noindex", "BarBot: nofollow", "BazBot: noarchive")
	if got := tags.For("foobot", "", "BarBot/1.0").String(); got != "noindex, nofollow" {
		t.Errorf("FooBot and BarBot: got %q, want noindex, nofollow", got)
	}
	if got := tags.For().String(); got != "" {
		t.Errorf("no agent: got %q, want no directives", got)
	}
	for d := range tags.All() {
		if got, want := d.AppliesTo("foobot", "barbot"), d.Token != "BazBot"; got != want {
			t.Errorf("%+v: AppliesTo = %v, want %v", d, got, want)
		}
	}
}

// TestDirective tests all fields of directives.
func TestDirective(t *testing.T) {
	var got []robotstag.Directive
	for d := range xRobotsTag("nofollow", " FooBot : Max-Snippet : 20 ,x=1").All() {
		got = append(got, d)
	}
	want := []robotstag.Directive{
		{Text: "nofollow", Name: "nofollow", Source: robotstag.XRobotsTag, Number: 1},
		{Token: "FooBot", Text: "Max-Snippet : 20", Name: "max-snippet", Value: "20", Source: robotstag.XRobotsTag, Number: 2, Offset: 10},
		{Token: "FooBot", Text: "x=1", Source: robotstag.XRobotsTag, Number: 2, Offset: 28},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(robotstag.Directive{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for range xRobotsTag("noindex, nofollow").All() {
		break // All must stop, too
	}
}

// TestReaderError tests that FromHTML returns a read error and the directives before it.
func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	page := io.MultiReader(strings.NewReader(`<meta name="robots" content="noindex"><meta name="robots" content="nofollow"`), iotest.ErrReader(broken))
	tags, err := robotstag.FromHTML(page)
	if got := tags.For().String(); err != broken || got != "noindex" {
		t.Errorf("got directives %q and error %v, want noindex and %v", got, err, broken)
	}
	if _, err := robotstag.FromHTML(iotest.DataErrReader(strings.NewReader("<p>"))); err != nil {
		t.Error(err)
	}
	// FromHTML does not read beyond the limit, so it does not see this error.
	far := io.MultiReader(strings.NewReader(strings.Repeat(" ", robotstag.MaxHTML)), iotest.ErrReader(broken))
	if _, err := robotstag.FromHTML(far); err != nil {
		t.Error(err)
	}
}

// TestJoinChangesNothing tests that joined tags do not share memory that one of them
// writes to.
func TestJoinChangesNothing(t *testing.T) {
	base := xRobotsTag("noindex", "nofollow", "noarchive")
	first := base.Join(xRobotsTag("nocache"))
	second := base.Join(xRobotsTag("noai"))
	for got, want := range map[string]string{
		base.For().String():   "noindex, nofollow, noarchive",
		first.For().String():  "noindex, nofollow, noarchive, nocache",
		second.For().String(): "noindex, nofollow, noarchive, noai",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	tags := xRobotsTag("noindex, FooBot: nofollow", "unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT")
	want := tags.For("foobot").String()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := tags.Join(tags).For("foobot").String(); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// TestMemory tests that reading hostile headers and pages allocates a small multiple of
// their size.
func TestMemory(t *testing.T) {
	for name, unit := range map[string]string{
		"unknown":  "a,",
		"names":    "a:b,",
		"members":  "a;b,",
		"words":    "all ",
		"dates":    "unavailable_after:1,",
		"elements": "<meta name=a content=a>",
		"content":  "<meta name=a content='" + strings.Repeat("a,", 100) + "'>",
	} {
		text := strings.Repeat(unit, 1<<17/len(unit))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tags, err := robotstag.FromHTML(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		tags.Join(xRobotsTag(text)).For("a")
		runtime.ReadMemStats(&after)
		if got := int(after.TotalAlloc-before.TotalAlloc) / (2 * len(text)); got > 48 {
			t.Errorf("%s: %d bytes are allocated for each byte of input, want at most 48", name, got)
		}
	}
}
