// Package scan surveys many robots.txt files on several cores.
//
// For each input, one goroutine reads batches of captures, and other goroutines survey them.
// The results are used in the order of the inputs, so the output does not depend on the number
// of workers. Memory use does not grow with the number of files.
package scan

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Options say what to scan and what to write.
type Options struct {
	Inputs    iter.Seq2[string, error] // names of files and folders; "-" is Stdin
	Stdin     io.Reader
	Questions survey.Questions
	Verify    bool // check the digests of captures
	Workers   int  // how many inputs are read at a time, and how many batches are surveyed at a time; at least 1

	Print   func(io.Writer, *survey.Record) error // prints a record, and must be safe for concurrent use; nil if no records are wanted
	Records io.Writer                             // receives what Print prints, in the order of the inputs
	Dir     string                                // if not empty, each input's records and summary are written to files in this folder, and Records receives nothing
	Gzip    bool                                  // compress the records in Dir

	Warn     func(error) // receives messages for the user, in order
	Progress *Progress   // updated during the scan; may be nil
}

// Progress counts what a scan has read so far.
type Progress struct {
	Captures atomic.Int64
	Bytes    atomic.Int64 // bytes of the inputs, before decompression
	Errors   atomic.Int64
}

// A Result sums up what a scan did.
type Result struct {
	Summary  survey.Summary // also covers inputs whose outputs were already in Dir
	Captures int
	Failed   bool // something could not be read or written; damage in an archive is not a failure
	Written  int  // the number of outputs that this scan wrote to Dir
	Existing int  // the number of outputs that were already in Dir

	problems []error // the first messages for the user; see tell
	more     int     // the number of further messages, which are not kept
}

// add adds to r the result of one input or of one batch.
func (r *Result) add(part *Result) {
	r.Summary.Merge(&part.Summary)
	r.Captures += part.Captures
	r.Failed = r.Failed || part.Failed
	r.Written += part.Written
	r.Existing += part.Existing
	r.tell(part.problems...)
	r.more += part.more
}

// tell adds messages for the user. After the first 20, it only counts them.
func (r *Result) tell(problems ...error) {
	const most = 20
	n := min(len(problems), most-len(r.problems))
	r.problems = append(r.problems, problems[:n]...)
	r.more += len(problems) - n
}

// fail adds an error message and sets Failed.
func (r *Result) fail(err error) {
	r.Failed = true
	r.tell(err)
}

// Run scans until all inputs have been read or ctx is done. It returns an error only if
// writing to Records fails.
func Run(ctx context.Context, o Options) (result Result, err error) {
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Options: o, ctx: ctx, cores: make(chan struct{}, o.Workers)}
	isStale := false
	for in := range ahead(o.Workers, r.list, r.survey) {
		for records := range in.records {
			if err != nil {
				continue // keep receiving, because the senders would otherwise wait forever
			}
			if _, err = o.Records.Write(records); err != nil {
				cancel()
			}
		}
		if in.isStale && !isStale {
			isStale = true
			o.Warn(fmt.Errorf("the outputs in %s were made with other flags, so their inputs are read again", o.Dir))
		}
		for _, problem := range in.problems {
			o.Warn(problem)
		}
		if in.more > 0 {
			o.Warn(fmt.Errorf("%s: further problems: %d", in.name, in.more))
		}
		result.add(&in.Result)
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
	cores   chan struct{} // limits how many batches are surveyed at a time
	leftOut int           // the number of files that list left out; it needs no lock, because only the goroutine of list changes it
}
