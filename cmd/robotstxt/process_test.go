//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets a test run the command in a process: with ROBOTSTXT_BE_THE_COMMAND set, the
// test binary is the command robotstxt.
func TestMain(m *testing.M) {
	switch os.Getenv("ROBOTSTXT_BE_THE_COMMAND") {
	case "yes":
		main()
	case "and print /proc/self/status":
		run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		status, _ := os.ReadFile("/proc/self/status")
		os.Stderr.Write(status)
		os.Exit(0)
	}
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
	cmd, _, stderr := newProcess(t, "lint", mistakes)
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
	if !strings.HasPrefix(stdout.String(), "files       1\n") || stderr.String() != "robotstxt scan: interrupted after 1 file\n" || cmd.ProcessState.ExitCode() != exitInterrupted {
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

// TestLogMemory tests that a hostile log takes less than 64 MB in all. It reads the peak
// from the process itself: the Maxrss of a child is at least that of its parent, this test.
func TestLogMemory(t *testing.T) {
	if runtime.GOOS != "linux" || isRace() {
		t.Skip("SKIPPED: the memory of a process is measured on Linux, without the race detector")
	}
	cmd, stdout, stderr := newProcess(t, "log", "--json", "--robots", newFile(t, "User-agent: *\n"+numbered("Disallow: /r#/\n", 20_000)), "-")
	cmd.Env = append(os.Environ(), "ROBOTSTXT_BE_THE_COMMAND=and print /proc/self/status")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const lines = 100_000
	w := bufio.NewWriter(stdin)
	for i := range lines {
		day := time.Unix(int64(i)*40_000, 0).UTC().Format("02/Jan/2006:15:04:05 -0700")
		fmt.Fprintf(w, "192.0.2.1 - - [%s] \"GET /r%d/%0*d HTTP/1.1\" 200 1 \"-\" \"bot%d-%s/%0*d\"\n", day, i%20_000, i%1000, i, i%12_000, strings.Repeat("x", 50), i%900, i)
		if i%10_000 == 0 {
			w.WriteString(strings.Repeat("x", 1<<20) + "\n")
		}
	}
	w.Flush()
	stdin.Close()
	err = cmd.Wait()
	if err != nil || !strings.HasPrefix(stdout.String(), fmt.Sprintf(`{"lines":%d,"unread":10,`, lines+10)) {
		t.Errorf("%v, %.100s", err, stdout)
	}
	var peak int // in KB
	if _, text, found := strings.Cut(stderr.String(), "VmHWM:"); found {
		fmt.Sscan(text, &peak)
	}
	if peak == 0 || peak > 64_000 {
		t.Errorf("the command used %d KB of memory, want at most 64,000", peak)
	}
}

// isRace reports whether the race detector is in this program.
func isRace() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
