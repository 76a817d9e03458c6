package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

var questions = survey.Questions{Agents: []string{"GPTBot", "CCBot"}, Paths: []string{"/a?<b>"}}

// shard returns a WARC file with the given number of captures, and with other records.
func shard(name string, captures int) []byte {
	file := warctest.Gzip(warctest.Record("warcinfo", "", nil))
	for i := range captures {
		body := fmt.Sprintf("User-agent: *\nDisallow: /%d\nKey-%c: x\n\nUser-agent: CCBot\nDisallow: /\n", i, 'a'+i%26)
		url := fmt.Sprintf("https://%s%d.example/robots.txt", name, i)
		status := []int{200, 200, 200, 404, 503, 301}[i%6]
		file = append(file, warctest.Gzip(warctest.Response(url, time.Unix(1e9, 0), status, "", []byte(body)))...)
		file = append(file, warctest.Gzip(warctest.Record("request", "", []byte("GET /robots.txt")))...)
	}
	return file
}

// runJob runs the whole job. It returns its outputs by name, and its result.
func runJob(t *testing.T, paths []string, out string) (outputs map[string]string, result outcome) {
	t.Helper()
	pipeline, scope := beam.NewPipelineWithRoot()
	addJob(scope, paths, out, questions)
	if err := ptest.Run(pipeline); err != nil {
		t.Fatal(err)
	}
	result, err := readOutcome(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	outputs = contents(t, out)
	delete(outputs, resultName)
	return outputs, result
}

// contents returns all files in a folder. It decompresses those whose names end in .gz.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text := read(t, path)
		if strings.HasSuffix(path, ".gz") {
			zip, err := gzip.NewReader(strings.NewReader(text))
			if err != nil {
				return err
			}
			data, err := io.ReadAll(zip)
			if err != nil {
				return err
			}
			text = string(data)
		}
		name, err := filepath.Rel(dir, path)
		files[name] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// archive returns a test archive of package survey that another program wrote.
func archive(t *testing.T, name string) []byte {
	t.Helper()
	return []byte(read(t, filepath.Join("../internal/survey/testdata/archives", name)))
}

// writeFiles writes files to a new folder and returns the folder.
func writeFiles(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// scan builds and runs robotstxt scan --out. It returns the outputs by name, with the sum that the
// command prints.
func scan(t *testing.T, paths []string) map[string]string {
	t.Helper()
	command, out := filepath.Join(t.TempDir(), "robotstxt"), t.TempDir()
	build := exec.Command("go", "build", "-o", command, ".")
	build.Dir = ".."
	if message, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, message)
	}
	args := []string{"scan", "--agent", "GPTBot", "--agent", "CCBot", "--path", questions.Paths[0], "--out", out, "--json"}
	sum, err := exec.Command(command, append(args, paths...)...).Output()
	const damaged = 3
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != damaged) {
		t.Fatal(err)
	}
	outputs := contents(t, out)
	outputs[summaryName] = string(sum)
	return outputs
}

// The job writes the same records and summaries as the command robotstxt scan, byte for byte.
func TestScan(t *testing.T) {
	dir := writeFiles(t, map[string][]byte{
		"a.warc.gz": shard("a", 300), "b.warc.gz": shard("b", 7), "c.warc.gz": append(shard("c", 20), "junk"...),
		"d.warc.gz": shard("d", 9)[:900], "e.warc.gz": nil, "f.warc.zst": archive(t, "zstd.warc.zst"), "g.warc": archive(t, "wget-plain.warc"),
	})
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	want := scan(t, paths)
	out := t.TempDir()
	patterns := []string{filepath.Join(dir, "[abde].warc.gz"), filepath.Join(dir, "[ac].warc.gz"), filepath.Join(dir, "[fg].*")} // a.warc.gz matches twice
	got, result := runJob(t, patterns, out)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 2*7+1 {
		t.Errorf("%d outputs (-scan +beam):\n%s", len(got), diff)
	}
	offset := len(bytes.Join([][]byte{shard("c", 20)}, nil))
	problems := []string{
		filepath.Join(dir, "c.warc.gz") + fmt.Sprintf(": stray bytes at offset %d", offset),
		filepath.Join(dir, "d.warc.gz") + ": cut record at offset ", filepath.Join(dir, "e.warc.gz") + ": empty archive at offset 0",
	}
	if len(result.Problems) != 3 || result.Failed || !slices.EqualFunc(result.Problems, problems, strings.HasPrefix) {
		t.Errorf("failed: %t, problems %q, want %q", result.Failed, result.Problems, problems)
	}

	// What is up to date is not read again.
	mark := warctest.Gzip([]byte("still here"))
	marked := filepath.Join(out, paths[0][1:]+".jsonl.gz")
	if err := os.WriteFile(marked, mark, 0o666); err != nil {
		t.Fatal(err)
	}
	_, again := runJob(t, []string{filepath.Join(dir, "*")}, out)
	if diff := cmp.Diff(result.Summary, again.Summary); diff != "" || read(t, marked) != string(mark) {
		t.Errorf("the second job read a file again, or its summary differs (-first +second):\n%s", diff)
	}
}

// A file that fails is tried again and then reported. The other files are read.
func TestFailures(t *testing.T) {
	good, junk := shard("a", 30), bytes.Repeat([]byte("junk"), 1000)
	dir := writeFiles(t, map[string][]byte{"a.warc.gz": good, "b.warc.gz": junk})
	flaky := shard("f", 40)
	broken.set(map[string]*faulty{
		"broken://mended": {data: flaky, failures: 2, after: len(flaky) / 2},
		"broken://lost":   {data: shard("l", 50), failures: 3, after: len(flaky) / 3},
	})
	paths := []string{
		filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "b.warc.gz"), filepath.Join(dir, "missing"),
		filepath.Join(dir, "*.arc"), "broken://mended", "broken://lost", "unknown://x",
	}
	outputs, result := runJob(t, paths, t.TempDir())
	problems := []string{"*.arc: no file matches", "b.warc.gz: stray bytes at offset 0", "missing: no such file or directory", "lost: connection reset", "unknown://x"}
	if len(result.Problems) != 5 || !result.Failed {
		t.Errorf("failed: %t, problems %q, want 5", result.Failed, result.Problems)
	}
	for _, want := range problems {
		if !strings.Contains(strings.Join(result.Problems, "\n"), want) {
			t.Errorf("problems %q, want %q", result.Problems, want)
		}
	}
	records := func(name string) int { return strings.Count(outputs[name+".jsonl.gz"], "\n") }
	if records(filepath.Join(dir, "a.warc.gz")[1:]) != 30 || records("mended") != 40 || records("lost") != 0 {
		t.Errorf("records of three files: %d, %d, %d; want 30, 40 and none", records(filepath.Join(dir, "a.warc.gz")[1:]), records("mended"), records("lost"))
	}
}

// A folder contains a file only if all of it could be written.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	to, err := openFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := errors.New("no")
	err = to.Write("a", func(io.Writer) error { return want })
	if left := contents(t, dir); err != want || len(left) > 0 {
		t.Errorf("error %v, files %q", err, left)
	}
	if err := to.Write("a/b", func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil || !to.Has("a/b") || to.Has("b") {
		t.Errorf("error %v; a/b is there: %t", err, to.Has("a/b"))
	}
	if err := errors.Join(to.Remove("a/b"), to.Remove("a/b")); err != nil || to.Has("a/b") {
		t.Errorf("error %v; a/b is there: %t", err, to.Has("a/b"))
	}
	if _, err := openFolder(t.Context(), "unknown://x"); err == nil {
		t.Error("no error for an unknown file system")
	}
	readOnly := &folder{t.Context(), &broken, "broken://x"}
	if err := readOnly.Write("a", func(io.Writer) error { return nil }); err == nil || err.Error() != "read only" {
		t.Errorf("error %v, want that of the file system", err)
	}
}

// broken is a read-only file system whose files can be faulty.
var broken brokenFS

func init() {
	filesystem.Register("broken", func(context.Context) filesystem.Interface { return &broken })
}

type brokenFS struct {
	mu    sync.Mutex
	files map[string]*faulty
}

// A faulty is a file. The given number of times, reading it fails after the first bytes.
type faulty struct {
	data            []byte
	failures, after int
}

func (fs *brokenFS) set(files map[string]*faulty) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.files = files
}

func (fs *brokenFS) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.files[name]
	if f.failures == 0 {
		return io.NopCloser(bytes.NewReader(f.data)), nil
	}
	f.failures--
	return io.NopCloser(io.MultiReader(bytes.NewReader(f.data[:f.after]), failing{})), nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func (*brokenFS) Close() error                                   { return nil }
func (*brokenFS) List(context.Context, string) ([]string, error) { return nil, nil }
func (*brokenFS) Size(context.Context, string) (int64, error)    { return 0, nil }
func (*brokenFS) OpenWrite(context.Context, string) (io.WriteCloser, error) {
	return nil, errors.New("read only")
}
