// Command crawl measures how fast robotstxt scan surveys the robots.txt files of a crawl. For
// comparison, it measures gzip -dc, and a program that only reads the captures. The command
// makes its own WARC files. Each capture in them has a different host, and contains one of the
// robots.txt files in the folder DIR. If there are more captures than robots.txt files, several
// captures contain the same one.
//
//	go run ./crawl -corpus DIR
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/survey"
)

var (
	corpus   = flag.String("corpus", "", "a `folder` of robots.txt files, whose names end in .txt")
	captures = flag.Int("captures", 100_000, "the number of captures to make")
	shards   = flag.Int("shards", 100, "the number of WARC files to spread the captures over")
	runs     = flag.Int("runs", 3, "how often to run each program; the command prints the run with the median time")
	million  = flag.Bool("million", false, "also scan ten times as many captures, to see whether this takes more memory")
	makeIn   = flag.String("make", "", "write the WARC files to a `folder`, print their decompressed size in MB, and measure nothing")
	readOnly = flag.Bool("read", false, "read the WARC files that are given as arguments, and measure nothing")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	err := errors.New("-corpus is missing")
	switch {
	case *readOnly:
		err = readAll(flag.Args())
	case *makeIn != "":
		size, makeErr := makeCrawl(*makeIn)
		fmt.Printf("%.0f", float64(size)/1e6)
		err = makeErr
	case *corpus != "":
		err = measure()
	}
	if err != nil {
		log.Fatal("crawl: ", err)
	}
}

// measure makes the WARC files, measures each program and prints a table.
func measure() error {
	dir, err := os.MkdirTemp("", "crawl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Make the files in a separate process, so that this process stays small. This process
	// starts the programs to be measured. On Linux, the peak memory of a new process is never
	// less than the memory of its parent.
	maker := exec.Command(self, append(os.Args[1:], "-make", dir)...)
	maker.Stderr = os.Stderr
	size, err := maker.Output()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		return err
	}
	command := filepath.Join(dir, "robotstxt")
	build := exec.Command("go", "build", "-o", command, ".")
	build.Dir = "../cmd/robotstxt"
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	fmt.Printf("%d captures in %d files, %s MB decompressed; %s, %d cores\n\n", *captures, *shards, size, runtime.Version(), runtime.NumCPU())
	fmt.Printf("%-32s %12s %12s %8s %8s\n", "", "captures/s", "per CPU s", "CPU s", "peak MB")
	for _, row := range table(dir, command, self, files) {
		if err := row.print(); err != nil {
			return err
		}
	}
	return nil
}

// makeCrawl writes the WARC files and returns their decompressed size in bytes.
func makeCrawl(dir string) (size int, err error) {
	names, err := filepath.Glob(filepath.Join(*corpus, "*.txt"))
	if err != nil || len(names) == 0 {
		return 0, cmp.Or(err, fmt.Errorf("the folder %s contains no .txt files", *corpus))
	}
	var bodies [][]byte
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		bodies = append(bodies, body)
	}
	for i := range *shards {
		var file []byte
		for n := i; n < *captures; n += *shards {
			url := fmt.Sprintf("https://www%d.example/robots.txt", n)
			record := warctest.Response(url, time.Unix(1_800_000_000, 0), 200, "Content-Type: text/plain\r\n", bodies[n%len(bodies)])
			size += len(record)
			file = append(file, warctest.Gzip(record)...)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.warc.gz", i)), file, 0o666); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// A row of the table shows the measurements of one program.
type row struct {
	name     string
	captures int      // number of captures that the program reads
	args     []string // the program and its arguments
}

func table(dir, command, self string, files []string) []row {
	scan := []string{command, "scan", "--json"}
	for _, agent := range []string{"*", "Googlebot", "GPTBot", "CCBot", "bingbot"} {
		scan = append(scan, "--agent", agent)
	}
	with := func(args ...string) []string { return append(append(slices.Clone(scan), args...), files...) }
	rows := []row{
		{"gzip -dc", *captures, append([]string{"gzip", "-dc"}, files...)},
		{"reading alone", *captures, append([]string{self, "-read"}, files...)},
		{"scan, no lint, 1 worker", *captures, with("--no-lint", "--workers=1")},
		{"scan, no lint, 2 workers", *captures, with("--no-lint", "--workers=2")},
		{"scan, 1 worker", *captures, with("--workers=1")},
		{"scan, 2 workers", *captures, with("--workers=2")},
	}
	records := slices.DeleteFunc(with("--no-lint", "--workers=2", "--records"), func(s string) bool { return s == "--json" })
	rows = append(rows, row{"--records, no lint, 2 workers", *captures, records})
	if *million {
		list := filepath.Join(dir, "list")
		text := strings.Repeat(strings.Join(files, "\n")+"\n", 10)
		if err := os.WriteFile(list, []byte(text), 0o666); err != nil {
			log.Fatal("crawl: ", err)
		}
		rows = append(rows, row{"scan, ten times the captures", 10 * *captures, append(slices.Clone(scan), "--paths", list)})
	}
	return rows
}

// A result is the time and memory that one run of a program used.
type result struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

// print runs a program several times, and prints the figures of the run with the median time.
func (r row) print() error {
	var all []result
	for range *runs {
		one, err := run(r.args)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(x, y result) int { return cmp.Compare(x.wall, y.wall) })
	m := all[len(all)/2]
	fmt.Printf("%-32s %12.0f %12.0f %8.2f %8.1f\n", r.name, float64(r.captures)/m.wall.Seconds(),
		float64(r.captures)/m.cpu.Seconds(), m.cpu.Seconds(), float64(m.peak)/(1<<20))
	return nil
}

// run runs a program and discards its output.
func run(args []string) (result, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return result{}, err
	}
	wall := time.Since(start)
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return result{}, errors.New("this system does not report how much memory a process used")
	}
	return result{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), int64(usage.Maxrss) << 10}, nil
}

// readAll reads WARC files in the same way as robotstxt scan, but ignores the captures.
func readAll(files []string) error {
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		captures := survey.NewReader(f, name)
		for err == nil {
			_, err = captures.Next()
		}
		f.Close()
		if err != io.EOF {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
