package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

func newScanCommand() *cobra.Command {
	var s scanner
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scan [flags] DIR|FILE...",
		Short: "Sum up many robots.txt files",
		Long: `Scan reads many robots.txt files at once and sums them up: files, bytes, rules,
how many let an agent fetch "/", and the most common findings and keys.

With --list, scan prints the names of the files behind one count of the
summary, sorted, one per line: the code of a finding, a key, "allowed" or
"disallowed".

In a folder and its subfolders, scan reads all files whose names end in
".txt". If it is interrupted, scan sums up what it has read so far, and the
exit status is 130; a second interrupt ends it at once. It is 2 if something
could not be read.`,
		Example: `  robotstxt scan sites
  robotstxt scan --agent GPTBot --json sites > summary.json`,
		Args: operands("folder or file", 0),
		RunE: withStatus(func(cmd *cobra.Command, names []string) (int, error) {
			s.cmd, s.bar = cmd, newProgress(cmd.ErrOrStderr())
			noteAgent(cmd, s.agent)
			return s.run(names, asJSON)
		}),
	}
	cmd.Flags().StringVar(&s.agent, "agent", "*", "crawler to decide about: a `token`")
	cmd.Flags().StringVar(&s.list, "list", "", "print the files behind one count: a `name`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.MarkFlagsMutuallyExclusive("list", "json")
	return cmd
}

// newProgress returns a line on w that counts files, or nothing unless w is a
// terminal.
func newProgress(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(isTerminal(w)),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("files"),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

// A scanner reads files on all cores.
type scanner struct {
	agent  string
	list   string // the count whose files are printed instead of a summary
	cmd    *cobra.Command
	bar    *progressbar.ProgressBar
	failed atomic.Bool

	mu sync.Mutex // for complaints
}

func (s *scanner) run(names []string, asJSON bool) (status int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process, in case a file never ends
	sum := s.scan(ctx, names)
	s.bar.Finish()
	switch {
	case sum.Files == 0: // the errors say why
	case s.list != "":
		sum.printNames(s.cmd.OutOrStdout())
	case asJSON:
		printJSON(s.cmd.OutOrStdout(), sum)
	default:
		sum.print(s.cmd.OutOrStdout())
	}
	switch {
	case ctx.Err() != nil:
		complain(s.cmd, fmt.Errorf("interrupted after %d files", sum.Files))
		return exitInterrupted, nil
	case s.failed.Load():
		return exitError, nil
	}
	return exitOK, nil
}

// scan reads files and folders until it is done or ctx is.
func (s *scanner) scan(ctx context.Context, names []string) *summary {
	start := time.Now()
	paths := make(chan string)
	go func() {
		defer close(paths)
		for _, name := range names {
			s.walk(ctx, name, paths)
		}
	}()
	workers := make([]*summary, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range workers {
		workers[i] = newSummary(s.agent, s.list)
		wg.Go(func() {
			for path := range paths {
				s.read(workers[i], path)
			}
		})
	}
	wg.Wait()
	sum := newSummary(s.agent, s.list)
	for _, w := range workers {
		sum.merge(w)
	}
	sum.Seconds = time.Since(start).Seconds()
	return sum
}

// walk sends the path of a file, or of those in a folder, until ctx is done.
func (s *scanner) walk(ctx context.Context, name string, paths chan<- string) {
	found := 0
	root := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		root = filepath.Clean(name) + string(filepath.Separator) // to walk what a link leads to
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.warn(err)
			found++ // so there is no need to say that nothing was found
			return nil
		case d.IsDir() || path != root && !(strings.EqualFold(filepath.Ext(path), ".txt") && isFile(path)):
			return nil
		}
		found++
		select {
		case paths <- path:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err == nil && found == 0 {
		s.warn(fmt.Errorf("%s: no .txt file in this folder", name))
	}
}

// isFile reports whether path is a file, or a link to one, and not a folder or a pipe
// that nobody may ever write to.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() // the error comes up when it is read
}

// read adds a file to a summary.
func (s *scanner) read(sum *summary, path string) {
	data, err := readRobots(s.cmd, path)
	if err != nil {
		s.warn(err)
		return
	}
	sum.add(path, data)
	s.bar.Add(1)
}

// warn prints an error that does not end the scan.
func (s *scanner) warn(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed.Store(true)
	s.bar.Clear()
	complain(s.cmd, err)
}

// A summary is what is known about many files.
type summary struct {
	Agent      string            `json:"agent"`
	Files      int               `json:"files"`
	Bytes      int64             `json:"bytes"`
	Groups     int               `json:"groups"`
	Rules      int               `json:"rules"`
	Allowed    int               `json:"allowed"` // files that let the agent fetch "/"
	Disallowed int               `json:"disallowed"`
	Findings   map[string]*count `json:"findings"` // by code
	Keys       map[string]*count `json:"keys"`
	Seconds    float64           `json:"seconds"`

	list  string   // the count whose files are asked for
	names []string // of these files
}

// A count says how many files have something, and how often.
type count struct {
	Files int `json:"files"`
	Times int `json:"times"`
}

func newSummary(agent, list string) *summary {
	return &summary{Agent: agent, list: list, Findings: map[string]*count{}, Keys: map[string]*count{}}
}

// add adds a file.
func (sum *summary) add(name string, data []byte) {
	sum.Files++
	sum.Bytes += int64(len(data))
	file := robotstxt.Parse(data)
	if file.Allowed(sum.Agent, "/") {
		sum.Allowed++
		sum.note("allowed", name)
	} else {
		sum.Disallowed++
		sum.note("disallowed", name)
	}
	sum.Groups += len(file.Groups())
	findings, keys := map[string]int{}, map[string]int{}
	for _, f := range lint.Check(data) {
		findings[f.Code] += 1 + f.More
	}
	if findings["not-robots-txt"] == 0 {
		for l := range robotstxt.Lines(data) {
			if key := keyName(l); key != "" {
				keys[key]++
			}
		}
	}
	sum.Rules += keys[robotstxt.AllowKind.String()] + keys[robotstxt.DisallowKind.String()]
	sum.addCounts(sum.Findings, name, findings)
	sum.addCounts(sum.Keys, name, keys)
}

// keyName returns the usual spelling of a line's key, or nothing if it
// does not look like a key.
func keyName(l robotstxt.Line) string {
	if l.Kind != robotstxt.OtherKind {
		return l.Kind.String()
	}
	const longest = 30
	key := strings.ToLower(l.Key)
	if len(key) > longest || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz-_") != "" {
		return ""
	}
	return key
}

// addCounts adds what one file has.
func (sum *summary) addCounts(all map[string]*count, file string, counts map[string]int) {
	for name, n := range counts {
		addCount(all, name, count{1, n})
		sum.note(name, file)
	}
}

// note keeps the name of a file behind a count, if that is the one to list.
func (sum *summary) note(count, file string) {
	if count == sum.list {
		sum.names = append(sum.names, file)
	}
}

func addCount(all map[string]*count, name string, more count) {
	c := all[name]
	if c == nil {
		c = new(count)
		all[name] = c
	}
	c.Files += more.Files
	c.Times += more.Times
}

// merge adds what another summary has.
func (sum *summary) merge(other *summary) {
	sum.Files += other.Files
	sum.Bytes += other.Bytes
	sum.Groups += other.Groups
	sum.Rules += other.Rules
	sum.Allowed += other.Allowed
	sum.Disallowed += other.Disallowed
	for name, c := range other.Findings {
		addCount(sum.Findings, name, *c)
	}
	for name, c := range other.Keys {
		addCount(sum.Keys, name, *c)
	}
	sum.names = append(sum.names, other.names...)
}

// printNames prints the names of the files behind the count to list.
func (sum *summary) printNames(w io.Writer) {
	for _, file := range slices.Sorted(slices.Values(sum.names)) {
		fmt.Fprintln(w, printable(file))
	}
}

// print prints the summary for people.
func (sum *summary) print(w io.Writer) {
	var text strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-10s  %s\n", name, fmt.Sprintf(format, args...))
	}
	row("files", "%d", sum.Files)
	row("size", "%s", megabytes(sum.Bytes))
	row("groups", "%d", sum.Groups)
	row("rules", "%d", sum.Rules)
	row("allowed", "%d files let %s fetch /", sum.Allowed, printable(sum.Agent))
	row("disallowed", "%d files do not", sum.Disallowed)
	row("time", "%.2f s, %.0f files per second", sum.Seconds, float64(sum.Files)/max(sum.Seconds, 1e-9))
	printCounts(&text, "findings", sum.Findings)
	printCounts(&text, "keys", sum.Keys)
	io.WriteString(w, text.String())
}

// printCounts prints the most common of some things.
func printCounts(w io.Writer, title string, counts map[string]*count) {
	const most = 15
	names := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y].Files, counts[x].Files), strings.Compare(x, y))
	})
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(w, "\nmost common %s\n%9s %9s\n", title, "files", "times")
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%9d %9d  %s\n", counts[name].Files, counts[name].Times, name)
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
