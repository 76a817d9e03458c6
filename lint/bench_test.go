package lint_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/format"
	"github.com/robotstxt-go/robotstxt/lint"
)

// hostile returns large files for which careless code would need more than linear time.
func hostile() map[string]string {
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < robotstxt.SizeLimit-len(format)-20; i++ {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "#", "%[1]d"), i)
		}
		return b.String()
	}
	repeated := func(s string) string { return strings.Repeat(s, robotstxt.SizeLimit/len(s)) }
	star := "User-agent: *\n"
	return map[string]string{
		"groups":           numbered("User-agent: a#\nDisallow: /\n"),
		"same group":       repeated("User-agent: a\nAllow: /\n"),
		"crawlers":         numbered("User-agent: a#\n"),
		"crawlers, a line": star + numbered("a#,"),
		"commas":           "User-agent: " + repeated(",")[20:],
		"joined groups":    numbered("User-agent: a#\nCrawl-delay: #\n"),
		"rules":            star + numbered("Disallow: /a#\n"),
		"wildcards":        star + numbered("Disallow: /*a#*b\n"),
		"same rule":        star + repeated("Disallow: /a\nAllow: /a\n")[20:],
		"stars":            star + "Allow: /" + repeated("*")[40:],
		"escapes":          star + "Allow: /" + repeated("%41")[40:],
		"junk":             repeated("a\n"),
		"a junk line":      repeated("a b"),
		"full-width":       repeated("：")[:robotstxt.SizeLimit/3*3],
		"spaces":           repeated("User-agent: *\nDisallow: /a b\n"),
		"empty lines":      star + repeated("\n")[20:],
		"comments":         repeated("# a\n\n"),
		"sitemaps":         repeated("# a\n\n")[:robotstxt.SizeLimit/2] + repeated("#\nSitemap: a\n")[:robotstxt.SizeLimit/2],
		"records":          star + numbered("a#: b\n"),
		"signals":          star + numbered("Content-Usage: /# train-ai=y\n"),
		"a signal":         star + "Content-Signal: " + numbered("a#=b,")[60:],
		"dropped rules":    star + numbered("Disallow: /*a#*b\n")[:robotstxt.SizeLimit/2] + "\n" + numbered("User-agent: b#\nDisallow: /*c#*d\n")[:robotstxt.SizeLimit/2-99],
		"crawl-delays":     star + numbered("Crawl-delay: #\n"),
		"overlaps":         numbered("User-agent: *\nUser-agent: a#\nDisallow: /#\n"),
		"a long rival":     star + "Allow: /" + repeated("*")[:robotstxt.SizeLimit/2] + "\n" + repeated("Disallow: /\n")[:robotstxt.SizeLimit/2-99],
		"a long signal":    star + "Content-Signal: a=" + repeated("b")[:robotstxt.SizeLimit/2] + "\n" + repeated("Content-Signal:a=c\n")[:robotstxt.SizeLimit/2-99],
		"a long delay":     star + "Crawl-delay: " + repeated("1")[:robotstxt.SizeLimit/2] + "\n" + repeated("Crawl-delay: 1\n")[:robotstxt.SizeLimit/2-99],
		"a name, comments": repeated("User-agent: a #\n"),
		"colons":           star + "Disallow: /" + repeated("disallow:")[40:],
		"a line of 5 MB":   strings.Repeat("a", 5<<20),
		"UTF-16 of 5 MB":   "\xff\xfe" + strings.Repeat("a\x00", 5<<19),
	}
}

// TestHostile wants the work to be at most proportional to the size of the file. It counts
// allocations, because time depends on the machine. The benchmarks below measure time.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds")
	}
	const mostPerByte = 8 // even a line of two bytes can have a finding with two sentences
	for name, text := range hostile() {
		data := []byte(text)
		for work, do := range map[string]func(){
			"Check":  func() { lint.Check(data) },
			"Format": func() { format.Format(data) },
			"Fix":    func() { lint.Fix(data) },
		} {
			if n := allocations(do); n > mostPerByte*uint64(len(data)) {
				t.Errorf("%s of %s: %d allocations for %d bytes, want at most %d per byte", work, name, n, len(data), mostPerByte)
			}
		}
	}
}

// allocations returns how many allocations do makes.
func allocations(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

func BenchmarkCheckHostile(b *testing.B) {
	for name, data := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				lint.Check([]byte(data))
			}
		})
	}
}

func BenchmarkFormatHostile(b *testing.B) {
	for name, data := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				format.Format([]byte(data))
			}
		})
	}
}
