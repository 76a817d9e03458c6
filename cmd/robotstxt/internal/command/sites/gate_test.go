package sites

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestGate tests that visits that lead from their own address to a common one, as redirects do, are at most
// four at once there, and that the time at the gate does not count for their limit.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		var mu sync.Mutex
		now, most := 0, 0
		var all sync.WaitGroup
		common := netip.MustParseAddr("192.0.2.255")
		for i := range byte(100) {
			all.Go(func() {
				v := g.newVisit(t.Context(), "a.example", 3*time.Second)
				defer v.end()
				for _, address := range []netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, i}), common, common} {
					if err := v.moveTo(address); err != nil {
						t.Errorf("visit %d: %v", i, err)
					}
					if address == common {
						mu.Lock()
						now++
						most = max(most, now)
						mu.Unlock()
					}
					time.Sleep(900 * time.Millisecond)
					if address == common {
						mu.Lock()
						now--
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		if most != mostPerAddress || g.running != 0 || len(g.at) != 0 || len(g.waiting) != 0 {
			t.Errorf("%d at once; left: %d running, at %v, %d waiting", most, g.running, g.at, len(g.waiting))
		}
	})
}

// TestGateAtOnce tests that hosts without an address count only for the limit of all.
func TestGateAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		start := time.Now()
		var all sync.WaitGroup
		for range 2*mostAtOnce + 1 {
			all.Go(func() {
				v := g.newVisit(t.Context(), "", time.Minute)
				defer v.end()
				v.moveTo(netip.Addr{})
				time.Sleep(time.Second)
			})
		}
		all.Wait()
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v, want 3 s", took)
		}
	})
}

// TestVisitLimit tests that the limit is for the whole visit, and that an interrupt ends the waiting.
func TestVisitLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
		start := time.Now()
		v := g.newVisit(t.Context(), "a.example", 3*time.Second)
		v.moveTo(a)
		time.Sleep(2 * time.Second)
		v.moveTo(b)
		<-v.ctx.Done()
		if took, cause := time.Since(start), context.Cause(v.ctx); took != 3*time.Second || cause.Error() != "it did not answer within 3 s" {
			t.Errorf("ends after %v: %v", took, cause)
		}
		v.end()

		for range mostPerAddress {
			if err := g.newVisit(t.Context(), "", time.Hour).moveTo(a); err != nil {
				t.Error(err)
			}
		}
		ctx, interrupt := context.WithTimeout(t.Context(), time.Second)
		defer interrupt()
		late := g.newVisit(ctx, "", time.Hour)
		if err := late.moveTo(a); err != context.DeadlineExceeded || len(g.waiting) != 0 || g.running != mostPerAddress {
			t.Errorf("error %v, %d waiting, %d running", err, len(g.waiting), g.running)
		}
		late.end()
	})
}

// TestVisitStays tests that a visit that moves to its own address keeps its place, although others wait.
func TestVisitStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		a := netip.MustParseAddr("192.0.2.1")
		var visits []*visit
		for range mostPerAddress + 1 {
			v := g.newVisit(t.Context(), "", time.Hour)
			visits = append(visits, v)
			go v.moveTo(a)
		}
		synctest.Wait()
		for _, v := range visits {
			if v.isInside {
				if err := v.moveTo(a); err != nil || len(g.waiting) != 1 {
					t.Errorf("error %v, %d waiting", err, len(g.waiting))
				}
			}
		}
		for _, v := range visits {
			v.end()
		}
	})
}

// TestVisitIsTooLate tests that no room is lost if a turn begins when its context has ended.
func TestVisitIsTooLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var g gate
	for range 100 { // select chooses at random
		v := g.newVisit(ctx, "", time.Hour)
		v.moveTo(netip.Addr{})
		v.end()
	}
	if g.running != 0 {
		t.Errorf("%d running, want 0", g.running)
	}
}
