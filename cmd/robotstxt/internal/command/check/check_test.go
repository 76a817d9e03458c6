package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		about  string
		args   string
		stdout string
		status int
	}{
		{"all allowed", "check --robots " + clitest.Sample + " /tea /robots.txt",
			"allowed     /tea  line 4: Allow: / (group *)\nallowed     /robots.txt  robots.txt itself is always allowed\n", cli.ExitOK},
		{"several agents", "check --agent FooBot --agent FooBot --agent * --robots " + clitest.Sample + " /basket",
			"allowed     FooBot                /basket  no rule matches (group FooBot)\ndisallowed  *                     /basket  line 5: Disallow: /basket (group *)\n", cli.ExitNo},
		{"one disallowed", "check --agent FooBot --robots " + clitest.Sample + " https://shop.example/a.pdf https://shop.example/",
			"disallowed  https://shop.example/a.pdf  line 13: Disallow: /*.pdf$ (group FooBot)\nallowed     https://shop.example/  no rule matches (group FooBot)\n", cli.ExitNo},
		{"flags behind URLs", "check / --agent GreedyBot --robots=" + clitest.Sample,
			"disallowed  /  line 16: Disallow: / (group GreedyBot)\n", cli.ExitNo},
		{"a URL like a flag", "check --robots " + clitest.Sample + " -- /--agent",
			"allowed     /--agent  line 4: Allow: / (group *)\n", cli.ExitOK},
		{"a crawler that ignores the group of *", "check --agent AdsBot-Google --robots " + clitest.Sample + " /basket",
			"allowed     /basket  AdsBot-Google does not obey the group of *\n", cli.ExitOK},
		{"a misspelled key", "check --robots " + clitest.NewFile(t, "User-agent: *\nDisalow: /x\n") + " /x",
			"disallowed  /x  line 2: Disallow: /x (group *; line 2 is written \"Disalow\": most crawlers ignore the line)\n", cli.ExitNo},
		{"JSON of a misspelled key", "check --json --robots " + clitest.NewFile(t, "User-agent: *\nDisalow: /x\n") + " /x",
			`{"url":"/x","agent":"*","token":"*","allowed":false,"reason":"rule matched","line":2,"rule":"Disallow: /x","notes":[{"code":"misspelled-key","text":"line 2 is written \"Disalow\": most crawlers ignore the line"}]}` + "\n", cli.ExitNo},
		{"the second name on a line", "check --agent CCBot --robots " + clitest.NewFile(t, "User-agent: GPTBot, CCBot\nDisallow: /x\n") + " /y",
			"allowed     /y  no rule matches (group CCBot; line 1 has several names: Google and others read only the first)\n", cli.ExitOK},
		{"a URL of which another form is disallowed", "check --robots " + clitest.NewFile(t, "User-agent: *\nDisallow: /private/\n") + " /x/../private/",
			"allowed     /x/../private/  no rule matches (group *; servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it)\n", cli.ExitOK},
		{"JSON without a rule", "check --json --agent FooBot --robots " + clitest.Sample + " /",
			`{"url":"/","agent":"FooBot","token":"FooBot","allowed":true,"reason":"no rule matched","line":0,"rule":""}` + "\n", cli.ExitOK},
	} {
		t.Run(c.about, func(t *testing.T) {
			stdout, stderr, status := runWith("", strings.Fields(c.args)...)
			if diff := cmp.Diff(c.stdout, stdout); diff != "" || stderr != "" || status != c.status {
				t.Errorf("status %d, want %d; standard error %q; output (-want +got):\n%s", status, c.status, stderr, diff)
			}
		})
	}
}

// TestCheckReadsAgent tests the notes on agents that are not product tokens.
func TestCheckReadsAgent(t *testing.T) {
	for agent, want := range map[string]string{
		"FooBot": "",
		"*":      "",
		"Mozilla/5.0 (compatible; FooBot/1.2; +https://foo.example)": "robotstxt check: the agent \"Mozilla/5.0 (compatible; FooBot/1.2; +https://foo.example)\" is read as \"FooBot\"\n",
		"Mozilla/5.0 (Linux) Mobile Safari/537.36; Bytespider":       "robotstxt check: the agent \"Mozilla/5.0 (Linux) Mobile Safari/537.36; Bytespider\" is read as \"Bytespider\"\n",
		"Gogglebot": "robotstxt check: no known crawler has the name \"Gogglebot\" (did you mean Googlebot?)\n",
		"?":         "robotstxt check: the agent \"?\" does not name a crawler and is read as \"*\"\n",
	} {
		if _, stderr, status := runWith("", "check", "--agent", agent, "--robots", clitest.Sample, "/tea"); stderr != want || status != cli.ExitOK {
			t.Errorf("%q: status %d, standard error %q, want %q", agent, status, stderr, want)
		}
	}
}

// TestCheckHeaderWithoutForm tests a header of a well-known crawler whose product token is Mozilla.
func TestCheckHeaderWithoutForm(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: Storebot-Google\nDisallow: /\n")
	const header = "Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.88 Safari/537.36"
	stdout, _, status := runWith("", "check", "--agent", header, "--robots", robots, "/")
	if !strings.HasPrefix(stdout, "disallowed  /  line 2: Disallow: / (group Storebot-Google)\n") || status != cli.ExitNo {
		t.Errorf("status %d, output %q", status, stdout)
	}
}

// TestCheckLines reads URLs from standard input.
func TestCheckLines(t *testing.T) {
	stdout, stderr, status := runWith("/tea\r\n\nbasket\n  /basket", "check", "--robots", clitest.Sample, "/", "-")
	const want = "allowed     /  line 4: Allow: / (group *)\nallowed     /tea  line 4: Allow: / (group *)\ndisallowed  /basket  line 5: Disallow: /basket (group *)\n"
	const wantErr = "robotstxt check: line 3: \"basket\" is neither a URL nor a path (did you mean /basket?)\n"
	if stdout != want || stderr != wantErr || status != cli.ExitError {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
	if stdout, stderr, status := runWith("/tea\n", "check", "--robots", clitest.Sample, "-"); strings.Count(stdout, "\n") != 1 || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
	if _, stderr, status := runWith("", "check", "--robots", "none.txt", "-"); !strings.HasPrefix(stderr, "robotstxt check: open none.txt: ") || status != cli.ExitError {
		t.Errorf("no robots.txt and no lines: status %d, standard error %q", status, stderr)
	}
	if _, stderr, status := runWith(strings.Repeat("/", 2<<20), "check", "--robots", clitest.Sample, "-"); strings.Count(stderr, "\n") != 1 || status != cli.ExitError {
		t.Errorf("a line of 2 MB: status %d, standard error %q", status, stderr)
	}
}

func TestCheckStandardInput(t *testing.T) {
	stdout, stderr, status := runWith("User-agent: *\nDisallow: /\x1b[2J", "check", "--robots", "-", "/\x1b[2J")
	want := `disallowed  "/\x1b[2J"  line 2: "Disallow: /\x1b[2J" (group *)` + "\n"
	if stdout != want || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, got %q and %q, want %q", status, stdout, stderr, want)
	}
}

// TestCheckSearchResults tests that it is said once that search engines can show a disallowed page, as
// https://developers.google.com/search/docs/crawling-indexing/robots/intro says.
func TestCheckSearchResults(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /x\n")
	const note = "            a disallowed page can still appear in search results, without its text; to remove it, allow it and answer with noindex\n"
	for agent, want := range map[string]int{"Googlebot": 1, "GPTBot": 0, "*": 0} {
		if stdout, _, _ := runWith("", "check", "--robots", robots, "--agent", agent, "/y", "/x", "/x/y"); strings.Count(stdout, note) != want {
			t.Errorf("%s: want the note %d times:\n%s", agent, want, stdout)
		}
	}
}
