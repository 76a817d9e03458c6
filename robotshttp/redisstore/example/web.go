package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"
)

// A web is one HTTP server that answers the requests to all sites.
type web struct {
	server *httptest.Server
	files  atomic.Int64 // number of requests for a robots.txt

	mu    sync.Mutex
	pages []time.Time // when pages were requested
}

func startWeb() *web {
	w := &web{}
	w.server = httptest.NewServer(w)
	return w
}

// transport returns an http.RoundTripper that sends all requests to w.server, whatever their host.
func (w *web) transport() http.RoundTripper {
	var d net.Dialer
	return &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return d.DialContext(ctx, network, w.server.Listener.Addr().String())
	}}
}

func (w *web) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	now := time.Now()
	if req.URL.Path == "/robots.txt" {
		w.files.Add(1)
		time.Sleep(10 * time.Millisecond) // the latency of a nearby site
		io.WriteString(rw, "User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\n")
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages = append(w.pages, now)
}

// visits returns the number of requests for pages, and the shortest time between two of
// them.
func (w *web) visits() (pages int, gap time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 1; i < len(w.pages); i++ {
		if d := w.pages[i].Sub(w.pages[i-1]); i == 1 || d < gap {
			gap = d
		}
	}
	return len(w.pages), gap
}
