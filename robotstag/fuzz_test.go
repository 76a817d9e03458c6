package robotstag_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/robotstxt-go/robotstxt/robotstag"
)

// checkTags compares tags with the directives that the slow functions read.
func checkTags(t *testing.T, tags robotstag.Tags, slow []robotstag.Directive, agent string) {
	t.Helper()
	all := slices.Collect(tags.All())
	sameText := cmpopts.IgnoreFields(robotstag.Directive{}, "Offset", "Number", "Source")
	noKind := cmpopts.IgnoreUnexported(robotstag.Directive{})
	if diff := cmp.Diff(slow, all, sameText, noKind, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-slow +fast)\n%s", diff)
	}
	d := tags.For(agent)
	text, unknown := slowFor(slow, agent)
	if diff := cmp.Diff(unknown, d.Unknown, cmpopts.EquateEmpty()); diff != "" || d.String() != text {
		t.Fatalf("for %q: %q, slow: %q; unknown: (-slow +fast)\n%s", agent, d, text, diff)
	}
	checkDirectives(t, d)
	if joined := tags.Join(tags).For(agent, agent); joined.String() != d.String() {
		t.Fatalf("joined with themselves: %q, alone: %q", joined, d)
	}
}

// checkDirectives tests what must be true of all Directives.
func checkDirectives(t *testing.T, d robotstag.Directives) {
	t.Helper()
	after := d.UnavailableAfter
	if got := d.MayIndex(after); got != !d.Has("noindex") {
		t.Fatalf("%q: MayIndex(UnavailableAfter) = %v", d, got)
	}
	if !after.IsZero() && d.MayIndex(after.Add(time.Nanosecond)) || d.MayFollow() == d.Has("nofollow") {
		t.Fatalf("%q: MayIndex is true after UnavailableAfter, or MayFollow is wrong", d)
	}
	if again := xRobotsTag(d.String()).For(); again.String() != d.String() || len(again.Unknown) > 0 {
		t.Fatalf("the result %q of String is read as %q, with unknown directives %q", d, again, again.Unknown)
	}
}

func FuzzHeader(f *testing.F) {
	for _, c := range readCases(f) {
		if _, ok := c.Section("response"); ok {
			header, _ := response(f, c)
			f.Add(strings.Join(header.Values("X-Robots-Tag"), "\n"), strings.Join(header.Values("Robots-Tag"), "\n"), "foobot-news")
		}
	}
	f.Fuzz(func(t *testing.T, old, draft, agent string) {
		header := http.Header{"X-Robots-Tag": strings.Split(old, "\n"), "Robots-Tag": strings.Split(draft, "\n")}
		var slow []robotstag.Directive
		for _, value := range slices.Concat(header.Values("X-Robots-Tag"), header.Values("Robots-Tag")) {
			slow = append(slow, slowRead(value, "", false)...)
		}
		tags := robotstag.FromHeader(header)
		checkTags(t, tags, slow, agent)
		for d := range tags.All() {
			value := header.Values(string(d.Source))[d.Number-1]
			if !strings.HasPrefix(value[d.Offset:], d.Text) || d.Text == "" || !strings.Contains(d.Text, d.Value) {
				t.Fatalf("%q is not at offset %d of %q", d.Text, d.Offset, value)
			}
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, c := range readCases(f) {
		if _, ok := c.Section("response"); ok {
			if _, page := response(f, c); len(page) < 1<<16 {
				f.Add(page, "foobot-news")
			}
		}
	}
	f.Fuzz(func(t *testing.T, page []byte, agent string) {
		tags, err := robotstag.FromHTML(bytes.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		slow := slowHTML(page)
		checkTags(t, tags, slow, agent)
		i := 0
		for d := range tags.All() {
			if d.Offset != slow[i].Offset || !strings.EqualFold(string(page[d.Offset:d.Offset+5]), "<meta") {
				t.Fatalf("no meta element at offset %d, or not the same as slowHTML's", d.Offset)
			}
			i++
		}
	})
}

func FuzzDate(f *testing.F) {
	for _, c := range readCases(f) {
		dates, _ := c.Section("dates")
		for _, row := range dates.Rows {
			f.Add(row.Fields[0])
		}
	}
	f.Fuzz(func(t *testing.T, date string) {
		if strings.ContainsAny(date, ",;") {
			return // FuzzHeader tests these
		}
		d := xRobotsTag("unavailable_after:" + date).For()
		want, ok := slowDate(slowTrim(date))
		if ok != !d.UnavailableAfter.IsZero() || ok && !want.Equal(d.UnavailableAfter) {
			t.Fatalf("%q is read as %v, but slowDate returns %v, %v", date, d.UnavailableAfter, want, ok)
		}
	})
}
