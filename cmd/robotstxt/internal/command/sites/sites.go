// Package sites is the command "robotstxt sites".
package sites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/spf13/cobra"
)

// A command holds the flags of the sites command.
type command struct {
	from    string
	dir     string
	table   bool
	asJSON  bool
	asCSV   bool
	timeout time.Duration
}

// New returns the command.
func New() *cobra.Command {
	var c command
	cmd := &cobra.Command{
		Use:   "sites [flags] HOST|URL...",
		Short: "Fetch the robots.txt files of many sites into one table",
		Long: `The sites command fetches the robots.txt files of many live sites, and prints a
table with a line for each site: what the server answers, the size of the file,
how much of the site Googlebot, Bingbot and AI crawlers may fetch, and how many
mistakes lint finds. "open" means everything, "closed" nothing, and "part" some
URLs. At the end, it names the sites that did not answer.

A host without a scheme means https. With --from FILE, the hosts and URLs are in
a file, one per line; "-" is standard input, which another program writes. The
file can be a table of a spreadsheet: only the first column counts. Comments
start with "#". A line without a host is named and skipped.

With --out DIR, it keeps the file of each site in DIR. The next run prints in
place of the table what has changed since: what the server answers, verdicts,
and other lines, such as Sitemap. Sites with the same change are together. Then
come sites that cannot be read, unless that was known, and the number of the
others. A file stays as it is while the site cannot be read, so that the next
comparison is with the last good one. "robotstxt scan DIR" reads the same
folder. If something interrupts a run, run the same command again on that day:
it reads only what is missing.

It fetches from many sites at once, but from at most four at once that have the
same address, because hundreds of sites can be on one server. Before it says
that a site does not answer, it tries once more, for five times as long. It uses
no proxy. A host that you name can be in a private network, but a redirect to
such an address is refused.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:          "all sites were read; with --out, nothing has changed",
			cli.ExitNo:          "with --out, something has changed",
			cli.ExitError:       "a site could not be read; with --out, none that was known for it",
			cli.ExitInterrupted: "interrupted; the output covers what was read",
		}),
		Example: `  robotstxt sites www.example.com shop.example.com
  robotstxt sites --from clients.txt --out clients
  robotstxt sites --from clients.txt --csv > clients.csv`,
		RunE: cli.WithStatus(c.run),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.from, "from", "", "read hosts and URLs from the lines of a `file`")
	flags.StringVar(&c.dir, "out", "", "keep the files in this `folder`, and say what has changed")
	flags.BoolVar(&c.table, "table", false, "also print the table if there was a last run")
	flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
	flags.BoolVar(&c.asCSV, "csv", false, "print the table as CSV, for a spreadsheet")
	flags.DurationVar(&c.timeout, "timeout", 3*time.Second, "visit a site once more if it needs longer than this `time`")
	cli.Exclusive(cmd, "json", "csv")
	return cmd
}

func (c *command) run(cmd *cobra.Command, operands []string) (status int, err error) {
	targets, err := c.targets(cmd, operands)
	if err != nil {
		return 0, err
	}
	keep, err := openFolder(c.dir)
	if err != nil {
		return 0, err
	}
	if len(keep.done) > 0 {
		cli.Complain(cmd, fmt.Errorf("continues an unfinished run of today; to start again, remove %s first", filepath.Join(c.dir, unfinished)))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rows := c.fetchAll(ctx, cmd, targets, keep)
	isComplete := len(rows) == len(targets)
	err = c.print(cmd.OutOrStdout(), rows)
	err = errors.Join(err, keep.close(rows, isComplete && err == nil))
	switch {
	case err != nil:
		return 0, err
	case !isComplete:
		cli.Complain(cmd, fmt.Errorf("interrupted after %d of %s; with --out, the same command continues today", len(rows), cli.Plural(len(targets), "site")))
		return cli.ExitInterrupted, nil
	case slices.ContainsFunc(rows, (*row).isChange):
		return cli.ExitNo, nil
	case slices.ContainsFunc(rows, (*row).isNewFailure):
		return cli.ExitError, nil
	}
	return cli.ExitOK, nil
}

// fetchAll returns a row for each target, in their order. If ctx ends, it leaves out those that have
// not been read.
func (c *command) fetchAll(ctx context.Context, cmd *cobra.Command, targets []string, keep *folder) (rows []*row) {
	f := newFetcher(c.timeout)
	bar := cli.NewProgress(cmd.ErrOrStderr(), len(targets))
	defer bar.Finish()
	all := make([]*row, len(targets))
	var mu sync.Mutex // guards keep and bar
	var running sync.WaitGroup
	for i, target := range targets {
		if r := keep.done[target]; r != nil && r.isRead() { // the others are asked again
			all[i] = r
			bar.Add(1)
			continue
		}
		running.Go(func() {
			f.fetch(ctx, target, func(found reply.Reply) {
				if ctx.Err() != nil {
					return
				}
				r := newRow(target, found)
				mu.Lock()
				defer mu.Unlock()
				keep.update(r, found)
				all[i] = r
				bar.Add(1)
			})
		})
	}
	running.Wait()
	return slices.DeleteFunc(all, func(r *row) bool { return r == nil })
}
