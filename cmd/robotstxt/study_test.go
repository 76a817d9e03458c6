//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStudy runs the loop of docs/scan.md twice, and then its jq commands. The archive has
// three files that count, and one capture of each kind that does not.
func TestStudy(t *testing.T) {
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("SKIPPED: this test needs " + program)
		}
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
	dir := folder(t, map[string]string{"site/crawl/small.warc.gz": archive, "sample": "crawl/small.warc.gz\n"})
	t.Chdir(dir)
	loop := strings.Replace(regexp.MustCompile(`(?ms)^    mkdir -p records\n.*?^    done < sample\n`).FindString(string(document)), "https://data.commoncrawl.org/", "file://"+dir+"/site/", 1)
	for run := range 2 { // the second run has nothing to do
		shell := exec.Command("bash", "-c", `robotstxt() { ROBOTSTXT_BE_THE_COMMAND=yes "$COMMAND" "$@"; }; curl() { echo "$@" >>downloads; command curl "$@"; }`+"\n"+loop)
		shell.Env = append(os.Environ(), "COMMAND="+os.Args[0])
		out, err := shell.CombinedOutput()
		downloads, _ := os.ReadFile("downloads")
		if err != nil || strings.Count(string(downloads), "\n") != 1 {
			t.Fatalf("run %d of the loop: %v\n%s\ndownloads:\n%s", run, err, out, downloads)
		}
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
