package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/scan"
)

// A scanCommand is what the flags of scan say.
type scanCommand struct {
	options scan.Options
	paths   string
	records bool
	asJSON  bool
}

func newScanCommand() *cobra.Command {
	var c scanCommand
	cmd := &cobra.Command{
		Use:   "scan [flags] DIR|FILE|-...",
		Short: "Survey many robots.txt files, also in WARC archives",
		Long:  scanLong,
		Example: `  robotstxt scan sites
  robotstxt scan --agent GPTBot --agent CCBot --records crawl > records.jsonl
  robotstxt scan --out records --paths warc.paths`,
		RunE: withStatus(c.run),
	}
	c.addFlags(cmd)
	return cmd
}

const scanLong = `Scan reads many robots.txt files and sums them up: files, bytes, rules, how many
let an agent fetch "/", and the most common findings and keys. With --records,
it prints what it knows about each file instead, as one JSON object per line.

It reads robots.txt files and WARC archives. In a folder and its subfolders, it
reads all files whose names end in ".txt", ".warc" or ".warc.gz". If an archive
is damaged, scan says where, and goes on behind the damage.

With --list, it prints the names of the files behind one count of the summary,
one per line: the code of a finding, a key, "allowed" or "disallowed". The flags
--agent and --path may be repeated.

With --out, it writes one output for each archive, each file, and each folder of
files. An output appears when it is complete, and what is there already is not
read again. So a run that was interrupted can be started again.

If it is interrupted, scan sums up what it has read so far; a second interrupt
ends it at once. The output does not depend on the number of workers.`

func (c *scanCommand) addFlags(cmd *cobra.Command) {
	questions := &c.options.Questions
	flags := cmd.Flags()
	addAgentFlag(cmd, &questions.Agents, []string{"*"})
	flags.StringArrayVar(&questions.Paths, "path", nil, "`path` for records to decide about")
	flags.BoolVar(&questions.NoLint, "no-lint", false, "leave out the findings, for speed")
	flags.BoolVar(&c.records, "records", false, "print one JSON object per file")
	flags.BoolVar(&c.options.Summary, "summary", false, "print a summary (the default); with --out, write them")
	flags.StringVar(&c.options.List, "list", "", "print the files behind one count: a `name`")
	flags.BoolVar(&c.asJSON, "json", false, "print the summary as one JSON object")
	flags.StringVar(&c.options.Dir, "out", "", "write one output per input to a `folder`")
	flags.StringVar(&c.paths, "paths", "", "read the names of inputs from a `file`, one per line")
	flags.IntVar(&c.options.Workers, "workers", runtime.GOMAXPROCS(0), "`number` of cores to use")
	exclusive(cmd, "records", "summary", "list")
	exclusive(cmd, "records", "json")
	exclusive(cmd, "list", "json")
	exclusive(cmd, "list", "out")
}

// run scans the inputs.
func (c *scanCommand) run(cmd *cobra.Command, names []string) (status int, err error) {
	o := &c.options
	switch {
	case len(names) == 0 && c.paths == "":
		return 0, usageError(cmd, errors.New("no folder or file given"))
	case o.Workers < 1:
		return 0, usageError(cmd, errors.New("--workers must be at least 1"))
	}
	if o.Questions.Agents, err = agentNames(cmd, o.Questions.Agents); err != nil {
		return 0, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.Workers))
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	o.Inputs, o.Stdin = names, cmd.InOrStdin()
	if (c.records || o.List != "") && o.Dir == "" {
		o.Records = cmd.OutOrStdout()
	}
	if c.paths != "" {
		list, err := openPaths(cmd, c.paths)
		if err != nil {
			return 0, err
		}
		defer list.Close()
		o.Paths = list
	}
	return c.scan(cmd)
}

// Little is in use at any time, so the heap may grow to many times that before it is
// collected, up to a limit.
const (
	gcPercent   = 400
	memoryLimit = 32 << 20
)

// openPaths opens a list of inputs.
func openPaths(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return os.Open(name)
}

// scan scans and prints the summary, unless something else was asked for.
func (c *scanCommand) scan(cmd *cobra.Command) (status int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process, in case a file never ends
	start := time.Now()
	show := c.showProgress(ctx, cmd)
	result, err := scan.Run(ctx, c.options)
	show.finish()
	if err != nil {
		return 0, err
	}
	if !c.records && c.options.List == "" && c.options.Dir == "" && result.Captures > 0 {
		err = c.print(cmd.OutOrStdout(), &result)
	}
	if c.options.Dir != "" || isTerminal(cmd.ErrOrStderr()) {
		c.printOutcome(cmd.ErrOrStderr(), &result, time.Since(start).Seconds())
	}
	switch {
	case err != nil:
		return 0, err
	case ctx.Err() != nil:
		complain(cmd, fmt.Errorf("interrupted after %s", plural(result.Captures, "file")))
		return exitInterrupted, nil
	case result.Failed:
		return exitError, nil
	}
	return exitOK, nil
}

func (c *scanCommand) print(w io.Writer, r *scan.Result) error {
	if c.asJSON {
		return printJSON(w, &r.Summary)
	}
	return r.Summary.Print(w)
}

// printOutcome says what was done, and how fast.
func (c *scanCommand) printOutcome(w io.Writer, r *scan.Result, seconds float64) {
	fmt.Fprintf(w, "%s in %.2f s, %.0f per second\n", plural(r.Captures, "file"), seconds, float64(r.Captures)/max(seconds, 1e-9))
	if c.options.Dir != "" {
		fmt.Fprintf(w, "outputs written: %d; already there: %d\n", r.Written, r.Existing)
	}
}

// A progress is a line on a terminal that shows how far a scan is.
type progress struct {
	bar  *progressbar.ProgressBar
	mu   sync.Mutex // for the terminal
	stop context.CancelFunc
	done sync.WaitGroup
}

// showProgress shows progress until finish is called, and warnings.
func (c *scanCommand) showProgress(ctx context.Context, cmd *cobra.Command) *progress {
	w := cmd.ErrOrStderr()
	ctx, stop := context.WithCancel(ctx)
	p := &progress{bar: newProgress(w), stop: stop}
	c.options.Progress = new(scan.Progress)
	c.options.Warn = func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.bar.Clear()
		complain(cmd, err)
	}
	if isTerminal(w) {
		p.done.Go(func() { p.update(ctx, c.options.Progress) })
		if c.paths == "" {
			p.done.Go(func() { p.measure(ctx, scan.Options{Inputs: c.options.Inputs}) })
		}
	}
	return p
}

// newProgress returns a line on w that counts bytes, or nothing unless w is a
// terminal. The bar draws nothing by itself: its own goroutine reads its state without
// a lock.
func newProgress(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(isTerminal(w)),
		progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetSpinnerChangeInterval(0))
}

// measure tells the bar how much there is, so that it can say how long it takes.
func (p *progress) measure(ctx context.Context, o scan.Options) {
	if size, ok := scan.Size(ctx, o); ok && size > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.bar.ChangeMax64(size)
	}
}

// update shows what has changed, ten times a second.
func (p *progress) update(ctx context.Context, now *scan.Progress) {
	start := time.Now()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		files, errs := int(now.Captures.Load()), int(now.Errors.Load())
		rate := float64(files) / time.Since(start).Seconds()
		p.mu.Lock()
		p.bar.Describe(fmt.Sprintf("%s, %.0f/s, %s", plural(files, "file"), rate, plural(errs, "error")))
		p.bar.Set64(now.Bytes.Load())
		p.mu.Unlock()
	}
}

// finish removes the line.
func (p *progress) finish() {
	p.stop()
	p.done.Wait()
	p.bar.Finish()
}
