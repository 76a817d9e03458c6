package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// folder makes a folder of files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestScan(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.example.txt":        "User-agent: *\nDisallow: /\n",
		"b.example/robots.TXT": "User-agent: *\nAllow: /\nDisallow: /b*\nFrobnicate: x\nFrobnicate: y\n",
		"c.txt":                "<html>\nb: c\n",
		"notes.md":             "User-agent: *\nDisallow: /\n",
	})
	stdout, stderr, status := runWith("", "scan", "--json", dir)
	var got summary
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || stderr != "" || status != exitOK {
		t.Fatalf("%v; status %d, output %q, standard error %q", err, status, stdout, stderr)
	}
	got.Seconds = 0
	want := summary{
		Agent: "*", Files: 3, Bytes: 103, Groups: 2, Rules: 3, Allowed: 2, Disallowed: 1,
		Findings: map[string]*count{"all-disallowed": {1, 1}, "not-robots-txt": {1, 1}, "trailing-star": {1, 1}, "unknown-key": {1, 2}},
		Keys:     map[string]*count{"User-agent": {2, 2}, "Allow": {1, 1}, "Disallow": {2, 2}, "frobnicate": {1, 2}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(summary{})); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	text, _, _ := runWith("", "scan", "--agent", "FooBot", dir)
	for _, want := range []string{"files       3\n", "allowed     2 files let FooBot fetch /\n", "        1         2  unknown-key\n", "        2         2  Disallow\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
}

// TestScanList wants the files behind each count.
func TestScanList(t *testing.T) {
	dir := folder(t, map[string]string{"b.txt": "User-agent: *\nDisallow: /\n", "a.txt": "User-agent: *\nDisallow: /a*\n", "c.txt": "Allow: /\n"})
	for list, want := range map[string]string{
		"allowed": "a c", "disallowed": "b", "trailing-star": "a", "Disallow": "a b", "double-star": "",
	} {
		stdout, stderr, status := runWith("", "scan", "--list", list, dir)
		got := strings.NewReplacer(dir+"/", "", ".txt\n", " ").Replace(stdout)
		if strings.TrimSpace(got) != want || stderr != "" || status != exitOK {
			t.Errorf("%s: status %d, standard error %q, output %q, want %q", list, status, stderr, stdout, want)
		}
	}
}

func TestScanErrors(t *testing.T) {
	dir := folder(t, map[string]string{"notes.md": "", "a/b.txt": "Allow: /"})
	for _, c := range []struct {
		about, name, wantErr string
		wantOut              bool
	}{
		{"a file that is missing", dir + "/none", "robotstxt scan: lstat " + dir + "/none: no such file or directory\n", false},
		{"a folder without files", t.TempDir(), ": no .txt file in this folder\n", false},
		{"a file that is named", dir + "/notes.md", "", true},
		{"a URL", "https://shop.example/", "robotstxt scan: ", false},
	} {
		stdout, stderr, status := runWith("", "scan", c.name)
		wantStatus := exitOK
		if c.wantErr != "" {
			wantStatus = exitError
		}
		if (stdout != "") != c.wantOut || !strings.Contains(stderr, c.wantErr) || strings.Count(stderr, "\n") > 1 || status != wantStatus {
			t.Errorf("%s: status %d, output %q, standard error %q", c.about, status, stdout, stderr)
		}
	}
	stdout, _, status := runWith("", "scan", dir, dir+"/none")
	if !strings.HasPrefix(stdout, "files       1\n") || status != exitError {
		t.Errorf("one of two: status %d, output %q", status, stdout)
	}
}

// TestScanLinks wants a folder behind a link to be read, and what is no file to be
// left alone.
func TestScanLinks(t *testing.T) {
	dir := folder(t, map[string]string{"a/b.txt": "Allow: /", "c.txt/d.txt": "Allow: /"})
	link := filepath.Join(t.TempDir(), "link")
	for from, to := range map[string]string{link: dir, filepath.Join(dir, "a", "e.txt"): filepath.Join(dir, "c.txt")} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	stdout, stderr, status := runWith("", "scan", link)
	if !strings.HasPrefix(stdout, "files       2\n") || stderr != "" || status != exitOK {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
}

// TestScanInterrupted wants a scan to end soon, with a summary of what was read.
func TestScanInterrupted(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("%d.txt", i)] = "User-agent: *\nDisallow: /\n"
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := scanner{agent: "*", cmd: newScanCommand(), bar: newProgress(io.Discard)}
	sum := s.scan(ctx, []string{folder(t, files)})
	if sum.Files == len(files) || sum.Disallowed != sum.Files || s.failed.Load() {
		t.Errorf("summary %+v", sum)
	}
}
