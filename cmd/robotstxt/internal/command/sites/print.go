package sites

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// print prints the rows in the form that the flags choose.
func (c *command) print(w io.Writer, rows []*row) error {
	switch {
	case c.asJSON:
		return cli.PrintJSON(w, view{append([]*row{}, rows...)})
	case c.asCSV:
		return printCSV(w, rows)
	}
	c.printTable(w, rows)
	return cli.WriteError(w)
}

// A view is the JSON that sites prints.
type view struct {
	Sites []*row `json:"sites"`
}

// printTable prints a line for each site, and then what does not fit into a line.
func (c *command) printTable(w io.Writer, rows []*row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	header := []string{"SITE", "ROBOTS.TXT", "SIZE", "GOOGLEBOT", "BINGBOT", "AI CRAWLERS", "FINDINGS"}
	if c.dir != "" {
		header = append(header, "CHANGE")
	}
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, r := range rows {
		cells := r.cells()
		fmt.Fprintln(t, strings.Join(cells[:len(header)], "\t"))
	}
	t.Flush()
	for _, r := range rows {
		if len(r.Changes) > 0 {
			fmt.Fprintf(w, "\n%s: %s\n", r.Site, r.Change)
			printChanges(w, r.Changes)
		}
	}
	printNotes(w, rows)
}

// cells returns the cells of the table for a row.
func (r *row) cells() []string {
	size := ""
	if r.State == reply.IsFile {
		size = strconv.Itoa(r.Bytes)
	}
	return []string{
		cli.Printable(shortSite(r.Site)), r.answer(), size,
		r.Googlebot.text(), r.Bingbot.text(), r.AI.text(), r.findings(), string(r.Change),
	}
}

// answer says what the server answered.
func (r *row) answer() string {
	text := string(r.State)
	if r.Status != 0 && r.State != reply.IsFile {
		text = fmt.Sprintf("%s (%d)", text, r.Status)
	}
	if r.RedirectTo != "" {
		text += ", from " + cli.Printable(shortSite(r.RedirectTo))
	}
	return text
}

// text says how much of the site a crawler may fetch, and what is surprising about the home page.
func (a *access) text() string {
	switch {
	case a == nil:
		return "?"
	case a.Site == "":
		return "too complex"
	case a.Site == "part" && !a.Home:
		return "part, home page closed"
	}
	return string(a.Site)
}

// text says how many AI crawlers may not fetch everything.
func (n *aiCount) text() string {
	if n == nil {
		return "?"
	}
	total := n.Open + n.Part + n.Closed
	switch {
	case n.Open == total:
		return "open"
	case n.Closed == total:
		return "closed"
	case n.Closed == 0:
		return "part"
	}
	return fmt.Sprintf("%d of %d closed", n.Closed, total)
}

func (r *row) findings() string {
	var parts []string
	for _, count := range []struct {
		n    int
		noun string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Infos, "info"}} {
		if count.n > 0 {
			parts = append(parts, cli.Plural(count.n, count.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// printChanges prints the first verdicts that have changed. Unrelated files can have thousands.
func printChanges(w io.Writer, changes []answers.Change) {
	const mostChanges, mostDifferences = 3, 5
	shown, more := cli.Shorten(changes, mostChanges)
	for _, c := range shown {
		agents, moreAgents := cli.Shorten(c.Agents, 5)
		names := strings.Join(agents, ", ")
		switch {
		case moreAgents > 0:
			names += fmt.Sprintf(" and %d more", moreAgents)
		case c.Others && names == "":
			names = "crawlers that no group names"
		case c.Others:
			names += ", and crawlers that no group names"
		}
		fmt.Fprintf(w, "  %s\n", cli.Printable(names))
		differences, moreDifferences := cli.Shorten(c.Differences, mostDifferences)
		for _, d := range differences {
			verdict := "disallowed"
			if d.New.Allowed {
				verdict = "allowed"
			}
			when, notes := "now", ""
			if d.New.Allowed == d.Old.Allowed {
				when = "still"
			}
			for _, n := range d.New.Notes {
				notes += "; " + n.Text
			}
			cli.PrintLines(w, fmt.Sprintf("    %s %s  %s%s\n", when, verdict, cli.Printable(d.URL), notes))
		}
		if moreDifferences > 0 {
			fmt.Fprintf(w, "    and %s (see --json)\n", cli.Plural(moreDifferences, "more difference"))
		}
		if n := len(c.UndecidedOld) + len(c.UndecidedNew); n > 0 || c.Incomplete {
			fmt.Fprintln(w, "    some rules are too complex to compare")
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "  and changes for %s (see --json)\n", cli.Plural(more, "more group")+" of crawlers")
	}
}

// printNotes names the sites about which there is a note, by the note. Those that did not answer come last.
func printNotes(w io.Writer, rows []*row) {
	sites := map[string][]string{} // by reason
	var reasons, dead []string
	for _, r := range rows {
		if r.Note == "" {
			continue
		}
		if sites[r.Note] == nil && r.State == reply.Dead {
			dead = append(dead, r.Note)
		} else if sites[r.Note] == nil {
			reasons = append(reasons, r.Note)
		}
		sites[r.Note] = append(sites[r.Note], cli.Printable(shortSite(r.Site)))
	}
	for _, reason := range append(reasons, dead...) {
		fmt.Fprintf(w, "\n%s: %s\n", cli.Plural(len(sites[reason]), "site"), cli.OneRow(reason))
		io.WriteString(w, cli.Wrap(cli.ColumnsOf(w), sites[reason], ", ", "  "))
	}
}

// shortSite returns a site without https.
func shortSite(site string) string { return strings.TrimPrefix(site, "https://") }

// printCSV prints a line for each site.
func printCSV(w io.Writer, rows []*row) error {
	cli.PrintCells(w, []string{"site", "state", "status", "redirect_to", "bytes", "googlebot", "googlebot_home", "bingbot", "bingbot_home",
		"ai_open", "ai_part", "ai_closed", "errors", "warnings", "infos", "change", "note"})
	for _, r := range rows {
		cells := []string{r.Site, string(r.State), strconv.Itoa(r.Status), r.RedirectTo, strconv.Itoa(r.Bytes), "", "", "", "", "", "", "",
			strconv.Itoa(r.Errors), strconv.Itoa(r.Warnings), strconv.Itoa(r.Infos), string(r.Change), r.Note}
		if r.AI != nil {
			copy(cells[5:], []string{string(r.Googlebot.Site), r.Googlebot.home(), string(r.Bingbot.Site), r.Bingbot.home(),
				strconv.Itoa(r.AI.Open), strconv.Itoa(r.AI.Part), strconv.Itoa(r.AI.Closed)})
		}
		cli.PrintCells(w, cells)
	}
	return cli.WriteError(w)
}

// home says whether a crawler may fetch the home page.
func (a *access) home() string {
	if a.Home {
		return "open"
	}
	return "closed"
}
