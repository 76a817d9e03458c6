// Package scan surveys many robots.txt files on all cores.
//
// Work is split into shards: an archive, a file, or files of a folder. Shards are
// surveyed in any order, and their results are put in order afterwards. So the output
// does not depend on the number of workers, and memory does not depend on the number of
// files.
package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Options say what to scan and what to write.
type Options struct {
	Inputs    []string  // files and folders; "-" is Stdin
	Paths     io.Reader // more of them, one per line, unless nil
	Stdin     io.Reader
	Questions survey.Questions
	Verify    bool // the digests of captures, too
	Workers   int  // how many shards to survey at a time; at least 1

	Records io.Writer // receives one JSON object per capture, each on a line, unless nil
	List    string    // if not empty, Records gets the URLs counted under this name instead; see has
	Dir     string    // if not empty, each shard is written to files in this folder instead
	Gzip    bool      // Dir gets compressed records
	Summary bool      // Dir gets summaries, not records

	Warn     func(error) // is called with messages for the user, in order
	Progress *Progress   // unless nil
}

// Progress counts what a scan has read so far.
type Progress struct {
	Captures atomic.Int64
	Bytes    atomic.Int64 // of the inputs, as they are stored
	Errors   atomic.Int64
}

// A Result sums up what a scan did.
type Result struct {
	Summary  survey.Summary // includes the shards that were in Dir already
	Captures int            // that were read
	Failed   bool           // something could not be read or written; damage in an archive is no failure
	Written  int            // shards in Dir
	Existing int            // shards that were in Dir already
}

// Run scans until all inputs have been read or ctx is done. It returns an error only if
// writing to Records fails.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Options: o, cancel: cancel}
	open := make(chan struct{}, o.Workers+1) // one more, so that no core waits for a slow output
	turn := make(chan struct{})              // closed when the next shard may write
	close(turn)
	for s := range r.shards() {
		select {
		case open <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		s.turn, turn = turn, make(chan struct{})
		go func(done chan struct{}) {
			r.process(ctx, s)
			close(done)
			<-open
		}(turn)
	}
	<-turn // each shard waits for the one before
	if failed, ok := errors.AsType[*writeError](context.Cause(ctx)); ok {
		return r.result, failed.err
	}
	return r.result, nil
}

// A run is a scan in progress.
type run struct {
	Options
	cancel context.CancelCauseFunc
	result Result // belongs to the shard whose turn it is
	noted  bool   // that the outputs in Dir answer other questions
}

// A writeError is an error of writing to Records, which ends a scan.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

// process surveys a shard and, when its turn comes, adds it to the result.
func (r *run) process(ctx context.Context, s *shard) {
	out, err := r.output(s)
	if out != nil {
		s.out = out
		err = r.survey(ctx, s)
		s.failed = s.failed || err != nil
	}
	<-s.turn
	if out != nil {
		err = cmp.Or(err, out.finish(s))
	}
	if failed, ok := errors.AsType[*writeError](err); ok {
		r.cancel(failed)
	} else if err != nil {
		s.fail(err)
	}
	if s.isStale && !r.noted {
		r.noted = true
		r.Warn(fmt.Errorf("the outputs in %s answer other questions, so their inputs are read again", r.Dir))
	}
	for _, err := range s.problems {
		r.Warn(err)
	}
	if s.more > 0 {
		r.Warn(fmt.Errorf("%s: %d more problems", s.name, s.more))
	}
	r.result.Summary.Merge(&s.summary)
	r.result.Captures += s.captures
	r.result.Failed = r.result.Failed || s.failed
	switch {
	case s.isExisting:
		r.result.Existing++
	case r.Dir != "" && out != nil && s.isComplete():
		r.result.Written++
	}
}
