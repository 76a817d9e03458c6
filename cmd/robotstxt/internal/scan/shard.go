package scan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/survey"
)

// A shard is an input whose records are written together.
type shard struct {
	name string // of the file or folder
	open func() input

	turn <-chan struct{} // closed when it may write, because all before it have
	done chan struct{}   // closed when it has

	summary     survey.Summary
	captures    int
	problems    []problem
	unsaid      int  // further problems
	incomplete  bool // something could not be read
	interrupted bool
	existing    bool // the output is there already
}

// A problem is something to tell the user.
type problem struct {
	err    error
	damage bool // in an archive, behind which reading went on
}

// maxProblems is how many problems of a shard are told one by one.
const maxProblems = 20

func (s *shard) add(p problem) {
	s.incomplete = s.incomplete || !p.damage
	if len(s.problems) == maxProblems {
		s.unsaid++
		return
	}
	s.problems = append(s.problems, p)
}

// collect takes the batches of a shard in order. It takes all of them, even after
// an error.
func (s *shard) collect(queue <-chan *batch, out output) (err error) {
	for b := range queue {
		<-b.done
		s.summary.Merge(&b.summary)
		s.captures += b.read
		for _, p := range b.problems {
			s.add(p)
		}
		if err == nil {
			_, err = out.Write(b.text.Bytes())
		}
	}
	return err
}

// The limits of a batch.
const (
	batchCaptures = 64
	batchBytes    = 128 << 10
)

// A batch is a piece of a shard.
type batch struct {
	captures []survey.Capture
	bodies   []byte   // room for the bodies of captures
	size     int      // of all bodies
	paths    []string // files to read as well

	read     int // captures that were read
	text     bytes.Buffer
	summary  survey.Summary
	problems []problem
	done     chan struct{}
}

// full reports whether a batch should not get more.
func (b *batch) full() bool {
	return len(b.captures)+len(b.paths) >= batchCaptures || b.size >= batchBytes
}

// add adds a capture with a copy of its body.
func (b *batch) add(c survey.Capture) {
	if cap(b.bodies)-len(b.bodies) < len(c.Body) {
		b.bodies = make([]byte, 0, max(batchBytes/4, len(c.Body)))
	}
	start := len(b.bodies)
	b.bodies = append(b.bodies, c.Body...)
	c.Body = b.bodies[start:len(b.bodies):len(b.bodies)]
	b.size += len(c.Body)
	b.captures = append(b.captures, c)
}

// survey makes the records of a batch.
func (r *run) survey(b *batch) {
	for _, c := range b.captures {
		r.record(b, c)
	}
	for _, path := range b.paths {
		body, err := readFile(path)
		if err != nil {
			b.problems = append(b.problems, problem{err: err})
			r.Progress.Errors.Add(1)
			continue
		}
		r.Progress.Bytes.Add(int64(len(body)))
		r.record(b, survey.Capture{URL: path, Body: body})
	}
	b.captures, b.bodies = nil, nil
}

// record makes a record.
func (r *run) record(b *batch, c survey.Capture) {
	record := r.Questions.Record(c)
	b.summary.Add(&record)
	b.read++
	r.Progress.Captures.Add(1)
	switch {
	case r.List != "":
		if has(&record, r.List) {
			b.text.WriteString(printable(record.URL) + "\n")
		}
	case r.Records != nil || r.Dir != "" && !r.Summary:
		encoder := json.NewEncoder(&b.text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(record); err != nil {
			b.problems = append(b.problems, problem{err: err})
		}
	}
}

// has reports whether a file is behind a count: the code of a finding, a key, or
// whether the first agent is allowed or disallowed to fetch "/".
func has(r *survey.Record, name string) bool {
	if r.Access != "file" || r.Place == "other" {
		return false // no count is about it
	}
	if name == "allowed" || name == "disallowed" {
		return len(r.Agents) > 0 && r.Agents[0].Allowed == (name == "allowed")
	}
	is := func(c survey.Count) bool { return c.Name == name }
	return slices.ContainsFunc(r.Findings, is) || slices.ContainsFunc(r.Keys, is) || slices.ContainsFunc(r.UnknownKeys, is)
}

// printable quotes a name that could break a line or upset a terminal.
func printable(s string) string {
	if quoted := strconv.Quote(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// readFile reads a robots.txt file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return robotstxt.ReadBody(f)
}

// An input fills batches.
type input interface {
	fill(*batch) (more bool)
	close()
}

// A folder is the .txt files in a folder.
type folder struct {
	next func() (path string, err error, ok bool)
	stop func()
}

func (f *folder) fill(b *batch) (more bool) {
	for !b.full() {
		path, err, ok := f.next()
		switch {
		case !ok:
			return false
		case err != nil:
			b.problems = append(b.problems, problem{err: err})
		default:
			b.paths = append(b.paths, path)
		}
	}
	return true
}

func (f *folder) close() { f.stop() }

// A file is an archive, or else a robots.txt file.
type file struct {
	name     string
	progress *Progress
	stdin    io.Reader

	opened   io.Closer
	captures *survey.Reader
	batch    *batch // that is being filled
}

func (f *file) close() {
	if f.opened != nil {
		f.opened.Close()
	}
}

func (f *file) fill(b *batch) (more bool) {
	f.batch = b
	if f.captures == nil {
		in, err := f.start()
		if err != nil || in != nil {
			f.text(in, err)
			return false
		}
	}
	for !b.full() {
		c, err := f.captures.Next()
		fault, isFault := errors.AsType[*survey.Fault](err)
		switch {
		case err == io.EOF:
			return false
		case isFault:
			b.summary.Damage(fault.Kind)
			f.problem(problem{fmt.Errorf("%s: %w", f.name, err), true})
		case err != nil:
			f.problem(problem{fmt.Errorf("%s: %w", f.name, err), false})
			return false
		default:
			b.add(c)
		}
	}
	return true
}

func (f *file) problem(p problem) {
	f.progress.Errors.Add(1)
	f.batch.problems = append(f.batch.problems, p)
}

// start opens a file. If it is not an archive, in has its text.
func (f *file) start() (in io.Reader, err error) {
	source := f.stdin
	if f.name != "-" {
		opened, err := os.Open(f.name)
		if err != nil {
			return nil, err
		}
		f.opened, source = opened, opened
	}
	buffered := bufio.NewReaderSize(&meter{source, f.progress}, 64<<10)
	if !isArchive(f.name) && !survey.IsArchive(buffered) {
		return buffered, nil
	}
	f.captures = survey.NewReader(buffered, func(kind string) { f.batch.summary.Skip(kind) })
	return nil, nil
}

// text adds a robots.txt file to the batch.
func (f *file) text(in io.Reader, err error) {
	var body []byte
	if err == nil {
		body, err = robotstxt.ReadBody(in)
	}
	if err != nil {
		f.problem(problem{err, false})
		return
	}
	f.batch.add(survey.Capture{URL: f.name, Body: body})
}

// A meter counts the bytes that are read.
type meter struct {
	r        io.Reader
	progress *Progress
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.progress.Bytes.Add(int64(n))
	return n, err
}
