package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// run returns an error for invalid flags.
func TestRunErrors(t *testing.T) {
	for _, c := range []struct {
		about, input, paths, output string
		outputs                     int
		want                        string
	}{
		{"no input", " ,", "", "out", 1, "give --output, and --input or --paths (try: --help)"},
		{"no output", "a", "", "", 1, "give --output, and --input or --paths (try: --help)"},
		{"no files of records", "a", "", "out", 0, "--output-files must be at least 1"},
		{"no list", "a", "missing", "out", 1, "open missing: no such file or directory"},
	} {
		*input, *paths, *output, *outputs = c.input, c.paths, c.output, c.outputs
		if failed, err := run(t.Context()); failed != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: failed shards %v, error %v; want error %s", c.about, failed, err, c.want)
		}
	}
}

// run reads the inputs of both flags and returns the shards that failed.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.warc": string(warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte("User-agent: *\nDisallow: /\n"))),
		"list":   filepath.Join(dir, "missing") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	*input, *paths, *output, *outputs = filepath.Join(dir, "a.warc"), filepath.Join(dir, "list"), filepath.Join(dir, "out"), 1
	failed, err := run(t.Context())
	if err != nil || len(failed) != 1 || failed[0].Path != filepath.Join(dir, "missing") || status(failed, err) != 2 {
		t.Errorf("failed shards: %+v, error %v; want the missing file", failed, err)
	}
	summary, err := os.ReadFile(filepath.Join(dir, "out", "summary.json"))
	if err != nil || !strings.Contains(string(summary), `"files":1,`) {
		t.Errorf("the summary does not count one file: %s, error %v", summary, err)
	}
}

// After damage, the exit status is 3. A second run removes the outputs of the first.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	file := warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte("User-agent: *\nDisallow: /\n"))
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), append(file, file[:len(file)-9]...), 0o666); err != nil {
		t.Fatal(err)
	}
	*input, *paths, *output, *outputs = filepath.Join(dir, "a.warc"), "", filepath.Join(dir, "out"), 3
	faulty, err := run(t.Context())
	if err != nil || len(faulty) != 1 || len(faulty[0].Damage) != 1 || status(faulty, err) != 3 {
		t.Errorf("faulty shards %+v, error %v; want one shard with one damaged place", faulty, err)
	}
	*output, *outputs = filepath.Join(dir, "out")+"/*.jsonl.gz", 2
	if _, err := run(t.Context()); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "out", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	want := "records-00000-of-00002.jsonl.gz records-00001-of-00002.jsonl.gz shards.jsonl summary.json"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}
