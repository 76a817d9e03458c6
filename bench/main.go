// Command bench measures the speed and memory use of robotstxt and of two other Go libraries.
// With -peer, it also measures libraries in any language.
//
// Usage:
//
//	go run . [-corpus DIR] [-only parse|match] [-markdown] [-rounds N] [-peer NAME=COMMAND]...
//
// DIR is a folder of robots.txt files whose names end in .txt. Without -corpus, the command
// generates 1,000 files like those on the web, the same in every run. The command measures the
// time of every library once in each round, and prints the median.
//
// COMMAND is a program that uses another library, such as Google's in C++. README.md
// describes what the program must read and write.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
)

func main() {
	corpus := flag.String("corpus", "", "a `folder` of robots.txt files (default: generated files)")
	markdown := flag.Bool("markdown", false, "print the table as Markdown")
	rounds := flag.Int("rounds", 9, "the number of times to repeat each measurement; the command prints the median")
	only := flag.String("only", "", `measure only "parse" or "match"`)
	var peers peerFlag
	flag.Var(&peers, "peer", "a program that uses another library, as `NAME=COMMAND`; may be repeated")
	flag.Parse()
	if err := run(*corpus, *only, *markdown, *rounds, peers); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(folder, only string, markdown bool, rounds int, peers []peer) error {
	files, err := readCorpus(folder)
	if err != nil {
		return err
	}
	m := meter{rounds: rounds}
	var rows []row
	if only != "match" {
		list, err := fileRows(m, files, peers)
		if err != nil {
			return err
		}
		rows = append(rows, list...)
	}
	if only != "parse" {
		rows = append(rows, matchRows(m)...)
	}
	fmt.Printf("%s, %s/%s, %d cores; %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), describe(files))
	if markdown {
		printMarkdown(rows)
	} else {
		printText(rows)
	}
	return nil
}

// A row is one line of the table.
type row struct {
	what   string
	target string
	ours   string
	ratio  string // how many times better robotstxt is than each peer
	peers  string
}

var header = row{"what", "target", "ours", "ratio", "peers"}

func (r row) cells() []string { return []string{r.what, r.target, r.ours, r.ratio, r.peers} }

func printText(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range append([]row{header}, rows...) {
		fmt.Fprintln(w, strings.Join(r.cells(), "\t"))
	}
	w.Flush()
}

func printMarkdown(rows []row) {
	for i, r := range append([]row{header}, rows...) {
		fmt.Println("| " + strings.Join(r.cells(), " | ") + " |")
		if i == 0 {
			fmt.Println(strings.Repeat("|---", len(r.cells())) + "|")
		}
	}
}
