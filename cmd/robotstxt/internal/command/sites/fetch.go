package sites

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// A fetcher fetches robots.txt files, many at a time; see gate.
type fetcher struct {
	client  *http.Client
	timeout time.Duration
	gate    gate
	lookups chan struct{} // contains an element for each lookup that runs
}

func newFetcher(timeout time.Duration) *fetcher {
	f := &fetcher{timeout: timeout, lookups: make(chan struct{}, mostAtOnce)}
	transport := reply.Guard{}.Transport()
	transport.DialContext = f.dial
	f.client = &http.Client{Transport: transport, Timeout: 24 * time.Hour} // the visit has the limit
	return f
}

// fetch fetches the robots.txt at a location, and calls use with it. It leaves the gate only after that,
// so that no more than mostAtOnce files are in memory.
func (f *fetcher) fetch(ctx context.Context, location string, use func(reply.Reply, error)) {
	u, err := url.Parse(location)
	if err != nil {
		use(reply.Reply{}, err)
		return
	}
	v := f.gate.newVisit(ctx, u.Hostname(), f.timeout)
	defer v.end()
	use(f.visit(v, location))
}

// visit fetches the robots.txt at a location. It waits for its turn at the address first.
func (f *fetcher) visit(v *visit, location string) (r reply.Reply, err error) {
	v.home = f.addressOf(v.ctx, v.host)
	if err := v.moveTo(v.home); err != nil {
		return r, err
	}
	return reply.Get(context.WithValue(v.ctx, visitKey{}, v), f.client, "", location)
}

// addressOf returns the first address of a host. If there is none, the result is not valid; a connection
// to the host then says why.
func (f *fetcher) addressOf(ctx context.Context, host string) netip.Addr {
	f.lookups <- struct{}{}
	defer func() { <-f.lookups }()
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return netip.Addr{}
	}
	return found[0].Unmap()
}

// visitKey is the key of the visit in the context of a fetch.
type visitKey struct{}

// dial connects to the host that the user named, or to another one with a public address, to which redirects
// lead. It waits for its turn at the address first.
func (f *fetcher) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	v := ctx.Value(visitKey{}).(*visit)
	target := v.home
	if host != v.host {
		target = f.addressOf(v.ctx, host)
	}
	if err := v.moveTo(target); err != nil {
		return nil, err
	}
	return reply.Guard{Hosts: []string{v.host}}.DialContext(ctx, network, address)
}
