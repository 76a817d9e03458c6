package sites

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// A fetcher fetches robots.txt files: at most mostAtOnce at once, and at most mostPerAddress of hosts with the same
// first address. The address of a host to which a redirect leads does not count.
type fetcher struct {
	timeout time.Duration
	lookups chan struct{} // contains an element for each lookup that runs
	running chan struct{} // contains an element for each fetch that runs

	mu sync.Mutex
	at map[netip.Addr]chan struct{} // contains an element for each fetch from an address
}

const mostAtOnce, mostPerAddress = 64, 4

// slower is how much longer a second try may take than the first one.
const slower = 5

func newFetcher(timeout time.Duration) *fetcher {
	return &fetcher{timeout: timeout, lookups: make(chan struct{}, mostAtOnce), running: make(chan struct{}, mostAtOnce),
		at: map[netip.Addr]chan struct{}{}}
}

// fetch fetches the robots.txt at a location, and calls use with it. If the server does not answer, it tries once
// more, after all others that wait. It calls nothing if ctx ends before.
func (f *fetcher) fetch(ctx context.Context, location string, use func(reply.Reply)) {
	guard := reply.GuardFor(location)
	address := f.addressOf(ctx, guard.Hosts[0])
	for i, limit := range []time.Duration{f.timeout, slower * f.timeout} {
		if !f.enter(ctx, address) {
			return
		}
		client := &http.Client{Transport: guard.Transport(), Timeout: limit}
		found, err := reply.Get(ctx, client, "", location)
		if err != nil {
			found.State, found.Why = reply.Dead, reply.ErrorText(err)
		}
		isDone := found.State != reply.Dead || i > 0
		if isDone {
			use(found) // before leave, so that no more than mostAtOnce files are in memory
		}
		f.leave(address)
		if isDone {
			return
		}
	}
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

// enter waits until a fetch may run, and reports whether it may: false if ctx has ended. After a fetch, the
// caller must call leave.
func (f *fetcher) enter(ctx context.Context, address netip.Addr) bool {
	select {
	case f.room(address) <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	select {
	case f.running <- struct{}{}: // last, because a fetch that waits for its address must keep out no other
		return true
	case <-ctx.Done():
		<-f.room(address)
		return false
	}
}

func (f *fetcher) leave(address netip.Addr) {
	<-f.running
	<-f.room(address)
}

// room returns the channel for an address. Hosts without one have no limit of their own.
func (f *fetcher) room(address netip.Addr) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[address] == nil {
		limit := mostPerAddress
		if !address.IsValid() {
			limit = mostAtOnce
		}
		f.at[address] = make(chan struct{}, limit)
	}
	return f.at[address]
}
