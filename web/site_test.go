package web

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestWriteSite(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the engine is not compiled")
	}
	dir := filepath.Join(t.TempDir(), "new", "site")
	if err := WriteSite(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`data-engine="wasm"`, sitePolicy} {
		if strings.Count(string(index), want) != 1 {
			t.Errorf("index.html does not have %q once", want)
		}
	}
	for _, name := range []string{"robotstxt.wasm", "wasm_exec.js", "main.js", "page.css", "worker.js", "icon.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWriteSiteFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteSite(t.Context(), file); err == nil {
		t.Error("a file was taken for a directory")
	}
}

// TestPageIsSelfContained tests that no file of the page names another host, except for
// examples and the namespace of SVG.
func TestPageIsSelfContained(t *testing.T) {
	address := regexp.MustCompile(`(https?:)?//[a-z0-9.-]+\.[a-z]+[^\s"')]*`)
	entries, err := embedded.ReadDir("page")
	if err != nil || len(entries) == 0 {
		t.Fatal("no page", err)
	}
	for _, entry := range entries {
		data, err := embedded.ReadFile("page/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range address.FindAllString(string(data), -1) {
			if !strings.Contains(found, "example") && found != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", entry.Name(), found)
			}
		}
	}
}
