package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/filter"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/output"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[listFn]())
	beam.RegisterDoFn(reflect.TypeFor[surveyFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeFn]())
	register.Emitter1[string]()
	register.Emitter1[outcome]()
	register.Function2x2(merge)
	beam.RegisterCoder(reflect.TypeFor[outcome](), encodeOutcome, decodeOutcome)
}

// An outcome sums up what was read.
type outcome struct {
	Summary  survey.Summary `json:"summary"`
	Problems []string       `json:"problems"` // errors and damage: messages with the names of the files; at most 1000
	Failed   bool           `json:"failed"`   // a file could not be read or written; damage is not a failure
}

// Workers exchange results as JSON.
func encodeOutcome(r outcome) ([]byte, error) { return json.Marshal(&r) }

func decodeOutcome(data []byte) (r outcome, err error) {
	err = json.Unmarshal(data, &r)
	return r, err
}

// tell adds a message, unless there are too many.
func (r *outcome) tell(problem error) {
	const most = 1000
	if len(r.Problems) < most {
		r.Problems = append(r.Problems, problem.Error())
	}
}

// fail adds the message of an error, and sets Failed.
func (r *outcome) fail(err error) {
	r.Failed = true
	r.tell(err)
}

// merge adds up two results.
func merge(x, y outcome) (outcome, error) {
	for _, problem := range y.Problems {
		x.tell(errors.New(problem))
	}
	x.Failed = x.Failed || y.Failed
	return x, x.Summary.Merge(&y.Summary)
}

// The outputs of the whole job. The file resultName has the JSON of an [outcome].
const (
	summaryName = "summary.json"
	resultName  = "result.json"
)

// addJob adds the whole job to the pipeline of s. The job surveys the files that match patterns,
// in any file systems that are registered with Beam. To the folder dir, it writes the records and
// the summary of each file, as robotstxt scan --out does, and then the sum as summary.json. Files
// whose outputs are up to date are not read again.
func addJob(s beam.Scope, patterns []string, dir string, questions survey.Questions) {
	s = s.Scope("robotsbeam")
	files, unlisted := beam.ParDo2(s, &listFn{questions}, beam.CreateList(s, patterns))
	read := beam.ParDo(s, &surveyFn{questions, dir}, filter.Distinct(s, files)) // Distinct also spreads the files over the workers
	beam.ParDo0(s, &writeFn{dir}, beam.Combine(s, merge, beam.Flatten(s, unlisted, read)))
}

type listFn struct{ Questions survey.Questions }

// ProcessElement emits the files that match a pattern. If there are none, it emits an outcome with an
// error. It emits a path without wildcards unchanged: if the file is missing, surveyFn reports it.
func (f *listFn) ProcessElement(ctx context.Context, pattern string, emit func(string), fail func(outcome)) {
	if !strings.ContainsAny(pattern, "*?[") {
		emit(pattern)
		return
	}
	files, err := list(ctx, pattern)
	if err == nil && len(files) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		r := outcome{Summary: f.Questions.NewSummary()}
		r.fail(fmt.Errorf("%s: %w", pattern, err))
		fail(r)
	}
	for _, file := range files {
		emit(file)
	}
}

func list(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

type surveyFn struct {
	Questions survey.Questions
	Dir       string
}

// ProcessElement surveys a file. If it fails, it tries again, at most twice.
func (f *surveyFn) ProcessElement(ctx context.Context, path string) (r outcome) {
	const attempts = 3
	for range attempts {
		r = outcome{Summary: f.Questions.NewSummary()}
		if err := f.survey(ctx, path, &r); err == nil {
			return r
		} else if err != survey.ErrIncomplete { // a job reports why it is incomplete
			r.tell(fmt.Errorf("%s: %w", path, err))
		}
		r.Failed = true
		if ctx.Err() != nil {
			return r
		}
	}
	return r
}

func (f *surveyFn) survey(ctx context.Context, path string, r *outcome) error {
	name, err := output.Name(path)
	if err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	to, err := openFolder(ctx, f.Dir)
	if err != nil {
		return err
	}
	defer to.fs.Close()
	job := &survey.Job{Questions: f.Questions, Report: r.tell}
	inputs := inputID(ctx, fs, path)
	if saved, ok, _ := output.Saved(f.Questions, to, name, inputs); ok {
		r.Summary = *saved
		if len(saved.Damaged) > 0 {
			r.tell(fmt.Errorf("%s: damaged (found by an earlier job)", path))
		}
		return nil
	}
	file, err := fs.OpenRead(ctx, path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := func(yield func(*survey.Reader, error) bool) { yield(survey.NewReader(file, path), nil) }
	r.Summary, err = output.Save(ctx, job, reader, to, name, inputs)
	return err
}

// inputID identifies a file. It returns 0 if the file system does not say when the file was changed.
func inputID(ctx context.Context, fs filesystem.Interface, path string) inputid.ID {
	size, err := fs.Size(ctx, path)
	dated, ok := fs.(filesystem.LastModifiedGetter)
	if err != nil || !ok {
		return 0
	}
	modified, err := dated.LastModified(ctx, path)
	if err != nil {
		return 0
	}
	return inputid.Of(path, 1, size, modified)
}

type writeFn struct{ Dir string }

// ProcessElement writes the outputs of the whole job.
func (f *writeFn) ProcessElement(ctx context.Context, r outcome) error {
	to, err := openFolder(ctx, f.Dir)
	if err != nil {
		return err
	}
	defer to.fs.Close()
	slices.Sort(r.Problems) // they come from the workers in any order
	if err := to.Write(summaryName, func(w io.Writer) error { return output.JSON(w, &r.Summary) }); err != nil {
		return err
	}
	return to.Write(resultName, func(w io.Writer) error { return json.NewEncoder(w).Encode(&r) })
}

// clean removes the result of an earlier job from a folder, so that it is not taken for the next.
func clean(ctx context.Context, dir string) error {
	from, err := openFolder(ctx, dir)
	if err != nil {
		return err
	}
	defer from.fs.Close()
	return errors.Join(from.Remove(summaryName), from.Remove(resultName))
}

// readOutcome reads the result of the job from its folder.
func readOutcome(ctx context.Context, dir string) (r outcome, err error) {
	from, err := openFolder(ctx, dir)
	if err != nil {
		return r, err
	}
	defer from.fs.Close()
	text, err := from.Read(resultName)
	if err != nil {
		return r, err
	}
	return decodeOutcome(text)
}
