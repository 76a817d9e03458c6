package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCollect(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.go":           "// Package a has two\n// lines.\npackage a\n\nvar _ = \"a message of four words\" // short\nvar _ = \"not a message\"\n",
		"a_test.go":      "// A test.\npackage a\n",
		"testdata/b.go":  "// Data.\npackage b\n",
		"c.js":           "// One\n// two.\nlet x; // no comment line\n\n  // Three.\n",
		"d.md":           "# A title of four\n\nThe first sentence here. The second one is\nlonger: `Disallow: /`.\n\n```go\n// Code that is no prose.\n\nmore := \"code in the block\"\n```\n\n    an indented block of code\n\n| a table has no sentences |\n",
		"e.md":           "Too short.\n",
		".hidden/f.md":   "This is not a document.\n",
		"broken.go":      "// No package follows this.\n",
		"unrelated.text": "This is of no known kind.\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := collect(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		name, _ := filepath.Rel(folder, s.file)
		got = append(got, name+":"+string(rune('0'+s.line))+": "+s.text)
	}
	want := []string{
		"a.go:1: Package a has two\nlines.\n",
		"a.go:5: short\n",
		"a.go:5: a message of four words",
		"c.js:1:  One\n two.",
		"c.js:5:  Three.",
		"d.md:1: # A title of four",
		"d.md:3: The first sentence here. ",
		"d.md:3: The second one is\nlonger: `Disallow: /`.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
