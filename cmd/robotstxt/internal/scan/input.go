package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/robotstxt-go/robotstxt/survey"
)

// An input is a file, or all .txt files of a folder. Its records are written to one output.
type input struct {
	Result
	name    string
	files   iter.Seq2[string, error]
	records queue // passes the records to Run, which writes them to Options.Records
	isStale bool  // the output exists, but was made with other flags
}

// newInput returns an input with the given files. Only failed passes nil as files.
func newInput(name string, files iter.Seq2[string, error]) *input {
	return &input{name: name, files: files, records: make(queue)}
}

// failed returns an input without files, which reports err.
func failed(err error) *input {
	in := newInput("", nil)
	in.fail(err)
	return in
}

// A queue passes the records of an input to Run. Write waits until Run receives the records.
// Run takes the inputs in order, so it first receives the records of all earlier inputs.
type queue chan []byte

func (q queue) Write(records []byte) (int, error) {
	q <- records
	return len(records), nil
}

// errIncomplete means that an input was not read to its end.
var errIncomplete = errors.New("incomplete")

// survey surveys an input, and adds an error to the input if the survey fails. It leaves out
// errIncomplete, because another message tells the user why the input is incomplete.
func (r *run) survey(in *input) {
	defer close(in.records)
	var err error
	switch {
	case in.files == nil:
	case r.Dir != "":
		err = r.toDir(in)
	default:
		err = r.surveyFiles(in, in.records)
	}
	if err != nil && !errors.Is(err, errIncomplete) {
		in.fail(err)
	}
}

// surveyFiles surveys the files of an input and writes their records, in order.
func (r *run) surveyFiles(in *input, w io.Writer) (err error) {
	const batches = 6 // limits how many batches of one input are surveyed at the same time
	for b := range ahead(batches, func(emit func(*batch)) { r.read(in.files, emit) }, r.surveyBatch) {
		<-b.done
		in.add(&b.Result)
		r.Progress.Errors.Add(int64(len(b.problems) + b.more))
		if b.records.Len() > 0 && err == nil {
			_, err = w.Write(b.records.Bytes())
		}
	}
	if err == nil && (in.Failed || r.ctx.Err() != nil) {
		return errIncomplete
	}
	return err
}

// A batch contains captures that are surveyed together.
type batch struct {
	Result
	captures []survey.Capture
	size     int
	records  bytes.Buffer
	done     chan struct{} // closed when the batch has been surveyed
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

func (b *batch) isFull() bool { return len(b.captures) >= 64 || b.size >= 128<<10 }

// read reads captures from files, and emits batches of captures. It stops early if the scan is
// interrupted.
func (r *run) read(files iter.Seq2[string, error], emit func(*batch)) {
	b := newBatch()
	for name, err := range files {
		file := io.NopCloser(r.Stdin)
		if err == nil && name != "-" {
			file, err = os.Open(name)
		}
		if err != nil {
			b.fail(err)
			continue
		}
		captures := survey.NewReader(&meter{file, r.Progress}, name)
		captures.Verify = r.Verify
		for more := true; more; more = more && r.ctx.Err() == nil {
			if b.isFull() {
				emit(b)
				b = newBatch()
			}
			c, err := captures.Next()
			if more = b.add(name, c, err); err == nil {
				r.Progress.Captures.Add(1)
			}
		}
		b.Summary.Merge(&captures.Summary)
		file.Close()
	}
	emit(b)
}

// add adds the result of Reader.Next to the batch: a capture or an error. It reports whether the
// Reader may have more captures.
func (b *batch) add(name string, c survey.Capture, err error) (more bool) {
	_, isFault := errors.AsType[*survey.Fault](err)
	switch {
	case err == nil:
		c.Body = bytes.Clone(c.Body)
		b.size += len(c.Body)
		b.captures = append(b.captures, c)
	case isFault:
		b.tell(fmt.Errorf("%s: %w", name, err))
	case err != io.EOF:
		b.fail(fmt.Errorf("%s: %w", name, err))
	}
	return err == nil || isFault
}

// surveyBatch adds the captures of a batch to the batch's summary. If r.Print is set, it also prints
// a record for each capture.
func (r *run) surveyBatch(b *batch) {
	defer close(b.done)
	r.cores <- struct{}{}
	defer func() { <-r.cores }()
	for _, c := range b.captures {
		if r.Print == nil {
			b.Summary.AddCapture(r.Questions, c)
			continue
		}
		record := r.Questions.Answer(c)
		b.Summary.Add(&record)
		if err := r.Print(&b.records, &record); err != nil {
			b.fail(err)
		}
	}
	b.Captures, b.captures = len(b.captures), nil
}

// A meter is a Reader that counts the bytes read.
type meter struct {
	io.Reader
	progress *Progress
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.progress.Bytes.Add(int64(n))
	return n, err
}
