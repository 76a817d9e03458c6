package web

import (
	"context"
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
	const policy = `content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; ` +
		`img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'">`
	for _, want := range []string{`data-engine="wasm"`, "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" " + policy} {
		if strings.Count(string(index), want) != 1 {
			t.Errorf("index.html does not have %q once", want)
		}
	}
	for _, name := range []string{"robotstxt.wasm", "wasm_exec.js", "main.js", "page.css", "worker.js", "icon.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "server.js")); err == nil {
		t.Error("the site has server.js, which only serve needs")
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

// TestWriteSiteFailsOnTheWay tests that each file that cannot be written is an error.
func TestWriteSiteFailsOnTheWay(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the engine is not compiled")
	}
	for _, name := range []string{"index.html", "wasm_exec.js"} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := WriteSite(t.Context(), dir); err == nil || !strings.Contains(err.Error(), name+": is a directory") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteSite(ctx, t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "building the engine: context canceled") {
		t.Errorf("cancelled: error %v", err)
	}
	if err := copyWASMExec(ctx, filepath.Join(t.TempDir(), "x")); err == nil || err.Error() != "asking for GOROOT: context canceled" {
		t.Errorf("cancelled: error %v", err)
	}
}

// TestBuildEngineNowhere tests a working directory that is gone.
func TestBuildEngineNowhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Skip("SKIPPED: this system keeps the working directory:", err)
	}
	if _, err := os.Getwd(); err == nil {
		t.Skip("SKIPPED: this system has a working directory that is gone")
	}
	if err := buildEngine(t.Context(), "x.wasm"); err == nil || strings.HasPrefix(err.Error(), "building the engine") {
		t.Errorf("error %v, want the one for the working directory", err)
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
