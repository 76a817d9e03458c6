// Command robotstxt-beam surveys the robots.txt files of a crawl on a cluster, with Apache Beam.
//
// Usage:
//
//	robotstxt-beam --input PATTERN,... --output DIR [--agents NAME,...] [flags]
//
// DIR must be a folder that this machine and all workers can read and write, such as gs://bucket/out.
// For each WARC file, it gets the records and their summary, as with robotstxt scan --out, and at the
// end the sum of all summaries. Without --runner, the job runs on this machine.
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
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // for names such as s3://bucket/file.warc.gz
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
)

var (
	input     = flag.String("input", "", "WARC files or patterns, separated by commas, in any file system that Beam supports")
	paths     = flag.String("paths", "", "a local `file` that lists more WARC files or patterns, one per line")
	outputDir = flag.String("output", "", "the folder to write to; this machine and all workers must be able to read and write it")
	agents    = flag.String("agents", "*", "the crawlers to ask about, separated by commas; * means a crawler that no file names")
	ask       = flag.String("ask", "", "paths to ask about in addition to /, separated by commas")
	noLint    = flag.Bool("no-lint", false, "leave out the findings of lint; finding them takes most of the time")
)

func main() {
	flag.Parse()
	beam.Init()
	result, err := run(context.Background())
	for _, problem := range result.Problems {
		fmt.Fprintf(os.Stderr, "robotstxt-beam: %s\n", problem)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "robotstxt-beam: %v\n", err)
	}
	os.Exit(status(result, err))
}

// status returns the exit status. Each status means the same as in robotstxt scan.
func status(result outcome, err error) int {
	const failed, damaged = 2, 3
	switch {
	case err != nil || result.Failed:
		return failed
	case len(result.Summary.Damaged) > 0:
		return damaged
	}
	return 0
}

// run runs the job and returns its result.
func run(ctx context.Context) (result outcome, err error) {
	inputs, err := allInputs()
	switch {
	case err != nil:
		return result, err
	case len(inputs) == 0 || *outputDir == "":
		return result, errors.New("give --output, and --input or --paths (try: --help)")
	}
	questions := survey.Questions{Agents: split(*agents), Paths: split(*ask), NoLint: *noLint}
	if err := clean(ctx, *outputDir); err != nil {
		return result, err
	}
	pipeline, scope := beam.NewPipelineWithRoot()
	addJob(scope, inputs, *outputDir, questions)
	if err := beamx.Run(ctx, pipeline); err != nil {
		return result, err
	}
	return readOutcome(ctx, *outputDir)
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
