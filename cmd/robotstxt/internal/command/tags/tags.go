// Package tags is the command "robotstxt tags".
package tags

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/page"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var c tagsCommand
	cmd := &cobra.Command{
		Use:   "tags [flags] URL|FILE|-",
		Short: "Say whether a page may be fetched, indexed and used for training",
		Long: `The tags command says what may be done with a page: whether crawlers may fetch
it, whether search results may show it, and whether AI models may be trained
with it. It names the line of the robots.txt file, the header or the meta tag
that says so: the headers X-Robots-Tag, Robots-Tag, Content-Usage and
Content-Signal, and robots meta tags.

Crawlers that are told the same are one group. Without --agent, the answers are
for the crawlers of search engines, AI crawlers, the crawlers that the page or
the robots.txt file names, and all others. The answer about indexing is for
crawlers that are for search, and the answer about training for crawlers that
collect pages for it; crawlers whose purpose is not known count in both.

A crawler sees the headers and tags of a page only if it fetches the page. So
"noindex" on a page that it may not fetch is a conflict: the crawler never sees
the noindex, and a search engine may still show the address of the page if other
pages link to it.

A URL is fetched once, even if the robots.txt file disallows it. Redirects are
followed.

If the page is a file, or "-" for standard input, which another program writes,
give the headers that the server sends with it with --response-header, and its
address with --url. Without --url, no robots.txt file is used for such a page.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "no conflict was found",
			cli.ExitNo:    "a crawler cannot see the noindex or unavailable_after of the page",
			cli.ExitError: "the page or the robots.txt file could not be read",
		}),
		Example: `  robotstxt tags https://www.example.com/page
  robotstxt tags --response-header "X-Robots-Tag: noindex" page.html
  robotstxt tags --url /page --robots robots.txt --agent Googlebot page.html`,
		Args: cli.WantsRobotsFlag(cli.Operands("page", 1)),
		RunE: cli.WithStatus(func(cmd *cobra.Command, args []string) (int, error) { return c.run(cmd, args[0]) }),
	}
	cli.AddAgentFlag(cmd, &c.agents, nil)
	cli.AddHeaderFlag(cmd, &c.loader.Header)
	cmd.Flags().Var(&c.headers, "response-header", "`header` that the server sends with the page, such as \"X-Robots-Tag: noindex\"; may be repeated")
	cmd.Flags().StringVar(&c.url, "url", "", "`URL` of the page; with --robots, a path is enough")
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to use: a `file` or a URL (default: the robots.txt of the page's site)")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object")
	return cmd
}

// A tagsCommand holds the flags of the tags command.
type tagsCommand struct {
	agents      []string
	headers     cli.Header
	url, robots string
	json        bool
	loader      cli.Loader
}

func (c *tagsCommand) run(cmd *cobra.Command, operand string) (status int, err error) {
	if err := c.validate(cmd, operand); err != nil {
		return 0, err
	}
	agents, err := cli.AgentNames(cmd, c.agents)
	if err != nil {
		return 0, err
	}
	r := report{isAll: len(agents) == 0}
	if r.page, err = c.loadPage(cmd, operand); err != nil {
		return 0, err
	}
	if r.rules, err = c.loadRules(cmd, operand, r.page.URL); err != nil {
		return 0, err
	}
	if r.isAll {
		agents = r.defaultAgents()
		if len(agents) > maxDefault {
			cli.Complain(cmd, fmt.Errorf("the page and the robots.txt name more than %d crawlers; the answers are not for the last of them", maxDefault))
			agents = append(agents[:maxDefault], "*")
		}
	}
	for _, agent := range agents {
		r.crawlers = append(r.crawlers, r.about(agent))
	}
	if r.hasConflict() {
		status = cli.ExitNo
	}
	if r.rules != nil && r.rules.IsUnknown() {
		status = cli.ExitError
	}
	if c.json {
		return status, r.printJSON(cmd.OutOrStdout())
	}
	r.print(cmd.OutOrStdout())
	return status, nil
}

func (c *tagsCommand) validate(cmd *cobra.Command, operand string) error {
	for name := range c.headers {
		if !slices.Contains(page.HeaderNames, name) {
			return cli.UsageError(cmd, fmt.Errorf("--response-header %q: want one of %s", name, strings.Join(page.HeaderNames, ", ")))
		}
	}
	switch {
	case operand == "-" && c.robots == "-":
		return errors.New("the page and the robots.txt cannot both come from standard input")
	case cli.IsURL(operand) && (len(c.headers) > 0 || c.url != ""):
		return cli.UsageError(cmd, errors.New("--response-header and --url are for files, not for URLs"))
	}
	return nil
}

func (c *tagsCommand) loadPage(cmd *cobra.Command, operand string) (p page.Page, err error) {
	if !cli.IsURL(operand) {
		body, err := cli.ReadInput(cmd, operand)
		return page.Read(c.url, http.Header(c.headers), body), err
	}
	if _, err := cli.SiteOf(operand); err != nil {
		return p, err
	}
	p = page.Fetch(cmd.Context(), c.loader.Guard(operand).Client(reply.Limit), operand)
	if p.Why != "" {
		return p, fmt.Errorf("%s: %s", reply.Redacted(operand), p.Why)
	}
	return p, nil
}

// loadRules returns the robots.txt that governs a page, or nil if the page has no address.
func (c *tagsCommand) loadRules(cmd *cobra.Command, operand, url string) (*reply.Reply, error) {
	var r reply.Reply
	var err error
	switch {
	case url == "" && c.robots == "":
		return nil, nil
	case url == "":
		return nil, cli.UsageError(cmd, errors.New("--robots also needs --url, the address of the page"))
	case c.robots == "" && !cli.IsURL(url):
		return nil, cli.UsageError(cmd, fmt.Errorf("--url %s: give a complete URL, or add --robots", url))
	case c.robots != "":
		if err := cli.ValidatePage(url); err != nil {
			return nil, err
		}
		r, err = c.loader.Load(cmd, c.robots)
	default:
		if cli.IsURL(operand) { // redirects can have led to another site
			c.loader.Named = []string{operand}
		}
		r, err = c.loader.FetchSite(url)
	}
	return &r, err
}

// A report says what crawlers may do with a page.
type report struct {
	page     page.Page
	rules    *reply.Reply // nil if no robots.txt is used
	isAll    bool         // the user named no crawlers, so the last of the agents, "*", stands for all others
	crawlers []crawler
}

func (r *report) hasConflict() bool {
	return slices.ContainsFunc(r.crawlers, func(c crawler) bool { return c.Conflict })
}

// A crawler says what a crawler may do with the page.
type crawler struct {
	Agent string `json:"agent"`
	*answers.Verdict
	Fetch      *page.Use `json:"fetch"`
	Index      *page.Use `json:"index,omitempty"`
	Train      *page.Use `json:"train,omitempty"`
	Directives []string  `json:"directives"`
	Conflict   bool      `json:"conflict"`
}

func (r *report) about(agent string) crawler {
	var file *verdict.File
	if r.rules != nil {
		file = &r.rules.File
	}
	u := r.page.Uses(agent, file, time.Now())
	c := crawler{agent, nil, u.Fetch, u.Index, u.Train, []string{}, u.IsHidden}
	if file != nil {
		c.Verdict = new(answers.NewVerdict(u.Verdict))
	}
	if text := u.Directives.String(); text != "" {
		c.Directives = strings.Split(text, ", ")
	}
	return c
}

// defaultAgents returns the crawlers of search engines, the AI crawlers, those that the page or the robots.txt names,
// and "*" for all others.
func (r *report) defaultAgents() []string {
	names := []string{"@search", "@ai"}
	for d := range r.page.Tags.All() {
		if d.Token != "" {
			names = append(names, d.Token)
		}
	}
	if r.rules != nil {
		for _, g := range r.rules.File.Groups() {
			names = append(names, g.Tokens()...)
		}
	}
	isSetName := func(name string) bool { return name[0] == '@' || name == "*" }
	agents, _ := answers.Agents(append(names[:2:2], slices.DeleteFunc(names[2:], isSetName)...))
	return append(agents, "*")
}

// questions are the lines with which the output begins.
var questions = []struct {
	name, crawlers string
	of             func(crawler) *page.Use
}{
	{"fetch", "crawlers", func(c crawler) *page.Use { return c.Fetch }},
	{"index", "search engines", func(c crawler) *page.Use { return c.Index }},
	{"train", "crawlers that train AI models", func(c crawler) *page.Use { return c.Train }},
}

// Limits of the text output.
const (
	maxGroups = 20 // of crawlers, for a question
	maxAgents = 10 // in a group
)

// maxDefault limits the crawlers without --agent, because only a hostile page names more, and each costs time.
const maxDefault = 500

func (r *report) print(w io.Writer) {
	if r.page.IsMoved {
		printRow(w, "page", "redirected to "+cli.Printable(reply.Redacted(r.page.URL)))
	}
	for _, q := range questions {
		groups := groupsOf(r.crawlers, q.of)
		shown, more := cli.Shorten(groups, maxGroups)
		title := q.name
		for _, g := range shown {
			printRow(w, title, string(g.Answer)+" for "+g.name(r.isAll, len(groups) == 1, q.crawlers)+": "+g.text())
			title = ""
		}
		if more > 0 {
			printRow(w, "", fmt.Sprintf("and %d more groups of crawlers (see --json)", more))
		}
	}
	fmt.Fprintln(w)
	r.printSources(w)
}

// printRow prints a row with a title, and breaks it between words.
func printRow(w io.Writer, title, text string) {
	const indent = "         "
	fmt.Fprintf(w, "%-*s%s", len(indent), title, cli.Wrap(cli.ColumnsOf(w), strings.Fields(text), " ", indent)[len(indent):])
}

// A group has crawlers that are told the same.
type group struct {
	*page.Use
	agents []string
}

// groupsOf groups agents by the answer to a question. Agents that it does not concern are left out. The group of
// "*" is the last one.
func groupsOf(list []crawler, of func(crawler) *page.Use) (groups []*group) {
	for _, c := range list {
		use := of(c)
		if use == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.Answer == use.Answer && g.Shared == use.Shared })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{Use: use})
		}
		groups[i].agents = append(groups[i].agents, c.Agent)
	}
	i := slices.IndexFunc(groups, (*group).hasStar)
	if i < 0 {
		return groups
	}
	last := groups[i]
	return append(slices.Delete(groups, i, i+1), last)
}

func (g *group) hasStar() bool { return slices.Contains(g.agents, "*") }

// text returns the reason.
func (g *group) text() string {
	if len(g.agents) == 1 {
		return g.Why
	}
	return g.Shared
}

// name returns a name for the group, if it is one of all crawlers of a kind.
func (g *group) name(isAll, isOnly bool, kind string) string {
	switch {
	case !isAll || !g.hasStar():
		return cli.GroupName(g.agents, maxAgents)
	case isOnly:
		return "all " + kind
	}
	return "all other " + kind
}

// printSources prints what headers and meta tags say, and what to do about a conflict.
func (r *report) printSources(w io.Writer) {
	var header, meta []string
	for d := range r.page.Tags.All() {
		text := r.page.Where(d)
		if d.Token != "" {
			text = cli.Printable(d.Token) + ": " + text
		}
		if r.page.Line(d) > 0 {
			meta = append(meta, text)
		} else {
			header = append(header, text)
		}
	}
	for _, h := range r.page.Headers {
		header = append(header, fmt.Sprintf("%s (%s %d)", cli.Printable(h.Text), h.Name, h.Number))
	}
	printRow(w, "header", cmp.Or(strings.Join(header, ", "), "-"))
	printRow(w, "meta", cmp.Or(strings.Join(meta, ", "), "-"))
	for _, text := range r.page.Unknown() {
		printRow(w, "unknown", text)
	}
	if r.hasConflict() {
		printRow(w, "conflict", "Crawlers that do not fetch the page do not see what it says about search results. "+
			"Search engines may still show its address. To keep the page out of their results, let them fetch it.")
	}
}

// The JSON output of the tags command.
type (
	tagsJSON struct {
		URL        string              `json:"url"`
		Reply      *reply.View         `json:"reply,omitempty"`
		Crawlers   []crawler           `json:"crawlers"`
		Directives []tagsDirectiveJSON `json:"directives"`
		Headers    []page.Header       `json:"headers"`
		Unknown    []string            `json:"unknown"`
	}
	tagsDirectiveJSON struct {
		Source string `json:"source"`
		Number int    `json:"number"`
		Line   int    `json:"line"`
		Offset int    `json:"offset"`
		Token  string `json:"token"`
		Name   string `json:"name"`
		Value  string `json:"value"`
		Text   string `json:"text"`
	}
)

func (r *report) printJSON(w io.Writer) error {
	out := tagsJSON{URL: reply.Redacted(r.page.URL), Crawlers: r.crawlers, Directives: []tagsDirectiveJSON{}, Headers: append([]page.Header{}, r.page.Headers...), Unknown: r.page.Unknown()}
	if r.rules != nil {
		out.Reply = r.rules.View
	}
	for d := range r.page.Tags.All() {
		out.Directives = append(out.Directives, tagsDirectiveJSON{string(d.Source), d.Number, r.page.Line(d), d.Offset, d.Token, d.Name, d.Value, d.Text})
	}
	return cli.PrintLongJSON(w, out)
}
