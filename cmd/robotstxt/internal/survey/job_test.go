package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// archiveOf returns an archive with captures of different sizes.
func archiveOf(captures int) []byte {
	var file []byte
	for i := range captures {
		body := fmt.Sprintf("User-agent: *\nDisallow: /%d\n%s", i, strings.Repeat("Key: x\n", i%50))
		file = append(file, warctest.Response(fmt.Sprintf("https://a%d.example/robots.txt", i), time.Unix(1e9, 0), 200, "", []byte(body))...)
	}
	return file
}

var errDisk = errors.New("disk on fire")

// readers returns Readers of files, and an error for a file without content.
func readers(files ...io.Reader) iter.Seq2[*Reader, error] {
	return func(yield func(*Reader, error) bool) {
		for i, file := range files {
			more := false
			if file == nil {
				more = yield(nil, errors.New("no such file"))
			} else {
				more = yield(NewReader(file, fmt.Sprint("f", i)), nil)
			}
			if !more {
				return
			}
		}
	}
}

func printJSON(w io.Writer, r *Record) error { return json.NewEncoder(w).Encode(r) }

// A job writes the records that Answer returns, in order, and the sum of them, and reports problems.
func TestRun(t *testing.T) {
	archive := archiveOf(500)
	broken := io.MultiReader(bytes.NewReader(archive), iotest.ErrReader(errDisk))
	damaged := append(bytes.Clone(archive), "junk\n"...)
	const robots = "User-agent: *\nDisallow: /x\n"
	var problems []string
	job := &Job{Questions: questions, Print: printJSON, Report: func(err error) { problems = append(problems, err.Error()) }}
	var records bytes.Buffer
	sum, err := job.Run(t.Context(), readers(strings.NewReader(robots), nil, broken, bytes.NewReader(damaged)), &records)
	if err != ErrIncomplete {
		t.Errorf("error %v, want ErrIncomplete", err)
	}
	if diff := cmp.Diff([]string{"no such file", "f2: disk on fire", fmt.Sprintf("f3: stray bytes at offset %d", len(archive))}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	want := questions.NewSummary()
	var wantRecords bytes.Buffer
	for _, file := range []*Reader{NewReader(strings.NewReader(robots), "f0"), NewReader(bytes.NewReader(archive), "f2"), NewReader(bytes.NewReader(damaged), "f3")} {
		captures, _ := readAll(t, file)
		for _, c := range captures {
			r := questions.Answer(c)
			want.Add(&r)
			printJSON(&wantRecords, &r)
		}
		want.add(&file.Summary)
	}
	if diff := cmp.Diff(want, sum); diff != "" || sum.Total() != 1001 {
		t.Errorf("%d captures, summary (-want +got):\n%s", sum.Total(), diff)
	}
	if records.String() != wantRecords.String() {
		t.Error("the records differ from those of Answer")
	}
	problems = nil
	job.Print = nil
	without, err := job.Run(t.Context(), readers(strings.NewReader(robots), bytes.NewReader(archive), bytes.NewReader(damaged)), nil)
	if diff := cmp.Diff(want, without); diff != "" || err != nil {
		t.Errorf("without records: error %v, summary (-want +got):\n%s", err, diff)
	}
}

// A job ends if its records cannot be written or its context is done.
func TestRunStops(t *testing.T) {
	archive := archiveOf(5000)
	job := &Job{Questions: Questions{NoLint: true}, Print: printJSON, Report: func(err error) { t.Error(err) }}
	file := bytes.NewReader(archive)
	if _, err := job.Run(t.Context(), readers(file), brokenWriter{}); err != errDisk || file.Len() == 0 {
		t.Errorf("error %v, %d bytes were not read", err, file.Len())
	}
	bad := &Job{Print: func(io.Writer, *Record) error { return errDisk }, Report: job.Report}
	if _, err := bad.Run(t.Context(), readers(bytes.NewReader(archive)), io.Discard); err != errDisk {
		t.Errorf("error %v, want that of Print", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	file = bytes.NewReader(archive)
	cancelling := func(yield func(*Reader, error) bool) {
		if yield(NewReader(bytes.NewReader(archiveOf(100)), ""), nil) {
			cancel()
			yield(NewReader(file, ""), nil)
		}
	}
	sum, err := job.Run(ctx, cancelling, io.Discard)
	if err != ErrIncomplete || sum.Files() < 100 || file.Len() < len(archive)/2 {
		t.Errorf("error %v, %d files, %d bytes were not read", err, sum.Files(), file.Len())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errDisk }
