package robotshttp_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// hotFile is a typical robots.txt.
const hotFile = "User-agent: *\nDisallow: /private/\nDisallow: /search\nAllow: /search/about\n" +
	"Disallow: /cart\nDisallow: /checkout\nDisallow: /*?sort=\nDisallow: /admin/\nCrawl-delay: 1\n"

const (
	hotURL   = "https://www.example.com/articles/2024/05/an-ordinary-page.html"
	hotAgent = "FooBot/1.0 (+https://example.com/bot)"
)

// hotCache returns a Cache that contains the robots.txt of 1,001 sites, including that of
// hotURL. Each is the hotFile.
func hotCache(tb testing.TB) *robotshttp.Cache {
	c := (&server{answer: responds(200, hotFile)}).cache()
	c.UserAgent = hotAgent
	c.Logger = slog.New(slog.DiscardHandler)
	for i := range 1000 {
		if _, err := c.Get(tb.Context(), fmt.Sprintf("https://%d.example/", i)); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := c.Get(tb.Context(), hotURL); err != nil {
		tb.Fatal(err)
	}
	return c
}

// BenchmarkAllowed measures Cache.Decide for a site whose file is in memory ("Cache"), and
// the steps that it cannot avoid: to get the location, find the file and decide ("Parts").
func BenchmarkAllowed(b *testing.B) {
	c := hotCache(b)
	files := make(map[string]*robotstxt.File)
	for i := range 1000 {
		files[fmt.Sprintf("https://%d.example/robots.txt", i)] = nil
	}
	files["https://www.example.com/robots.txt"] = robotstxt.Parse([]byte(hotFile))
	ctx := b.Context()
	for _, bench := range []struct {
		name string
		ask  func() (robotstxt.Decision, error)
	}{
		{"Parts", func() (robotstxt.Decision, error) {
			location, err := robotstxt.Location(hotURL)
			return files[location].Decide(hotAgent, hotURL), err
		}},
		{"Cache", func() (robotstxt.Decision, error) { return c.Decide(ctx, hotURL) }},
	} {
		for _, goroutines := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/goroutines=%d", bench.name, goroutines), func(b *testing.B) {
				b.ReportAllocs()
				share(b, goroutines, bench.ask)
			})
		}
	}
}

// share divides b.N calls of ask among goroutines.
func share(b *testing.B, goroutines int, ask func() (robotstxt.Decision, error)) {
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for range b.N / goroutines {
				if d, err := ask(); err != nil || !d.Allowed {
					b.Error(d, err)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestAllowedAllocates(t *testing.T) {
	c := hotCache(t)
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		if d, err := c.Decide(ctx, hotURL); err != nil || !d.Allowed {
			t.Errorf("decision %v, error %v, want allowed", d, err)
		}
	}); n > 3 {
		t.Errorf("Allowed makes %v allocations, want at most 3", n)
	}
}

// Allowed does not allocate more while the file of the site is being renewed, which may take
// several seconds.
func TestAllowedAllocatesWhileRenewing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, hotFile)}
		c := s.cache()
		c.Logger = slog.New(slog.DiscardHandler)
		r := get(t, c, hotURL)
		s.answer = slowly(s.answer)
		time.Sleep(time.Until(r.Expires) - time.Minute)
		ctx := t.Context()
		if n := testing.AllocsPerRun(100, func() {
			if d, err := c.Decide(ctx, hotURL); err != nil || !d.Allowed {
				t.Errorf("decision %v, error %v, want allowed", d, err)
			}
		}); n > 3 {
			t.Errorf("Allowed makes %v allocations, want at most 3", n)
		}
		time.Sleep(time.Minute)
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

// BenchmarkPace measures the gaps between requests when they reach a server on this machine,
// while 8 other processes keep it busy. It sends the requests from 64 goroutines to 8 sites
// with a crawl-delay of 0.2 seconds. It reports how many of a thousand gaps are shorter than
// nine tenths of the crawl-delay.
func BenchmarkPace(b *testing.B) {
	const sites, goroutines, delay = 8, 64, 200 * time.Millisecond
	var mu sync.Mutex
	last, gaps := make(map[string]time.Time), make([]time.Duration, 0, b.N)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, "User-agent: *\nCrawl-delay: 0.2\n")
			return
		}
		now := time.Now()
		mu.Lock()
		defer mu.Unlock()
		if before, ok := last[r.Host]; ok {
			gaps = append(gaps, now.Sub(before))
		}
		last[r.Host] = now
	}))
	defer s.Close()
	for range 8 {
		busy := exec.Command("sh", "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			b.Skip("SKIPPED: the benchmark needs sh:", err)
		}
		defer busy.Wait()
		defer busy.Process.Kill()
	}
	transport := robotshttp.NewTransport("FooBot/1.0", everywhere(b, s))
	transport.Cache.MaxDelay = time.Minute
	client := &http.Client{Transport: transport}
	var sent atomic.Int64
	var group sync.WaitGroup
	b.ResetTimer()
	for i := range goroutines {
		group.Go(func() {
			for sent.Add(1) <= int64(b.N) {
				resp, err := client.Get(fmt.Sprintf("http://site%d.example/", i%sites))
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	group.Wait()
	if len(gaps) == 0 {
		return
	}
	slices.Sort(gaps)
	short, _ := slices.BinarySearch(gaps, delay*9/10)
	b.ReportMetric(1000*float64(short)/float64(len(gaps)), "short/1000")
	b.ReportMetric(gaps[0].Seconds()*1000, "min-ms")
}
