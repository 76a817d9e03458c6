// Package scan is the command "robotstxt scan".
package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/scan"
)

// A scanCommand holds the flags of the scan command.
type scanCommand struct {
	options scan.Options
	paths   string
	records bool
	asJSON  bool
	merge   bool
}

// New returns the command.
func New() *cobra.Command {
	var c scanCommand
	cmd := &cobra.Command{
		Use:   "scan [flags] DIR|FILE|-...",
		Short: "Summarize many robots.txt files, also those in web archives (WARC)",
		Long: scanLong + cli.ExitHelp(map[int]string{
			cli.ExitOK:          "everything was read",
			cli.ExitError:       "something could not be read or written",
			cli.ExitDamaged:     "an archive is damaged; the rest was read",
			cli.ExitInterrupted: "interrupted; the summary covers what was read",
		}),
		Example: `  robotstxt scan sites
  robotstxt scan --agent @ai crawl
  robotstxt scan --agent GPTBot,CCBot --records crawl > records.jsonl
  robotstxt scan --agent @ai --out records --paths warc.paths
  robotstxt scan --merge records`,
		RunE: cli.WithStatus(c.run),
	}
	c.addFlags(cmd)
	return cmd
}

const scanLong = `The scan command reads many robots.txt files and prints totals: files, bytes,
rules, how many files let an agent fetch nothing or only a part of the site, and
the most common findings and keys. With --records, it instead prints a record of
each file, as one JSON object per line.

It reads robots.txt files, and WARC archives, in which crawlers keep what they
fetched. In a folder and its subfolders, it reads all files whose names end in
".txt", ".warc", ".warc.gz" or ".warc.zst", and counts the others as left out.
If an archive is damaged, scan reports where, and continues after the damage.

With --jsonl, it reads files with one JSON object per line, with the url, the
status, the time at which it was fetched (optional), and the body. The url can
also be that of the site, or only its host name. DuckDB makes such files from
CSV, Parquet and other tables:

  duckdb -c "COPY (SELECT url, status, fetched, body FROM 'crawl.parquet')
      TO '/dev/stdout' (FORMAT json)" | robotstxt scan --jsonl -

With --out DIR, it writes two files to DIR for each input: the records, to
INPUT.jsonl.gz, and their summary, to INPUT.summary.json. Then it prints the
total. An input is an archive, a file, or all .txt files of a folder. Each
output appears only when it is complete. If you repeat the command, it reads an
input again only if the size or time of the input has changed, if you changed
flags such as --agent, or if another version of scan wrote the output. So you
can continue an interrupted scan.

With --merge, it adds up summaries that scan wrote with --out or --json. In a
folder and its subfolders, it reads all files whose names end in
".summary.json". It refuses summaries of the same input, and summaries that were
made with other flags or by another version of scan.

If you interrupt scan, it adds up what it has read so far; a second interrupt
ends it at once.`

func (c *scanCommand) addFlags(cmd *cobra.Command) {
	questions := &c.options.Questions
	flags := cmd.Flags()
	cli.AddAgentFlag(cmd, &questions.Agents, []string{"*"})
	flags.StringArrayVar(&questions.Paths, "path", nil, "in each record, also report whether agents may fetch this `path`; may be repeated")
	flags.BoolVar(&questions.NoLint, "no-lint", false, "leave out the findings of lint, which take most of the time")
	flags.BoolVar(&c.records, "records", false, "print one JSON object per file")
	flags.BoolVar(&questions.Rules, "rules", false, "in each record, also list the rules of the file")
	flags.BoolVar(&c.options.JSONL, "jsonl", false, "the inputs have lines of JSON with url, status, fetched and body")
	flags.BoolVar(&c.asJSON, "json", false, "print the summary as one JSON object")
	flags.StringVar(&c.options.Dir, "out", "", "write the records and summary of each input to this `folder`")
	flags.BoolVar(&c.merge, "merge", false, "add up the summaries in the named files and folders")
	flags.StringVar(&c.paths, "paths", "", "read the names of inputs from a `file`, one per line")
	for _, other := range []string{"json", "out", "merge"} {
		cli.Exclusive(cmd, "records", other)
	}
	cli.Exclusive(cmd, "merge", "out")
}

func (c *scanCommand) run(cmd *cobra.Command, names []string) (status int, err error) {
	o := &c.options
	if len(names) == 0 && c.paths == "" {
		return 0, cli.UsageError(cmd, errors.New("no folder or file given"))
	}
	if o.Questions.Agents, err = cli.AgentNames(cmd, o.Questions.Agents); err != nil {
		return 0, err
	}
	o.Stdin = cmd.InOrStdin()
	if c.records {
		o.Records = cmd.OutOrStdout()
	}
	o.Inputs = c.inputs(cmd, names)
	if c.merge {
		return c.mergeSummaries(cmd)
	}
	return c.scan(cmd)
}

// inputs returns the operands, and then the names in the file given with --paths.
func (c *scanCommand) inputs(cmd *cobra.Command, operands []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range operands {
			if !yield(name, nil) {
				return
			}
		}
		list := cmd.InOrStdin()
		if c.paths == "" {
			return
		}
		if c.paths != "-" {
			file, err := os.Open(c.paths)
			if err != nil {
				yield("", err)
				return
			}
			defer file.Close()
			list = file
		}
		for line, err := range cli.Lines(list) {
			if !yield(line.Text, err) {
				return
			}
		}
	}
}

// scan scans the inputs. It prints a summary, unless records were printed instead.
func (c *scanCommand) scan(cmd *cobra.Command) (status int, err error) {
	o := &c.options
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // after the first interrupt, a second one ends the process, even while it waits for a file
	start := time.Now()
	finish := c.showProgress(ctx, cmd)
	result, err := scan.Run(ctx, *o)
	finish()
	if err != nil {
		return 0, err
	}
	isRead := result.Captures+result.Existing+len(result.Summary.Damaged) > 0
	if c.asJSON || isRead && o.Records == nil {
		err = c.print(cmd.OutOrStdout(), &result.Summary)
	}
	if n := result.Summary.LeftOut; n > 0 {
		cli.Complain(cmd, fmt.Errorf("%s left out: in folders, only .txt, .warc, .warc.gz and .warc.zst files are read", cli.Plural(n, "file")))
	}
	if o.Dir != "" || cli.IsTerminal(cmd.ErrOrStderr()) {
		seconds := max(time.Since(start).Seconds(), 1e-9)
		fmt.Fprintf(cmd.ErrOrStderr(), "%s in %.2f s, %.0f per second\n", cli.Plural(result.Captures, "file"), seconds, float64(result.Captures)/seconds)
	}
	if o.Dir != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "outputs written: %d; already there: %d\n", result.Written, result.Existing)
	}
	switch {
	case err != nil:
		return 0, err
	case ctx.Err() != nil:
		cli.Complain(cmd, fmt.Errorf("interrupted after %s", cli.Plural(result.Captures, "file")))
		return cli.ExitInterrupted, nil
	case result.Failed:
		return cli.ExitError, nil
	}
	return scanStatus(&result.Summary), nil
}

func scanStatus(s *survey.Summary) int {
	if len(s.Damaged) > 0 {
		return cli.ExitDamaged
	}
	return cli.ExitOK
}

// mergeSummaries adds up the summaries in files and folders.
func (c *scanCommand) mergeSummaries(cmd *cobra.Command) (status int, err error) {
	sum, err := scan.Merge(c.options.Inputs)
	if err != nil {
		return 0, err
	}
	return scanStatus(sum), c.print(cmd.OutOrStdout(), sum)
}

// print prints a summary.
func (c *scanCommand) print(w io.Writer, s *survey.Summary) error {
	if c.asJSON {
		return cli.PrintJSON(w, s)
	}
	return s.Print(w)
}

// showProgress makes the scan show its warnings and, if standard error is a terminal, how much it
// has read. The caller must call finish after the scan.
func (c *scanCommand) showProgress(ctx context.Context, cmd *cobra.Command) (finish func()) {
	w := cmd.ErrOrStderr()
	bar := newProgress(w)
	var mu sync.Mutex // guards the terminal
	c.options.BytesRead = new(atomic.Int64)
	c.options.Warn = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		bar.Clear()
		cli.Complain(cmd, err)
	}
	ctx, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	if cli.IsTerminal(w) {
		done.Go(func() {
			for ctx.Err() == nil {
				read := c.options.BytesRead.Load()
				mu.Lock()
				bar.Describe(fmt.Sprintf("%d kB", read/1000))
				bar.Set64(read)
				mu.Unlock()
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
	return func() {
		stop()
		done.Wait()
		bar.Finish()
	}
}

// newProgress returns a progress bar on w that counts bytes. The bar is invisible unless w is a
// terminal. With a positive spinner interval, the bar would start a goroutine that reads the state
// of the bar without a lock. So the spinner interval is 0.
func newProgress(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(cli.IsTerminal(w)),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetSpinnerChangeInterval(0))
}
