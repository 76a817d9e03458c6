package scan

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/output"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/lint"
)

// archiveOf returns a WARC file with captures of hosts whose names start with name.
func archiveOf(name string, captures int, zip bool) string {
	var file []byte
	for i := range captures {
		body := fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i)
		record := warctest.Response(fmt.Sprintf("https://%s%d.example/robots.txt", name, i), time.Unix(1e9, 0), 200, "", []byte(body))
		if zip {
			record = warctest.Gzip(record)
		}
		file = append(file, record...)
	}
	return string(file)
}

// list returns names in the form of Options.Inputs, and then err unless it is nil.
func list(err error, names ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !yield(name, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

// inputs returns names in the form of Options.Inputs.
func inputs(names ...string) iter.Seq2[string, error] { return list(nil, names...) }

// scan runs a scan and returns its records, its messages and its result.
func scan(t *testing.T, o Options) (records string, problems []string, result Result) {
	t.Helper()
	var text bytes.Buffer
	o.Records = &text
	if o.BytesRead == nil {
		o.BytesRead = new(atomic.Int64)
	}
	o.Warn = func(err error) { problems = append(problems, err.Error()) }
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), problems, result
}

// urls returns the URLs of records.
func urls(t *testing.T, records string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(records) {
		var r survey.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, r.URL)
	}
	return all
}

var star = survey.Questions{Agents: []string{"*"}, NoLint: true}

func TestInputs(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{
		"b.txt":        "User-agent: *\nDisallow: /\n",
		"a.TXT":        "Allow: /",
		"c/d.txt":      "Allow: /",
		"c/e.warc.gz":  archiveOf("e", 1, true),
		"c/F.WARC":     archiveOf("f", 1, false),
		"notes.md":     "x",
		"nothing/x.md": "x",
		"list":         "# no comments here\n",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		about    string
		options  Options
		want     []string
		problems []string
	}{
		{"a folder: its files, its archives, its folders", Options{Inputs: inputs(dir)},
			[]string{at("a.TXT"), at("b.txt"), at("c/d.txt"), "https://f0.example/robots.txt", "https://e0.example/robots.txt"},
			nil},
		{"files by any name", Options{Inputs: inputs(at("notes.md"), at("c/e.warc.gz"))},
			[]string{at("notes.md"), "https://e0.example/robots.txt"}, nil},
		{"an archive on standard input", Options{Inputs: inputs("-"), Stdin: strings.NewReader(archiveOf("s", 2, true))},
			[]string{"https://s0.example/robots.txt", "https://s1.example/robots.txt"}, nil},
		{"a file on standard input", Options{Inputs: inputs("-"), Stdin: strings.NewReader("Allow: /")}, []string{"-"}, nil},
		{"a file that is missing", Options{Inputs: inputs(at("none"), at("b.txt"))},
			[]string{at("b.txt")}, []string{"open " + at("none") + ": no such file or directory"}},
		{"a folder without files", Options{Inputs: inputs(at("nothing"))}, nil,
			[]string{at("nothing") + ": no .txt or WARC file in this folder"}},
		{"a list that cannot be read to its end", Options{Inputs: list(errDisk, at("b.txt"))},
			[]string{at("b.txt")}, []string{"disk on fire"}},
		{"standard input that cannot be read", Options{Inputs: inputs("-", at("b.txt")), Stdin: brokenReader{errDisk}},
			[]string{at("b.txt")}, []string{"-: disk on fire"}},
		{"damage", Options{Inputs: inputs("-", at("b.txt")), Stdin: strings.NewReader(archiveOf("s", 1, true) + "junk")},
			[]string{"https://s0.example/robots.txt", at("b.txt")}, []string{fmt.Sprintf("-: stray bytes at offset %d", len(archiveOf("s", 1, true)))}},
	} {
		records, problems, result := scan(t, c.options)
		if diff := gocmp.Diff(c.want, urls(t, records)); diff != "" {
			t.Errorf("%s: URLs (-want +got):\n%s", c.about, diff)
		}
		if want := map[bool]int{true: 3}[c.about == "a folder: its files, its archives, its folders"]; result.Summary.LeftOut != want && c.about != "a folder without files" {
			t.Errorf("%s: %d files left out, want %d", c.about, result.Summary.LeftOut, want)
		}
		if diff := gocmp.Diff(c.problems, problems); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", c.about, diff)
		}
		if failed := c.problems != nil && c.about != "damage"; result.Failed != failed || result.Captures != len(c.want) {
			t.Errorf("%s: failed %t, %d captures", c.about, result.Failed, result.Captures)
		}
	}
}

// TestLinks tests that scan follows links to files but not links to folders, and reports
// broken links.
func TestLinks(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"a/b.txt": "Allow: /", "c.txt/d.txt": "Allow: /"})
	for from, to := range map[string]string{"a/e.txt": "c.txt", "a/F.TXT": "a/b.txt", "a/g.txt": "none", "link": "a"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, from)); err != nil {
			t.Skip("SKIPPED: no links here:", err)
		}
	}
	records, problems, _ := scan(t, Options{Inputs: inputs(filepath.Join(dir, "link"))})
	want := []string{filepath.Join(dir, "link/F.TXT"), filepath.Join(dir, "link/b.txt")}
	wantProblems := []string{"open " + filepath.Join(dir, "link/g.txt") + ": no such file or directory"}
	if diff := gocmp.Diff(want, urls(t, records)); diff != "" || !slices.Equal(problems, wantProblems) {
		t.Errorf("problems %q, URLs (-want +got):\n%s", problems, diff)
	}
}

// TestUnreadableFolder tests that a folder that cannot be read is reported as a problem.
func TestUnreadableFolder(t *testing.T) {
	file := filepath.Join(clitest.Folder(t, map[string]string{"a.txt": ""}), "a.txt")
	for _, c := range []struct{ about, dir, want string }{
		{"it is gone", file + "x", "open " + file + "x: no such file or directory"},
		{"it is not a folder", file, "open " + file + ": not a directory"},
	} {
		var got []error
		r := &run{ctx: t.Context()}
		r.folder(c.dir, func(in *input) { got = append(got, in.problems...) })
		if len(got) != 1 || got[0].Error() != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// TestStopsListing tests that no input is listed after the scan has been canceled.
func TestStopsListing(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"a.txt": "", "b.warc": "", "c/d.txt": "", "e/f.txt": ""})
	listed := func(most int) (names []string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := &run{Options: Options{Inputs: inputs(dir, dir)}, ctx: ctx}
		r.list(func(in *input) {
			if names = append(names, in.name); len(names) == most {
				cancel()
			}
		})
		return names
	}
	all := listed(-1)
	if len(all) != 8 {
		t.Fatalf("%q, want 8 inputs", all)
	}
	for n := range all {
		if got := listed(n + 1); !slices.Equal(got, all[:n+1]) {
			t.Errorf("canceled after %d inputs: got %q, want %q", n+1, got, all[:n+1])
		}
	}
}

// TestNotFiles tests that a scan neither reads nor counts what is not a file, such as a socket.
func TestNotFiles(t *testing.T) {
	t.Chdir(clitest.Folder(t, map[string]string{"a.txt": "Allow: /"}))
	for _, name := range []string{"b.txt", "c"} {
		socket, err := net.Listen("unix", name)
		if err != nil {
			t.Skip("SKIPPED: no sockets in a folder: ", err)
		}
		defer socket.Close()
	}
	records, problems, result := scan(t, Options{Inputs: inputs("."), Questions: star})
	if got := urls(t, records); !slices.Equal(got, []string{"a.txt"}) || len(problems) > 0 || result.Summary.LeftOut != 0 {
		t.Errorf("files %q, problems %q, %d left out", got, problems, result.Summary.LeftOut)
	}
}

// TestBytesRead tests that BytesRead counts the bytes of all inputs.
func TestBytesRead(t *testing.T) {
	archive := archiveOf("a", 3, true) + "junk"
	dir := clitest.Folder(t, map[string]string{"a.txt": "Allow: /", "b.warc": archive})
	var read atomic.Int64
	scan(t, Options{Inputs: inputs(dir, dir+"/a.txt"), BytesRead: &read})
	if want := int64(16 + len(archive)); read.Load() != want {
		t.Errorf("%d bytes, want %d", read.Load(), want)
	}
}

// TestDeterministic tests that the records, the summary and the problems are the same, byte
// for byte, for any number of cores.
func TestDeterministic(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("text/%d.txt", i)] = fmt.Sprintf("User-agent: *\nDisallow: /%d\nKey-%c: x\n", i, 'a'+i%26)
	}
	for i := range 20 {
		files[fmt.Sprintf("w%d.warc.gz", i)] = archiveOf(fmt.Sprint("w", i, "-"), 2*i, true) + "junk"
	}
	files["huge.warc"] = archiveOf("huge", 1000, false)
	dir := clitest.Folder(t, files)
	var want string
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(cores)
		records, problems, result := scan(t, Options{Inputs: inputs(dir), Questions: star})
		summary, err := json.Marshal(&result.Summary)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s%s\n%q\n%d", records, summary, problems, result.Captures)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("the output of %d cores differs from the output of one", cores)
		}
	}
	if n := strings.Count(want, `"url"`); n != 200+380+1000 {
		t.Errorf("%d records, want 1580", n)
	}
}

// TestDir tests that each input has a complete output or none, and that no input is read
// again.
func TestDir(t *testing.T) {
	in := clitest.Folder(t, map[string]string{
		"a.warc.gz":   archiveOf("a", 100, true),
		"x/a.warc.gz": archiveOf("xa", 1, true),
		"x/b.txt":     "Allow: /",
		"x/c.txt":     "Allow: /",
	})
	out := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(filepath.Join(in, "y.txt"), 0o777); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "none.warc")
	o := Options{Inputs: inputs(in, missing), Dir: out}
	_, problems, result := scan(t, o)
	if result.Written != 3 || result.Existing != 0 || len(problems) != 1 || !result.Failed || result.Summary.Files() != 103 {
		t.Fatalf("%+v, problems %q", result, problems)
	}
	for name, want := range map[string]int{"a.warc.gz": 100, "x/a.warc.gz": 1, "x": 2} {
		if got := len(urls(t, unzip(t, filepath.Join(out, in, name)+".jsonl.gz"))); got != want {
			t.Errorf("%s: %d records, want %d", name, got, want)
		}
	}
	if left := found(t, out); len(left) != 6 {
		t.Errorf("files %q", left)
	}
	if err := os.WriteFile(missing, []byte(archiveOf("n", 5, false)), 0o666); err != nil {
		t.Fatal(err)
	}
	_, problems, result = scan(t, o)
	if result.Written != 1 || result.Existing != 3 || result.Captures != 5 || result.Summary.Files() != 108 || problems != nil {
		t.Errorf("the second time: %+v, problems %q", result, problems)
	}
	data, err := os.ReadFile(filepath.Join(out, in, "a.warc.gz.summary.json"))
	var s survey.Summary
	if err != nil || json.Unmarshal(data, &s) != nil || s.Files() != 100 {
		t.Errorf("a summary: %v, %s", err, data)
	}
}

// unzip returns the content of a file that is compressed with gzip.
func unzip(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found returns the files below a folder.
func found(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestAgain tests that an input is read again if it has changed or if the questions have. No
// other input is read again, even if it is cut off.
func TestAgain(t *testing.T) {
	whole := archiveOf("a", 5, true)
	dir := clitest.Folder(t, map[string]string{"x.warc.gz": whole[:len(whole)-9], "y.warc.gz": "", "t/z.txt": "Allow: /"})
	o := Options{Inputs: inputs(dir), Dir: filepath.Join(dir, "out"), Questions: star}
	check := func(about string, written, existing, files int, problems ...string) {
		t.Helper()
		_, got, result := scan(t, o)
		if result.Written != written || result.Existing != existing || result.Summary.Files() != files || result.Failed || result.Summary.LeftOut != 0 {
			t.Errorf("%s: %+v", about, result)
		}
		for i := range got {
			got[i] = strings.ReplaceAll(strings.ReplaceAll(got[i], o.Dir, "OUT"), dir+"/", "")
		}
		if !slices.Equal(got, problems) {
			t.Errorf("%s: problems %q, want %q", about, got, problems)
		}
	}
	offset := len(archiveOf("a", 4, true))
	cut, empty := fmt.Sprintf("x.warc.gz: cut record at offset %d", offset), "y.warc.gz: empty archive at offset 0"
	check("the first time", 3, 0, 5, cut, empty)
	check("as it was", 0, 3, 5, "x.warc.gz: damaged (found in an earlier scan)", "y.warc.gz: damaged (found in an earlier scan)")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("x.warc.gz", whole)
	write("y.warc.gz", archiveOf("b", 3, true))
	check("downloaded again", 2, 1, 9)
	write("t/new.txt", "Allow: /")
	check("a new file in a folder", 1, 2, 10)
	if err := os.Chtimes(filepath.Join(dir, "x.warc.gz"), time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	check("another time", 1, 2, 10)
	const other = "outputs in OUT differ in %s from those of this scan, so their inputs are read again"
	o.Questions.Agents = []string{"FooBot"}
	check("another agent", 3, 0, 10, fmt.Sprintf(other, "--agent"))
	o.Questions.NoLint = false
	check("with lint", 3, 0, 10, fmt.Sprintf(other, "--no-lint"))
	check("as it was", 0, 3, 10)
	saved := filepath.Join(o.Dir, dir, "x.warc.gz")
	summary, err := os.ReadFile(saved + output.SummarySuffix)
	if err != nil {
		t.Fatal(err)
	}
	older := bytes.Replace(summary, []byte(lint.Version()), []byte("f00"), 1)
	if err := os.WriteFile(saved+output.SummarySuffix, older, 0o666); err != nil {
		t.Fatal(err)
	}
	check("another version of lint", 1, 2, 10, fmt.Sprintf(other, "the version of lint"))
	if err := os.Remove(saved + ".jsonl.gz"); err != nil {
		t.Fatal(err)
	}
	check("records that are gone", 1, 2, 10)
}

// TestBytes tests that the number of bytes is the same for a file in a folder and in an
// archive, and that both are truncated at survey.BodyLimit.
func TestBytes(t *testing.T) {
	for _, size := range []int{10, survey.BodyLimit, survey.BodyLimit + 1, survey.BodyLimit + 300_000} {
		body := strings.Repeat("#", size)
		dir := clitest.Folder(t, map[string]string{
			"a.txt":  body,
			"b.warc": string(warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte(body))),
		})
		records, _, _ := scan(t, Options{Inputs: inputs(dir), Questions: star})
		for line := range strings.Lines(records) {
			var r survey.Record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if r.Bytes != min(size, survey.BodyLimit) || r.Truncated != (size > survey.BodyLimit) {
				t.Errorf("%s, size %d: %d bytes, truncated %t", r.URL, size, r.Bytes, r.Truncated)
			}
		}
	}
}

// TestIncomplete tests that an input that cannot be read to its end has no output.
func TestIncomplete(t *testing.T) {
	out := t.TempDir()
	archive := archiveOf("a", 500, false)
	in := io.MultiReader(strings.NewReader(archive), brokenReader{errDisk})
	_, problems, result := scan(t, Options{Inputs: inputs("-"), Stdin: in, Dir: out})
	if left := found(t, out); len(left) > 0 || !result.Failed || len(problems) != 1 || problems[0] != "-: disk on fire" {
		t.Errorf("%+v, problems %q, files %q", result, problems, left)
	}
	scan(t, Options{Inputs: inputs("-"), Stdin: strings.NewReader(archive), Dir: out})
	if left := found(t, out); len(left) != 2 {
		t.Fatalf("files %q", left)
	}
	in = io.MultiReader(strings.NewReader(archive), brokenReader{errDisk})
	scan(t, Options{Inputs: inputs("-"), Stdin: in, Dir: out})
	if left := found(t, out); !slices.Equal(left, []string{filepath.Join(out, "stdin.jsonl.gz")}) {
		t.Errorf("an older output that is no longer complete: files %q", left)
	}
}

var errDisk = errors.New("disk on fire")

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

// TestStandardInputAgain tests that standard input is always read, even beside a file of this name.
func TestStandardInputAgain(t *testing.T) {
	t.Chdir(clitest.Folder(t, map[string]string{"-": "x"}))
	for range 2 {
		_, _, result := scan(t, Options{Inputs: inputs("-"), Stdin: strings.NewReader("Allow: /"), Dir: "out"})
		if result.Existing != 0 || result.Summary.Files() != 1 {
			t.Errorf("%+v, want one file that was read", result)
		}
	}
}

// TestCannotWriteDir tests that it is a problem if a file is in the place of an output's
// folder.
func TestCannotWriteDir(t *testing.T) {
	in := clitest.Folder(t, map[string]string{"a.txt": "Allow: /"})
	for _, dir := range []string{in + "/a.txt", in + "/a.txt/b"} {
		_, problems, result := scan(t, Options{Inputs: inputs(in), Dir: dir})
		if len(problems) != 1 || !strings.HasSuffix(problems[0], ": not a directory") || !result.Failed || result.Written != 0 {
			t.Errorf("%+v, problems %q", result, problems)
		}
	}
}

// TestCannotCreate tests that it is a problem if an output's folder is not writable.
func TestCannotCreate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: this test needs /proc, where no files can be created")
	}
	t.Chdir(clitest.Folder(t, map[string]string{"a.warc": archiveOf("a", 1, false)}))
	_, problems, result := scan(t, Options{Inputs: inputs("a.warc"), Dir: "/proc"})
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "open /proc/.unfinished-") || !result.Failed || result.Written != 0 {
		t.Errorf("%+v, problems %q", result, problems)
	}
}

// TestManyProblems tests that the first problems of an input are reported, and the number of
// the others.
func TestManyProblems(t *testing.T) {
	var file strings.Builder
	for i := range 100 {
		file.WriteString(archiveOf(fmt.Sprint("a", i), 1, true) + "junk")
	}
	records, problems, result := scan(t, Options{Inputs: inputs("-"), Stdin: strings.NewReader(file.String())})
	if len(urls(t, records)) != 100 || len(problems) != 21 || problems[20] != "-: further problems: 80" {
		t.Errorf("%d records, problems %q", len(urls(t, records)), problems)
	}
	if result.Failed || result.Summary.Damaged["stray bytes"] != 100 {
		t.Errorf("%+v", result)
	}
}

func TestInterrupted(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"a.warc": archiveOf("a", 2000, false), "b.warc": archiveOf("b", 10, false)})
	ctx, cancel := context.WithCancel(t.Context())
	out := t.TempDir()
	in := io.MultiReader(strings.NewReader(archiveOf("s", 300, false)), &canceller{cancel: cancel, text: archiveOf("t", 5000, false)})
	result, err := Run(ctx, Options{Inputs: inputs("-", dir), Stdin: in, BytesRead: new(atomic.Int64), Dir: out, Warn: func(error) {}})
	if err != nil || result.Captures >= 5300 || len(found(t, out)) != 2*result.Written {
		t.Errorf("%v, %+v, files %q", err, result, found(t, out))
	}
	if _, err := os.Stat(filepath.Join(out, "stdin.jsonl.gz")); err == nil {
		t.Error("an input that was not read to its end has an output")
	}
}

// A canceller is a Reader that calls cancel when it is read.
type canceller struct {
	cancel func()
	text   string
}

func (c *canceller) Read(p []byte) (int, error) {
	c.cancel()
	n := copy(p, c.text)
	c.text = c.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestWriteError tests that a scan ends if its records cannot be written.
func TestWriteError(t *testing.T) {
	want := errors.New("broken pipe")
	in := strings.NewReader(archiveOf("s", 20000, false))
	result, err := Run(t.Context(), Options{Inputs: inputs("-"), Stdin: in, BytesRead: new(atomic.Int64), Records: brokenWriter{want}, Warn: func(error) {}})
	if err != want || result.Captures == 20000 {
		t.Errorf("%v, %+v", err, result)
	}
}

// TestWriteFile tests that no file is left if it could not be written whole.
func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for _, c := range []struct {
		about string
		write func(io.Writer) error
	}{
		{"a failure before the first byte", func(io.Writer) error { return errDisk }},
		{"a file that cannot be synchronized", func(w io.Writer) error { return w.(*os.File).Close() }},
	} {
		if err := folder(filepath.Dir(name)).Write("a", c.write); err == nil {
			t.Errorf("%s: no error", c.about)
		}
		if left := found(t, filepath.Dir(name)); len(left) > 0 {
			t.Errorf("%s: left %q", c.about, left)
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// openFiles returns how many files the process has open. It turns off the garbage collector
// until the test ends, because the collector would close files that the code forgot to close.
func openFiles(t *testing.T) int {
	t.Helper()
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("SKIPPED: this test needs /proc:", err)
	}
	return len(entries)
}

// TestClosesFiles tests that a scan closes all files and folders.
func TestClosesFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%d/a.txt", i)] = "Allow: /"
		files[fmt.Sprintf("%d.warc", i)] = archiveOf("a", 1, false)
	}
	dir := clitest.Folder(t, files)
	for _, out := range []string{"", t.TempDir()} {
		before := openFiles(t)
		scan(t, Options{Inputs: inputs(dir, filepath.Join(dir, "0/a.txt")), Dir: out})
		if after := openFiles(t); after > before+5 { // Go itself may open a few
			t.Errorf("%d files are open after the scan, and %d were before it", after, before)
		}
	}
}

// TestMemory tests that the heap does not grow with the number of captures.
func TestMemory(t *testing.T) {
	const captures = 50_000
	one := []byte(archiveOf("a", 1000, false))
	in := &repeated{text: one, times: captures / 1000}
	var peak uint64
	sample := func() {
		var m runtime.MemStats
		runtime.GC() // garbage depends on how busy the machine is
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	in.each = sample
	result, err := Run(t.Context(), Options{Inputs: inputs("-"), Stdin: in, Questions: star, BytesRead: new(atomic.Int64), Warn: func(error) {}})
	if err != nil || result.Captures != captures {
		t.Fatalf("%v, %d captures", err, result.Captures)
	}
	if peak > 16<<20 {
		t.Errorf("the heap grew to %d bytes, want at most 16 MiB", peak)
	}
}

// A repeated is a Reader of a text, repeated times times. It calls each after each time.
type repeated struct {
	text  []byte
	pos   int
	times int
	each  func()
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.pos == len(r.text) {
		r.each()
		r.pos, r.times = 0, r.times-1
	}
	if r.times == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.pos:])
	r.pos += n
	return n, nil
}
