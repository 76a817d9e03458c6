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
	example := regexp.MustCompile("(?s)```console\n\\$ (.*?)\n.*?```\n")
	got := example.ReplaceAllStringFunc(string(document), func(block string) string {
		line := example.FindStringSubmatch(block)[1]
		command := shell(t, ".", line)
		var stderr strings.Builder
		command.Stderr = &stderr
		stdout, _ := command.Output() // the status is 1 if something is wrong with the file
		if stderr.Len() > 0 {
			t.Errorf("%s: standard error %q", line, stderr.String())
		}
		return "```console\n$ " + line + "\n" + indented(t, string(stdout)) + "```\n"
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

// indented adds line breaks to the JSON values of an output. A list or an object that fits on a line gets none.
func indented(t *testing.T, output string) string {
	t.Helper()
	var result strings.Builder
	decoder := json.NewDecoder(strings.NewReader(output))
	for decoder.More() {
		var value json.RawMessage
		var b bytes.Buffer
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&b, value, "", "  "); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		for i := 0; i < len(lines); i++ {
			line, end := joined(lines[i:])
			if len(line) <= 130 {
				i += end
			} else {
				line = lines[i]
			}
			result.WriteString(line + "\n")
		}
	}
	return result.String()
}

// joined joins the lines of the list or object that starts in the first line, and returns the index of its last line.
func joined(lines []string) (line string, end int) {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	line = lines[0]
	for strings.HasSuffix(lines[0], "{") || strings.HasSuffix(lines[0], "[") {
		end++
		next := strings.TrimLeft(lines[end], " ")
		if strings.HasSuffix(line, ",") {
			line += " "
		}
		line += next
		if indent(lines[end]) == indent(lines[0]) {
			break
		}
	}
	return line, end
}
