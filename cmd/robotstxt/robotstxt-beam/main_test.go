package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// run returns an error for invalid flags.
func TestRunErrors(t *testing.T) {
	for _, c := range []struct {
		about, input, paths, output string
		want                        string
	}{
		{"no input", " ,", "", "out", "give --output, and --input or --paths (try: --help)"},
		{"no output", "a", "", "", "give --output, and --input or --paths (try: --help)"},
		{"no list", "a", "missing", "out", "open missing: no such file or directory"},
	} {
		*input, *paths, *outputDir = c.input, c.paths, c.output
		if _, err := run(t.Context()); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v; want error %s", c.about, err, c.want)
		}
	}
}

// run reads the inputs of both flags, and tells failures and damage apart.
func TestRun(t *testing.T) {
	whole := warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte("User-agent: *\nDisallow: /\n"))
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"a.warc": whole, "cut.warc": append(whole, whole[:len(whole)-9]...), "list": []byte(filepath.Join(dir, "missing") + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	*outputDir = filepath.Join(dir, "out")
	for _, c := range []struct {
		input, paths string
		files        int
		problem      string
		status       int
	}{
		{"a.warc", "", 1, "", 0},
		{"cut.warc", "", 1, "cut.warc: cut record at offset ", 3},
		{"a.warc", filepath.Join(dir, "list"), 1, "missing: no such file or directory", 2},
	} {
		*input, *paths = filepath.Join(dir, c.input), c.paths
		result, err := run(t.Context())
		if err != nil || result.Summary.Files() != c.files || status(result, err) != c.status {
			t.Errorf("%s: error %v, result %+v", c.input, err, result)
		}
		if problems := strings.Join(result.Problems, "\n"); !strings.Contains(problems, c.problem) || c.problem == "" && problems != "" {
			t.Errorf("%s: problems %q, want %q", c.input, problems, c.problem)
		}
	}
}
