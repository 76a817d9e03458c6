// Command robotstxt-beam surveys the robots.txt files of a crawl. It runs on a cluster, with
// Apache Beam.
//
// Usage:
//
//	robotstxt-beam --input PATTERN,... --output DIR [--agents NAME,...] [flags]
//
// In the folder DIR, it writes the records (one JSON object per line), their summary, and a list
// of the WARC files with their damage and errors. Without --runner, the job runs on this machine.
// The exit status is 2 if the job failed or a file could not be read. It is 3 if all files could
// be read, but some are damaged.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // for names such as s3://bucket/file.warc.gz
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	robotsbeam "github.com/robotstxt-go/robotstxt/beam"
	"github.com/robotstxt-go/robotstxt/survey"
)

var (
	input   = flag.String("input", "", "WARC files or patterns, separated by commas, in any file system that Beam supports")
	paths   = flag.String("paths", "", "a local `file` that lists more WARC files or patterns, one per line")
	output  = flag.String("output", "", "the folder to write to; append /*.jsonl.gz to compress the records")
	agents  = flag.String("agents", "*", "the crawlers to ask about, separated by commas; * means a crawler that no file names")
	ask     = flag.String("ask", "", "paths to ask about in addition to /, separated by commas")
	noLint  = flag.Bool("no-lint", false, "leave out the findings of lint; finding them takes most of the time")
	outputs = flag.Int("output-files", 1, "the number of files to spread the records over")
)

func main() {
	flag.Parse()
	beam.Init()
	faulty, err := run(context.Background())
	for _, s := range faulty {
		for _, damage := range s.Damage {
			fmt.Fprintf(os.Stderr, "robotstxt-beam: %s: %s\n", s.Path, damage)
		}
		if s.Error != "" {
			fmt.Fprintf(os.Stderr, "robotstxt-beam: %s: %s\n", s.Path, s.Error)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "robotstxt-beam: %v\n", err)
	}
	os.Exit(status(faulty, err))
}

// status returns the exit status. Each status means the same as in robotstxt scan.
func status(faulty []robotsbeam.Shard, err error) int {
	const failed, damaged = 2, 3
	switch {
	case err != nil || slices.ContainsFunc(faulty, func(s robotsbeam.Shard) bool { return s.Error != "" }):
		return failed
	case len(faulty) > 0:
		return damaged
	}
	return 0
}

// run runs the job. It returns the shards that could not be read or are damaged.
func run(ctx context.Context) ([]robotsbeam.Shard, error) {
	inputs, err := allInputs()
	switch {
	case err != nil:
		return nil, err
	case len(inputs) == 0 || *output == "":
		return nil, errors.New("give --output, and --input or --paths (try: --help)")
	case *outputs < 1:
		return nil, errors.New("--output-files must be at least 1")
	}
	questions := survey.Questions{Agents: split(*agents), Paths: split(*ask), NoLint: *noLint}
	if err := robotsbeam.Clean(ctx, *output); err != nil {
		return nil, err
	}
	pipeline, scope := beam.NewPipelineWithRoot()
	robotsbeam.Pipeline(scope, inputs, *output, *outputs, questions)
	if err := beamx.Run(ctx, pipeline); err != nil {
		return nil, err
	}
	return robotsbeam.Faulty(ctx, *output)
}

// allInputs returns the names and patterns from the flags --input and --paths.
func allInputs() ([]string, error) {
	inputs := split(*input)
	if *paths == "" {
		return inputs, nil
	}
	file, err := os.Open(*paths)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		inputs = append(inputs, split(lines.Text())...)
	}
	return inputs, lines.Err()
}

// split splits a list at commas. It leaves out empty parts.
func split(s string) (parts []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
