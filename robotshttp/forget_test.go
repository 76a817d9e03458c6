package robotshttp_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// After Forget, the site is asked again, even if memory or the Store contains its file.
func TestForget(t *testing.T) {
	for name, store := range map[string]robotshttp.Store{"memory": nil, "store": newFleetStore()} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: responds(200, "")}
			c := withStore(s, store)
			c.Forget(page) // although the Cache does not know the site yet
			wantOutcome(t, c, robotshttp.Fetched, true)
			s.answer = responds(200, file)
			time.Sleep(time.Second)
			wantOutcome(t, c, robotshttp.Cached, true)
			entries := c.Stats().Entries
			if c.Forget("not a URL"); c.Stats().Entries != entries {
				t.Errorf("%s: Forget added an entry for an invalid URL", name)
			}
			c.Forget("https://other.example/")
			wantOutcome(t, c, robotshttp.Cached, true)
			c.Forget("https://EXAMPLE.com/other")
			wantOutcome(t, c, robotshttp.Fetched, false)
			wantOutcome(t, c, robotshttp.Cached, false)
			if store != nil {
				wantOutcome(t, withStore(s, store), robotshttp.Cached, false)
			}
			if n := s.requests.Load(); n != 2 {
				t.Errorf("%s: %d requests, want 2", name, n)
			}
		})
	}
}

// A Get after Forget fetches the file again, even if an older fetch is still running. The
// result of the older fetch does not replace the new one, even if it arrives later: neither in
// memory nor in the Store.
func TestForgetDuringFetch(t *testing.T) {
	for name, store := range map[string]func() robotshttp.Store{
		"memory": func() robotshttp.Store { return nil }, "store": func() robotshttp.Store { return &faultyStore{} },
		"fleet": func() robotshttp.Store { return newFleetStore() },
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
					if c.Store != nil {
						wantOutcome(t, withStore(s, c.Store), robotshttp.Cached, false)
					}
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

// If a renewal from before Forget has brought a file, and then the server fails, this file is the
// last one, and stays in force.
func TestForgetDuringLastRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, "")}
		c := s.cache()
		r := get(t, c, page)
		s.answer = slowly(responds(200, file))
		time.Sleep(time.Until(r.Expires) - time.Minute)
		get(t, c, page) // starts the renewal
		synctest.Wait()
		c.Forget(page)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		s.answer = down
		wantOutcome(t, c, robotshttp.Stale, false)
	})
}

// A site that was forgotten during an update, and for which there is no room, is not kept.
func TestForgetWithoutRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := (&server{answer: slowly(responds(200, file))}).cache()
		c.MaxBytes = 1
		go c.Get(t.Context(), page)
		synctest.Wait()
		c.Forget(page)
		time.Sleep(time.Minute)
		if n := c.Stats(); n.Entries != 0 || n.Bytes != 0 {
			t.Errorf("%+v, want no site", n)
		}
	})
}
