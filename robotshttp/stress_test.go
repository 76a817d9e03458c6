package robotshttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// stored returns a value for a Store with a valid checksum. It consists of JSON and a
// compressed body.
func stored(meta, body string) []byte {
	rest := []byte(meta + "\n" + body)
	return fmt.Appendf(nil, "robotshttp 3 %08x\n%s", crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli)), rest)
}

// An impossible state counts as an error of the Store, even if its checksum is valid. The
// Cache then asks the server.
func TestStoredNonsense(t *testing.T) {
	const ( // in synctest, the time is the start of the year 2000
		month, hour, minute = "1999-12-01T00:00:00Z", "1999-12-31T23:00:00Z", "1999-12-31T23:59:00Z"
		later, year, zero   = "2000-01-01T12:00:00Z", "2001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"
		ages                = "1600-01-01T00:00:00Z"
	)
	failure := func(since, last, retry string, count int) string {
		return fmt.Sprintf(`{"URL":%q,"Failure":{"Since":%q,"Last":%q,"Retry":%q,"Count":%d,"Status":503,"Error":"x"}}`, location, since, last, retry, count)
	}
	for name, test := range map[string]struct {
		meta string
		ok   bool
	}{
		"sane":                 {failure(month, minute, later, 7), true},
		"no failure":           {failure(month, minute, later, 0), false},
		"a negative count":     {failure(month, minute, later, -1), false},
		"the largest count":    {failure(month, minute, later, math.MaxInt), false},
		"too many":             {failure(month, minute, later, 8), false},
		"retry in the past":    {failure(month, minute, hour, 1), false},
		"retry in a year":      {failure(month, minute, year, 1), false},
		"no retry":             {failure(month, minute, zero, 1), false},
		"retry null":           {strings.Replace(failure(month, minute, later, 1), `"`+later+`"`, "null", 1), false},
		"ends before it began": {failure(minute, month, later, 1), false},
		"in the year 1":        {failure(zero, zero, zero, 1), false},
		"in the year 1600":     {failure(ages, ages, ages, 1), false},
		"an old answer":        {`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Time":"1600-01-01T00:00:00Z"}}`, false},
		"an answer, no time":   {`{"URL":"https://example.com/robots.txt","Answer":{"Status":404}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file)}
				c := withStore(s, forgetfulStore{&faultyStore{value: stored(test.meta, "")}})
				c.Logger = slog.New(slog.DiscardHandler)
				r := get(t, c, page)
				errs := c.Stats().StoreErrors
				if asked := s.requests.Load() > 0; asked == test.ok || (errs == 0) != test.ok || time.Until(r.Expires) > 27*time.Hour {
					t.Errorf("%v until %v; server asked: %t; %d errors of the Store", r, r.Expires, asked, errs)
				}
				s.answer = down // so that the Cache adds a failure to a valid state
				time.Sleep(27 * time.Hour)
				get(t, c, page)
			})
		})
	}
}

// FuzzStored puts arbitrary values with a valid checksum into a Store. A Cache must not panic,
// must ask the server again within 27 hours, and must use the file that the server returns.
func FuzzStored(f *testing.F) {
	for _, seed := range []string{
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Header":{"Etag":["\"1\""],"Cache-Control":["max-age=60"]},"From":"https://example.com/robots.txt","Time":"2000-01-01T00:00:00Z"}}`,
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":404,"Time":"1999-12-31T23:00:00Z"},"Failure":{"Since":"1999-12-31T23:00:00Z","Last":"1999-12-31T23:59:00Z","Retry":"2000-01-01T00:00:00Z","Fresh":"2000-01-01T01:00:00Z","Count":3}}`,
		`{"URL":"https://example.com/robots.txt","Failure":{"Since":"1999-12-31T23:00:00Z","Last":"1999-12-31T23:59:00Z","Retry":null,"Count":-1}}`,
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Header":{"Etag":["\u0000\n"]},"From":"https://example.com/robots.txt","Time":"1970-01-01T00:00:00Z"}}`,
		`{"URL":"https://other.example/robots.txt"}`, `null`, `[]`, "\xff",
	} {
		f.Add(seed, "")
		f.Add(seed, "\x01\x00\x00\xff\xff") // an empty file, compressed
	}
	f.Fuzz(func(t *testing.T, meta, body string) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: down}
			c := withStore(s, &faultyStore{value: stored(meta, body)})
			c.Logger = slog.New(slog.DiscardHandler)
			for range 4 {
				r := get(t, c, page)
				if d := time.Until(r.Expires); d > 27*time.Hour || d < 0 {
					t.Fatalf("%v expires in %v, want at most 27 hours", r, d)
				}
				time.Sleep(13 * time.Hour)
			}
			s.answer = responds(200, file)
			time.Sleep(28 * time.Hour)
			wantOutcome(t, c, robotshttp.Fetched, false)
		})
	})
}

// An ETag or Last-Modified value that cannot be sent is left out of the next request. Such a
// value can come from a server or a Store.
func TestUnsendableValidator(t *testing.T) {
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.WriteString(w, file)
	}))
	defer s.Close()
	for _, tag := range []string{"a\x00b", "a\nb", "a\x7fb", "\x01"} {
		answer := map[string]any{"Status": 200, "Header": map[string][]string{"Etag": {tag}, "Last-Modified": {tag}},
			"From": s.URL + "/robots.txt", "Time": time.Now().Add(-48 * time.Hour)}
		meta, err := json.Marshal(map[string]any{"URL": s.URL + "/robots.txt", "Answer": answer})
		if err != nil {
			t.Fatal(err)
		}
		c := &robotshttp.Cache{UserAgent: "FooBot", Store: &faultyStore{value: stored(string(meta), "")}}
		if r := get(t, c, s.URL); r.Outcome != robotshttp.Fetched || c.Stats().StoreErrors != 0 {
			t.Errorf("Etag %q: %v, error %v", tag, r, r.Err)
		}
	}
}

// A Get after Forget fetches the file again, even if an older fetch is still running. The
// result of the older fetch does not replace the new one, even if it arrives later.
func TestForgetDuringFetch(t *testing.T) {
	for name, store := range map[string]func() robotshttp.Store{
		"memory": func() robotshttp.Store { return nil }, "fleet": func() robotshttp.Store { return newFleetStore() },
	} {
		for _, took := range []time.Duration{time.Second, 5 * time.Second} { // of the first fetch
			t.Run(fmt.Sprintf("%s, %v", name, took), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &server{}
					s.answer = func(req *http.Request) (*http.Response, error) {
						if s.requests.Load() == 1 {
							time.Sleep(took)
							return responds(200, "")(req)
						}
						return slowly(responds(200, file))(req)
					}
					c := withStore(s, store())
					go c.Get(t.Context(), page)
					time.Sleep(time.Second / 2)
					c.Forget(page)
					wantOutcome(t, c, robotshttp.Fetched, false) // does not join the older fetch
					time.Sleep(time.Hour)
					wantOutcome(t, c, robotshttp.Cached, false)
					if n := s.requests.Load(); n != 2 {
						t.Errorf("%d requests, want 2", n)
					}
				})
			})
		}
	}
}

// A renewal that began before Forget does not make the file fresh.
func TestForgetDuringRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, "")}
		c := s.cache()
		r := get(t, c, page)
		s.answer = slowly(s.answer)
		time.Sleep(time.Until(r.Expires) - time.Minute)
		get(t, c, page) // starts the renewal
		synctest.Wait()
		s.answer = responds(200, file)
		c.Forget(page)
		time.Sleep(10 * time.Second)
		wantOutcome(t, c, robotshttp.Fetched, false)
	})
}

// After Forget, the Cache fetches the file again, even if the value in the Store comes from a
// clock that is slightly ahead.
func TestForgetAndClocks(t *testing.T) {
	store := storedAhead(t, 2*time.Minute, responds(200, ""))
	synctest.Test(t, func(t *testing.T) {
		c := withStore(&server{answer: responds(200, file)}, store)
		c.Forget(page)
		wantOutcome(t, c, robotshttp.Fetched, false)
	})
}

// If the server fails after Forget, its last file stays in force, for this Cache and for
// others with the same Store.
func TestForgetBeforeFailure(t *testing.T) {
	for name, store := range map[string]robotshttp.Store{"memory": nil, "fleet": newFleetStore()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file)}
				c := withStore(s, store)
				get(t, c, page)
				s.answer = down
				for range 20 {
					c.Forget(page)
					wantOutcome(t, c, robotshttp.Stale, false)
					if store != nil {
						wantOutcome(t, withStore(s, store), robotshttp.Stale, false)
					}
					time.Sleep(48 * time.Hour)
				}
			})
		})
	}
}

// Many goroutines use a file while its renewal fails. The race detector would find a field
// that one goroutine writes while another copies it.
func TestManyDuringFailingRenewal(t *testing.T) {
	s := &server{}
	s.answer = func(req *http.Request) (*http.Response, error) {
		if s.requests.Load() == 1 {
			return responds(200, file)(req)
		}
		time.Sleep(2 * time.Millisecond)
		return down(req)
	}
	c := withStore(s, newFleetStore())
	c.MinFresh, c.MaxFresh = 400*time.Millisecond, 400*time.Millisecond
	r := get(t, c, page)
	time.Sleep(time.Until(r.Expires) - 19*time.Millisecond)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for time.Now().Before(r.Expires.Add(20 * time.Millisecond)) {
				if d, err := c.Decide(t.Context(), page); err != nil || d.Allowed {
					t.Errorf("decision %v, error %v, want disallowed", d, err)
				}
				c.Forget("https://other.example/")
			}
		})
	}
	group.Wait()
}

// OnResult is called for every Result from memory, even if another fetch has just put the file
// there.
func TestOnResultSeesHits(t *testing.T) {
	var seen, hits int64
	for range 400 {
		var n atomic.Int64
		c := (&server{answer: responds(200, file)}).cache()
		c.OnResult = func(_ context.Context, r robotshttp.Result) {
			if r.Outcome == robotshttp.Cached {
				n.Add(1)
			}
		}
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() { get(t, c, page) })
		}
		group.Wait()
		seen, hits = seen+n.Load(), hits+c.Stats().Hits
	}
	if seen != hits {
		t.Errorf("Stats counts %d Results from memory, but OnResult got %d", hits, seen)
	}
}

// OverrideStatus is called once for each fetch.
func TestOverrideStatusOnce(t *testing.T) {
	breaksOff := func(req *http.Request) (*http.Response, error) {
		resp, err := responds(200, "")(req)
		resp.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
		return resp, err
	}
	for _, test := range []struct {
		name    string
		answer  func(*http.Request) (*http.Response, error)
		treatAs int
		want    robotshttp.Outcome
		given   string
	}{
		{"200", responds(200, file), 0, robotshttp.Fetched, "200"},
		{"304", responds(304, ""), 0, robotshttp.Fetched, "304"},
		{"304 as 200", responds(304, ""), 200, robotshttp.Fetched, "304"},
		{"304 as 404", responds(304, ""), 404, robotshttp.Unavailable, "304"},
		{"304 as 503", responds(304, ""), 503, robotshttp.Stale, "304"},
		{"500 as 200", responds(500, file), 200, robotshttp.Fetched, "500"},
		{"breaks off", breaksOff, 0, robotshttp.Stale, "error"},
		{"breaks off, as 404", breaksOff, 404, robotshttp.Unavailable, "error"},
		{"down", down, 0, robotshttp.Stale, "error"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file, "Etag", `"1"`)}
				c := s.cache()
				var given []string
				treatAs := 0
				c.OverrideStatus = func(_ string, resp *http.Response, err error) int {
					if err != nil {
						given = append(given, "error")
					} else {
						given = append(given, fmt.Sprint(resp.StatusCode))
					}
					return treatAs
				}
				get(t, c, page)
				given, s.answer, treatAs = nil, test.answer, test.treatAs
				time.Sleep(25 * time.Hour)
				wantOutcome(t, c, test.want, test.want == robotshttp.Unavailable)
				if len(given) != 1 || given[0] != test.given {
					t.Errorf("OverrideStatus was called with %v, want once with %s", given, test.given)
				}
			})
		})
	}
}

// A pause applies to the whole fleet, even if there is no crawl-delay.
func TestFleetPauseWithoutDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{status: func(n int) (int, string) {
			if n == 1 {
				return 429, "30"
			}
			return 200, ""
		}}
		transports := fleet(3, s, newFleetStore())
		for _, tr := range transports {
			tr.Cache.MaxDelay = 0
		}
		s.crawl(t, 1, transports[0])
		synctest.Wait()
		start := s.zero
		s.crawl(t, 20, transports...)
		for i, at := range s.times[1:] {
			if at += s.zero.Sub(start); at < 30*time.Second || at > 33*time.Second {
				t.Errorf("request %d started after %v, want 30s to 33s", i, at)
			}
		}
	})
}

// Requests that waited for the end of a pause do not all start at the same time.
func TestAfterPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{status: func(n int) (int, string) {
			if n == 1 {
				return 503, "10"
			}
			return 200, ""
		}}
		tr := robotshttp.NewTransport("FooBot", s)
		s.crawl(t, 1, tr)
		s.crawl(t, 64, tr)
		at := make(map[time.Duration]int)
		for _, time := range s.times[1:] {
			at[time]++
		}
		if len(at) < 40 {
			t.Errorf("64 requests started at %d different times, want at least 40", len(at))
		}
	})
}

// No gap is shorter than the crawl-delay, even if requests start late: the delay counts from
// when a request starts, not from when it should have started.
func TestLateStarts(t *testing.T) {
	for processes := 1; processes <= 3; processes++ {
		t.Run(fmt.Sprint(processes, " processes"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const delay = 200 * time.Millisecond
				s := &starts{robots: "User-agent: *\nCrawl-delay: 0.2\n"}
				var store robotshttp.Store
				if processes > 1 {
					store = newFleetStore()
				}
				transports := fleet(processes, s, store)
				for i, tr := range transports {
					var n atomic.Int64
					// The check after the wait calls OnResult, so a slow OnResult delays the start.
					tr.Cache.OnResult = func(context.Context, robotshttp.Result) {
						if (int(n.Add(1))+i)%4 == 0 {
							time.Sleep(150 * time.Millisecond)
						}
					}
				}
				s.crawl(t, 30, transports...)
				if len(s.times) != 30*processes {
					t.Errorf("%d requests, want %d", len(s.times), 30*processes)
				}
				for i := 1; i < len(s.times); i++ {
					if gap := s.times[i] - s.times[i-1]; gap < delay {
						t.Errorf("request %d started %v after the one before, want at least %v", i, gap, delay)
					}
				}
			})
		})
	}
}

// If the process that fetches a file dies, one other process fetches the file when the lock
// has expired, and the rest wait for that process.
func TestDeadHolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: slowly(responds(200, file))}, newFleetStore()
		hung := withStore(&server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Hour) // stands for a process that has died
			return nil, errDown
		}}, store)
		go hung.Get(t.Context(), page)
		synctest.Wait()
		start := time.Now()
		var group sync.WaitGroup
		for range 7 {
			time.Sleep(10 * time.Millisecond)
			group.Go(func() { get(t, withStore(s, store), page) })
		}
		group.Wait()
		if n := s.requests.Load(); n != 1 || time.Since(start) > 20*time.Second {
			t.Errorf("%d fetches in %v, want 1 in at most 20s", n, time.Since(start))
		}
		time.Sleep(2 * time.Hour)
	})
}

// If a process waits for the fetch of another, this is not a failure of the Store, even if the
// Store is far away and the fetch is slow.
func TestSlowFetchAndFarStore(t *testing.T) {
	for _, latency := range []time.Duration{0, 15 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			s, store := &server{answer: func(req *http.Request) (*http.Response, error) {
				time.Sleep(9 * time.Second)
				return responds(200, file)(req)
			}}, newFleetStore()
			store.fail(nil, latency)
			getFromAll(t, s, store)
			if n := s.requests.Load(); n != 1 {
				t.Errorf("with a latency of %v: %d fetches, want 1", latency, n)
			}
		})
	}
}

// getFromAll gets the same file in 8 processes that share a Store, at the same time. No call
// of the Store may fail.
func getFromAll(t *testing.T, s *server, store *fleetStore) {
	t.Helper()
	var group sync.WaitGroup
	for range 8 {
		c := withStore(s, store)
		group.Go(func() {
			get(t, c, page)
			if n := c.Stats().StoreErrors; n != 0 {
				t.Errorf("%d errors of the Store, want 0", n)
			}
		})
	}
	group.Wait()
}

// A call of the Store that takes too long is tried once more, because this process may have
// stalled.
func TestStarvedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, newFleetStore()
		store.fail(nil, time.Hour)
		time.AfterFunc(900*time.Millisecond, func() { store.fail(nil, 0) })
		getFromAll(t, s, store)
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d fetches, want 1", n)
		}
	})
}

// A Store that is down delays the first fetch for two seconds, and later fetches not at all.
func TestStoreIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withStore(&server{answer: responds(200, file)}, &faultyStore{hangs: true})
		c.Logger = slog.New(slog.DiscardHandler)
		start := time.Now()
		get(t, c, "https://first.example/")
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("the first fetch took %v, want 2s", d)
		}
		start = time.Now()
		for i := range 100 {
			get(t, c, fmt.Sprintf("https://%d.example/", i))
		}
		if d := time.Since(start); d > 0 {
			t.Errorf("the next 100 fetches took %v, want 0", d)
		}
		time.Sleep(time.Minute)
	})
}

// If Reserve takes a slot but returns late, the slot is not used, because the next slot may
// begin soon.
func TestLateSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &starts{robots: "User-agent: *\nCrawl-delay: 0.2\n"}
		s.crawl(t, 20, fleet(3, s, &lateSlots{fleetStore: newFleetStore()})...)
		for i := 1; i < len(s.times); i++ {
			if gap := s.times[i] - s.times[i-1]; gap < 200*time.Millisecond {
				t.Errorf("request %d started %v after the one before, want at least 200ms", i, gap)
			}
		}
	})
}

// A lateSlots is a fleetStore whose Reserve returns late, in one of four calls.
type lateSlots struct {
	*fleetStore
	n atomic.Int64
}

func (l *lateSlots) Reserve(ctx context.Context, key string, interval time.Duration) (time.Duration, error) {
	wait, err := l.fleetStore.Reserve(ctx, key, interval)
	if l.n.Add(1)%4 == 0 {
		time.Sleep(150 * time.Millisecond)
	}
	return wait, err
}
