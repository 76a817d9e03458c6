package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A site is a server that records the path and the User-Agent header of each request.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

// newSite starts a site. The handler serves /robots.txt. The names of the other paths tell
// what they serve.
func newSite(t *testing.T, robots http.HandlerFunc) *site {
	s := &site{}
	mux := http.NewServeMux()
	mux.Handle("/robots.txt", robots)
	mux.Handle("/folder/robots.txt", writes("User-agent: *\nDisallow: /folder\n"))
	mux.Handle("/moved", http.RedirectHandler("/folder/robots.txt", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.Handle("/busy", status(http.StatusServiceUnavailable))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path+" "+r.UserAgent())
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func writes(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// wantRequests checks the requests since its last call.
func (s *site) wantRequests(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	s.asked = nil
}

const robotsTxt = "User-agent: *\nDisallow: /private\n\nUser-agent: FooBot\nAllow: /\n"

// TestCheckSites tests that each robots.txt is fetched once, with the agent that the user
// named.
func TestCheckSites(t *testing.T) {
	one, two := newSite(t, writes(robotsTxt)), newSite(t, http.NotFound)
	urls := []string{one.URL + "/private/x", one.URL, two.URL + "/private", one.URL + "/robots.txt"}
	stdout, stderr, code := runWith("", append([]string{"check"}, urls...)...)
	want := "disallowed  " + urls[0] + "  line 2: Disallow: /private (group *)\n" +
		"allowed     " + urls[1] + "  no rule matches (group *)\n" +
		"allowed     " + urls[2] + "  file unavailable: the server answers 404 Not Found\n" +
		"allowed     " + urls[3] + "  robots.txt itself is always allowed\n"
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || code != exitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", code, stderr, diff)
	}
	one.wantRequests(t, "/robots.txt "+userAgent)
	two.wantRequests(t, "/robots.txt "+userAgent)

	stdout, stderr, code = runWith("", "check", "--agent", "FooBot/2.0", urls[0])
	want = "allowed     " + urls[0] + "  line 5: Allow: / (group FooBot)\n"
	if stdout != want || stderr != "robotstxt check: the agent \"FooBot/2.0\" is read as \"FooBot\"\n" || code != exitOK {
		t.Errorf("status %d, got %q and %q, want %q", code, stdout, stderr, want)
	}
	one.wantRequests(t, "/robots.txt FooBot/2.0")
}

func TestCheckRobotsURL(t *testing.T) {
	s := newSite(t, writes(robotsTxt))
	for _, c := range []struct {
		robots, path, want string
		status             int
	}{
		{"/folder/robots.txt", "/folder", "disallowed  /folder  line 2: Disallow: /folder (group *)", exitNo},
		{"/moved", "/folder", "disallowed  /folder  line 2: Disallow: /folder (group *)", exitNo},
		{"", "/private", "disallowed  /private  line 2: Disallow: /private (group *)", exitNo},
		{"/?a=b", "/private", "disallowed  /private  line 2: Disallow: /private (group *)", exitNo},
		{"/none", "/", "allowed     /  file unavailable: the server answers 404 Not Found", exitOK},
		{"/loop", "/", "allowed     /  file unavailable: the server answers 302 Found", exitOK},
		{"/busy", "/", "disallowed  /  file unreachable: the server answers 503 Service Unavailable", exitError},
		{"/busy", "/robots.txt", "allowed     /robots.txt  robots.txt itself is always allowed", exitOK},
	} {
		stdout, stderr, status := runWith("", "check", "--robots", s.URL+c.robots, c.path)
		if stdout != c.want+"\n" || stderr != "" || status != c.status {
			t.Errorf("%q: status %d, standard error %q, output %q, want %q", c.robots, status, stderr, stdout, c.want)
		}
	}
}

// TestCheckNotRobots tests the message about a site whose /robots.txt is an HTML page.
func TestCheckNotRobots(t *testing.T) {
	s := newSite(t, writes("\n<!DOCTYPE html>\n<title>A shop</title>\n"))
	stdout, stderr, status := runWith("", "check", s.URL+"/x")
	if want := "allowed     " + s.URL + "/x  what was read as robots.txt is not a robots.txt file: it starts with \"<!DOCTYPE html>\"\n"; stdout != want || stderr != "" || status != exitOK {
		t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, want)
	}
	stdout, _, _ = runWith("", "check", "--json", s.URL+"/x")
	if !strings.HasSuffix(stdout, `"not_robots_txt":true}`+"\n") {
		t.Errorf("output %q", stdout)
	}
	for _, command := range []string{"show", "ai"} {
		_, stderr, status := runWith("", command, s.URL)
		if want := "robotstxt " + command + ": this is not a robots.txt file: it starts with \"<!DOCTYPE html>\"\n"; stderr != want || status != exitOK {
			t.Errorf("%s: status %d, standard error %q, want %q", command, status, stderr, want)
		}
	}
}

func TestCheckUnreachable(t *testing.T) {
	s := newSite(t, writes(robotsTxt))
	s.Close()
	for _, args := range [][]string{{s.URL + "/x"}, {"--robots", s.URL + "/r", s.URL + "/x"}} {
		stdout, stderr, status := runWith("", append([]string{"check"}, args...)...)
		start := "disallowed  " + s.URL + "/x  file unreachable: Get \"" + s.URL + "/r"
		if !strings.HasPrefix(stdout, start) || strings.Count(stdout, "\n") != 1 || stderr != "" || status != exitError {
			t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, start)
		}
	}
}

func TestCheckSitesJSON(t *testing.T) {
	s := newSite(t, writes(robotsTxt))
	verdict := func(url, token, allowed, reason, line, rule, robots string) string {
		return fmt.Sprintf(`{"url":%q,"agent":"*","token":%q,"allowed":%s,"reason":%q,"line":%s,"rule":%q,"robots":%q}`+"\n",
			url, token, allowed, reason, line, rule, robots)
	}
	secret := strings.Replace(s.URL, "://", "://user:secret@", 1)
	for _, c := range []struct {
		args   []string
		want   string
		status int
	}{
		{[]string{s.URL + "/private"},
			verdict(s.URL+"/private", "*", "false", "rule matched", "2", "Disallow: /private", s.URL+"/robots.txt"), exitNo},
		{[]string{"--robots", s.URL + "/none", "/x"},
			verdict("/x", "", "true", "file unavailable", "0", "", s.URL+"/none"), exitOK},
		{[]string{"--robots", secret + "/busy", "/x"},
			verdict("/x", "", "false", "file unreachable", "0", "", s.URL+"/busy"), exitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", "--json"}, c.args...)...)
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.args, status, stderr, diff)
		}
	}
}

// TestCheckAsksNobody tests that nothing is fetched if one of the URLs is not complete.
func TestCheckAsksNobody(t *testing.T) {
	s := newSite(t, writes(robotsTxt))
	stdout, stderr, status := runWith("", "check", s.URL, "/x")
	if stdout != "" || strings.Count(stderr, "\n") != 1 || status != exitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	s.wantRequests(t)
}

func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself")
	}
	done := make(chan struct{})
	s := newSite(t, func(http.ResponseWriter, *http.Request) {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
		if err != nil {
			t.Error(err)
		}
		<-done
	})
	defer close(done)
	for _, operand := range []string{s.URL, "-"} {
		start := time.Now()
		stdout, stderr, status := runWith(s.URL+"\n", "check", operand)
		if stdout != "" || stderr != "robotstxt check: interrupt signal received\n" || status != exitError {
			t.Errorf("%s: status %d, output %q, standard error %q", operand, status, stdout, stderr)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: the command ended %v after its start, want at most 5 s", operand, d)
		}
	}
}

// TestReadRobotsURL tests that the error about a missing robots.txt says what crawlers may
// fetch.
func TestReadRobotsURL(t *testing.T) {
	s := newSite(t, writes(robotsTxt))
	for _, c := range []struct{ path, want, wantErr string }{
		{"", robotsTxt, ""},
		{"/robots.txt", robotsTxt, ""},
		{"/moved", "User-agent: *\nDisallow: /folder\n", ""},
		{"/none", "", "/none: the server answers 404 Not Found, so crawlers may fetch everything"},
		{"/busy", "", "/busy: the server answers 503 Service Unavailable, so crawlers may fetch nothing"},
	} {
		data, err := readRobots(newShowCommand(), s.URL+c.path)
		gotErr := ""
		if err != nil {
			gotErr = strings.TrimPrefix(err.Error(), s.URL)
		}
		if string(data) != c.want || gotErr != c.wantErr {
			t.Errorf("%q: %q, %q, want %q, %q", c.path, data, gotErr, c.want, c.wantErr)
		}
	}
}

func TestAIURL(t *testing.T) {
	s := newSite(t, writes("User-agent: *\nDisallow: /\n"))
	stdout, stderr, status := runWith("", "ai", s.URL)
	if !strings.Contains(stdout, "fetch: no") || stderr != "" || status != exitOK {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	s.Close()
	stdout, stderr, status = runWith("", "ai", s.URL)
	if stdout != "" || !strings.HasSuffix(stderr, ", so crawlers may fetch nothing\n") || status != exitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
}

func TestRedacted(t *testing.T) {
	for address, want := range map[string]string{
		"https://u:secret@a.example/": "https://u:xxxxx@a.example/",
		"https://a.example/ü":         "https://a.example/ü",
		"https://[/":                  "https://[/",
	} {
		if got := redacted(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

// TestReplace tests that a file keeps its permissions and the symbolic link to it, and that no
// other file is left.
func TestReplace(t *testing.T) {
	dir := folder(t, map[string]string{"a/b.txt": "old"})
	file, link := filepath.Join(dir, "a", "b.txt"), filepath.Join(dir, "link.txt")
	if err := os.Chmod(file, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("a", "b.txt"), link); err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := replace(link, []byte("new")); err != nil {
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
	if err := replace(name, nil); err == nil || strings.Count(err.Error(), "/proc") != 1 || !strings.HasPrefix(err.Error(), name+": ") {
		t.Errorf("got %v", err)
	}
}
