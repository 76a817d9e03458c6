package scan

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/survey"
)

// A shard is an input whose records are written together.
type shard struct {
	name  string                   // of the file or folder
	files iter.Seq2[string, error] // what to read

	turn <-chan struct{} // closed when it may write, because all before it have
	out  output
	text bytes.Buffer // for out

	summary     survey.Summary
	captures    int
	problems    []error // for the user
	more        int     // further ones
	failed      bool    // something could not be read or written
	interrupted bool
	isExisting  bool // the output is there already
	isStale     bool // the output was there, but answers other questions
}

func (s *shard) isComplete() bool { return !s.failed && !s.interrupted }

// maxProblems is how many problems of a shard are reported one by one.
const maxProblems = 20

// tell adds a message for the user.
func (s *shard) tell(err error) {
	if len(s.problems) == maxProblems {
		s.more++
		return
	}
	s.problems = append(s.problems, err)
}

// fail adds an error message and marks the shard as incomplete.
func (s *shard) fail(err error) {
	s.failed = true
	s.tell(err)
}

// survey reads the files of a shard and writes their records. It returns only errors
// of writing.
func (r *run) survey(ctx context.Context, s *shard) error {
	for path, err := range s.files {
		if ctx.Err() != nil {
			s.interrupted = true
			return nil
		}
		if err != nil {
			r.Progress.Errors.Add(1)
			s.fail(err)
			continue
		}
		if err := r.file(ctx, s, path); err != nil {
			return err
		}
	}
	return r.flush(s, 0)
}

// flush writes the waiting records if they take more bytes than a limit.
func (r *run) flush(s *shard, limit int) error {
	if s.text.Len() <= limit {
		return nil
	}
	_, err := s.text.WriteTo(s.out)
	return err
}

// file surveys a file. It returns only errors of writing.
func (r *run) file(ctx context.Context, s *shard, name string) error {
	source := r.Stdin
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			r.Progress.Errors.Add(1)
			s.fail(err)
			return nil
		}
		defer opened.Close()
		source = opened
	}
	const enough = 64 // bytes that show the type of the file
	in := bufio.NewReaderSize(&meter{source, r.Progress}, 64<<10)
	head, err := in.Peek(enough)
	switch foreign := survey.Foreign(head); {
	case err != nil && err != io.EOF:
		err = fmt.Errorf("%s: %w", name, err)
	case foreign != "":
		err = fmt.Errorf("%s is %s, which scan cannot read", name, foreign)
	case isArchive(name) || survey.IsArchive(head):
		return r.archive(ctx, s, name, in)
	default:
		var c survey.Capture
		if c, err = textOf(name, in); err == nil {
			return r.record(s, c)
		}
	}
	r.Progress.Errors.Add(1)
	s.fail(err)
	return nil
}

// textOf returns a robots.txt file as a capture.
func textOf(name string, in io.Reader) (survey.Capture, error) {
	body, err := io.ReadAll(io.LimitReader(in, survey.BodyLimit+1))
	if err != nil {
		return survey.Capture{}, fmt.Errorf("%s: %w", name, err)
	}
	n := min(len(body), survey.BodyLimit)
	return survey.Capture{URL: name, Body: body[:n], Truncated: n < len(body)}, nil
}

// archive surveys a WARC file. It returns only errors of writing.
func (r *run) archive(ctx context.Context, s *shard, name string, in io.Reader) error {
	captures := survey.NewReader(in, name)
	captures.Skip, captures.Verify = s.summary.Skip, r.Verify
	for {
		if ctx.Err() != nil {
			s.interrupted = true
			return nil
		}
		c, err := captures.Next()
		fault, isFault := errors.AsType[*survey.Fault](err)
		switch {
		case err == io.EOF:
			if offset, isCut := captures.CutAt(); isCut {
				s.summary.Cut(name, offset)
			}
			return nil
		case isFault:
			s.summary.Damage(fault.Kind)
			r.Progress.Errors.Add(1)
			s.tell(fmt.Errorf("%s: %w", name, err))
		case err != nil:
			r.Progress.Errors.Add(1)
			s.fail(fmt.Errorf("%s: %w", name, err))
			return nil
		default:
			if err := r.record(s, c); err != nil {
				return err
			}
		}
	}
}

// record makes a record and writes it. It returns only errors of writing.
func (r *run) record(s *shard, c survey.Capture) error {
	const atOnce = 64 << 10 // bytes to write
	record := r.Questions.Record(c)
	s.summary.Add(&record)
	s.captures++
	r.Progress.Captures.Add(1)
	switch {
	case r.List != "":
		if has(&record, r.List) {
			s.text.WriteString(lex.Printable(record.URL) + "\n")
		}
	case r.Records != nil || r.Dir != "" && !r.Summary:
		encoder := json.NewEncoder(&s.text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(record); err != nil {
			s.fail(err)
		}
	}
	return r.flush(s, atOnce)
}

// has reports whether a file is counted under a name: the code of a finding, a key, or
// whether the first agent is allowed or disallowed to fetch "/".
func has(r *survey.Record, name string) bool {
	switch {
	case name == "allowed" || name == "disallowed":
		return r.Counts() && len(r.Agents) > 0 && r.Agents[0].Allowed == (name == "allowed")
	case r.Access != survey.File || r.Place == survey.OtherURL || r.Truncated:
		return false // it is not in any count
	}
	is := func(c survey.Count) bool { return c.Name == name }
	return slices.ContainsFunc(r.Findings, is) || slices.ContainsFunc(r.Keys, is) || slices.ContainsFunc(r.UnknownKeys, is)
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
