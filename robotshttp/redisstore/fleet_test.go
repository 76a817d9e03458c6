//go:build unix

package redisstore_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
)

// childEnv is the environment variable with the crawler, in JSON, that a child process runs.
const childEnv = "REDISSTORE_TEST_CRAWLER"

func TestMain(m *testing.M) {
	orders := os.Getenv(childEnv)
	if orders == "" {
		flag.Set("test.parallel", "8") // most tests wait
		os.Exit(m.Run())
	}
	var c crawler
	err := json.Unmarshal([]byte(orders), &c)
	if err == nil {
		err = c.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A crawler describes what one process of a fleet does: it gets the robots.txt of Sites
// sites, visits one site for Visit, or crawls all sites of TestStress for Crawl.
type crawler struct {
	Redis string // the address of Redis
	Web   string // the address of the server that answers for all sites
	Sites int
	Visit time.Duration
	Crawl time.Duration
	Wait  bool // Cache.WaitForPacer during a Crawl

	Timeout time.Duration // for each fetch; a minute if it is zero
}

// A report is what a crawler writes to its standard output.
type report struct {
	Stats  robotshttp.Stats
	Starts []time.Time // of requests for pages
}

// run waits until standard input ends, crawls, and writes a report. If c.Crawl is set, it does
// not wait.
func (c *crawler) run() error {
	store, err := redisstore.New(context.Background(), redisstore.Options{Redis: optionsFor(c.Redis), Lazy: c.Crawl > 0})
	if err != nil {
		return err
	}
	defer store.Close()
	if c.Crawl > 0 {
		cache := &robotshttp.Cache{UserAgent: fmt.Sprintf("FooBot/%d", os.Getpid()), Client: &http.Client{Transport: everywhere(c.Web)}, Store: store, MaxDelay: time.Minute, WaitForPacer: c.Wait}
		return c.crawl(&http.Client{Transport: &robotshttp.Transport{Cache: cache, Base: cache.Client.Transport}}, cache)
	}
	cache := newCache(c.Web, store)
	cache.MaxDelay, cache.WaitForPacer = time.Minute, true // on a busy machine, the Pacer may be too slow
	cache.Timeout = cmp.Or(c.Timeout, time.Minute)
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	var r report
	if c.Visit > 0 {
		r.Starts = visit(cache, c.Visit)
	} else {
		err = askAll(cache, c.Sites)
	}
	if err != nil {
		return err
	}
	r.Stats = cache.Stats()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// newCache returns a Cache that sends the requests for all hosts to the server at web.
func newCache(web string, store robotshttp.Store) *robotshttp.Cache {
	return &robotshttp.Cache{
		UserAgent: "FooBot/1.0",
		Client:    &http.Client{Transport: everywhere(web)},
		Timeout:   time.Minute,
		Store:     store,
		Logger:    slog.New(slog.DiscardHandler),
	}
}

func everywhere(web string) *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, web)
	}}
}

func site(i int) string { return fmt.Sprintf("http://site%d.example", i) }

// askAll calls ask for each site, for several sites at the same time.
func askAll(cache *robotshttp.Cache, sites int) error {
	order := make(chan int, sites)
	for _, i := range rand.Perm(sites) {
		order <- i
	}
	close(order)
	errs := make(chan error, sites)
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for i := range order {
				errs <- ask(cache, site(i))
			}
		})
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

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

// visit requests pages of one site for d, from several goroutines, and returns when the
// requests started.
func visit(cache *robotshttp.Cache, d time.Duration) []time.Time {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	var recorder startRecorder
	recorder.base = cache.Client.Transport
	client := &http.Client{Transport: &robotshttp.Transport{Cache: cache, Base: &recorder}}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for request(ctx, client) == nil {
			}
		})
	}
	group.Wait()
	return recorder.starts
}

// request requests a page. It fails if the request would have to wait until after the end of
// its context.
func request(ctx context.Context, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site(0)+"/", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A startRecorder is an http.RoundTripper that records when requests start.
type startRecorder struct {
	base   http.RoundTripper
	mu     sync.Mutex
	starts []time.Time
}

func (r *startRecorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.starts = append(r.starts, time.Now())
	r.mu.Unlock()
	return r.base.RoundTrip(req)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A process is a running crawler.
type process struct {
	*exec.Cmd
	input  io.Closer
	output io.Reader
}

// start starts a process, which waits until its standard input ends.
func (c crawler) start(t *testing.T) *process {
	t.Helper()
	orders, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Env = append(os.Environ(), childEnv+"="+string(orders))
	p.Stderr = os.Stderr
	input, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.input, p.output = input, output
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	if _, err := fmt.Fscanf(output, "ready\n"); err != nil {
		t.Fatal(err)
	}
	return p
}

// startFleet starts n processes, and then lets all of them crawl at the same time.
func startFleet(t *testing.T, n int, c crawler) []*process {
	t.Helper()
	var fleet []*process
	for range n {
		fleet = append(fleet, c.start(t))
	}
	for _, p := range fleet {
		p.input.Close()
	}
	return fleet
}

// reports waits for the processes and returns their reports.
func reports(t *testing.T, fleet []*process) []report {
	t.Helper()
	var all []report
	for _, p := range fleet {
		var r report
		if err := json.NewDecoder(p.output).Decode(&r); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// A web answers for all sites and counts the requests for each robots.txt.
type web struct {
	mu      sync.Mutex
	fetches map[string]int // by host
	total   atomic.Int64
	onFetch func(n int64) // if not nil, called in each fetch with the number of fetches so far
}

func (w *web) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	if req.URL.Path != "/robots.txt" {
		return
	}
	n := w.total.Add(1)
	w.mu.Lock()
	w.fetches[req.Host]++
	w.mu.Unlock()
	if w.onFetch != nil {
		w.onFetch(n)
	}
	io.WriteString(rw, "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n")
}

func (w *web) start(t *testing.T) (addr string) {
	w.fetches = make(map[string]int)
	s := httptest.NewServer(w)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// However many processes need the robots.txt of a site at the same time, it is fetched once.
func TestFleetFetchesOnce(t *testing.T) {
	const processes, sites = 8, 100
	redis := startRedis(t)
	for range 3 {
		var w web
		c := crawler{Redis: redis.Addr, Web: w.start(t), Sites: sites}
		command(t, redis.Addr, "FLUSHALL")
		var sum robotshttp.Stats
		for _, r := range reports(t, startFleet(t, processes, c)) {
			sum.Fetches += r.Stats.Fetches
			sum.StoreHits += r.Stats.StoreHits
			sum.StoreErrors += r.Stats.StoreErrors
		}
		if sum.StoreErrors > 0 {
			t.Logf("%d calls of the Store took too long; trying again", sum.StoreErrors)
			continue
		}
		if n := w.total.Load(); n != sites || sum.Fetches != sites || sum.StoreHits != (processes-1)*sites {
			t.Errorf("%d requests for a robots.txt, want %d; sum of the Stats %+v", n, sites, sum)
		}
		for host, n := range w.fetches {
			if n != 1 {
				t.Errorf("%d requests for the robots.txt of %s, want 1", n, host)
			}
		}
		return
	}
	t.Error("calls of the Store took too long in all three runs; the machine is too busy")
}

// Processes that visit the same site obey its crawl-delay together.
func TestFleetKeepsPace(t *testing.T) {
	const processes, delay = 8, 200 * time.Millisecond
	redis := startRedis(t)
	var w web
	c := crawler{Redis: redis.Addr, Web: w.start(t), Visit: 3 * time.Second}
	var starts []time.Time
	for i, r := range reports(t, startFleet(t, processes, c)) {
		t.Logf("process %d: %d requests, %+v", i, len(r.Starts), r.Stats)
		starts = append(starts, r.Starts...)
	}
	slices.SortFunc(starts, time.Time.Compare)
	if len(starts) < 2 {
		t.Fatalf("%d requests, want at least 2", len(starts))
	}
	smallest, short := time.Hour, 0
	for i, next := range starts[1:] {
		gap := next.Sub(starts[i])
		smallest = min(smallest, gap)
		if gap < delay*9/10 { // the system may suspend a process just before it starts a request
			short++
		}
	}
	t.Logf("%d requests; smallest gap %v; %d short gaps", len(starts), smallest, short)
	if short > len(starts)/5 || starts[len(starts)-1].Sub(starts[0]) < time.Duration(len(starts)-1)*delay*9/10 {
		t.Errorf("%d of %d requests came less than %v after the one before", short, len(starts), delay*9/10)
	}
}

// If a process dies while it fetches, its lock expires, and another process fetches the file.
func TestLockHolderIsKilled(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	asked, dead := make(chan struct{}), make(chan struct{})
	w := web{onFetch: func(n int64) {
		if n == 1 {
			close(asked)
			<-dead
		}
	}}
	addr := w.start(t)
	holder := crawler{Redis: redis.Addr, Web: addr, Sites: 1, Timeout: time.Second}.start(t)
	holder.input.Close()
	<-asked

	cache := newCache(addr, newStore(t, redis.Addr))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := cache.Get(ctx, site(0)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want a timeout, because the lock is held", err)
	}
	holder.Process.Kill()
	holder.Wait()
	close(dead)
	if r, err := cache.Get(t.Context(), site(0)); err != nil || r.Outcome != robotshttp.Fetched {
		t.Errorf("outcome %q, want %q; error %v", r.Outcome, robotshttp.Fetched, err)
	}
	if n := w.total.Load(); n != 2 {
		t.Errorf("%d fetches, want 2", n)
	}
	if err := ask(cache, site(0)); err != nil {
		t.Error(err)
	}
}

// If Redis dies while a fleet crawls, the fleet fetches some files several times, but makes no
// other mistake. After a restart, Redis is used again.
func TestRedisIsKilled(t *testing.T) {
	const processes, sites = 4, 200
	redis := startRedis(t)
	back := make(chan error, 1)
	w := web{onFetch: func(n int64) {
		switch n {
		case sites / 4:
			redis.Kill()
		case sites:
			go func() { back <- redis.Restart() }()
		}
	}}
	addr := w.start(t)
	all := reports(t, startFleet(t, processes, crawler{Redis: redis.Addr, Web: addr, Sites: sites}))
	if err := <-back; err != nil {
		t.Fatal(err)
	}
	if n := w.total.Load(); n < sites || n > processes*sites {
		t.Errorf("%d fetches, want %d to %d", n, sites, processes*sites)
	}
	for i, r := range all {
		t.Logf("process %d: %+v", i, r.Stats)
	}
	store := newStore(t, redis.Addr)
	last := site(sites)
	await(t, "a process finds what another has stored", func() bool {
		r, err := newCache(addr, store).Get(t.Context(), last)
		if err != nil || r.File.Allowed("FooBot", last+"/private/x") {
			t.Fatalf("the Result %+v allows a disallowed path, or error %v", r, err)
		}
		return r.Outcome == robotshttp.Cached
	})
}

// A stored value with any wrong byte is not used, so a disallow cannot become an allow.
func TestFlippedBytes(t *testing.T) {
	redis := startRedis(t)
	store := newStore(t, redis.Addr)
	var w web
	addr := w.start(t)
	cache := newCache(addr, store)
	if err := ask(cache, site(0)); err != nil {
		t.Fatal(err)
	}
	key := site(0) + "/robots.txt"
	await(t, "the value is stored", func() bool {
		_, ok, _ := store.Get(t.Context(), key)
		return ok
	})
	value, _, err := store.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	wantCached(t, store, robotshttp.Cached)
	for i := range value {
		for _, bits := range []byte{1, 0xFF} {
			flipped := bytes.Clone(value)
			flipped[i] ^= bits
			if err := store.Set(t.Context(), key, flipped, time.Hour); err != nil {
				t.Fatal(err)
			}
			wantCached(t, store, robotshttp.Unreachable)
		}
	}
	t.Logf("tested with each of %d bytes", len(value))
}

// wantCached checks the outcome for a Cache that has the Store but reaches no server. The file
// must disallow a path.
func wantCached(t *testing.T, store robotshttp.Store, want robotshttp.Outcome) {
	t.Helper()
	c := newCache("127.0.0.1:0", store)
	c.Client = &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("no server")
	})}
	r, err := c.Get(t.Context(), site(0))
	if err != nil || r.Outcome != want || r.File.Allowed("FooBot", site(0)+"/private/x") {
		t.Fatalf("%+v, error %v, want outcome %q and a disallowed path", r, err, want)
	}
}
