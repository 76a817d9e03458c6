package output_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/output"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
	"github.com/robotstxt-go/robotstxt/lint"
)

// captures returns an archive with 100 captures.
func captures() (file []byte) {
	for i := range 100 {
		body := fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i)
		file = append(file, warctest.Response(fmt.Sprintf("https://a%d.example/robots.txt", i), time.Unix(1e9, 0), 200, "", []byte(body))...)
	}
	return file
}

// reader returns a Reader of a file.
func reader(file io.Reader) iter.Seq2[*survey.Reader, error] {
	return func(yield func(*survey.Reader, error) bool) { yield(survey.NewReader(file, "f0"), nil) }
}

var errDisk = errors.New("disk on fire")

// A memory is an output.Folder.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, errors.New("no such file")
}

func (m memory) Has(name string) bool { return m[name] != nil }

func (m memory) Remove(name string) error {
	delete(m, name)
	return nil
}

func (m memory) Write(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	m[name] = b.Bytes()
	return nil
}

// Save writes both files or, if something fails, no summary.
func TestSave(t *testing.T) {
	archive := captures()
	job := &survey.Job{Questions: survey.Questions{Agents: []string{"*"}, NoLint: true}, Report: func(error) {}}
	var want bytes.Buffer
	printing := *job
	printing.Print = output.Record
	if _, err := printing.Run(t.Context(), reader(bytes.NewReader(archive)), &want); err != nil {
		t.Fatal(err)
	}
	m := memory{}
	sum, err := output.Save(t.Context(), job, reader(bytes.NewReader(archive)), m, "a/x", 5)
	if err != nil || sum.Files() != 100 || len(m) != 2 {
		t.Fatalf("error %v, summary %+v, %d files", err, sum, len(m))
	}
	zip, err := gzip.NewReader(bytes.NewReader(m["a/x.jsonl.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zip); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("error %v; the records are not those of Run:\n%s", err, got)
	}
	saved, ok, change := output.Saved(job.Questions, m, "a/x", 5)
	if !ok || change != "" || saved.Inputs != 5 {
		t.Fatalf("saved: %t, change %q", ok, change)
	}
	if diff := cmp.Diff(sum, *saved, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("summary (-written +read):\n%s", diff)
	}
	incomplete := io.MultiReader(bytes.NewReader(archive), iotest.ErrReader(errDisk))
	if _, err := output.Save(t.Context(), job, reader(incomplete), m, "a/x", 5); err != survey.ErrIncomplete || m.Has("a/x.summary.json") {
		t.Errorf("error %v; the summary is there: %t", err, m.Has("a/x.summary.json"))
	}
}

// Saved tells whether an output is up to date.
func TestSaved(t *testing.T) {
	q := survey.Questions{Agents: []string{"*"}}
	m := memory{}
	if _, err := output.Save(t.Context(), &survey.Job{Questions: q, Report: func(error) {}}, reader(strings.NewReader("Allow: /")), m, "x", 5); err != nil {
		t.Fatal(err)
	}
	summary := string(m["x.summary.json"])
	version := lint.Version()
	for _, c := range []struct {
		about, old, new string // a change of the summary in the folder
		name            string
		inputs          inputid.ID
		questions       survey.Questions
		ok              bool
		change          string
	}{
		{"as it was", "", "", "x", 5, q, true, ""},
		{"no output", "", "", "y", 5, q, false, ""},
		{"the input has changed", "", "", "x", 6, q, false, ""},
		{"an unknown input", `"0000000000000005"`, `"0000000000000000"`, "x", 0, q, false, ""},
		{"other questions", "", "", "x", 5, survey.Questions{Agents: q.Agents, NoLint: true}, false, "--no-lint"},
		{"other codes of lint", version, "f00", "x", 5, q, false, "the version of lint"},
		{"another format", `"format":3`, `"format":0`, "x", 5, q, false, ""},
		{"not a summary", summary, "{}", "x", 5, q, false, ""},
	} {
		m["x.summary.json"] = []byte(strings.Replace(summary, c.old, c.new, 1))
		_, ok, change := output.Saved(c.questions, m, c.name, c.inputs)
		if ok != c.ok || change != c.change {
			t.Errorf("%s: %t, change %q; want %t, %q", c.about, ok, change, c.ok, c.change)
		}
	}
	m["x.summary.json"] = []byte(summary)
	m.Remove("x.jsonl.gz")
	if _, ok, _ := output.Saved(q, m, "x", 5); ok {
		t.Error("an output without its records counts as up to date")
	}
}

func TestName(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	parent := here[1:strings.LastIndexByte(here, '/')]
	for input, want := range map[string]string{
		"a/b.warc.gz":        "a/b.warc.gz",
		"./a/../b.warc":      "b.warc",
		"-":                  "stdin",
		"/data/b.warc":       "data/b.warc",
		"../b.warc":          parent + "/b.warc",
		".":                  "_",
		"gs://bucket/a.warc": "bucket/a.warc",
	} {
		if got, err := output.Name(input); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", input, got, err, want)
		}
	}
}
