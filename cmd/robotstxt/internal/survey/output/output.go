// Package output stores the records and summaries of a survey in files, for the command on one
// machine and for Beam.
package output

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
)

// A Folder stores the outputs of a survey.
type Folder interface {
	// Read returns the content of a file.
	Read(name string) ([]byte, error)
	// Has reports whether there is a file.
	Has(name string) bool
	// Write makes or replaces a file. The file contains what write writes, and appears only when
	// write has returned nil.
	Write(name string, write func(io.Writer) error) error
	// Remove removes a file, if there is one.
	Remove(name string) error
}

// The ends of the names of outputs.
const (
	recordsSuffix = ".jsonl.gz"
	SummarySuffix = ".summary.json"
)

// JSON prints a value as a line of JSON.
func JSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// Record prints a record as a line of JSON.
func Record(w io.Writer, r *survey.Record) error { return JSON(w, r) }

// Save runs a job, and writes two files to a folder: the records to name.jsonl.gz, as JSON, and then
// the summary to name.summary.json. It writes a file only if the job returns no error. So if there
// is a summary, all its records are there.
func Save(ctx context.Context, j *survey.Job, files iter.Seq2[*survey.Reader, error], to Folder, name string, inputs inputid.ID) (sum survey.Summary, err error) {
	sum = j.Questions.NewSummary()
	if err := to.Remove(name + SummarySuffix); err != nil {
		return sum, err // an old summary must not remain beside new records
	}
	saver := *j
	saver.Print = Record
	err = to.Write(name+recordsSuffix, func(w io.Writer) error {
		zip := gzip.NewWriter(w)
		var err error
		if sum, err = saver.Run(ctx, files, zip); err != nil {
			return err
		}
		return zip.Close()
	})
	sum.Inputs = inputs
	if err != nil {
		return sum, err
	}
	return sum, to.Write(name+SummarySuffix, func(w io.Writer) error { return JSON(w, &sum) })
}

// Saved returns the summary that an earlier call of Save wrote. It returns false if the inputs have
// to be read again: they have changed, no records are saved, or the summary was made with other
// questions or by another version of the program. In the last case, change says how they differ; see
// [survey.Summary.MadeWith].
func Saved(q survey.Questions, from Folder, name string, inputs inputid.ID) (sum *survey.Summary, ok bool, change string) {
	text, err := from.Read(name + SummarySuffix)
	if err != nil {
		return nil, false, ""
	}
	sum, err = survey.ParseSummary(text)
	if err != nil {
		return nil, false, ""
	}
	if change := sum.MadeWith(q); change != "" {
		return nil, false, change
	}
	return sum, inputs != 0 && sum.Inputs == inputs && from.Has(name+recordsSuffix), ""
}

// Name returns the name for the outputs of an input: the path of the input or, for a path
// outside the current folder, its absolute path without the leading slash. The input "-" is standard
// input. If the input is a URL, such as gs://bucket/a.warc.gz, the name lacks its scheme.
func Name(input string) (string, error) {
	if _, path, ok := strings.Cut(input, "://"); ok {
		return path, nil
	}
	path := filepath.Clean(input)
	switch {
	case input == "-":
		return "stdin", nil
	case path == ".":
		return "_", nil // the .txt files in the current folder
	case filepath.IsLocal(path):
		return filepath.ToSlash(path), nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	path = strings.TrimPrefix(path, filepath.VolumeName(path))
	return strings.TrimPrefix(filepath.ToSlash(path), "/"), nil
}
