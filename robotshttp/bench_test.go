package robotshttp_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
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
	c.MaxDelay = -1 // requests do not wait for the crawl-delay
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

// BenchmarkDecide measures Cache.Decide for a site whose file is in memory ("Cache"), and
// the steps that it cannot avoid: to get the location, find the crawler's group and decide ("Parts").
func BenchmarkDecide(b *testing.B) {
	c := hotCache(b)
	groups := make(map[string]*robotstxt.Group)
	for i := range 1000 {
		groups[fmt.Sprintf("https://%d.example/robots.txt", i)] = nil
	}
	groups["https://www.example.com/robots.txt"] = robotstxt.Parse([]byte(hotFile)).Group(hotAgent)
	ctx := b.Context()
	for _, bench := range []struct {
		name string
		ask  func() (robotstxt.Decision, error)
	}{
		{"Parts", func() (robotstxt.Decision, error) {
			location, err := robotstxt.Location(hotURL)
			return groups[location].Decide(hotURL), err
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

func TestDecideAllocates(t *testing.T) {
	c := hotCache(t)
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		if d, err := c.Decide(ctx, hotURL); err != nil || !d.Allowed {
			t.Errorf("decision %v, error %v, want allowed", d, err)
		}
	}); n > 3 {
		t.Errorf("Decide makes %v allocations, want at most 3", n)
	}
}

// BenchmarkTransport measures a request that a Transport may send at once, for the crawler and with
// another User-Agent, whose rules count, too.
func BenchmarkTransport(b *testing.B) {
	c := hotCache(b)
	t := robotshttp.Transport{Cache: c, Base: roundTripper(responds(200, ""))}
	for _, agent := range []string{hotAgent, "OtherBot/1.0"} {
		b.Run(robotstxt.ProductToken(agent), func(b *testing.B) {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, hotURL, nil)
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("User-Agent", agent)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := t.RoundTrip(req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNewSite measures the first request to a site with a delay, among few and many other sites whose
// delays are not over. What a site costs must not depend on their number.
func BenchmarkNewSite(b *testing.B) {
	for _, others := range []int{1000, 200_000} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) {
			c := (&server{answer: responds(200, file)}).cache()
			c.MinDelay = time.Hour
			c.Logger = slog.New(slog.DiscardHandler)
			n := 0
			visit := func() {
				n++
				if err := c.Wait(b.Context(), fmt.Sprintf("https://%d.example/", n)); err != nil {
					b.Fatal(err)
				}
			}
			for range others {
				visit()
			}
			b.ResetTimer()
			for range b.N {
				visit()
			}
		})
	}
}
