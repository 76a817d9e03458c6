package robotsbeam

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/robotstxt-go/robotstxt/survey"
)

// Pipeline adds the whole job to a pipeline: it reads the WARC files that paths and
// patterns name and writes records, their summary and the shards to a folder. Files
// is the number of files that the records are spread over.
func Pipeline(s beam.Scope, paths []string, dir string, files int, questions survey.Questions) {
	captures, shards := ReadRobots(s, beam.CreateList(s, paths))
	records := Survey(s, questions, captures)
	write(s, dir, files, records, Summarize(s, records, shards), shards)
}

// Failed returns the shards with an error, from the folder that a Pipeline wrote.
func Failed(ctx context.Context, dir string) ([]Shard, error) {
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
	var failed []Shard
	decoder := json.NewDecoder(bufio.NewReader(bytes.NewReader(text)))
	for decoder.More() {
		var s Shard
		if err := decoder.Decode(&s); err != nil {
			return nil, err
		}
		if s.Error != "" {
			failed = append(failed, s)
		}
	}
	return failed, nil
}
