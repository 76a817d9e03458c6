package web

import (
	"context"
	"errors"
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
			t.Errorf("index.html does not contain %q exactly once", want)
		}
	}
	for _, name := range []string{"robotstxt.wasm", "wasm_exec.js", "main.js", "base.css", "worker.js", "icon.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "server.js")); err == nil {
		t.Error("the site contains server.js, which only serve needs")
	}
}

func TestWriteSiteFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteSite(t.Context(), file); err == nil {
		t.Error("WriteSite to the path of a file: no error")
	}
}

// TestWriteSiteFailsOnTheWay tests that WriteSite returns an error if one file cannot be
// written, or if its context is canceled.
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
	if err := WriteSite(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

// TestWriteSiteOutside tests that WriteSite outside a module returns an error of one line and
// writes nothing.
func TestWriteSiteOutside(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	err := WriteSite(t.Context(), "site")
	const want = "the page must be compiled: run robotstxt serve --write in a clone of the robotstxt repository, or in a module that requires github.com/robotstxt-go/robotstxt/cmd/robotstxt"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	t.Setenv("PATH", t.TempDir())
	if err := WriteSite(t.Context(), "site"); err == nil || !strings.HasPrefix(err.Error(), "cannot compile the page: install Go, and make sure that the go command is in your PATH: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("without Go: error %v", err)
	}
	if _, err := os.Stat("site"); err == nil {
		t.Error("WriteSite outside a module created the directory")
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
