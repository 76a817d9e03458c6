package lint_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/lint"
)

const docsHead = `# What lint finds

` + "`robotstxt lint robots.txt`" + ` finds mistakes in a robots.txt file. This page lists
everything that it can find, with an example of each. In each part, the most serious findings
come first.

A robots.txt file has groups. A group starts with one or more "User-agent:" lines, which name
crawlers, the programs that read websites; "*" stands for all crawlers without a group of their
own. The rules follow: "Disallow:" with the start of the paths that the crawlers must not fetch,
and "Allow:" with the start of the paths that they may fetch. If several rules match a page, the
one with the longest path decides. Some simple crawlers obey the first rule that matches instead,
but lint does not check for that. The word before the colon of a line is its key, and the text
after the colon is its value.

The text in brackets at the end of a finding is its code. Use the code to look the finding up
here. To silence the finding, put such a comment into your robots.txt file:

    # robotstxt-lint: ignore duplicate-rule, star-rules-dropped

On a line of its own, the comment applies to the whole file. At the end of another line, it
applies only to that line.

- An **error** is a line that has no effect, or not the effect that it seems to have.
- A **warning** is a line that some crawlers read differently from others, or that might
  not do what you want.
- An **info** is worth a look: the line works, but perhaps not as you think.

A finding can have another severity than its code if the line does less or more harm. For
example, a Host line is only an info.

The crawlers that lint knows are those that ` + "`robotstxt check --agent @all`" + ` asks about.

Lint prefers silence to a false alarm. It is usually silent about a line that changes nothing,
because another line decides the same, a rule closes the whole site, or the same rules are also
for the right crawler. It is also silent about what well-known programs write.

` + "`robotstxt lint --fix robots.txt`" + ` corrects what is safe to correct: crawlers that follow
the standard may fetch the same pages as before.

<!-- go test ./lint -run TestDocs -update writes this page from the table in lint/codes.go. -->
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
	last := -1
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
		if c.Limits != "" {
			fmt.Fprintf(&doc, "\nWhen lint is silent:\n\n- %s\n", strings.ReplaceAll(c.Limits, "\n", "\n- "))
		}
		if c.Source != "" {
			fmt.Fprintf(&doc, "\nSource: <%s>\n", c.Source)
		}
	}
	golden.Check(t, "../../docs/lint.md", doc.String())
}

// writeExample writes the example of a code and the finding about it.
func writeExample(t *testing.T, doc *strings.Builder, c lint.Code) {
	t.Helper()
	if c.Example == "" {
		fmt.Fprintf(doc, "%s\n", c.Advice)
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
		doc.WriteString("\n(This example contains an invisible mark or character.)\n")
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
