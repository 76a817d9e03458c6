// Command example shows a fleet of crawlers that share their robots.txt files and crawl-delays.
// It starts many sites and the crawlers, and prints a line of statistics for each crawler.
//
// Usage:
//
//	go run ./example [-crawlers N] [-sites N] [-visit DURATION] [-redis URL]
//
// Each crawler gets the robots.txt of every site, in a random order. Then all crawlers visit
// the same site, which has a crawl-delay of 0.2 seconds. The crawlers share nothing except
// Redis, as if each ran on a different machine. Without -redis, the command starts
// redis-server, which must be installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"text/tabwriter"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore/internal/redisserver"
)

func main() {
	var f fleet
	flag.IntVar(&f.crawlers, "crawlers", 8, "the number of crawlers")
	flag.IntVar(&f.sites, "sites", 100, "the number of sites")
	flag.DurationVar(&f.visit, "visit", 25*time.Second, "how long the crawlers request pages from the site with a crawl-delay")
	flag.StringVar(&f.redis, "redis", "", "the `URL` of a Redis or Valkey server; by default, the command starts one")
	flag.Parse()
	if err := f.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

// A fleet is a group of crawlers that all do the same work.
type fleet struct {
	crawlers, sites int
	visit           time.Duration
	redis           string
	prefix          string // the prefix of keys in Redis
	web             *web
}

// run runs the fleet and prints what it did.
func (f *fleet) run(out io.Writer) error {
	if f.redis == "" {
		dir, err := os.MkdirTemp("", "redisstore-example-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		server, err := redisserver.Start(dir)
		if err != nil {
			return err
		}
		defer server.Kill()
		f.redis = "redis://" + server.Addr
	}
	f.prefix = fmt.Sprintf("robotstxt-example-%d:", os.Getpid()) // a new prefix for each run
	f.web = startWeb()
	defer f.web.server.Close()
	if err := f.crawl(out); err != nil {
		return err
	}
	pages, gap := f.web.visits()
	_, err := fmt.Fprintf(out, `
The sites received %d requests for a robots.txt.
The site with a crawl-delay of 0.2 seconds received %d requests for pages, at least %v apart.
`, f.web.files.Load(), pages, gap.Round(time.Millisecond))
	return err
}

// crawl runs the crawlers at the same time, and prints a table of their statistics.
func (f *fleet) crawl(out io.Writer) error {
	type report struct {
		stats robotshttp.Stats
		pages int
		err   error
	}
	reports := make(chan report)
	for range f.crawlers {
		go func() {
			stats, pages, err := f.crawler()
			reports <- report{stats, pages, err}
		}()
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "crawler\tfetched\tfrom the fleet\tfrom memory\tfailures of Redis\tpages\t")
	var err error
	for i := range f.crawlers {
		r := <-reports
		err = errors.Join(err, r.err)
		s := r.stats
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t\n", i+1, s.Fetches, s.StoreHits, s.Hits, s.StoreErrors, r.pages)
	}
	w.Flush()
	return err
}

// crawler gets the robots.txt of all sites. Then it requests the same page of site 0 again and
// again, until the time f.visit has passed.
func (f *fleet) crawler() (stats robotshttp.Stats, pages int, err error) {
	options, err := rueidis.ParseURL(f.redis)
	if err != nil {
		return stats, 0, err
	}
	store, err := redisstore.New(context.Background(), redisstore.Options{Redis: options, Prefix: f.prefix})
	if err != nil {
		return stats, 0, err
	}
	defer store.Close()
	transport := robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", f.web.transport())
	transport.Cache.Store = store

	for _, i := range rand.Perm(f.sites) {
		if _, err := transport.Cache.Get(context.Background(), site(i)); err != nil {
			return stats, 0, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.visit)
	defer cancel()
	client := &http.Client{Transport: transport}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, site(0)+"/page", nil)
		if err != nil {
			return stats, pages, err
		}
		resp, err := client.Do(req)
		if err != nil { // ctx leaves no time for another request
			return transport.Cache.Stats(), pages, nil
		}
		resp.Body.Close()
		pages++
	}
}

func site(i int) string { return fmt.Sprintf("http://site%d.example", i) }
