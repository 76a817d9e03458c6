package robotstxt_test

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
)

// TestSizeLimit tests rule 1.1 of testdata/RULES.md, whose cases are too large for
// testdata. Nothing beyond SizeLimit counts, nor does a line with a byte beyond it other
// than its line ending.
func TestSizeLimit(t *testing.T) {
	const limit = robotstxt.SizeLimit
	if limit != 500*1024 { // RFC 9309, section 2.5: at least 500 kibibytes
		t.Errorf("SizeLimit is %d", limit)
	}
	const head, rule = "User-agent: *\n", "Disallow: /abc"
	// ending returns a file whose third line is the rule. The comment on the second line is
	// as long as it must be for the rule to end at offset end.
	ending := func(end int, after string) string {
		return head + "#" + strings.Repeat("x", end-len(head)-len("#\n")-len(rule)) + "\n" + rule + after
	}
	encode := func(text string) string { return encodeUTF16(binary.LittleEndian, text) }
	// Each character of the wide comment takes three bytes in UTF-8 and two in UTF-16.
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
		{"one byte beyond the limit", ending(limit+1, "\n"), "/abc", true, 0},
		{"one byte beyond the limit: no shorter rule counts", ending(limit+1, ""), "/ab", true, 0},
		{"everything except the key beyond the limit", ending(limit+4, ""), "/", true, 0},
		{"a space beyond the limit", ending(limit, " \n"), "/abc", true, 0},
		{"a comment that crosses the limit", ending(limit-3, " # which crosses it\n"), "/abc", true, 0},
		{"a rule after the limit", ending(limit, "\nDisallow: /d\n"), "/d", true, 0},
		{"the last rule before the limit", ending(limit, "\nDisallow: /d\n"), "/abc", false, 3},
		{"a rule after LF at the limit", ending(limit-1, "\nDisallow: /d\n"), "/d", true, 0},
		{"rules far beyond the limit", ending(limit, strings.Repeat("\nDisallow: /d", 1e5)), "/d", true, 0},
		{"UTF-16 that ends at the limit in UTF-8", encode(ending(limit, "")), "/abc", false, 3},
		{"UTF-16 with LF at the limit in UTF-8", encode(ending(limit, "\n")), "/abc", false, 3},
		{"UTF-16 with one byte beyond the limit in UTF-8", encode(ending(limit, "d")), "/abcd", true, 0},
		{"UTF-16 with one byte beyond the limit: no shorter rule counts", encode(ending(limit, "d")), "/abc", true, 0},
		{"a URL one octet too short for a rule of 20 KB", head + "Disallow: /" + strings.Repeat("a", 20_000), "/" + strings.Repeat("a", 19_999), true, 0},
		{"a URL that matches a rule of 20 KB", head + "Disallow: /" + strings.Repeat("a", 20_000), "/" + strings.Repeat("a", 20_000), false, 2},
		{"one line of 5 MB", head + "Disallow: /" + strings.Repeat("a", 5e6), "/", true, 0},
		{"the rule before one line of 5 MB", head + rule + "\nDisallow: /" + strings.Repeat("*", 5e6), "/abc", false, 2},
		{"the rule after one line of 5 MB", head + strings.Repeat("*", 5e6) + "\n" + rule, "/abc", true, 0},
		{"a group that begins after the limit", ending(limit, "\nUser-agent: foobot\nDisallow: /d\n"), "/abc", false, 3},
		{"UTF-16 above the limit, below it in UTF-8", encode(head + narrow + rule), "/abc", false, 3},
		{"UTF-16 below the limit, above it in UTF-8", encode(head + wide + rule), "/abc", true, 0},
		{"the rule before the limit in UTF-16", encode(head + rule + "\n" + wide + "Disallow: /d"), "/abc", false, 2},
	} {
		d := robotstxt.Parse([]byte(test.data)).Decide("foobot", test.url)
		if got, want := verdict(d.Allowed, d.Rule.Line), verdict(test.allowed, test.line); got != want {
			t.Errorf("%s: URL %.20s: got %s, want %s", test.name, test.url, got, want)
		}
	}
}

// TestReadBody reads files in which the last line that counts ends at the limit. It tests
// that ReadBody returns all lines that count, and reads few bytes beyond the limit.
func TestReadBody(t *testing.T) {
	const limit, last = robotstxt.SizeLimit, "\nDisallow: /last"
	for name, encode := range map[string]func(string) string{
		"UTF-8":     func(text string) string { return text },
		"UTF-16 LE": func(text string) string { return encodeUTF16(binary.LittleEndian, text) },
		"UTF-16 BE": func(text string) string { return encodeUTF16(binary.BigEndian, text) },
	} {
		for _, wide := range []string{"#", "#\u010A", "#\U0001F916"} {
			for _, beyond := range []string{"", "\n", "\r\n", "x", "\u0D0A", "\U0001F916"} {
				text := "User-agent: *\n" + wide
				text += strings.Repeat("#", limit-len(text+last)) + last + beyond
				r := strings.NewReader(encode(text + strings.Repeat("\nDisallow: /never", 1000)))
				size := r.Len()
				body, err := robotstxt.ReadBody(r)
				want := robotstxt.Parse([]byte(encode(text))).Group("*").Rules()
				if diff := cmp.Diff(want, robotstxt.Parse(body).Group("*").Rules()); diff != "" || err != nil {
					t.Errorf("%s, %q: error %v, rules (-want +got):\n%s", name, beyond, err, diff)
				}
				if n := size - r.Len(); name == "UTF-8" && n != limit+1 || n > 2+2*(limit+1) || n != len(body) {
					t.Errorf("%s, %q: %d bytes read, %d returned", name, beyond, n, len(body))
				}
			}
		}
	}
	for _, body := range []string{"", "\xFF", "\xFF\xFE", "User-agent: *\n", strings.Repeat("#", limit)} {
		if got, err := robotstxt.ReadBody(strings.NewReader(body)); err != nil || string(got) != body {
			t.Errorf("ReadBody of %d bytes returned %d bytes, error %v", len(body), len(got), err)
		}
	}
	broken := errors.New("broken")
	for _, start := range []string{"#", "\xFF\xFE#\x00", "\xFF\xFE" + strings.Repeat("#\x00", limit/2)} {
		if _, err := robotstxt.ReadBody(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("ReadBody of %d bytes before a read error: got error %v, want %v", len(start), err, broken)
		}
	}
}

func encodeUTF16(order binary.AppendByteOrder, text string) string {
	var data []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		data = order.AppendUint16(data, unit)
	}
	return string(data)
}

// TestNotRobotsTxt marks the line that NotRobotsTxt returns with ">>". Files without a mark are
// robots.txt files.
func TestNotRobotsTxt(t *testing.T) {
	for _, text := range []string{
		"",
		"# nothing but comments\n\n",
		"User-agent: *\nDisallow: /",
		"Sitemap: https://example.com/s",
		"junk\nCrawl-delay: 1",
		">><!doctype html>\n<p>",
		"\ufeff# log in\n\n>>  <html>",
		">><html>\nSitemap: /s\nUser-agent: *", // as scripts and examples on pages have
		">><html>\nDisallow: /",
		"<!-- a comment of the server -->\nUser-agent: *\nDisallow: /",
		">>{\"error\": \"sitemap: none\"}",
		">>Not found",
		">>Error: not found\nHost: example.com",
		">>\x1f\x8b\x08",
		"# a\n>>" + strings.Repeat("a", robotstxt.SizeLimit),
		"# " + strings.Repeat("a", robotstxt.SizeLimit),
		strings.Repeat("\n", robotstxt.SizeLimit) + "a", // the limit is at the end of a line
		"\xff\xfeA\x00l\x00l\x00o\x00w\x00:\x00",        // UTF-16
	} {
		want := 0
		if before, _, marked := strings.Cut(text, ">>"); marked {
			want = strings.Count(before, "\n") + 1
		}
		line, ok := robotstxt.NotRobotsTxt([]byte(strings.Replace(text, ">>", "", 1)))
		if line != want || ok != (want > 0) {
			t.Errorf("NotRobotsTxt(%.100q) = %d, %v, want %d", text, line, ok, want)
		}
	}
}
