package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rivo/uniseg"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
)

// Limits of a report for people.
const (
	mostCrawlers     = 20
	mostBrokenRules  = 5  // of a crawler
	longestRuleShown = 30 // columns
	shortestExample  = 16 // columns, at least, of each example
)

// printReport prints a report for people: a table, and after each row what its
// crawler is and which lines it broke.
func printReport(w io.Writer, r *accesslog.Report, top int, identities bool) {
	fmt.Fprintf(w, "%s", plural(r.Lines, "line"))
	if r.Requests > 0 {
		fmt.Fprintf(w, ", %s", span(r.First, r.Last))
	}
	for _, note := range []struct {
		n    int
		text string
	}{{r.Unread, "could not be read"}, {r.Lines - r.Unread - r.Requests, "left out"}, {r.Unjudged, "not judged, because no robots.txt is known for their time"}} {
		if note.n > 0 {
			fmt.Fprintf(w, "; %d %s", note.n, note.text)
		}
	}
	fmt.Fprint(w, "\n\n")
	if len(r.Rows) == 0 && r.Requests > 0 {
		fmt.Fprint(w, "no crawler is named; lines in the Common format have no User-Agent header\n\n")
	}
	if top == 0 {
		top = mostCrawlers
	}
	shown := r.Rows[:min(top, len(r.Rows))]
	var table strings.Builder
	tabs := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	cells := func(name, identity string, rest ...string) {
		row := append([]string{name, identity}, rest...)
		if !identities {
			row = slices.Delete(row, 1, 2)
		}
		fmt.Fprintln(tabs, strings.Join(row, "\t"))
	}
	cells("crawler", "address", "requests", "disallowed", "robots.txt", "gap, median", "delay")
	for _, row := range shown {
		cells(printable(row.Token), string(row.Identity), fmt.Sprint(row.Requests), share(row), robotsFetches(row), gaps(row), crawlDelay(row))
	}
	cells("browsers and others", "", fmt.Sprint(r.Others.Requests), share(&r.Others), "", "", "")
	tabs.Flush()
	i := -1 // the header
	for line := range strings.Lines(table.String()) {
		printRows(w, strings.TrimRight(line, " \n")+"\n")
		if i >= 0 && i < len(shown) {
			printDetails(w, shown[i])
		}
		i++
	}
	if more := len(r.Rows) - len(shown); more > 0 {
		fmt.Fprintf(w, "and %s (see --top)\n", plural(more, "more crawler"))
	}
}

// printDetails prints what a crawler is and which lines it broke.
func printDetails(w io.Writer, r *accesslog.Row) {
	about := span(r.First, r.Last)
	if r.Known {
		about = "; " + about
		for _, p := range slices.Backward(r.Crawler.Purposes) {
			about = ", " + string(p) + about
		}
		about = r.Crawler.Operator + about
	}
	if r.RobotsTxt.Refused > 0 {
		about += "; the server refused it robots.txt " + plural(r.RobotsTxt.Refused, "time")
	}
	switch {
	case r.Crawler.ByPerson() && r.Crawler.Claim == crawlers.MayIgnore:
		about += "; a person asks for each page, so its operator says that robots.txt does not apply"
	case r.Crawler.ByPerson():
		about += "; a person asks for each page"
	}
	width := columnsOf(w)
	io.WriteString(w, wrap(width, strings.Fields(about), " ", "    "))
	rules, more := shorten(r.Rules, mostBrokenRules)
	for _, b := range rules {
		text := fmt.Sprintf("    line %d: %s  %s:", b.Rule.Line, printable(firstColumns(b.Rule.String(), longestRuleShown)), plural(b.Requests, "request"))
		room := max(width-uniseg.StringWidth(text), 2*shortestExample) / 2
		for _, example := range b.Examples {
			text += " " + firstColumns(printable(example), room-1)
		}
		fmt.Fprintln(w, text)
	}
	if more > 0 {
		fmt.Fprintf(w, "    and %d more lines (see --json)\n", more)
	}
}

func logTime(t int64) string { return time.Unix(t, 0).UTC().Format(time.RFC3339) }

func logDate(t int64) string { return time.Unix(t, 0).UTC().Format(time.DateOnly) }

// span returns the dates from first to last.
func span(first, last int64) string {
	if logDate(first) == logDate(last) {
		return logDate(first)
	}
	return logDate(first) + " to " + logDate(last)
}

// share returns how many requests were disallowed, with their share in whole percent.
func share(r *accesslog.Row) string {
	if r.Disallowed == 0 {
		return "0"
	}
	if percent := 100 * r.Disallowed / r.Requests; percent > 0 {
		return fmt.Sprintf("%d (%d%%)", r.Disallowed, percent)
	}
	return fmt.Sprintf("%d (< 1%%)", r.Disallowed)
}

// robotsFetches returns, as text, how often a crawler fetched the robots.txt file and
// when last.
func robotsFetches(r *accesslog.Row) string {
	if r.RobotsTxt.Requests == 0 {
		return "never"
	}
	return fmt.Sprintf("%d, %s", r.RobotsTxt.Requests, logDate(r.RobotsTxt.Last))
}

// gaps returns, as text, the smallest and the median gap between requests.
func gaps(r *accesslog.Row) string {
	seconds := func(n int) string {
		if n == 0 {
			return "< 1 s"
		}
		return fmt.Sprintf("%d s", n)
	}
	if r.Gaps == nil {
		return "-"
	}
	return seconds(r.Gaps.Smallest) + ", " + seconds(r.Gaps.Median)
}

func crawlDelay(r *accesslog.Row) string {
	if !r.HasDelay {
		return "-"
	}
	return fmt.Sprintf("%g s", r.CrawlDelay.Seconds())
}

// The JSON output of log.
type (
	logView struct {
		Lines    int              `json:"lines"`
		Unread   int              `json:"unread" jsonschema:"lines that could not be read"`
		Unjudged int              `json:"unjudged" jsonschema:"requests for which it is not known which robots.txt file was in force"`
		First    *string          `json:"first" jsonschema:"the time of the first request"`
		Last     *string          `json:"last"`
		Crawlers []logCrawlerView `json:"crawlers"`
		Others   logOthersView    `json:"others"`
	}
	logCrawlerView struct {
		Name        string             `json:"name"`
		Operator    string             `json:"operator"`
		Purposes    []crawlers.Purpose `json:"purposes"`
		ByPerson    bool               `json:"by_person" jsonschema:"a person asks for each page"`
		Identity    accesslog.Identity `json:"identity,omitempty" jsonschema:"by the lists of --ip-ranges"`
		Requests    int                `json:"requests"`
		Disallowed  int                `json:"disallowed"`
		RobotsTxt   logRobotsView      `json:"robots_txt"`
		SmallestGap *int               `json:"smallest_gap" jsonschema:"in seconds"`
		MedianGap   *int               `json:"median_gap" jsonschema:"in seconds"`
		CrawlDelay  *float64           `json:"crawl_delay" jsonschema:"in seconds"`
		First       string             `json:"first"`
		Last        string             `json:"last"`
		Rules       []logRuleView      `json:"rules"`
		Unlisted    int                `json:"unlisted" jsonschema:"disallowed requests by rules that are not in the list"`
	}
	logRobotsView struct {
		Requests int     `json:"requests"`
		Refused  int     `json:"refused" jsonschema:"requests that the server refused, so that the crawler may not know the rules"`
		Last     *string `json:"last"`
	}
	logRuleView struct {
		Line     int      `json:"line"`
		Rule     string   `json:"rule"`
		Requests int      `json:"requests"`
		Examples []string `json:"examples"`
	}
	logOthersView struct {
		Requests   int `json:"requests"`
		Disallowed int `json:"disallowed"`
	}
)

// newLogView returns the report as JSON, with at most top crawlers unless top is 0.
func newLogView(r *accesslog.Report, top int, identities bool) logView {
	v := logView{Lines: r.Lines, Unread: r.Unread, Unjudged: r.Unjudged, Crawlers: []logCrawlerView{}, Others: logOthersView{r.Others.Requests, r.Others.Disallowed}}
	if r.Requests > 0 {
		v.First, v.Last = new(logTime(r.First)), new(logTime(r.Last))
	}
	for i, row := range r.Rows {
		if top > 0 && i == top {
			break
		}
		c := logCrawlerView{
			Name: row.Token, Operator: row.Crawler.Operator, Purposes: slices.Clip(append([]crawlers.Purpose{}, row.Crawler.Purposes...)), ByPerson: row.Crawler.ByPerson(),
			Requests: row.Requests, Disallowed: row.Disallowed, First: logTime(row.First), Last: logTime(row.Last), Rules: []logRuleView{}, Unlisted: row.Unlisted,
			RobotsTxt: logRobotsView{Requests: row.RobotsTxt.Requests, Refused: row.RobotsTxt.Refused},
		}
		if identities {
			c.Identity = row.Identity
		}
		if row.RobotsTxt.Requests > 0 {
			c.RobotsTxt.Last = new(logTime(row.RobotsTxt.Last))
		}
		if row.Gaps != nil {
			c.SmallestGap, c.MedianGap = &row.Gaps.Smallest, &row.Gaps.Median
		}
		if row.HasDelay {
			c.CrawlDelay = new(row.CrawlDelay.Seconds())
		}
		for _, b := range row.Rules {
			c.Rules = append(c.Rules, logRuleView{b.Rule.Line, b.Rule.String(), b.Requests, b.Examples})
		}
		v.Crawlers = append(v.Crawlers, c)
	}
	return v
}
