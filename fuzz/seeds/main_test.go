package main

import (
	"path/filepath"
	"testing"
)

// TestRun writes the archives into a folder that does not exist yet.
func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	t.Chdir("../..")
	if err := run([]string{dir}); err != nil {
		t.Fatal(err)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*_seed_corpus.zip")); err != nil || len(names) != 3 {
		t.Errorf("got archives %q and error %v, want 3 archives", names, err)
	}
}
