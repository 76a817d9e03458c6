package serve

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// startServe runs the serve command until the test ends. It returns the first lines that
// the command prints: the address of the page, and then the lines of standard error.
func startServe(t *testing.T, count int, args ...string) (lines []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	cmd := clitest.Program(New())
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
			t.Error("serve has not ended 10 seconds after it was canceled")
		}
	})
	reader := bufio.NewReader(out)
	for range count {
		line, err := reader.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	go io.Copy(io.Discard, reader)
	return lines
}

func TestServe(t *testing.T) {
	page := startServe(t, 1, clitest.Sample)[0]
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
	if start := startOf(t, page); !strings.Contains(start, "GreedyBot") || !strings.Contains(start, `"reach":"","canFetch":true`) {
		t.Errorf("the page starts with %s", start)
	}
}

// startOf returns the answer to the page's first request, which contains the file.
func startOf(t *testing.T, page string) string {
	t.Helper()
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
	body, err := io.ReadAll(start.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestServeWhole tests that the page gets the whole file as it is on disk now, and that a file
// that is too large to show in full is an error.
func TestServeWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	write := func(data string) {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	page := startServe(t, 1, name)[0]
	if start := startOf(t, page); !strings.Contains(start, `"text":"first"`) {
		t.Errorf("the page starts with %s", start)
	}
	write(strings.Repeat("#", robotstxt.SizeLimit) + "last")
	if start := startOf(t, page); !strings.Contains(start, `#last"`) {
		t.Error("the page does not get the whole file")
	}
	write(strings.Repeat("#", web.MaxFile+1))
	want := name + ": the file is larger than 4 MB, the most that the page can show."
	if start := startOf(t, page); !strings.Contains(start, want) {
		t.Errorf("got %.100s, want %s", start, want)
	}
	_, stderr, status := runWith("", "serve", name)
	if status != cli.ExitError || !strings.Contains(stderr, strings.TrimSuffix(want, ".")) {
		t.Errorf("status %d, error %q", status, stderr)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("#\n", robotstxt.SizeLimit))
	}))
	defer site.Close()
	_, stderr, status = runWith("", "serve", site.URL)
	if want := "the file is larger than 500 KiB, so this command cannot fetch all of it; download the file and serve the downloaded copy"; status != cli.ExitError || !strings.Contains(stderr, want) {
		t.Errorf("status %d, error %q, want %q", status, stderr, want)
	}
}

// TestServeReach tests that a page that other machines can reach says so, and does not
// fetch.
func TestServeReach(t *testing.T) {
	address := ""
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			address = ip.IP.String() + ":0"
		}
	}
	if address == "" {
		t.Skip("SKIPPED: this machine has the loopback address only")
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", address}, `"reach":"Everyone who can reach HOST can use this page.","canFetch":false`},
		{[]string{"--addr", address, "--allow-fetch", clitest.Sample}, `"reach":"Everyone who can reach HOST can use this page and read ` + clitest.Sample + `.","canFetch":true`},
		{[]string{"--addr", "127.0.0.1:0"}, `"reach":"","canFetch":true`},
	} {
		count := 1
		if strings.Contains(test.want, "Everyone") {
			count = 2
		}
		lines := startServe(t, count, test.args...)
		page := lines[0]
		want := strings.ReplaceAll(test.want, "HOST", strings.Trim(page, "htp:/"))
		if note := strings.TrimPrefix(lines[count-1], "robotstxt serve: "); count == 2 && !strings.Contains(want, `"reach":"`+note+`"`) {
			t.Errorf("%v: standard error is %q", test.args, lines[1])
		}
		if start := startOf(t, page); !strings.Contains(start, want) {
			t.Errorf("%v: the page starts with %s, want %s", test.args, start, want)
		}
	}
}

func TestServeErrors(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"serve none.txt", "none.txt"},
		{"serve a b", `unexpected argument "b"`},
		{"serve --addr 8080", "8080"},
		{"serve --addr :8080", "such as localhost"},
		{"serve --addr 0.0.0.0:8080", "such as localhost"},
		{"serve --addr [::]:8080", "such as localhost"},
		{"serve --addr localhost:99999", "99999"},
		{"serve --write " + clitest.Sample, "robots.txt"},
		{"serve --write dir " + clitest.Sample, "starts without a file"},
		{"serve --write dir --open", "--write and --open cannot be used together"},
		{"serve --write=", "needs a directory"},
	} {
		var stdout, stderr string
		var status int
		done := make(chan struct{})
		go func() {
			defer close(done)
			stdout, stderr, status = runWith("", strings.Fields(test.args)...)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("robotstxt %s has not ended after a minute", test.args)
		}
		if status != cli.ExitError || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: status %d, output %q, error %q; want %q", test.args, status, stdout, stderr, test.want)
		}
	}
}

func TestServeWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the engine is not compiled")
	}
	dir := filepath.Join(t.TempDir(), "site")
	stdout, stderr, status := runWith("", "serve", "--write", dir)
	if want := filepath.Join(dir, "index.html") + "\n"; stdout != want || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, output %q, error %q", status, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "robotstxt.wasm")); err != nil {
		t.Error(err)
	}
}

// TestServeOpen tests that --open opens the page, and that it is not opened otherwise.
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
	startServe(t, 1)
	page := startServe(t, 1, "--open")[0]
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
