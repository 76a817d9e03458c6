package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/lint"
)

// A testCase is one robots.txt file of a file in testdata, with what is wanted of
// it. testdata/README.md says how to write one.
type testCase struct {
	place     string // file:line
	data      string
	want      []string // "line:column severity code"
	wantNone  []string // codes that must not be found
	formatted string
	sections  map[string]bool
}

// readCases reads all files of testdata.
func readCases(t testing.TB) []*testCase {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("testdata has no cases")
	}
	var cases []*testCase
	for _, name := range names {
		cases = append(cases, readCaseFile(t, name)...)
	}
	return cases
}

func readCaseFile(t testing.TB, name string) []*testCase {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n-- ")
	if !strings.Contains(head, "\nSource: ") {
		t.Errorf("%s:1: no line that starts with \"Source: \" above the first case", name)
	}
	var cases []*testCase
	section := ""
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		place := fmt.Sprintf("%s:%d", name, i+1)
		if title, ok := cutTitle(line); ok {
			section = title
			if strings.HasPrefix(title, "robots.txt") {
				cases = append(cases, &testCase{place: place, sections: map[string]bool{}})
			} else if len(cases) == 0 {
				t.Fatalf("%s: no robots.txt above %q", place, title)
			}
			cases[len(cases)-1].sections[title] = true
		} else if section != "" {
			if err := cases[len(cases)-1].add(section, line); err != nil {
				t.Fatalf("%s: %v", place, err)
			}
		}
	}
	if len(cases) == 0 {
		t.Errorf("%s:1: no case", name)
	}
	return cases
}

func cutTitle(line string) (title string, ok bool) {
	title, ok = strings.CutPrefix(line, "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(title, " --")
}

// add takes a line of a section.
func (c *testCase) add(section, line string) error {
	switch section {
	case "robots.txt":
		c.data += line + "\n"
	case "robots.txt.quoted":
		return addQuoted(&c.data, line)
	case "formatted.quoted":
		return addQuoted(&c.formatted, line)
	case "note":
	case "formatted":
		c.formatted += line + "\n"
	case "want":
		if line == "" || line[0] == '#' {
			return nil
		}
		fields := strings.Fields(line)
		if fields[0] == "none" {
			c.wantNone = append(c.wantNone, fields[1:]...)
		} else {
			c.want = append(c.want, strings.Join(fields, " "))
		}
	default:
		return fmt.Errorf("unknown section %q", section)
	}
	return nil
}

// addQuoted adds a Go string literal, perhaps followed by "x" and a number of
// times, to the text.
func addQuoted(text *string, line string) error {
	if line == "" {
		return nil
	}
	literal, err := strconv.QuotedPrefix(line)
	if err != nil {
		return fmt.Errorf("%s is no string literal", line)
	}
	piece, _ := strconv.Unquote(literal)
	times := 1
	if rest := strings.TrimSpace(line[len(literal):]); rest != "" {
		if _, err := fmt.Sscanf(rest, "x %d", &times); err != nil {
			return fmt.Errorf("%q is no number of times", rest)
		}
	}
	*text += strings.Repeat(piece, times)
	return nil
}

// TestCheck runs the cases, and wants two of each code: one that has it, and one
// close by that has not.
func TestCheck(t *testing.T) {
	found, missing := map[string]bool{}, map[string]bool{}
	for _, c := range readCases(t) {
		if !c.sections["want"] {
			continue
		}
		var got []string
		codes := map[string]bool{}
		for _, f := range lint.Check([]byte(c.data)) {
			got = append(got, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Severity, f.Code))
			codes[f.Code], found[f.Code] = true, true
			checkSentences(t, c.place, f)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", c.place, diff)
		}
		for _, code := range c.wantNone {
			missing[code] = true
			if codes[code] {
				t.Errorf("%s: unwanted finding %s", c.place, code)
			}
		}
	}
	for _, c := range lint.Codes() {
		if !found[c.Name] {
			t.Errorf("testdata has no case that triggers %s", c.Name)
		}
		if !missing[c.Name] {
			t.Errorf("testdata has no case close by %s that does not trigger it", c.Name)
		}
		delete(missing, c.Name)
	}
	for code := range missing {
		t.Errorf("testdata has a case for %s, which is no code", code)
	}
}

// checkSentences wants text and advice to be sentences.
func checkSentences(t *testing.T, place string, f lint.Finding) {
	t.Helper()
	for _, s := range []string{f.Text, f.Advice} {
		if !strings.HasSuffix(s, ".") || s == "." {
			t.Errorf("%s: %s: %q is no sentence", place, f.Code, s)
		}
	}
}

// TestWords wants of findings that tempt to give bad advice what they say.
func TestWords(t *testing.T) {
	for _, c := range []struct{ about, data, want string }{
		{"the whole of another site", "User-agent: *\nDisallow: https://shop.example/*\n",
			`Write the path alone; a robots.txt file is for its own host only, so drop the line if it is about another.`},
		{"a page of a site", "User-agent: *\nDisallow: https://shop.example/a?b\n",
			`Write "Disallow: /a?b"; a robots.txt file is for its own host only, so drop the line if it is about another.`},
		{"a host", "User-agent: *\nDisallow: www.shop.example/a\n",
			`Write the path alone, without the host; a robots.txt file is for its own host only, so drop the line if it is about another.`},
		{"a page with a dot", "User-agent: *\nDisallow: a.html\n", `Write "Disallow: /a.html".`},
		{"a name of two words", "User-agent: Offline Explorer\nDisallow: /\n",
			`Write the name as the crawler's documentation has it; it is one word.`},
		{"a quoted name", "User-agent: \"FooBot\"\nDisallow: /\n", `Write "User-agent: FooBot", if that is meant.`},
		{"a quoted path", "User-agent: *\nDisallow: \"/a\"\n", `Write the path without quotation marks.`},
		{"a comment in C", "/* for all */\nUser-agent: *\nDisallow: /a\n", `Put a "#" in front of it, if it is a comment.`},
		{"no delay", "User-agent: *\nCrawl-delay:\nDisallow: /a\n", `The line has no number of seconds.`},
		{"another word for y", "User-agent: *\nContent-Usage: train-ai=Yes\nDisallow: /a\n", `Write "train-ai=y".`},
		{"no word", "User-agent: *\nContent-Usage: train-ai\nDisallow: /a\n", `Write "train-ai=y" or "train-ai=n".`},
		{"a key twice", "User-agent: *\nDisallow: Disallow: /a\n", `Drop one of the two keys.`},
		{"a day's delay", "User-agent: *\nCrawl-delay: 86400\nDisallow: /a\n",
			`Some crawlers ignore more than 30 seconds, and one that obeys fetches no more than a page a day.`},
		{"a week's delay", "User-agent: *\nCrawl-delay: 604800\nDisallow: /a\n",
			`Some crawlers ignore more than 30 seconds, and one that obeys fetches less than a page a day.`},
		{"a minute's delay", "User-agent: *\nCrawl-delay: 60\nDisallow: /a\n",
			`Some crawlers ignore more than 30 seconds, and one that obeys fetches no more than 1440 pages a day.`},
		{"all others without rules", "User-agent: *\nSitemap: https://shop.example/s.xml\n",
			`The group has no rules, so any crawler that no other group is for may fetch everything, whatever others may not.`},
	} {
		findings := lint.Check([]byte(c.data))
		if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Text == c.want || f.Advice == c.want }) {
			t.Errorf("%s: findings %v, want one that says %q", c.about, findings, c.want)
		}
	}
}

// TestMore wants the last finding of a code to say how many are left out.
func TestMore(t *testing.T) {
	findings := lint.Check([]byte("User-agent: *\nDisallow: /a*\n" + strings.Repeat("junk\n", 22)))
	for _, f := range findings {
		want, text := 0, ""
		if f.Line == 22 {
			want, text = 2, " There are 2 more like this."
		}
		if f.More != want || !strings.HasSuffix(f.Text, text) {
			t.Errorf("line %d: %d more, want %d: %s", f.Line, f.More, want, f.Text)
		}
	}
	if len(findings) != 21 {
		t.Errorf("%d findings, want 21", len(findings))
	}
}

// TestFormat runs the cases that have a formatted file.
func TestFormat(t *testing.T) {
	n := 0
	for _, c := range readCases(t) {
		if !c.sections["formatted"] && !c.sections["formatted.quoted"] {
			continue
		}
		n++
		got, err := lint.Format([]byte(c.data))
		if err != nil {
			t.Errorf("%s: %v", c.place, err)
		}
		if diff := cmp.Diff(strings.TrimRight(c.formatted, "\n"), strings.TrimRight(string(got), "\n")); diff != "" {
			t.Errorf("%s: formatted (-want +got):\n%s", c.place, diff)
		}
		checkFormat(t, []byte(c.data), "/")
	}
	if n == 0 {
		t.Error("testdata has no formatted files")
	}
}

// TestFormatTooLarge wants an error rather than a file whose end is not read.
func TestFormatTooLarge(t *testing.T) {
	for name, data := range map[string]string{
		"too large already":  "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 40000),
		"too large in UTF-8": "\xFE\xFF" + strings.Repeat("\x30\x00", 200000),
		"grows":              "User-agent:*\n" + strings.Repeat("Allow:/\n", 63000),
		"grows by names":     "User-agent: " + strings.Repeat("/foo,", 40000),
	} {
		if _, err := lint.Format([]byte(data)); err != lint.ErrTooLarge {
			t.Errorf("%s: error is %v, want %v", name, err, lint.ErrTooLarge)
		}
	}
}
