// Command bench measures the speed and memory use of robotstxt and of two other Go libraries.
// With -peer, it also measures libraries in any language.
//
// Usage, in this folder:
//
//	go run . -corpus DIR [-rounds N] [-peer NAME=COMMAND]...
//
// DIR is a folder of robots.txt files whose names end in .txt. The command measures the time of
// every library once in each round, and prints the median. Use a machine that does nothing
// else.
//
// The rows "Parse + one Allowed" parse every file and ask whether it allows one URL. A crawler
// does this for the first URL of a site. The files of most sites are at most 16 KiB long and
// are not HTML pages; the rows with "ordinary files" measure only such files. The rows "Match"
// ask about URLs after the file has been parsed, as a crawler does for all other URLs of a
// site. The rows "memory" measure how much memory parsed files take, divided by the size of
// the files.
//
// # Other languages
//
// A peer is a small program that uses another library, such as Google's in C++. The benchmark
// runs it as COMMAND AGENT URL FILE... The program must read all files into memory. Then, for
// each line on standard input, it must parse all files, ask each of them whether the agent may
// fetch the URL, write a line with the number of files that allow the URL, and flush its
// output. If the library refuses a file, instead of skipping what it cannot read, the line goes on
// with a blank and the number of the file, which counts from 1: in "88 3 17", files 3 and 17 are
// refused. The benchmark leaves these files out of the row for all libraries, and says how many. The
// program must end when its input ends. Only the work for a line is timed.
//
// Compile the program with the optimizations that users of its library would choose, such as
// g++ -O3 -march=native. Before you trust its figures, run it by hand. It must print about the
// same number as the programs for other libraries:
//
//	echo | ./google FooBot https://www.example.com/ DIR/*.txt
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
	corpus := flag.String("corpus", "", "a `folder` of robots.txt files")
	rounds := flag.Int("rounds", 9, "the number of times to repeat each measurement; the command prints the median")
	var peers peerFlag
	flag.Var(&peers, "peer", "a program that uses another library, as `NAME=COMMAND`; may be repeated")
	flag.Parse()
	if err := run(*corpus, *rounds, peers); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(folder string, rounds int, peers []peer) error {
	files, err := readCorpus(folder)
	if err != nil {
		return err
	}
	m := meter{rounds: rounds}
	rows, err := fileRows(m, files, peers)
	if err != nil {
		return err
	}
	rows = append(rows, matchRows(m)...)
	fmt.Printf("%s, %s/%s, %d cores; %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), describe(files))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range append([]row{header}, rows...) {
		fmt.Fprintln(w, strings.Join(r.cells(), "\t"))
	}
	return w.Flush()
}

// A row is one line of the table.
type row struct {
	what  string
	ours  string
	ratio string // how many times better robotstxt is than each peer
	peers string
}

var header = row{"what", "ours", "ratio", "peers"}

func (r row) cells() []string { return []string{r.what, r.ours, r.ratio, r.peers} }
