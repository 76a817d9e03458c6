package shared

import (
	"sync"
	"time"
)

// A window limits how many calls are in progress at once, by the time that a call takes. If the Store is busy,
// or this process has too little computing time, too many calls would wait for each other until they time
// out. If the Store is far away, too few would leave it idle.
//
// Eight calls that each take less than quickTime widen the window by one call. A call of more than slowTime
// halves it, unless it began before the window was last halved: it says nothing about the new width.
type window struct {
	free chan struct{} // holds a value for each call that may begin: receiving it begins a call, and leave ends it

	mu     sync.Mutex
	width  float64   // how many calls may be in progress
	places int       // calls in progress, and values in free
	halved time.Time // when the width was last halved
}

const (
	minWidth   = 16
	firstWidth = 64
	maxWidth   = 512

	quickTime = callTimeout / 2
	slowTime  = callTimeout * 3 / 4
)

func newWindow() *window {
	w := &window{free: make(chan struct{}, maxWidth), width: firstWidth, places: firstWidth}
	for range firstWidth {
		w.free <- struct{}{}
	}
	return w
}

// leave ends a call that began at start, and lets calls begin, as many as the width allows.
func (w *window) leave(start time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	switch took := now.Sub(start); {
	case took > slowTime && !start.Before(w.halved):
		w.width, w.halved = max(w.width/2, minWidth), now
	case took < quickTime:
		w.width = min(w.width+1.0/8, maxWidth)
	}
	for w.places--; w.places < int(w.width); w.places++ {
		w.free <- struct{}{}
	}
}
