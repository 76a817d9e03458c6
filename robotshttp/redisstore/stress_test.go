//go:build unix

package redisstore_test

import (
	"context"
	"encoding/json"
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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore/internal/redisserver"
)

var stress = flag.String("stress", "", "the fault to test a fleet with: load, kill, stop, latency, node, or all")

// TestStress measures how a fleet of 8 processes behaves under faults, and logs which requests
// the sites received. It takes half a minute for each fault. Nothing else should run on the
// machine:
//
//	go test -run Stress -v -stress all
func TestStress(t *testing.T) {
	if *stress == "" {
		t.Skip("SKIPPED: a measurement; use -stress all")
	}
	t.Log("fault: fetches for number of sites; smallest gap for crawl-delays of 0.2 s and 1 s, with the number of short gaps; requests too soon after a 429; pages")
	for _, f := range []struct {
		name   string
		slow   time.Duration // how long slow sites take to send their robots.txt
		addr   func(*testing.T) (addr string, stop func())
		before func(*testing.T)
		fault  func(stop func(), sites *stressSites)
		wait   bool // WaitForPacer
	}{
		{"load", 3 * time.Second, alone, busy, func(func(), *stressSites) {}, false},
		{"kill", 3 * time.Second, alone, nil, func(_ func(), sites *stressSites) {
			for sites.fetching.Load() == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(time.Second)
			syscall.Kill(int(sites.fetching.Load()), syscall.SIGKILL)
		}, false},
		{"stop", 3 * time.Second, alone, nil, soon, false},
		{"stop, and wait", 3 * time.Second, alone, nil, soon, true},
		{"latency", 9 * time.Second, delayed, nil, func(func(), *stressSites) {}, false},
		{"node", 3 * time.Second, ofThree, nil, soon, false},
		{"node, and wait", 3 * time.Second, ofThree, nil, soon, true},
	} {
		if *stress != "all" && *stress != f.name {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			addr, stop := f.addr(t)
			if f.before != nil {
				f.before(t)
			}
			sites := &stressSites{slow: f.slow, seen: make(map[string]*stressSite)}
			s := httptest.NewServer(sites)
			defer s.Close()
			fleet := startCrawl(t, 8, crawler{Redis: addr, Web: strings.TrimPrefix(s.URL, "http://"), Crawl: 20 * time.Second, Wait: f.wait})
			f.fault(stop, sites)
			var warnings, errs, pages int
			for _, p := range fleet {
				p.Wait()
				var r stressReport
				if json.Unmarshal([]byte(p.Stdout.(*strings.Builder).String()), &r) == nil {
					warnings, errs, pages = warnings+r.Warnings, errs+int(r.Stats.StoreErrors), pages+r.Pages
				}
			}
			t.Logf("%s: %s; %d warnings, %d errors of the Store, %d pages", f.name, sites, warnings, errs, pages)
		})
	}
}

// soon begins a fault after five seconds, when the fleet is crawling.
func soon(stop func(), _ *stressSites) {
	time.Sleep(5 * time.Second)
	stop()
}

// alone starts a single Redis server. The function stop suspends it for ten seconds.
func alone(t *testing.T) (addr string, stop func()) {
	s := startRedis(t)
	return s.Addr, func() {
		signal(t, s, syscall.SIGSTOP)
		time.Sleep(10 * time.Second)
		signal(t, s, syscall.SIGCONT)
	}
}

// delayed starts a Redis server with a latency of 15 ms.
func delayed(t *testing.T) (addr string, stop func()) {
	s := startRedis(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", s.Addr)
			if err != nil {
				return
			}
			go relay(in, out, 7500*time.Microsecond)
			go relay(out, in, 7500*time.Microsecond)
		}
	}()
	return l.Addr().String(), func() {}
}

// relay copies data from one connection to another after a delay.
func relay(from, to net.Conn, delay time.Duration) {
	type chunk struct {
		data []byte
		due  time.Time
	}
	chunks := make(chan chunk, 1000)
	go func() {
		for c := range chunks {
			time.Sleep(time.Until(c.due))
			to.Write(c.data)
		}
		to.Close()
	}()
	defer close(chunks)
	for {
		data := make([]byte, 32<<10)
		n, err := from.Read(data)
		if err != nil {
			return
		}
		chunks <- chunk{data[:n], time.Now().Add(delay)}
	}
}

// ofThree starts a cluster of three nodes. The function stop kills one of them.
func ofThree(t *testing.T) (addr string, stop func()) {
	nodes := startCluster(t)
	return nodes[0].Addr, nodes[2].Kill
}

// busy keeps the machine busy with 8 processes.
func busy(t *testing.T) {
	for range 8 {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
		})
	}
}

// startCrawl starts the n processes of a fleet.
func startCrawl(t *testing.T, n int, c crawler) (fleet []*exec.Cmd) {
	orders, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		p := exec.Command(os.Args[0])
		p.Env = append(os.Environ(), childEnv+"="+string(orders))
		p.Stdout, p.Stderr = new(strings.Builder), os.Stderr
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Process.Kill() })
		fleet = append(fleet, p)
	}
	return fleet
}

const stressCount = 40 // number of sites

type stressReport struct {
	Stats           robotshttp.Stats
	Warnings, Pages int
}

// A lineCounter counts the lines of a log.
type lineCounter struct{ n atomic.Int64 }

func (l *lineCounter) Write(p []byte) (int, error) {
	l.n.Add(1)
	return len(p), nil
}

// crawl requests pages of random sites until c.Crawl is over, and writes a stressReport.
func (c *crawler) crawl(client *http.Client, cache *robotshttp.Cache) error {
	var lines lineCounter
	cache.Logger = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, cancel := context.WithTimeout(context.Background(), c.Crawl)
	defer cancel()
	var pages atomic.Int64
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for ctx.Err() == nil {
				if c.page(ctx, client) {
					pages.Add(1)
				}
				time.Sleep(rand.N(100 * time.Millisecond))
			}
		})
	}
	group.Wait()
	return json.NewEncoder(os.Stdout).Encode(stressReport{cache.Stats(), int(lines.n.Load()), int(pages.Load())})
}

func (c *crawler) page(ctx context.Context, client *http.Client) bool {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site(rand.IntN(stressCount))+"/page", nil)
	if err != nil {
		return false
	}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return true
}

// A stressSites answers for all sites, which are of ten kinds.
type stressSites struct {
	slow     time.Duration // how long sites of kind 0 take to send their robots.txt
	fetching atomic.Int64  // ID of the last process that fetched the robots.txt of such a site

	mu   sync.Mutex
	seen map[string]*stressSite
}

type stressSite struct {
	kind    int
	fetches int
	pages   []time.Time // when pages were requested
	closed  time.Time   // the end of the pause that the last 429 demanded
	soon    int         // number of requests before that
}

func (s *stressSites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.seen[r.Host]
	if v == nil {
		v = new(stressSite)
		fmt.Sscanf(r.Host, "site%d.", &v.kind)
		v.kind %= 10
		s.seen[r.Host] = v
	}
	if r.URL.Path == "/robots.txt" {
		v.fetches++
		switch v.kind {
		case 0: // slow
			var pid int64
			fmt.Sscanf(r.UserAgent(), "FooBot/%d", &pid)
			s.fetching.Store(pid)
			s.mu.Unlock()
			time.Sleep(s.slow)
			s.mu.Lock()
		case 1, 2:
			io.WriteString(w, "User-agent: *\nCrawl-delay: 0.2\n")
		case 3, 4:
			io.WriteString(w, "User-agent: *\nCrawl-delay: 1\n")
		}
		return
	}
	v.pages = append(v.pages, now)
	if v.kind != 5 {
		return
	}
	if now.Before(v.closed) && v.closed.Sub(now) < 1950*time.Millisecond { // requests in the first 50 ms were already on their way
		v.soon++
	}
	if len(v.pages)%10 == 0 {
		v.closed = now.Add(2 * time.Second)
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

func (s *stressSites) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	fetches, soon := 0, 0
	delays := [...]time.Duration{200 * time.Millisecond, time.Second}
	var least [2]time.Duration
	var short, gaps [2]int
	for _, v := range s.seen {
		fetches, soon = fetches+v.fetches, soon+v.soon
		if v.kind < 1 || v.kind > 4 {
			continue
		}
		k := (v.kind - 1) / 2
		for i := 1; i < len(v.pages); i++ {
			gap := v.pages[i].Sub(v.pages[i-1])
			if gaps[k]++; least[k] == 0 || gap < least[k] {
				least[k] = gap
			}
			if gap < delays[k]*9/10 {
				short[k]++
			}
		}
	}
	return fmt.Sprintf("%d for %d; %v (%d of %d), %v (%d of %d); %d", fetches, len(s.seen),
		least[0].Round(time.Millisecond/10), short[0], gaps[0], least[1].Round(time.Millisecond/10), short[1], gaps[1], soon)
}

// startCluster starts a cluster of three nodes. Each serves its slots even if another node is
// down.
func startCluster(t *testing.T) []*redisserver.Server {
	var nodes []*redisserver.Server
	for range 3 {
		nodes = append(nodes, startRedis(t, "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"))
	}
	for i, slots := range [][2]string{{"0", "5460"}, {"5461", "10922"}, {"10923", "16383"}} {
		command(t, nodes[i].Addr, "CLUSTER", "ADDSLOTSRANGE", slots[0], slots[1])
		host, port, _ := net.SplitHostPort(nodes[i].Addr)
		command(t, nodes[0].Addr, "CLUSTER", "MEET", host, port)
	}
	for _, n := range nodes {
		await(t, "the cluster is up", func() bool {
			info, _ := command(t, n.Addr, "CLUSTER", "INFO").ToString()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3") && strings.Contains(info, "cluster_slots_assigned:16384")
		})
	}
	return nodes
}
