package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A request that would have to wait longer than MaxWait fails at once, with the time at which it can be
// sent. The response may take longer.
func TestMaxWait(t *testing.T) {
	for _, test := range []struct {
		maxWait time.Duration
		failed  int // number of WaitErrors
	}{
		{0, 0}, {-1, 6}, {time.Second, 6}, {5 * time.Second, 3}, {time.Hour, 0},
	} {
		virtually(t, func(t *testing.T) {
			start := time.Now()
			var sent []time.Duration
			tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
				if req.URL.Path == "/robots.txt" {
					time.Sleep(2 * time.Second)
					return responds(200, "User-agent: *\nCrawl-delay: 10\n")(req)
				}
				sent = append(sent, time.Since(start).Round(100*time.Millisecond))
				time.Sleep(6 * time.Second)
				return responds(200, "")(req)
			}))
			tr.MaxWait = test.maxWait
			failed := 0
			for len(sent) < 4 && failed < 10 {
				began := time.Now()
				_, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil))
				if err == nil {
					continue
				}
				failed++
				e, ok := errors.AsType[*robotshttp.WaitError](err)
				if !ok || e.Timeout() || time.Since(began) > max(test.maxWait, 0) || time.Until(e.Until) <= 0 {
					t.Fatalf("MaxWait %v: error %v after %v, want a WaitError at once that is not a timeout", test.maxWait, err, time.Since(began))
				}
				time.Sleep(time.Until(e.Until))
			}
			for i, at := range sent[1:] {
				if gap := at - sent[i]; gap < 16*time.Second || gap > 17*time.Second { // the Base returns after 6 seconds
					t.Errorf("MaxWait %v: sent at %v, want 16s between them", test.maxWait, sent)
				}
			}
			if failed > test.failed {
				t.Errorf("MaxWait %v: %d requests failed, want at most %d", test.maxWait, failed, test.failed)
			}
		})
	}
}

// A request that follows a redirect waits for its turn, although MaxWait would make any other request
// fail: otherwise a program that comes again at WaitError.Until would request the first page for ever.
// The source is the document of MaxWait.
func TestMaxWaitAndRedirect(t *testing.T) {
	for _, target := range []string{"/new", "https://other.example/new"} {
		virtually(t, func(t *testing.T) {
			start := time.Now()
			var sent []string
			tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
				switch req.URL.Path {
				case "/robots.txt":
					return responds(200, "User-agent: *\nCrawl-delay: 10\n")(req)
				case "/old":
					sent = append(sent, fmt.Sprintf("/old after %v", time.Since(start).Round(time.Second)))
					return responds(301, "", "Location", target)(req)
				}
				sent = append(sent, fmt.Sprintf("%s after %v", req.URL.Path, time.Since(start).Round(time.Second)))
				return responds(200, "")(req)
			}))
			tr.MaxWait = -1
			client := &http.Client{Transport: tr}
			for range 10 {
				resp, err := client.Get("https://example.com/old")
				wait, isEarly := errors.AsType[*robotshttp.WaitError](err)
				if !isEarly {
					if err != nil || resp.StatusCode != 200 {
						t.Errorf("redirect to %s: %v, error %v", target, resp, err)
					}
					break
				}
				time.Sleep(time.Until(wait.Until))
			}
			want := []string{"/old after 1s", "/new after 11s"}
			if target != "/new" {
				want[1] = "/new after 1s"
			}
			if !slices.Equal(sent, want) {
				t.Errorf("redirect to %s: sent %q, want %q", target, sent, want)
			}
		})
	}
}

// A request that has joined the line because its turn seemed near fails when MaxWait is over, if the request
// before it takes long to be sent.
func TestMaxWaitInLine(t *testing.T) {
	virtually(t, func(t *testing.T) {
		tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return responds(200, "User-agent: *\nCrawl-delay: 1\n")(req)
			}
			time.Sleep(30 * time.Second) // to connect
			return responds(200, "")(req)
		}))
		get(t, tr.Cache, page)
		tr.MaxWait = 3 * time.Second
		go tr.RoundTrip(httptest.NewRequest("GET", page, nil))
		synctest.Wait()
		start := time.Now()
		_, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil))
		if _, ok := errors.AsType[*robotshttp.WaitError](err); !ok || time.Since(start) != 3*time.Second {
			t.Errorf("error %v after %v, want a WaitError after 3s", err, time.Since(start))
		}
	})
}

// In a fleet, processes that never wait get the same share of a site as those that do, if they come
// again when they are told to. A request that does not come
// again costs the others about two seconds.
func TestMaxWaitInFleet(t *testing.T) {
	for _, comesAgain := range []bool{true, false} {
		virtually(t, func(t *testing.T) {
			const processes, seconds = 4, 240
			store := newFleetStore()
			ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
			defer cancel()
			pages := make([]int, processes)
			var mu sync.Mutex
			var group sync.WaitGroup
			for i := range processes {
				tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Path == "/robots.txt" {
						return responds(404, "")(req)
					}
					mu.Lock()
					defer mu.Unlock()
					pages[i]++
					return responds(200, "")(req)
				}))
				tr.Cache.MinDelay, tr.Cache.Store = time.Second, distant{store, roundTrip(15)}
				if i%2 == 0 {
					tr.MaxWait = -1
				}
				group.Go(func() {
					for ctx.Err() == nil {
						_, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil).WithContext(ctx))
						e, ok := errors.AsType[*robotshttp.WaitError](err)
						switch {
						case ok && !comesAgain:
							time.Sleep(20 * time.Second)
						case ok:
							time.Sleep(time.Until(e.Until))
						}
					}
				})
			}
			group.Wait()
			total := 0
			for _, n := range pages {
				total += n
			}
			if comesAgain && (slices.Max(pages) > slices.Min(pages)*5/4 || total < seconds*95/100) || !comesAgain && total < seconds*70/100 {
				t.Errorf("comes again %t: pages %v, %d of %d", comesAgain, pages, total, seconds)
			}
		})
	}
}

// Peek knows what is in memory, gets files in the background, and never waits. Each file is fetched when it
// is its turn, even if nobody asks again: otherwise all who come again get only as many files as are fetched
// at once.
func TestPeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		atOnce, most := 0, 0
		mostAtOnce := func() int {
			mu.Lock()
			defer mu.Unlock()
			return most
		}
		answer := func(req *http.Request) (*http.Response, error) {
			mu.Lock()
			atOnce++
			most = max(most, atOnce)
			mu.Unlock()
			time.Sleep(time.Second / 2)
			mu.Lock()
			atOnce--
			mu.Unlock()
			return responds(200, file+"Crawl-delay: 10\n")(req)
		}
		s := &server{answer: answer}
		c := s.cache()
		c.MaxFetches = 8
		start := time.Now()
		for i := range 100 {
			if h := c.Peek(fmt.Sprintf("https://%d.example/", i)); h.Known || h.Decision != (robotstxt.Decision{}) || h.Next.Sub(start) < time.Second || h.Delay != 0 {
				t.Errorf("Peek of an unknown site = %+v at %v", h, start)
			}
		}
		if !time.Now().Equal(start) {
			t.Errorf("Peek waited %v", time.Since(start))
		}
		synctest.Wait()
		if n := c.Stats().Waiting; n != 92 {
			t.Errorf("%d files wait, want 92", n)
		}
		time.Sleep(7 * time.Second)
		if n := s.requests.Load(); n != 100 || mostAtOnce() != 8 || c.Stats().Waiting != 0 {
			t.Errorf("%d files fetched, %d at once, want 100 and 8", n, mostAtOnce())
		}
		start = time.Now()
		if h := c.Peek("https://0.example/"); !h.Known || !h.Decision.Allowed || !h.Next.Equal(start) || h.Delay != 10*time.Second {
			t.Errorf("Peek of a known site = %+v at %v", h, start)
		}
		if h := c.Peek("https://0.example/page"); !h.Known || h.Decision.Allowed {
			t.Errorf("Peek of a disallowed URL = %+v", h)
		}
		if err := c.Wait(t.Context(), "https://0.example/"); err != nil {
			t.Fatal(err)
		}
		if h := c.Peek("https://0.example/"); h.Next.Sub(start) != 10*time.Second {
			t.Errorf("Peek after a request: next in %v, want 10s", h.Next.Sub(start))
		}
		if h := c.Peek("no URL"); !h.Known || h.Decision.Allowed {
			t.Errorf("Peek of no URL = %+v", h)
		}
		s.answer = responds(503, "")
		r := get(t, c, "https://down.example/")
		if h := c.Peek("https://down.example/"); !h.Known || h.Decision.Reason != robotstxt.FileUnreachable || !h.Next.Equal(r.Expires) {
			t.Errorf("Peek of a site that is down = %+v, want next at %v", h, r.Expires)
		}
		s.answer = answer
		var group sync.WaitGroup
		for i := range 50 {
			group.Go(func() { get(t, c, fmt.Sprintf("https://%d.example/", 200+i)) })
		}
		group.Wait()
		if n := mostAtOnce(); n != 8 {
			t.Errorf("%d files fetched at once, want 8", n)
		}
		c = s.cache()
		c.Supply = func(context.Context, string) *robotstxt.File {
			return robotstxt.Parse([]byte("User-agent: *\nDisallow: /"))
		}
		if h := c.Peek("https://300.example/"); !h.Known || h.Decision.Allowed {
			t.Errorf("Peek with Supply = %+v", h)
		}
	})
}

// A program that never waits visits many new sites as fast as their files can be fetched, 64 at once, and with
// few attempts, because WaitError.Until and Peek count the files that are fetched first.
func TestManyNewSites(t *testing.T) {
	for _, usePeek := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			const hosts, took = 1000, 500 * time.Millisecond
			tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
				if req.URL.Path == "/robots.txt" {
					time.Sleep(took)
				}
				return responds(200, file)(req)
			}))
			tr.MaxWait = -1
			start := time.Now()
			calls := 0
			due := make(map[time.Time][]int)
			for i := range hosts {
				due[start] = append(due[start], i)
			}
			for len(due) > 0 {
				now := slices.MinFunc(slices.Collect(maps.Keys(due)), time.Time.Compare)
				time.Sleep(time.Until(now))
				for _, host := range due[now] {
					calls++
					url := fmt.Sprintf("https://%d.example/", host)
					if usePeek {
						if h := tr.Cache.Peek(url); !h.Known {
							due[h.Next] = append(due[h.Next], host)
						}
					} else if _, err := tr.RoundTrip(httptest.NewRequest("GET", url, nil)); err != nil {
						next := err.(*robotshttp.WaitError).Until
						due[next] = append(due[next], host)
					}
				}
				delete(due, now)
			}
			all := time.Since(start)
			t.Logf("%d hosts after %v, with %d calls", hosts, all, calls)
			if all > hosts/64*took*3/2+time.Second || calls > 4*hosts {
				t.Errorf("%d hosts after %v, with %d calls; want about %v, and at most 4 calls each", hosts, all, calls, hosts/64*took)
			}
		})
	}
}

// The time of a Hint counts the files that are fetched before the file of its site, and how long they take.
func TestNextCountsPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second / 2)
			return responds(200, file)(req)
		}}).cache()
		for i := range 64 * 20 { // takes 10 s
			c.Peek(fmt.Sprintf("https://%d.example/", i))
		}
		for wait := 9 * time.Second; wait > time.Second; wait -= time.Second {
			time.Sleep(time.Second)
			if d := time.Until(c.Peek("https://1279.example/").Next); d < wait*3/4 || d > wait*5/4 {
				t.Errorf("the last site in %v, want about %v", d, wait)
			}
			if d := time.Until(c.Peek("https://1279.example/").Next); d < wait*3/4 {
				t.Errorf("asking again moves the last site to %v", d)
			}
		}
		for range 2 { // while others wait, and when the line is empty
			c.Forget("https://0.example/")
			c.Peek("https://0.example/") // waits in line again
			time.Sleep(time.Minute)
		}
		if n := c.Stats().Fetches; n != 64*20+2 {
			t.Errorf("%d fetches, want one for each site, and two more for the first", n)
		}
	})
}

// A file that is on its way is not wanted once more.
func TestPeekDuringFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: slowly(responds(200, file))}).cache()
		c.MaxFetches = 1
		var ready atomic.Int64
		c.OnReady = func(string) { ready.Add(1) }
		c.Peek("https://1.example/")
		synctest.Wait()
		c.Peek("https://2.example/")
		c.Peek("https://1.example/")
		time.Sleep(time.Minute)
		if n := c.Stats(); n.Fetches != 2 || n.Hits != 0 || ready.Load() != 2 {
			t.Errorf("%+v, OnReady called %d times, want 2 fetches, no hit, 2 calls", n, ready.Load())
		}
	})
}

// Hosts that never answer do not hold up others: a fetch holds its place for a second, not for Timeout.
func TestDeadHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hosts = 3000 // one in ten is dead
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Host, "0.example") {
				<-req.Context().Done()
				return nil, req.Context().Err()
			}
			time.Sleep(200 * time.Millisecond)
			return responds(200, file)(req)
		}}).cache()
		var group sync.WaitGroup
		start := time.Now()
		for i := range hosts {
			group.Go(func() { get(t, c, fmt.Sprintf("https://%d.example/", i)) })
		}
		synctest.Wait()
		if n := c.Stats().Waiting; n != hosts-64 {
			t.Errorf("%d files wait, want all but 64 of %d", n, hosts)
		}
		group.Wait()
		if took := time.Since(start); took > 25*time.Second {
			t.Errorf("%d files after %v, want at most 25s: 13 s if each dead host takes a second, and 10 s for the last", hosts, took)
		}
	})
}

// No more than 1,024 fetches are slow at once.
func TestManyDeadHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var atOnce, most atomic.Int64
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			most.Store(max(most.Load(), atOnce.Add(1)))
			<-req.Context().Done()
			atOnce.Add(-1)
			return nil, req.Context().Err()
		}}).cache()
		c.MaxFetches = 200
		for i := range 3000 {
			c.Peek(fmt.Sprintf("https://%d.example/", i))
		}
		time.Sleep(40 * time.Second)
		if most.Load() != 1224 || c.Stats().Fetches != 3000 {
			t.Errorf("%d at once, want 1,224; after three rounds of 10s: %+v", most.Load(), c.Stats())
		}
	})
}

// Pause holds up all requests to a site, also of other processes.
func TestPauseMethod(t *testing.T) {
	virtually(t, func(t *testing.T) {
		for _, delay := range []time.Duration{0, time.Second} {
			store := newFleetStore()
			var caches []*robotshttp.Cache
			for range 2 {
				c := withStore(&server{answer: responds(404, "")}, store)
				c.MinDelay = delay
				caches = append(caches, c)
			}
			start := time.Now()
			caches[0].Pause(page, time.Minute)
			caches[0].Pause(page, time.Second) // does not shorten it
			caches[0].Pause(page, -time.Hour)
			caches[0].Pause("no URL", time.Hour)
			time.Sleep(time.Millisecond)
			for i, c := range caches {
				if h := c.Peek(page); i == 0 && h.Next.Sub(start) < time.Minute {
					t.Errorf("next in %v, want a minute", h.Next.Sub(start))
				}
				if err := c.Wait(t.Context(), page); err != nil || time.Since(start) < time.Minute || time.Since(start) > 70*time.Second {
					t.Errorf("process %d, delay %v: Wait returned after %v, error %v", i, delay, time.Since(start), err)
				}
			}
			time.Sleep(time.Minute)
		}
		c := (&server{answer: responds(404, "")}).cache()
		c.Pause("https://long.example/", time.Hour)
		for i := range 1000 { // the sites whose pauses are over are forgotten
			c.Pause(fmt.Sprintf("https://%d.example/", i), 10*time.Second)
			time.Sleep(time.Second)
		}
		if n := c.Stats().Entries; n > 20 {
			t.Errorf("%d sites are remembered, want about 13", n)
		}
		c.Pause(page, 1000*time.Hour)
		start := time.Now()
		if err := c.Wait(t.Context(), page); err != nil || time.Since(start) > 27*time.Hour {
			t.Errorf("Wait returned after %v, error %v, want a day and a little", time.Since(start), err)
		}
	})
}

// SiteDelay can make requests to a site faster or slower than the limits, and change its mind; Peek says what
// is in force.
func TestSiteDelay(t *testing.T) {
	virtually(t, func(t *testing.T) {
		for _, store := range []robotshttp.Store{nil, newFleetStore()} {
			c := withStore(&server{answer: responds(200, "User-agent: *\nCrawl-delay: 10\n")}, store)
			c.MinDelay, c.MaxDelay = time.Second, 8*time.Second
			wants := []time.Duration{time.Second / 2, time.Minute, -time.Second}
			want := 8 * time.Second
			c.SiteDelay = func(site string, delay time.Duration) time.Duration {
				if delay != 8*time.Second || site != "https://example.com/robots.txt" {
					t.Errorf("SiteDelay was asked about %s and %v", site, delay)
				}
				return want
			}
			if err := c.Wait(t.Context(), page); err != nil {
				t.Fatal(err)
			}
			for _, next := range wants {
				if h := c.Peek(page); h.Delay != want {
					t.Errorf("Peek says %v, want %v", h.Delay, want)
				}
				start, before := time.Now(), want
				want = next // counts after the next request
				if err := c.Wait(t.Context(), page); err != nil {
					t.Fatal(err)
				}
				if gap := time.Since(start); next > 0 && (gap < before || gap > before+before/10) {
					t.Errorf("a request came %v after the one before, want %v", gap, before)
				}
			}
		}
	})
}

// OnReady tells a program that does not wait that its request can be sent now: when the file has come, and in
// a fleet when the site has been lent to it. If it panics, nothing else fails.
func TestOnReady(t *testing.T) {
	virtually(t, func(t *testing.T) {
		store := newFleetStore()
		slow := &server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(300 * time.Millisecond)
			return responds(200, "User-agent: *\nCrawl-delay: 2\n")(req)
		}}
		start := time.Now()
		sent := make(map[string]time.Duration)
		var mu sync.Mutex
		var group sync.WaitGroup
		for _, name := range []string{"first", "second"} {
			tr := &robotshttp.Transport{MaxWait: -1, Cache: withStore(slow, store), Base: roundTripper(func(req *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				sent[name] = time.Since(start)
				return responds(200, "")(req)
			})}
			tr.Cache.Logger = slog.New(slog.DiscardHandler)
			ready := make(chan string, 100)
			tr.Cache.OnReady = func(site string) {
				ready <- site
				panic("OnReady")
			}
			group.Go(func() {
				for {
					_, err := tr.RoundTrip(httptest.NewRequest("GET", page, nil))
					if err == nil {
						return
					}
					at, _ := robotshttp.RetryAt(err)
					select {
					case <-time.After(time.Until(at)):
					case site := <-ready:
						if site != location {
							t.Errorf("OnReady was called for %s", site)
						}
					}
				}
			})
			time.Sleep(100 * time.Millisecond)
		}
		group.Wait()
		if first, second := sent["first"], sent["second"]; first != 300*time.Millisecond || second < 2300*time.Millisecond || second > 2850*time.Millisecond {
			t.Errorf("sent after %v, want 300ms, when the file came, and about 2.8s, when the second process got the site; Until is 100ms later", sent)
		}
	})
}

// If there is no room for a file, a program that comes again whenever OnReady is called would fetch the file
// again and again, so OnReady is not called.
func TestOnReadyWithoutRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: responds(200, file)}).cache()
		c.MaxBytes = 1
		c.OnReady = func(site string) { t.Errorf("OnReady was called for %s", site) }
		if h := c.Peek(page); h.Known {
			t.Errorf("Peek = %+v", h)
		}
	})
}

// RetryAt tells a refusal that is final from one that is not.
func TestRetryAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web := map[string]func(*http.Request) (*http.Response, error){
			"rule.example": responds(200, "User-agent: *\nDisallow: /\n"),
			"busy.example": responds(200, "User-agent: *\nCrawl-delay: 20\n"),
			"down.example": responds(503, ""),
			"dead.example": down,
		}
		tr := robotshttp.NewTransport("FooBot", roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return web[req.URL.Host](req)
			}
			return nil, errDown
		}))
		for host := range web {
			get(t, tr.Cache, "https://"+host+"/")
		}
		tr.MaxWait = -1
		client := &http.Client{Transport: tr}
		for host, want := range map[string]time.Duration{"rule.example": 0, "busy.example": 20 * time.Second, "down.example": time.Minute, "dead.example": time.Minute} {
			_, err := client.Get("https://" + host + "/")
			if errors.Is(err, errDown) && host == "busy.example" {
				if at, ok := robotshttp.RetryAt(err); ok {
					t.Errorf("%s: error %v: retry at %v", host, err, at)
				}
				_, err = client.Get("https://" + host + "/")
			}
			at, ok := robotshttp.RetryAt(err)
			if d := time.Until(at); ok != (want > 0) || ok && (d < want || d > want*11/10) {
				t.Errorf("%s: error %v: retry %t, in %v, want %v", host, err, ok, d, want)
			}
		}
		if _, ok := robotshttp.RetryAt(nil); ok {
			t.Error("RetryAt(nil) is ok")
		}
	})
}
