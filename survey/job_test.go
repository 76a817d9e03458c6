package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

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

// A job writes the records that Answer returns, in order, and the sum of them, and reports problems.
func TestRun(t *testing.T) {
	archive := archiveOf(500)
	broken := io.MultiReader(bytes.NewReader(archive), iotest.ErrReader(errDisk))
	damaged := append(bytes.Clone(archive), "junk\n"...)
	const robots = "User-agent: *\nDisallow: /x\n"
	var problems []string
	job := &Job{Questions: questions, Print: PrintJSON, Report: func(err error) { problems = append(problems, err.Error()) }}
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
			PrintJSON(&wantRecords, &r)
		}
		want.add(&file.Summary)
	}
	if diff := cmp.Diff(want, sum); diff != "" || sum.Captures() != 1001 {
		t.Errorf("%d captures, summary (-want +got):\n%s", sum.Captures(), diff)
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

// With Questions.Verify, a wrong digest is damage.
func TestRunVerifies(t *testing.T) {
	archive := bytes.Replace(archiveOf(1), []byte("Content-Length"), []byte("WARC-Payload-Digest: sha1:"+strings.Repeat("A", 32)+"\r\nContent-Length"), 1)
	for verify, want := range map[bool]int{false: 1, true: 0} {
		job := &Job{Questions: Questions{Verify: verify}, Report: func(error) {}}
		sum, err := job.Run(t.Context(), readers(bytes.NewReader(archive)), nil)
		if err != nil || sum.Files != want || sum.Damaged["wrong digest"] != 1-want {
			t.Errorf("verify %t: error %v, %d files, damage %v", verify, err, sum.Files, sum.Damaged)
		}
	}
}

// A job ends if its records cannot be written or its context is done.
func TestRunStops(t *testing.T) {
	archive := archiveOf(5000)
	job := &Job{Questions: Questions{NoLint: true}, Print: PrintJSON, Report: func(err error) { t.Error(err) }}
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
	if err != ErrIncomplete || sum.Files < 100 || file.Len() < len(archive)/2 {
		t.Errorf("error %v, %d files, %d bytes were not read", err, sum.Files, file.Len())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errDisk }

// A memory is a Folder.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, errors.New("no such file")
}

func (m memory) Has(name string) bool { return m[name] != nil }

func (m memory) Remove(name string) error {
	delete(m, name)
	return nil
}

func (m memory) Write(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	m[name] = b.Bytes()
	return nil
}

// Save writes both files or, if something fails, no summary.
func TestSave(t *testing.T) {
	archive := archiveOf(100)
	job := &Job{Questions: Questions{Agents: []string{"*"}, NoLint: true}, Report: func(error) {}}
	var want bytes.Buffer
	printing := *job
	printing.Print = PrintJSON
	if _, err := printing.Run(t.Context(), readers(bytes.NewReader(archive)), &want); err != nil {
		t.Fatal(err)
	}
	m := memory{}
	sum, err := job.Save(t.Context(), readers(bytes.NewReader(archive)), m, "a/x", 5)
	if err != nil || sum.Files != 100 || len(m) != 2 {
		t.Fatalf("error %v, summary %+v, %d files", err, sum, len(m))
	}
	zip, err := gzip.NewReader(bytes.NewReader(m["a/x.jsonl.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zip); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("error %v; the records are not those of Run:\n%s", err, got)
	}
	saved, ok, change := job.Saved(m, "a/x", 5)
	if !ok || change != "" || saved.Inputs != 5 {
		t.Fatalf("saved: %t, change %q", ok, change)
	}
	if diff := cmp.Diff(sum, *saved); diff != "" {
		t.Errorf("summary (-written +read):\n%s", diff)
	}
	incomplete := io.MultiReader(bytes.NewReader(archive), iotest.ErrReader(errDisk))
	if _, err := job.Save(t.Context(), readers(incomplete), m, "a/x", 5); err != ErrIncomplete || m.Has("a/x.summary.json") {
		t.Errorf("error %v; the summary is there: %t", err, m.Has("a/x.summary.json"))
	}
}

// Saved tells whether an output is up to date.
func TestSaved(t *testing.T) {
	q := Questions{Agents: []string{"*"}}
	m := memory{}
	if _, err := (&Job{Questions: q, Report: func(error) {}}).Save(t.Context(), readers(strings.NewReader("Allow: /")), m, "x", 5); err != nil {
		t.Fatal(err)
	}
	summary := string(m["x.summary.json"])
	lint := q.made().Lint
	for _, c := range []struct {
		about, old, new string // a change of the summary in the folder
		name            string
		inputs          Inputs
		questions       Questions
		ok              bool
		change          string
	}{
		{"as it was", "", "", "x", 5, q, true, ""},
		{"no output", "", "", "y", 5, q, false, ""},
		{"the input has changed", "", "", "x", 6, q, false, ""},
		{"an unknown input", `"0000000000000005"`, `"0000000000000000"`, "x", 0, q, false, ""},
		{"other questions", "", "", "x", 5, Questions{Agents: q.Agents, NoLint: true}, false, "no --no-lint, not with --no-lint"},
		{"other codes of lint", lint, "f00", "x", 5, q, false, "version f00 of lint, not with version " + lint + " of lint"},
		{"another format", `"format":2`, `"format":0`, "x", 5, q, false, ""},
		{"not a summary", summary, "{}", "x", 5, q, false, ""},
	} {
		m["x.summary.json"] = []byte(strings.Replace(summary, c.old, c.new, 1))
		_, ok, change := (&Job{Questions: c.questions}).Saved(m, c.name, c.inputs)
		if ok != c.ok || change != c.change {
			t.Errorf("%s: %t, change %q; want %t, %q", c.about, ok, change, c.ok, c.change)
		}
	}
	m["x.summary.json"] = []byte(summary)
	m.Remove("x.jsonl.gz")
	if _, ok, _ := (&Job{Questions: q}).Saved(m, "x", 5); ok {
		t.Error("an output without its records counts as up to date")
	}
}

// The same files have the same InputID, and changed ones another.
func TestInputID(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	at := time.Unix(1e9, 5)
	want := InputID("a/b.warc", 1, 100, at)
	if got := InputID(dir+"/a/b.warc", 1, 100, at.UTC()); got != want || got == 0 {
		t.Errorf("absolute path: %d, want %d", got, want)
	}
	for _, other := range []Inputs{InputID("b.warc", 1, 100, at), InputID("a/b.warc", 2, 100, at), InputID("a/b.warc", 1, 101, at), InputID("a/b.warc", 1, 100, at.Add(1))} {
		if other == want {
			t.Errorf("another input has the same InputID: %d", other)
		}
	}
	if InputID("gs://a/b", 1, 1, at) == InputID(dir+"/gs://a/b", 1, 1, at) {
		t.Error("a URL is not taken as it is")
	}
}

func TestOutputName(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	parent := here[1:strings.LastIndexByte(here, '/')]
	for input, want := range map[string]string{
		"a/b.warc.gz":        "a/b.warc.gz",
		"./a/../b.warc":      "b.warc",
		"-":                  "stdin",
		"/data/b.warc":       "data/b.warc",
		"../b.warc":          parent + "/b.warc",
		".":                  "_",
		"gs://bucket/a.warc": "bucket/a.warc",
	} {
		if got, err := OutputName(input); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", input, got, err, want)
		}
	}
}
