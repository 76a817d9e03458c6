package main

import (
	"runtime"
	"slices"
	"time"
)

// A meter measures how long functions take.
type meter struct {
	rounds int // how often to repeat each measurement
}

// minRound is the least total time of a function's calls in one round. Shorter times cannot be
// measured precisely.
const minRound = 50 * time.Millisecond

// times returns the median time of one call of each function, in nanoseconds. Each round times
// all functions, one after the other, so other load on the machine slows all of them alike.
func (m meter) times(functions ...func()) []float64 {
	calls := make([]int, len(functions))
	for i, f := range functions {
		for calls[i] = 1; timeOf(f, calls[i]) < minRound; calls[i] *= 2 {
		}
	}
	all := make([][]float64, len(functions))
	for range m.rounds {
		for i, f := range functions {
			all[i] = append(all[i], float64(timeOf(f, calls[i]))/float64(calls[i]))
		}
	}
	medians := make([]float64, len(functions))
	for i, times := range all {
		slices.Sort(times)
		medians[i] = times[len(times)/2]
	}
	return medians
}

func timeOf(f func(), calls int) time.Duration {
	runtime.GC()
	f()
	start := time.Now()
	for range calls {
		f()
	}
	return time.Since(start)
}

// heap returns how many bytes of the heap the result of f occupies.
func heap[T any](f func() T) float64 {
	before := heapInUse()
	kept := f()
	after := heapInUse()
	runtime.KeepAlive(kept)
	return after - before
}

func heapInUse() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // a sync.Pool is empty only after the second collection
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
