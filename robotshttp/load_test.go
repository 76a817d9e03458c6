package robotshttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A visit records the requests to one site in TestLoad.
type visit struct {
	robots  atomic.Int64 // requests for the robots.txt
	settled atomic.Bool  // the robots.txt has been sent
	pages   atomic.Int64 // requests for pages
}

// However many goroutines visit a site at once, its robots.txt is fetched once, and before
// any page.
func TestLoad(t *testing.T) {
	const goroutines, sites = 1000, 200
	var visits [sites]visit
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var site int
		if _, err := fmt.Sscanf(r.Host, "site%d.example", &site); err != nil {
			t.Errorf("host %q: %v", r.Host, err)
			return
		}
		v := &visits[site]
		switch r.URL.Path {
		case "/robots.txt":
			v.robots.Add(1)
			v.settled.Store(true)
			io.WriteString(w, "User-agent: *\nDisallow: /private\n")
		case "/private":
			t.Errorf("%s: a disallowed page was requested", r.Host)
		default:
			v.pages.Add(1)
			if !v.settled.Load() {
				t.Errorf("%s: a page was requested before the robots.txt", r.Host)
			}
		}
	}))
	defer s.Close()

	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", everywhere(t, s))}
	start := make(chan struct{})
	var group sync.WaitGroup
	for i := range goroutines {
		group.Go(func() {
			<-start
			visitBoth(t, client, fmt.Sprintf("http://site%d.example", i%sites))
		})
	}
	close(start)
	group.Wait()
	for i := range visits {
		if n, pages := visits[i].robots.Load(), visits[i].pages.Load(); n != 1 || pages != goroutines/sites {
			t.Errorf("site %d: %d requests for robots.txt, want 1, and %d for pages, want %d", i, n, pages, goroutines/sites)
		}
	}
}

// everywhere returns a transport that sends the requests for all hosts to s.
func everywhere(t testing.TB, s *httptest.Server) http.RoundTripper {
	var d net.Dialer
	transport := &http.Transport{
		MaxConnsPerHost: 2,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return d.DialContext(ctx, network, s.Listener.Addr().String())
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// visitBoth requests a disallowed page and an allowed page of a site.
func visitBoth(t *testing.T, client *http.Client, site string) {
	if resp, err := client.Get(site + "/private"); err == nil {
		t.Errorf("%s: no error for a disallowed page", site)
		resp.Body.Close()
	}
	resp, err := client.Get(site + "/")
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
}
