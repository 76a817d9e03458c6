package lint_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

// aiprefSections contains the sections of the cases of package aipref.
var aiprefSections = casefile.Format{
	"want":          {Fields: "text text*"},
	"in search":     {Fields: "text text*"},
	"header":        {Fields: "text"},
	"signal header": {Fields: "text"},
	"signals":       {Fields: "text text*", Empty: true},
	"file signals":  {Fields: "text text*", Empty: true},
	"licenses":      {Fields: "text text*", Empty: true},
}

// TestNeighbors is like TestMixtures, but its files are those of the cases, each with one change: a case is
// often about one condition, and a mistake in that condition shows in a file that is almost the same.
func TestNeighbors(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short: 165,000 files take 15 seconds, and more than a minute with -race")
	}
	aipref, err := casefile.ReadFolders(aiprefSections, "../aipref/testdata")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, c := range append(readCases(t), aipref...) {
		files = append(files, string(c.Robots))
	}
	for _, c := range words {
		files = append(files, c.data)
	}
	slices.Sort(files) // so that the order of the cases makes no difference
	said := comparison{}
	for _, file := range slices.Compact(files) {
		if len(file) > 1000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(len(file)), 0))
		for i := range len(file) + 1 {
			said.add([]byte(changeText(r, file, i)))
		}
		lines := strings.SplitAfter(file, "\n")
		for i := range lines {
			for range 6 {
				said.add([]byte(strings.Join(changeLines(r, slices.Clone(lines), i), "")))
			}
		}
	}
	said.check(t, "neighbors.txt")
}

// signs are what changeText writes most often.
var signs = []string{"*", "$", "?", "/", "%", "%20", " ", "  ", "#", " # ", ":", ",", ";", "&", "\u00a0", "\xa0", "\u200b", "\ufeff", "é", "\xe9", "Ã©", "İ", "а", ".", "..", "-", "_", "x", "1", "0", "=", "//", "\t", "\r", "\n", "\n\n", "\\", "|", "(", ")", "[", "^", "<", ">", "{", "}", "\"", "'", "+", "!", "@"}

// changeText returns the text with one change at position i.
func changeText(r *rand.Rand, text string, i int) string {
	sign := signs[r.IntN(len(signs))]
	if r.IntN(3) == 0 {
		sign = string(rune(' ' + r.IntN('~'-' '+1)))
	}
	before, after := text[:i], text[i:]
	if after == "" {
		return before + sign
	}
	next := after[:1]
	switch r.IntN(8) {
	case 0:
		return before + after[1:]
	case 1:
		return before + sign + after[1:]
	case 2:
		return before + next + after
	case 3: // the rest of the line
		return before + after[max(0, strings.IndexByte(after, '\n')):]
	case 4:
		if c := next[0] | 0x20; 'a' <= c && c <= 'z' {
			return before + string(next[0]^0x20) + after[1:]
		}
	}
	return before + sign + after
}

// usualLines make a difference to many findings.
var usualLines = []string{"User-agent: *", "User-agent: Googlebot", "User-agent: FooBot", "Disallow: /", "Disallow:", "Disallow: /a", "Disallow: /*?", "Disallow: /css/", "Allow: /", "Allow: /a", "Allow: /css/", "Crawl-delay: 5", "Noindex: /a", "Sitemap: https://www.example.edu/s.xml", "Content-Signal: ai-train=no", "", "# a comment", "a"}

// changeLines returns the lines with one change at position i. It may modify lines.
func changeLines(r *rand.Rand, lines []string, i int) []string {
	switch r.IntN(8) {
	case 0:
		return slices.Delete(lines, i, i+1)
	case 1: // again
		return slices.Insert(lines, r.IntN(len(lines)+1), lines[i])
	case 2: // elsewhere
		l := lines[i]
		lines = slices.Delete(lines, i, i+1)
		return slices.Insert(lines, r.IntN(len(lines)+1), l)
	case 3: // with the value of another line
		key, _, _ := strings.Cut(lines[i], ":")
		_, value, _ := strings.Cut(lines[r.IntN(len(lines))], ":")
		lines[i] = key + ":" + value
		return lines
	case 4: // with another key
		_, value, ok := strings.Cut(lines[i], ":")
		if ok {
			lines[i] = []string{"User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay", "Noindex", "Host"}[r.IntN(7)] + ":" + value
			return lines
		}
	case 5: // with the lines from here twice
		return append(lines, lines[i:]...)
	}
	return slices.Insert(lines, i, usualLines[r.IntN(len(usualLines))]+"\n")
}
