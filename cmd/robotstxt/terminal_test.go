//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/rivo/uniseg"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/internal/golden"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// onTerminal returns what a command shows on a terminal that does not know its width.
func onTerminal(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	return onTerminalOf(t, 0, stdin, args...)
}

// onTerminalOf returns what a command shows on a terminal of the given width, in columns.
func onTerminalOf(t *testing.T, width int, stdin string, args ...string) string {
	t.Helper()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no terminal to test with: ", err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	go func() {
		run(args, strings.NewReader(stdin), terminal, io.Discard)
		fmt.Fprint(terminal, "\nthe end\n")
	}()
	var shown strings.Builder
	buf := make([]byte, 1<<10)
	for !strings.Contains(shown.String(), "\nthe end") {
		n, err := master.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		shown.WriteString(strings.ReplaceAll(string(buf[:n]), "\r", ""))
	}
	terminal.Close()
	shownText, _, _ := strings.Cut(shown.String(), "\nthe end")
	return shownText
}

// TestNoControlCharacters tests that text from a file cannot send control characters to a
// terminal.
func TestNoControlCharacters(t *testing.T) {
	const file = "# \x1b[2J\x07\nuser-agent: *\nDisallow: /\x1b]0;title\x07\xff\u202e\nFoo\x1b: a\nContent-Signal: \x1b=no\n<\x1b\n"
	for _, args := range []string{"show -", "ai -", "lint -", "check --robots - /\x1b"} {
		shown := onTerminal(t, file, strings.Fields(args)...)
		plain := strings.NewReplacer("\x1b[31m", "", "\x1b[33m", "", "\x1b[36m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(shown)
		if shown == "" || strings.ContainsAny(plain, "\x1b\x07\u202e") || !utf8.ValidString(plain) {
			t.Errorf("%s: %q", args, shown)
		}
	}
}

// TestNoControlCharactersInJSON tests that JSON escapes the characters that encoding/json leaves as they
// are. Terminals that obey C1 controls take U+009B for an escape (ECMA-48).
func TestNoControlCharactersInJSON(t *testing.T) {
	const controls = "\u007f\u0080\u009b\u009f\u061c\u200e\u202e\u2066"
	const text = "a" + controls + "b" // parsers cut off controls at the end of a line
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /"+text+"\nFoo: "+text+"\nContent-Signal: "+text+"=no\n")
	page := clitest.NewFile(t, "<meta name=robots content="+text+">")
	log := clitest.NewFile(t, clitest.LogLine("192.0.2.1", "2026-11-01", "/"+text, "FooBot"))
	expectations := clitest.NewFile(t, "allow * /"+text+"\n")
	for _, args := range []string{
		"show --json " + robots, "ai --json " + robots, "check --json --robots " + robots + " /" + text, "lint --json " + robots,
		"lint --format sarif " + robots, "diff --json " + robots + " " + clitest.Sample, "log --json --robots " + robots + " " + log,
		"test --json --robots " + robots + " " + expectations, "tags --json " + page, "scan --json " + robots, "scan --records " + robots,
	} {
		stdout, stderr, _ := runWith("", strings.Fields(args)...)
		if stdout == "" || strings.ContainsAny(stdout, controls) {
			t.Errorf("%s: standard error %q, output %q", args, stderr, stdout)
		}
		for value := json.NewDecoder(strings.NewReader(stdout)); ; {
			if err := value.Decode(new(any)); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
		}
	}
}

// TestLintOnTerminal wants colours, and lines that fit.
func TestLintOnTerminal(t *testing.T) {
	shown := onTerminal(t, "", "lint", clitest.Mistakes)
	if !strings.Contains(shown, clitest.Mistakes+":6:11: \x1b[33mwarning:\x1b[0m ") {
		t.Errorf("no colours in %q", shown)
	}
	for line := range strings.Lines(shown) {
		if uniseg.StringWidth(line) > cli.DefaultColumns+len("\x1b[31m\x1b[0m") {
			t.Errorf("%d columns: %q", uniseg.StringWidth(line), line)
		}
	}
}

// TestWidth tests that text is wrapped at the width of the terminal.
func TestWidth(t *testing.T) {
	widest := map[int]int{}
	for _, args := range []string{"lint " + clitest.Mistakes, "ai " + clitest.Preferences, "check --sitemap --agent @all --robots " + clitest.Sample + " ../../examples/shop/sitemap.xml", "tags --robots " + clitest.Sample + " --url /basket " + clitest.Tagged, "diff " + clitest.Preferences + " " + clitest.Sample, "test --robots " + clitest.Sample + " testdata/expectations.txt", "log --robots " + clitest.Sample + " " + clitest.Logs + "nginx.log"} {
		for _, width := range []int{10, 70, 120} {
			for line := range strings.Lines(onTerminalOf(t, width, "", strings.Fields(args)...)) {
				plain := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(strings.TrimSuffix(line, "\n"), "")
				if got := uniseg.StringWidth(plain); got > max(width, cli.MinColumns) {
					t.Errorf("robotstxt %s on %d columns has a line of %d: %s", args, width, got, plain)
				} else {
					widest[width] = max(widest[width], got)
				}
			}
		}
	}
	if widest[120] < 100 {
		t.Errorf("the widest line on a terminal of 120 columns has only %d columns", widest[120])
	}
}

// TestShown pins what the commands show on a terminal, with "^[" for an escape.
func TestShown(t *testing.T) {
	var got strings.Builder
	for _, args := range []string{"lint " + clitest.Mistakes, "check --robots " + clitest.Sample + " --agent FooBot /archive/ /"} {
		shown := onTerminal(t, "", strings.Fields(args)...)
		fmt.Fprintf(&got, "# robotstxt %s\n%s\n", args, strings.NewReplacer("\x1b", "^[", "\r", "").Replace(shown))
	}
	golden.Check(t, "shown.golden", got.String())
}

// scanOnTerminal starts a scan that shows its progress on a terminal, and closes the terminal
// after the scan.
func scanOnTerminal(t *testing.T, stdin io.Reader, args ...string) *screen {
	t.Helper()
	return progressOf(t, stdin, append([]string{"scan", "--no-lint"}, args...)...)
}

// progressOf starts a command that shows its progress on a terminal, and closes the terminal
// after it.
func progressOf(t *testing.T, stdin io.Reader, args ...string) *screen {
	t.Helper()
	t.Setenv("TERM", "xterm")
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip("SKIPPED: no terminal to test with: ", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: cli.DefaultColumns}); err != nil {
		t.Fatal(err)
	}
	go func() {
		run(args, stdin, io.Discard, terminal)
		terminal.Close()
	}()
	return &screen{master: master}
}

// A screen collects what a terminal has shown.
type screen struct {
	master io.Reader
	text   string
}

// waitFor reads until the terminal has shown a text, or to the end.
func (s *screen) waitFor(text string) {
	buf := make([]byte, 1<<10)
	for !strings.Contains(s.text, text) {
		n, err := s.master.Read(buf)
		s.text += string(buf[:n])
		if err != nil {
			return // the other end was closed
		}
	}
}

// rows returns everything that was ever shown, row by row.
func (s *screen) rows() []string {
	return strings.FieldsFunc(s.text, func(c rune) bool { return c == '\r' || c == '\n' })
}

// TestScanProgress tests that a scan shows its progress while it waits for input, and clears
// it at the end.
func TestScanProgress(t *testing.T) {
	stdin, more := io.Pipe()
	shown := scanOnTerminal(t, stdin, "-")
	record := warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", nil)
	for i := range 2 {
		for range 200 {
			if _, err := more.Write(record); err != nil {
				t.Fatal(err)
			}
		}
		shown.waitFor(fmt.Sprintf("%d kB", (i+1)*200*len(record)/1000))
	}
	more.Close()
	shown.waitFor("the end")
	rows := shown.rows()
	if last := rows[len(rows)-1]; !regexp.MustCompile(`^400 files in \d+\.\d\d s, \d+ per second$`).MatchString(last) {
		t.Errorf("the last line is %q of %q", last, shown.text)
	}
}

// TestScanProgressOfFiles tests that a scan shows how much of a file it has read, and prints each warning on a
// separate line.
func TestScanProgressOfFiles(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"a.txt": strings.Repeat("#", 4<<20)}) // only the first MiB counts
	pipe := newPipe(t)
	shown := scanOnTerminal(t, nil, dir, pipe, dir+"/none")
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the scan reads the pipe
	if err != nil {
		t.Fatal(err)
	}
	shown.waitFor(" kB")
	w.Close()
	shown.waitFor("the end")
	if warning := "robotstxt scan: open " + dir + "/none: no such file or directory"; !slices.Contains(shown.rows(), warning) {
		t.Errorf("no row is %q in %q", warning, shown.text)
	}
}

// TestCheckProgress tests that check --pages counts the pages that it has fetched.
func TestCheckProgress(t *testing.T) {
	site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow:\n"))
	list := clitest.NewFile(t, site.URL+"/x\n"+site.URL+"/y\n")
	shown := progressOf(t, nil, "check", "--sitemap", "--pages", "--robots", site.URL, list)
	shown.waitFor("the end")
	if !strings.Contains(shown.text, "(1/2)") {
		t.Errorf("shown: %q", shown.text)
	}
}

// TestSitesProgress tests that the command sites counts the sites that it has read.
func TestSitesProgress(t *testing.T) {
	release := make(chan struct{})
	slow := clitest.NewSite(t, func(http.ResponseWriter, *http.Request) { <-release })
	fast := clitest.NewSite(t, clitest.Writes(""))
	shown := progressOf(t, nil, "sites", "--timeout", "10m", slow.URL, fast.URL)
	shown.waitFor("(1/2)")
	close(release)
	shown.waitFor("the end")
	if !strings.Contains(shown.text, "(1/2)") {
		t.Errorf("shown: %q", shown.text)
	}
}
