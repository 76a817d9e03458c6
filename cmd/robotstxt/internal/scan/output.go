package scan

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/survey"
)

// An output receives the records of a shard.
type output interface {
	io.Writer

	// finish is called when it is the shard's turn.
	finish(*shard) error
}

// output returns the output of a shard, or nil if it exists already or cannot be made.
func (r *run) output(s *shard) (output, error) {
	switch {
	case s.files == nil:
		return nil, nil
	case r.Dir != "":
		return r.create(s)
	case r.Records != nil:
		return &inTurn{w: r.Records, turn: s.turn}, nil
	}
	return nothing{}, nil
}

// nothing is an output that discards the records, for when only the summary is wanted.
type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) finish(*shard) error         { return nil }

// inTurn writes when it is the shard's turn. Until then it keeps the records, up to a
// limit.
type inTurn struct {
	w       io.Writer
	turn    <-chan struct{}
	waiting bytes.Buffer
}

// maxWaiting is how many bytes of a shard may wait for its turn.
const maxWaiting = 1 << 20

func (o *inTurn) Write(p []byte) (int, error) {
	if o.waiting.Len()+len(p) > maxWaiting {
		<-o.turn
	}
	select {
	case <-o.turn:
		if err := o.finish(nil); err != nil {
			return 0, err
		}
		n, err := o.w.Write(p)
		return n, wrapWrite(err)
	default:
		return o.waiting.Write(p)
	}
}

func (o *inTurn) finish(*shard) error {
	_, err := o.waiting.WriteTo(o.w)
	return wrapWrite(err)
}

func wrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}

// A State describes what an output was made from. It is part of the file with the
// summary.
type State struct {
	Input     Stamp            `json:"input"`
	Questions survey.Questions `json:"questions"`
	Verify    bool             `json:"verify"`
}

// A Stamp shows whether files have changed. It is zero if that is unknown.
type Stamp struct {
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"` // the last of them
}

// stampOf returns the stamp of the files of a shard.
func stampOf(s *shard) (all Stamp) {
	for path, err := range s.files {
		if err != nil || path == "-" {
			return Stamp{}
		}
		info, err := os.Stat(path)
		if err != nil {
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

// An inDir writes records and their summary to files, which get their final names when
// they are complete.
type inDir struct {
	run        *run
	path       string // without extension
	state      State
	records    *os.File     // unless only the summary is wanted
	compressor *gzip.Writer // of the records, if they are compressed
}

// create makes the output of a shard in the folder for outputs.
func (r *run) create(s *shard) (output, error) {
	path, err := outputPath(r.Dir, s.name)
	if err != nil {
		return nil, err
	}
	o := &inDir{run: r, path: path, state: State{stampOf(s), r.Questions, r.Verify}}
	if o.exists(s) {
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	if r.Summary {
		return o, nil
	}
	if o.records, err = o.temporary(); err != nil {
		return nil, err
	}
	if r.Gzip {
		o.compressor = gzip.NewWriter(o.records)
	}
	return o, nil
}

func (o *inDir) summaryName() string { return o.path + ".summary.json" }

func (o *inDir) recordsName() string {
	if o.run.Gzip {
		return o.path + ".jsonl.gz"
	}
	return o.path + ".jsonl"
}

func (o *inDir) temporary() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(o.path), ".unfinished-*")
}

// exists reports whether the output was made before, from the same input and for the
// same questions. If so, it sets the shard's summary from it.
func (o *inDir) exists(s *shard) bool {
	text, err := os.ReadFile(o.summaryName())
	var saved struct {
		State State `json:"scan"`
	}
	var summary survey.Summary
	if err != nil || json.Unmarshal(text, &saved) != nil || json.Unmarshal(text, &summary) != nil {
		return false
	}
	if !reflect.DeepEqual(saved.State.Questions, o.state.Questions) || saved.State.Verify != o.state.Verify {
		s.isStale = true
		return false
	}
	if _, err := os.Stat(o.recordsName()); err != nil && !o.run.Summary {
		return false
	}
	if s.isExisting = saved.State.Input == o.state.Input && o.state.Input != (Stamp{}); !s.isExisting {
		return false
	}
	s.summary = summary
	for name, offset := range summary.CutAt {
		s.tell(fmt.Errorf("%s: breaks off at offset %d, as when it was read before", name, offset))
	}
	return true
}

func (o *inDir) Write(p []byte) (int, error) {
	switch {
	case o.records == nil:
		return len(p), nil
	case o.compressor != nil:
		return o.compressor.Write(p)
	}
	return o.records.Write(p)
}

// finish gives the files their names, the summary last, because it marks both as
// complete. If the shard is incomplete, finish removes the files.
func (o *inDir) finish(s *shard) error {
	if o.records != nil {
		defer os.Remove(o.records.Name()) // already renamed if all is well
		var err error
		if o.compressor != nil {
			err = o.compressor.Close()
		}
		if err := errors.Join(err, closeFile(o.records)); err != nil || !s.isComplete() {
			return err
		}
	}
	if !s.isComplete() {
		return nil
	}
	if err := os.Remove(o.summaryName()); err != nil && !os.IsNotExist(err) {
		return err
	}
	if o.records != nil {
		if err := os.Rename(o.records.Name(), o.recordsName()); err != nil {
			return err
		}
	}
	return o.writeSummary(&s.summary)
}

// writeSummary writes a summary with the state as one more field.
func (o *inDir) writeSummary(s *survey.Summary) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	state, err := json.Marshal(o.state)
	if err != nil {
		return err
	}
	f, err := o.temporary()
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintf(f, "%s,\"scan\":%s}\n", bytes.TrimSuffix(text, []byte("}")), state)
	if err := errors.Join(err, closeFile(f)); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.summaryName())
}

// closeFile closes a file whose content must survive a crash.
func closeFile(f *os.File) error {
	sync, mode := f.Sync(), f.Chmod(0o644)
	return errors.Join(sync, mode, f.Close())
}

// outputPath returns the path of a shard's output without its extension: the shard's own
// path below dir. A path that leads up is first made absolute, so that no two inputs
// share an output.
func outputPath(dir, shard string) (string, error) {
	path := filepath.Clean(shard)
	switch {
	case shard == "-":
		path = "stdin"
	case path == ".":
		path = "_" // the files of the folder itself
	case !filepath.IsLocal(path):
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", shard, err)
		}
		path = strings.TrimPrefix(absolute, filepath.VolumeName(absolute))
	}
	return filepath.Join(dir, path), nil
}
