package clitest

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Write writes a file. It creates the folder if there is none.
func Write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A BrokenWriter is a Writer that always fails, like a full disk.
type BrokenWriter struct{}

func (BrokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// NewFile writes a text to a new file and returns its name.
func NewFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "robots.txt")
	Write(t, name, text)
	return name
}

// Folder makes a folder of files.
func Folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// Logs is the folder of logs that servers wrote.
const Logs = "internal/command/log/internal/accesslog/testdata/"

// LogLine returns a line in the Combined Log Format.
func LogLine(address, day, path, agent string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s - - [%s] \"GET %s HTTP/1.1\" 200 1 \"-\" \"%s\"\n", address, t.Format("02/Jan/2006:15:04:05 -0700"), path, agent)
}

// DamagedLog returns the name of a compressed log that breaks off.
func DamagedLog(t *testing.T) string {
	var log strings.Builder
	for i := range 3000 {
		log.WriteString(LogLine("192.0.2.1", "2026-11-01", fmt.Sprintf("/archive/%x", i*i*7919), "FooBot"))
	}
	packed := Gzip(log.String())
	name := filepath.Join(t.TempDir(), "access.log.gz")
	Write(t, name, packed[:len(packed)/2])
	return name
}

// Gzip returns a text compressed with gzip.
func Gzip(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// Files in the folder testdata of the program.
const (
	Sample      = "testdata/robots.txt"
	Preferences = "testdata/ai.txt"       // with statements about AI
	Mistakes    = "testdata/mistakes.txt" // with a finding on most lines
	Tagged      = "testdata/tags.html"    // a page with robots meta tags
)

// Two versions of a file. The new one changes verdicts.
const (
	OldRobots = "User-agent: *\nDisallow: /private/\n"
	NewRobots = "User-agent: *\n\nDisallow: /*?\n"
)
