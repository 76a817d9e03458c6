package sites

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimits tests that fetches from one address are at most four at once, that those that wait there keep out no
// other, and that those without an address count only for the limit of all.
func TestLimits(t *testing.T) {
	busy := netip.MustParseAddr("192.0.2.1")
	for _, c := range []struct {
		about   string
		address func(i byte) netip.Addr
		fetches int
		want    time.Duration
	}{
		{"one address", func(byte) netip.Addr { return busy }, 100, 25 * time.Second},
		{"many addresses", func(i byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, i}) }, 2*mostAtOnce + 1, 3 * time.Second},
		{"no address", func(byte) netip.Addr { return netip.Addr{} }, 2*mostAtOnce + 1, 3 * time.Second},
		{"a busy address, and others", func(i byte) netip.Addr {
			if i < 8 {
				return busy
			}
			return netip.AddrFrom4([4]byte{198, 51, 100, i})
		}, 8 + mostAtOnce - mostPerAddress, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFetcher(time.Second)
			start := time.Now()
			var all sync.WaitGroup
			for i := range c.fetches {
				all.Go(func() {
					address := c.address(byte(i))
					if !f.enter(t.Context(), address) {
						t.Errorf("%s: fetch %d may not run", c.about, i)
					}
					time.Sleep(time.Second)
					f.leave(address)
				})
			}
			all.Wait()
			if took := time.Since(start); took != c.want || len(f.running)+len(f.room(busy)) != 0 {
				t.Errorf("%s: took %v, want %v; left: %d running, %d at the address", c.about, took, c.want, len(f.running), len(f.room(busy)))
			}
		})
	}
}

// TestEnterInterrupted tests that an interrupt ends the waiting, also if there is no room for any fetch, and that no
// room is lost.
func TestEnterInterrupted(t *testing.T) {
	f := newFetcher(time.Second)
	a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for range mostPerAddress {
		f.enter(t.Context(), a)
	}
	for range mostAtOnce - mostPerAddress {
		f.enter(t.Context(), netip.Addr{})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f.enter(ctx, a) || f.enter(ctx, b) || len(f.running) != mostAtOnce || len(f.room(a)) != mostPerAddress || len(f.room(b)) != 0 {
		t.Errorf("%d running, %d and %d at the addresses", len(f.running), len(f.room(a)), len(f.room(b)))
	}
}
