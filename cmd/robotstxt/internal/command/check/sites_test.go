package check

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// TestCheckSites tests that each robots.txt is fetched once, with the agent that the user
// named.
func TestCheckSites(t *testing.T) {
	one, two := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt)), clitest.NewSite(t, http.NotFound)
	urls := []string{one.URL + "/private/x", one.URL, two.URL + "/private", one.URL + "/robots.txt"}
	stdout, stderr, code := runWith("", append([]string{"check"}, urls...)...)
	want := "disallowed  " + urls[0] + "  line 2: Disallow: /private (group *)\n" +
		"allowed     " + urls[1] + "  no rule matches (group *)\n" +
		"allowed     " + urls[2] + "  file unavailable: the server answers 404 Not Found\n" +
		"allowed     " + urls[3] + "  robots.txt itself is always allowed\n"
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || code != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", code, stderr, diff)
	}
	one.WantRequests(t, "/robots.txt "+cli.UserAgent)
	two.WantRequests(t, "/robots.txt "+cli.UserAgent)

	stdout, stderr, code = runWith("", "check", "--agent", "FooBot/2.0", urls[0])
	want = "allowed     " + urls[0] + "  line 5: Allow: / (group FooBot)\n"
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
		{"/none", "/", "allowed     /  file unavailable: the server answers 404 Not Found", cli.ExitOK},
		{"/loop", "/", "allowed     /  file unavailable: the server answers 302 Found", cli.ExitOK},
		{"/busy", "/", "disallowed  /  file unreachable: the server answers 503 Service Unavailable", cli.ExitError},
		{"/busy", "/robots.txt", "allowed     /robots.txt  robots.txt itself is always allowed", cli.ExitOK},
	} {
		stdout, stderr, status := runWith("", "check", "--robots", s.URL+c.robots, c.path)
		if stdout != c.want+"\n" || stderr != "" || status != c.status {
			t.Errorf("%q: status %d, standard error %q, output %q, want %q", c.robots, status, stderr, stdout, c.want)
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
		{"", "/x", "unknown     URL  " + clitest.Refusal + clitest.RefusalHint, cli.ExitError},
		{"", "/robots.txt", "allowed     URL  robots.txt itself is always allowed", cli.ExitOK},
		{"--robots " + s.URL, "/x", "unknown     URL  " + clitest.Refusal + clitest.RefusalHint, cli.ExitError},
		{"--missing-403", "/x", "allowed     URL  file unavailable: the server answers 403 Forbidden", cli.ExitOK},
		{"--json", "/x", `{"url":"URL","agent":"*","token":"","allowed":true,"reason":"file unavailable","line":0,"rule":"","robots":"` + s.URL + `/robots.txt","refused":true}`, cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", s.URL + c.path}, strings.Fields(c.flags)...)...)
		if want := strings.ReplaceAll(c.want, "URL", s.URL+c.path) + "\n"; stdout != want || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output %q, want %q", c.flags, status, stderr, stdout, want)
		}
	}
}

func TestCheckUnreachable(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
	s.Close()
	for _, args := range [][]string{{s.URL + "/x"}, {"--robots", s.URL + "/r", s.URL + "/x"}} {
		stdout, stderr, status := runWith("", append([]string{"check"}, args...)...)
		start := "disallowed  " + s.URL + "/x  file unreachable: Get \"" + s.URL + "/r"
		if !strings.HasPrefix(stdout, start) || strings.Count(stdout, "\n") != 1 || stderr != "" || status != cli.ExitError {
			t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, start)
		}
	}
}

func TestCheckSitesJSON(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt))
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
			verdict(s.URL+"/private", "*", "false", "rule matched", "2", "Disallow: /private", s.URL+"/robots.txt"), cli.ExitNo},
		{[]string{"--robots", s.URL + "/none", "/x"},
			verdict("/x", "", "true", "file unavailable", "0", "", s.URL+"/none"), cli.ExitOK},
		{[]string{"--robots", secret + "/busy", "/x"},
			verdict("/x", "", "false", "file unreachable", "0", "", s.URL+"/busy"), cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", "--json"}, c.args...)...)
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.args, status, stderr, diff)
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
