package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"
)

// A web is a server that has all sites.
type web struct {
	server *httptest.Server
	files  atomic.Int64 // how many robots.txt files were asked for

	mu    sync.Mutex
	pages []time.Time // when pages were asked for
}

func startWeb() *web {
	w := &web{}
	w.server = httptest.NewServer(w)
	return w
}

func (w *web) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	now := time.Now()
	if req.URL.Path == "/robots.txt" {
		w.files.Add(1)
		time.Sleep(10 * time.Millisecond) // as a site that is near
		io.WriteString(rw, "User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\n")
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages = append(w.pages, now)
}

// leastGap returns the least time between two requests for pages, if there were two.
func (w *web) leastGap() (least time.Duration, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 1; i < len(w.pages); i++ {
		if gap := w.pages[i].Sub(w.pages[i-1]); !ok || gap < least {
			least, ok = gap, true
		}
	}
	return least, ok
}
