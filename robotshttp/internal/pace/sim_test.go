package pace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/pace/pacetest"
)

var (
	errDead = errors.New("the process is dead")
	errDown = errors.New("the fleet is down")
)

// A world is a number of sites with the same delay, and a fleet that visits them.
type world struct {
	delay time.Duration
	mu    sync.Mutex
	fleet pacetest.Fleet
	skew  time.Duration // what is added to the fleet's clock
	late  time.Duration // what is added to the time of a call
	rough bool          // some answers come late
	err   error         // what calls return
	hang  time.Duration // how long calls take that return err
	sites []visits
}

type visits struct {
	at []time.Time
	by []int // number of visits of each process
}

func newWorld(processes, sites int, delay time.Duration) *world {
	w := &world{delay: delay, sites: make([]visits, sites)}
	for i := range w.sites {
		w.sites[i].by = make([]int, processes)
	}
	return w
}

// A process is one of the fleet, trip away from it.
type process struct {
	*world
	id     int
	trip   time.Duration
	dead   bool
	cutOff bool // its calls fail
	pacer  pace.Pacer
	queues []*pace.Queue
}

func (w *world) process(id int, trip time.Duration) *process {
	p := &process{world: w, id: id, trip: trip}
	p.pacer = pace.Pacer{Holder: fmt.Sprint(id), Lease: p.lease}
	for i := range w.sites {
		p.queues = append(p.queues, p.pacer.NewQueue(fmt.Sprint(i)))
	}
	return p
}

func (p *process) lease(_ context.Context, key string, r pace.Request) (pace.Lease, error) {
	time.Sleep(p.trip / 2)
	p.mu.Lock()
	if p.dead {
		p.mu.Unlock()
		time.Sleep(time.Hour)
		return pace.Lease{}, errDead
	}
	if err := p.err; err != nil || p.cutOff {
		hang := p.hang
		p.mu.Unlock()
		time.Sleep(hang)
		return pace.Lease{}, errDown
	}
	l, late := p.fleet.Lease(time.Now().Add(p.skew), key, r), p.late
	if p.rough && rand.N(10) == 0 {
		late = 800 * time.Millisecond
	}
	p.mu.Unlock()
	time.Sleep(p.trip/2 + late)
	return l, nil
}

// visit records a visit, unless the process is dead.
func (p *process) visit(site int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return false
	}
	v := &p.sites[site]
	v.at = append(v.at, time.Now())
	v.by[p.id]++
	return true
}

// crawl visits a site as often as it may, with n goroutines.
func (p *process) crawl(ctx context.Context, site, n int, g *sync.WaitGroup) {
	for range n {
		g.Go(func() {
			for {
				sent, err := p.queues[site].Wait(ctx, time.Time{}, func() (time.Duration, error) { return p.delay, nil })
				if err != nil || !p.visit(site) {
					return
				}
				sent()
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// schedule visits a site as often as it may, without ever waiting: it comes again when it is told to.
func (p *process) schedule(ctx context.Context, site int, late time.Duration, g *sync.WaitGroup) {
	g.Go(func() {
		for ctx.Err() == nil {
			sent, err := p.queues[site].Wait(ctx, time.Now(), func() (time.Duration, error) { return p.delay, nil })
			if err == nil {
				p.visit(site)
				sent()
				time.Sleep(10 * time.Millisecond)
				continue
			}
			e, ok := err.(*pace.WaitError)
			if !ok {
				return
			}
			time.Sleep(time.Until(e.Until) + rand.N(late+1))
		}
	})
}

// result says what the sites saw.
func (w *world) result(d time.Duration) (line string, pages, short, beyond int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	gaps, starved := 0, 0
	total := make([]int, len(w.sites[0].by))
	for _, v := range w.sites {
		pages += len(v.at)
		for i := 1; i < len(v.at); i++ {
			gaps++
			if v.at[i].Sub(v.at[i-1]) < w.delay {
				short++
			}
		}
		for i, n := range v.by {
			total[i] += n
		}
		if slices.Max(v.by) > 2*slices.Min(v.by) {
			beyond++
		}
		if slices.Min(v.by) == 0 {
			starved++
		}
	}
	possible := len(w.sites) * int(d/w.delay)
	line = fmt.Sprintf("%d of %d pages, %d of %d gaps short, shares %d to %d, %d sites beyond a factor of two, %d starved, %.2f calls a page; site 0 %v",
		pages, possible, short, gaps, slices.Min(total), slices.Max(total), beyond, starved, float64(w.fleet.Calls)/float64(pages), w.sites[0].by)
	return line, pages, short, beyond
}

// run lets processes crawl all sites for a time. The function each says what a process does with a site.
func (w *world) run(t *testing.T, d time.Duration, processes []*process, each func(ctx context.Context, p *process, site int, g *sync.WaitGroup)) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var g sync.WaitGroup
	for _, p := range processes {
		for s := range w.sites {
			each(ctx, p, s, &g)
		}
	}
	g.Wait()
	time.Sleep(2 * time.Hour) // until the last calls have ended
}

func crawl(ctx context.Context, p *process, site int, g *sync.WaitGroup) { p.crawl(ctx, site, 1, g) }

// Processes that share sites visit them as often as is possible, never early, and about equally often,
// wherever the fleet is, and whether they wait or come again when they are told to.
func TestShares(t *testing.T) {
	const d = 240 * time.Second
	always, never := "wait", "never wait"
	half := "half of them wait"
	for _, test := range []struct {
		processes, sites int
		delay            time.Duration
		trip, further    time.Duration // of the processes, and of half of them in addition
		mode             string
		calls            float64 // at most so many a page
	}{
		{1, 10, time.Second, 15 * time.Millisecond, 0, always, 0.5},
		{1, 10, time.Second, 15 * time.Millisecond, 0, never, 0.5},
		{1, 20, 10 * time.Second, 50 * time.Millisecond, 0, always, 1.5},
		{8, 20, time.Second, 15 * time.Millisecond, 0, always, 1.2},
		{8, 20, time.Second, 0, 15 * time.Millisecond, always, 1.2},
		{8, 20, time.Second, 15 * time.Millisecond, 0, never, 1.2},
		{8, 20, time.Second, 15 * time.Millisecond, 0, half, 1.2},
		{8, 5, 200 * time.Millisecond, 5 * time.Millisecond, 15 * time.Millisecond, always, 0.5},
		{8, 10, 2 * time.Second, 15 * time.Millisecond, 0, half, 3.5},
		{8, 10, 10 * time.Second, 15 * time.Millisecond, 0, half, 5.5},
		{2, 20, 5 * time.Second, 50 * time.Millisecond, 0, always, 4},
	} {
		t.Run(fmt.Sprintf("%d processes, delay %v, %v to %v away, %s", test.processes, test.delay, test.trip, test.trip+test.further, test.mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(test.processes, test.sites, test.delay)
				var all []*process
				for i := range test.processes {
					all = append(all, w.process(i, test.trip+test.further*time.Duration(i%2)))
				}
				w.run(t, d, all, func(ctx context.Context, p *process, site int, g *sync.WaitGroup) {
					if test.mode == never || test.mode == half && p.id%2 == 0 {
						p.schedule(ctx, site, 0, g)
					} else {
						p.crawl(ctx, site, 1, g)
					}
				})
				line, pages, short, beyond := w.result(d)
				t.Log(line)
				possible := test.sites * int(d/test.delay)
				if pages < possible*97/100 || short > 0 || beyond > 0 || float64(w.fleet.Calls) > test.calls*float64(pages) {
					t.Errorf("%s; want nearly all pages, and at most %.1f calls a page", line, test.calls)
				}
			})
		})
	}
}

// Whatever happens to processes and to the fleet, no request is early while the fleet works and keeps
// what it was told. If it does not, few are, or requests wait. The README of redisstore has the same
// rows.
func TestFaults(t *testing.T) {
	const d, delay, sites = 240 * time.Second, time.Second, 20
	for _, test := range []struct {
		name      string
		isPatient bool                                  // WaitForFleet
		fault     func(w *world, all []*process)        // after a minute
		later     func(w *world, before pacetest.Fleet) // two seconds after that; before is what the fleet knew before the fault
		least     int                                   // pages, in percent of those that are possible
		short     int                                   // gaps, in a thousandth of the pages
	}{
		{name: "none", least: 97},
		{name: "holders and waiters killed", fault: func(_ *world, all []*process) {
			for _, p := range all[:3] {
				p.dead = true
			}
		}, least: 90},
		{name: "restarted empty", fault: func(w *world, _ []*process) { w.fleet.Forget() }, least: 95, short: 1},
		{name: "evicting", fault: func(w *world, _ []*process) {
			for range 10 {
				w.fleet.Forget()
				w.mu.Unlock()
				time.Sleep(10 * time.Second)
				w.mu.Lock()
			}
		}, least: 85, short: 1},
		{name: "replica promoted without the last leases", later: func(w *world, before pacetest.Fleet) {
			before.Calls = w.fleet.Calls
			w.fleet = before
		}, least: 95, short: 10},
		{name: "slow", fault: func(w *world, _ []*process) { w.late = 900 * time.Millisecond }, least: 75},
		{name: "down for a minute", fault: func(w *world, _ []*process) { w.err = errDown }, later: up, least: 90, short: 10},
		{name: "down for a minute, WaitForStore", isPatient: true, fault: func(w *world, _ []*process) { w.err = errDown }, later: up, least: 70},
		{name: "a process is cut off", fault: func(_ *world, all []*process) { all[0].cutOff = true }, least: 97, short: 150},
		{name: "clock set back", fault: func(w *world, _ []*process) { w.skew = -time.Hour }, least: 97},
		{name: "clock set forward", fault: func(w *world, _ []*process) { w.skew = time.Hour }, least: 95, short: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(8, sites, delay)
				var all []*process
				for i := range 8 {
					p := w.process(i, 15*time.Millisecond)
					p.pacer.WaitForFleet = test.isPatient
					all = append(all, p)
				}
				time.AfterFunc(60*time.Second, func() {
					w.mu.Lock()
					defer w.mu.Unlock()
					before := w.fleet.Copy()
					if test.fault != nil {
						test.fault(w, all)
					}
					if test.later != nil {
						w.mu.Unlock()
						time.Sleep(2 * time.Second)
						w.mu.Lock()
						test.later(w, before)
					}
				})
				w.run(t, d, all, crawl)
				line, pages, short, _ := w.result(d)
				t.Log(line)
				if pages*100 < sites*int(d/delay)*test.least || short*1000 > pages*test.short {
					t.Error(line)
				}
			})
		})
	}
}

// While the fleet is down, few requests are early, however many processes there are, whenever they notice,
// although some of the fleet's answers came late and its clock is not theirs, although they have not heard of each
// other at each site, and at sites that they first visit meanwhile.
func TestDown(t *testing.T) {
	const down, sites, fresh = 5 * time.Minute, 40, 5
	for _, test := range []struct {
		processes           int
		delay, hang, before time.Duration // calls fail after the time hang; the fleet works for the time before
	}{
		{1, time.Second, 0, time.Minute},
		{2, 200 * time.Millisecond, 0, time.Minute},
		{2, time.Second, 2 * time.Second, time.Minute},
		{3, time.Second, 0, time.Minute},
		{3, 5 * time.Second, 2 * time.Second, time.Minute},
		{5, 2 * time.Second, 0, time.Minute},
		{8, time.Second, 0, 10 * time.Second}, // not all processes have had their turn
		{8, time.Second, 2 * time.Second, time.Minute},
		{8, 5 * time.Second, 0, 2 * time.Minute},
		{8, 30 * time.Second, 2 * time.Second, 12 * time.Minute},
		{20, time.Second, 0, 3 * time.Minute},
	} {
		t.Run(fmt.Sprintf("%d processes, delay %v, calls fail after %v, %v after the start", test.processes, test.delay, test.hang, test.before), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := test.before + down + time.Minute
				w := newWorld(test.processes, sites, test.delay)
				w.skew, w.hang, w.rough = -1000*time.Hour, test.hang, true
				var all []*process
				for i := range test.processes {
					all = append(all, w.process(i, rand.N(30*time.Millisecond)))
				}
				set := func(err error) {
					w.mu.Lock()
					defer w.mu.Unlock()
					w.err = err
				}
				time.AfterFunc(test.before, func() { set(errDown) })
				time.AfterFunc(test.before+down, func() { set(nil) })
				w.run(t, d, all, func(ctx context.Context, p *process, site int, g *sync.WaitGroup) {
					wait := rand.N(time.Second)
					if site < fresh {
						wait += test.before
					}
					g.Go(func() {
						time.Sleep(wait)
						p.crawl(ctx, site, 1, g)
					})
				})
				line, pages, short, _ := w.result(d)
				t.Log(line)
				// Requests may be early when the fleet fails, until the last turn is over, and when it works again.
				if possible := sites * int(d/test.delay+1); pages*100 < possible*75 || pages > possible || short > max(3*sites, pages/50) {
					t.Error(line)
				}
			})
		})
	}
}

// up makes the fleet work again after a minute.
func up(w *world, _ pacetest.Fleet) {
	w.mu.Unlock()
	time.Sleep(58 * time.Second)
	w.mu.Lock()
	w.err = nil
}

// A request that can wait only a moment is sent if the fleet answers in that time.
func TestShortWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newWorld(1, 1, time.Second).process(0, 10*time.Millisecond)
		sent, err := p.queues[0].Wait(t.Context(), time.Now().Add(50*time.Millisecond), func() (time.Duration, error) { return p.delay, nil })
		if err != nil {
			t.Fatal(err)
		}
		sent()
		time.Sleep(time.Hour) // until the last call has ended
	})
}
