package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/survey"
)

// An output takes the records of a shard.
type output interface {
	io.Writer

	// finish is called when it is the shard's turn.
	finish(complete bool, s *survey.Summary) error
}

// output returns the output of a shard, or nil if it exists already.
func (r *run) output(s *shard) (output, error) {
	switch {
	case r.Dir != "":
		return r.create(s)
	case r.Records != nil:
		return &inTurn{w: r.Records, turn: s.turn}, nil
	}
	return nothing{}, nil
}

// nothing is an output where only the summary counts.
type nothing struct{}

func (nothing) Write(p []byte) (int, error)        { return len(p), nil }
func (nothing) finish(bool, *survey.Summary) error { return nil }

// inTurn writes when it is the shard's turn. What comes before waits, up to a limit.
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
		if err := o.finish(true, nil); err != nil {
			return 0, err
		}
		n, err := o.w.Write(p)
		return n, wrapWrite(err)
	default:
		return o.waiting.Write(p)
	}
}

func (o *inTurn) finish(bool, *survey.Summary) error {
	_, err := o.waiting.WriteTo(o.w)
	return wrapWrite(err)
}

func wrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}

// inDir writes to a file that appears under its name when it is complete.
type inDir struct {
	*os.File
	name    string
	summary bool // write only the summary
}

// create makes the output of a shard in the folder for outputs.
func (r *run) create(s *shard) (output, error) {
	name, err := outputName(r.Dir, s.name, r.Summary)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(name); err == nil {
		s.existing = true
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".unfinished-*")
	if err != nil {
		return nil, err
	}
	return &inDir{f, name, r.Summary}, nil
}

// finish gives the file its name. If the shard is not complete, or the file could
// not be written, there will be none.
func (o *inDir) finish(complete bool, s *survey.Summary) (err error) {
	defer os.Remove(o.Name()) // no longer there if all is well
	if complete && o.summary {
		err = json.NewEncoder(o.File).Encode(s)
	}
	for _, step := range []func() error{o.Sync, func() error { return o.Chmod(0o644) }, o.Close} {
		if e := step(); err == nil {
			err = e
		}
	}
	if err != nil || !complete {
		return err
	}
	return os.Rename(o.Name(), o.name)
}

// outputName returns the path of a shard's output: the shard's own path below dir,
// with an extension. A path that leads up is made absolute before, so that no two
// inputs share an output.
func outputName(dir, shard string, summary bool) (string, error) {
	path := filepath.Clean(shard)
	switch {
	case shard == "-":
		path = "stdin"
	case path == "." || !filepath.IsLocal(path):
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", shard, err)
		}
		path = strings.TrimPrefix(absolute, filepath.VolumeName(absolute))
	}
	if summary {
		return filepath.Join(dir, path+".summary.json"), nil
	}
	return filepath.Join(dir, path+".jsonl"), nil
}
