package robotsbeam

import (
	"bytes"
	"context"
	"encoding/json"
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

	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/survey"
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

// run runs the whole job and returns its outputs. It sorts the records.
func run(t *testing.T, paths []string, files int) (records []string, summary string, shards []Shard) {
	t.Helper()
	out := t.TempDir()
	pipeline, scope := beam.NewPipelineWithRoot()
	Pipeline(scope, paths, out, files, questions)
	if err := ptest.Run(pipeline); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(out, "records-*.jsonl"))
	if err != nil || len(names) != files {
		t.Fatalf("files of records: %q, error %v; want %d files", names, err, files)
	}
	for _, name := range names {
		records = slices.AppendSeq(records, strings.Lines(read(t, name)))
	}
	slices.Sort(records)
	for line := range strings.Lines(read(t, filepath.Join(out, shardsName))) {
		var s Shard
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, s)
	}
	return records, read(t, filepath.Join(out, summaryName)), shards
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
	return []byte(read(t, filepath.Join("../survey/testdata/archives", name)))
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

// scanOutput builds and runs robotstxt scan. It returns the records, sorted, and the summary
// that the command prints.
func scanOutput(t *testing.T, dir string) (records []string, summary string) {
	t.Helper()
	command := filepath.Join(t.TempDir(), "robotstxt")
	build := exec.Command("go", "build", "-o", command, ".")
	build.Dir = "../cmd/robotstxt"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	scan := func(form string) string {
		args := []string{"scan", form, "--agent", "GPTBot", "--agent", "CCBot", "--path", questions.Paths[0], dir}
		out, err := exec.Command(command, args...).Output()
		const damaged = 3
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != damaged) {
			t.Fatal(err)
		}
		return string(out)
	}
	records = slices.Sorted(strings.Lines(scan("--records")))
	return records, scan("--json")
}

// The command robotstxt scan writes the same summary, byte for byte, and the same records in
// another order.
func TestScan(t *testing.T) {
	dir := writeFiles(t, map[string][]byte{
		"a.warc.gz": shard("a", 300), "b.warc.gz": shard("b", 7), "c.warc.gz": append(shard("c", 20), "junk"...),
		"d.warc.gz": shard("d", 9)[:900], "e.warc.gz": nil, "f.warc.zst": archive(t, "zstd.warc.zst"), "g.warc": archive(t, "wget-plain.warc"),
	})
	wantRecords, wantSummary := scanOutput(t, dir)
	records, summary, shards := run(t, []string{filepath.Join(dir, "[abde].warc.gz"), filepath.Join(dir, "c.warc.gz"), filepath.Join(dir, "[fg].*")}, 30)
	if diff := cmp.Diff(wantRecords, records); diff != "" || len(records) < 327+6+7 {
		t.Errorf("%d records (-scan +beam):\n%s", len(records), diff)
	}
	if diff := cmp.Diff(wantSummary, summary); diff != "" {
		t.Errorf("summary (-scan +beam):\n%s", diff)
	}
	if len(shards) != 7 || shards[3].CutAt == nil || *shards[4].CutAt != 0 || shards[2].Captures != 20 || shards[2].Damaged["stray bytes"] != 1 || shards[2].Error != "" {
		t.Errorf("the shards do not report the captures, damage and cuts of the files: %+v", shards)
	}
}

// A shard that fails is tried again and then reported. The other shards are read.
func TestFailures(t *testing.T) {
	good, junk := shard("a", 30), bytes.Repeat([]byte("junk"), 1000)
	dir := writeFiles(t, map[string][]byte{"a.warc.gz": good, "b.warc.gz": junk})
	flaky := shard("f", 40)
	broken.set(map[string]*faulty{
		"broken://mended": {data: flaky, failures: attempts - 1, after: len(flaky) / 2},
		"broken://lost":   {data: shard("l", 50), failures: attempts, after: len(flaky) / 3},
	})
	paths := []string{
		filepath.Join(dir, "a.warc.gz"), filepath.Join(dir, "b.warc.gz"), filepath.Join(dir, "missing"),
		filepath.Join(dir, "*.arc"), "broken://mended", "broken://lost", "unknown://x",
	}
	records, summary, shards := run(t, paths, 1)
	var errs []string
	captures := map[string]int{}
	for _, s := range shards {
		name := filepath.Base(s.Path)
		captures[name] = s.Captures
		if s.Error != "" {
			errs = append(errs, name)
		}
	}
	if want := []string{"*.arc", "missing", "lost", "x"}; !slices.Equal(errs, want) {
		t.Errorf("failed shards: %q, want %q; all shards %+v", errs, want, shards)
	}
	lost := captures["lost"]
	if captures["a.warc.gz"] != 30 || captures["mended"] != 40 || lost == 0 || lost == 50 || len(records) != 70+lost {
		t.Errorf("%d records, captures by file %v; want 30 and 40, some of the lost file, and a record for each", len(records), captures)
	}
	if !strings.Contains(summary, `"stray bytes":1`) {
		t.Errorf("the summary does not count one fault with stray bytes: %s", summary)
	}
	if len(slices.Compact(slices.Clone(records))) != len(records) {
		t.Error("a capture was read twice")
	}
}

// Faulty returns the shards with an error or damage. If it cannot read the list of shards, it
// returns an error.
func TestFaulty(t *testing.T) {
	const shards = `{"path":"a"}` + "\n" + `{"path":"b","error":"gone"}` + "\n" + `{"path":"d","damaged":{"cut record":1}}` + "\n" + `{"path":"c","error":"lost"}` + "\n"
	for _, c := range []struct {
		about, dir, want string
	}{
		{"some", writeFiles(t, map[string][]byte{shardsName: []byte(shards)}), "b d c"},
		{"none", writeFiles(t, map[string][]byte{shardsName: nil}), ""},
		{"no list", t.TempDir(), "no such file"},
		{"a list that breaks off", writeFiles(t, map[string][]byte{shardsName: []byte(shards + "{")}), "unexpected EOF"},
		{"a file system that does not exist", "unknown://x", "unknown://x"},
	} {
		failed, err := Faulty(t.Context(), c.dir)
		var got []string
		for _, s := range failed {
			got = append(got, s.Path)
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if s := strings.Join(got, " "); s != c.want && (err == nil || len(failed) > 0 || !strings.Contains(s, c.want)) {
			t.Errorf("%s: %q, want %q", c.about, s, c.want)
		}
	}
}

// writeLines creates a file only if all of its lines could be written.
func TestWriteLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	err := writeLines(t.Context(), name, slices.Values([]any{1, func() {}}))
	if _, missing := os.Stat(name); err == nil || missing == nil {
		t.Errorf("a value that JSON cannot encode: error %v; the file exists: %t", err, missing == nil)
	}
	for where, want := range map[string]string{"broken://a": "read only", "unknown://a": "unknown://a"} {
		err := writeLines(t.Context(), where, slices.Values([]any{1}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, which cannot be written: error %v, want %q", where, err, want)
		}
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
