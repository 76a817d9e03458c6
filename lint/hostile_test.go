package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/lint"
)

// hostile are files of up to 500 KB for which a check that compares lines with each other would take
// minutes. TestHostile takes well below a second for each.
func hostile() map[string]string {
	const all, half = robotstxt.SizeLimit - 100, robotstxt.SizeLimit / 2
	const star, open = "User-agent: *\n", "User-agent: *\nDisallow: /a\n"
	return map[string]string{
		"a hundred thousand names":           star + "User-agent: " + numbered(all-30, "b#,") + "\nDisallow: /a\n",
		"user-agent lines":                   open + numbered(all-50, "User-agent: b#\n"),
		"one group":                          star + numbered(all, "Disallow: /#\n"),
		"one group of wildcards":             star + numbered(all, "Disallow: /*a#*b\n"),
		"groups":                             open + numbered(all, "User-agent: b#\nDisallow: /b\n"),
		"groups that repeat each other":      open + numbered(all, "User-agent: b\nDisallow: /#\n"),
		"groups with the same rules":         numbered(all, "User-agent: b\n"+strings.Repeat("Allow: /a\n", 100)),
		"groups of crawlers that read pages": numbered(half, "Disallow: /*a#*b\n", star) + numbered(half, "User-agent: bingbot-#\nDisallow: /*a*a*b\n"),
		"lines for all that crawlers drop":   numbered(16_000, "Disallow: /a#*b\n", star) + numbered(16_000, "Allow: /a#xb*c\n") + welcomed(),
		"allow lines that never win":         numbered(half, "Allow: /#\n", star, "Disallow: /"+strings.Repeat("*", 500)+"\n"),
		"signals of all":                     star + strings.Repeat("Content-Signal: ai-train=no\n", half/28) + welcomed(),
		"names and rules":                    numbered(half, "User-agent: b#\n") + numbered(half, "Disallow: /*#*\n"),
		"rules and sitemaps":                 numbered(half, "Disallow: /*#*a\n", star) + numbered(half, "Sitemap: http://a/#\n"),
		"sitemaps and the same rule":         star + strings.Repeat("Disallow: *a\n", half/13) + strings.Repeat("Sitemap: http://b/\n", half/19),
		"dead rules":                         numbered(all, "Disallow: /#a\n", star, "Allow: /*a*\n"),
		"dead rules with wildcards":          numbered(75_000, "Disallow: /*a#*\nAllow: /*b#*c\n", star),
		"dead rules of many crawlers":        numbered(90_000, "User-agent: b#\nHost: a\n") + numbered(60_000, "Disallow: /*a#*\nAllow: /*b#*\n"),
		"empty rules":                        open + strings.Repeat("allow:\n", all/7-5),
		"junk":                               open + strings.Repeat("a\n", all/2-20),
		"colons":                             star + "Disallow: " + strings.Repeat(":", all-50),
		"comments that silence":              star + numbered(all, "a #robotstxt-lint: ignore a b c d e f #\n"),
		"misspelled names":                   numbered(all, "User-agent: Googelbot#\nUser-agent: (#\n"),
		"signals":                            star + numbered(all, "Content-Signal: a,b,#\n"),
		"a signal":                           star + "Content-Usage: " + numbered(all-50, "a#=b,"),
		"characters outside ASCII":           star + numbered(all, "Disallow: é#\n"),
		"UTF-16 of 5 MB":                     "\xff\xfe" + strings.Repeat("a\x00", 5<<19),
	}
}

// welcomed returns a group for each well-known crawler that allows everything, each with a rule more.
func welcomed() string {
	var b strings.Builder
	for i, c := range crawlers.All() {
		fmt.Fprintf(&b, "User-agent: %s\nAllow: /\nDisallow: /z%d\n", c.Token, i)
	}
	return b.String()
}

// numbered returns a text of about size bytes: the starts, and then a text again and again, with a
// number instead of each "#".
func numbered(size int, text string, starts ...string) string {
	var b strings.Builder
	for _, s := range starts {
		b.WriteString(s)
	}
	for i := 0; b.Len() < size-len(text)-20; i++ {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestHostile has no limit of its own: if a check takes too long, the time limit of the tests ends it.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: hostile files take seconds")
	}
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			perLine, isFixable := map[int]int{}, false
			for _, f := range lint.Check([]byte(text)) {
				perLine[f.Line]++
				isFixable = isFixable || f.Fix != nil
			}
			for line, n := range perLine {
				if n > 1 && line > 1 {
					t.Errorf("line %d has %d findings", line, n)
				}
			}
			if isFixable {
				if _, err := lint.Fix([]byte(text)); err != nil && err != lint.ErrTooLarge {
					t.Error(err)
				}
			}
		})
	}
}

// TestManyRules tests how many rules and groups a file can have before Check no longer compares them
// with each other: a real file with many is still checked.
func TestManyRules(t *testing.T) {
	const dead = "Disallow: /shop/\nAllow: /*shop/\n" // two rules
	rules := func(n int) string {
		return "User-agent: *\n" + dead + strings.Repeat("Disallow: /a\n", n-2)
	}
	groups := func(n int) string {
		return "User-agent: *\n" + dead + numberedTimes(n-1, "User-agent: b#\nAllow: /\n")
	}
	sitemaps := func(n int) string { // 1,000 comparisons for each
		return "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 1000) + strings.Repeat("Sitemap: https://www.example.edu/a\n", n)
	}
	for _, c := range []struct {
		about, file, code string
		want              int
	}{
		{"2,000 rules", rules(2000), "dead-rule", 1},
		{"2,001 rules", rules(2001), "dead-rule", 0},
		{"100 groups", groups(100), "dead-rule", 1},
		{"101 groups", groups(101), "dead-rule", 0},
		{"200 sitemaps", sitemaps(200), "sitemap-disallowed", 200},
		{"201 sitemaps", sitemaps(201), "sitemap-disallowed", 200},
	} {
		n := 0
		for _, f := range lint.Check([]byte(c.file)) {
			if f.Code == c.code {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d findings of %s, want %d", c.about, n, c.code, c.want)
		}
	}
}

// numberedTimes returns a text n times, with a number instead of each "#".
func numberedTimes(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestOneLongLine tests a file whose only line crosses the size limit, so that crawlers read no line.
func TestOneLongLine(t *testing.T) {
	for _, start := range []string{"<html>", `{\rtf1`} {
		if got := lint.Check([]byte(start + strings.Repeat("a", robotstxt.SizeLimit))); len(got) != 1 || got[0].Code != "not-robots-txt" || !strings.Contains(got[0].Advice, start) {
			t.Errorf("%s: got %v, want that this is no robots.txt", start, got)
		}
	}
}
