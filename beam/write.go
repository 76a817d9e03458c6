package robotsbeam

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/robotstxt-go/robotstxt/survey"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[spreadFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeRecordsFn]())
	register.Function1x2(withKey)
	beam.RegisterDoFn(reflect.TypeFor[writeShardsFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeSummaryFn]())
	register.Iter1[survey.Record]()
	register.Iter1[int]()
	register.Iter1[Shard]()
}

// The names of the outputs in the output folder.
const (
	summaryName = "summary.json"
	shardsName  = "shards.jsonl"
	recordsName = "records-%05d-of-%05d.jsonl"
)

// write writes the records to the given number of files, and the summary and the shards to one
// file each.
func write(s beam.Scope, dir string, files int, records, summary, shards beam.PCollection) {
	s = s.Scope("write")
	dir, isGzip := folderOf(dir)
	numbers := make([]int, files) // the numbers of all files, because the job must also write the files that get no records
	for n := range numbers {
		numbers[n] = n
	}
	spread := beam.CoGroupByKey(s, beam.ParDo(s, withKey, beam.CreateList(s, numbers)), beam.ParDo(s, &spreadFn{files}, records))
	beam.ParDo0(s, &writeRecordsFn{dir, files, isGzip}, spread)
	beam.ParDo0(s, &writeShardsFn{dir}, beam.GroupByKey(s, beam.AddFixedKey(s, shards)))
	beam.ParDo0(s, &writeSummaryFn{dir}, summary)
}

// withKey returns the number of a file twice, because CoGroupByKey needs a key and a value.
func withKey(n int) (int, int) { return n, n }

type spreadFn struct {
	Files int
}

// ProcessElement returns the number of the output file for a record, and the record. Records with
// the same URL go to the same file.
func (f *spreadFn) ProcessElement(r survey.Record) (int, survey.Record) {
	hash := fnv.New32a()
	hash.Write([]byte(r.URL))
	return int(hash.Sum32() % uint32(f.Files)), r
}

type writeRecordsFn struct {
	Dir   string
	Files int
	Gzip  bool
}

// ProcessElement writes the records of file n.
func (f *writeRecordsFn) ProcessElement(ctx context.Context, n int, _ func(*int) bool, records func(*survey.Record) bool) error {
	name := f.Dir + "/" + fmt.Sprintf(recordsName, n, f.Files)
	if f.Gzip {
		name += ".gz"
	}
	return writeLines(ctx, name, func(yield func(*survey.Record) bool) {
		for r := new(survey.Record); records(r) && yield(r); r = new(survey.Record) {
		}
	})
}

type writeShardsFn struct {
	Dir string
}

// ProcessElement writes all shards to one file, sorted by path.
func (f *writeShardsFn) ProcessElement(ctx context.Context, _ int, shards func(*Shard) bool) error {
	var all []Shard
	for s := new(Shard); shards(s); s = new(Shard) {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(x, y Shard) int { return cmp.Compare(x.Path, y.Path) })
	return writeLines(ctx, f.Dir+"/"+shardsName, slices.Values(all))
}

type writeSummaryFn struct {
	Dir string
}

// ProcessElement writes the summary to a file.
func (f *writeSummaryFn) ProcessElement(ctx context.Context, sum survey.Summary) error {
	return writeLines(ctx, f.Dir+"/"+summaryName, slices.Values([]*survey.Summary{&sum}))
}

// writeLines writes a file with one JSON object per line. If the file system can rename
// files, the name of the file ends in ".unfinished" until the file is complete.
func writeLines[T any](ctx context.Context, name string, lines iter.Seq[T]) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	unfinished := name
	if _, ok := fs.(filesystem.Renamer); ok {
		unfinished += ".unfinished"
	}
	file, err := fs.OpenWrite(ctx, unfinished)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	if strings.HasSuffix(name, ".gz") {
		zip := gzip.NewWriter(out)
		err = errors.Join(encodeAll(zip, lines), zip.Close())
	} else {
		err = encodeAll(out, lines)
	}
	err = errors.Join(err, out.Flush(), file.Close())
	if err != nil || unfinished == name {
		return err
	}
	return filesystem.Rename(ctx, fs, unfinished, name)
}

// encodeAll writes each value as a line of JSON, in the same form as robotstxt scan.
func encodeAll[T any](w io.Writer, values iter.Seq[T]) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for v := range values {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return nil
}
