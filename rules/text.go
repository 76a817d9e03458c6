package rules

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// String returns the difference as one line of text. The wording may change.
func (d Difference) String() string {
	return strings.Join(d.columns(), " ")
}

// columns returns the difference as the columns of a table. String joins these columns into one
// line.
func (d Difference) columns() []string {
	return []string{
		"now " + verdict(d.New),
		lex.Printable(d.URL),
		"by " + describe(d.New),
		fmt.Sprintf("(was %s by %s)", verdict(d.Old), describe(d.Old)),
	}
}

func verdict(d robotstxt.Decision) string {
	if d.Allowed {
		return "allowed"
	}
	return "disallowed"
}

// describe returns a phrase that names the rule that decided. If no rule decided, the phrase
// names the reason for the decision.
func describe(d robotstxt.Decision) string {
	switch d.Reason {
	case robotstxt.RuleMatched:
		return describeRule(d.Rule)
	case robotstxt.FileUnavailable:
		return "a missing robots.txt"
	case robotstxt.FileUnreachable:
		return "a robots.txt that could not be read"
	}
	return "no rule"
}

func describeRule(r robotstxt.Rule) string {
	return fmt.Sprintf("line %d: %s", r.Line, lex.Printable(excerpt(r)))
}

// excerpt returns a rule as a line of text. It shortens long patterns, because a report
// can repeat the same rule thousands of times.
func excerpt(r robotstxt.Rule) string {
	const longest = 100 // in characters
	n := 0
	for i := range r.Pattern {
		if n == longest {
			r.Pattern = r.Pattern[:i] + "…"
			break
		}
		n++
	}
	return r.String()
}

// String returns the change as text for people. The first line names the crawlers. Then there
// is a line for each difference, with the URL and both decisions. At the end, there is a line for
// each undecided rule, and one more line if the change is incomplete. Later versions may change the
// wording.
func (c Change) String() string {
	var b strings.Builder
	b.WriteString(c.heading() + "\n")
	c.writeDifferences(&b)
	writeUndecided(&b, "old", c.UndecidedOld)
	writeUndecided(&b, "new", c.UndecidedNew)
	if c.Incomplete {
		b.WriteString("  incomplete: comparing all rules would take too long, so there may be more differences\n")
	}
	return b.String()
}

func (c Change) writeDifferences(b *strings.Builder) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, d := range c.Differences {
		fmt.Fprintf(w, "  %s\n", strings.Join(d.columns(), "\t"))
	}
	w.Flush()
	for line := range strings.Lines(table.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// heading returns a line with the names of the crawlers.
func (c Change) heading() string {
	const others = "crawlers that no group names"
	agents := lex.Printable(strings.Join(c.Agents, ", "))
	switch {
	case !c.Others:
		return agents
	case agents == "":
		return "C" + others[1:]
	}
	return agents + ", and " + others
}

func writeUndecided(b *strings.Builder, file string, rules []robotstxt.Rule) {
	for _, r := range rules {
		fmt.Fprintf(b, "  undecided, because too complex to compare: %s file, %s\n", file, describeRule(r))
	}
}
