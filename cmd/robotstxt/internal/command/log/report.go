package log

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rivo/uniseg"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

// Limits of the text output.
const (
	maxCrawlers    = 20
	maxBrokenRules = 5  // per crawler
	maxRuleColumns = 30 // in columns
	minExample     = 16 // in columns; each example has at least this much room
)

// printReport prints a report as a table. Below the row of a crawler, it prints details and
// the rules that the crawler broke, and with byDay a line for each day. The parameter wanted has the
// values of --agent.
func printReport(w io.Writer, r *accesslog.Report, wanted []string, byDay bool) {
	printSummary(w, r, wanted)
	shown, more := cli.Shorten(r.Crawlers, maxCrawlers)
	lines := tableLines(shown, r.Others.Counts)
	header, crawlers, others := lines[0], lines[1:1+len(shown)], lines[1+len(shown)]
	cli.PrintLines(w, header)
	for i, line := range crawlers {
		cli.PrintLines(w, line)
		printDetails(w, shown[i])
		if byDay {
			printDays(w, shown[i].Days, r.Changes)
		}
	}
	cli.PrintLines(w, others)
	if byDay {
		printDays(w, r.Others.Days, r.Changes)
	}
	if more > 0 {
		fmt.Fprintf(w, "and %s (see --json)\n", cli.Plural(more, "more crawler"))
	}
}

// printSummary prints how many lines were read and judged, and why there may be no crawlers.
func printSummary(w io.Writer, r *accesslog.Report, wanted []string) {
	fmt.Fprint(w, cli.Plural(r.Lines, "line"))
	if r.Requests > 0 {
		fmt.Fprintf(w, ", %s", days(r.First, r.Last))
	}
	for _, note := range []struct {
		n    int
		text string
	}{{r.Unread, "could not be read"}, {r.Lines - r.Unread - r.Requests, "excluded by --host, --since or --until"}, {r.Unjudged, "not judged, because the robots.txt that applied is not known"}} {
		if note.n > 0 {
			fmt.Fprintf(w, "; %d %s", note.n, note.text)
		}
	}
	fmt.Fprint(w, "\n\n")
	switch {
	case len(r.Crawlers) > 0 || r.Requests == 0:
	case len(wanted) > 0:
		fmt.Fprintf(w, "the logs contain no requests from %s\n\n", cli.Printable(strings.Join(wanted, ", ")))
	default:
		fmt.Fprint(w, "the logs name no crawler; perhaps they do not contain User-Agent headers, as logs in the Common format, or --fields is needed\n\n")
	}
}

// tableLines returns the lines of a table: a header, a line for each crawler, and a line for
// browsers and others. If --ip-ranges is given, the second column has the identities.
func tableLines(rows []*accesslog.Row, others accesslog.Counts) (lines []string) {
	address := func(identity accesslog.Identity) string {
		if len(rows) == 0 || rows[0].Identity == "" {
			return ""
		}
		return "\t" + string(identity)
	}
	var table strings.Builder
	tabs := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tabs, "crawler%s\trequests\tdisallowed\trobots.txt\tmin, median gap\tdelay\n", address("address"))
	for _, r := range rows {
		fmt.Fprintf(tabs, "%s%s\t%d\t%s\t%s\t%s\t%s\n", cli.Printable(r.Name), address(r.Identity), r.Requests, share(r.Counts, r.RobotsTxt.Requests), robotsFetches(r), gaps(r), crawlDelay(r))
	}
	fmt.Fprintf(tabs, "browsers and others%s\t%d\t%s\t\t\t\n", address(""), others.Requests, share(others, 0))
	tabs.Flush()
	for line := range strings.Lines(table.String()) {
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	return lines
}

// printDetails prints the operator and the purposes of a crawler, the dates of its requests,
// and the rules that it broke.
func printDetails(w io.Writer, r *accesslog.Row) {
	var about []string
	if r.Operator != "" {
		who := r.Operator
		for _, purpose := range r.Purposes {
			who += ", " + string(purpose)
		}
		about = append(about, who)
	}
	about = append(about, "seen "+days(r.First, r.Last))
	if r.Disallowed > 0 && r.Unjudged > 0 {
		about = append(about, cli.Plural(r.Unjudged, "request")+" not judged")
	}
	if n := r.RobotsTxt.Missing; n > 0 {
		about = append(about, "there was no robots.txt for "+cli.Plural(n, "request"))
	}
	if n := r.Refused - r.RobotsTxt.Refused; n > 0 {
		about = append(about, "the server refused "+cli.Plural(n, "request")+" for pages")
	}
	if n := r.RobotsTxt.Refused; n > 0 {
		about = append(about, "the server refused "+cli.Plural(n, "request")+" for robots.txt")
	}
	if r.Identity == accesslog.Unknown && r.Crawler.Token != "" && r.Crawler.IPRanges == "" {
		about = append(about, "whether it is genuine is unknown, because the operator publishes no list of its addresses")
	}
	if r.OtherForms > 0 {
		about = append(about, cli.Plural(r.OtherForms, "allowed request")+" may get a disallowed page, such as "+cli.Printable(r.FormsNote))
	}
	switch {
	case r.ByPerson && r.Crawler.Claim == crawlers.MayIgnore:
		about = append(about, "it fetches only pages that a person asks for, so the operator says that robots.txt does not apply")
	case r.ByPerson:
		about = append(about, "it fetches only pages that a person asks for")
	}
	width := reportColumns(w)
	io.WriteString(w, cli.Wrap(width, strings.Fields(strings.Join(about, "; ")), " ", "    "))
	rules, more := cli.Shorten(r.Rules, maxBrokenRules)
	for _, b := range rules {
		rule := cli.Printable(cli.FirstColumns(b.Rule, maxRuleColumns))
		text := fmt.Sprintf("    line %d: %s  %s:", b.Line, rule, cli.Plural(b.Requests, "request"))
		room := max((width-uniseg.StringWidth(text))/len(b.Examples), minExample)
		for _, example := range b.Examples {
			text += " " + cli.FirstColumns(cli.Printable(example), room-1)
		}
		fmt.Fprintln(w, text)
		for _, note := range b.Notes {
			io.WriteString(w, cli.Wrap(width, strings.Fields("("+cli.Printable(note.Text)+")"), " ", "        "))
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "    and %d more lines (see --json)\n", more)
	}
}

// printDays prints a line for each day with requests, and for each day on which the robots.txt file
// changed.
func printDays(w io.Writer, days []accesslog.Day, changes []accesslog.Time) {
	if len(days) == 0 {
		return
	}
	clocks := map[accesslog.Date][]string{} // the times of the changes on each day
	for _, change := range changes {
		date := change.Date()
		clocks[date] = append(clocks[date], change.Clock())
		if !slices.ContainsFunc(days, func(d accesslog.Day) bool { return d.Date == date }) {
			days = append(slices.Clone(days), accesslog.Day{Date: date})
		}
	}
	slices.SortFunc(days, func(a, b accesslog.Day) int { return cmp.Compare(a.Date, b.Date) })
	var table strings.Builder
	tabs := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprint(tabs, "    day\trequests\tdisallowed\trefused\trobots.txt\t\n")
	for _, day := range days {
		note := ""
		if times := clocks[day.Date]; len(times) > 0 {
			note = "the robots.txt changed at " + strings.Join(times, ", ") + " UTC"
		}
		fmt.Fprintf(tabs, "    %s\t%d\t%s\t%d\t%d\t%s\n", day.Date, day.Requests, share(day.Counts, day.RobotsTxt), day.Refused, day.RobotsTxt, note)
	}
	tabs.Flush()
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// reportColumns returns the width of the report. If it goes to a file or a pipe and COLUMNS is not
// set, the width is not limited.
func reportColumns(w io.Writer) int {
	if !cli.IsTerminal(w) && os.Getenv("COLUMNS") == "" {
		return math.MaxInt
	}
	return cli.ColumnsOf(w)
}

// days returns the dates of two times, or one date if both times are on the same day.
func days(first, last accesslog.Time) string {
	if first.Date() == last.Date() {
		return first.Date().String()
	}
	return first.Date().String() + " to " + last.Date().String()
}

// share returns, as text, the number of disallowed requests and their percentage of all
// requests. The parameter forRobotsTxt is the number of requests for robots.txt. If there are
// other requests, but none of them could be judged, share returns "-".
func share(c accesslog.Counts, forRobotsTxt int) string {
	switch percent := 100 * float64(c.Disallowed) / float64(max(c.Requests, 1)); {
	case c.Unjudged > 0 && c.Unjudged+forRobotsTxt == c.Requests:
		return "-"
	case c.Disallowed == 0:
		return "0"
	case percent < 1:
		return fmt.Sprintf("%d (< 1%%)", c.Disallowed)
	case 99 < percent && percent < 100:
		return fmt.Sprintf("%d (> 99%%)", c.Disallowed)
	default:
		return fmt.Sprintf("%d (%.0f%%)", c.Disallowed, percent)
	}
}

// robotsFetches returns, as text, how often a crawler requested the robots.txt file, and the day
// of the latest request.
func robotsFetches(r *accesslog.Row) string {
	if r.RobotsTxt.Requests == 0 {
		return "never"
	}
	return fmt.Sprintf("%d, %s", r.RobotsTxt.Requests, r.RobotsTxt.Last.Date())
}

// gaps returns, as text, the smallest and the median time between requests.
func gaps(r *accesslog.Row) string {
	seconds := func(n int) string {
		if n == 0 {
			return "< 1 s"
		}
		return fmt.Sprintf("%d s", n)
	}
	if r.SmallestGap == nil {
		return "-"
	}
	return seconds(*r.SmallestGap) + ", " + seconds(*r.MedianGap)
}

func crawlDelay(r *accesslog.Row) string {
	if r.CrawlDelay == nil {
		return "-"
	}
	return fmt.Sprintf("%g s", *r.CrawlDelay)
}
