// Package check is the command "robotstxt check".
package check

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/sitemap"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var c checkCommand
	cmd := &cobra.Command{
		Use:   "check [flags] URL...",
		Short: "Say whether URLs may be fetched, and which line decides",
		Long: `The check command reports whether an agent may fetch URLs, and which line of the
robots.txt file decides.

By default, each URL is checked against the robots.txt of its site, which is
fetched once per site. URLs must be complete, such as https://host/path. With
--robots, only the path and query of a URL count, so you can write /private/x
for https://example.com/private/x. Below the first answer for a site, a line
shows how the server answers for its robots.txt: place, redirect, status, type
and size.

"-" stands for the URLs on standard input, one per line, which another program
writes. A line that is not a URL is reported, and the next lines are still read.

With --sitemap, name sitemaps in place of URLs: files, addresses, or "-". The
command reports how many of their URLs are disallowed, by which lines, with
examples. A URL without a path, or --robots alone, means the sitemaps that the
robots.txt names. Indexes are followed, and at most 50,000 URLs and 50 MB are
read from each sitemap. Between two requests, the command waits half a second.
URLs of other sites are counted, but not checked, because the robots.txt does
not apply to them. Without --agent, the answers are for Googlebot and bingbot.

With --pages, the pages of the sitemaps are fetched as well, also those that the
robots.txt disallows, one at a time and as slowly as it asks. Then the command
also reports redirects, errors, pages that say noindex, and a noindex that
crawlers never see, because the page is disallowed. Such pages should not be in
a sitemap. At most --limit pages of a site are fetched.

When check fetches a robots.txt, the User-Agent header is the value of --agent,
or the name of this tool if there are several values or none. If the server
refuses this tool, as bot walls do, the verdict is unknown, because crawlers may
get another answer.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:          "all URLs are allowed",
			cli.ExitNo:          "a URL is disallowed; with --pages, also if a page is not for a sitemap",
			cli.ExitError:       "a URL or sitemap could not be checked; perhaps a server fails or refuses",
			cli.ExitInterrupted: "interrupted; the output covers the pages that were fetched",
		}),
		Example: `  robotstxt check --agent FooBot https://example.com/private/x
  robotstxt check --agent FooBot --robots robots.txt /private/x
  robotstxt check --robots https://staging.example.com/ /private/x
  robotstxt check --robots robots.txt - < urls.txt
  robotstxt check --sitemap https://www.example.com/
  robotstxt check --sitemap --agent @ai https://www.example.com/
  robotstxt check --sitemap --pages --csv https://www.example.com/ > pages.csv
  robotstxt check --sitemap --robots robots.txt sitemap.xml`,
		Args: cli.WantsRobotsFlag(func(cmd *cobra.Command, args []string) error {
			if c.sitemap && c.robots != "" {
				return nil
			}
			return cli.Operands("URL", 0)(cmd, args)
		}),
		RunE: cli.WithStatus(func(cmd *cobra.Command, urls []string) (int, error) {
			c.cmd, c.loaded, c.described, c.now = cmd, map[string]reply.Reply{}, map[string]bool{}, time.Now()
			return c.run(urls)
		}),
	}
	cli.AddAgentFlag(cmd, &c.agents, []string{"*"})
	cmd.Flags().StringVar(&c.robots, "robots", "", "robots.txt to use: a `file`, a URL, or - for standard input")
	cmd.Flags().BoolVar(&c.sitemap, "sitemap", false, "check the URLs of sitemaps, and print how many are disallowed")
	cmd.Flags().BoolVar(&c.pages, "pages", false, "with --sitemap: also fetch the pages, and say what is wrong with them")
	cmd.Flags().IntVar(&c.limit, "limit", 500, "with --pages: fetch at most this `number` of pages of a site")
	cli.AddHeaderFlag(cmd, &c.loader.Header)
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON object for each URL and agent; with --sitemap, for each robots.txt")
	cmd.Flags().BoolVar(&c.csv, "csv", false, "print a line for each URL and agent, for a spreadsheet")
	cli.Exclusive(cmd, "json", "csv")
	return cmd
}

// A checkCommand holds the flags of the check command.
type checkCommand struct {
	agents    []string
	robots    string
	json, csv bool
	sitemap   bool
	pages     bool // also fetch the pages of the sitemaps
	limit     int  // the number of these pages
	loader    cli.Loader

	cmd        *cobra.Command
	now        time.Time
	loaded     map[string]reply.Reply // by URL; "" for the one of --robots
	described  map[string]bool        // the robots.txt files whose responses were printed, by URL
	saidSearch bool                   // whether verdict.SearchResults was printed
	hasFailed  bool                   // whether fail was called
}

func (c *checkCommand) run(urls []string) (status int, err error) {
	switch {
	case c.robots == "-" && slices.Contains(urls, "-"):
		return 0, errors.New("the robots.txt and the URLs cannot both come from standard input")
	case c.pages && !c.sitemap:
		return 0, cli.UsageError(c.cmd, errors.New("--pages is for the URLs of sitemaps; add --sitemap"))
	case c.limit < 1:
		return 0, errors.New("--limit must be at least 1")
	}
	if c.csv {
		cli.PrintCells(c.cmd.OutOrStdout(), columns)
	}
	if c.sitemap {
		return c.runSitemaps(urls)
	}
	for _, url := range urls {
		if err := c.validate(url); url != "-" && err != nil {
			return 0, err
		}
	}
	if c.agents, err = cli.AgentNames(c.cmd, c.agents); err != nil {
		return 0, err
	}
	if c.robots != "" { // even if standard input turns out to be empty
		if _, err := c.robotsFor(""); err != nil {
			return 0, err
		}
	}
	return c.answerAll(urls)
}

// answerAll answers each URL; "-" stands for the URLs on standard input. It returns the
// highest exit status.
func (c *checkCommand) answerAll(urls []string) (status int, err error) {
	for _, url := range urls {
		answer := c.answer
		if url == "-" {
			answer = func(string) (int, error) { return c.answerInput() }
		}
		s, err := answer(url)
		if err != nil {
			return 0, err
		}
		status = max(status, s)
		if url != "-" && !c.json && !c.csv {
			c.describe(url)
		}
	}
	return status, nil
}

// describe prints what the server says about the robots.txt for a URL, once for each robots.txt.
func (c *checkCommand) describe(url string) {
	r, _ := c.robotsFor(url)
	if text := r.Response(); text != "" && !c.described[r.URL] {
		cli.PrintLines(c.cmd.OutOrStdout(), "            "+cli.Printable(text)+"\n")
		c.described[r.URL] = true
	}
}

// answerInput answers the URLs on standard input, one a line. It reports a line that is neither a URL nor a path, and
// goes on.
func (c *checkCommand) answerInput() (status int, err error) {
	for line, err := range cli.Lines(c.cmd.InOrStdin()) {
		url := line.Text
		switch {
		case err != nil:
			return 0, err
		case strings.HasPrefix(url, "<"), sitemap.IsPacked([]byte(url)):
			return 0, errors.New("standard input is not a list of URLs; if it is a sitemap, add --sitemap")
		}
		if err := c.validate(url); err != nil {
			cli.Complain(c.cmd, fmt.Errorf("line %d: %w", line.Line, err))
			status = cli.ExitError
			continue
		}
		s, err := c.answer(url)
		if err != nil {
			return 0, err
		}
		status = max(status, s)
	}
	return status, nil
}

// validate returns an error if url is not a complete http or https URL. With --robots, url may
// also be a path, or a URL with another scheme.
func (c *checkCommand) validate(url string) error {
	if c.robots == "" {
		_, err := cli.SiteOf(url)
		if err != nil && !cli.IsHost(url) {
			err = fmt.Errorf("%w (without --robots, give a complete URL, such as https://www.example.com/page)", err)
		}
		return err
	}
	return cli.ValidatePage(url)
}

// robotsFor returns the robots.txt of --robots or, without it, the one of a URL's site. It loads each only once.
func (c *checkCommand) robotsFor(url string) (r reply.Reply, err error) {
	location := "" // of the robots.txt of --robots
	if c.robots == "" {
		if location, err = cli.SiteOf(url); err != nil {
			return r, err
		}
	}
	if r, ok := c.loaded[location]; ok {
		return r, nil
	}
	if len(c.agents) == 1 && robotstxt.ProductToken(c.agents[0]) != "" {
		c.loader.UserAgent = c.agents[0]
	}
	if c.robots == "" {
		r, err = c.loader.FetchSite(url)
	} else {
		r, err = c.loader.Load(c.cmd, c.robots)
	}
	if note := r.PathNote(); note != "" {
		cli.Complain(c.cmd, errors.New(note))
	}
	r.Body = nil
	c.loaded[location] = r
	return r, err
}

// answer prints whether each agent may fetch a URL, and returns the exit status.
func (c *checkCommand) answer(url string) (status int, err error) {
	r, err := c.robotsFor(url)
	if err != nil {
		return 0, err
	}
	for _, agent := range c.agents {
		v := r.File.Group(agent).Explain(url)
		switch {
		case c.json:
			cli.PrintJSON(c.cmd.OutOrStdout(), verdictView{reply.Redacted(url), agent, answers.NewVerdict(v), r.View})
		case c.csv:
			c.printRow(agent, reply.Redacted(url), v, nil, r)
		default:
			printVerdict(c.cmd.OutOrStdout(), len(c.agents) > 1, agent, reply.Redacted(url), v)
			if note := v.Note(verdict.SearchResults); note != "" && !c.saidSearch {
				cli.PrintLines(c.cmd.OutOrStdout(), "            "+note+"\n")
				c.saidSearch = true
			}
		}
		switch {
		case r.IsUnknown() && v.Reason != robotstxt.RobotsTxt:
			status = cli.ExitError
		case !v.Allowed:
			status = max(status, cli.ExitNo)
		}
	}
	return status, nil
}

// printVerdict prints a verdict as one line of text.
func printVerdict(w io.Writer, showAgent bool, agent, url string, v verdict.Verdict) {
	text := fmt.Sprintf("%-10s  ", v.Outcome())
	if showAgent {
		text += fmt.Sprintf("%-20s  ", cli.Printable(agent))
	}
	fmt.Fprintf(w, "%s%s  %s\n", text, cli.Printable(url), v.Why())
}

// A verdictView is a verdict as check --json prints it.
type verdictView struct {
	URL   string `json:"url"`
	Agent string `json:"agent"`
	answers.Verdict
	Reply *reply.View `json:"reply,omitempty"`
}
