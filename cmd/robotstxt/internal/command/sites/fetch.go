package sites

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// A fetcher fetches robots.txt files, many at a time; see gate.
type fetcher struct {
	loader  cli.Loader
	timeout time.Duration
	gate    gate
	lookups chan struct{} // contains an element for each lookup that runs
}

func newFetcher(loader cli.Loader, timeout time.Duration) *fetcher {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil              // a proxy would choose the address itself
	transport.DisableKeepAlives = true // a connection to a private address must not serve another site's redirect
	f := &fetcher{loader: loader, timeout: timeout, lookups: make(chan struct{}, mostAtOnce)}
	transport.DialContext = f.guarded(transport.DialContext)
	f.loader.Client = &http.Client{Transport: transport, Timeout: 24 * time.Hour} // the visit has the limit
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
	return f.loader.Fetcher.Fetch(context.WithValue(v.ctx, visitKey{}, v), location)
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

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// guarded returns a function that connects with dial to the host that the user named. Other hosts, to
// which redirects lead, must have a public address.
func (f *fetcher) guarded(dial dialFunc) dialFunc {
	careful := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error { return reply.CheckPublic(address) }}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		v := ctx.Value(visitKey{}).(*visit)
		if host == v.host {
			if err := v.moveTo(v.home); err != nil {
				return nil, err
			}
			return dial(ctx, network, address)
		}
		if err := v.moveTo(f.addressOf(v.ctx, host)); err != nil {
			return nil, err
		}
		return careful.DialContext(ctx, network, address)
	}
}
