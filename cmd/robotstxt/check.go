package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/spf13/cobra"
)

func newCheckCommand() *cobra.Command {
	var c checker
	cmd := &cobra.Command{
		Use:   "check [flags] URL...",
		Short: "Say whether URLs may be fetched, and which line decides",
		Long: `The check command reports whether an agent may fetch URLs, and which line of the
robots.txt file decides.

By default, each URL is checked against the robots.txt of its site, which is
fetched once per site. URLs must be complete, such as https://host/path. With
--robots, only the path and query of a URL count, so you can write /private/x
for https://example.com/private/x.

"-" stands for the URLs on standard input, one per line. Each answer is printed
as soon as its URL is read. A line that is not a URL is reported, and the next
lines are still read.

When check fetches a robots.txt, the User-Agent header is the value of --agent,
or the name of this tool if there are several values or none. If the site has no
robots.txt, everything is allowed. If the server or the network fails,
everything is disallowed, and the answer says why.`,
		Example: `  robotstxt check --agent FooBot https://example.com/private/x
  robotstxt check --agent FooBot --robots robots.txt /private/x
  robotstxt check --robots https://staging.example.com/ /private/x
  robotstxt check --robots robots.txt - < urls.txt`,
		Args: wantsRobotsFlag(operands("URL", 0)),
		RunE: withStatus(func(cmd *cobra.Command, urls []string) (int, error) {
			c.cmd = cmd
			return c.run(urls)
		}),
	}
	addAgentFlag(cmd, &c.agents, []string{"*"})
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to use: a `file`, a URL, or - for standard input")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object for each URL and agent")
	return cmd
}

// A checker holds the flags of the check command.
type checker struct {
	agents   []string
	robots   string
	json     bool
	cmd      *cobra.Command
	rulesFor func(url string) (siteRules, error)
}

// siteRules is the robots.txt that governs a URL.
type siteRules struct {
	robotshttp.Result
	notRobots string // what the function notRobots returned for the body
}

func (c *checker) run(urls []string) (status int, err error) {
	if c.robots == "-" && slices.Contains(urls, "-") {
		return 0, errors.New("the robots.txt and the URLs cannot both come from standard input")
	}
	for _, url := range urls {
		if err := c.validate(url); url != "-" && err != nil {
			return 0, err
		}
	}
	if c.agents, err = agentNames(c.cmd, c.agents); err != nil {
		return 0, err
	}
	if err := c.findRules(); err != nil {
		return 0, err
	}
	return c.answerAll(urls)
}

// answerAll answers each URL; "-" stands for the URLs on standard input. It returns the
// highest exit status.
func (c *checker) answerAll(urls []string) (status int, err error) {
	for _, operand := range urls {
		list := io.Reader(strings.NewReader(operand))
		if operand == "-" {
			list = c.cmd.InOrStdin()
		}
		for url, err := range lines(list) {
			if err != nil {
				return 0, err
			}
			s, err := c.answer(url)
			if err != nil {
				return 0, err
			}
			status = max(status, s)
		}
	}
	return status, nil
}

// validate returns an error if url is not a complete http or https URL. With --robots, url may
// also be a path, or a URL with another scheme.
func (c *checker) validate(url string) error {
	if c.robots == "" {
		_, err := siteOf(url)
		if err != nil && !isHost(url) {
			err = fmt.Errorf("%w (without --robots, give a complete URL, such as https://www.example.com/page)", err)
		}
		return err
	}
	return validatePage(url)
}

// findRules sets c.rulesFor. With --robots, rulesFor returns the same robots.txt for every URL.
// Otherwise, it returns the robots.txt of the URL's site, and fetches it only once.
func (c *checker) findRules() error {
	cache := &robotshttp.Cache{UserAgent: userAgent}
	if len(c.agents) == 1 && robotstxt.ProductToken(c.agents[0]) != "" {
		cache.UserAgent = c.agents[0]
	}
	if c.robots != "" {
		r, err := loadRobots(c.cmd, c.robots, cache)
		named := siteRules{r, notRobots(r.Body)}
		c.rulesFor = func(string) (siteRules, error) { return named, nil }
		return err
	}
	known := map[string]siteRules{}
	c.rulesFor = func(url string) (siteRules, error) {
		location, err := siteOf(url)
		if found, ok := known[location]; ok || err != nil {
			return found, err
		}
		r, err := interruptible(cache.FetchFile, location)
		found := siteRules{r, notRobots(r.Body)}
		found.Body = nil
		known[location] = found
		return found, err
	}
	return nil
}

// answer prints whether each agent may fetch a URL, and returns the exit status.
func (c *checker) answer(url string) (status int, err error) {
	if err := c.validate(url); err != nil {
		complain(c.cmd, err)
		return exitError, nil
	}
	r, err := c.rulesFor(url)
	if err != nil {
		return 0, err
	}
	for _, agent := range c.agents {
		d := r.File.Decide(agent, url)
		switch {
		case c.json:
			printVerdictJSON(c.cmd.OutOrStdout(), agent, url, d, r)
		default:
			printVerdict(c.cmd.OutOrStdout(), len(c.agents) > 1, agent, url, d, r)
		}
		switch {
		case d.Reason == robotstxt.FileUnreachable:
			status = exitError
		case !d.Allowed:
			status = max(status, exitNo)
		}
	}
	return status, nil
}

// printVerdict prints a verdict as one line of text.
func printVerdict(w io.Writer, showAgent bool, agent, url string, d robotstxt.Decision, r siteRules) {
	text := fmt.Sprintf("%-10s  ", verdict(d))
	if showAgent {
		text += fmt.Sprintf("%-20s  ", printable(agent))
	}
	fmt.Fprintf(w, "%s%s  %s\n", text, printable(url), explain(agent, d, r))
}

func verdict(d robotstxt.Decision) string {
	if d.Allowed {
		return "allowed"
	}
	return "disallowed"
}

// explain returns the reason for a verdict about an agent in a few words.
func explain(agent string, d robotstxt.Decision, r siteRules) string {
	group := printable(cmp.Or(crawlers.FallbackNote(agent, d.Token), "group "+d.Token))
	switch d.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", d.Rule.Line, printable(d.Rule.String()), group)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", group)
	case robotstxt.NoGroup:
		if r.notRobots != "" {
			return fmt.Sprintf("what was read as robots.txt is not a robots.txt file: it starts with %.40q", r.notRobots)
		}
		return "no group for this agent"
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	return fmt.Sprintf("%s: %s", d.Reason, printable(whyNoFile(r.Result)))
}

// A verdictView is a verdict as check --json prints it.
type verdictView struct {
	URL   string `json:"url"`
	Agent string `json:"agent"`
	Token string `json:"token"`
	decisionView
	Note   string `json:"note,omitempty"`
	Robots string `json:"robots,omitempty"`
	Other  bool   `json:"not_robots_txt,omitempty"`
}

// A decisionView is a decision in the JSON output of several commands.
type decisionView struct {
	Allowed bool             `json:"allowed"`
	Reason  robotstxt.Reason `json:"reason"`
	Line    int              `json:"line"`
	Rule    string           `json:"rule"`
}

// longestRule is the largest width of a rule in JSON output, in columns. Wider rules are cut off,
// because the diff command can print the same rule thousands of times.
const longestRule = 1000

func newDecisionView(d robotstxt.Decision) decisionView {
	view := decisionView{Allowed: d.Allowed, Reason: d.Reason, Line: d.Rule.Line}
	if d.Reason == robotstxt.RuleMatched {
		view.Rule = firstColumns(d.Rule.String(), longestRule)
	}
	return view
}

func printVerdictJSON(w io.Writer, agent, url string, d robotstxt.Decision, r siteRules) {
	printJSON(w, verdictView{url, agent, d.Token, newDecisionView(d), crawlers.FallbackNote(agent, d.Token), redacted(r.URL), r.notRobots != ""})
}
