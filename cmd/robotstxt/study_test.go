package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStudy runs the jq commands of docs/scan.md on a small archive: three files that count,
// and one capture of each kind that does not.
func TestStudy(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("SKIPPED: this test needs jq")
	}
	document, err := os.ReadFile("../../docs/scan.md")
	if err != nil {
		t.Fatal(err)
	}
	const day, closed = "2026-03-01", "User-agent: *\nDisallow: /\n"
	archive := strings.Join([]string{
		captureAt("a.example", day, 200, "", "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"),
		captureAt("b.example", day, 200, "", "User-agent: gptbot\nDisallow: /x\n\nUser-agent: *\nContent-Signal: ai-train=no, search=yes\nDisallow: /\n"),
		captureAt("c.example", day, 200, "", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n"),
		captureAt("d.example", day, 503, "", closed),
		captureAt("e.example", day, 404, "", closed),
		captureAt("f.example", day, 301, "Location: https://www.f.example/robots.txt\r\n", closed),
		captureAt("g.example", day, 200, "", "<html>\n"+closed[:1]),
		captureAt("h.example", day, 200, "Content-Length: 99\r\n", closed),
		captureAt("i.example", day, 200, "Content-Encoding: dcb\r\n", "\xff\x00"),
		captureAt("j.example", day, 304, "", ""),
	}, "")
	dir := folder(t, map[string]string{"small.warc.gz": archive})
	t.Chdir(dir)
	if _, stderr, status := runWith("", "scan", "--agent", "GPTBot", "--agent", "CCBot", "--out", "records/*.jsonl.gz", "small.warc.gz"); status != exitOK {
		t.Fatal(stderr)
	}
	var got []string
	for _, line := range regexp.MustCompile(`(?m)^    ((?:zcat|jq) .*)$`).FindAllStringSubmatch(string(document), -1) {
		shell := exec.Command("bash", "-c", line[1])
		shell.Env = append(os.Environ(), "LC_ALL=C")
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line[1], err, out)
		}
		got = append(got, strings.Join(strings.Fields(string(out)), " "))
	}
	want := []string{
		"", // the first command writes files.jsonl
		"1 CCBot * 1 CCBot named 1 GPTBot named",
		"2 gptbot 2 * 1 ccbot",
		"2 ai-train=no 1 search=yes",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text, err := os.ReadFile(filepath.Join(dir, "files.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%v, files:\n%s", err, text)
	}
}
