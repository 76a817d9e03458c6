// Package test is the command "robotstxt test".
package test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/page"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/witness"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var c testCommand
	cmd := &cobra.Command{
		Use:   "test [flags] FILE|URL|-",
		Short: "Test a robots.txt file against what you expect of it",
		Long: `The test command checks a robots.txt file against a file of expectations, one
per line:

  # verdict  crawler    URL or path  deciding line, if it matters
  allow      Googlebot  /
  disallow   @ai        /archive/
  allow      *          /archive/press/x  12
  sitemap    https://www.example.com/sitemap.xml
  delay      bingbot    10
  index      Googlebot  /tea
  noindex    @search    https://staging.example.com/

The robots.txt is the one of --robots. Without it, each URL is tested with the
robots.txt of its own site, and --site says to which site paths, delays and
sitemaps belong. For "index" and "noindex", the page is fetched, once: "index"
means that search results may show it, and "noindex" that a header or a meta tag
forbids this, even if crawlers never see that because the page is disallowed.

In place of a name, @ai means all AI crawlers that this tool knows, @search
means all crawlers of search engines that it knows, and @all means all crawlers
that it knows. "*" means the crawlers that the robots.txt file does not name. In
place of a line number, "-" means that no rule decides. In place of a delay, "-"
means that the file sets no delay. A "#" at the start of a line or after a blank
starts a comment. Put text that contains blanks in quotation marks, like a
string in Go.

The command prints each expectation that fails, with the line of the robots.txt
file that decides. With --write, it creates a file of expectations that hold
now: the sitemaps, the delays and, for most rules, a URL that the rule decides.
Rules without an effect are left out. "-" is standard input, which another
program writes.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "all expectations hold",
			cli.ExitNo:    "an expectation fails",
			cli.ExitError: "a file or page could not be read, or a file is not what it should be",
		}),
		Example: `  robotstxt test --robots robots.txt --write robots.test
  robotstxt test --robots robots.txt robots.test
  robotstxt test --robots https://www.example.com/ robots.test
  robotstxt test --site https://www.example.com/ robots.test`,
		Args: cli.WantsRobotsFlag(cli.Operands("file of expectations", 1)),
		RunE: cli.WithStatus(c.run),
	}
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to test: a `file`, a URL, or - for standard input")
	cmd.Flags().StringVar(&c.site, "site", "", "`URL` of the site to which paths belong")
	cli.AddHeaderFlag(cmd, &c.loader.Header)
	cmd.Flags().BoolVar(&c.write, "write", false, "create a file of expectations that the robots.txt meets now")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object")
	cli.Exclusive(cmd, "write", "json")
	return cmd
}

// A testCommand holds the flags of the test command, and what it has fetched.
type testCommand struct {
	robots, site string
	write, json  bool
	loader       cli.Loader

	files map[string]reply.Reply // by what Load was called with
	pages map[string]*page.Page  // by URL
}

func (c *testCommand) run(cmd *cobra.Command, names []string) (status int, err error) {
	c.files, c.pages = map[string]reply.Reply{}, map[string]*page.Page{}
	switch {
	case c.robots == "-" && names[0] == "-" && !c.write:
		return 0, errors.New("the robots.txt and the expectations cannot both come from standard input")
	case c.write && c.robots == "" && c.site == "":
		return 0, cli.UsageError(cmd, errors.New("--write needs --robots or --site"))
	}
	if c.site != "" {
		if _, err := cli.SiteOf(c.site); err != nil {
			return 0, err
		}
	}
	if c.robots != "" || c.write {
		robots, err := c.robotsFor(cmd, "")
		if err != nil {
			return 0, err
		}
		if c.write {
			return cli.ExitOK, writeExpectations(cmd.OutOrStdout(), names[0], robots)
		}
	}
	data, err := cli.ReadInput(cmd, names[0])
	if err != nil {
		return 0, err
	}
	expectations, err := c.parseExpectations(cli.DisplayName(names[0]), string(data))
	if err != nil {
		return 0, err
	}
	noteMisspelled(cmd, cli.DisplayName(names[0]), expectations)
	view := testView{File: cli.DisplayName(names[0]), Expectations: len(expectations), Failures: []failureView{}, Notes: []noteView{}}
	for _, e := range expectations {
		robots, err := c.robotsFor(cmd, e.url())
		if err != nil {
			return 0, err
		}
		if e.isOfPage() {
			c.fetch(cmd, e.value)
		}
		view.check(e, robots, c.pages[e.value])
	}
	if c.json {
		err = cli.PrintJSON(cmd.OutOrStdout(), view)
	} else {
		view.print(cmd.OutOrStdout())
	}
	for _, p := range c.pages {
		if p.IsUnknown() {
			return cli.ExitError, err
		}
	}
	if len(view.Failures) > 0 {
		status = cli.ExitNo
	}
	return status, err
}

// robotsFor returns the robots.txt of --robots or, without it, of the site of a URL or of --site if the URL is empty.
func (c *testCommand) robotsFor(cmd *cobra.Command, address string) (r reply.Reply, err error) {
	name := c.robots
	if name == "" {
		name = siteOf(cmp.Or(address, c.site)) + "/"
	}
	r, ok := c.files[name]
	if !ok {
		r, err = c.loader.LoadFile(cmd, name, reply.NoFile)
		c.files[name] = r
	}
	return r, err
}

// siteOf returns a URL without its path, but with the user name and the password.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	site := url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host}
	return site.String()
}

// fetch fetches a page, unless it has been fetched. It follows no redirects: what the target says is not about the URL.
func (c *testCommand) fetch(cmd *cobra.Command, address string) {
	if c.pages[address] == nil {
		client := page.WithoutRedirects(c.loader.Guard(address).Client(reply.Limit))
		c.pages[address] = new(page.Fetch(cmd.Context(), client, address))
	}
}

// An expectation is one line of a file of expectations.
type expectation struct {
	line   int
	text   string
	kind   string   // one of the keys of forms
	agents []string // empty for a sitemap
	value  string   // the URL, or the delay in seconds
	rule   int      // the line number of the rule that should decide, 0 for no rule, or anyLine
}

// isOfPage reports whether the expectation is about what a page says.
func (e *expectation) isOfPage() bool { return e.kind == "index" || e.kind == "noindex" }

// url returns the URL that the expectation is about, or "" if it is about the file or a path.
func (e *expectation) url() string {
	if e.kind == "sitemap" || e.kind == "delay" || !cli.IsURL(e.value) {
		return ""
	}
	return e.value
}

// anyLine means that an expectation does not say which line decides.
const anyLine = -1

// parseExpectations reads a file of expectations. An error starts with the name of the file
// and the number of the line.
func (c *testCommand) parseExpectations(name, text string) (list []expectation, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields, err := splitFields(strings.TrimPrefix(line, "\ufeff"))
		if err == nil && len(fields) > 0 {
			e := expectation{line: number, text: reply.Redacted(strings.Join(fields, " "))}
			if err = e.parse(fields); err == nil {
				err = c.locate(&e)
			}
			list = append(list, e)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", cli.Printable(name), number, err)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the file contains no expectations (to create a file of expectations, use --write)", cli.Printable(name))
	}
	return list, nil
}

// locate makes a URL of a path, if the site is known. It returns an error if nobody knows which robots.txt or page
// the expectation is about.
func (c *testCommand) locate(e *expectation) error {
	if e.kind != "sitemap" && strings.HasPrefix(e.value, "/") && c.site != "" {
		e.value = siteOf(c.site) + e.value
	}
	if e.isOfPage() {
		if e.url() == "" {
			return fmt.Errorf("%q is no complete URL; to say of which site it is a page, add --site", e.value)
		}
		_, err := cli.SiteOf(e.value)
		return err
	}
	if c.robots+c.site+e.url() == "" {
		return errors.New("there is no robots.txt to test; add --robots or --site")
	}
	return nil
}

// noteMisspelled prints a note about each name in the expectations that misspells the name of a well-known
// crawler.
func noteMisspelled(cmd *cobra.Command, name string, expectations []expectation) {
	noted := map[string]bool{}
	for _, e := range expectations {
		for _, agent := range e.agents {
			if n := verdict.Misspelling(known.Token(agent)); n.Text != "" && !noted[agent] {
				cli.Complain(cmd, fmt.Errorf("%s:%d: %s", cli.Printable(name), e.line, n.Text))
			}
			noted[agent] = true
		}
	}
}

// splitFields splits a line into fields at blanks, and drops the comment. A field in quotation
// marks may contain blanks, and is returned without the quotation marks.
func splitFields(line string) (fields []string, err error) {
	for {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			return fields, nil
		case line[0] == '"':
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, errors.New("a quotation mark is missing, or a backslash is wrong")
			}
			field, _ := strconv.Unquote(quoted)
			fields, line = append(fields, field), line[len(quoted):]
		default:
			end := strings.IndexAny(line+" ", " \t\r\v\f")
			fields, line = append(fields, line[:end]), line[end:]
		}
	}
}

// forms maps the kinds of expectations to their syntax.
var forms = map[string]string{
	"allow":    "allow CRAWLER URL [LINE]",
	"disallow": "disallow CRAWLER URL [LINE]",
	"sitemap":  "sitemap URL",
	"delay":    "delay CRAWLER SECONDS",
	"index":    "index CRAWLER URL",
	"noindex":  "noindex CRAWLER URL",
}

// parse sets the kind, agents, value and rule of an expectation from the fields of its line.
func (e *expectation) parse(fields []string) error {
	e.kind, e.rule = fields[0], anyLine
	form, ok := forms[e.kind]
	if !ok {
		return fmt.Errorf("want allow, disallow, sitemap, delay, index or noindex, not %q", e.kind)
	}
	most := len(strings.Fields(form))
	if len(fields) > most || len(fields) < most-strings.Count(form, "[") {
		return fmt.Errorf("%q is not of the form %s", e.text, form)
	}
	if e.kind == "sitemap" {
		e.value = fields[1]
		return nil
	}
	e.value = fields[2]
	if set, ok := crawlers.Set(fields[1]); ok {
		for _, c := range set {
			e.agents = append(e.agents, c.Token)
		}
	} else if e.agents = []string{known.Agent(fields[1])}; fields[1] != "*" && robotstxt.ProductToken(fields[1]) == "" {
		return fmt.Errorf("%q does not name a crawler", fields[1])
	}
	switch {
	case e.kind == "delay":
		if _, err := strconv.ParseFloat(e.value, 64); err != nil && e.value != "-" {
			return fmt.Errorf("%q is not a number of seconds", e.value)
		}
		return nil
	case len(fields) == 3: // no line
	case fields[3] == "-":
		e.rule = 0
	default:
		n, err := strconv.ParseUint(fields[3], 10, 31)
		if e.rule = int(n); err != nil || n == 0 {
			return fmt.Errorf("%q is not a line number", fields[3])
		}
	}
	return cli.ValidatePage(e.value)
}

// check adds a failure for each crawler that does not get the expected answer, and notes about the others. If an
// expected sitemap is missing, or a page cannot be read, it adds one failure without a crawler. The page is nil if the
// expectation is about none.
func (v *testView) check(e expectation, robots reply.Reply, p *page.Page) {
	got := ""
	switch {
	case e.kind == "sitemap" && !slices.Contains(robots.File.Sitemaps(), e.value):
		got = "the file does not list this sitemap"
	case e.isOfPage() && p.Why != "":
		got = p.Why
	case e.isOfPage() && p.Target != "":
		got = "it redirects to " + cli.Printable(reply.Redacted(p.Target))
	}
	if got != "" {
		v.Failures = append(v.Failures, failureView{Line: e.line, Expectation: e.text, Got: got})
		return
	}
	noted := map[reading.Note]bool{} // a set of crawlers counts once
	for _, agent := range e.agents {
		f := failureView{Line: e.line, Expectation: e.text, Agent: agent}
		var notes []reading.Note
		switch e.kind {
		case "delay":
			f.Got = e.wrongDelay(robots.File.Group(agent))
		case "index", "noindex":
			f.Got, notes = e.wrongIndex(p.Uses(agent, &robots.File, time.Now()))
		default:
			d := robots.File.Group(agent).Explain(e.value)
			notes = d.Caveats()
			if d.Allowed != (e.kind == "allow") || e.rule != anyLine && e.rule != d.Rule.Line {
				f.Got, f.Verdict = d.Outcome()+", "+d.Why(), new(answers.NewVerdict(d))
			}
		}
		if f.Got != "" {
			v.Failures = append(v.Failures, f)
			continue
		}
		for _, note := range notes {
			if !noted[note] {
				noted[note] = true
				v.addNote(e, note)
			}
		}
	}
}

// wrongDelay returns the delay of a group, or "" if it is the expected one.
func (e *expectation) wrongDelay(g verdict.Group) string {
	delay, ok := g.CrawlDelay()
	want, err := strconv.ParseFloat(e.value, 64)
	switch {
	case ok == (err == nil) && (!ok || delay.Seconds() == want):
		return ""
	case !ok:
		return "no delay"
	}
	return fmt.Sprintf("delay %g", delay.Seconds())
}

// hiddenNoIndex is the code of the note that crawlers never see an expected noindex. Its text is that of the answer.
const hiddenNoIndex = "hidden-noindex"

// wrongIndex says whether search results may show a page, or returns "" and perhaps a note if this is expected.
func (e *expectation) wrongIndex(u page.Uses) (got string, notes []reading.Note) {
	switch {
	case u.Index == nil && len(e.agents) > 1: // a set
		return "", nil
	case u.Index == nil:
		return "the crawler is not for search", nil
	case e.kind == "noindex" && !u.MayIndex(time.Now()):
		if u.IsHidden {
			notes = []reading.Note{{Code: hiddenNoIndex, Text: u.Index.Why}}
		}
		return "", notes
	case e.kind == "index" && u.Index.Answer == page.Yes:
		return "", nil
	case e.kind == "noindex" && u.UnavailableAfter.IsZero(): // whether the page may be fetched does not matter
		return "nothing says noindex", nil
	}
	return string(u.Index.Answer) + ": " + u.Index.Why, nil
}

// The JSON output of the test command.
type (
	testView struct {
		File         string        `json:"file"`
		Expectations int           `json:"expectations"`
		Failures     []failureView `json:"failures"`
		Notes        []noteView    `json:"notes"`
	}
	// A noteView is a note about expectations that hold. The line is the number of the first of them.
	noteView struct {
		Line         int          `json:"line"`
		Expectation  string       `json:"expectation"`
		Expectations int          `json:"expectations"`
		Note         reading.Note `json:"note"`
	}
	failureView struct {
		Line        int              `json:"line"`
		Expectation string           `json:"expectation"`
		Agent       string           `json:"agent"`
		Got         string           `json:"got"`
		Verdict     *answers.Verdict `json:"verdict,omitempty"`
	}
)

// addNote adds what must be said about an expectation that holds: that other crawlers read the lines that decide
// differently, or that a noindex is hidden.
func (v *testView) addNote(e expectation, note reading.Note) {
	i := slices.IndexFunc(v.Notes, func(n noteView) bool { return n.Note == note })
	if i < 0 {
		i = len(v.Notes)
		v.Notes = append(v.Notes, noteView{Line: e.line, Expectation: e.text, Note: note})
	}
	v.Notes[i].Expectations++
}

// maxAgents is the number of crawlers that the text output lists for a failure.
const maxAgents = 10

// print prints a line for each expectation that fails, or several lines if crawlers get
// different outcomes. Then it prints notes, how many expectations there are, and how many failed.
func (v testView) print(w io.Writer) {
	failed := 0
	for i := 0; i < len(v.Failures); {
		f := v.Failures[i]
		if i == 0 || f.Line != v.Failures[i-1].Line {
			failed++
		}
		var agents []string
		for ; i < len(v.Failures) && v.Failures[i].Line == f.Line && v.Failures[i].Got == f.Got; i++ {
			agents = append(agents, v.Failures[i].Agent)
		}
		got := f.Got
		if len(agents) > 1 {
			got = "for " + cli.GroupName(agents, maxAgents) + ": " + got
		}
		cli.PrintLines(w, fmt.Sprintf("%s:%d: %s: %s\n", cli.Printable(v.File), f.Line, cli.Printable(f.Expectation), got))
	}
	for _, n := range v.Notes {
		text := fmt.Sprintf("%s:%d: %s: holds, but %s", cli.Printable(v.File), n.Line, cli.Printable(n.Expectation), cli.Printable(n.Note.Text))
		if n.Expectations > 1 {
			text += fmt.Sprintf(" (%s)", cli.Plural(n.Expectations, "expectation"))
		}
		cli.PrintLines(w, text+"\n")
	}
	if failed > 0 {
		fmt.Fprintf(w, "FAIL  %d of %s\n", failed, cli.Plural(v.Expectations, "expectation"))
	} else {
		fmt.Fprintf(w, "ok  %s\n", cli.Plural(v.Expectations, "expectation"))
	}
}

// writeExpectations creates a file of expectations that hold, or prints them if name is
// "-".
func writeExpectations(w io.Writer, name string, robots reply.Reply) (err error) {
	if name != "-" {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s already exists, and --write does not overwrite files; choose another name", cli.DisplayName(name))
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	tabs := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tabs, "# What robots.txt should say. Check it with: robotstxt test --robots robots.txt FILE")
	for _, w := range witness.Find(robots.File.File) {
		v := robots.File.Decide(w.Agent, w.Path)
		fmt.Fprintf(tabs, "%s\t%s\t%s\t# %s\n", strings.TrimSuffix(v.Outcome(), "ed"), quoted(w.Agent), quoted(w.Path), cli.Visible(v.Why()))
	}
	tabs.Flush()
	for _, g := range robots.File.Groups() {
		if delay, ok := g.CrawlDelay(); ok {
			for _, token := range g.Tokens() {
				fmt.Fprintf(tabs, "delay\t%s\t%g\n", quoted(token), delay.Seconds())
			}
		}
	}
	for _, s := range robots.File.Sitemaps() {
		fmt.Fprintf(tabs, "sitemap\t%s\n", quoted(s))
	}
	return tabs.Flush()
}

// quoted puts a field in quotation marks if splitFields would otherwise misread it.
func quoted(field string) string {
	if field == "" || strings.ContainsAny(field, " \t\n\r\v\f\"#") || cli.Printable(field) != field {
		return strconv.Quote(field)
	}
	return field
}
