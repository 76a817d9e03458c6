package sites

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/public"
)

// A fetcher fetches robots.txt files: at most mostAtOnce at a time, and at most mostPerAddress from
// hosts with the same address.
type fetcher struct {
	loader cli.Loader
	all    limit

	mu        sync.Mutex
	addresses map[netip.Addr]limit
}

const mostAtOnce, mostPerAddress = 64, 4

// A limit is how much may happen at once. It contains one element for each thing that happens.
type limit chan struct{}

// wait waits until there is room, or until ctx ends. The caller must call leave afterwards, unless wait
// returns an error.
func (l limit) wait(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l limit) leave() { <-l }

func newFetcher(timeout time.Duration) *fetcher {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // a proxy would choose the address itself
	transport.DialContext = guarded(transport.DialContext)
	transport.DisableKeepAlives = true // a connection to a private address must not serve another site's redirect
	return &fetcher{
		loader:    cli.Loader{Client: &http.Client{Transport: transport}, Timeout: timeout},
		all:       make(limit, mostAtOnce),
		addresses: map[netip.Addr]limit{},
	}
}

// fetch fetches the robots.txt at a location. It waits for its turn at the address first, so that many
// hosts of one slow server do not keep the others waiting.
func (f *fetcher) fetch(ctx context.Context, location string) (r cli.SiteRobots, err error) {
	u, err := url.Parse(location)
	if err != nil {
		return r, err
	}
	ofAddress, err := f.limitOf(ctx, u.Hostname())
	if err != nil {
		return r, err
	}
	if err := ofAddress.wait(ctx); err != nil {
		return r, err
	}
	defer ofAddress.leave()
	if err := f.all.wait(ctx); err != nil {
		return r, err
	}
	defer f.all.leave()
	return f.loader.FetchContext(context.WithValue(ctx, namedHost{}, u.Hostname()), location)
}

// limitOf returns the limit for the address of a host. A host without an address gets a limit of its
// own; the fetch then says why it has none.
func (f *fetcher) limitOf(ctx context.Context, host string) (limit, error) {
	if err := f.all.wait(ctx); err != nil {
		return nil, err
	}
	defer f.all.leave()
	ctx, cancel := context.WithTimeout(ctx, f.loader.Timeout)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return make(limit, 1), nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	first := found[0].Unmap()
	if f.addresses[first] == nil {
		f.addresses[first] = make(limit, mostPerAddress)
	}
	return f.addresses[first], nil
}

// namedHost is the key of the host that the user named, in the context of its fetch.
type namedHost struct{}

var errPrivate = errors.New("a redirect to an address that is not public, which this tool refuses")

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// guarded returns a function that connects with dial to the host that the user named. Other hosts, to
// which redirects lead, must have a public address.
func guarded(dial dialFunc) dialFunc {
	careful := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		if !public.IsPublic(address) {
			return errPrivate
		}
		return nil
	}}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if host == ctx.Value(namedHost{}) {
			return dial(ctx, network, address)
		}
		return careful.DialContext(ctx, network, address)
	}
}
