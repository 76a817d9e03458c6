package lint_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/rules"
)

// FuzzFix tests that Fix changes no verdict, no crawl-delay and no sitemap, and that each finding is
// about a line of the file, after the line of the finding before it.
func FuzzFix(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.Robots)
	}
	for _, c := range lint.Codes() {
		f.Add([]byte(c.Example))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var lines []string
		for l := range robotstxt.Lines(data) {
			lines = append(lines, l.Text)
		}
		for _, found := range lint.Check(data) {
			if found.Line < 1 || found.Line > len(lines) || found.Column < 1 || found.Column > len(lines[found.Line-1])+1 {
				t.Errorf("file %q: finding outside of the file: %s", data, found)
			}
		}
		fixed, err := lint.Fix(data)
		if err != nil {
			return
		}
		before, after := robotstxt.Parse(data), robotstxt.Parse(fixed)
		for _, change := range rules.Diff(before, after, rules.Options{}) {
			if len(change.Differences) > 0 {
				t.Errorf("Fix(%q) = %q changes verdicts:\n%s", data, fixed, change)
			}
		}
		if diff := cmp.Diff(delays(before), delays(after)); diff != "" {
			t.Errorf("Fix(%q) = %q changes crawl-delays (-before +after):\n%s", data, fixed, diff)
		}
		if !slices.Equal(before.Sitemaps(), after.Sitemaps()) {
			t.Errorf("Fix(%q) = %q changes sitemaps", data, fixed)
		}
	})
}

// delays returns the crawl-delays of all crawlers that the file names, as text.
func delays(file *robotstxt.File) map[string]string {
	all := map[string]string{}
	for _, g := range file.Groups() {
		for _, token := range g.Tokens() {
			if delay, ok := g.CrawlDelay(); ok {
				all[token] = delay.String()
			}
		}
	}
	return all
}
