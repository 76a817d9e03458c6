package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const formatted = `User-agent: FooBot
Crawl-delay: 10
User-agent: BarBot
Disallow: /private/
Disallow: /ツ%/
Disallow: /*?tea=
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

// TestFmtDiff tests that --diff prints a unified diff, and the exit status.
func TestFmtDiff(t *testing.T) {
	const want = `--- <standard input>
+++ <standard input> (formatted)
@@ -1,2 +1,2 @@
-user-agent: *
-disalow: /a
+User-agent: *
+Disallow: /a
`
	stdout, stderr, status := runWith("user-agent: *\ndisalow: /a\n", "fmt", "--diff", "-")
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != exitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", status, stderr, diff)
	}
	if stdout, _, _ := runWith("useragent: a\x1bb\n", "fmt", "--diff", "-"); !strings.Contains(stdout, "\n+User-agent: a\x1bb\n") {
		t.Errorf("the diff contains other bytes than the file: %q", stdout)
	}
	if stdout, _, status := runWith(formatted, "fmt", "-d", "-"); stdout != "" || status != exitOK {
		t.Errorf("formatted already: status %d, output %q", status, stdout)
	}
}

// TestFmtNotRobots tests that --write does not change a file that is not a robots.txt file,
// but formats the others.
func TestFmtNotRobots(t *testing.T) {
	const page = "<html>\n  <title>a</title>\n</html>\n"
	dir := folder(t, map[string]string{"a.txt": page, "b.txt": "user-agent: *\n"})
	stdout, stderr, status := runWith("", "fmt", "-w", dir+"/a.txt", dir+"/b.txt")
	if want := "robotstxt fmt: " + dir + "/a.txt: this is not a robots.txt file: it starts with \"<html>\"\n"; stdout != "" || stderr != want || status != exitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	for name, want := range map[string]string{"/a.txt": page, "/b.txt": "User-agent: *\n"} {
		if got, err := os.ReadFile(dir + name); string(got) != want || err != nil {
			t.Errorf("%s: %v, %q, want %q", name, err, got, want)
		}
	}
}

// TestFmtLink tests that --write keeps a symbolic link, and the permissions of its file.
func TestFmtLink(t *testing.T) {
	dir := folder(t, map[string]string{"a/b.txt": "user-agent: *\n"})
	file, link := filepath.Join(dir, "a", "b.txt"), filepath.Join(dir, "link.txt")
	if err := os.Chmod(file, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("a", "b.txt"), link); err != nil {
		t.Skip(err)
	}
	_, stderr, status := runWith("", "fmt", "-w", link)
	info, err := os.Lstat(link)
	if err != nil || info.Mode().Type() != os.ModeSymlink || stderr != "" || status != exitOK {
		t.Errorf("%v: %v; status %d, standard error %q", info, err, status, stderr)
	}
	info, err = os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o604 {
		t.Errorf("%v: %v", info, err)
	}
	if got, _ := os.ReadFile(file); string(got) != "User-agent: *\n" {
		t.Errorf("the file has %q", got)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestFmtTooLarge tests that --write does not change a file that is too large for crawlers.
func TestFmtTooLarge(t *testing.T) {
	data := "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 50000)
	name := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := runWith("", "fmt", "-w", name)
	const want = ": the file is larger than the 500 KiB that crawlers read, or would be after the change\n"
	if stdout != "" || !strings.HasSuffix(stderr, want) || status != exitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != data {
		t.Errorf("error %v, or the file has changed", err)
	}
}
