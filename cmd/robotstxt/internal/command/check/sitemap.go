package check

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/sitemap"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// requestPause is the time between two requests for sitemaps.
const requestPause = 500 * time.Millisecond

// Limits of the text output.
const (
	maxRules    = 20 // per agent
	maxExamples = 3  // per rule
)

// A sitemapCheck checks the URLs of sitemaps against the robots.txt of one site.
type sitemapCheck struct {
	command *checkCommand
	robots  reply.Reply
	site    string          // the location of the robots.txt that is for the URLs; empty until the first URL is known
	seen    map[string]bool // the sitemaps that were read
	report  sitemapReport
	status  int
}

// The JSON output of check --sitemap.
type (
	sitemapReport struct {
		Reply    *reply.View    `json:"reply,omitempty"`
		Sitemaps int            `json:"sitemaps"`
		URLs     int            `json:"urls"`
		Others   int            `json:"other_sites"`
		Example  string         `json:"other_example"`
		Agents   []sitemapAgent `json:"agents"`
	}
	sitemapAgent struct {
		Agent      string        `json:"agent"`
		Disallowed int           `json:"disallowed"`
		Rules      []sitemapRule `json:"rules"`
		OtherForms int           `json:"other_forms,omitempty"` // allowed URLs for which servers may answer with a disallowed page
		FormsNote  string        `json:"other_forms_note,omitempty"`

		group verdict.Group
	}
	sitemapRule struct {
		Line     int            `json:"line"`
		Rule     string         `json:"rule"`
		URLs     int            `json:"urls"`
		Examples []string       `json:"examples"`
		Notes    []reading.Note `json:"notes,omitempty"` // of the verdict about the first URL
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
	if err := c.findRules(); err != nil {
		return 0, err
	}
	c.named = append(slices.Clone(names), c.robots)
	checks, err := c.readSitemaps(names)
	if err != nil {
		return 0, err
	}
	isFirst := true
	for _, check := range checks {
		check.finish()
		status = max(status, check.status)
		switch {
		case c.json:
			cli.PrintJSON(c.cmd.OutOrStdout(), check.report)
		case check.report.URLs > 0: // otherwise, the reasons are already printed
			if !isFirst {
				fmt.Fprintln(c.cmd.OutOrStdout())
			}
			check.print(c.cmd.OutOrStdout())
			isFirst = false
		}
	}
	return status, nil
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

// readSitemaps reads the named sitemaps. For the URL of a site, and if no sitemap is named, it reads the
// sitemaps that the robots.txt names.
func (c *checkCommand) readSitemaps(names []string) (checks []*sitemapCheck, err error) {
	if len(names) == 0 {
		robots, err := c.robotsFor("")
		if err != nil {
			return nil, err
		}
		checkFor(&checks, c, robots).readNamed()
	}
	for _, name := range names {
		robots, err := c.robotsFor(name)
		if err != nil {
			return nil, err
		}
		check := checkFor(&checks, c, robots)
		if isSite(name) {
			check.readNamed()
			continue
		}
		if c.robots == "" {
			check.site = robots.URL
		}
		check.read(name, false)
	}
	return checks, nil
}

// finish reports an error if all URLs belong to other sites.
func (s *sitemapCheck) finish() {
	if r := s.report; r.Others > 0 && r.Others == r.URLs {
		s.fail(fmt.Errorf("no URL was checked: they belong to other sites, such as %s", r.Example))
	}
}

// isSite reports whether a URL has no path, so that it means a site.
func isSite(address string) bool {
	u, err := url.Parse(address)
	return err == nil && cli.IsURL(address) && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
}

// checkFor returns the check with the given robots.txt. If there is none yet, it adds one.
func checkFor(checks *[]*sitemapCheck, c *checkCommand, answer reply.Reply) *sitemapCheck {
	i := slices.IndexFunc(*checks, func(check *sitemapCheck) bool { return check.robots.URL == answer.URL })
	if i >= 0 {
		return (*checks)[i]
	}
	check := &sitemapCheck{command: c, robots: answer, seen: map[string]bool{}, report: sitemapReport{Reply: answer.View}}
	for _, agent := range c.agents {
		check.report.Agents = append(check.report.Agents, sitemapAgent{Agent: agent, Rules: []sitemapRule{}, group: answer.File.Group(agent)})
	}
	if answer.IsUnknown() {
		check.fail(fmt.Errorf("%s: %s", answer.View.URL, answer.Meaning()))
	}
	if answer.State == reply.Other || answer.State == reply.NoFile {
		cli.Complain(c.cmd, fmt.Errorf("%s: %s", cli.DisplayName(cmp.Or(answer.URL, c.robots)), answer.Meaning()))
	}
	*checks = append(*checks, check)
	return check
}

// fail reports that a sitemap, or a part of it, cannot be checked.
func (s *sitemapCheck) fail(err error) {
	cli.Complain(s.command.cmd, err)
	s.status = cli.ExitError
}

// readNamed checks the sitemaps that the robots.txt names.
func (s *sitemapCheck) readNamed() {
	if location, err := robotstxt.Location(s.robots.URL); err == nil {
		s.site = location
	}
	names := s.robots.File.Sitemaps()
	switch {
	case s.robots.IsUnknown(): // the reason is already printed
	case len(names) == 0:
		s.fail(errors.New("the robots.txt names no sitemap"))
	}
	for _, name := range names {
		if base, err := url.Parse(s.robots.URL); err == nil && s.robots.URL != "" && !cli.IsURL(name) {
			if ref, err := base.Parse(name); err == nil {
				name = ref.String()
			}
		}
		if !cli.IsURL(name) {
			s.fail(fmt.Errorf("the robots.txt names the sitemap %q, which is not a URL", name))
			continue
		}
		s.read(name, false)
	}
}

// read checks the URLs of a sitemap, or of the sitemaps in an index. An index must not be in another
// index.
func (s *sitemapCheck) read(name string, isInIndex bool) {
	if s.seen[name] || s.robots.IsRefused() {
		return
	}
	if len(s.seen) > 0 && cli.IsURL(name) { // not the first request
		time.Sleep(requestPause)
	}
	s.seen[name] = true
	file, err := s.load(name)
	if file.IsIndex && isInIndex {
		err = fmt.Errorf("%s: the sitemap is an index, but other indexes name it, so search engines do not follow it", cli.DisplayName(name))
	}
	if err != nil {
		s.fail(err)
	}
	switch {
	case err != nil && !errors.Is(err, sitemap.ErrTooLarge): // a part of the sitemap must not be counted as if it were the whole
	case file.IsIndex:
		s.readIndex(name, file.URLs)
	default:
		s.report.Sitemaps++
		s.addAll(name, file.URLs)
	}
}

// load reads a sitemap. An error names the sitemap.
func (s *sitemapCheck) load(name string) (file sitemap.File, err error) {
	data, err := s.fetch(name)
	if err != nil && !cli.IsURL(name) {
		return file, err // it names the file
	}
	if err == nil {
		file, err = sitemap.Read(data)
	}
	if err == nil && len(file.URLs) == 0 {
		err = errors.New("no URLs were found; is it a sitemap?")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", cli.DisplayName(name), err)
	}
	return file, err
}

// fetch returns the bytes of a sitemap. It reads at most a little more than the limit.
func (s *sitemapCheck) fetch(name string) ([]byte, error) {
	in, err := cli.OpenGuarded(s.command.cmd, name, reply.GuardFor(s.command.named...), reply.Limit)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, sitemap.MaxBytes+1))
}

// readIndex checks the sitemaps that an index names.
func (s *sitemapCheck) readIndex(name string, sitemaps []sitemap.URL) {
	for _, inner := range sitemaps {
		if cli.IsURL(inner.Text) {
			s.read(inner.Text, true)
		} else {
			s.failAt(name, inner)
		}
	}
}

// addAll counts the URLs of a sitemap. It reports the first entries that are not URLs, and then only their
// number.
func (s *sitemapCheck) addAll(name string, urls []sitemap.URL) {
	invalid := 0
	for _, u := range urls {
		location, err := robotstxt.Location(u.Text)
		if cli.IsURL(u.Text) && err == nil {
			s.add(u.Text, location)
			continue
		}
		if invalid++; invalid <= maxExamples {
			s.failAt(name, u)
		}
	}
	if invalid > maxExamples {
		s.fail(fmt.Errorf("%s: %d entries are not URLs", cli.DisplayName(name), invalid))
	}
}

// failAt reports an entry of a sitemap that is not a URL.
func (s *sitemapCheck) failAt(name string, entry sitemap.URL) {
	if cli.IsURL(name) { // perhaps it is no sitemap, but a secret
		s.fail(fmt.Errorf("%s:%d: the entry is not a URL", cli.DisplayName(name), entry.Line))
		return
	}
	s.fail(fmt.Errorf("%s:%d: %q is not a URL", cli.DisplayName(name), entry.Line, entry.Text))
}

// add counts a URL for each agent. The parameter location is the URL of the site's robots.txt.
func (s *sitemapCheck) add(url, location string) {
	url = reply.Redacted(url)
	if s.site == "" {
		s.site = location
	}
	s.report.URLs++
	if location != s.site {
		if s.report.Others++; s.report.Others == 1 {
			s.report.Example = url
		}
		return
	}
	for i := range s.report.Agents {
		a := &s.report.Agents[i]
		if v := a.group.Decide(url); !v.Allowed {
			a.Disallowed++
			a.addRule(v, url)
			s.status = max(s.status, cli.ExitNo)
		} else if form := v.Note(verdict.OtherForm); form != "" {
			a.OtherForms++
			a.FormsNote = cmp.Or(a.FormsNote, url+": "+form)
		}
	}
}

// addRule counts a URL that a rule disallows. If there was no robots.txt to read, the reason stands
// for the rule.
func (a *sitemapAgent) addRule(v verdict.Verdict, url string) {
	i := slices.IndexFunc(a.Rules, func(r sitemapRule) bool { return r.Line == v.Rule.Line })
	if i < 0 {
		i = len(a.Rules)
		a.Rules = append(a.Rules, sitemapRule{Line: v.Rule.Line, Rule: cmp.Or(answers.NewVerdict(v).Rule, string(v.Reason)), Notes: v.Notes})
	}
	r := &a.Rules[i]
	if r.URLs++; len(r.Examples) < maxExamples {
		r.Examples = append(r.Examples, url)
	}
}

// print prints what was counted. Agents with the same verdicts are listed together.
func (s *sitemapCheck) print(w io.Writer) {
	v := s.report
	about := ""
	if v.Reply != nil {
		about = v.Reply.URL + ": "
	}
	fmt.Fprintf(w, "%s%s in %s\n", about, cli.Plural(v.URLs, "URL"), cli.Plural(v.Sitemaps, "sitemap"))
	if v.Others > 0 {
		of := "of another site is not checked"
		if v.Others > 1 {
			of = "of other sites are not checked"
		}
		cli.PrintLines(w, fmt.Sprintf("%s %s, such as %s: this robots.txt does not apply there\n", cli.Plural(v.Others, "URL"), of, cli.Printable(v.Example)))
	}
	for len(v.Agents) > 0 {
		first := v.Agents[0]
		var names []string
		v.Agents = slices.DeleteFunc(slices.Clone(v.Agents), func(a sitemapAgent) bool {
			isSame := reflect.DeepEqual(a.Rules, first.Rules) && a.FormsNote == first.FormsNote
			if isSame {
				names = append(names, cli.Printable(a.Agent))
			}
			return isSame
		})
		first.print(w, names, v.URLs-v.Others)
	}
}

// print prints the verdicts that the named agents share, about a number of URLs.
func (v sitemapAgent) print(w io.Writer, names []string, urls int) {
	text := fmt.Sprintf("%s: %d of %s disallowed", strings.Join(names, ", "), v.Disallowed, cli.Plural(urls, "URL"))
	cli.PrintLines(w, "\n"+text+"\n")
	rules, more := cli.Shorten(v.Rules, maxRules)
	for _, r := range rules {
		where := ""
		if r.Line > 0 {
			where = fmt.Sprintf("line %d: ", r.Line)
		}
		cli.PrintLines(w, fmt.Sprintf("    %s%s  %s, such as %s\n", where, cli.Printable(r.Rule), cli.Plural(r.URLs, "URL"), cli.Printable(strings.Join(r.Examples, " "))))
		for _, note := range r.Notes {
			cli.PrintLines(w, "        ("+cli.Printable(note.Text)+")\n")
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "    and %d more rules (see --json)\n", more)
	}
	if v.OtherForms > 0 {
		cli.PrintLines(w, fmt.Sprintf("    %s may get a disallowed page, such as %s\n", cli.Plural(v.OtherForms, "allowed URL"), cli.Printable(v.FormsNote)))
	}
}
