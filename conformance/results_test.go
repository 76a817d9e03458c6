package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestResults tests that the tables have a column for each adapter that runs, and that
// standard error names the adapters that do not run.
func TestResults(t *testing.T) {
	setAdapter(t, "allow 5")
	t.Setenv("ADAPTER", os.Args[0])
	list := filepath.Join(t.TempDir(), "adapters.txt")
	text := "# a comment: not an adapter\nfirst: $ADAPTER\n\nmissing: no-such-adapter\nunset: $NO_SUCH_VARIABLE\nsecond: $ADAPTER again\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := command([]string{"results", "-testdata", testdata, list}, nil, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	for _, want := range []string{"SKIPPED missing: ", "SKIPPED unset: the adapter does not start: its command is empty; perhaps an environment variable is not set\n"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("standard error does not contain %q: %s", want, &errs)
		}
	}
	results, err := ask(&adapter{command: []string{os.Args[0]}, timeout: time.Minute, stderr: os.Stderr}, mustReadTopics(t))
	if err != nil {
		t.Fatal(err)
	}
	sum, topic := total("rfc", results), results[0]
	for _, want := range []string{
		"|  | first | second |\n|---|---|---|\n",
		row("`rfc`: right", share(sum.passed, sum.passed+sum.failed)),
		row("`rfc`: open questions with the same verdict as robotstxt", share(sum.agreed, sum.open)),
		row("answers that name the same line as robotstxt", share(total("", results).rightLines, total("", results).lines)),
		"| topic | first | second |\n",
		row(topic.topic.Topic, share(topic.passed, topic.passed+topic.failed)),
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the tables do not contain %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "| ours/") {
		t.Error("the table lists topics of the level ours")
	}
}

// row returns a row of a table with the same result in both columns.
func row(first, cell string) string { return fmt.Sprintf("| %s | %s | %s |\n", first, cell, cell) }

func TestResultsErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "adapters.txt")
	if err := os.WriteFile(empty, []byte("missing: no-such-adapter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"no-such-file"}, {empty}, {"-no-such-flag"}} {
		var out, errs bytes.Buffer
		if status := command(append([]string{"results", "-testdata", testdata}, args...), nil, &out, &errs); status != 2 || out.Len() > 0 {
			t.Errorf("results %v: got status %d and output %q, want 2 and no output", args, status, &out)
		}
	}
}

func mustReadTopics(t *testing.T) []topic {
	t.Helper()
	topics, err := readTopics(testdata)
	if err != nil {
		t.Fatal(err)
	}
	return topics
}
