package scan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

func TestScan(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{
		"a.example.txt":        "User-agent: *\nDisallow: /\n",
		"b.example/robots.TXT": "User-agent: *\nAllow: /\nDisallow: /b1*\nAlow: *b\nAlow:/b\n",
		"c.txt":                "<html>\nb: c\n",
		"notes.md":             "User-agent: *\nDisallow: /\n",
		".rows.jsonl":          "{}", // of the command sites
	})
	stdout, stderr, status := runWith("", "scan", "--json", dir)
	var got survey.Summary
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != cli.ExitOK ||
		stderr != "robotstxt scan: 1 file left out: in folders, only .txt, .warc, .warc.gz and .warc.zst files are read\n" {
		t.Fatalf("%v; status %d, output %q, standard error %q", err, status, stdout, stderr)
	}
	want := survey.Questions{Agents: []string{"*"}}.NewSummary()
	want.Captures["file"], want.Captures["html"] = 2, 1
	want = survey.Summary{
		Made: want.Made, Inputs: got.Inputs, Captures: want.Captures, Bytes: 81, Groups: 2, Rules: 3, LeftOut: 1,
		Agents: []survey.AgentSummary{{
			Agent:    "*",
			Verdicts: survey.Verdicts{Allowed: 1, Disallowed: 1, None: 1, Some: 1},
			Star:     survey.Verdicts{Allowed: 1, Disallowed: 1, None: 1, Some: 1},
		}},
		Any: survey.AgentSummary{
			Verdicts: survey.Verdicts{Allowed: 1, Disallowed: 1, None: 1, Some: 1},
			Star:     survey.Verdicts{Allowed: 1, Disallowed: 1, None: 1, Some: 1},
		},
		Findings: map[string]survey.Times{"all-disallowed": {Files: 1, Times: 1}, "not-robots-txt": {Files: 1, Times: 1}, "misspelled-key": {Files: 1, Times: 2}},
		Keys:     map[string]survey.Times{"User-agent": {Files: 2, Times: 2}, "Allow": {Files: 1, Times: 1}, "Disallow": {Files: 2, Times: 2}, "alow": {Files: 1, Times: 2}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	text, _, _ := runWith("", "scan", "--agent", "FooBot", dir)
	for _, want := range []string{"files       2\n", "not counted 1 HTML\n", "FooBot       1   50.0%       0       0       1       1       0       0       1\n", "left out    1 neither .txt nor WARC\n", "        1         2  misspelled-key\n", "        2         2  Disallow\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
}

func TestScanErrors(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"notes.md": "", "a/b.txt": "Allow: /"})
	for _, c := range []struct {
		about, name, wantErr string
		wantOut              bool
	}{
		{"a file that is missing", dir + "/none", "robotstxt scan: open " + dir + "/none: no such file or directory\n", false},
		{"a folder without files", t.TempDir(), ": no .txt or WARC file in this folder\n", false},
		{"a file that is named", dir + "/notes.md", "", true},
		{"no operand", "--no-lint", "no folder or file given (try", false},
		{"a list that is missing", "--paths=" + dir + "/none", "robotstxt scan: open " + dir + "/none: no such file or directory\n", false},
		{"an agent without a product token", "--agent=? " + dir + "/a", "robotstxt scan: the agent \"?\" does not name a crawler and is read as \"*\"\n", true},
		{"a URL", "https://shop.example/", "robotstxt scan: ", false},
	} {
		stdout, stderr, status := runWith("", append([]string{"scan"}, strings.Fields(c.name)...)...)
		wantStatus := cli.ExitOK
		if !c.wantOut {
			wantStatus = cli.ExitError
		}
		if (stdout != "") != c.wantOut || !strings.Contains(stderr, c.wantErr) || strings.Count(stderr, "\n") > 1 || status != wantStatus {
			t.Errorf("%s: status %d, output %q, standard error %q", c.about, status, stdout, stderr)
		}
	}
	stdout, stderr, status := runWith("", "scan", dir+"/none", dir, dir+"/nothing")
	if !strings.HasPrefix(stdout, "files       1\n") || strings.Count(stderr, ": no such file or directory\n") != 2 || status != cli.ExitError {
		t.Errorf("one of three: status %d, output %q, standard error %q", status, stdout, stderr)
	}
}

// TestScanRecords tests that --records prints one line of JSON for each file, including those
// in archives.
func TestScanRecords(t *testing.T) {
	archive := warctest.Response("https://w.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte("User-agent: *\nDisallow: /x\n"))
	dir := clitest.Folder(t, map[string]string{"a.txt": "Allow: /", "b.warc": string(archive), "list": "a.txt"})
	list := filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte(filepath.Join(dir, "b.warc")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"scan", "--records", "--agent", "FooBot", "--agent", "BarBot", "--path", "/x", "--no-lint", "--paths", list, filepath.Join(dir, "a.txt")}
	stdout, stderr, status := runWith("", args...)
	var got []string
	for line := range strings.Lines(stdout) {
		var r survey.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(r.URL, " ", r.Agents[1].Agent, " ", r.Agents[1].Paths, " ", len(r.Findings)))
	}
	want := []string{filepath.Join(dir, "a.txt") + " BarBot [{/x true 0}] 0", "https://w.example/robots.txt BarBot [{/x false 2}] 0"}
	if diff := cmp.Diff(want, got); diff != "" || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, records (-want +got):\n%s", status, stderr, diff)
	}
	listed, _, _ := runWith(filepath.Join(dir, "b.warc")+"\n", "scan", "--records", "--paths", "-")
	if !strings.Contains(listed, "https://w.example/robots.txt") {
		t.Errorf("from a list on standard input: %q", listed)
	}
	stdin, _, _ := runWith(string(archive), "scan", "--records", "-")
	if !strings.Contains(stdin, "https://w.example/robots.txt") {
		t.Errorf("from standard input: %q", stdin)
	}
}

// TestScanTables tests that --jsonl reads lines of JSON, and that tables are refused without it. A value of --agent
// can have several names.
func TestScanTables(t *testing.T) {
	const lines = `{"url":"a.example","status":200,"body":"User-agent: GPTBot\nDisallow: /\n"}` + "\n" + `{"url":"b.example","status":404}` + "\n"
	dir := clitest.Folder(t, map[string]string{"a.csv": "domain,robots_txt\na.example,x\n", "a.jsonl": lines, "b": lines + "{}\n"})
	stdout, stderr, status := runWith(lines, "scan", "--jsonl", "--agent", "GPTBot, CCBot", "-", dir+"/a.jsonl")
	for _, want := range []string{"files       2\n", "no file     2 missing (404, 410)\n", "GPTBot             2  100.0%", "CCBot              0    0.0%", "any of these       2  100.0%"} {
		if !strings.Contains(stdout, want) || stderr != "" || status != cli.ExitOK {
			t.Errorf("status %d, standard error %q, the output lacks %q:\n%s", status, stderr, want, stdout)
		}
	}
	const refused = "this looks like a table, not like a robots.txt: read it with --jsonl"
	for _, c := range []struct {
		args, out, err string
		status         int
	}{
		{dir + "/a.csv", "", refused, cli.ExitError},
		{dir + "/a.jsonl", "", refused, cli.ExitError},
		{"-", "", refused, cli.ExitError},
		{"--jsonl " + dir, "", " is a folder, but --jsonl reads only files", cli.ExitError},
		{"--jsonl " + dir + "/b", "damaged     1 line without a url\n", "/b: line without a url at offset 109", cli.ExitDamaged},
		{"--jsonl --records --rules " + dir + "/a.jsonl", `"rule_list":[{"type":"disallow","path":"/","groups":1}],"more_rules":0,`, "", cli.ExitOK},
		{"--records " + clitest.Sample, `"rule_list":[],"more_rules":0,`, "", cli.ExitOK},
	} {
		stdout, stderr, status := runWith(lines, append([]string{"scan"}, strings.Fields(c.args)...)...)
		if !strings.Contains(stdout, c.out) || c.out == "" && stdout != "" || !strings.Contains(stderr, c.err) || c.err == "" && stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output:\n%s", c.args, status, stderr, stdout)
		}
	}
	header := "Mozilla/5.0 (KHTML, like Gecko; compatible; GPTBot/1.3)"
	if stdout, _, _ := runWith(lines, "scan", "--jsonl", "--agent", header, "-"); strings.Count(stdout, "100.0%") != 1 {
		t.Errorf("a User-Agent header with a comma:\n%s", stdout)
	}
}

// TestScanOut tests that --out writes outputs to a folder, and does not write them again.
func TestScanOut(t *testing.T) {
	dir, out := clitest.Folder(t, map[string]string{"a.txt": "Allow: /"}), t.TempDir()
	for _, want := range []string{"outputs written: 1; already there: 0\n", "outputs written: 0; already there: 1\n"} {
		stdout, stderr, status := runWith("", "scan", "--out", out, dir)
		if !strings.HasPrefix(stdout, "files       1\n") || !strings.HasSuffix(stderr, want) || status != cli.ExitOK {
			t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(out, dir) + ".jsonl.gz"); err != nil || !strings.HasPrefix(string(text), "\x1f\x8b") {
		t.Errorf("%v, %q", err, text)
	}
}

// TestScanStudy tests the output, the messages and the exit status for archives of several
// formats, and for archives that are damaged, cut off or empty.
func TestScanStudy(t *testing.T) {
	const archives = "internal/survey/testdata/archives/"
	gz := func(host, header, body string) string {
		return string(warctest.Gzip(warctest.Response("https://"+host+"/robots.txt", time.Unix(1e9, 0), 200, header, []byte(body))))
	}
	whole := gz("a.example", "", "User-agent: *\nDisallow: /\n") + gz("b.example", "", "User-agent: *\nAllow: /\n")
	dir := clitest.Folder(t, map[string]string{
		"cut.warc.gz": whole[:len(whole)-9], "empty.warc.gz": "", "x.xz": "\xfd7zXZ\x00...", "nothing.arc": "filedesc://x",
		"unknown.warc.gz": gz("a.example", "Content-Encoding: dcb\r\n", "\xff\x00"),
	})
	for _, c := range []struct {
		args, out, err string
		status         int
	}{
		{"--agent GPTBot " + archives + "zstd.warc.zst", "GPTBot       6  100.0%       6       0       0       0       0", "", cli.ExitOK},
		{"--agent GPTBot " + archives + "wget.warc.gz", "GPTBot       7  100.0%       7       0       0       0       0", "", cli.ExitOK},
		{dir + "/cut.warc.gz", "damaged     1 cut record", "cut.warc.gz: cut record at offset", cli.ExitDamaged},
		{dir + "/empty.warc.gz", "damaged     1 empty archive", "empty.warc.gz: empty archive at offset 0", cli.ExitDamaged},
		{dir + "/unknown.warc.gz", "not counted 1 undecoded", "", cli.ExitOK},
		{dir + "/x.xz", "", "x.xz: this is an xz file, but only text and WARC files can be read", cli.ExitError},
		{"--json " + dir + "/x.xz", `"file":0`, "x.xz: this is an xz file", cli.ExitError},
		{dir + "/nothing.arc", "", "nothing.arc: this is an ARC file, but", cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"scan"}, strings.Fields(c.args)...)...)
		if !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.err) || c.err == "" && stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output:\n%s", c.args, status, stderr, stdout)
		}
	}
}

// TestScanMerge tests that --merge adds up files, folders and the files of a list, and that the sum
// is the summary of all inputs.
func TestScanMerge(t *testing.T) {
	in, out := clitest.Folder(t, map[string]string{"a/a.txt": "User-agent: *\nDisallow: /\n", "b/b.txt": "User-agent: *\nAllow: /\n", "b/c.txt": "<html>"}), t.TempDir()
	t.Chdir(filepath.Join(in, "a"))
	total, _, _ := runWith("", "scan", "--json", "--out", out, "../") // the outputs are below out, at the absolute path of the input
	a, b := out+in+"/a.summary.json", out+in+"/b.summary.json"
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{a, b}}, {"", []string{out}}, {"", []string{a, out + in + "/b.summary.json"}},
		{a + "\n" + b + "\n", []string{"--paths", "-"}}, {out + "\n", []string{"--paths", "-"}},
	} {
		merged, stderr, status := runWith(c.stdin, append([]string{"scan", "--json", "--merge"}, c.args...)...)
		if merged != total || stderr != "" || status != cli.ExitOK {
			t.Errorf("%q: status %d, standard error %q, sum:\n%swant:\n%s", c.args, status, stderr, merged, total)
		}
	}
}

// TestScanMergeRefuses tests that --merge refuses summaries that must not be added up.
func TestScanMergeRefuses(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"in/a.txt": "Allow: /", "empty.json": "{}", "noise.json": "x", "nothing/x.json": "{}"})
	scan := func(name string, flags ...string) string {
		t.Helper()
		text, stderr, status := runWith("", append(append([]string{"scan", "--json"}, flags...), filepath.Join(dir, "in"))...)
		if status != cli.ExitOK {
			t.Fatal(stderr)
		}
		name = filepath.Join(dir, name+".json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain, noLint, fooBot := scan("plain"), scan("noLint", "--no-lint"), scan("fooBot", "--agent", "FooBot")
	pairs := func(x, y string) string { return x + " and " + y + " cannot be added up: they differ in " }
	if _, stderr, status := runWith("", "scan", "--merge", plain, plain); status != cli.ExitError || stderr != "robotstxt scan: "+plain+" and "+plain+" are summaries of the same input\n" {
		t.Errorf("the same summary twice: status %d, standard error %q", status, stderr)
	}
	// The other pairs are of different inputs.
	if err := os.WriteFile(filepath.Join(dir, "in", "b.txt"), []byte("Allow: /"), 0o666); err != nil {
		t.Fatal(err)
	}
	first := scan("first")
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{first, noLint}, pairs(first, noLint) + "--no-lint"},
		{[]string{first, fooBot}, pairs(first, fooBot) + "--agent"},
		{[]string{first, dir + "/empty.json"}, dir + "/empty.json is not a summary: its \"made\" has no \"format\""},
		{[]string{dir + "/noise.json"}, dir + "/noise.json is not a summary: invalid character 'x' looking for beginning of value"},
		{[]string{dir + "/nothing"}, dir + "/nothing: no file in this folder ends in .summary.json"},
		{[]string{dir + "/none"}, "stat " + dir + "/none: no such file or directory"},
		{[]string{"--paths", "/dev/null"}, "no summaries to add up"},
	} {
		stdout, stderr, status := runWith("", append([]string{"scan", "--merge"}, c.names...)...)
		if stdout != "" || stderr != "robotstxt scan: "+c.want+"\n" || status != cli.ExitError {
			t.Errorf("%q: status %d, output %q, standard error %q, want %q", c.names, status, stdout, stderr, c.want)
		}
	}
}
