// Command example shows a fleet of crawlers that share their robots.txt files and
// their pace. It starts a web of many sites, a Redis, and the processes of the
// fleet, and prints a line of statistics for each process.
//
// Usage:
//
//	go run ./example [-processes N] [-sites N] [-visit DURATION] [-redis URL]
//
// Each process asks for the robots.txt of every site, in its own order, and then
// visits one site, whose crawl-delay is 0.2 seconds. Without a URL, redis-server
// must be installed. Everything happens on this machine.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"text/tabwriter"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore/internal/redisserver"
)

// ordersEnv is the environment variable with a crawler's orders, as JSON.
const ordersEnv = "REDISSTORE_EXAMPLE_ORDERS"

func main() {
	if text := os.Getenv(ordersEnv); text != "" {
		exitIf(crawl(text, os.Stdout))
		return
	}
	var f fleet
	flag.IntVar(&f.processes, "processes", 8, "how many crawlers there are")
	flag.IntVar(&f.orders.Sites, "sites", 100, "how many sites there are")
	flag.DurationVar(&f.orders.Visit, "visit", 3*time.Second, "how long one site is visited")
	flag.StringVar(&f.orders.Redis, "redis", "", "the `URL` of a Redis or Valkey to use, instead of starting one")
	flag.Parse()
	exitIf(f.run(os.Stdout))
}

func exitIf(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

// A fleet is a number of crawlers with the same orders.
type fleet struct {
	processes int
	orders    orders
}

// run runs the fleet and prints what it did.
func (f fleet) run(out io.Writer) error {
	if f.orders.Redis == "" {
		stop, err := f.startRedis()
		if err != nil {
			return err
		}
		defer stop()
	}
	w := startWeb()
	defer w.server.Close()
	f.orders.Web = w.server.Listener.Addr().String()
	f.orders.Prefix = fmt.Sprintf("robotstxt-example-%d:", os.Getpid()) // Ignore what an earlier run stored.
	reports, err := f.crawl()
	if err != nil {
		return err
	}
	printReports(out, reports)
	_, err = fmt.Fprintf(out, "\nThe sites were asked for a robots.txt %d times.\n", w.files.Load())
	if gap, ok := w.leastGap(); err == nil && ok {
		_, err = fmt.Fprintf(out, "The site with a crawl-delay of 0.2 seconds was asked for %d pages, at least %v apart.\n",
			len(w.pages), gap.Round(time.Millisecond))
	}
	return err
}

// startRedis starts a redis-server.
func (f *fleet) startRedis() (stop func(), err error) {
	dir, err := os.MkdirTemp("", "redisstore-example-")
	if err != nil {
		return nil, err
	}
	s, err := redisserver.Start(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	f.orders.Redis = "redis://" + s.Addr
	return func() {
		s.Kill()
		os.RemoveAll(dir)
	}, nil
}

// crawl starts the processes and returns their reports.
func (f fleet) crawl() ([]report, error) {
	text, err := json.Marshal(f.orders)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	type result struct {
		report report
		err    error
	}
	results := make(chan result)
	for range f.processes {
		go func() {
			var r result
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), ordersEnv+"="+string(text))
			cmd.Stderr = os.Stderr
			output, err := cmd.Output()
			r.err = errors.Join(err, json.Unmarshal(output, &r.report))
			results <- r
		}()
	}
	var reports []report
	for range f.processes {
		r := <-results
		reports, err = append(reports, r.report), errors.Join(err, r.err)
	}
	return reports, err
}

func printReports(out io.Writer, reports []report) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "process\tfetched\tfrom the fleet\tfrom memory\tfailures of Redis\tpages\t")
	for i, r := range reports {
		s := r.Stats
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t\n", i+1, s.Fetches, s.StoreHits, s.Hits, s.StoreErrors, r.Pages)
	}
	w.Flush()
}
