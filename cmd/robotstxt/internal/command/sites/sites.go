// Package sites is the command "robotstxt sites".
package sites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
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
	resume  bool
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
a file, one per line; "-" is standard input, which another program writes. Empty
lines, and lines that start with "#", are skipped.

With --out DIR, it keeps the file of each site in DIR, and the next run says
what has changed since: verdicts, and files that appeared or vanished. A file
stays as it is if the server fails, refuses this tool, as bot walls do, or
answers with something else, such as an HTML page. "robotstxt scan DIR" reads
the same folder.

If a run with --out was interrupted, --resume continues it: it fetches only the
files that are missing. Without --resume, a new run starts, and compares with
the last run that ended.

It fetches from many sites at once, but from at most four at once that have the
same address, because hundreds of sites can be on one server. It uses no proxy.
A host that you name can be in a private network, but a redirect to such an
address is refused.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:          "all sites answered, and with --out, no verdict has changed",
			cli.ExitNo:          "with --out, a verdict has changed, or a file has appeared or vanished",
			cli.ExitError:       "a site could not be read, or a file could not be read or written",
			cli.ExitInterrupted: "interrupted; the table covers what was read",
		}),
		Example: `  robotstxt sites www.example.com shop.example.com
  robotstxt sites --from clients.txt --out clients
  robotstxt sites --from clients.txt --csv > clients.csv`,
		RunE: cli.WithStatus(c.run),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.from, "from", "", "read hosts and URLs from a `file`, one per line")
	flags.StringVar(&c.dir, "out", "", "keep the files in this `folder`, and say what has changed")
	flags.BoolVar(&c.resume, "resume", false, "continue a run with --out that was interrupted")
	flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
	flags.BoolVar(&c.asCSV, "csv", false, "print the table as CSV, for a spreadsheet")
	flags.DurationVar(&c.timeout, "timeout", 3*time.Second, "give up on a site after this `time`")
	cli.Exclusive(cmd, "json", "csv")
	return cmd
}

func (c *command) run(cmd *cobra.Command, operands []string) (status int, err error) {
	if c.resume && c.dir == "" {
		return 0, cli.UsageError(cmd, errors.New("--resume needs --out: without it, nothing is kept of an interrupted run"))
	}
	targets, err := c.targets(cmd, operands)
	if err != nil {
		return 0, err
	}
	keep, err := openFolder(c.dir, c.resume)
	if err != nil {
		return 0, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rows := c.fetchAll(ctx, cmd, targets, keep)
	isComplete := len(rows) == len(targets)
	err = c.print(cmd.OutOrStdout(), rows)
	err = errors.Join(err, keep.close(isComplete && err == nil))
	switch {
	case err != nil:
		return 0, err
	case !isComplete:
		cli.Complain(cmd, fmt.Errorf("interrupted after %d of %s%s", len(rows), cli.Plural(len(targets), "site"), c.resumeHint()))
		return cli.ExitInterrupted, nil
	case slices.ContainsFunc(rows, (*row).isChange):
		return cli.ExitNo, nil
	case slices.ContainsFunc(rows, (*row).isUnknown):
		return cli.ExitError, nil
	}
	return cli.ExitOK, nil
}

func (c *command) resumeHint() string {
	if c.dir == "" {
		return ""
	}
	return "; to continue, run the same command with --resume"
}

// targets returns the locations of the robots.txt files of the sites in the operands and in the list,
// each once. It complains about each line of the list that is not a site.
func (c *command) targets(cmd *cobra.Command, operands []string) (targets []string, err error) {
	seen := map[string]bool{}
	add := func(name string) error {
		location, err := locationOf(name)
		if err == nil && !seen[location] {
			seen[location] = true
			targets = append(targets, location)
		}
		return err
	}
	for _, name := range operands {
		if _, err := os.Stat(name); err == nil {
			return nil, cli.UsageError(cmd, fmt.Errorf("%s is a file; to read hosts from it, use --from %[1]s", name))
		}
		if err := add(name); err != nil {
			return nil, err
		}
	}
	if c.from != "" {
		list, err := cli.OpenInput(cmd, c.from)
		if err != nil {
			return nil, err
		}
		defer list.Close()
		wrong := 0
		for line, err := range cli.Lines(list) {
			if err != nil {
				return nil, err
			}
			if strings.HasPrefix(line.Text, "#") {
				continue
			}
			if err := add(line.Text); err != nil {
				wrong++
				cli.Complain(cmd, fmt.Errorf("%s:%d: %w", cli.DisplayName(c.from), line.Line, err))
			}
		}
		if wrong > 0 {
			return nil, fmt.Errorf("nothing was fetched, because %s in %s cannot be read", cli.Plural(wrong, "line"), cli.DisplayName(c.from))
		}
	}
	if len(targets) == 0 {
		return nil, cli.UsageError(cmd, errors.New("no host given"))
	}
	return targets, nil
}

// locationOf returns the location of the robots.txt of a site, which is a host or a URL.
func locationOf(name string) (string, error) {
	if !strings.Contains(name, "://") {
		name = "https://" + name
	}
	return cli.SiteOf(name)
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
		if all[i] = keep.done[target]; all[i] != nil {
			bar.Add(1)
			continue
		}
		running.Go(func() {
			f.fetch(ctx, target, func(found reply.Reply, err error) {
				if ctx.Err() != nil {
					return
				}
				r := newRow(target, found, err)
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
