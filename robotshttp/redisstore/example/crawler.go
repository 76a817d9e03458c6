package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
)

// The instructions for a crawler process.
type orders struct {
	Redis  string // its URL
	Prefix string // of the keys
	Web    string // the address of the server that has all sites
	Sites  int
	Visit  time.Duration
}

// A report sums up what a crawler did.
type report struct {
	Stats robotshttp.Stats
	Pages int
}

// crawl follows its orders and writes a report.
func crawl(text string, out io.Writer) error {
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	options, err := rueidis.ParseURL(o.Redis)
	if err != nil {
		return err
	}
	store, err := redisstore.New(context.Background(), redisstore.Options{Redis: options, Prefix: o.Prefix})
	if err != nil {
		return err
	}
	defer store.Close()
	transport := robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", o.toWeb())
	transport.Cache.Store = store
	transport.Cache.MaxDelay = time.Minute // Keep crawl-delays.

	if err := o.ask(transport.Cache); err != nil {
		return err
	}
	pages, err := o.visit(&http.Client{Transport: transport})
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(report{Stats: transport.Cache.Stats(), Pages: pages})
}

// ask asks for the robots.txt of each site.
func (o orders) ask(cache *robotshttp.Cache) error {
	for _, i := range rand.Perm(o.Sites) {
		if _, err := cache.Get(context.Background(), site(i)); err != nil {
			return err
		}
	}
	return nil
}

// visit requests a page of one site again and again, and returns how often.
func (o orders) visit(client *http.Client) (pages int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Visit)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, site(0)+"/page", nil)
		if err != nil {
			return pages, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return pages, nil // The next turn comes after the end of the visit.
		}
		resp.Body.Close()
		pages++
	}
}

// toWeb returns a transport that sends requests for any host to the server.
func (o orders) toWeb() http.RoundTripper {
	var d net.Dialer
	return &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return d.DialContext(ctx, network, o.Web)
	}}
}

// site returns the URL of a site.
func site(i int) string { return fmt.Sprintf("http://site%d.example", i) }
