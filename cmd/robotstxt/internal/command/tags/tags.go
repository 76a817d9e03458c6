// Package tags is the command "robotstxt tags".
package tags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/robotstag"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var c tagsCommand
	cmd := &cobra.Command{
		Use:   "tags [flags] URL|FILE|-",
		Short: "Show what robots.txt, headers and meta tags say about a page",
		Long: `The tags command shows what crawlers are told about a page: whether the
robots.txt file lets them fetch it, and what its X-Robots-Tag headers and robots
meta tags say. Crawlers that are told the same are listed together. Without
--agent, the command lists the crawlers of search engines, the crawlers that the
page names, and "any other".

If the page has Content-Usage or Content-Signal headers, the line "AI" says what
they mean: whether models may be trained with the page, whether search results
may show it, and whether it may be input for a model. Of the robots.txt file,
only a group for __usage_ai-training counts here: it is for all crawlers, and
provisional. The command ai shows what else the file says about this.

A crawler sees the headers and tags of a page only if it fetches the page. So
"noindex" on a page that it may not fetch is a conflict: the crawler never sees
the noindex, and a search engine may still show the address of the page if other
pages link to it. For crawlers that are not for search, such as those that
collect pages to train AI models, it is not a conflict.

A URL is fetched once, even if the robots.txt file disallows it. Redirects are
followed.

If the page is a file, or "-" for standard input, which another program writes,
give the headers of the page with --header and its address with --url. Without
--url, no robots.txt file is used for such a page.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "no conflict was found",
			cli.ExitNo:    "a crawler cannot see the noindex or unavailable_after of the page",
			cli.ExitError: "the page or the robots.txt file could not be read",
		}),
		Example: `  robotstxt tags https://www.example.com/page
  robotstxt tags --header "X-Robots-Tag: noindex" page.html
  robotstxt tags --url /page --robots robots.txt --agent Googlebot page.html`,
		Args: cli.WantsRobotsFlag(cli.Operands("page", 1)),
		RunE: cli.WithStatus(func(cmd *cobra.Command, args []string) (int, error) { return c.run(cmd, args[0]) }),
	}
	cli.AddAgentFlag(cmd, &c.agents, nil)
	cmd.Flags().StringArrayVar(&c.headers, "header", nil, "`header` that the server sends with the page, such as \"X-Robots-Tag: noindex\"; may be repeated")
	cmd.Flags().StringVar(&c.url, "url", "", "`URL` of the page; with --robots, a path is enough")
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to use: a `file` or a URL (default: the robots.txt of the page's site)")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object")
	return cmd
}

// A tagsCommand holds the flags of the tags command.
type tagsCommand struct {
	agents, headers []string
	url, robots     string
	json            bool
}

func (c *tagsCommand) run(cmd *cobra.Command, operand string) (status int, err error) {
	page, err := c.loadPage(cmd, operand)
	if err != nil {
		return 0, err
	}
	if page.rules, err = c.loadRules(cmd, operand, page.url); err != nil {
		return 0, err
	}
	if page.rules != nil {
		training := aipref.For(page.rules.File.File, []string{"*"}, page.url).Training
		if training.Mechanism == aipref.TrainingGroup { // the group for the policy token is for all crawlers
			page.ai.Preferences = page.ai.Combine(aipref.Preferences{Training: training})
		}
	}
	agents, err := cli.AgentNames(cmd, c.agents)
	if err != nil {
		return 0, err
	}
	if len(agents) == 0 {
		agents = page.defaultAgents()
	}
	if c.json {
		err = page.printJSON(cmd.OutOrStdout(), agents)
	} else {
		page.print(cmd.OutOrStdout(), agents)
	}
	return page.status(agents), err
}

// A taggedPage is a page with its directives and its robots.txt.
type taggedPage struct {
	url   string // empty if it is not known
	tags  robotstag.Tags
	lines map[int]int  // the line number of each meta element, by the offset of the element in the page
	rules *reply.Reply // nil if no robots.txt is used
	ai    aiHeaders
}

func (c *tagsCommand) loadPage(cmd *cobra.Command, operand string) (p taggedPage, err error) {
	var header http.Header
	var body []byte
	switch {
	case operand == "-" && c.robots == "-":
		return p, errors.New("the page and the robots.txt cannot both come from standard input")
	case cli.IsURL(operand) && (len(c.headers) > 0 || c.url != ""):
		return p, cli.UsageError(cmd, errors.New("--header and --url are for files, not for URLs"))
	case cli.IsURL(operand):
		p.url, header, body, err = fetchPage(cmd, operand)
	default:
		p.url = c.url
		if header, err = parseHeaders(c.headers); err != nil {
			return p, cli.UsageError(cmd, err)
		}
		body, err = cli.ReadInput(cmd, operand)
	}
	if err != nil {
		return p, err
	}
	p.ai = newAIHeaders(header)
	fromHTML, err := robotstag.FromHTML(bytes.NewReader(body))
	p.tags = robotstag.FromHeader(header).Join(fromHTML)
	p.lines = map[int]int{}
	line, start := 1, 0
	for d := range fromHTML.All() {
		line += bytes.Count(body[start:d.Offset], []byte{'\n'})
		start = d.Offset
		p.lines[start] = line
	}
	return p, err
}

// fetchPage fetches a page. The result finalURL is the page's URL after all redirects. The body is
// empty if the page is not HTML.
func fetchPage(cmd *cobra.Command, address string) (finalURL string, header http.Header, body []byte, err error) {
	if _, err := cli.SiteOf(address); err != nil {
		return "", nil, nil, err
	}
	resp, err := reply.GuardFor(address).Open(cmd.Context(), address, reply.Limit)
	if err != nil {
		return "", nil, nil, fmt.Errorf("%s: %w", reply.Redacted(address), err)
	}
	defer resp.Body.Close()
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "" || kind == "text/html" || kind == "application/xhtml+xml" {
		body, err = io.ReadAll(io.LimitReader(resp.Body, robotstag.MaxHTML))
	}
	return resp.Request.URL.String(), resp.Header, body, err
}

func parseHeaders(lines []string) (http.Header, error) {
	header := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name = http.CanonicalHeaderKey(strings.TrimSpace(name))
		if !ok || !slices.Contains([]string{string(robotstag.XRobotsTag), string(robotstag.RobotsTag), contentUsage, contentSignal}, name) {
			return nil, fmt.Errorf("--header %q: want a header such as \"X-Robots-Tag: noindex\", with one of the names X-Robots-Tag, Robots-Tag, Content-Usage and Content-Signal", line)
		}
		header.Add(name, strings.TrimSpace(value))
	}
	return header, nil
}

// loadRules returns the robots.txt that governs a page, or nil if the page has no
// address.
func (c *tagsCommand) loadRules(cmd *cobra.Command, operand, page string) (*reply.Reply, error) {
	var loader cli.Loader
	var r reply.Reply
	var err error
	switch {
	case page == "" && c.robots == "":
		return nil, nil
	case page == "":
		return nil, cli.UsageError(cmd, errors.New("--robots also needs --url, the address of the page"))
	case c.robots == "" && !cli.IsURL(page):
		return nil, cli.UsageError(cmd, fmt.Errorf("--url %s: give a complete URL, or add --robots", page))
	case c.robots != "":
		if err := cli.ValidatePage(page); err != nil {
			return nil, err
		}
		r, err = loader.Load(cmd, c.robots)
	default:
		location, err := cli.SiteOf(page)
		if err != nil {
			return nil, err
		}
		if cli.IsURL(operand) { // redirects can have led to another site
			loader.Guard = new(reply.GuardFor(operand))
		}
		if r, err = loader.Fetch(location); err != nil {
			return nil, err
		}
	}
	return &r, err
}

// defaultAgents returns the crawlers of search engines, the crawlers that the page names, and
// "*" for all others.
func (p *taggedPage) defaultAgents() (agents []string) {
	search, _ := crawlers.Set("@search")
	for _, c := range search {
		agents = append(agents, c.Token)
	}
	for d := range p.tags.All() {
		isToken := func(agent string) bool { return strings.EqualFold(agent, d.Token) }
		if d.Token != "" && d.Name != "" && !slices.ContainsFunc(agents, isToken) {
			agents = append(agents, d.Token)
		}
	}
	return append(agents, "*")
}

// A tagsAnswer is what robots.txt, headers and meta tags tell one crawler.
type tagsAnswer struct {
	verdict.Verdict
	robotstag.Directives
	conflict bool
}

func (p *taggedPage) answer(agent string) (a tagsAnswer) {
	a.Directives = p.tags.For(agent)
	if p.rules != nil {
		a.Verdict = p.rules.File.Group(agent).Explain(p.url)
		hidden := a.Has("noindex") || !a.UnavailableAfter.IsZero()
		a.conflict = a.Reason == robotstxt.RuleMatched && !a.Allowed && hidden && maySearch(agent)
	}
	return a
}

// maySearch reports whether an agent may fetch pages for a search engine. A crawler that collects pages to
// train models, for example, shows no address to anybody.
func maySearch(agent string) bool {
	c, _ := crawlers.Lookup(known.Token(agent))
	return len(c.Purposes) == 0 || slices.Contains(c.Purposes, crawlers.Search)
}

func (p *taggedPage) status(agents []string) (status int) {
	for _, agent := range agents {
		switch a := p.answer(agent); {
		case p.rules != nil && p.rules.IsUnknown():
			return cli.ExitError
		case a.conflict:
			status = cli.ExitNo
		}
	}
	return status
}

// print prints each answer once, below the crawlers that share it.
func (p *taggedPage) print(w io.Writer, agents []string) {
	var texts []string
	agentsOf := map[string][]string{}
	for _, agent := range agents {
		text := p.answerText(w, agent)
		if agentsOf[text] == nil {
			texts = append(texts, text)
		}
		if agent == "*" {
			agent = answers.AnyOther().Operator
		}
		agentsOf[text] = append(agentsOf[text], cli.Printable(agent))
	}
	for i, text := range texts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		io.WriteString(w, cli.Wrap(cli.ColumnsOf(w), agentsOf[text], ", ", "")+text)
	}
}

// answerText returns, as text, what robots.txt, headers and meta tags tell a crawler.
func (p *taggedPage) answerText(w io.Writer, agent string) string {
	a := p.answer(agent)
	access := "not checked (give --url)"
	if p.rules != nil {
		access = a.Outcome() + ", " + a.Why()
	}
	var header, meta []string
	for d := range p.tags.All() {
		switch text := cli.Printable(d.Text); {
		case !d.AppliesTo(agent):
		case d.Source == robotstag.Meta:
			meta = append(meta, fmt.Sprintf("%s (line %d)", text, p.lines[d.Offset]))
		default:
			header = append(header, fmt.Sprintf("%s (%s %d)", text, d.Source, d.Number))
		}
	}
	var b strings.Builder
	add := func(title string, parts ...string) {
		if len(parts) == 0 {
			parts = []string{"-"}
		}
		fmt.Fprintf(&b, "  %-10s  %s", title, cli.Wrap(cli.ColumnsOf(w), parts, ", ", strings.Repeat(" ", 14))[14:])
	}
	for _, h := range p.ai.headers {
		header = append(header, fmt.Sprintf("%s (%s %d)", cli.Printable(h.Text), h.Name, h.Number))
	}
	add("robots.txt", access)
	add("header", header...)
	add("meta", meta...)
	if uses := p.ai.uses(); len(p.ai.headers)+len(uses) > 0 {
		add("AI", uses...)
	}
	for _, text := range slices.Concat(a.Unknown, p.ai.unknown) {
		add("unknown", cli.Printable(text))
	}
	if a.conflict {
		b.WriteString("  conflict    Crawlers that do not fetch the page do not see its " + a.hidden() + ".\n" +
			"              Search engines may still show the address of the page. To keep\n" +
			"              the page out of their results, let them fetch the page.\n")
	}
	return b.String()
}

// hidden returns the name of the directive that crawlers do not see, because they do not fetch the
// page. The answer must have a conflict.
func (a tagsAnswer) hidden() string {
	if a.Has("noindex") {
		return "noindex"
	}
	return "unavailable_after"
}

// The JSON output of the tags command.
type (
	tagsJSON struct {
		URL        string              `json:"url"`
		Reply      *reply.View         `json:"reply,omitempty"`
		Directives []tagsDirectiveJSON `json:"directives"`
		Crawlers   []tagsCrawlerJSON   `json:"crawlers"`
		AI         aiHeadersJSON       `json:"ai"`
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
	tagsCrawlerJSON struct {
		Agent string `json:"agent"`
		*answers.Verdict
		Directives []string `json:"directives"`
		Unknown    []string `json:"unknown"`
		MayIndex   bool     `json:"may_index"`
		MayFollow  bool     `json:"may_follow"`
		Conflict   bool     `json:"conflict"`
	}
)

func (p *taggedPage) printJSON(w io.Writer, agents []string) error {
	out := tagsJSON{URL: reply.Redacted(p.url), Directives: []tagsDirectiveJSON{}, AI: p.ai.json()}
	if p.rules != nil {
		out.Reply = p.rules.View
	}
	for d := range p.tags.All() {
		row := tagsDirectiveJSON{Source: string(d.Source), Number: d.Number, Offset: d.Offset, Token: d.Token, Name: d.Name, Value: d.Value, Text: d.Text}
		if d.Source == robotstag.Meta {
			row.Line = p.lines[d.Offset]
		}
		out.Directives = append(out.Directives, row)
	}
	for _, agent := range agents {
		a := p.answer(agent)
		row := tagsCrawlerJSON{Agent: agent, Directives: []string{}, Unknown: append([]string{}, a.Unknown...),
			MayIndex: a.MayIndex(time.Now()), MayFollow: a.MayFollow(), Conflict: a.conflict}
		if p.rules != nil {
			row.Verdict = new(answers.NewVerdict(a.Verdict))
		}
		if text := a.Directives.String(); text != "" {
			row.Directives = strings.Split(text, ", ")
		}
		out.Crawlers = append(out.Crawlers, row)
	}
	return cli.PrintLongJSON(w, out)
}
