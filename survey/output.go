package survey

import (
	"context"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
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

	// SummarySuffix is the end of the name of a summary that [Job.Save] writes.
	SummarySuffix = ".summary.json"
)

// Save does what Run does, and writes two files to a folder: the records to name.jsonl.gz, as JSON,
// and then the summary to name.summary.json. It writes a file only if Run returns no error. So if
// there is a summary, all its records are there. The parameter inputs is a result of [InputID].
func (j *Job) Save(ctx context.Context, files iter.Seq2[*Reader, error], to Folder, name string, inputs Inputs) (sum Summary, err error) {
	sum = j.Questions.NewSummary()
	if err := to.Remove(name + SummarySuffix); err != nil {
		return sum, err // an old summary must not remain beside new records
	}
	saver := *j
	saver.Print = PrintJSON
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
	return sum, to.Write(name+SummarySuffix, sum.WriteJSON)
}

// WriteJSON writes the summary as a line of JSON.
func (s *Summary) WriteJSON(w io.Writer) error { return encode(w, s) }

// Saved returns the summary that an earlier call of Save has written, and true if it still is
// what Save would write: its inputs and questions are the same, it was made by a program with the
// same Format and the same findings, and its records are there. If only questions or program
// differ, change says how, as in "--no-lint, not with lint".
func (j *Job) Saved(from Folder, name string, inputs Inputs) (sum *Summary, ok bool, change string) {
	text, err := from.Read(name + SummarySuffix)
	if err != nil {
		return nil, false, ""
	}
	sum, err = ParseSummary(text)
	if err != nil {
		return nil, false, ""
	}
	if before, now := sum.Made.difference(j.Questions.made()); before != "" {
		return nil, false, before + ", not with " + now
	}
	return sum, inputs != 0 && sum.Inputs == inputs && from.Has(name+recordsSuffix), ""
}

// OutputName returns the name for the outputs of an input: the path of the input or, for a path
// outside the current folder, its absolute path without the leading slash. The input "-" is standard
// input. If the input is a URL, such as gs://bucket/a.warc.gz, the name lacks its scheme.
func OutputName(input string) (string, error) {
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
