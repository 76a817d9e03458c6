package lint_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/lint"
)

const docsHead = `# What lint finds

` + "`robotstxt lint robots.txt`" + ` finds mistakes in a robots.txt file:

    robots.txt:2:1: error: The key is misspelled: most crawlers ignore the line. Write "Disallow:". If the line is a comment, start it with "#". [misspelled-key]

The text in brackets is the code of the finding. This page has an example for each code. Where the
advice depends on the file, the page shows the advice for its example.

- An **error** is a line that has no effect, or not the effect that it seems to have.
- A **warning** is a line that crawlers read differently, or that may be a mistake.
- An **info** is a line that works, but perhaps not as you expect.

A line has at most one finding, the first of this page. ` + "`lint --strict`" + ` fails for warnings, too, and
` + "`lint --fix`" + ` corrects what needs no decision of yours. If a line should stay as it is, put a comment
with the code on it, or on a line of its own for the whole file:

    # robotstxt-lint: ignore all-disallowed, dead-key

<!-- go test ./lint -update writes this page from lint/table.go. -->
`

// TestDocs compares docs/lint.md with the table of checks.
func TestDocs(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(docsHead)
	var last lint.Severity
	for _, c := range lint.Codes() {
		if c.Severity != last {
			fmt.Fprintf(&doc, "\n## %s%ss\n", strings.ToUpper(string(c.Severity[:1])), c.Severity[1:])
			last = c.Severity
		}
		fmt.Fprintf(&doc, "\n### %s\n\n", c.Name)
		advice := c.Advice
		for line := range strings.Lines(visible(c.Example)) {
			doc.WriteString("    " + line)
		}
		if findings := lint.Check([]byte(c.Example)); len(findings) > 0 {
			advice = findings[0].Advice
			fmt.Fprintf(&doc, "\nLine %d: ", findings[0].Line)
		}
		fmt.Fprintf(&doc, "%s %s\n", escapeHTML(c.Text), escapeHTML(advice))
		if c.Source != "" {
			fmt.Fprintf(&doc, "Source: <%s>\n", c.Source)
		}
	}
	golden.Check(t, "../../docs/lint.md", doc.String())
}

// visible shows the invisible characters of an example as escapes.
func visible(example string) string {
	example = strings.ReplaceAll(example, "\x00", "") // the second byte of each character in UTF-16
	quoted := strconv.QuoteToGraphic(example)
	return strings.NewReplacer(`\n`, "\n", `\\`, `\`, `\"`, `"`).Replace(quoted[1 : len(quoted)-1])
}

func escapeHTML(s string) string { return strings.ReplaceAll(s, "<", "&lt;") }
