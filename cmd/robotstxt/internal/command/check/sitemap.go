package check

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/page"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// Limits of the text output.
const (
	maxRules    = 20 // per agent
	maxExamples = 3  // per rule
)

// A site is a robots.txt, with the sitemaps whose URLs are checked against it.
type site struct {
	robots   reply.Reply
	location string   // of the robots.txt that is for the URLs; empty until the first URL is known
	sitemaps []string // their names
	urls     []string // of the site
	pages    []page.Page
}

// The JSON output of check --sitemap.
type (
	sitemapReport struct {
		Reply    *reply.View    `json:"reply,omitempty"`
		Sitemaps int            `json:"sitemaps"`
		URLs     int            `json:"urls"`
		Others   int            `json:"other_sites"`
		Example  string         `json:"other_example"`
		Fetched  int            `json:"fetched,omitempty"` // the number of pages
		Pages    []pageGroup    `json:"pages,omitempty"`
		Agents   []sitemapAgent `json:"agents"`
	}
	sitemapAgent struct {
		Agent      string        `json:"agent"`
		Disallowed int           `json:"disallowed"`
		Rules      []sitemapRule `json:"rules"`
		Pages      []pageGroup   `json:"pages,omitempty"`
	}
	sitemapRule struct {
		Line int    `json:"line"`
		Rule string `json:"rule"`
		examples
		Notes []reading.Note `json:"notes,omitempty"` // of the verdict about the first URL
	}
	// examples are how many URLs there are of a kind, and the first of them.
	examples struct {
		URLs     int      `json:"urls"`
		Examples []string `json:"examples"`
	}
)

// runSitemaps checks the URLs of sitemaps. Sitemaps with the same robots.txt are counted together.
func (c *checkCommand) runSitemaps(names []string) (status int, err error) {
	if len(c.agents) == 1 && c.agents[0] == "*" && !c.cmd.Flags().Changed("agent") {
		c.agents = []string{"Googlebot", "bingbot"}
	}
	if c.agents, err = cli.AgentNames(c.cmd, c.agents); err != nil {
		return 0, err
	}
	if err := c.validateSitemaps(names); err != nil {
		return 0, err
	}
	c.loader.Named = append(slices.Clone(names), c.robots)
	sites, err := c.sites(names)
	if err != nil {
		return 0, err
	}
	isFirst := true
	for _, s := range sites {
		report := c.read(s)
		if c.pages && !s.robots.IsUnknown() {
			status = max(status, c.fetchPages(s))
			report.addPages(s.pages, s.urls)
		}
		report.Agents = c.answersAbout(s)
		status = max(status, report.status())
		out := c.cmd.OutOrStdout()
		switch {
		case c.csv:
		case c.json:
			cli.PrintJSON(out, report)
		case report.URLs > 0: // otherwise, the reasons are already printed
			if !isFirst {
				fmt.Fprintln(out)
			}
			report.print(out)
			isFirst = false
		}
	}
	if c.hasFailed && status != cli.ExitInterrupted {
		status = cli.ExitError
	}
	return status, nil
}

// fail reports that something cannot be checked.
func (c *checkCommand) fail(err error) {
	cli.Complain(c.cmd, err)
	c.hasFailed = true
}

// validateSitemaps returns an error if the robots.txt for a sitemap is not known.
func (c *checkCommand) validateSitemaps(names []string) error {
	if c.robots != "" {
		return nil
	}
	for _, name := range names {
		switch {
		case cli.IsHost(name):
			return fmt.Errorf("%q is not a URL (did you mean https://%s?)", name, name)
		case !cli.IsURL(name):
			return cli.UsageError(c.cmd, fmt.Errorf("%s: give the robots.txt with --robots", cli.DisplayName(name)))
		}
	}
	return nil
}

// sites returns the sites of the named sitemaps, in order. For the URL of a site, and if no sitemap is named, the
// sitemaps are those that the robots.txt names.
func (c *checkCommand) sites(names []string) (sites []*site, err error) {
	isOnlyFile := len(names) == 0
	if isOnlyFile {
		names = []string{c.robots}
	}
	for _, name := range names {
		robots, err := c.robotsFor(name)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(sites, func(s *site) bool { return s.robots.URL == robots.URL })
		if i < 0 {
			i = len(sites)
			sites = append(sites, &site{robots: robots})
			c.describeReply(robots)
		}
		s := sites[i]
		isNamedByFile := isOnlyFile || isSite(name)
		if isNamedByFile {
			s.sitemaps = append(s.sitemaps, sitemapsOf(robots, c.fail)...)
		} else {
			s.sitemaps = append(s.sitemaps, name)
		}
		if isNamedByFile || c.robots == "" {
			s.location, _ = cli.SiteOf(robots.URL) // empty for a file
		}
	}
	return sites, nil
}

// describeReply reports what a server answered if that is not a robots.txt.
func (c *checkCommand) describeReply(robots reply.Reply) {
	if robots.State != reply.IsFile {
		cli.Complain(c.cmd, fmt.Errorf("%s: %s", cli.DisplayName(cmp.Or(robots.URL, c.robots)), robots.Meaning()))
	}
	c.hasFailed = c.hasFailed || robots.IsUnknown()
}

// isSite reports whether a URL has no path, so that it means a site.
func isSite(address string) bool {
	u, err := url.Parse(address)
	return err == nil && cli.IsURL(address) && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
}

// read reads the URLs of a site from its sitemaps.
func (c *checkCommand) read(s *site) (report sitemapReport) {
	report.Reply = s.robots.View
	if s.robots.IsRefused() {
		return report
	}
	add := func(url, location string) {
		s.location = cmp.Or(s.location, location)
		report.URLs++
		if location == s.location {
			s.urls = append(s.urls, url)
			return
		}
		report.Others++
		report.Example = cmp.Or(report.Example, url)
	}
	open := func(name string) (io.ReadCloser, error) {
		return cli.OpenGuarded(c.cmd, name, c.loader.Guard(name), reply.Limit)
	}
	r := reader{open: open, fail: c.fail, add: add, seen: map[string]bool{}}
	for _, name := range s.sitemaps {
		r.readAll(name, false)
	}
	report.Sitemaps = r.read
	if report.Others > 0 && report.Others == report.URLs {
		c.fail(fmt.Errorf("no URL was checked: they belong to other sites, such as %s", report.Example))
	}
	return report
}

// answersAbout returns what each agent is told about the URLs of a site. With --csv, it also prints this.
func (c *checkCommand) answersAbout(s *site) (list []sitemapAgent) {
	for _, agent := range c.agents {
		a := sitemapAgent{Agent: agent, Rules: []sitemapRule{}}
		group := s.robots.File.Group(agent)
		for i, url := range s.urls {
			v := group.Decide(url)
			a.add(v, url)
			var p *page.Page
			if i < len(s.pages) {
				p = &s.pages[i]
			}
			if p != nil && p.IsRead() {
				a.addPage(p.Uses(agent, &s.robots.File, c.now), url)
			}
			if c.csv {
				c.printRow(agent, url, v, p, s.robots)
			}
		}
		list = append(list, a)
	}
	return list
}

func (e *examples) add(example string) {
	if e.URLs++; len(e.Examples) < maxExamples {
		e.Examples = append(e.Examples, example)
	}
}

func (e *examples) print(w io.Writer, what string) {
	var list []string
	for _, example := range e.Examples {
		list = append(list, cli.Printable(example))
	}
	cli.PrintLines(w, "    "+what+"  "+cli.Plural(e.URLs, "URL")+", such as "+strings.Join(list, " ")+"\n")
}

// add counts a URL. If there was no robots.txt to read, the reason stands for the rule.
func (a *sitemapAgent) add(v verdict.Verdict, url string) {
	if v.Allowed {
		return
	}
	a.Disallowed++
	i := slices.IndexFunc(a.Rules, func(r sitemapRule) bool { return r.Line == v.Rule.Line })
	if i < 0 {
		i = len(a.Rules)
		a.Rules = append(a.Rules, sitemapRule{Line: v.Rule.Line, Rule: cmp.Or(answers.NewVerdict(v).Rule, string(v.Reason)), Notes: v.Notes})
	}
	a.Rules[i].add(url)
}

func (r sitemapReport) status() int {
	isBad := func(a sitemapAgent) bool { return a.Disallowed+len(a.Pages) > 0 }
	if len(r.Pages) > 0 || slices.ContainsFunc(r.Agents, isBad) {
		return cli.ExitNo
	}
	return cli.ExitOK
}

// print prints what was counted. Agents with the same verdicts are listed together.
func (r sitemapReport) print(w io.Writer) {
	about := ""
	if r.Reply != nil {
		about = r.Reply.URL + ": "
	}
	fmt.Fprintf(w, "%s%s in %s", about, cli.Plural(r.URLs, "URL"), cli.Plural(r.Sitemaps, "sitemap"))
	if r.Fetched > 0 {
		fmt.Fprintf(w, ", %s fetched", cli.Plural(r.Fetched, "page"))
	}
	fmt.Fprintln(w)
	if r.Others > 0 {
		of := "of another site is not checked"
		if r.Others > 1 {
			of = "of other sites are not checked"
		}
		cli.PrintLines(w, fmt.Sprintf("%s %s, such as %s: this robots.txt does not apply there\n", cli.Plural(r.Others, "URL"), of, cli.Printable(r.Example)))
	}
	for _, p := range r.Pages {
		p.print(w, p.Text)
	}
	for len(r.Agents) > 0 {
		first := r.Agents[0]
		var names []string
		r.Agents = slices.DeleteFunc(slices.Clone(r.Agents), func(a sitemapAgent) bool {
			isSame := reflect.DeepEqual(a.Rules, first.Rules) && reflect.DeepEqual(a.Pages, first.Pages)
			if isSame {
				names = append(names, a.Agent)
			}
			return isSame
		})
		first.print(w, names, r.URLs-r.Others)
	}
}

// print prints the verdicts that the named agents share, about a number of URLs.
func (a sitemapAgent) print(w io.Writer, names []string, urls int) {
	text := fmt.Sprintf("%s: %d of %s disallowed", cli.GroupName(names, len(names)), a.Disallowed, cli.Plural(urls, "URL"))
	io.WriteString(w, "\n"+cli.WrapText(cli.ColumnsOf(w), text))
	rules, more := cli.Shorten(a.Rules, maxRules)
	for _, r := range rules {
		what := cli.Printable(r.Rule)
		if r.Line > 0 {
			what = fmt.Sprintf("line %d: %s", r.Line, what)
		}
		r.print(w, what)
		for _, note := range r.Notes {
			cli.PrintLines(w, "        ("+cli.Printable(note.Text)+")\n")
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "    and %d more rules (see --csv)\n", more)
	}
	for _, p := range a.Pages {
		p.print(w, p.Text)
	}
}
