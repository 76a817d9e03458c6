package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// captureAt returns a compressed response record of a robots.txt.
func captureAt(host, day string, status int, header, body string) string {
	fetched, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return string(warctest.Gzip(warctest.Response("https://"+host+"/robots.txt", fetched, status, header, []byte(body))))
}

// damagedArchive returns a WARC file that breaks off after a capture of a.example.
func damagedArchive(t *testing.T) string {
	t.Helper()
	text := captureAt("a.example", "2026-01-01", 200, "", "User-agent: *\nAllow: /\n")
	dir := folder(t, map[string]string{"cut.warc.gz": text + text[:len(text)-9]})
	return filepath.Join(dir, "cut.warc.gz")
}

// TestCheckArchive checks URLs against an archive with every kind of capture.
func TestCheckArchive(t *testing.T) {
	blocked, open := "User-agent: GPTBot\nDisallow: /x\n", "User-agent: *\nDisallow:\n"
	captures := []string{
		captureAt("a.example", "2026-01-01", 200, "", open),
		captureAt("a.example", "2026-03-01", 200, "", blocked),
		captureAt("a.example", "2026-02-01", 200, "", open),
		captureAt("b.example", "2026-01-01", 404, "", ""),
		captureAt("c.example", "2026-01-01", 503, "", ""),
		captureAt("d.example", "2026-01-01", 301, "Location: https://www.d.example/robots.txt\r\n", ""),
		captureAt("www.d.example", "2026-01-01", 200, "", blocked),
		captureAt("e.example", "2026-01-01", 302, "Location: /en/robots\r\n", ""),
		captureAt("f.example", "2026-01-01", 200, "Content-Encoding: dcb\r\n", "\xff\x00"),
		captureAt("g.example", "2026-01-01", 200, "Content-Length: 999\r\n", blocked),
		captureAt("h.example", "2026-01-01", 200, "", blocked),
		captureAt("h.example", "2026-02-01", 304, "", ""),
		captureAt("i.example", "2026-01-01", 301, "Location: https://i.example/robots.txt\r\n", ""),
		string(warctest.Gzip(warctest.Response("https://j.example/robots.txt", time.Time{}, 200, "", []byte(blocked)))),
	}
	name := filepath.Join(folder(t, map[string]string{"a.warc.gz": strings.Join(captures, "")}), "a.warc.gz")
	offset := func(n int) int { return len(strings.Join(captures[:n], "")) }
	const none = -1
	for _, c := range []struct {
		url, at string
		want    string // allowed and reason
		line    int
		capture int // or none
		status  int
	}{
		{"https://a.example/x", "", "false rule matched", 2, 1, exitNo},
		{"https://a.example/y", "", "true no rule matched", 0, 1, exitOK},
		{"https://a.example/x", "2026-02-28", "true no rule matched", 0, 2, exitOK},
		{"https://a.example/x", "2026-03-01", "false rule matched", 2, 1, exitNo},
		{"https://a.example/x", "2026-02-28T23:59:59Z", "true no rule matched", 0, 2, exitOK},
		{"https://a.example/x", "2025-12-31", "null no capture", 0, none, exitError},
		{"https://b.example/x", "", "true file unavailable", 0, 3, exitOK},
		{"https://c.example/x", "", "false file unreachable", 0, 4, exitNo},
		{"https://d.example/x", "", "false rule matched", 2, 6, exitNo},
		{"https://e.example/x", "", "null redirect", 0, 7, exitError},
		{"https://f.example/x", "", "null undecoded", 0, 8, exitError},
		{"https://g.example/x", "", "null truncated", 0, 9, exitError},
		{"https://h.example/x", "", "false rule matched", 2, 10, exitNo},
		{"https://i.example/x", "", "null redirect", 0, 12, exitError},
		{"https://j.example/x", "", "false rule matched", 2, 13, exitNo},
		{"http://a.example/x", "", "null no capture", 0, none, exitError},
	} {
		stdout, stderr, status := runWith(c.url+"\n", "check", "--archive", name, "--agent", "GPTBot", "--at="+c.at, "-")
		var got struct {
			URL     string
			Allowed *bool
			Reason  string
			Line    int
			Capture *struct {
				Archive string
				Offset  int
				Fetched *time.Time
			}
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || stderr != "" {
			t.Fatalf("%v, output %q, standard error %q", err, stdout, stderr)
		}
		verdict := "null " + got.Reason
		if got.Allowed != nil {
			verdict = fmt.Sprint(*got.Allowed, " ", got.Reason)
		}
		if got.URL != c.url || verdict != c.want || got.Line != c.line || status != c.status || (got.Capture == nil) != (c.capture == none) {
			t.Errorf("%s at %q: status %d, %s", c.url, c.at, status, stdout)
		}
		if isDated := !strings.Contains(c.url, "j.example"); got.Capture != nil && (got.Capture.Fetched != nil) != isDated {
			t.Errorf("%s: the capture was fetched at %v, want a date: %t", c.url, got.Capture.Fetched, isDated)
		}
		if got.Capture != nil && (got.Capture.Offset != offset(c.capture) || got.Capture.Archive != name) {
			t.Errorf("%s at %q: capture %+v, want one at %d", c.url, c.at, got.Capture, offset(c.capture))
		}
	}
}

// TestCheckArchiveErrors tests that errors and damage are reported, and that the other URLs
// are still answered.
func TestCheckArchiveErrors(t *testing.T) {
	text := filepath.Join(folder(t, map[string]string{"robots.txt": "User-agent: *\n"}), "robots.txt")
	cut := damagedArchive(t)
	for _, c := range []struct {
		args, stdin, err string
		lines, status    int
	}{
		{"--archive " + text + " https://a.example/", "", "robots.txt is not a WARC file", 0, exitError},
		{"--archive none.warc https://a.example/", "", "no such file", 0, exitError},
		{"--archive " + cut + " --at yesterday https://a.example/", "", `--at "yesterday": want a day`, 0, exitError},
		{"--archive " + cut + " --robots " + text + " /", "", "cannot be used together", 0, exitError},
		{"--archive " + cut + " -", "nonsense\n\nhttps://a.example/\n", "nonsense", 1, exitError},
		{"--archive " + cut + " https://a.example/", "", "cut record at offset", 1, exitDamaged},
		{"--archive " + cut + " --archive " + cut + " --agent A --agent B https://a.example/ https://a.example/x", "", "cut record at offset", 4, exitDamaged},
	} {
		stdout, stderr, status := runWith(c.stdin, slices.Concat([]string{"check"}, strings.Fields(c.args))...)
		if strings.Count(stdout, "\n") != c.lines || !strings.Contains(stderr, c.err) || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output %q", c.args, status, stderr, stdout)
		}
	}
}

// BenchmarkCheckArchive measures answers about URLs of many sites.
func BenchmarkCheckArchive(b *testing.B) {
	const sites = 1000
	var text, urls strings.Builder
	for i := range sites {
		host := fmt.Sprintf("www%d.example", i)
		text.WriteString(captureAt(host, "2026-01-01", 200, "", fmt.Sprintf("User-agent: GPTBot\nDisallow: /%d\n\nUser-agent: *\nDisallow: /private/\n", i)))
		for j := range 100 {
			fmt.Fprintf(&urls, "https://%s/articles/2026/%d.html\n", host, j)
		}
	}
	name := filepath.Join(b.TempDir(), "a.warc.gz")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, stderr, status := runWith(urls.String(), "check", "--archive", name, "--agent", "GPTBot", "-"); status != exitOK {
			b.Fatal(stderr)
		}
	}
	b.ReportMetric(float64(100*sites*b.N)/b.Elapsed().Seconds(), "URLs/s")
}
