package check

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// TestCheckSites tests that each robots.txt is fetched once, with the agent that the user
// named.
func TestCheckSites(t *testing.T) {
	one, two := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt)), clitest.NewSite(t, http.NotFound)
	urls := []string{one.URL + "/private/x", one.URL, two.URL + "/private", one.URL + "/robots.txt"}
	stdout, stderr, code := runWith("", append([]string{"check"}, urls...)...)
	response := "            " + one.URL + "/robots.txt: 200 OK, text/plain; charset=utf-8, 62 bytes\n"
	want := "disallowed  " + urls[0] + "  line 2: Disallow: /private (group *)\n" + response +
		"allowed     " + urls[1] + "  no rule matches (group *)\n" +
		"allowed     " + urls[2] + "  there is no robots.txt (404 Not Found), so crawlers may fetch everything\n" +
		"            " + two.URL + "/robots.txt: 404 Not Found\n" +
		"allowed     " + urls[3] + "  robots.txt itself is always allowed\n"
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || code != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", code, stderr, diff)
	}
	one.WantRequests(t, "/robots.txt "+reply.UserAgent)
	two.WantRequests(t, "/robots.txt "+reply.UserAgent)

	stdout, stderr, code = runWith("", "check", "--agent", "FooBot/2.0", urls[0])
	want = "allowed     " + urls[0] + "  line 5: Allow: / (group FooBot)\n" + response
	if stdout != want || stderr != "robotstxt check: the agent \"FooBot/2.0\" is read as \"FooBot\"\n" || code != cli.ExitOK {
		t.Errorf("status %d, got %q and %q, want %q", code, stdout, stderr, want)
	}
	one.WantRequests(t, "/robots.txt FooBot/2.0")
}

func TestCheckRobotsURL(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	for _, c := range []struct {
		robots, path, want string
		status             int
	}{
		{"/folder/robots.txt", "/folder", "disallowed  /folder  line 2: Disallow: /folder (group *)", cli.ExitNo},
		{"/moved", "/folder", "disallowed  /folder  line 2: Disallow: /folder (group *)", cli.ExitNo},
		{"", "/private", "disallowed  /private  line 2: Disallow: /private (group *)", cli.ExitNo},
		{"/?a=b", "/private", "disallowed  /private  line 2: Disallow: /private (group *)", cli.ExitNo},
		{"/none", "/", "allowed     /  there is no robots.txt (404 Not Found), so crawlers may fetch everything", cli.ExitOK},
		{"/loop", "/", "allowed     /  too many redirects, so crawlers may fetch everything", cli.ExitError},
		{"/busy", "/", "disallowed  /  the server answers 503 Service Unavailable, so crawlers may fetch nothing", cli.ExitError},
		{"/busy", "/robots.txt", "allowed     /robots.txt  robots.txt itself is always allowed", cli.ExitOK},
	} {
		stdout, stderr, status := runWith("", "check", "--robots", s.URL+c.robots, c.path)
		if stdout, _, _ = strings.Cut(stdout, "\n"); stdout != c.want || status != c.status {
			t.Errorf("%q: status %d, output %q, want %q", c.robots, status, stdout, c.want)
		}
		isNoted := strings.Contains(stderr, "crawlers read only "+s.URL+"/robots.txt, so "+s.URL+c.robots+" has no effect")
		if wantNote := c.robots == "/folder/robots.txt" || c.robots == "/moved"; isNoted != wantNote || !isNoted && stderr != "" {
			t.Errorf("%q: standard error %q, want the note that crawlers do not read the file: %t", c.robots, stderr, wantNote)
		}
	}
}

// TestCheckRefused tests that the verdict is unknown if the server refuses the tool.
func TestCheckRefused(t *testing.T) {
	s := clitest.NewSite(t, clitest.Status(http.StatusForbidden))
	for _, c := range []struct {
		flags, path, want string
		status            int
	}{
		{"", "/x", "unknown     URL  " + clitest.Refusal, cli.ExitError},
		{"", "/robots.txt", "allowed     URL  robots.txt itself is always allowed", cli.ExitOK},
		{"--robots " + s.URL, "/x", "unknown     URL  " + clitest.Refusal, cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", s.URL + c.path}, strings.Fields(c.flags)...)...)
		if want := strings.ReplaceAll(c.want, "URL", s.URL+c.path) + "\n            " + s.URL + "/robots.txt: 403 Forbidden\n"; stdout != want || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output %q, want %q", c.flags, status, stderr, stdout, want)
		}
	}
	stdout, _, status := runWith("", "check", "--json", s.URL+"/x")
	if !strings.Contains(stdout, `"allowed":true,"reason":"file unavailable","line":0,"rule":"","refused":true,`) || !strings.Contains(stdout, `"state":"refused","why":"`+clitest.Refusal+`","status":403,`) || status != cli.ExitError {
		t.Errorf("--json: status %d, output %s", status, stdout)
	}
	// AWS WAF answers with a page for browsers, and a status that looks like success.
	wall := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Amzn-Waf-Action", "challenge")
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, "<!DOCTYPE html><title>Human Verification</title>")
	})
	stdout, _, status = runWith("", "check", wall.URL+"/x")
	want := "unknown     " + wall.URL + "/x  the server refuses this tool (x-amzn-waf-action: challenge), and crawlers may get another answer\n"
	if !strings.HasPrefix(stdout, want) || status != cli.ExitError {
		t.Errorf("a challenge with status 202: status %d, output %s, want %s", status, stdout, want)
	}
}

// TestCheckResponse tests the line about the response: redirects, type and size. It is printed once
// for each robots.txt, and not for URLs on standard input.
func TestCheckResponse(t *testing.T) {
	with := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{contentType}
			io.WriteString(w, body)
		}
	}
	other := clitest.NewSite(t, with("text/plain", "#"))
	for _, c := range []struct {
		about  string
		robots http.HandlerFunc
		want   string
	}{
		{"a page", with("text/html; charset=utf-8", "<p>"), "200 OK, text/html; charset=utf-8 (should be text/plain), 3 bytes"},
		{"no type", with("", "#"), "200 OK, no Content-Type (should be text/plain), 1 byte"},
		{"a redirect", http.RedirectHandler(other.URL+"/robots.txt", http.StatusMovedPermanently).ServeHTTP, "redirected to " + other.URL + "/robots.txt, 200 OK, text/plain, 1 byte"},
		{"a redirect to a missing file", http.RedirectHandler(other.URL+"/none", http.StatusMovedPermanently).ServeHTTP, "redirected to " + other.URL + "/none, 404 Not Found"},
		{"the largest size", with("text/plain", strings.Repeat("#\n", robotstxt.SizeLimit/2)), "200 OK, text/plain, 512000 bytes"},
		{"too large", with("text/plain", strings.Repeat("#\n", robotstxt.SizeLimit/2)+"#"), "200 OK, text/plain, more than 500 KiB (crawlers may ignore the rest)"},
		{"a failure", clitest.Status(http.StatusServiceUnavailable), "503 Service Unavailable"},
		{"a refusal", clitest.Challenge, "403 Forbidden"},
	} {
		s := clitest.NewSite(t, c.robots)
		stdout, _, _ := runWith("", "check", s.URL+"/x", s.URL+"/y")
		line := "            " + s.URL + "/robots.txt: " + c.want
		if lines := strings.Split(stdout, "\n"); len(lines) != 4 || lines[1] != line {
			t.Errorf("%s: got\n%s\nwant the second line\n%s", c.about, stdout, line)
		}
		if stdout, _, _ := runWith(s.URL+"/x\n", "check", "-"); strings.Count(stdout, "\n") != 1 {
			t.Errorf("%s: standard input: got\n%s", c.about, stdout)
		}
	}
	stdout, _, _ := runWith("", "check", "--json", other.URL)
	if want := `"reply":{"url":"` + other.URL + `/robots.txt","state":"file","status":200,"final_url":"` + other.URL + `/robots.txt","content_type":"text/plain","bytes":1,"too_long":false}}`; !strings.Contains(stdout, want) {
		t.Errorf("got %s, want %s", stdout, want)
	}
}

func TestCheckUnreachable(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	s.Close()
	for _, args := range [][]string{{s.URL + "/x"}, {"--robots", s.URL + "/r", s.URL + "/x"}} {
		stdout, stderr, status := runWith("", append([]string{"check"}, args...)...)
		start := "disallowed  " + s.URL + "/x  the server refuses connections, so crawlers may fetch nothing\n"
		if !strings.HasPrefix(stdout, start) || strings.Count(stdout, "\n") != 1 || stderr != "" || status != cli.ExitError {
			t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, start)
		}
	}
}

func TestCheckSitesJSON(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	verdict := func(url, token, allowed, reason, line, rule, robots string) string {
		return fmt.Sprintf(`{"url":%q,"agent":"*","token":%q,"allowed":%s,"reason":%q,"line":%s,"rule":%q,"reply":{"url":%q,"state":"`,
			url, token, allowed, reason, line, rule, robots)
	}
	secret := strings.Replace(s.URL, "://", "://user:secret@", 1)
	for _, c := range []struct {
		args   []string
		want   string
		status int
	}{
		{[]string{s.URL + "/private"},
			verdict(s.URL+"/private", "*", "false", "rule matched", "2", "Disallow: /private", s.URL+"/robots.txt"), cli.ExitNo},
		{[]string{"--robots", s.URL + "/none", "/x"},
			verdict("/x", "", "true", "file unavailable", "0", "", s.URL+"/none"), cli.ExitOK},
		{[]string{"--robots", secret + "/busy", "/x"},
			verdict("/x", "", "false", "file unreachable", "0", "", s.URL+"/busy"), cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", "--json"}, c.args...)...)
		if !strings.HasPrefix(stdout, c.want) || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output %s, want the start %s", c.args, status, stderr, stdout, c.want)
		}
	}
}

// TestCheckAsksNobody tests that nothing is fetched if one of the URLs is not complete.
func TestCheckAsksNobody(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	stdout, stderr, status := runWith("", "check", s.URL, "/x")
	if stdout != "" || strings.Count(stderr, "\n") != 1 || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	s.WantRequests(t)
}

func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself")
	}
	done := make(chan struct{})
	s := clitest.NewSite(t, func(http.ResponseWriter, *http.Request) {
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
		if stdout != "" || stderr != "robotstxt check: interrupt signal received\n" || status != cli.ExitError {
			t.Errorf("%s: status %d, output %q, standard error %q", operand, status, stdout, stderr)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: the command ended %v after its start, want at most 5 s", operand, d)
		}
	}
}
