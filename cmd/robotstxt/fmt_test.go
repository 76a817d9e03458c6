package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const formatted = `User-agent: FooBot
User-agent: *
Crawl-delay: 10
Disallow: /private/
Disallow: /ツ$/
Allow: /tea/*

# The map
Sitemap: https://shop.example/sitemap.xml
`

func TestFmt(t *testing.T) {
	stdout, stderr, status := runWith("", "fmt", mistakes)
	if diff := cmp.Diff(formatted, stdout); diff != "" || stderr != "" || status != exitOK {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", status, stderr, diff)
	}
}

func TestFmtList(t *testing.T) {
	stdout, stderr, status := runWith(formatted, "fmt", "-l", mistakes, "-")
	if stdout != mistakes+"\n" || stderr != "" || status != exitNo {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
	if stdout, _, status := runWith(formatted, "fmt", "-l", "-"); stdout != "" || status != exitOK {
		t.Errorf("formatted already: status %d, output %q", status, stdout)
	}
}

func TestFmtWrite(t *testing.T) {
	data, err := os.ReadFile(mistakes)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if stdout, stderr, status := runWith("", "fmt", "-w", name); stdout+stderr != "" || status != exitOK {
			t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
		}
		got, err := os.ReadFile(name)
		if diff := cmp.Diff(formatted, string(got)); diff != "" || err != nil {
			t.Errorf("error %v, file (-want +got):\n%s", err, diff)
		}
	}
}

// TestFmtTooLarge wants a file to be left alone of which crawlers read only a part.
func TestFmtTooLarge(t *testing.T) {
	data := "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 50000)
	name := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := runWith("", "fmt", "-w", name)
	if stdout != "" || !strings.Contains(stderr, "larger than") || status != exitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != data {
		t.Errorf("error %v, or the file has changed", err)
	}
}
