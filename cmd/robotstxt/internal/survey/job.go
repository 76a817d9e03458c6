package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
)

// A Job reads files and answers questions about all their captures, on all cores. It can be used
// for any number of files, also at the same time.
type Job struct {
	Questions Questions

	// Print prints a record, unless it is nil. It must be safe for concurrent use.
	Print func(io.Writer, *Record) error

	// Report receives the problems of each Run, in the order of the files: damage, after which Run
	// reads on (a [warc.Fault]), and errors after which the rest of a file is not read.
	Report func(error)
}

// ErrIncomplete means that a file could not be read to its end, or that the context was done
// before.
var ErrIncomplete = errors.New("not all files were read to the end")

// Run returns a summary of the captures in the files. It writes what Print prints about each
// capture to w, in the order of the captures. An element of files that is an error stands for a
// file that cannot be opened. Run does not close files: the sequence can do that after each
// element.
//
// After damage, Run reads on, and returns no error. If it cannot read a file to its end, it reads
// the other files, and returns ErrIncomplete. Then, or if ctx is done, the summary contains what
// was read. Any other error is one of Print or w.
func (j *Job) Run(ctx context.Context, files iter.Seq2[*Reader, error], w io.Writer) (sum Summary, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var skipped Summary // what only the Readers count
	isComplete := false
	const ahead = 6 // how many batches wait for the first one, which limits memory
	batches := make(chan *batch, ahead)
	go func() {
		defer close(batches)
		skipped, isComplete = j.read(ctx, files, func(b *batch) {
			go j.answer(b)
			batches <- b
		})
	}()
	sum = j.Questions.NewSummary()
	for b := range batches {
		<-b.done
		sum.add(&b.summary)
		if err == nil {
			err = b.err
		}
		if err == nil && b.printed.Len() > 0 {
			_, err = w.Write(b.printed.Bytes())
		}
		if err != nil {
			cancel() // and receive the batches that have been read, or read would wait forever
		}
	}
	sum.add(&skipped)
	if err == nil && !isComplete {
		err = ErrIncomplete
	}
	return sum, err
}

// A batch contains captures that are answered together.
type batch struct {
	captures []Capture
	bodies   []byte // the bodies of all captures
	summary  Summary
	printed  bytes.Buffer
	err      error
	done     chan struct{} // closed when all captures have been answered
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

func (b *batch) isFull() bool { return len(b.captures) >= 64 || len(b.bodies) >= 128<<10 }

func (b *batch) add(c Capture) {
	start := len(b.bodies)
	b.bodies = append(b.bodies, c.Body...)
	c.Body = b.bodies[start:]
	b.captures = append(b.captures, c)
}

// read reads files and emits their captures in batches. It returns what only the Readers count.
func (j *Job) read(ctx context.Context, files iter.Seq2[*Reader, error], emit func(*batch)) (skipped Summary, isComplete bool) {
	b := newBatch()
	isComplete = true
	for r, err := range files {
		if err == nil {
			err = j.captures(ctx, r, func(c Capture) {
				if b.isFull() {
					emit(b)
					b = newBatch()
				}
				b.add(c)
			})
			skipped.add(&r.Summary)
		}
		if err != nil {
			isComplete = false
			j.Report(err)
		}
		if ctx.Err() != nil {
			isComplete = false
			break
		}
	}
	emit(b)
	return skipped, isComplete
}

// captures calls add for the captures of a file, and stops when ctx is done. It reports damage.
func (j *Job) captures(ctx context.Context, r *Reader, add func(Capture)) error {
	for {
		c, err := r.Next()
		_, isFault := errors.AsType[*warc.Fault](err)
		switch {
		case err == nil:
			add(c)
		case isFault:
			j.Report(fmt.Errorf("%s: %w", r.name, err))
		case err == io.EOF:
			return nil
		default:
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
}

// answer adds the captures of a batch to its summary, and prints their records.
func (j *Job) answer(b *batch) {
	defer close(b.done)
	for _, c := range b.captures {
		r := j.Questions.Answer(c)
		b.summary.Add(&r)
		if j.Print == nil {
			continue
		}
		if err := j.Print(&b.printed, &r); err != nil && b.err == nil {
			b.err = err
		}
	}
	b.captures, b.bodies = nil, nil
}
