// Package scan surveys many robots.txt files on all cores.
//
// Work is cut into shards, each an archive, a file or the files of a folder, and
// shards into batches. Batches are surveyed in any order, and put back into order
// before they are written. So the output does not depend on the number of workers,
// and memory not on the number of files.
package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Options say what to scan and what to write.
type Options struct {
	Inputs    []string  // files and folders; "-" is Stdin
	Paths     io.Reader // more of them, one per line, unless nil
	Stdin     io.Reader
	Questions survey.Questions
	Workers   int // how many batches to survey at a time; at least 1

	Records io.Writer // gets one JSON object per line and capture, unless nil
	List    string    // if not empty, Records gets the URLs behind this count instead; see has
	Dir     string    // if not empty, each shard is written to a file in this folder instead
	Summary bool      // Dir gets summaries, not records

	Warn     func(error) // is told what could not be read, in order
	Progress *Progress   // unless nil
}

// Progress is how far a scan is.
type Progress struct {
	Captures atomic.Int64
	Bytes    atomic.Int64 // of the inputs, as they are stored
	Errors   atomic.Int64
}

// A Result is what a scan did.
type Result struct {
	Summary  survey.Summary
	Captures int  // that were read
	Failed   bool // something could not be read or written; damage in an archive is told, but is not a failure
	Written  int  // shards in Dir
	Existing int  // shards that were in Dir already
}

// Run scans until it is done or ctx is. The error is of writing to Records.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{
		Options: o, cancel: cancel,
		cores:  make(chan struct{}, o.Workers),
		active: make(chan struct{}, o.Workers+1),
	}
	turn := make(chan struct{}) // closed when it is the next shard's turn to write
	close(turn)
	var all sync.WaitGroup
	for s := range r.shards() {
		s.turn, s.done = turn, make(chan struct{})
		turn = s.done
		select {
		case r.active <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() { r.process(ctx, s) })
	}
	all.Wait()
	var failed *writeError
	if errors.As(context.Cause(ctx), &failed) {
		return r.result, failed.err
	}
	return r.result, nil
}

// A run is a scan on its way.
type run struct {
	Options
	cancel context.CancelCauseFunc
	cores  chan struct{} // holds as many values as batches are being surveyed
	active chan struct{} // holds as many as shards are open
	result Result        // belongs to the shard whose turn it is
}

// A writeError ends a scan.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

// process surveys a shard.
func (r *run) process(ctx context.Context, s *shard) {
	defer func() { <-r.active }()
	defer close(s.done)
	var out output
	var err error
	if s.open != nil {
		out, err = r.output(s)
	}
	if out != nil {
		queue := make(chan *batch, queueSize)
		go r.fill(ctx, s, queue)
		err = s.collect(queue, out)
	}
	<-s.turn
	r.finish(s, out, err)
}

// queueSize is how many batches of a shard may wait to be written.
const queueSize = 2

// fill reads a shard into batches and has them surveyed.
func (r *run) fill(ctx context.Context, s *shard, queue chan<- *batch) {
	defer close(queue)
	in := s.open()
	defer in.close()
	for more := true; more; {
		if ctx.Err() != nil {
			s.interrupted = true
			return
		}
		b := &batch{done: make(chan struct{})}
		more = in.fill(b)
		queue <- b
		go func() {
			r.cores <- struct{}{}
			r.survey(b)
			<-r.cores
			close(b.done)
		}()
	}
}

// finish adds a shard to the result when its turn has come.
func (r *run) finish(s *shard, out output, err error) {
	if out != nil {
		complete := err == nil && !s.incomplete && !s.interrupted
		err = cmp.Or(err, out.finish(complete, &s.summary))
	}
	var failed *writeError
	if errors.As(err, &failed) {
		r.cancel(failed)
	} else if err != nil {
		s.add(problem{err: err})
	}
	r.result.Summary.Merge(&s.summary)
	r.result.Captures += s.captures
	for _, p := range s.problems {
		r.Warn(p.err)
	}
	if s.unsaid > 0 {
		r.Warn(fmt.Errorf("%s: %d more problems", s.name, s.unsaid))
	}
	r.result.Failed = r.result.Failed || s.incomplete
	switch {
	case s.existing:
		r.result.Existing++
	case r.Dir != "" && out != nil && !s.incomplete && !s.interrupted:
		r.result.Written++
	}
}
