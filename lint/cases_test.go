package lint_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/casefile"
	"github.com/robotstxt-go/robotstxt/lint"
)

// sections are the sections of a case; testdata/README.md explains them.
var sections = casefile.Format{
	"want":   {Fields: "position text", AllowEmpty: true},
	"silent": {Fields: "text text*"},
	"fixed":  {IsText: true},
}

func readCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases, err := casefile.ReadFolders(os.DirFS("."), sections, "testdata")
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

// rows returns the rows of a section of a case, each as one text.
func rows(c casefile.Case, name string) (rows []string) {
	section, _ := c.Section(name)
	for _, r := range section.Rows {
		rows = append(rows, strings.Join(r.Fields, " "))
	}
	return rows
}

func TestCheck(t *testing.T) {
	for _, c := range readCases(t) {
		var got []string
		for _, f := range lint.Check(c.Robots) {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Code))
			if s := f.String(); strings.Contains(s, "%!") || strings.Contains(s, "%[") {
				t.Errorf("%s: an advice with a missing or wrong argument: %s", c.At(c.Line), s)
			}
		}
		if diff := cmp.Diff(rows(c, "want"), got); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", c.At(c.Line), diff)
		}
	}
}

func TestFix(t *testing.T) {
	for _, c := range readCases(t) {
		if len(c.Robots) > robotstxt.SizeLimit {
			continue // see TestFixTooLarge
		}
		want := c.Robots
		if fixed, ok := c.Section("fixed"); ok {
			want = fixed.Text
		}
		got, err := lint.Fix(c.Robots)
		if err != nil {
			t.Errorf("%s: %v", c.At(c.Line), err)
		}
		// Blank lines at the end of a case separate it from the next one.
		if diff := cmp.Diff(string(bytes.TrimRight(want, "\n")), string(bytes.TrimRight(got, "\n"))); diff != "" {
			t.Errorf("%s: fixed (-want +got):\n%s", c.At(c.Line), diff)
		}
	}
}

// TestCodes wants for each code a case that has it, and one that could seem to have it, but does not.
// The example must have the code as its only finding.
func TestCodes(t *testing.T) {
	found, silent := map[string]bool{}, map[string]bool{}
	for _, c := range readCases(t) {
		for _, row := range rows(c, "want") {
			_, code, _ := strings.Cut(row, " ")
			found[code] = true
		}
		for _, row := range rows(c, "silent") {
			for _, code := range strings.Fields(row) {
				silent[code] = true
			}
		}
	}
	names := map[string]bool{}
	rank := map[lint.Severity]int{lint.Error: 1, lint.Warning: 2, lint.Info: 3}
	last := lint.Error
	for _, c := range lint.Codes() {
		if names[c.Name] {
			t.Errorf("%s: two rows of the table have this name", c.Name)
		}
		names[c.Name] = true
		if !found[c.Name] || !silent[c.Name] {
			t.Errorf("%s: cases have the finding: %t; cases list it as silent: %t; want both (see testdata/README.md)", c.Name, found[c.Name], silent[c.Name])
		}
		if rank[c.Severity] < rank[last] {
			t.Errorf("%s: the severity is %s, but the row above in table.go has %s; move the row whose severity is wrong for its place", c.Name, c.Severity, last)
		}
		last = c.Severity
		if findings := lint.Check([]byte(c.Example)); c.Example != "" && (len(findings) != 1 || findings[0].Code != c.Name) {
			t.Errorf("%s: the example has the findings %v", c.Name, findings)
		}
	}
}

// TestIgnored tests that an ignored code takes no line from another one, and is not fixed.
func TestIgnored(t *testing.T) {
	file := []byte("User-agent: *\nDissallow /b\n")
	for _, c := range []struct {
		ignored []string
		code    string
		fixed   string
	}{
		{nil, "misspelled-key", "User-agent: *\nDisallow: /b\n"},
		{[]string{"misspelled-key"}, "missing-colon", "User-agent: *\nDissallow: /b\n"},
		{[]string{"missing-colon", "misspelled-key"}, "", string(file)},
	} {
		code := ""
		for _, f := range lint.Check(file, c.ignored...) {
			code += f.Code
		}
		fixed, err := lint.Fix(file, c.ignored...)
		if code != c.code || string(fixed) != c.fixed || err != nil {
			t.Errorf("ignored %q: finding %q, fixed %q, %v; want %q, %q", c.ignored, code, fixed, err, c.code, c.fixed)
		}
	}
}

// TestFixUTF16 tests that Fix leaves UTF-16 alone, with or without a mark.
func TestFixUTF16(t *testing.T) {
	for _, mark := range []string{"", "\xff\xfe"} {
		data := []byte(mark + "U\x00s\x00e\x00r\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00")
		if got, err := lint.Fix(data, "utf-16"); !bytes.Equal(got, data) || err != nil {
			t.Errorf("Fix(%q) = %q, %v", data, got, err)
		}
	}
}

// TestLimit tests that Check limits the findings of a code, and Fix does not.
func TestLimit(t *testing.T) {
	const lines = 10_001
	data := []byte("User-agent: *\n" + strings.Repeat("Disallow /a\n", lines))
	findings := lint.Check(data, "duplicate-rule")
	fixed, err := lint.Fix(data, "duplicate-rule")
	if n := bytes.Count(fixed, []byte("Disallow: /a\n")); len(findings) != lines-1 || n != lines || err != nil {
		t.Errorf("%d findings, %d lines fixed, %v; want %d and %d", len(findings), n, err, lines-1, lines)
	}
}

// TestFixEndings tests that new lines keep the line endings of old ones.
func TestFixEndings(t *testing.T) {
	got, err := lint.Fix([]byte("Useragent: *\r\nDissallow: /a\rDisallow: /b\nDissallow: /c"))
	if want := "User-agent: *\r\nDisallow: /a\rDisallow: /b\nDisallow: /c"; string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	got, err = lint.Fix([]byte("User-agent: a, b\r\nAllow: /\r\nUser-agent: c, d"))
	if want := "User-agent: a\r\nUser-agent: b\r\nAllow: /\r\nUser-agent: c\nUser-agent: d"; string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestFixTooLarge(t *testing.T) {
	const start = "Useragent: *\nDisallow: /"
	const fits = robotstxt.SizeLimit - len(start) - len("-")
	for name, c := range map[string]struct {
		data string
		want error
	}{
		"too large already": {start + strings.Repeat("a", fits+2), lint.ErrTooLarge},
		"grows":             {start + strings.Repeat("a", fits+1), lint.ErrTooLarge},
		"just fits":         {start + strings.Repeat("a", fits), nil},
	} {
		if got, err := lint.Fix([]byte(c.data)); err != c.want || err != nil && got != nil {
			t.Errorf("%s: Fix returned %d bytes and the error %v, want %v", name, len(got), err, c.want)
		}
	}
}

// TestAdvice tests an advice that depends on more than the line of the finding.
func TestAdvice(t *testing.T) {
	const star = "User-agent: *\nAllow:\t/a/b\nDisallow: /a/\nDisallow: /c/ # all\nContent-Signal: ai-train=no\nDisallow: /d/\n\n"
	for file, want := range map[string]string{
		star + "User-agent: GPTBot\nAllow: /\n":                                    `If it should, copy lines 2 to 6 into its group: "Allow: /a/b", "Disallow: /a/", "Disallow: /c/", "Content-Signal: ai-train=no" and "Disallow: /d/".`,
		star + "User-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /a/\n": `If it should, copy lines 4 and 6 into its group: "Disallow: /c/" and "Disallow: /d/".`,
		star + "User-agent: GPTBot\nDisallow: /a/\nDisallow: /c\nDisallow: /d\n":   `If it should, copy line 5 into its group: "Content-Signal: ai-train=no".`,
		star + "User-agent: FooBot\nUser-agent: BarBot\nAllow: /\n\nDisallow: /e/": `If the lines are for all crawlers, move them below "User-agent: *" in line 1. Now they are only for "FooBot" and "BarBot".`,
		"User-agent: *\nDisallow: /#a":                                             `A "#" starts a comment, so crawlers read only "/".`,
		"User-agent: *\nAllow: /\nDisallow: /*":                                    `Its path is longer than that of "Allow: /", so it wins.`,
		"User-agent: Googlebot\nDisallow: /":                                       `To open the site, write "Disallow:" instead of`,
		"User-agent: Googlebot\n\nUser-agent: FooBot\nDisallow: /":                 `To open the site, delete this line, so that the group is only for the other crawlers.`,
	} {
		findings := lint.Check([]byte(file))
		if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return strings.HasPrefix(f.Advice, want) }) {
			t.Errorf("file %q: findings %v, want the advice %s", file, findings, want)
		}
	}
}

// TestQuote tests how an advice shows text from the file.
func TestQuote(t *testing.T) {
	const star = "User-agent: *\n"
	for file, want := range map[string]string{
		star + `Disallow: /a\d"b#c`:                        `"/a\d\"b"`,
		star + `Disallow: \temp\`:                          `Write "/temp/"`,
		"User–agent: *":                                    `Write "User-agent:" with the hyphen of the keyboard, not with a dash.`,
		star + "Disallow: /À":                              `"/%C3%80"`, // the smallest byte that is not ASCII
		star + "Disallow: a\x1bb":                          `"/a\x1bb"`,
		star + "Disallow: " + strings.Repeat("é", 300):     `"/` + strings.Repeat("é", 199) + `…"`,
		star + "Content-Signal: /a search=yes ai-train=no": `Correct "search=yes ai-train=no".`,
		"Content-Signals: ai-train=no":                     `Write "Content-Signal:".`,
		star + "Disallow: /*%3fa%3Db%26c":                  `write "/*?a=b&c".`,
		star + "Disallow: /a // b":                         `If a comment follows the path, start it with "#".`,
		"User-agent: Claude\nDisallow: /a":                 `such as "ClaudeBot", "Claude-SearchBot" and "Claude-User".`,
		"User-agent: OpenAI\nDisallow: /a":                 `such as "GPTBot", "OAI-SearchBot", "ChatGPT-User" and "OAI-AdsBot".`,
		"<p>" + strings.Repeat("é", 100) + "</p>":          `"<p>` + strings.Repeat("é", 37) + `…"`,
	} {
		findings := lint.Check([]byte(file), "invisible-character", "regexp-in-path")
		if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return strings.Contains(f.Advice, want) }) {
			t.Errorf("file %q: findings %v, want %s in an advice", file, findings, want)
		}
	}
}
