package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSONDoc runs the commands that docs/json.md shows, and compares their output, with line
// breaks added, with the document. With -update, it rewrites the document.
func TestJSONDoc(t *testing.T) {
	t.Chdir("../..")
	const name = "docs/json.md"
	document, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```console\n\\$ robotstxt (.*?)\n.*?```\n")
	got := example.ReplaceAllStringFunc(string(document), func(block string) string {
		args := example.FindStringSubmatch(block)[1]
		stdout, stderr, _ := runWith("", strings.Fields(args)...)
		if stderr != "" {
			t.Errorf("robotstxt %s: standard error %q", args, stderr)
		}
		return "```console\n$ robotstxt " + args + "\n" + indented(t, stdout) + "```\n"
	})
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(withoutCounts(string(document)), withoutCounts(got)); diff != "" {
		t.Errorf("%s (-document +output):\n%s", name, diff)
	}
}

// withoutCounts replaces the number of the well-known AI crawlers, and long lists of them, with "#",
// because they grow.
func withoutCounts(output string) string {
	return aiList.ReplaceAllString(aiCount.ReplaceAllString(output, "#$1"), " for #")
}

var (
	aiCount = regexp.MustCompile(`\b[0-9]+(\s+AI\s+crawlers)`)
	aiList  = regexp.MustCompile(` for [\w., -]+ and [0-9]+ more\b`)
)

// indented adds line breaks to each JSON value of an output.
func indented(t *testing.T, output string) string {
	t.Helper()
	var b bytes.Buffer
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(output, "{\n") { // the output has one value a line
			if err := json.Indent(&b, []byte(strings.TrimSpace(line)), "", "  "); err != nil {
				t.Fatal(err)
			}
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
