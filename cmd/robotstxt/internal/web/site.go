package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sitePolicy is the Content-Security-Policy of the static page. It allows the page's own files,
// and the WebAssembly of the engine.
const sitePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

// enginePackage is the path of the package that is compiled to WebAssembly.
const enginePackage = "github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/wasm"

// WriteSite writes the page to a directory as static files, which any web server can serve. It
// creates the directory if necessary, and keeps other files that are already there. If the
// engine cannot be compiled, WriteSite writes nothing.
//
// WriteSite compiles the engine to WebAssembly. So the go command must be installed, and the
// working directory must be in this module or in one that requires it.
func WriteSite(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir) // before the engine is compiled, which takes seconds
	}
	files, err := siteFiles(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func siteFiles(ctx context.Context) (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, err := fs.ReadDir(page, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if files[entry.Name()], err = fs.ReadFile(page, entry.Name()); err != nil {
			return nil, err
		}
	}
	delete(files, "server.js") // only the page of "robotstxt serve" loads it
	files["index.html"] = staticIndex(files["index.html"])
	if files["robotstxt.wasm"], err = buildEngine(ctx); err != nil {
		return nil, err
	}
	// wasm_exec.js runs robotstxt.wasm. Both files must come from the same version of Go.
	root, err := goCommand(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	files["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return files, err
}

// staticIndex returns index.html for the static page, which uses the engine in WebAssembly. It
// adds sitePolicy as a meta element, because the web server of a static page does not know which
// policy to send as a header.
func staticIndex(index []byte) []byte {
	const charset = `<meta charset="utf-8">`
	const meta = charset + "\n" + `<meta http-equiv="Content-Security-Policy" content="` + sitePolicy + `">`
	return []byte(strings.NewReplacer(`data-engine="server"`, `data-engine="wasm"`, charset, meta).Replace(string(index)))
}

// buildEngine compiles the engine and returns robotstxt.wasm.
func buildEngine(ctx context.Context) ([]byte, error) {
	if _, err := goCommand(ctx, "list", enginePackage); err != nil {
		if ctx.Err() != nil || errors.Is(err, exec.ErrNotFound) {
			return nil, err
		}
		return nil, errors.New("the page must be compiled: run robotstxt serve --write in a clone of the robotstxt repository, or in a module that requires github.com/robotstxt-go/robotstxt/cmd/robotstxt")
	}
	dir, err := os.MkdirTemp("", "robotstxt")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "robotstxt.wasm")
	if _, err := goCommand(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", file, enginePackage); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// goCommand runs the go command with WebAssembly as its target, and returns the output.
func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	switch exit, ok := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("cannot compile the page: install Go, and make sure that the go command is in your PATH: %w", err)
	case ok:
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return out, err
}
