package scan

import (
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/output"
)

// An input is a file, or all .txt files of a folder. With Options.Dir, its records are written to
// one output.
type input struct {
	name    string
	files   []string
	records queue // passes the records to Run, which writes them to Options.Records

	summary  survey.Summary
	captures int     // how many captures have been read
	failed   bool    // something could not be read or written
	written  int     // 1 if an output was written
	existing int     // 1 if the output already existed
	stale    string  // in what the output was made in another way, if this is why the files were read again
	problems []error // the first messages for the user
	more     int     // the number of further messages, which are not kept
}

func newInput(name string, files ...string) *input {
	return &input{name: name, files: files, records: make(queue)}
}

// failedInput returns an input without files, which reports err.
func failedInput(err error) *input {
	in := newInput("")
	in.failed = true
	in.tell(err)
	return in
}

// tell adds a message for the user. After the first 20, it only counts them.
func (in *input) tell(problem error) {
	const most = 20
	if len(in.problems) == most {
		in.more++
		return
	}
	in.problems = append(in.problems, problem)
}

// A queue passes the records of an input to Run. Write waits until Run receives the records.
// Run takes the inputs in order, so it first receives the records of all earlier inputs.
type queue chan []byte

func (q queue) Write(records []byte) (int, error) {
	q <- records
	return len(records), nil
}

// survey surveys the files of an input.
func (r *run) survey(in *input) {
	defer close(in.records)
	in.summary = r.Questions.NewSummary()
	if len(in.files) == 0 {
		return
	}
	job := &survey.Job{Questions: r.Questions, Report: in.tell}
	if r.Records != nil {
		job.Print = func(w io.Writer, r *survey.Record) error { return cli.PrintJSON(w, r) }
	}
	var err error
	if r.Dir == "" {
		in.summary, err = job.Run(r.ctx, r.open(in.files), in.records)
		in.summary.Inputs = in.id()
		in.captures = in.summary.Total()
	} else {
		err = r.toDir(job, in)
	}
	if err != nil {
		in.failed = true
	}
	if err != nil && err != survey.ErrIncomplete { // job.Report has told the user why an input is incomplete
		in.tell(err)
	}
}

// toDir writes the records and the summary of an input to r.Dir, unless they are already there.
func (r *run) toDir(job *survey.Job, in *input) error {
	name, err := output.Name(in.name)
	if err != nil {
		return err
	}
	dir, id := folder(r.Dir), in.id()
	saved, ok, stale := output.Saved(r.Questions, dir, name, id)
	if ok {
		in.summary, in.existing = *saved, 1
		if len(saved.Damaged) > 0 {
			in.tell(fmt.Errorf("%s: damaged (found in an earlier scan)", in.name))
		}
		return nil
	}
	in.stale = stale
	in.summary, err = output.Save(r.ctx, job, r.open(in.files), dir, name, id)
	in.captures = in.summary.Total()
	if err == nil {
		in.written = 1
	}
	return err
}

// id identifies the input, unless one of its files is standard input or cannot be examined.
func (in *input) id() inputid.ID {
	bytes, modified := int64(0), time.Time{}
	for _, path := range in.files {
		info, err := os.Stat(path)
		if err != nil || path == "-" {
			return 0
		}
		bytes += info.Size()
		if t := info.ModTime(); t.After(modified) {
			modified = t
		}
	}
	return inputid.Of(in.name, len(in.files), bytes, modified)
}

// open returns Readers of files, and closes each of them before it returns the next.
func (r *run) open(files []string) iter.Seq2[*survey.Reader, error] {
	return func(yield func(*survey.Reader, error) bool) {
		for _, name := range files {
			if !r.openOne(name, yield) {
				return
			}
		}
	}
}

func (r *run) openOne(name string, yield func(*survey.Reader, error) bool) bool {
	file := io.NopCloser(r.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return yield(nil, err)
		}
		file = f
	}
	defer file.Close()
	reader := survey.NewReader(&meter{file, r.BytesRead}, name)
	reader.JSONL = r.JSONL
	return yield(reader, nil)
}

// A meter is a Reader that counts the bytes read.
type meter struct {
	io.Reader
	bytes *atomic.Int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.bytes.Add(int64(n))
	return n, err
}
