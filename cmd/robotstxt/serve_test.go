package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// startServe runs the serve command until the test ends and returns the address that
// it prints.
func startServe(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	cmd := newRootCommand()
	cmd.SetArgs(append([]string{"serve"}, args...))
	cmd.SetOut(in)
	cmd.SetErr(in)
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("serve does not end")
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func TestServe(t *testing.T) {
	page := startServe(t, sample)
	if !strings.HasPrefix(page, "http://localhost:") || !strings.HasSuffix(page, "/") {
		t.Fatalf("the address is %q", page)
	}
	resp, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), "<title>") {
		t.Errorf("got %.100s, %v", body, err)
	}
	req, err := http.NewRequest("POST", page+"api/start", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", strings.TrimSuffix(page, "/"))
	req.Header.Set("Content-Type", "application/json")
	start, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer start.Body.Close()
	if body, err := io.ReadAll(start.Body); err != nil || !strings.Contains(string(body), "GreedyBot") {
		t.Errorf("the page starts with %s, %v", body, err)
	}
}

func TestServeErrors(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"serve none.txt", "none.txt"},
		{"serve a b", `unexpected operand "b"`},
		{"serve --addr 8080", "8080"},
		{"serve --addr :8080", "such as localhost"},
		{"serve --addr 0.0.0.0:8080", "such as localhost"},
		{"serve --addr [::]:8080", "such as localhost"},
		{"serve --addr localhost:99999", "99999"},
		{"site", "no directory given"},
		{"site " + sample, "robots.txt"},
	} {
		stdout, stderr, status := runWith("", strings.Fields(test.args)...)
		if status != exitError || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: status %d, output %q, error %q; want %q", test.args, status, stdout, stderr, test.want)
		}
	}
}

func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the engine is not compiled")
	}
	dir := filepath.Join(t.TempDir(), "site")
	stdout, stderr, status := runWith("", "site", dir)
	if want := filepath.Join(dir, "index.html") + "\n"; stdout != want || stderr != "" || status != exitOK {
		t.Errorf("status %d, output %q, error %q", status, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "robotstxt.wasm")); err != nil {
		t.Error(err)
	}
}

// TestServeOpen tests that the page is opened if that is wanted, and only then.
func TestServeOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux opens pages with a program that the test can replace")
	}
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\necho \"$1\" >>" + opened + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	startServe(t)
	page := startServe(t, "--open")
	for range 100 {
		if data, err := os.ReadFile(opened); err == nil && len(data) > 0 {
			if got := strings.TrimSpace(string(data)); got != page {
				t.Errorf("opened %q, want %q", got, page)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the page was not opened")
}
