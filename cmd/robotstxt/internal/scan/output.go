package scan

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/survey"
)

// A State says from which files, and with which flags, an output was made. It is stored with
// the output's summary.
type State struct {
	Input     Stamp            `json:"input"`
	Questions survey.Questions `json:"questions"`
	Verify    bool             `json:"verify"`
}

// A Stamp shows whether files have changed since an earlier scan. It is zero if one of the files
// is standard input or cannot be examined.
type Stamp struct {
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"` // the latest modification time of the files
}

func stampOf(files iter.Seq2[string, error]) (all Stamp) {
	for path, err := range files {
		info, e := os.Stat(path)
		if err != nil || e != nil || path == "-" {
			return Stamp{}
		}
		all.Files++
		all.Bytes += info.Size()
		if modified := info.ModTime().UTC(); modified.After(all.Modified) {
			all.Modified = modified
		}
	}
	return all
}

// toDir surveys an input, and writes a file with its summary. If r.Print is not nil, toDir also
// writes a file with its records. It writes the records first, so they are complete when the summary
// appears. If the output already exists and is up to date, toDir only reads the summary.
func (r *run) toDir(in *input) error {
	path, err := outputPath(r.Dir, in.name)
	if err != nil {
		return err
	}
	records, summary := path+".jsonl", path+".summary.json"
	if r.Gzip {
		records += ".gz"
	}
	now := State{stampOf(in.files), r.Questions, r.Verify}
	if r.exists(in, records, summary, now) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.Remove(summary); err != nil && !os.IsNotExist(err) {
		return err // the old summary must not remain beside new records
	}
	write := func(w io.Writer) error { return r.surveyFiles(in, w) }
	if r.Print == nil {
		err = write(nil)
	} else {
		err = writeFile(records, write)
	}
	if err == nil {
		err = writeFile(summary, func(w io.Writer) error { return writeSummary(w, in.Summary, now) })
	}
	if err == nil {
		in.Written = 1
	}
	return err
}

// exists reports whether the output of an input exists and is up to date. If so, exists sets
// in.Summary to the summary in the output. If the output was made with other flags, exists
// returns false and sets in.isStale.
func (r *run) exists(in *input, records, summary string, now State) bool {
	var before struct {
		survey.Summary
		State State `json:"scan"`
	}
	text, err := os.ReadFile(summary)
	if err != nil || json.Unmarshal(text, &before) != nil {
		return false
	}
	stamp := before.State.Input
	before.State.Input = now.Input
	in.isStale = !reflect.DeepEqual(before.State, now)
	_, err = os.Stat(records)
	if in.isStale || stamp != now.Input || stamp == (Stamp{}) || err != nil && r.Print != nil {
		return false
	}
	in.Existing, in.Summary = 1, before.Summary
	for name, offset := range in.Summary.CutAt {
		in.tell(fmt.Errorf("%s: breaks off at offset %d (found in an earlier scan)", name, offset))
	}
	return true
}

// writeSummary writes a summary as JSON. The key "scan" contains the State of the output.
func writeSummary(w io.Writer, s survey.Summary, now State) error {
	type plain survey.Summary // without the method MarshalJSON, which would leave out the state
	return json.NewEncoder(w).Encode(struct {
		plain
		State State `json:"scan"`
	}{plain(s), now})
}

// writeFile writes a file under a temporary name, and renames the file when all of it is on the
// disk. If the name ends in .gz, writeFile compresses the file.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".unfinished-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing once the file has been renamed
	if strings.HasSuffix(name, ".gz") {
		zip := gzip.NewWriter(f)
		err = errors.Join(write(zip), zip.Close())
	} else {
		err = write(f)
	}
	if err = errors.Join(err, f.Sync(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// outputPath returns the path of an input's output, without the extension. This is dir followed by
// the path of the input. For an input outside the current folder, it is dir followed by the
// absolute path of the input.
func outputPath(dir, input string) (string, error) {
	path := filepath.Clean(input)
	switch {
	case input == "-":
		path = "stdin"
	case path == ".":
		path = "_" // this input consists of all .txt files in the current folder
	case !filepath.IsLocal(path):
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", input, err)
		}
		path = strings.TrimPrefix(absolute, filepath.VolumeName(absolute))
	}
	return filepath.Join(dir, path), nil
}
