package lint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/lint"
)

func TestLint(t *testing.T) {
	const want = `testdata/mistakes.txt:2:1: error: This line does not end a group, so the rules below also apply to the crawlers above. Below this line, write the rules for the crawlers above, or "Disallow:" if they may fetch everything. [joined-groups]
     2 | Crawl-delay: 10
       | ^
testdata/mistakes.txt:5:1: error: The key is misspelled: most crawlers ignore the line. Write "Disallow:". If the line is a comment, start it with "#". [misspelled-key]
     5 | Disalow: /private/
       | ^
testdata/mistakes.txt:6:11: warning: The path contains characters other than English letters and signs, such as "é" or "ж", which some crawlers never match. Write "/%E3%83%84%/", as Google recommends, or if the characters are wrong, save the file as UTF-8 and correct them. [non-ascii-in-path]
     6 | Disallow: /ツ%/
       |           ^
testdata/mistakes.txt:7:1: info: The line repeats a rule of the same group. Delete the line: line 5 says the same. [duplicate-rule]
     7 | Disallow: /private/
       | ^
2 errors, 1 warning, 1 info in 1 file; --fix corrects 2
`
	stdout, stderr, status := runWith("", "lint", clitest.Mistakes)
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", status, stderr, diff)
	}
}

func TestLintStatus(t *testing.T) {
	for _, c := range []struct {
		about, stdin, args string
		want               int
	}{
		{"nothing", "User-agent: *\nDisallow: /a\n", "-", cli.ExitOK},
		{"an info", "User-agent: *\nDisallow: /css/\n", "--strict -", cli.ExitOK},
		{"a warning", "User-agent: *\nDisallow: /\n", "-", cli.ExitOK},
		{"a warning that counts", "User-agent: *\nDisallow: /\n", "- --strict", cli.ExitNo},
		{"a warning that is ignored", "User-agent: *\nDisallow: /\n", "--strict --ignore all-disallowed,dead-key -", cli.ExitOK},
		{"an error", "Disallow: /a\n", "-", cli.ExitNo},
		{"an error that is ignored", "Disallow: /a\n", "--ignore rule-before-user-agent -", cli.ExitOK},
		{"an error in SARIF", "Disallow: /a\n", "--format sarif -", cli.ExitNo},
		{"an error in JSON", "Disallow: /a\n", "--json -", cli.ExitNo},
		{"a file that is missing", "Disallow: /a\n", "testdata/none -", cli.ExitError},
	} {
		if _, _, status := runWith(c.stdin, append([]string{"lint"}, strings.Fields(c.args)...)...); status != c.want {
			t.Errorf("%s: status %d, want %d", c.about, status, c.want)
		}
	}
}

// TestLintOthers tests that lint shows findings with the same text once, with the lines of all of them.
func TestLintOthers(t *testing.T) {
	const file = "User-agent: *\nDisallow /abc\n"
	for _, c := range []struct{ about, stdin, flag, want string }{
		{"none", file, "", "\n       |         ^\n1 warning in 1 file; --fix corrects 1\n"},
		{"one", file + "# b\nDisallow /bcd\n", "", "\n       |         ^\n         and 1 more line: 4\n2 warnings in 1 file; --fix corrects 2\n"},
		{"many", file + strings.Repeat("Disallow /abc\n", 12), "", "\n         and 12 more lines: 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …\n13 warnings in 1 file; --fix corrects 13\n"},
		{"nothing found", "User-agent: *\nDisallow: /abc\n", "", "no findings in 1 file\n"},
		{"nothing left", file, "--ignore=missing-colon", "no findings in 1 file\n"},
	} {
		stdout, stderr, _ := runWith(c.stdin, strings.Fields("lint - "+c.flag)...)
		if !strings.HasSuffix(stdout, c.want) || stderr != "" {
			t.Errorf("%s: standard error %q, output %q, want %q at its end", c.about, stderr, stdout, c.want)
		}
		if n := strings.Count(stdout, "[missing-colon]"); n > 1 {
			t.Errorf("%s: %d findings with the code missing-colon are shown in full, want at most one", c.about, n)
		}
	}
}

// TestLintExcerpt tests that the caret is below the column of the finding, and that no row is
// wider than 80 columns.
func TestLintExcerpt(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"wide characters", "Disallow: ツツX", "     1 | Disallow: ツツX\n       |           ^\n"},
		{"a tab and an escape", "a\t\x1b345678Xb", "     1 | a \\x1b345678Xb\n       |              ^\n"},
	} {
		var b strings.Builder
		printExcerpt(&b, c.text, lint.Finding{Line: 1, Column: 11})
		if got := b.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
	if got := cli.FirstColumns("abcdef", 4) + " " + cli.LastColumns("abcdef", 4) + " " + cli.LastColumns("ツツツ", 6); got != "abc… …def …ツツ" {
		t.Error(got)
	}
	for column := range 200 {
		var b strings.Builder
		printExcerpt(&b, strings.Repeat("a", column)+"X"+strings.Repeat("b", 200-column), lint.Finding{Line: 1, Column: column + 1})
		rows := strings.Split(b.String(), "\n")
		text, caret := []rune(rows[0]), []rune(rows[1])
		if len(text) > cli.DefaultColumns || len(caret) > len(text) || text[len(caret)-1] != 'X' {
			t.Fatalf("column %d:\n%s", column, b.String())
		}
	}
}

// TestLintGoesOn tests that lint prints the findings of the files that it can read, and one
// error for each of the others.
func TestLintGoesOn(t *testing.T) {
	stdout, stderr, _ := runWith("Disallow: /a\n", "lint", "testdata/none", "-", "https://[shop.example/robots.txt")
	const wantErr = "robotstxt lint: open testdata/none: no such file or directory\n" +
		"robotstxt lint: URL \"https://[shop.example/robots.txt\": bad address\n"
	if !strings.HasPrefix(stdout, "<standard input>:1:1: error: ") || stderr != wantErr {
		t.Errorf("output %q, standard error %q, want %q", stdout, stderr, wantErr)
	}
}

// TestLintFolds tests that a finding in full stands for those with the same advice, and for no other.
func TestLintFolds(t *testing.T) {
	stdout, _, _ := runWith("User-agent: *\nDisalow: /a\nAlow: /b\nDisalow: /c\nSitmap: https://shop.example/s.xml\n", "lint", "-")
	advice := regexp.MustCompile(`:([0-9]+):1: .* Write "([A-Za-z]+):"`)
	got := advice.ReplaceAllString(stdout, "\n$1 $2\n")
	for _, want := range []string{"\n2 Disallow\n", "and 1 more line: 4\n", "\n3 Allow\n", "\n5 Sitemap\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("output %q, want %q in it", got, want)
		}
	}
}

// TestLintAlone tests that without an argument, lint reads the file in the current folder.
func TestLintAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, stderr, status := runWith("", "lint"); !strings.Contains(stderr, "robots.txt: no such file") || status != cli.ExitError {
		t.Errorf("no file: status %d, standard error %q", status, stderr)
	}
	clitest.Write(t, "robots.txt", "Disallow: /a\n")
	if stdout, _, status := runWith("", "lint"); !strings.HasPrefix(stdout, "robots.txt:1:1: error: ") || status != cli.ExitNo {
		t.Errorf("status %d, output %q", status, stdout)
	}
}

func TestLintJSON(t *testing.T) {
	stdout, _, _ := runWith("Disallow: /a\n", "lint", "--json", "-")
	want := `{"file":"<standard input>","line":1,"column":1,"severity":"error","code":"rule-before-user-agent",` +
		`"text":"Crawlers ignore the rule, because no user-agent line is above it.",` +
		`"advice":"Move the rule below \"User-agent: *\", or write that line above it."}` + "\n"
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// TestLintJSONAll tests that JSON contains all findings of one code, each with its edit.
func TestLintJSONAll(t *testing.T) {
	stdout, _, _ := runWith("User-agent: *\nDisallow /abc\nDisallow /bcd\nDisallow: /efg\nDisallow: /efg\n", "lint", "--json", "-")
	for _, want := range []string{
		`"line":2,"column":9,"severity":"warning","code":"missing-colon",`, `,"fix":{"text":"Disallow: /abc"}}` + "\n",
		`"line":3,"column":9,"severity":"warning","code":"missing-colon",`, `,"fix":{"text":"Disallow: /bcd"}}` + "\n",
		`"line":5,"column":1,"severity":"info","code":"duplicate-rule",`, `,"advice":"Delete the line: line 4 says the same.","fix":{"delete":true,"text":""}}` + "\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("output %q, want %q in it", stdout, want)
		}
	}
}

// TestLintFix tests that --fix corrects a file, keeps its line endings, and shows the findings
// that remain.
func TestLintFix(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("User agent: *\r\nDisallow: /abc\r\nDisallow: /abc\r\nNoindex: /b\r\n")
	stdout, stderr, status := runWith("", "lint", "--fix", name)
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := "User-agent: *\r\nDisallow: /abc\r\nNoindex: /b\r\n"; string(got) != want {
		t.Errorf("file %q, want %q", got, want)
	}
	if strings.Count(stdout, name) != 1 || !strings.HasSuffix(stdout, "\n1 warning in 1 file; --fix changed 1 file\n") || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
	before, _ := os.Stat(name)
	if stdout, _, _ := runWith("", "lint", "--fix", name); strings.Contains(stdout, "changed") {
		t.Errorf("a file that needs no correction: output %q", stdout)
	}
	if after, err := os.Stat(name); err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that needs no correction was written again: %v", err)
	}
	write("User agent: *\nDisallow: /abc\n")
	if stdout, _, _ := runWith("", "lint", "--fix", name); stdout != "no findings in 1 file; --fix changed 1 file\n" {
		t.Errorf("a file that is good then: output %q", stdout)
	}
	write("User agent: *\n" + strings.Repeat("# robots\n", 60000))
	if _, stderr, status = runWith("", "lint", "--fix", name); status != cli.ExitError || !strings.Contains(stderr, lint.ErrTooLarge.Error()) {
		t.Errorf("a large file: status %d, standard error %q", status, stderr)
	}
}

// TestLintURL tests that the output contains the URL without its user name and password.
func TestLintURL(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes("Disallow: /\n"))
	address := strings.Replace(s.URL, "://", "://secret:secret@", 1)
	for _, format := range []string{"--strict", "--json", "--format=sarif"} {
		stdout, stderr, status := runWith("", "lint", format, address)
		if !strings.Contains(stdout, "://xxxxx@") || strings.Contains(stdout, "secret") || stderr != "" || status != cli.ExitNo {
			t.Errorf("%s: status %d, standard error %q, output %q", format, status, stderr, stdout)
		}
	}
}

// TestLintOtherPath tests that lint says that crawlers do not read the file.
func TestLintOtherPath(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	want := "robotstxt lint: crawlers read only " + s.URL + "/robots.txt, so " + s.URL + "/folder/robots.txt has no effect\n"
	if _, stderr, status := runWith("", "lint", s.URL+"/folder/robots.txt"); stderr != want || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, want %q", status, stderr, want)
	}
}

// TestLintEmptyInput tests that lint does not call an empty input good: in "curl ... | robotstxt lint -",
// it is what remains if curl fails. An empty file is a good robots.txt.
func TestLintEmptyInput(t *testing.T) {
	const wantErr = "robotstxt lint: standard input is empty: did the command that should write to it fail?\n"
	if stdout, stderr, status := runWith("", "lint", "-"); stdout != "" || stderr != wantErr || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q, want status %d, %q", status, stdout, stderr, cli.ExitError, wantErr)
	}
	empty := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, status := runWith("", "lint", empty); stderr != "" || status != cli.ExitOK {
		t.Errorf("an empty file: status %d, output %q, standard error %q", status, stdout, stderr)
	}
}

// A sarifLog has the parts of a log that the tests read.
type (
	sarifLog struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID, HelpURI string }
				}
			}
			Results []struct {
				RuleID    string
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					Physical struct {
						Artifact struct{ URI string } `json:"artifactLocation"`
						Region   sarifRegion
					} `json:"physicalLocation"`
				}
				Fixes []struct {
					Changes []struct {
						Replacements []struct {
							Deleted  sarifRegion           `json:"deletedRegion"`
							Inserted struct{ Text string } `json:"insertedContent"`
						}
					} `json:"artifactChanges"`
				}
			}
		}
	}
	sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }
)

// TestLintSARIF tests the properties that SARIF 2.1.0 requires, and that columns count
// characters.
func TestLintSARIF(t *testing.T) {
	stdout, stderr, _ := runWith("", "lint", "--format", "sarif", clitest.Mistakes)
	var log sarifLog
	if err := json.Unmarshal([]byte(stdout), &log); err != nil || stderr != "" {
		t.Fatalf("%v; standard error %q", err, stderr)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" {
		t.Fatalf("log %+v", log)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	if len(rules) != len(lint.Codes()) {
		t.Errorf("%d rules for %d codes", len(rules), len(lint.Codes()))
	}
	docs, err := os.ReadFile("../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if anchor, ok := strings.CutPrefix(r.HelpURI, helpPage+"#"); !ok || !strings.Contains(string(docs), "\n### "+anchor+"\n") {
			t.Errorf("%s: docs/lint.md has no heading for %s", r.ID, r.HelpURI)
		}
	}
	type place struct {
		level, rule, uri string
		line, column     int
	}
	var got []place
	for _, r := range log.Runs[0].Results {
		p := r.Locations[0].Physical
		got = append(got, place{r.Level, r.RuleID, p.Artifact.URI, p.Region.StartLine, p.Region.StartColumn})
		if r.Message.Text == "" {
			t.Errorf("result %+v", r)
		}
	}
	want := []place{
		{"error", "joined-groups", clitest.Mistakes, 2, 1},
		{"error", "misspelled-key", clitest.Mistakes, 5, 1},
		{"warning", "non-ascii-in-path", clitest.Mistakes, 6, 11},
		{"note", "duplicate-rule", clitest.Mistakes, 7, 1},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{})); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// TestLintSARIFFixes applies the fixes of a log, as an editor does.
func TestLintSARIFFixes(t *testing.T) {
	const text = "User-agent: *\nUseragnt: *\n# ü\nDisallow: /ü #x\nDisallow: /b\nDisallow: /b\nDisallow /c\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		stdout, _, _ := runWith(text, "lint", "--format", "sarif", "-")
		var log sarifLog
		if err := json.Unmarshal([]byte(stdout), &log); err != nil {
			t.Fatal(err)
		}
		lines := append(strings.SplitAfter(text, "\n"), "")
		fixed := map[int]bool{} // by line; findings on the same line have the same fix
		for _, r := range log.Runs[0].Results {
			if region := r.Locations[0].Physical.Region; region.EndColumn != len([]rune(strings.TrimRight(lines[region.StartLine-1], "\r\n")))+1 {
				t.Errorf("line %d ends at column %d", region.StartLine, region.EndColumn)
			}
		}
		for _, r := range log.Runs[0].Results {
			for _, fix := range r.Fixes {
				c := fix.Changes[0].Replacements[0]
				if fixed[c.Deleted.StartLine] {
					continue
				}
				fixed[c.Deleted.StartLine] = true
				old := []rune(strings.Join(lines[c.Deleted.StartLine-1:max(c.Deleted.StartLine, c.Deleted.EndLine)], ""))
				end := c.Deleted.EndColumn - 1
				if c.Deleted.EndLine != 0 {
					end += len([]rune(lines[c.Deleted.StartLine-1]))
				}
				lines[c.Deleted.StartLine-1] = c.Inserted.Text + string(old[end:])
				if c.Deleted.EndLine != 0 {
					lines[c.Deleted.StartLine-1], lines[c.Deleted.EndLine-1] = c.Inserted.Text, string(old[end:])
				}
			}
		}
		want, err := lint.Fix([]byte(text))
		if err != nil || len(fixed) < 2 {
			t.Fatal(fixed, err)
		}
		if diff := cmp.Diff(string(want), strings.Join(lines, "")); diff != "" {
			t.Errorf("%v fixed (-lint.Fix +the log's):\n%s", fixed, diff)
		}
	}
}

// TestLintGitHub tests that text from a file cannot end a workflow command.
func TestLintGitHub(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	clitest.Write(t, "a,b:c.txt", "User-agent: *\nDisallow: /ü%zz\r\nNoindex: /x\n")
	stdout, stderr, status := runWith("", "lint", "--format", "github", "a,b:c.txt")
	lines := strings.Split(stdout, "\n")
	form := regexp.MustCompile(`^::(error|warning|notice) file=a%2Cb%3Ac\.txt,line=[23],col=\d+,endColumn=\d+,title=[a-z-]+::[^\r]+$`)
	for _, line := range lines[:len(lines)-2] {
		if !form.MatchString(line) {
			t.Errorf("the line %q is not of the form %s", line, form)
		}
	}
	if !strings.Contains(stdout, "%25zz") || !strings.Contains(lines[len(lines)-2], " in 1 file") || stderr != "" || status == cli.ExitError {
		t.Errorf("status %d, standard error %q, output\n%s", status, stderr, stdout)
	}
}

// TestLintSARIFNothing tests that without findings, the results are an empty list.
func TestLintSARIFNothing(t *testing.T) {
	stdout, _, status := runWith("User-agent: *\n", "lint", "--format", "sarif", "-")
	if !strings.Contains(stdout, `"results": []`) || status != cli.ExitOK {
		t.Errorf("status %d, output %q", status, stdout)
	}
}

func TestFileURI(t *testing.T) {
	for name, want := range map[string]string{
		"robots.txt":          "robots.txt",
		"my site/robots#.txt": "my%20site/robots%23.txt",
		"/srv/robots.txt":     "file:///srv/robots.txt",
		"<standard input>":    "%3Cstandard%20input%3E",
		"https://a.example/":  "https://a.example/",
	} {
		if got := fileURI(name); got != want {
			t.Errorf("fileURI(%q) = %q, want %q", name, got, want)
		}
	}
}
