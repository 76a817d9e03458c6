package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
)

// TestFix runs the cases that have a fixed file.
func TestFix(t *testing.T) {
	n := 0
	for _, c := range readCases(t) {
		checkFix(t, c.Robots)
		want, ok := c.Section("fixed")
		if !ok {
			continue
		}
		n++
		got, err := lint.Fix(c.Robots)
		if err != nil && err != lint.ErrTooLarge {
			t.Errorf("%s: %v", c.At(c.Line), err)
		}
		if diff := cmp.Diff(strings.TrimRight(string(want.Text), "\r\n"), strings.TrimRight(string(got), "\r\n")); diff != "" {
			t.Errorf("%s: fixed (-want +got):\n%s", c.At(want.Line), diff)
		}
	}
	if n == 0 {
		t.Error("testdata has no fixed files")
	}
}

// TestFixTooLarge wants an error for files whose end crawlers do not read, but not for files that
// just fit.
func TestFixTooLarge(t *testing.T) {
	const start = "Useragent: *\nDisallow: /"
	const fits = robotstxt.SizeLimit - len(start) - len("-")
	for name, c := range map[string]struct {
		data string
		want error
	}{
		"too large already":     {start + strings.Repeat("a", fits+2), lint.ErrTooLarge},
		"grows":                 {start + strings.Repeat("a", fits+1), lint.ErrTooLarge},
		"grows to the limit":    {start + strings.Repeat("a", fits), nil},
		"is as large as it may": {"User-agent: *\nDisallow: /" + strings.Repeat("a", fits), nil},
	} {
		if got, err := lint.Fix([]byte(c.data)); err != c.want || err != nil && got != nil {
			t.Errorf("%s: Fix returned %d bytes and the error %v, want %v", name, len(got), err, c.want)
		}
	}
}

// TestFixCorpus checks real files as FuzzFix checks generated ones. The environment
// variable ROBOTSTXT_CORPUS names a folder of robots.txt files.
func TestFixCorpus(t *testing.T) {
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("SKIPPED: ROBOTSTXT_CORPUS names no folder of robots.txt files, so no real file is tested")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	fixed := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if checkFix(t, data) {
			text, _ := lint.Fix(data)
			compareAll(t, data, text)
			fixed++
		}
		checkFormat(t, data, "/a/b?c")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	t.Logf("%d files, %d of them fixed", len(names), fixed)
}

// compareAll wants two files to have the same decisions for each crawler that the first file
// names, about the paths of that crawler's rules.
func compareAll(t *testing.T, data, text []byte) {
	t.Helper()
	const most = 500 // paths per group; a few generated files have thousands
	before, after := robotstxt.Parse(data), robotstxt.Parse(text)
	for _, group := range before.Groups() {
		var urls []string
		for _, r := range group.Rules() {
			urls = append(urls, pathsOf(r.Pattern)...)
		}
		for _, token := range group.Tokens() {
			b, a := before.Group(token), after.Group(token)
			for _, url := range urls[:min(len(urls), most)] {
				if b.Allowed(url) != a.Allowed(url) {
					t.Errorf("agent %q, URL %q: decision %v, before %v", token, url, a.Decide(url), b.Decide(url))
				}
			}
		}
	}
}

// FuzzFix wants Fix to change no decision, record or sitemap of any file.
func FuzzFix(f *testing.F) {
	addCases(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		checkFix(t, data)
		checkFix(t, compose(data))
	})
}

// checkFix wants a fixed file to mean the same as before, and to have no finding with an edit.
// It reports whether Fix changed the file.
func checkFix(t *testing.T, data []byte) bool {
	t.Helper()
	text, err := lint.Fix(data)
	if err != nil || bytes.Equal(data, text) {
		return false
	}
	for _, f := range lint.Check(text) {
		if f.Fix != nil {
			t.Errorf("robots.txt %q\nfixed %q\nstill has %v", data, text, f)
		}
	}
	before, after := robotstxt.Parse(data), robotstxt.Parse(text)
	if diff := cmp.Diff(describeRecords(before), describeRecords(after)); diff != "" {
		t.Errorf("robots.txt %q\nfixed %q\n(-before +after):\n%s", data, text, diff)
	}
	compare(t, data, text, "/a/b?c")
	return true
}

// describeRecords returns the meaning of a file without its rules, and with each sitemap only
// once.
func describeRecords(f *robotstxt.File) meaning {
	m := describe(f)
	seen := map[string]bool{}
	m.Sitemaps = slices.DeleteFunc(m.Sitemaps, func(url string) bool {
		known := seen[url]
		seen[url] = true
		return known || url == ""
	})
	for token, g := range m.Groups {
		g.Rules = nil
		m.Groups[token] = g
	}
	return m
}

// TestFixLineEnds wants new lines to have the line ending of the line that they replace.
func TestFixLineEnds(t *testing.T) {
	const file = "User-agent: FooBot, BarBot\nDisallow: /a"
	const fixed = "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /a"
	for _, end := range []string{"\n", "\r", "\r\n"} {
		withEnds := func(text string) string { return strings.ReplaceAll(text, "\n", end) + end }
		got, err := lint.Fix([]byte(withEnds(file)))
		if diff := cmp.Diff(withEnds(fixed), string(got)); err != nil || diff != "" {
			t.Errorf("line ends %q, error %v (-want +got):\n%s", end, err, diff)
		}
	}
}

// TestFixEncoding wants Fix to escape only characters in UTF-8, because in another encoding
// nobody knows which characters the bytes stand for.
func TestFixEncoding(t *testing.T) {
	got, err := lint.Fix([]byte("User-agent: *\nDisallow caf\xe9\nDisallow: /th\u00e9\n"))
	if diff := cmp.Diff("User-agent: *\nDisallow: /caf\xe9\nDisallow: /th%C3%A9\n", string(got)); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}
