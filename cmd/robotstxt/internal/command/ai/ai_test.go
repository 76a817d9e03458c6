package ai

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// TestAIText tests that crawlers with the same answer are shown together, with the numbers of
// the lines that give it, and that no line of the output is wider than cli.DefaultColumns.
func TestAIText(t *testing.T) {
	stdout, stderr, status := runWith("", "ai", "testdata/ai.txt")
	for _, want := range []string{
		"/; the file refuses training to\nall AI crawlers.\n\nfetch: yes   training: no   search: yes   input: -   use: reference   tdm: no\n" +
			"  lines                 9, 10, 11\n  training              ",
		"\n  not listed            any other\n",
		"Bytespider (undocumented)", "\n  unknown               ", "anthropic-ai (retired)",
		"\nfetch: no   training: no   search: -   input: -\n  lines                 5, 6\n  training              GPTBot\n\n",
		"\nline 2: Content-Signal: ai-train=no (ignored: above the first user-agent line)\n" +
			"line 1: License: https://example.com/license.xml\n",
	} {
		if strings.Count(stdout, want) != 1 || stderr != "" || status != cli.ExitOK {
			t.Errorf("status %d, standard error %q, output without %q:\n%s", status, stderr, want, stdout)
		}
	}
	for _, agent := range aiAgents() {
		if agent.Token != "*" && strings.Count(stdout, " "+agent.Token) == 0 {
			t.Errorf("%s is missing in\n%s", agent.Token, stdout)
		}
	}
	for line := range strings.Lines(stdout) {
		if len(line) > cli.DefaultColumns+len("\n") {
			t.Errorf("a line of %d columns, want at most %d: %s", len(line)-1, cli.DefaultColumns, line)
		}
	}
}

// TestAILines tests that each agent has its own line numbers if agents have the same answer
// from different lines.
func TestAILines(t *testing.T) {
	stdout, _, _ := runWith("User-agent: GPTBot\nDisallow: /\nUser-agent: CCBot\nDisallow: /\n", "ai", "-")
	if want := "fetch: no   training: -   search: -   input: -\n  training              CCBot (4), GPTBot (2)\n"; !strings.Contains(stdout, want) {
		t.Errorf("output without %q:\n%s", want, stdout)
	}
}

func TestAIAgentAndPage(t *testing.T) {
	const robots = "User-agent: GPTBot\nDisallow: /\nAllow: /press/\nUser-agent: *\nAllow: /\n"
	for _, c := range []struct{ args, want, wantErr string }{
		{"--agent gptbot - /press/x", "page: /press/x\n\nfetch: yes   training: -   search: -   input: -\n  lines                 3\n  training              GPTBot\n", ""},
		{"- https://shop.example/a --agent GPTBot/1.1", "page: https://shop.example/a\n\nfetch: no   training: -   search: -   input: -\n  lines                 2\n  training              GPTBot\n",
			"robotstxt ai: the agent \"GPTBot/1.1\" is read as \"GPTBot\"\n"},
		{"- --agent FooBot", "page: /\n\nfetch: yes   training: -   search: -   input: -\n  lines                 5\n  not listed            FooBot\n", ""},
	} {
		stdout, stderr, status := runWith(robots, append([]string{"ai"}, strings.Fields(c.args)...)...)
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != c.wantErr || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.args, status, stderr, diff)
		}
	}
}

// TestAIJSON tests that no list is null.
func TestAIJSON(t *testing.T) {
	if out, _, _ := runWith("", "ai", "--json", "-"); strings.Contains(out, "null") {
		t.Errorf("null in the answer for an empty file: %s", out)
	}
	out, _, _ := runWith("User-agent: __usage_ai-training\nDisallow: /\n", "ai", "--json", "--agent", "GPTBot", "-")
	var got aiJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := answers.Preference{Value: "disallow", Mechanism: "__usage_ai-training, provisional", Line: 2}
	if got.Agents[0].Training != want || !strings.HasSuffix(got.Summary, "AI crawlers may fetch /; the file refuses training to all AI crawlers; line 2 is in the group for __usage_ai-training, which is provisional.") {
		t.Errorf("the policy token: %s", out)
	}
}

// TestAIOddBytes tests that control characters in a file are escaped.
func TestAIOddBytes(t *testing.T) {
	out, _, _ := runWith("License: \x1b[31m\nContent-Signal: \x1b\nUser-agent: *\nContent-Signal: \x1b=no\n", "ai", "-")
	if strings.ContainsRune(out, '\x1b') {
		t.Errorf("an escape character in %q", out)
	}
}

func TestAIErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"ai"}, "no file given"},
		{"a page like a file", []string{"ai", "testdata/ai.txt", "b"}, "did you mean /b?"},
		{"three operands", []string{"ai", "a", "/b", "/c"}, `unexpected argument "/c"`},
		{"not there", []string{"ai", "testdata/none.txt"}, "none.txt"},
		{"unknown flag", []string{"ai", "--x", "a"}, "--x"},
	} {
		out, errors, status := runWith("", test.args...)
		if status != cli.ExitError || out != "" || !strings.Contains(errors, test.want) {
			t.Errorf("%s: status %d, output %q, error %q; want %q", test.name, status, out, errors, test.want)
		}
	}
}

// TestAIDoubtfulNames tests the notes on names that no operator documents, and on crawlers that
// may or may not read such a name.
func TestAIDoubtfulNames(t *testing.T) {
	const file = "User-agent: ChatGPT\nUser-agent: GPTBot\nDisallow: /\n"
	stdout, _, _ := runWith(file, "ai", "-")
	const want = "\n\nChatGPT-User: by the group ChatGPT; whether ChatGPT-User reads it is not\ndocumented\n" +
		"line 1: User-agent: ChatGPT (no operator documents that its crawlers read this\nname; did you mean ChatGPT-User?)\n"
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("output %q, want %q at its end", stdout, want)
	}
	stdout, _, _ = runWith(file, "ai", "--json", "-")
	var got aiJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]answers.DoubtfulName{{Line: 1, Name: "ChatGPT", Meant: []string{"ChatGPT-User"}}}, got.Doubtful); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAISetWrite tests that --write replaces the file, and that the status says whether the file then
// says what was chosen.
func TestAISetWrite(t *testing.T) {
	const robots = "User-agent: GPTBot\r\nDisallow: /x\r\n"
	name := clitest.NewFile(t, robots)
	stdout, stderr, status := runWith("", "ai", "--set", "training=no", "--write", name)
	text, err := os.ReadFile(name)
	if err != nil || !strings.HasPrefix(string(text), "# robotstxt ai --set training=no\r\nUser-agent: ") || !strings.HasSuffix(string(text), robots) || !strings.Contains(stdout, "lose access: ") || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, output %s, error %v, file\n%s", status, stderr, stdout, err, text)
	}
	if stdout, stderr, status := runWith("User-agent: GPTBot\nAllow: /x\n", "ai", "--set", "training=no", "-"); !strings.Contains(stdout, "\nDisallow: /\n") || !strings.Contains(stderr, "\nGPTBot may still fetch /x, because of line ") || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output %s", status, stderr, stdout)
	}
	foreign := strings.Replace(string(text), "training=no\r\n", "training=no\r\n# ours\r\n", 1)
	if err := os.WriteFile(name, []byte(foreign), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status = runWith("", "ai", "--set", "training=yes", "--write", name)
	if text, _ := os.ReadFile(name); string(text) != foreign || stdout != "" || !strings.Contains(stderr, ": lines 1 to ") || status != cli.ExitError {
		t.Errorf("a line of the owner's: status %d, standard error %q, output %s, file\n%s", status, stderr, stdout, text)
	}
	if stdout, stderr, status := runWith("", "ai", "--set", "training=no", "--set", "search=no", "-"); !strings.HasPrefix(stdout, "# robotstxt ai --set training=no,search=no\n") || status != cli.ExitOK {
		t.Errorf("--set twice: status %d, standard error %q, output %s", status, stderr, stdout)
	}
	if stdout, stderr, status := runWith("", "ai", "--set", "training=no", "--set", "training=yes", "-"); stdout != "" || !strings.Contains(stderr, "training is given twice") || status != cli.ExitError {
		t.Errorf("--set twice for training: status %d, standard error %q, output %s", status, stderr, stdout)
	}
	if stdout, stderr, status := runWith("User-agent: FooBot\nContent-Signal: ai-train=yes\nAllow: /\n", "ai", "--set", "training=no", "--preferences", "-"); !strings.Contains(stderr, " of the new file still states for FooBot ") || status != cli.ExitNo {
		t.Errorf("a contradicting preference: status %d, standard error %q, output %s", status, stderr, stdout)
	}
	if stdout, stderr, status := runWith("<html>", "ai", "--set", "training=no", "-"); stdout != "" || !strings.Contains(stderr, "<standard input>: the file is an HTML page") || status != cli.ExitError {
		t.Errorf("an HTML page: status %d, standard error %q, output %s", status, stderr, stdout)
	}
}

func TestAIURL(t *testing.T) {
	s := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /\n"))
	stdout, stderr, status := runWith("", "ai", s.URL)
	if !strings.Contains(stdout, "fetch: no") || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	s.Close()
	stdout, stderr, status = runWith("", "ai", s.URL)
	if stdout != "" || !strings.HasSuffix(stderr, ", so crawlers may fetch nothing\n") || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
}
