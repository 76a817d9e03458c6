package robotshttp_test

import (
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// hotFile is a robots.txt of the usual kind.
const hotFile = "User-agent: *\nDisallow: /private/\nDisallow: /search\nAllow: /search/about\n" +
	"Disallow: /cart\nDisallow: /checkout\nDisallow: /*?sort=\nDisallow: /admin/\nCrawl-delay: 1\n"

const (
	hotURL   = "https://www.example.com/articles/2024/05/an-ordinary-page.html"
	hotAgent = "FooBot/1.0 (+https://example.com/bot)"
)

// hotCache returns a Cache that has the hotFile of the site of hotURL, and of others.
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

// BenchmarkAllowed compares a question to a Cache about a hot site with what it cannot
// do without: to find the site's location and the file, and to decide.
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
		{"Cache", func() (robotstxt.Decision, error) { return c.Allowed(ctx, hotURL) }},
	} {
		for _, goroutines := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/goroutines=%d", bench.name, goroutines), func(b *testing.B) {
				b.ReportAllocs()
				share(b, goroutines, bench.ask)
			})
		}
	}
}

// share divides the questions of a benchmark among goroutines.
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
		if d, err := c.Allowed(ctx, hotURL); err != nil || !d.Allowed {
			t.Error(d, err)
		}
	}); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

// Nor do questions cost more while the file of a site is being renewed, which may take
// seconds and many questions.
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
			if d, err := c.Allowed(ctx, hotURL); err != nil || !d.Allowed {
				t.Error(d, err)
			}
		}); n > 3 {
			t.Errorf("%v allocations", n)
		}
		time.Sleep(time.Minute)
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests", n)
		}
	})
}
