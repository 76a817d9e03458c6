package sites

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/records"
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
	isCompared := func(r *row) bool { return r.Before != "" }
	hasLast := slices.ContainsFunc(rows, isCompared)
	if hasLast {
		printReport(w, rows)
	}
	if hasLast && c.table {
		io.WriteString(w, "\n")
	}
	if !hasLast || c.table {
		printTable(w, rows, hasLast)
	}
	return cli.WriteError(w)
}

// A view is the JSON that sites prints.
type view struct {
	Sites []*row `json:"sites"`
}

// printReport prints what has changed since the last run: sites with the same change together, then new failures,
// and one line for the rest.
func printReport(w io.Writer, rows []*row) {
	var changes, failures groups
	same, unreadable := 0, 0
	for _, r := range rows {
		switch {
		case r.isNewFailure():
			failures.add(r.news(), r)
		case r.Change != changeNone:
			changes.add(r.news(), r)
		case r.isRead():
			same++
		default:
			unreadable++
		}
	}
	changes.print(w, "", "\n")
	failures.print(w, "", "\n")
	rest := cli.Plural(same, "site") + " as before"
	if unreadable > 0 {
		rest += fmt.Sprintf(", %d unreadable as before", unreadable)
	}
	fmt.Fprintln(w, rest)
}

// news says what is new about a site since the last run: its state, in the first line, and then verdicts and other
// lines.
func (r *row) news() string {
	var b strings.Builder
	switch {
	case r.Before == "":
		fmt.Fprintf(&b, "new: %s", r.State)
	case r.Before != r.State:
		fmt.Fprintf(&b, "now %q, before %q", r.State, r.Before)
	case len(r.Changes) > 0:
		b.WriteString("changed")
	default:
		b.WriteString("other lines, which change no verdict")
	}
	if !r.isRead() {
		b.WriteString(": " + cli.OneRow(r.Note))
	}
	b.WriteByte('\n')
	printChanges(&b, r.Changes)
	lines, more := cli.Shorten(records.Lines(r.Records, false), 10)
	for _, line := range lines {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if more > 0 {
		fmt.Fprintf(&b, "  and %s (see --json)\n", cli.Plural(more, "more line"))
	}
	return b.String()
}

// groups are sites about which the same is to be said. Only the hosts in the URLs of sitemaps may differ.
type groups struct {
	keys  []string
	texts map[string]string // about the first site; the first line is the title
	sites map[string][]string
}

var host = regexp.MustCompile(`https?://[^/\s]+`)

func (g *groups) add(text string, r *row) {
	key := host.ReplaceAllString(text, "[site]")
	if len(g.keys) == 0 {
		g.texts, g.sites = map[string]string{}, map[string][]string{}
	}
	if g.sites[key] == nil {
		g.keys = append(g.keys, key)
		g.texts[key] = text
	}
	g.sites[key] = append(g.sites[key], cli.Printable(shortSite(r.Site)))
}

// print prints the groups, each between two texts.
func (g *groups) print(w io.Writer, before, after string) {
	for _, key := range g.keys {
		text, sites := key, g.sites[key]
		if len(sites) == 1 {
			text = g.texts[key]
		}
		cli.PrintLines(w, before+cli.Plural(len(sites), "site")+": "+text)
		io.WriteString(w, cli.Wrap(cli.ColumnsOf(w), sites, ", ", "  ")+after)
	}
}

// printTable prints a line for each site, and then the notes about them.
func printTable(w io.Writer, rows []*row, hasLast bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	header := []string{"SITE", "ROBOTS.TXT", "SIZE", "GOOGLEBOT", "BINGBOT", "AI CRAWLERS", "FINDINGS"}
	if hasLast {
		header = append(header, "CHANGE")
	}
	fmt.Fprintln(t, strings.Join(header, "\t"))
	var notes, dead groups
	for _, r := range rows {
		cells := r.cells()
		fmt.Fprintln(t, strings.Join(cells[:len(header)], "\t"))
		switch {
		case r.Note == "":
		case r.State == reply.Dead:
			dead.add(cli.OneRow(r.Note)+"\n", r)
		default:
			notes.add(cli.OneRow(r.Note)+"\n", r)
		}
	}
	t.Flush()
	notes.print(w, "\n", "")
	dead.print(w, "\n", "")
}

// cells returns the cells of the table for a row.
func (r *row) cells() []string {
	size := ""
	switch {
	case r.State != reply.IsFile:
	case r.TooLong:
		size = "> 500 KiB"
	default:
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
	text := strings.Join(parts, ", ")
	if len(r.Findings) > 0 {
		text += " (" + r.Findings[0].Code + ")"
	}
	return text
}

// printChanges prints the first verdicts that have changed. Unrelated files can have thousands.
func printChanges(w io.Writer, changes []answers.Change) {
	const mostChanges, mostDifferences = 3, 5
	shown, more := cli.Shorten(changes, mostChanges)
	for _, c := range shown {
		agents := c.Agents
		if c.Others {
			agents = append(slices.Clone(agents), "*")
		}
		fmt.Fprintf(w, "  %s\n", records.Crawlers(agents))
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

// shortSite returns a site without https.
func shortSite(site string) string { return strings.TrimPrefix(site, "https://") }

// printCSV prints a line for each site.
func printCSV(w io.Writer, rows []*row) error {
	cli.PrintCells(w, []string{"site", "state", "status", "redirect_to", "bytes", "too_long", "googlebot", "googlebot_home", "bingbot", "bingbot_home",
		"ai_open", "ai_part", "ai_closed", "errors", "warnings", "infos", "findings", "change", "before", "note"})
	for _, r := range rows {
		var codes []string
		for _, f := range r.Findings {
			codes = append(codes, f.Code)
		}
		cells := []string{r.Site, string(r.State), strconv.Itoa(r.Status), r.RedirectTo, strconv.Itoa(r.Bytes), strconv.FormatBool(r.TooLong), "", "", "", "", "", "", "",
			strconv.Itoa(r.Errors), strconv.Itoa(r.Warnings), strconv.Itoa(r.Infos), strings.Join(codes, " "), string(r.Change), string(r.Before), r.Note}
		if r.AI != nil {
			copy(cells[6:], []string{string(r.Googlebot.Site), strconv.FormatBool(r.Googlebot.Home), string(r.Bingbot.Site), strconv.FormatBool(r.Bingbot.Home),
				strconv.Itoa(r.AI.Open), strconv.Itoa(r.AI.Part), strconv.Itoa(r.AI.Closed)})
		}
		cli.PrintCells(w, cells)
	}
	return cli.WriteError(w)
}
