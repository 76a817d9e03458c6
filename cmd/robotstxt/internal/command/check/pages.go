package check

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/page"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A pageGroup has the pages with which the same is wrong, in the JSON output.
type pageGroup struct {
	Kind string `json:"kind"` // redirect, error, noindex or hidden noindex
	Text string `json:"text"`
	examples
}

// pageTimeout includes the wait for the crawl-delay, and for a server that is too busy.
const pageTimeout = 10 * time.Minute

// fetchPages fetches the first pages of a site, as slowly as its robots.txt asks, also those that it disallows: only
// this shows whether they have a noindex. It returns cli.ExitInterrupted after an interrupt (Ctrl-C).
func (c *checkCommand) fetchPages(s *site) (status int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	urls := s.urls[:min(len(s.urls), c.limit)]
	client := c.pageClient(s)
	bar := cli.NewProgress(c.cmd.ErrOrStderr(), len(urls))
	for _, url := range urls {
		p := page.Fetch(ctx, client, url)
		if ctx.Err() != nil {
			break
		}
		s.pages = append(s.pages, p)
		c.hasFailed = c.hasFailed || p.IsUnknown()
		bar.Add(1)
	}
	bar.Finish()
	switch {
	case len(s.pages) < len(urls):
		cli.Complain(c.cmd, fmt.Errorf("interrupted after %d of %s", len(s.pages), cli.Plural(len(urls), "page")))
		return cli.ExitInterrupted
	case len(urls) < len(s.urls):
		cli.Complain(c.cmd, fmt.Errorf("only the first %d of %s were fetched; for more, use --limit", len(urls), cli.Plural(len(s.urls), "page")))
	}
	return cli.ExitOK
}

// pageClient returns a client that keeps the delay of a site, and follows no redirects.
func (c *checkCommand) pageClient(s *site) *http.Client {
	cache := &robotshttp.Cache{
		UserAgent: reply.UserAgent,
		MinDelay:  requestPause,
		Supply:    func(context.Context, string) *robotstxt.File { return s.robots.File.File },
	}
	client := page.WithoutRedirects(c.loader.Guard("").Client(pageTimeout))
	client.Transport = &robotshttp.Transport{Cache: cache, Base: client.Transport, OnDisallowed: func(*http.Request, *robotshttp.DisallowedError) error {
		return robotshttp.ErrSend
	}}
	return client
}

// addPages counts the pages that no crawler can read.
func (r *sitemapReport) addPages(pages []page.Page, urls []string) {
	r.Fetched = len(pages)
	for i, p := range pages {
		switch {
		case p.Why != "":
			r.Pages = addTo(r.Pages, "error", p.Why, urls[i])
		case p.Target != "":
			r.Pages = addTo(r.Pages, "redirect", "redirect", urls[i]+" -> "+reply.Redacted(p.Target))
		}
	}
}

// addPage counts a page that was read, if something is wrong with it for the agent.
func (a *sitemapAgent) addPage(u page.Uses, url string) {
	add := func(kind, text string) { a.Pages = addTo(a.Pages, kind, text, url) }
	switch {
	case u.IsHidden:
		add("hidden noindex", fmt.Sprintf("noindex that crawlers never see, because line %d disallows the page", u.Verdict.Rule.Line))
	case u.Index != nil && u.Index.Answer == page.No:
		add("noindex", "noindex")
	case u.Index != nil && u.Index.Answer == page.NoLonger:
		add("noindex", "noindex since the time in unavailable_after")
	}
}

func addTo(groups []pageGroup, kind, text, example string) []pageGroup {
	i := slices.IndexFunc(groups, func(g pageGroup) bool { return g.Text == text })
	if i < 0 {
		i = len(groups)
		groups = append(groups, pageGroup{Kind: kind, Text: text})
	}
	groups[i].add(example)
	return groups
}

// columns are the columns of the CSV output. Those from status on are about pages that were fetched.
var columns = []string{"url", "agent", "fetch", "line", "rule", "why", "status", "redirect_to", "error", "index", "index_why", "train", "train_why"}

// printRow prints a row of CSV. The page is nil if it was not fetched.
func (c *checkCommand) printRow(agent, url string, v verdict.Verdict, p *page.Page, robots reply.Reply) {
	row := make([]string, len(columns))
	copy(row, []string{url, agent, v.Outcome(), "", "", v.Why()})
	if v.Reason == robotstxt.RuleMatched {
		row[3], row[4] = strconv.Itoa(v.Rule.Line), v.Rule.String()
	}
	if p != nil {
		copy(row[6:], []string{strconv.Itoa(p.Status), reply.Redacted(p.Target), p.Why})
		if p.IsRead() {
			u := p.Uses(agent, &robots.File, c.now)
			copy(row[9:], append(cells(u.Index), cells(u.Train)...))
		}
	}
	cli.PrintCells(c.cmd.OutOrStdout(), row)
}

func cells(u *page.Use) []string {
	if u == nil {
		return []string{"", ""}
	}
	return []string{string(u.Answer), u.Why}
}
