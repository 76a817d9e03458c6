package robotsbeam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/robotstxt-go/robotstxt/survey"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[listFn]())
	beam.RegisterDoFn(reflect.TypeFor[readFn]())
	register.Emitter1[string]()
	register.Emitter1[survey.Capture]()
	register.Emitter1[Shard]()
}

// A Shard says how much was read from one file, and what was damaged. If no file was found for a
// pattern, the Shard has the pattern as its Path, and an Error.
type Shard struct {
	Path     string         `json:"path"`
	Captures int            `json:"captures"`
	Skipped  map[string]int `json:"skipped"` // records that are not captures, by type
	Damaged  map[string]int `json:"damaged"` // damaged places, by kind of damage
	Damage   []string       `json:"damage"`  // messages about the first 20 damaged places, with offsets
	CutAt    *int64         `json:"cut_at"`  // if the end of the file is missing, the Offset of the file's last Fault; otherwise null
	Error    string         `json:"error"`   // why the file could not be read to its end; otherwise empty
}

func newShard(path string) Shard {
	return Shard{Path: path, Skipped: map[string]int{}, Damaged: map[string]int{}, Damage: []string{}}
}

// ReadRobots reads the captures in WARC files. The parameter paths is a PCollection<string> of
// paths and patterns, in any file system that is registered with Beam. The results are a
// PCollection<survey.Capture> and a PCollection<Shard>. There is one Shard for each file, and
// one for each pattern for which no file was found.
//
// If reading a file fails, ReadRobots tries again, at most twice. If the third attempt fails,
// too, the Shard contains the error, and the captures before the error are kept. The other files
// are read as usual.
func ReadRobots(s beam.Scope, paths beam.PCollection) (captures, shards beam.PCollection) {
	s = s.Scope("robotsbeam.ReadRobots")
	files, unlisted := beam.ParDo2(s, &listFn{}, paths)
	captures, read := beam.ParDo2(s, &readFn{}, beam.Reshuffle(s, files))
	return captures, beam.Flatten(s, unlisted, read)
}

type listFn struct{}

// ProcessElement emits the files that match a pattern. If it finds no files, it emits a Shard
// with an error. It emits a path without wildcards unchanged.
func (*listFn) ProcessElement(ctx context.Context, pattern string, emit func(string), fail func(Shard)) {
	if !strings.ContainsAny(pattern, "*?[") {
		emit(pattern) // if the file is missing, readFn reports the error
		return
	}
	files, err := list(ctx, pattern)
	if err == nil && len(files) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		shard := newShard(pattern)
		shard.Error = err.Error()
		fail(shard)
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

type readFn struct{}

// attempts is how often readFn tries to read a file.
const attempts = 3

// ProcessElement emits the captures of a file, and then its Shard.
func (*readFn) ProcessElement(ctx context.Context, path string, emit func(survey.Capture), report func(Shard)) {
	var shard Shard
	emitted := 0
	for range attempts {
		shard = newShard(path)
		err := shard.read(ctx, func(c survey.Capture) {
			if shard.Captures > emitted { // c is new: no earlier attempt has emitted it
				emit(c)
				emitted++
			}
		})
		if err == nil || ctx.Err() != nil {
			break
		}
		shard.Error = err.Error()
	}
	shard.Captures = emitted
	report(shard)
}

// maxDamage is the largest number of messages in Shard.Damage.
const maxDamage = 20

// read emits the captures of the file. It counts them in s.Captures, and collects messages about
// damage in s.Damage. If read reaches the end of the file, it also sets the remaining fields of
// s, except Path and Error.
func (s *Shard) read(ctx context.Context, emit func(survey.Capture)) error {
	fs, err := filesystem.New(ctx, s.Path)
	if err != nil {
		return err
	}
	defer fs.Close()
	file, err := fs.OpenRead(ctx, s.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	captures := survey.NewReader(file, s.Path)
	for {
		c, err := captures.Next()
		_, isFault := errors.AsType[*survey.Fault](err)
		switch {
		case err == io.EOF:
			maps.Copy(s.Skipped, captures.Summary.Skipped)
			maps.Copy(s.Damaged, captures.Summary.Damaged)
			if offset, isCut := captures.Summary.CutAt[s.Path]; isCut {
				s.CutAt = &offset
			}
			return nil
		case isFault:
			if len(s.Damage) < maxDamage {
				s.Damage = append(s.Damage, err.Error())
			}
		case err != nil:
			return fmt.Errorf("%s: %w", s.Path, err)
		default:
			s.Captures++
			c.Body = append([]byte(nil), c.Body...) // the next call of Next overwrites the body, but the runner may still need it
			emit(c)
		}
	}
}
