package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// A column holds the results of one implementation.
type column struct {
	name    string
	results []result
}

// resultsCommand tests each implementation that a file lists, and prints the results as
// Markdown tables.
func resultsCommand(args []string, stdout, stderr io.Writer) error {
	flags, testdata := newFlags("results", stderr)
	timeout := flags.Duration("timeout", time.Minute, "the time limit for each answer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return usageError("results needs one argument, the file that lists the adapters")
	}
	topics, err := readTopics(*testdata)
	if err != nil {
		return err
	}
	list, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer list.Close()
	var columns []column
	for s := bufio.NewScanner(list); s.Scan(); {
		name, command, ok := strings.Cut(s.Text(), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		a := &adapter{command: strings.Fields(os.ExpandEnv(command)), timeout: *timeout, stderr: stderr}
		results, err := ask(a, topics)
		a.stop()
		if err != nil {
			fmt.Fprintf(stderr, "SKIPPED %s: %v\n", name, err)
			continue
		}
		columns = append(columns, column{name, results})
	}
	if len(columns) == 0 {
		return fmt.Errorf("no adapter in %s could be run", flags.Arg(0))
	}
	fmt.Fprintf(stdout, "# Results\n\nWritten by `conformance results` on %s, with %s on %s/%s.\n\n",
		time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	printTotals(stdout, columns)
	printTopics(stdout, columns)
	return nil
}

// printTotals prints a table with the totals for each level.
func printTotals(w io.Writer, columns []column) {
	printHeader(w, "", columns)
	for _, l := range levels {
		printCells(w, "`"+l.name+"`: right", columns, func(c column) string {
			sum := total(l.name, c.results)
			return share(sum.passed, sum.passed+sum.failed)
		})
		printCells(w, "`"+l.name+"`: topics without a failure", columns, func(c column) string {
			return share(countTopics(l.name, c.results))
		})
		if l.name != "ours" {
			printCells(w, "`"+l.name+"`: open questions with the same verdict as robotstxt", columns, func(c column) string {
				sum := total(l.name, c.results)
				return share(sum.agreed, sum.open)
			})
		}
	}
	printCells(w, "answers that name the same line as robotstxt", columns, func(c column) string {
		sum := total("", c.results)
		return share(sum.rightLines, sum.lines)
	})
}

// printTopics prints a table with a row for each topic of the levels rfc and google.
func printTopics(w io.Writer, columns []column) {
	fmt.Fprint(w, "\nRight answers by topic. Open questions do not count here, because either verdict is right for them:\n\n")
	printHeader(w, "topic", columns)
	for i, r := range columns[0].results {
		if r.topic.Level != "ours" {
			printCells(w, r.topic.Topic, columns, func(c column) string {
				r := c.results[i]
				return share(r.passed, r.passed+r.failed)
			})
		}
	}
}

func printHeader(w io.Writer, first string, columns []column) {
	fmt.Fprintf(w, "| %s |", first)
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.name)
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat("---|", len(columns)+1))
}

func printCells(w io.Writer, first string, columns []column, cell func(column) string) {
	fmt.Fprintf(w, "| %s |", first)
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", cell(c))
	}
	fmt.Fprintln(w)
}
