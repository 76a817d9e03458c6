package sites

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// A gate limits how many fetches run at once: at most mostAtOnce, and at most mostPerAddress that talk to
// hosts with the same first address. The zero gate is ready to use.
type gate struct {
	mu      sync.Mutex
	running int
	at      map[netip.Addr]int // how many of them talk to an address
	waiting []*turn            // the first comes first, unless its address is busy
}

const mostAtOnce, mostPerAddress = 64, 4

// A turn waits until there is room at an address.
type turn struct {
	address netip.Addr    // invalid if the host has none; then only mostAtOnce counts
	begins  chan struct{} // closed when the turn begins
}

// enter waits until a fetch may talk to an address, or until ctx ends. The caller must call leave
// afterwards, unless enter returns an error.
func (g *gate) enter(ctx context.Context, address netip.Addr) error {
	t := &turn{address, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, t)
	g.admit()
	g.mu.Unlock()
	select {
	case <-t.begins:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, t); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else {
		g.release(address) // the turn has begun in the meantime
	}
	return context.Cause(ctx)
}

func (g *gate) leave(address netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release(address)
}

func (g *gate) release(address netip.Addr) {
	g.running--
	if g.at[address]--; g.at[address] == 0 {
		delete(g.at, address)
	}
	g.admit()
}

// admit lets turns begin for which there is room.
func (g *gate) admit() {
	if g.at == nil {
		g.at = map[netip.Addr]int{}
	}
	g.waiting = slices.DeleteFunc(g.waiting, func(t *turn) bool {
		if g.running == mostAtOnce || t.address.IsValid() && g.at[t.address] == mostPerAddress {
			return false
		}
		g.running++
		g.at[t.address]++
		close(t.begins)
		return true
	})
}

// A visit is one fetch, which can lead from one address to another. It has a time limit, which does not
// count the time at the gate, so that many hosts of one slow server are not taken for dead.
type visit struct {
	gate   *gate
	host   string     // the host that the user named
	home   netip.Addr // its address
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	isInside bool
	address  netip.Addr
	limit    time.Duration // the whole time limit
	left     time.Duration
	since    time.Time // when the timer started
	timer    *time.Timer
}

func (g *gate) newVisit(ctx context.Context, host string, limit time.Duration) *visit {
	v := &visit{gate: g, host: host, limit: limit, left: limit}
	v.ctx, v.cancel = context.WithCancelCause(ctx)
	return v
}

// moveTo waits until the visit may talk to an address. A visit is at one address at a time, so two
// visits never wait for each other.
func (v *visit) moveTo(address netip.Addr) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.isInside && v.address == address {
		return nil
	}
	v.pause()
	if err := v.gate.enter(v.ctx, address); err != nil {
		return err
	}
	v.isInside, v.address, v.since = true, address, time.Now()
	v.timer = time.AfterFunc(v.left, func() { v.cancel(errors.New(reply.Late(v.limit))) })
	return nil
}

// pause leaves the address, if there is one, and stops the timer.
func (v *visit) pause() {
	if !v.isInside {
		return
	}
	v.timer.Stop()
	v.left -= time.Since(v.since)
	v.isInside = false
	v.gate.leave(v.address)
}

// end ends the visit.
func (v *visit) end() {
	v.cancel(nil) // before the lock, which moveTo can hold while it waits
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pause()
}
