package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/conformance/internal/wire"
)

var specFolder = flag.String("spec", os.Getenv("ROBOTSTXT_SPEC_TEST"),
	"a `folder` with a clone of github.com/google/robotstxt-spec-test (default: the variable ROBOTSTXT_SPEC_TEST)")

// A specQuestion is an expectation of Google's suite for other languages.
type specQuestion struct {
	file                       string
	robots, agent, url, wanted string
}

// String returns the row of the question in the table of README.md.
func (q specQuestion) String() string {
	return fmt.Sprintf("| %s | `%s` | `%s` | %s |", q.file, q.agent, q.url, q.wanted)
}

// TestSpec asks the questions of google/robotstxt-spec-test. README.md lists each
// question that this module answers differently, with the reason.
func TestSpec(t *testing.T) {
	if *specFolder == "" {
		t.Skip("SKIPPED: google/robotstxt-spec-test is not tested without -spec")
	}
	questions := readSpec(t, *specFolder)
	if len(questions) == 0 {
		t.Fatalf("%s contains no questions", *specFolder)
	}
	var differing []string
	for _, q := range questions {
		got := answer(wire.Question{Robots: wire.Octets(q.robots), Agent: wire.Octets(q.agent), URL: wire.Octets(q.url)})
		if got.Verdict != q.wanted {
			differing = append(differing, q.String())
		}
	}
	if diff := cmp.Diff(listedDifferences(t), differing); diff != "" {
		t.Errorf("the answers that differ are not those in README.md (-listed +differing):\n%s", diff)
	}
	t.Logf("%d of %d answers agree", len(questions)-len(differing), len(questions))
}

// TestSpecList tests that README.md gives a reason for each difference.
func TestSpecList(t *testing.T) {
	if len(listedDifferences(t)) == 0 {
		t.Error("README.md lists no differences")
	}
}

// listedDifferences returns the rows of the table in README.md, without their reasons.
func listedDifferences(t *testing.T) (rows []string) {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(readme)) {
		if !strings.Contains(line, ".textproto | ") {
			continue
		}
		end := strings.LastIndex(strings.TrimSuffix(line, " |\n"), "| ") + 1
		if reason := strings.Trim(line[end:], " |\n"); len(reason) < 10 {
			t.Errorf("README.md gives no reason in %q", line)
		}
		rows = append(rows, line[:end])
	}
	return rows
}

// readSpec reads all questions in a folder, in the order of their files.
func readSpec(t *testing.T, folder string) (questions []specQuestion) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".textproto" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		list, err := parseSpec(string(text))
		for i := range list {
			list[i].file = filepath.Base(name)
		}
		questions = append(questions, list...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// parseSpec reads a message RobotsTxtSpecification in the text format of protocol buffers.
// A closing brace ends an expectation. All other braces are ignored, and a robots.txt file
// applies to all expectations up to the next file.
func parseSpec(text string) (questions []specQuestion, err error) {
	var q specQuestion
	field := ""
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\r\n:,[]{")
		switch {
		case rest == "":
			return questions, nil
		case rest[0] == '#':
			_, rest, _ = strings.Cut(rest, "\n")
		case rest[0] == '}':
			if rest = rest[1:]; q.wanted != "" {
				questions = append(questions, q)
				q = specQuestion{robots: q.robots}
			}
		case rest[0] == '"' || rest[0] == '\'':
			var value string
			if value, rest, err = specString(rest); err != nil {
				return nil, err
			}
			switch field {
			case "robotstxt":
				q.robots += value
			case "testurl":
				q.url += value
			case "useragent":
				q.agent += value
			}
		default:
			end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n:,[]{}\"'#", r) })
			if end < 0 {
				end = len(rest)
			}
			word := rest[:end]
			rest = rest[end:]
			switch word {
			case "ALLOWED":
				q.wanted = "allow"
			case "DISALLOWED":
				q.wanted = "disallow"
			case "robotstxt":
				q.robots = ""
			}
			field = word
		}
	}
}

// specString reads a quoted string, whose escapes are those of Go, except that any string
// may contain \'. It does not support short octal escapes, which no file contains.
func specString(text string) (value, rest string, err error) {
	end := 1
	for ; end < len(text) && text[end] != text[0]; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	if end >= len(text) {
		return "", "", fmt.Errorf("the string %.40q has no closing quote", text)
	}
	inner := strings.ReplaceAll(text[1:end], `\'`, `'`)
	if text[0] == '\'' {
		inner = strings.ReplaceAll(inner, `"`, `\"`)
	}
	value, err = strconv.Unquote(`"` + inner + `"`)
	return value, text[end+1:], err
}

func TestParseSpec(t *testing.T) {
	const text = `# a comment { "x"
tests: [
  {
    robotstxt: "User-agent: a\n"
        'Disallow: /"\xEF'
    test_expectations: [ {
        testurl: "/x\'" useragent: "a"
        expected_outcome: DISALLOWED additional_explanation: "why } # "
      }, { testurl: "/y" useragent: "b" expected_outcome: ALLOWED test_type: GOOGLE_SPECIFIC } ]
  },
  { robotstxt: "" test_expectations { testurl: "" useragent: "c" expected_outcome: ALLOWED } }
]`
	got, err := parseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	robots := "User-agent: a\nDisallow: /\"\xef"
	want := []specQuestion{
		{robots: robots, agent: "a", url: "/x'", wanted: "disallow"},
		{robots: robots, agent: "b", url: "/y", wanted: "allow"},
		{robots: "", agent: "c", url: "", wanted: "allow"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("parseSpec returned %q, want %q", got, want)
	}
	if _, err := parseSpec(`testurl: "/x`); err == nil {
		t.Error("parseSpec returned no error for a string without a closing quote")
	}
}
