package casefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

var format = casefile.Format{
	"want":        {Fields: "allow|disallow text text line"},
	"groups":      {Fields: "text line*", AllowEmpty: true},
	"reasons":     {Fields: "yes|no text text?"},
	"crawl-delay": {Fields: "text duration"},
	"findings":    {Fields: "position text"},
	"formatted":   {IsText: true},
	"covers":      {Fields: "yes|no text text", NoFile: true},
	"status":      {Fields: "number text", NoFile: true},
	"open":        {Fields: "text text?", NoFile: true, AllowEither: true},
	"page":        {IsText: true, First: true},
}

const (
	start  = "A sentence.\nSource: ours, because.\n"
	robots = start + "-- robots.txt --\nUser-agent: *\nDisallow: /a\n"
	quoted = start + "-- robots.txt.quoted --\n"
	rest   = "-- want --\nallow a / -\n"
)

// TestParse reads a file with every feature of the format.
func TestParse(t *testing.T) {
	got, err := casefile.Parse(format, "x/y/z.txt", `Two lines that say
what is shown.

Source: RFC 9309, section 2.2.2

About the first.
-- robots.txt --
# not a comment

a
-- want --
# a comment

disallow "foo bot"	/a	2
allow ""   / -
-- groups --
-- note --
About the
second.
-- robots.txt.quoted --
"a\xff\r"
  "b\n" x 3

-- formatted --
# b

-- covers --
yes a "b"
-- open --
a either
a b either
a b
-- page.quoted --
"a\n"
-- findings --
2:1 b
-- page --
b
`)
	if err != nil {
		t.Fatal(err)
	}
	const sentence, source = "Two lines that say what is shown.", "RFC 9309, section 2.2.2"
	want := []casefile.Case{
		{File: "x/y/z.txt", Line: 7, Sentence: sentence, Source: source, Note: "About the first.",
			HasRobots: true, Robots: []byte("# not a comment\n\na\n"),
			Sections: []casefile.Section{
				{Name: "want", Line: 11, Rows: []casefile.Row{
					{Line: 14, Fields: []string{"disallow", "foo bot", "/a", "2"}},
					{Line: 15, Fields: []string{"allow", "", "/", "-"}},
				}},
				{Name: "groups", Line: 16},
			}},
		{File: "x/y/z.txt", Line: 20, Sentence: sentence, Source: source, Note: "About the second.",
			HasRobots: true, Robots: []byte("a\xff\rb\nb\nb\n"), Quoted: true,
			Sections: []casefile.Section{{Name: "formatted", Line: 24, Text: []byte("# b\n\n")}}},
		{File: "x/y/z.txt", Line: 27, Sentence: sentence, Source: source,
			Sections: []casefile.Section{{Name: "covers", Line: 27, Rows: []casefile.Row{{Line: 28, Fields: []string{"yes", "a", "b"}}}}}},
		{File: "x/y/z.txt", Line: 29, Sentence: sentence, Source: source,
			Sections: []casefile.Section{{Name: "open", Line: 29, Rows: []casefile.Row{
				{Line: 30, Fields: []string{"a"}, Either: true},
				{Line: 31, Fields: []string{"a", "b"}, Either: true},
				{Line: 32, Fields: []string{"a", "b"}},
			}}}},
		{File: "x/y/z.txt", Line: 33, Sentence: sentence, Source: source, Quoted: true,
			Sections: []casefile.Section{
				{Name: "page", Line: 33, Text: []byte("a\n")},
				{Name: "findings", Line: 35, Rows: []casefile.Row{{Line: 36, Fields: []string{"2:1", "b"}}}},
			}},
		{File: "x/y/z.txt", Line: 37, Sentence: sentence, Source: source,
			Sections: []casefile.Section{{Name: "page", Line: 37, Text: []byte("b\n")}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if c := got[0]; c.Folder() != "y" || c.At(14) != "x/y/z.txt:14" {
		t.Errorf("Folder() = %q, At(14) = %q", c.Folder(), c.At(14))
	}
	if s, ok := got[0].Section("groups"); !ok || s.Line != 16 {
		t.Errorf("Section(groups) = %v, %v, want line 16", s, ok)
	}
	if s, ok := got[0].Section("covers"); ok {
		t.Errorf("Section(covers) = %v, want none", s)
	}
}

// TestFaults tests that Parse returns an error with the line of a mistake.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"well-formed", robots + rest, ""},
		{"nothing found", robots + "-- groups --\n", ""},
		{"several and optional fields", robots + "-- groups --\n*\n* 1 - 3\n-- reasons --\nyes a\nno a b\n", ""},
		{"without a robots.txt", start + "-- covers --\nyes a b\n", ""},
		{"kinds", robots + "-- crawl-delay --\na 10s\na -\n-- findings --\n1:2 a\n-- status --\n-5 a\n", ""},
		{"empty formatted", robots + "-- formatted.quoted --\n", ""},
		{"line ends of Windows", strings.ReplaceAll(robots+rest, "\n", "\r\n"), ""},
		{"empty file", "", "x.txt:1: the file does not start"},
		{"no sentence", strings.TrimPrefix(robots, "A sentence.\n") + rest, "x.txt:1: the file does not start"},
		{"no source", strings.Replace(robots, "Source", "Sauce", 1) + rest, "x.txt:1: the file does not start"},
		{"empty source", strings.Replace(robots, "ours, because.", "", 1) + rest, "x.txt:1: the file does not start"},
		{"no case", start, "x.txt:1: the file contains no cases"},
		{"only a note", start + "-- note --\nAbout nothing.\n", "x.txt:1: the file contains no cases"},
		{"no expectations", robots, "x.txt:3: the robots.txt has no expectations"},
		{"no expectations for the second robots.txt", robots + rest + "-- robots.txt --\n", "x.txt:8: the robots.txt has no expectations"},
		{"no rows", robots + "-- want --\n# none\n", "x.txt:6: the section has no rows"},
		{"unknown section", robots + "-- wants --\nallow a / -\n", "x.txt:6: unknown section \"wants\""},
		{"quoted rows", robots + "-- want.quoted --\n\"a\"\n", "x.txt:6: unknown section \"want.quoted\""},
		{"quoted note", robots + "-- note.quoted --\n\"a\"\n", "x.txt:6: unknown section \"note.quoted\""},
		{"section twice", robots + rest + rest, "x.txt:8: section \"want\" occurs twice"},
		{"text section twice", robots + "-- formatted --\n-- formatted.quoted --\n", "x.txt:7: section \"formatted.quoted\" occurs twice"},
		{"no robots.txt", start + rest, "x.txt:3: section \"want\" has no robots.txt"},
		{"robots.txt of another case", start + "-- covers --\nyes a b\n" + rest, "x.txt:5: section \"want\" has no robots.txt"},
		{"word", robots + "-- want --\nallowed a / -\n", "x.txt:7: not a row of section \"want\""},
		{"two words", robots + "-- want --\nallow|disallow a / -\n", "x.txt:7: not a row of section \"want\""},
		{"yes or no", start + "-- covers --\nmaybe a b\n", "x.txt:4: not a row of section \"covers\""},
		{"line", robots + "-- want --\nallow a / 0\n", "x.txt:7: not a row of section \"want\""},
		{"number", start + "-- status --\n2xx a\n", "x.txt:4: not a row of section \"status\""},
		{"duration", robots + "-- crawl-delay --\na 10\n", "x.txt:7: not a row of section \"crawl-delay\""},
		{"position", robots + "-- findings --\n1 a\n", "x.txt:7: not a row of section \"findings\""},
		{"column", robots + "-- findings --\n1:0 a\n", "x.txt:7: not a row of section \"findings\""},
		{"too few fields", robots + "-- want --\nallow a /\n", "x.txt:7: not a row of section \"want\""},
		{"too many fields", robots + "-- want --\nallow a / - -\n", "x.txt:7: not a row of section \"want\""},
		{"too many optional fields", robots + "-- reasons --\nyes a b c\n", "x.txt:7: not a row of section \"reasons\""},
		{"one of several fields", robots + "-- groups --\n* 2 x\n", "x.txt:7: not a row of section \"groups\""},
		{"either alone", start + "-- open --\neither\n", "x.txt:4: not a row of section \"open\""},
		{"either in a section without it", robots + "-- want --\nallow a / - either\n", "x.txt:7: not a row of section \"want\""},
		{"literal without an end", robots + "-- want --\nallow \"a / -\n", "x.txt:7: a field starts with a quote"},
		{"glued literal", robots + "-- want --\nallow \"a\"b / -\n", "x.txt:7: a space must follow a Go string literal"},
		{"unquoted line", quoted + "User-agent:\n" + rest, "x.txt:4: not a Go string literal"},
		{"two literals", quoted + "\"a\" \"b\"\n" + rest, "x.txt:4: want a Go string literal, or a repeated one"},
		{"quoted line without an end", quoted + "\"a\n" + rest, "x.txt:4: a field starts with a quote"},
		{"times", quoted + "\"a\" x y\n" + rest, "x.txt:4: the number of repetitions must be at least 1, not \"y\""},
		{"no times", quoted + "\"a\" x 0\n" + rest, "x.txt:4: the number of repetitions must be at least 1, not \"0\""},
	} {
		cases, err := casefile.Parse(format, "x.txt", test.text)
		if test.want == "" && (err != nil || len(cases) == 0) || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
	}
}

func TestReadFolders(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good/b.txt", robots+rest)
	write("good/a.txt", robots+rest+"-- robots.txt --\n"+rest)
	write("good/README.md", "")
	write("good/fuzz/x", "")
	write("bad/a.txt", robots+rest)
	write("bad/b.text", robots+rest)
	write("bad/c.txt", start)
	write("empty/README.md", "")

	cases, err := casefile.ReadFolders(os.DirFS(root), format, "good")
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, c := range cases {
		places = append(places, c.At(c.Line))
	}
	if diff := cmp.Diff([]string{"good/a.txt:3", "good/a.txt:8", "good/b.txt:3"}, places); diff != "" {
		t.Errorf("cases (-want +got)\n%s", diff)
	}
	for folder, want := range map[string][]string{
		"bad":     {"bad/b.text: not a .txt file", "bad/c.txt:1: the file contains no cases"},
		"empty":   {"empty: the folder contains no cases"},
		"missing": {"missing"},
	} {
		_, err := casefile.ReadFolders(os.DirFS(root), format, folder)
		for _, want := range want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want %q", folder, err, want)
			}
		}
	}
}
