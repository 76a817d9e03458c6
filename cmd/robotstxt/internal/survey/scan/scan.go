// Package scan surveys many robots.txt files and WARC archives on this machine, on all cores.
//
// Several inputs are surveyed at the same time. The results are used in the order of the inputs,
// so the output is always the same. Memory use does not grow with the size of an input.
package scan

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
)

// Options say what to scan and what to write.
type Options struct {
	Inputs    iter.Seq2[string, error] // names of files and folders; "-" is Stdin
	Stdin     io.Reader
	Questions survey.Questions
	JSONL     bool // the inputs are files with lines of JSON

	Records io.Writer // receives the records as lines of JSON, in the order of the inputs; nil if no records are wanted
	Dir     string    // if not empty, each input's records and summary are written to files in this folder instead

	Warn      func(error)   // receives messages for the user, in order
	BytesRead *atomic.Int64 // counts the bytes of the inputs that have been read, before decompression
}

// A Result sums up what a scan did.
type Result struct {
	Summary  survey.Summary // also covers inputs whose outputs were already in Dir
	Captures int            // how many captures this scan has read
	Failed   bool           // something could not be read or written; damage in an archive is not a failure
	Written  int            // the number of outputs that this scan wrote to Dir
	Existing int            // the number of outputs that were already in Dir
}

// Run scans until all inputs have been read or ctx is done. It returns an error only if
// writing to Records fails.
func Run(ctx context.Context, o Options) (result Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Options: o, ctx: ctx}
	result.Summary = o.Questions.NewSummary()
	warned := false
	for in := range ahead(runtime.GOMAXPROCS(0), r.list, r.survey) {
		for records := range in.records {
			if err != nil {
				continue // keep receiving, because the senders would otherwise wait forever
			}
			if _, err = o.Records.Write(records); err != nil {
				cancel()
			}
		}
		if in.stale != "" && !warned {
			warned = true
			o.Warn(fmt.Errorf("outputs in %s differ in %s from those of this scan, so their inputs are read again", o.Dir, in.stale))
		}
		for _, problem := range in.problems {
			o.Warn(problem)
		}
		if in.more > 0 {
			o.Warn(fmt.Errorf("%s: further problems: %d", in.name, in.more))
		}
		if e := result.Summary.Merge(&in.summary); e != nil {
			panic(e) // impossible: all inputs answer the same questions
		}
		result.Captures += in.captures
		result.Failed = result.Failed || in.failed
		result.Written += in.written
		result.Existing += in.existing
	}
	result.Summary.LeftOut += r.leftOut
	return result, err
}

// ahead calls do(item) in a new goroutine for each item that list emits. The returned channel
// delivers the items in the same order. An item can arrive before do(item) returns. At most n
// items wait in the channel; then emit blocks. So the caller must receive all items, or list
// would never return.
func ahead[T any](n int, list func(emit func(T)), do func(T)) <-chan T {
	started := make(chan T, n)
	go func() {
		defer close(started)
		list(func(item T) {
			started <- item
			go do(item)
		})
	}()
	return started
}

// A run is a scan in progress.
type run struct {
	Options
	ctx     context.Context
	leftOut int // the number of files that list left out; it needs no lock, because only the goroutine of list changes it
}
