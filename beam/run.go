package robotsbeam

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Pipeline adds the whole job to the pipeline of s. The job reads WARC files: each element of
// paths is the name of a file, or a pattern such as "crawl/*.warc.gz". The job writes the records,
// their summary and the list of shards to the folder dir. The parameter files is the number of
// files for the records. To compress these files, append "/*.jsonl.gz" to dir. Call [Clean] before
// the job runs.
func Pipeline(s beam.Scope, paths []string, dir string, files int, questions survey.Questions) {
	captures, shards := ReadRobots(s, beam.CreateList(s, paths))
	records := Survey(s, questions, captures)
	write(s, dir, files, records, Summarize(s, records, shards), shards)
}

// folderOf returns the output folder without the suffix "/*.jsonl.gz". If output has this suffix,
// isGzip is true, and the job compresses the records.
func folderOf(output string) (dir string, isGzip bool) {
	return strings.CutSuffix(output, "/*.jsonl.gz")
}

// Clean removes the files that earlier jobs wrote to a folder. Otherwise, such files could be
// mistaken for outputs of the next job.
func Clean(ctx context.Context, dir string) error {
	dir, _ = folderOf(dir)
	fs, err := filesystem.New(ctx, dir)
	if err != nil {
		return err
	}
	defer fs.Close()
	for _, pattern := range []string{summaryName, shardsName, "records-*-of-*.jsonl", "records-*-of-*.jsonl.gz"} {
		names, err := fs.List(ctx, dir+"/"+pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			remover, ok := fs.(filesystem.Remover)
			if !ok {
				return fmt.Errorf("cannot remove %s, an output of an earlier job, because the file system does not support this: choose another folder", name)
			}
			if err := remover.Remove(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Faulty reads the list of shards that a job has written to dir. It returns the shards that have
// an error or are damaged.
func Faulty(ctx context.Context, dir string) ([]Shard, error) {
	dir, _ = folderOf(dir)
	name := dir + "/" + shardsName
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	text, err := filesystem.Read(ctx, fs, name)
	if err != nil {
		return nil, err
	}
	var faulty []Shard
	decoder := json.NewDecoder(bufio.NewReader(bytes.NewReader(text)))
	for decoder.More() {
		var s Shard
		if err := decoder.Decode(&s); err != nil {
			return nil, err
		}
		if s.Error != "" || len(s.Damaged) > 0 {
			faulty = append(faulty, s)
		}
	}
	return faulty, nil
}
