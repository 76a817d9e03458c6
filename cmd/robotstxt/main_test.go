package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/golden"
)

// runWith runs the command and returns what it printed and its exit status.
func runWith(stdin string, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = run(args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), status
}

// TestAgentSets tests that all commands accept a set of crawlers as --agent.
func TestAgentSets(t *testing.T) {
	ai, _ := crawlers.Set("@ai")
	for _, args := range []string{
		"check --robots " + clitest.Sample + " --agent @ai --agent GPTBot --json /",
		"ai --agent @ai --json " + clitest.Sample,
		"scan --agent @ai --records " + clitest.Sample,
		"diff --agent @ai --json " + clitest.NewFile(t, "User-agent: *\nDisallow: /") + " " + clitest.Sample,
	} {
		stdout, stderr, _ := runWith("", strings.Fields(args)...)
		for _, c := range ai {
			if !strings.Contains(stdout, `"`+c.Token+`"`) {
				t.Errorf("%s: %s is missing", args, c.Token)
			}
		}
		if stderr != "" || strings.Contains(stdout, `"AhrefsBot"`) {
			t.Errorf("%s: standard error %q, output %q", args, stderr, stdout)
		}
	}
	if stdout, _, _ := runWith("", "__complete", "diff", "--agent", "@"); !strings.Contains(stdout, "@search\n") {
		t.Errorf("completion offers %q", stdout)
	}
}

// TestVersion tests that --version prints one line, with the version of Go.
func TestVersion(t *testing.T) {
	out, errs, status := runWith("", "--version")
	if status != cli.ExitOK || errs != "" || !strings.HasPrefix(out, "robotstxt version ") || !strings.HasSuffix(out, ", "+runtime.Version()+"\n") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
}

func TestDescribeBuild(t *testing.T) {
	installed := &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}, GoVersion: "go1.26.8"}
	cloned := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, GoVersion: "go1.26.8",
		Settings: []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123abcd"}}}
	for want, info := range map[string]*debug.BuildInfo{
		"v0.1.0, go1.26.8":                   installed,
		"(devel), commit 0123abcd, go1.26.8": cloned,
	} {
		if got := describeBuild(info); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCompletion tests the scripts for four shells, and the completion of flag values.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if stdout, stderr, status := runWith("", "completion", shell); !strings.Contains(stdout, "robotstxt") || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, output of %d bytes", shell, status, stderr, len(stdout))
		}
	}
	for args, want := range map[string]string{
		"ch":                "check\t",
		"lint --ignore dup": "duplicate-rule\t",
		"ai --agent GPT":    "GPTBot\tOpenAI\n",
	} {
		if stdout, _, _ := runWith("", append([]string{"__complete"}, strings.Split(args, " ")...)...); !strings.Contains(stdout, want) {
			t.Errorf("%q: %q, want %q", args, stdout, want)
		}
	}
}

// TestCannotWrite tests that every command reports an error if it cannot write its output.
func TestCannotWrite(t *testing.T) {
	for _, args := range []string{
		"help", "help lint", "check --robots " + clitest.Sample + " /", "lint " + clitest.Mistakes, "lint --json " + clitest.Mistakes, "lint --format sarif " + clitest.Mistakes,
		"show " + clitest.Sample, "show --json " + clitest.Sample, "diff testdata/ai.txt " + clitest.Sample, "diff --json testdata/ai.txt " + clitest.Sample, "ai " + clitest.Sample, "ai --set training=no " + clitest.Sample, "test --robots " + clitest.Sample + " testdata/expectations.txt", "test --robots " + clitest.Sample + " --write -", "log --robots " + clitest.Sample + " " + clitest.Logs + "nginx.log", "log --json --robots " + clitest.Sample + " " + clitest.Logs + "nginx.log", "scan " + clitest.Sample, "scan --json " + clitest.Sample,
	} {
		var errs bytes.Buffer
		status := run(strings.Fields(args), strings.NewReader(""), clitest.BrokenWriter{}, &errs)
		if status != cli.ExitError || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), io.ErrShortWrite.Error()) {
			t.Errorf("robotstxt %s: status %d, standard error %q", args, status, errs.String())
		}
	}
}

// together returns the error for flags that cannot be used together.
func together(command, flags string) string {
	return fmt.Sprintf("robotstxt %s: %s cannot be used together (try: robotstxt %[1]s --help)\n", command, flags)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "robotstxt: no command given (try: robotstxt --help)\n"},
		{"fetch", "robotstxt: unknown command \"fetch\" for \"robotstxt\"\n"},
		{"check --agent @bots --robots " + clitest.Sample + " /", "robotstxt check: \"@bots\" is not a set of crawlers (want @ai, @search or @all)\n"},
		{"ai --agent @bots " + clitest.Sample, "robotstxt ai: \"@bots\" is not a set of crawlers (want @ai, @search or @all)\n"},
		{"diff --agent @bots " + clitest.Sample + " " + clitest.Sample, "robotstxt diff: \"@bots\" is not a set of crawlers (want @ai, @search or @all)\n"},
		{"scan --agent @bots " + clitest.Sample, "robotstxt scan: \"@bots\" is not a set of crawlers (want @ai, @search or @all)\n"},
		{"chekc", "robotstxt: unknown command \"chekc\" for \"robotstxt\"\n\nDid you mean this?\n\tcheck\n\n"},
		{"robots.txt", "robotstxt: \"robots.txt\" is not a command (did you mean: robotstxt show robots.txt?)\n"},
		{"public/robots.txt --json", "robotstxt: \"public/robots.txt\" is not a command (did you mean: robotstxt show public/robots.txt?)\n"},
		{"https://www.example.com/", "robotstxt: \"https://www.example.com/\" is not a command (did you mean: robotstxt check https://www.example.com/?)\n"},
		{"https://jane:pw@www.example.com/x", "robotstxt: \"https://xxxxx@www.example.com/x\" is not a command (did you mean: robotstxt check https://xxxxx@www.example.com/x?)\n"},
		{"help nosuch", "robotstxt help: unknown command \"nosuch\" for \"robotstxt\"\n"},
		{"log --unverified --robots " + clitest.Sample + " -", "robotstxt log: --unverified has no effect without --fail\n"},
		{"check", "robotstxt check: no URL given (try: robotstxt check --help)\n"},
		{"check https://shop.example/ /tea", "robotstxt check: URL \"/tea\": no scheme (without --robots, give a complete URL, such as https://www.example.com/page)\n"},
		{"check ftp://shop.example/", "robotstxt check: ftp://shop.example/robots.txt: only http and https URLs can be fetched (without --robots, give a complete URL, such as https://www.example.com/page)\n"},
		{"check --robots gopher://shop.example/robots.txt /", "robotstxt check: gopher://shop.example/robots.txt: only http and https URLs can be fetched\n"},
		{"check --robots https:///robots.txt /", "robotstxt check: URL \"https:///robots.txt\": no host\n"},
		{"check --robots testdata/none /", "robotstxt check: open testdata/none: no such file or directory\n"},
		{"check --robots testdata /", "robotstxt check: read testdata: is a directory\n"},
		{"check --robots " + clitest.Sample, "robotstxt check: no URL given (try: robotstxt check --help)\n"},
		{"check --colour /", "robotstxt check: unknown flag: --colour (try: robotstxt check --help)\n"},
		{"check -agent FooBot /", "robotstxt check: unknown shorthand flag: 'a' in -agent (did you mean --agent?)\n"},
		{"check shop.example/x", "robotstxt check: URL \"shop.example/x\": no scheme (did you mean https://shop.example/x?)\n"},
		{"check --robots " + clitest.Sample + " basket", "robotstxt check: \"basket\" is neither a URL nor a path (did you mean /basket?)\n"},
		{"check --robots " + clitest.Sample + " shop.example/x", "robotstxt check: \"shop.example/x\" is neither a URL nor a path (did you mean https://shop.example/x?)\n"},
		{"check --robots - -", "robotstxt check: the robots.txt and the URLs cannot both come from standard input\n"},
		{"check robots.txt /private", "robotstxt check: give the robots.txt file with --robots robots.txt (try: robotstxt check --help)\n"},
		{"tags robots.txt", "robotstxt tags: give the robots.txt file with --robots robots.txt (try: robotstxt tags --help)\n"},
		{"test shop/robots.txt robots.test", "robotstxt test: give the robots.txt file with --robots shop/robots.txt (try: robotstxt test --help)\n"},
		{"log robots.txt access.log", "robotstxt log: give the robots.txt file with --robots robots.txt (try: robotstxt log --help)\n"},
		{"show --robots robots.txt", "robotstxt show: this command is about a robots.txt file, so give it without --robots: robotstxt show robots.txt (try: robotstxt show --help)\n"},
		{"check --json=2 /", "robotstxt check: --json \"2\": want true or false (try: robotstxt check --help)\n"},
		{"ai --write robots.txt", "robotstxt ai: --preferences and --write have no effect without --set (try: robotstxt ai --help)\n"},
		{"ai --set training=no --write -", "robotstxt ai: --write is for files, not for URLs or standard input\n"},
		{"ai --set training robots.txt", "robotstxt ai: --set: \"training\" is not a choice such as training=no (the names are training, search, input and user, the values yes and no)\n"},
		{"ai --set training=no robots.txt /", "robotstxt ai: unexpected argument \"/\": --set is about the whole site (try: robotstxt ai --help)\n"},
		{"ai --set training=no --json robots.txt", together("ai", "--set and --json")},
		{"ai --set training=no --agent GPTBot robots.txt", together("ai", "--set and --agent")},
		{"check / --agent", "robotstxt check: flag needs an argument: --agent (try: robotstxt check --help)\n"},
		{"scan --records --json .", together("scan", "--records and --json")},
		{"sites", "robotstxt sites: no host given (try: robotstxt sites --help)\n"},
		{"sites --timeout 10 a.example", "robotstxt sites: --timeout \"10\": want a time, such as 10s (try: robotstxt sites --help)\n"},
		{"sites --json --csv a.example", together("sites", "--json and --csv")},
	} {
		stdout, stderr, status := runWith("", strings.Fields(c.args)...)
		if stdout != "" || stderr != c.want || status != cli.ExitError {
			t.Errorf("robotstxt %s: status %d, output %q, standard error %q, want %q", c.args, status, stdout, stderr, c.want)
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	name := t.TempDir() + "/robots.txt"
	if err := os.WriteFile(name, nil, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(name); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if stdout, stderr, status := runWith("", "check", "--robots", name, "/"); stdout != "" || strings.Count(stderr, "\n") != 1 || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
}

// digest matches what depends on the time of a file, or on all codes of lint.
var digest = regexp.MustCompile(`"[0-9a-f]{16}"`)

// TestPrinted pins the output of the commands, as text and as JSON. What depends on the number of well-known
// crawlers is left out, so that a new crawler changes no golden file.
func TestPrinted(t *testing.T) {
	const someAgents = " --agent GPTBot --agent ClaudeBot --agent OAI-SearchBot --agent Google-Agent --agent Bytespider --agent anthropic-ai --agent FooBot "
	var got strings.Builder
	for _, args := range []string{
		"check --robots " + clitest.Sample + " --agent FooBot /archive/ /a.pdf /robots.txt", "check --json --robots " + clitest.Sample + " / /basket", "check --sitemap --robots ../../examples/shop/robots.txt ../../examples/shop/sitemap.xml",
		"show " + clitest.Sample, "show --json " + clitest.Sample, "show " + clitest.Preferences, "show --json " + clitest.Preferences,
		"ai" + someAgents + clitest.Preferences, "ai --json --agent GPTBot --agent CCBot " + clitest.Preferences, "ai" + someAgents + clitest.Preferences + " /page", "ai --set user=yes " + clitest.Sample,
		"lint " + clitest.Mistakes, "lint --json " + clitest.Mistakes, "lint --format sarif " + clitest.Mistakes + " " + clitest.Sample, "lint --strict " + clitest.Preferences,
		"diff " + clitest.Preferences + " " + clitest.Sample, "diff --json " + clitest.Preferences + " " + clitest.Sample, "diff --json " + clitest.Sample + " " + clitest.Sample,
		"log --robots " + clitest.Sample + " " + clitest.Logs + "nginx.log " + clitest.Logs + "caddy.jsonl",
		"test --robots " + clitest.Sample + " testdata/expectations.txt", "test --robots " + clitest.Sample + " --write -",
		"scan " + clitest.Sample + " " + clitest.Preferences, "scan --json " + clitest.Preferences, "scan --records --agent FooBot --path /private " + clitest.Sample,
	} {
		stdout, stderr, status := runWith("", strings.Fields(args)...)
		if start, rest, ok := strings.Cut(stdout, "\n            },\n"); ok { // all codes, which package lint has tests of
			_, end, _ := strings.Cut(rest, "\n          ]\n")
			stdout = start + "\n            ...\n" + end
		}
		stdout = withoutCounts(digest.ReplaceAllString(stdout, `"..."`))
		fmt.Fprintf(&got, "# robotstxt %s: status %d\n%s%s\n", args, status, stdout, stderr)
	}
	golden.Check(t, "printed.golden", got.String())
}

// TestReadme runs the commands that the README shows, and compares their output with that in
// the README.
func TestReadme(t *testing.T) {
	blocks := readmeBlocks(t)
	t.Chdir("../..")
	shown := 0
	for i, block := range blocks {
		command, want, _ := strings.Cut(block, "\n")
		args, ok := strings.CutPrefix(command, "$ robotstxt ")
		if !ok {
			if args, ok = strings.CutPrefix(command, "go run ./cmd/robotstxt "); !ok {
				continue
			}
			want = blocks[i+1] // the output is in the next block
		}
		shown++
		stdout, stderr, _ := runWith("", strings.Fields(args)...)
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(stdout, "\n")); diff != "" || stderr != "" {
			t.Errorf("%s: standard error %q, output (-README +got):\n%s", args, stderr, diff)
		}
	}
	if shown == 0 {
		t.Error("the README shows no commands")
	}
}

// readmeBlocks returns the indented blocks of the README. A command starts a new one.
func readmeBlocks(t *testing.T) (blocks []string) {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(readme)) {
		code, indented := strings.CutPrefix(line, "    ")
		if indented && (!inside || strings.HasPrefix(code, "$ ")) {
			blocks = append(blocks, "")
		}
		if inside = indented || inside && line == "\n"; inside {
			blocks[len(blocks)-1] += code
		}
	}
	return blocks
}

// TestFallbackNote tests that all commands say when it is not known whether a crawler reads the group
// that decides.
func TestFallbackNote(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: Claude\nDisallow: /\nUser-agent: Googlebot\nDisallow: /x\n")
	const note = "by the group Claude; whether Claude-User reads it is not documented"
	for _, args := range []string{
		"check --robots " + robots + " --agent Claude-User --agent Googlebot-Image /",
		"check --json --robots " + robots + " --agent Claude-User --agent Googlebot-Image /",
		"ai --json --agent Claude-User --agent Googlebot-Image " + robots,
		"test --robots " + robots + " " + clitest.NewFile(t, "allow Claude-User /\nallow Googlebot-Image /x\n"),
		"tags --robots " + robots + " --url / --agent Claude-User --agent Googlebot-Image " + clitest.Tagged,
	} {
		if stdout, _, _ := runWith("", strings.Fields(args)...); strings.Count(strings.Join(strings.Fields(stdout), " "), note) != 1 || strings.Contains(stdout, "Googlebot-Image reads") {
			t.Errorf("%s prints\n%s\nwant %q once", args, stdout, note)
		}
	}
	stdout, _, _ := runWith(clitest.LogLine("192.0.2.1", "2026-11-01", "/", "Claude-User"), "log", "--robots", robots, "-")
	if !strings.Contains(stdout, note) {
		t.Errorf("log prints\n%s\nwant %q", stdout, note)
	}
}

func TestCommandErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"lint", "robotstxt lint: open robots.txt: no such file or directory\n"},
		{"lint --ignore trailing-stars -", "robotstxt lint: --ignore \"trailing-stars\": there is no such code (docs/lint.md lists all codes)\n"},
		{"lint shop.example/robots", "robotstxt lint: open shop.example/robots: no such file or directory (did you mean https://shop.example/robots?)\n"},
		{"lint --format xml -", "robotstxt lint: --format \"xml\": want sarif or github\n"},
		{"lint --fix -", "robotstxt lint: --fix is for files, not for URLs or standard input\n"},
		{"show", "robotstxt show: no file given (try: robotstxt show --help)\n"},
		{"show testdata/none", "robotstxt show: open testdata/none: no such file or directory\n"},
		{"scan", "robotstxt scan: no folder or file given (try: robotstxt scan --help)\n"},
	} {
		stdout, stderr, status := runWith("", strings.Fields(c.args)...)
		if stdout != "" || stderr != c.want || status != cli.ExitError {
			t.Errorf("robotstxt %s: status %d, output %q, standard error %q, want %q", c.args, status, stdout, stderr, c.want)
		}
	}
}

// TestNotRobots tests the message about a site whose /robots.txt is an HTML page.
func TestNotRobots(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes("\n<!DOCTYPE html>\n<title>A shop</title>\n"))
	stdout, stderr, status := runWith("", "check", s.URL+"/x")
	if want := "allowed     " + s.URL + "/x  the server answers with an HTML page, which crawlers read as a robots.txt without rules\n"; !strings.HasPrefix(stdout, want) || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, want)
	}
	stdout, _, _ = runWith("", "check", "--json", s.URL+"/x")
	if !strings.Contains(stdout, `"state":"not a robots.txt",`) {
		t.Errorf("output %q", stdout)
	}
	for _, command := range []string{"show", "ai"} {
		_, stderr, status := runWith("", command, s.URL)
		if want := "robotstxt " + command + ": " + s.URL + "/robots.txt: the server answers with an HTML page, which crawlers read as a robots.txt without rules\n"; stderr != want || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, want %q", command, status, stderr, want)
		}
	}
}
