//go:build unix

package redisstore_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // most tests wait
	os.Exit(m.Run())
}

// A web answers for all sites and records the requests.
type web struct {
	mu      sync.Mutex
	fetches map[string]int // requests for a robots.txt, by host
	pages   []time.Time    // when pages were requested
}

func (w *web) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if req.URL.Path == "/robots.txt" {
		w.fetches[req.Host]++
		io.WriteString(rw, "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n")
		return
	}
	w.pages = append(w.pages, time.Now())
}

func (w *web) start(t *testing.T) (addr string) {
	w.fetches = make(map[string]int)
	s := httptest.NewServer(w)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// newCache returns a Cache that sends the requests for all hosts to the server at web.
func newCache(web string, store robotshttp.Store) *robotshttp.Cache {
	return &robotshttp.Cache{
		UserAgent: "FooBot/1.0",
		Client: &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, web)
		}}},
		Timeout: time.Minute,
		Store:   store,
		Logger:  slog.New(slog.DiscardHandler),
	}
}

func site(i int) string { return fmt.Sprintf("http://site%d.example", i) }

// ask checks that a Cache allows only what the robots.txt from a web allows.
func ask(cache *robotshttp.Cache, site string) error {
	for path, want := range map[string]bool{"/": true, "/private/x": false} {
		d, err := cache.Decide(context.Background(), site+path)
		if err != nil || d.Allowed != want {
			return fmt.Errorf("%s%s: %v, want allowed %t; error %v", site, path, d, want, err)
		}
	}
	return nil
}

// A fleet of Caches, each with a Store of its own, fetches each robots.txt once, and obeys the
// crawl-delay of a site together.
func TestFleet(t *testing.T) {
	const caches, sites, pages, delay = 4, 20, 3, 200 * time.Millisecond
	redis := startRedis(t)
	var w web
	addr := w.start(t)
	var group sync.WaitGroup
	var all []*robotshttp.Cache
	for range caches {
		c := newCache(addr, newStore(t, redis.Addr))
		c.WaitForStore = true // on a busy machine, Redis may be too slow
		all = append(all, c)
		group.Go(func() {
			for i := range sites {
				if err := ask(c, site(i)); err != nil {
					t.Error(err)
				}
			}
			client := &http.Client{Transport: &robotshttp.Transport{Cache: c, Base: c.Client.Transport}}
			for range pages {
				resp, err := client.Get(site(0) + "/")
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
			}
		})
	}
	group.Wait()
	var failed int64
	for _, c := range all {
		failed += c.Stats().StoreErrors
	}
	for host, n := range w.fetches {
		if n != 1 && failed == 0 {
			t.Errorf("%d requests for the robots.txt of %s, want 1", n, host)
		}
	}
	if n := len(w.pages); n != caches*pages {
		t.Fatalf("%d requests for pages, want %d", n, caches*pages)
	}
	if d := w.pages[len(w.pages)-1].Sub(w.pages[0]); d < (caches*pages-1)*delay*9/10 {
		t.Errorf("%d requests in %v, with a crawl-delay of %v", len(w.pages), d, delay)
	}
}
