package robotshttp_test

import (
	"fmt"
	"math/bits"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// Stats.Bytes is within 30% of the memory that a Cache takes, whatever the files contain.
func TestMemoryIsCounted(t *testing.T) {
	header := []string{"Etag", `"5f3-61a2b3c4d5e6f"`, "Last-Modified", "Fri, 31 Dec 1999 00:00:00 GMT",
		"Cache-Control", "max-age=86400", "Date", "Sat, 01 Jan 2000 00:00:00 GMT"}
	for _, test := range []struct {
		name   string
		sites  int
		text   string
		status int
		header []string
	}{
		{"no file", 1000, "", 404, nil},
		{"no file, with headers", 1000, "", 404, header},
		{"no answer", 1000, "", 503, nil},
		{"small", 1000, hotFile, 200, header},
		{"many small groups", 4, repeat(4_000, "User-agent: bot%d\nDisallow: /%d\n"), 200, header},
		{"many agents", 4, repeat(5_000, "User-agent: agent%d\n") + "Disallow: /\n", 200, header},
		{"many rules", 4, "User-agent: *\n" + repeat(5_000, "Disallow: /%d\n"), 200, header},
		{"many records", 4, repeat(5_000, "Key: value%d\n"), 200, header},
		{"wildcards", 4, "User-agent: *\n" + repeat(4_000, "Disallow: /*%d*x$\n"), 200, header},
		{"comments", 200, repeat(500, "# comment%d\n"), 200, header},
	} {
		for name, store := range map[string]robotshttp.Store{"": nil, " and a store": forgetfulStore{newFleetStore()}} {
			c := withStore(&server{answer: responds(test.status, test.text, test.header...)}, store)
			c.MaxBytes = 1 << 30
			asks := 1
			if test.sites < 10 {
				asks = 100 // after which large groups have an index
			}
			visit := func(n int) {
				for i := range n {
					url := fmt.Sprintf("https://site%d.example.com/", i)
					for range asks {
						if _, err := c.Decide(t.Context(), url); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			visit(1) // the memory of a Cache with one site does not count
			taken, counted := -heap(), -c.Stats().Bytes
			visit(test.sites + 1)
			taken, counted = taken+heap(), counted+c.Stats().Bytes
			runtime.KeepAlive(c)
			ratio := float64(taken) / float64(counted)
			t.Logf("%s%s: %d bytes per site, %.2f times the counted bytes", test.name, name, taken/int64(test.sites), ratio)
			tooMuch := ratio < 1/1.3 && bits.UintSize == 64 // on 32-bit systems, pointers take half as much
			if ratio > 1.3 || tooMuch {
				t.Errorf("%s%s: %d bytes taken and %d counted, want a difference of at most 30%%", test.name, name, taken, counted)
			}
		}
	}
}

// A Cache whose sites all have a delay that is not over keeps their times, and apart from them as many files
// as MaxBytes permits. Before, each new site took the files of all others away, and looked at all of them.
func TestManyBusySites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const busy, kept = 5000, 50
		s := &server{answer: responds(200, "User-agent: *\nDisallow: /a\nCrawl-delay: 30\n")}
		c := s.cache()
		c.MaxBytes = 100_000
		visit := func(n int) {
			if err := c.Wait(t.Context(), fmt.Sprintf("https://%d.example/", n)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range busy {
			visit(i)
		}
		for i := range kept {
			if d, err := c.Decide(t.Context(), fmt.Sprintf("https://%d.example/", busy-1-i)); err != nil || !d.Allowed {
				t.Errorf("decision %v, error %v", d, err)
			}
		}
		if n := c.Stats(); n.Fetches != busy || n.Entries != busy || n.Bytes < busy*1000 || n.Bytes > c.MaxBytes+busy*1100 {
			t.Errorf("after %d sites: %+v, want one fetch and 1,000 to 1,100 bytes for each, besides MaxBytes", busy, n)
		}
		for i := range busy { // one each second: 30 of them are busy
			time.Sleep(time.Second)
			visit(busy + i)
		}
		if n := c.Stats(); n.Entries > 250 || n.Bytes > c.MaxBytes+100*1100 {
			t.Errorf("when few sites are busy: %+v, want the files that MaxBytes permits, and about 40 busy sites", n)
		}
	})
}

// A site without a delay takes no more memory than its file, because no request to it can have to wait.
func TestSiteWithoutDelay(t *testing.T) {
	s := &server{answer: responds(200, file)}
	asked, visited := s.cache(), s.cache()
	tr := &robotshttp.Transport{Cache: visited, Base: roundTripper(responds(200, ""))}
	for range 3 {
		get(t, asked, page)
		if _, err := tr.RoundTrip(httptest.NewRequest("GET", "https://example.com/", nil)); err != nil {
			t.Fatal(err)
		}
	}
	if a, v := asked.Stats(), visited.Stats(); a.Bytes != v.Bytes || v.Entries != 1 {
		t.Errorf("a site that was visited: %+v, want the %d bytes of a site that was asked about", v, a.Bytes)
	}
}

// repeat returns n copies of a text in which %d is replaced by the number of the copy.
func repeat(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// heap returns how many bytes of the heap are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
