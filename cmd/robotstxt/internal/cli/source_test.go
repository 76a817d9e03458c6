package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/spf13/cobra"
)

// TestLoadFile tests that the error about a missing robots.txt says what crawlers may
// fetch.
func TestLoadFile(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	for _, c := range []struct{ path, want, wantErr string }{
		{"", clitest.RobotsTxt, ""},
		{"/robots.txt", clitest.RobotsTxt, ""},
		{"/moved", "User-agent: *\nDisallow: /folder\n", ""},
		{"/none", "", "/none: there is no robots.txt (404 Not Found), so crawlers may fetch everything"},
		{"/busy", "", "/busy: the server answers 503 Service Unavailable, so crawlers may fetch nothing"},
	} {
		r, err := new(cli.Loader).LoadFile(&cobra.Command{}, s.URL+c.path)
		gotErr := ""
		if err != nil {
			gotErr = strings.TrimPrefix(err.Error(), s.URL)
		}
		if string(r.Body) != c.want || gotErr != c.wantErr {
			t.Errorf("%q: %q, %q, want %q, %q", c.path, r.Body, gotErr, c.want, c.wantErr)
		}
	}
}

// TestPathNote tests the note about a file that no crawler reads, because its path is not /robots.txt.
func TestPathNote(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	for path, want := range map[string]string{
		"":                   "",
		"/?a=b":              "",
		"/robots.txt":        "",
		"/none":              "", // there is no file at all
		"/folder/robots.txt": "crawlers read only " + s.URL + "/robots.txt, so " + s.URL + "/folder/robots.txt has no effect",
	} {
		r, err := new(cli.Loader).Load(&cobra.Command{}, s.URL+path)
		if note := r.PathNote(); note != want || err != nil {
			t.Errorf("%q: note %q, %v, want %q", path, note, err, want)
		}
	}
}

func TestRedacted(t *testing.T) {
	for address, want := range map[string]string{
		"https://u:secret@a.example/":             "https://xxxxx@a.example/",
		"https://secret@a.example/":               "https://xxxxx@a.example/",
		"https://a.example/ü":                     "https://a.example/ü",
		"https://[/":                              "https://[/",
		"https://u:p@a.example/x@y":               "https://xxxxx@a.example/x@y",
		"//token@a.example":                       "//xxxxx@a.example",
		`"http://a:b@c@d/%zz" and http://e@f?g@h`: `"http://xxxxx@d/%zz" and http://xxxxx@f?g@h`,
		"https://a.example/@user":                 "https://a.example/@user",
	} {
		if got := reply.Redacted(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

// TestReplace tests that a file keeps its permissions and the symbolic link to it, and that no
// other file is left.
func TestReplace(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{"a/b.txt": "old"})
	file, link := filepath.Join(dir, "a", "b.txt"), filepath.Join(dir, "link.txt")
	if err := os.Chmod(file, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("a", "b.txt"), link); err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := cli.Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("%v: %v, want a link", info, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o604 {
		t.Errorf("%v: %v, want the permissions 604", info, err)
	}
	text, err := os.ReadFile(file)
	if entries, _ := os.ReadDir(filepath.Join(dir, "a")); err != nil || string(text) != "new" || len(entries) != 1 {
		t.Errorf("error %v, text %q, %d files", err, text, len(entries))
	}
}

// TestReplaceError tests that an error names the file, and not the temporary file beside it.
func TestReplaceError(t *testing.T) {
	const name = "/proc/version" // nobody can create files in its folder
	if _, err := os.Stat(name); err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := cli.Replace(name, nil); err == nil || strings.Count(err.Error(), "/proc") != 1 || !strings.HasPrefix(err.Error(), name+": ") {
		t.Errorf("got %v", err)
	}
}
