package web

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sitePolicy is the Content-Security-Policy of the static page. WebAssembly needs leave
// to compile, and nothing else from elsewhere is let in.
const sitePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

// WriteSite writes the page to a directory as static files, for any host that serves
// files over http. It creates the directory if it is missing, and leaves other files in
// it alone.
//
// The engine is compiled to WebAssembly with the go command, so that must be installed,
// and the working directory must be in this module or in one that requires it.
func WriteSite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := writePage(dir); err != nil {
		return err
	}
	if err := buildEngine(ctx, filepath.Join(dir, "robotstxt.wasm")); err != nil {
		return err
	}
	return copyWASMExec(ctx, filepath.Join(dir, "wasm_exec.js"))
}

// writePage writes the files of the page, with the engine set to WebAssembly.
func writePage(dir string) error {
	return fs.WalkDir(page, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == "server.js" {
			return err
		}
		data, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			data = staticIndex(data)
		}
		return os.WriteFile(filepath.Join(dir, name), data, 0o666)
	})
}

// staticIndex returns index.html with the engine and the policy of a static page, which
// has no server to send that as a header.
func staticIndex(index []byte) []byte {
	const charset = `<meta charset="utf-8">`
	const meta = charset + "\n" + `<meta http-equiv="Content-Security-Policy" content="` + sitePolicy + `">`
	return []byte(strings.NewReplacer(`data-engine="server"`, `data-engine="wasm"`, charset, meta).Replace(string(index)))
}

func buildEngine(ctx context.Context, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	return nil
}

// copyWASMExec copies the file with which Go's WebAssembly starts, which must be of the
// same version of Go.
func copyWASMExec(ctx context.Context, file string) error {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking for GOROOT: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
