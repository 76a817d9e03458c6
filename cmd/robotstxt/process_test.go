//go:build unix

package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// TestMain lets a test run the command in a process: with ROBOTSTXT_BE_THE_COMMAND set, the
// test binary is the command robotstxt.
func TestMain(m *testing.M) {
	if os.Getenv("ROBOTSTXT_BE_THE_COMMAND") != "" {
		if address := os.Getenv("ROBOTSTXT_TEST_SERVER"); address != "" {
			useServer(address)
		}
		main()
	}
	os.Unsetenv("COLUMNS") // the tests want the output for an unknown width
	os.Exit(m.Run())
}

// newProcess returns the command as a process that has not started.
func newProcess(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *strings.Builder) {
	cmd = exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ROBOTSTXT_BE_THE_COMMAND=yes")
	stdout, stderr = new(strings.Builder), new(strings.Builder)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// newPipe creates a named pipe and returns its name. Reading it waits for a writer.
func newPipe(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "pipe.txt")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// TestBrokenPipe tests that the command ends without a message if the reader of its output
// has gone, as with "| head".
func TestBrokenPipe(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd, _, stderr := newProcess(t, "lint", clitest.Mistakes)
	cmd.Stdout = write
	err = cmd.Run()
	write.Close()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.String() != "" {
		t.Errorf("%v, standard error %q, want the signal for a broken pipe", err, stderr)
	}
}

// TestScanInterrupt interrupts a scan while it waits for a file.
func TestScanInterrupt(t *testing.T) {
	pipe := newPipe(t)
	cmd, stdout, stderr := newProcess(t, "scan", pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until it is read
	if err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	time.Sleep(500 * time.Millisecond)
	io.WriteString(w, "User-agent: *\n")
	w.Close()
	cmd.Wait()
	if !strings.HasPrefix(stdout.String(), "files       1\n") || stderr.String() != "robotstxt scan: interrupted after 1 file\n" || cmd.ProcessState.ExitCode() != cli.ExitInterrupted {
		t.Errorf("%v, standard error %q, output %q", cmd.ProcessState, stderr, stdout)
	}
}

// TestScanInterruptTwice tests that a second interrupt ends a scan that waits forever for a
// file.
func TestScanInterruptTwice(t *testing.T) {
	pipe := newPipe(t)
	cmd, _, _ := newProcess(t, "scan", pipe)
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt) // cmd would inherit it if this process ignored interrupts
	err := cmd.Start()
	signal.Stop(notified)
	if err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	giveUp := time.After(20 * time.Second)
	for {
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-done:
			return
		case <-giveUp:
			cmd.Process.Kill()
			t.Fatal("interrupts do not end the scan")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// TestSitesInterrupt interrupts the command sites while it waits for a site, and continues it.
func TestSitesInterrupt(t *testing.T) {
	release := make(chan struct{})
	slow := clitest.NewSite(t, func(http.ResponseWriter, *http.Request) { <-release })
	fast := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /x\n"))
	dir := t.TempDir()
	args := []string{"sites", "--timeout", "10m", "--out", dir, slow.URL, fast.URL}
	cmd, stdout, stderr := newProcess(t, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until the row of the fast site is kept
		if rows, _ := os.ReadFile(filepath.Join(dir, ".unfinished", "rows.jsonl")); strings.HasSuffix(string(rows), "}\n") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if want := "robotstxt sites: interrupted after 1 of 2 sites; with --out, the same command continues today\n"; stderr.String() != want ||
		!strings.Contains(stdout.String(), fast.URL) || strings.Contains(stdout.String(), slow.URL) || cmd.ProcessState.ExitCode() != cli.ExitInterrupted {
		t.Errorf("%v, standard error %q, output %q", cmd.ProcessState, stderr, stdout)
	}
	if kept, _ := filepath.Glob(dir + "/*.txt"); len(kept) > 0 {
		t.Errorf("the interrupted run has written %s", kept)
	}
	close(release)
	fast.WantRequests(t, "/robots.txt "+reply.UserAgent)
	text, message, status := runWith("", args...)
	fast.WantRequests(t)
	if kept, _ := filepath.Glob(dir + "/*.txt"); len(kept) != 2 || !strings.Contains(text, fast.URL) || !strings.Contains(text, slow.URL) || !strings.Contains(message, "continues") || status != cli.ExitOK {
		t.Errorf("the next run: status %d, standard error %q, files %s, output %q", status, message, kept, text)
	}
}

// TestCheckInterrupt interrupts check --pages while it waits for the second page.
func TestCheckInterrupt(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow:\n"))
	site.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(asked)
			<-release
		}
	})
	cmd, stdout, stderr := newProcess(t, "check", "--sitemap", "--pages", "--agent", "A", "--robots", site.URL, clitest.NewFile(t, site.URL+"/x\n"+site.URL+"/slow\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	close(release)
	if stderr.String() != "robotstxt check: interrupted after 1 of 2 pages\n" || !strings.Contains(stdout.String(), "2 URLs in 1 sitemap, 1 page fetched\n") || cmd.ProcessState.ExitCode() != cli.ExitInterrupted {
		t.Errorf("%v, standard error %q, output %q", cmd.ProcessState, stderr, stdout)
	}
}

// TestProxy tests that requests use the proxy that the environment names, whose own address may be private, but not
// for a redirect to an address that is not public.
func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		http.Redirect(w, r, "http://169.254.169.254/robots.txt", http.StatusFound)
	}))
	defer proxy.Close()
	cmd, stdout, stderr := newProcess(t, "check", "http://shop.example/x")
	cmd.Env = append(cmd.Env, "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
	if cmd.Run(); len(asked) != 1 || asked[0] != "http://shop.example/robots.txt" || !strings.Contains(stdout.String(), "not public") {
		t.Errorf("requests %q, output %q, standard error %q", asked, stdout, stderr)
	}
	cmd, stdout, stderr = newProcess(t, "sites", "http://shop.example") // uses no proxy
	cmd.Env = append(cmd.Env, "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
	if cmd.Run(); len(asked) != 1 || !strings.Contains(stdout.String(), "no answer") {
		t.Errorf("sites: requests %q, output %q, standard error %q", asked, stdout, stderr)
	}
}
