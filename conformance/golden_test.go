package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/robotstxt-go/robotstxt/internal/golden"
)

const smallCases = "testdata/cases"

// TestExportedText compares exported files with a golden file.
func TestExportedText(t *testing.T) {
	folder := t.TempDir()
	var out, errs bytes.Buffer
	if status := command([]string{"export", "-testdata", smallCases, folder}, nil, &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var got bytes.Buffer
	for _, name := range []string{"rfc9309/rules.json", "google/status.json", "ours/places.json"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "-- %s --\n%s", name, data)
	}
	golden.Check(t, "exported.golden", got.String())
}

// TestExportFails tests the errors for files that cannot be written.
func TestExportFails(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "ours/places.json")
	if err := os.MkdirAll(name, 0o777); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := command([]string{"export", "-testdata", smallCases, folder}, nil, &out, &errs)
	if want := fmt.Sprintf("conformance: open %s: is a directory\n", name); status != 2 || errs.String() != want || out.Len() > 0 {
		t.Errorf("got status %d and error %q, want 2 and %q", status, &errs, want)
	}
	errs.Reset()
	status = command([]string{"export", "-testdata", smallCases, "golden_test.go/folder"}, nil, &out, &errs)
	if want := "conformance: mkdir golden_test.go: not a directory\n"; status != 2 || errs.String() != want {
		t.Errorf("export into a folder below a file: got status %d and error %q, want 2 and %q", status, &errs, want)
	}
}

// TestPrinted compares the output of runs, and the help, with a golden file.
func TestPrinted(t *testing.T) {
	var got bytes.Buffer
	run := func(adapter string, args ...string) {
		setAdapter(t, adapter)
		var out, errs bytes.Buffer
		status := command(args, nil, &out, &errs)
		for i, arg := range args {
			if arg == os.Args[0] {
				args[i] = "ADAPTER"
			}
		}
		fmt.Fprintf(&got, "-- adapter %q, arguments %q: status %d --\n%s%s", adapter, args, status, &out, &errs)
	}
	for _, adapter := range []string{"right", "allow", "error 5", "skip 5"} {
		run(adapter, "run", "-testdata", smallCases, "-levels", "rfc,google,ours", "--", os.Args[0])
	}
	run("allow", "run", "-testdata", smallCases, "-brief", "--", os.Args[0])
	run("", "run", "-testdata", smallCases, "-levels", "ours", "--", os.Args[0])
	run("", "run", "-h")
	run("", "export", "-h")
	run("")
	golden.Check(t, "printed.golden", got.String())
}
