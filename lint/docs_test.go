package lint_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/lint"
)

const docsHead = `# What lint finds

` + "`robotstxt lint robots.txt`" + ` finds mistakes in a robots.txt file. This page lists everything
that it can find. A finding looks like this:

    robots.txt:2:1: error: Most crawlers do not know the key "Disaloww", and ignore the line. Did you mean "Disallow:"? [misspelled-key]

The mistake is in line 2 of the file. The text in brackets at the end, misspelled-key, is the code
of the finding. Use the code to look the finding up here. To silence findings, put a comment with
their codes into your robots.txt file:

    # robotstxt-lint: ignore duplicate-rule, star-rules-dropped

On a line of its own, the comment applies to the whole file. At the end of another line, it
applies only to that line.

Error, warning and info are the severities of findings:

- An **error** is a line that has no effect, or not the effect that it seems to have.
- A **warning** is a line that some crawlers read differently from others, or that might
  not do what you want.
- An **info** is worth a look: the line works, but perhaps not as you think.

This page lists each code under its usual severity, and the most serious codes first. The same code
can be an error in one file and an info in another, if the line does more or less harm there. For
example, dead-key is an error for a Noindex line, but only an info for a Host line.

` + "`robotstxt lint --fix robots.txt`" + ` corrects what is safe to correct, and saves the file under
the same name. Crawlers that follow the standard may then fetch the same pages as before.

## What you should know about robots.txt

A robots.txt file has groups. A group starts with one or more "User-agent:" lines, which name
crawlers, the programs that read websites; "*" stands for all crawlers without a group of their
own. The rules follow. "Disallow: /shop/" closes all pages whose path starts with "/shop/": the
crawlers of the group must not fetch them. "Allow: /shop/press/" opens the pages whose path starts
with "/shop/press/". "Disallow: /" closes the whole site. A "Disallow:" line with nothing after the
colon forbids nothing.

If several rules match a page, the one with the longest path decides. To see which rule that is, run
` + "`robotstxt check --robots robots.txt /page`" + `. Some simple crawlers obey the first rule that matches
instead, but lint does not check for that.

This page uses these words:

- The **key** of a line is the word before the colon. The **value** is the text after the colon.
- **Wildcards** are the characters "*" and "$" in a path. A "*" stands for any text, and a "$" at the
  end of a path for the end of the URL. Each of them counts as one character of the path's length.
- A **token** is the name of a crawler.
- Crawlers that **read pages for search or AI** are Googlebot, bingbot and GPTBot, for example, but
  not Googlebot-Image and Googlebot-News.
- A **host** is the name of a site in a URL, such as "www.example.org".
- A **query** is the part of a URL after the "?". It consists of **parameters**, such as "sort=1".
- An **escape** is a character that is written with a "%", such as "%20" for a space. Text with
  escapes is **percent-encoded**.
- A **byte-order mark** is an invisible mark that some editors put at the start of a file.
- A **Crawl-delay** line asks crawlers to wait so many seconds between two pages.
- A **Sitemap** line names a file that lists pages of the site, or a sitemap index, which is a list
  of such files.
- **Content-Usage** and **Content-Signal** lines say what others may do with the pages, for example
  train AI.

## When lint is silent

Lint prefers silence to a false alarm. It says nothing about what well-known programs write. It also
skips most mistakes that make no difference; only a few codes, such as duplicate-rule, are for them.
These are the most common reasons:

- Another line already has the same effect.
- A rule closes the whole site.
- The crawler that you mean has the same rules elsewhere in the file.
- The line would have no effect even if it were correct.

To see which crawlers lint knows, run ` + "`robotstxt check --agent @all --robots robots.txt /`" + `.
Lint also takes into account that bingbot obeys a group for msnbot if the file does not name bingbot;
the check command does not.

<!-- go test ./lint -run TestDocs -update writes this page from lint/codes.go and lint/testdata/golden/silent.md. -->
`

var docsParts = []struct {
	severity lint.Severity
	title    string
}{{lint.Error, "Errors"}, {lint.Warning, "Warnings"}, {lint.Info, "Infos"}}

// TestDocs compares docs/lint.md with the table of codes, and wants each example to have
// the finding that it illustrates.
func TestDocs(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(docsHead)
	silent, last := readSilent(t), -1
	for _, c := range lint.Codes() {
		part := slices.IndexFunc(docsParts, func(p struct {
			severity lint.Severity
			title    string
		}) bool {
			return p.severity == c.Severity
		})
		if part < last {
			t.Errorf("%s is not with the other codes of its severity", c.Name)
		}
		if part != last {
			fmt.Fprintf(&doc, "\n## %s\n", docsParts[part].title)
			last = part
		}
		fmt.Fprintf(&doc, "\n### %s\n\n%s\n", c.Name, c.Meaning)
		writeExample(t, &doc, c)
		if limits := silent[c.Name]; limits != "" {
			fmt.Fprintf(&doc, "\nWhen lint is silent:\n\n%s", limits)
			delete(silent, c.Name)
		}
		if c.Source != "" {
			fmt.Fprintf(&doc, "\nSource: <%s>\n", c.Source)
		}
	}
	if len(silent) > 0 {
		t.Errorf("testdata/golden/silent.md: no codes have the names %v", slices.Sorted(maps.Keys(silent)))
	}
	golden.Check(t, "../../docs/lint.md", doc.String())
}

// readSilent returns the lists of cases in which lint is silent, by code.
func readSilent(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/golden/silent.md")
	if err != nil {
		t.Fatal(err)
	}
	silent := map[string]string{}
	for _, part := range strings.Split(string(data), "\n## ")[1:] {
		name, list, _ := strings.Cut(part, "\n\n")
		silent[name] = list
	}
	return silent
}

// writeExample writes the example of a code and the finding about it.
func writeExample(t *testing.T, doc *strings.Builder, c lint.Code) {
	t.Helper()
	if c.Example == "" {
		fmt.Fprintf(doc, "\n(An example would be too long for this page.)\n\n%s\n", c.Advice)
		return
	}
	findings := lint.Check([]byte(c.Example))
	i := slices.IndexFunc(findings, func(f lint.Finding) bool { return f.Code == c.Name })
	if i < 0 {
		t.Errorf("the example of %s does not have the finding: %v", c.Name, findings)
		return
	}
	doc.WriteString("\n")
	for line := range strings.Lines(strings.ToValidUTF8(strings.ReplaceAll(c.Example, "\x00", ""), "")) {
		doc.WriteString("    " + line)
	}
	if strings.ContainsAny(c.Example, "\x00\ufeff\u200b") {
		doc.WriteString("\n(You cannot see the mistake in this example.)\n")
	}
	f := findings[i]
	fmt.Fprintf(doc, "\n> Line %d: %s %s\n", f.Line, strings.ReplaceAll(f.Text, "<", "&lt;"), strings.ReplaceAll(f.Advice, "<", "&lt;"))
}

// TestAdvice replaces lines by the text that findings advise to write, and wants no new
// error or warning for the line.
func TestAdvice(t *testing.T) {
	written := regexp.MustCompile(`Write "((?:Allow|Disallow|Sitemap|User-agent): [^"]*)"`)
	n := 0
	for _, c := range readCases(t) {
		if strings.ContainsAny(string(c.Robots), "\x00\r") || len(c.Robots) > 10000 {
			continue
		}
		lines := strings.Split(string(c.Robots), "\n")
		for _, f := range lint.Check(c.Robots) {
			m := written.FindStringSubmatch(f.Advice)
			if m == nil || strings.ContainsAny(m[1], `…\`) {
				continue
			}
			n++
			before := map[string]bool{}
			for _, g := range lint.Check(c.Robots) {
				before[g.Code] = before[g.Code] || g.Line == f.Line
			}
			corrected := slices.Clone(lines)
			corrected[f.Line-1] = m[1]
			for _, g := range lint.Check([]byte(strings.Join(corrected, "\n"))) {
				if g.Line == f.Line && g.Severity != lint.Info && !before[g.Code] && g.Code != "dead-rule" && g.Code != "allow-and-disallow" {
					t.Errorf("%s: the finding %v\nadvises to write %q, which has the finding %v", c.At(c.Line), f, m[1], g)
				}
			}
		}
	}
	if n < 35 {
		t.Errorf("%d findings say what to write, want at least 35", n)
	}
}
