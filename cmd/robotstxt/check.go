package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/spf13/cobra"
)

func newCheckCommand() *cobra.Command {
	var c check
	cmd := &cobra.Command{
		Use:   "check [flags] URL...",
		Short: "Say whether URLs may be fetched, and which line decides",
		Long: `Check says whether an agent may fetch URLs, and which line of the robots.txt
file decides.

Without --robots, each URL is checked against the robots.txt of its site, which
is fetched once for all URLs there. Each must then be a whole URL, with http or
https and a host: if one is not, that is an error and nothing is fetched. With
--robots, only path and query of a URL count, so /private/x will do for
https://example.com/private/x.

A robots.txt is fetched with the agent as User-Agent header, if one is given.
If the site has none, everything is allowed, and if it cannot be had because
the server or the network fails, everything is disallowed. The line says so,
and why.

The exit status is 0 if all URLs are allowed, 1 if some are not, and 2 if the
question could not be answered.`,
		Example: `  robotstxt check --agent FooBot https://example.com/private/x
  robotstxt check --agent FooBot --robots robots.txt /private/x
  robotstxt check --robots https://staging.example.com/ /private/x
  robotstxt check --robots - / '/search?q=tea' < robots.txt`,
		Args: operands("URL", 0),
		RunE: withStatus(c.run),
	}
	cmd.Flags().StringVar(&c.agent, "agent", "*", "crawler: a `name` or a whole User-Agent header")
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to ask: a `file`, a URL, or - for standard input")
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object per line")
	return cmd
}

// A check is what the flags of the command say.
type check struct {
	agent, robots string
	json          bool
}

func (c *check) run(cmd *cobra.Command, urls []string) (status int, err error) {
	rulesFor, err := rules(cmd, c.robots, c.agent, urls)
	if err != nil {
		return 0, err
	}
	print := printVerdict
	if c.json {
		print = printVerdictJSON
	}
	for _, url := range urls {
		r, err := rulesFor(url)
		if err != nil {
			return 0, err
		}
		d := r.File.Decide(c.agent, url)
		if !d.Allowed {
			status = exitNo
		}
		print(cmd.OutOrStdout(), c.agent, url, d, r)
	}
	return status, nil
}

// rules returns the function that finds what is to be asked about each of the URLs:
// the robots.txt that the user named, or that of the URL's site.
func rules(cmd *cobra.Command, robots, agent string, urls []string) (func(url string) (robotshttp.Result, error), error) {
	cache := &robotshttp.Cache{UserAgent: userAgent}
	if robotstxt.ProductToken(agent) != "" {
		cache.UserAgent = agent
	}
	if robots == "" {
		for _, url := range urls {
			if _, err := siteOf(url); err != nil {
				return nil, fmt.Errorf("%w (without --robots, a URL needs http or https, and a host)", err)
			}
		}
		return func(url string) (robotshttp.Result, error) { return interruptible(cache.Get, url) }, nil
	}
	var r robotshttp.Result
	var err error
	if isURL(robots) {
		r, err = fetch(cache, robots)
	} else {
		r.Body, err = readRobots(cmd, robots)
		r.File = robotstxt.Parse(r.Body)
	}
	return func(string) (robotshttp.Result, error) { return r, nil }, err
}

// printVerdict prints a line for people.
func printVerdict(w io.Writer, _, url string, d robotstxt.Decision, r robotshttp.Result) {
	verdict := "disallowed"
	if d.Allowed {
		verdict = "allowed"
	}
	fmt.Fprintf(w, "%-10s  %s  %s\n", verdict, printable(url), explain(d, r))
}

// explain says why, in few words.
func explain(d robotstxt.Decision, r robotshttp.Result) string {
	group := "group " + printable(d.Token)
	switch d.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", d.Rule.Line, printable(d.Rule.String()), group)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", group)
	case robotstxt.NoGroup:
		return "no group for this agent"
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	return fmt.Sprintf("%s: %s", d.Reason, shortfall(r))
}

// printable quotes a string that could upset a terminal or the form of a line.
func printable(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// printVerdictJSON prints a line for programs.
func printVerdictJSON(w io.Writer, agent, url string, d robotstxt.Decision, r robotshttp.Result) {
	verdict := struct {
		URL     string           `json:"url"`
		Agent   string           `json:"agent"`
		Token   string           `json:"token"`
		Allowed bool             `json:"allowed"`
		Reason  robotstxt.Reason `json:"reason"`
		Line    int              `json:"line"`
		Rule    string           `json:"rule"`
		Robots  string           `json:"robots,omitempty"`
	}{URL: url, Agent: agent, Token: d.Token, Allowed: d.Allowed, Reason: d.Reason, Line: d.Rule.Line, Robots: redacted(r.URL)}
	if d.Reason == robotstxt.RuleMatched {
		verdict.Rule = d.Rule.String()
	}
	printJSON(w, verdict)
}
