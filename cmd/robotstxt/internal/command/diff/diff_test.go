package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// runDiff compares two texts.
func runDiff(t *testing.T, old, new string, flags ...string) (stdout, stderr string, status int) {
	t.Helper()
	return runWith(new, append(append([]string{"diff"}, flags...), clitest.NewFile(t, old), "-")...)
}

func TestDiff(t *testing.T) {
	const others = "Crawlers that no group names\n" +
		"  now allowed     /private/  by no rule                (was disallowed by line 2: Disallow: /private/)\n" +
		"  now disallowed  /x?        by line 3: Disallow: /*?  (was allowed by no rule)\n"
	for _, c := range []struct {
		about, old, new, flags, want string
		status                       int
	}{
		{"a rule goes, and one comes", clitest.OldRobots, clitest.NewRobots, "", others, cli.ExitNo},
		{"comments, order, spelling and duplicates", "User-agent: *\nDisallow: /~a\nAllow: /b\n",
			"# new\nuser-agent: *\nAllow: /b # c\nDisallow: /%7ea\nDisallow: /~a\n", "", "", cli.ExitOK},
		{"two groups of crawlers", "User-agent: FooBot\nDisallow:\n" + clitest.OldRobots, clitest.NewRobots, "",
			"FooBot\n" +
				"  now disallowed  /x?  by line 3: Disallow: /*?  (was allowed by no rule)\n\n" +
				strings.ReplaceAll(others, "line 2", "line 4"), cli.ExitNo},
		{"one agent that changes", "User-agent: FooBot\nDisallow:\n" + clitest.OldRobots, clitest.NewRobots, "--agent FooBot",
			"FooBot\n  now disallowed  /x?  by line 3: Disallow: /*?  (was allowed by no rule)\n", cli.ExitNo},
		{"an agent that does not change", clitest.OldRobots, clitest.NewRobots, "--agent AdsBot-Google", "", cli.ExitOK},
		{"agents with the same change, one of them twice", clitest.OldRobots, clitest.NewRobots, "--agent a --agent * --agent b --agent a",
			"a, b, and c" + others[1:], cli.ExitNo},
		{"a pattern that could upset a terminal", "", "User-agent: *\nDisallow: /\x1b[2J", "",
			"Crawlers that no group names\n  now disallowed  /%1B%5B2J  by line 2: \"Disallow: /\\x1b[2J\"  (was allowed by no rule)\n", cli.ExitNo},
	} {
		stdout, stderr, status := runDiff(t, c.old, c.new, strings.Fields(c.flags)...)
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, want %d; standard error %q, output (-want +got):\n%s", c.about, status, c.status, stderr, diff)
		}
	}
}

// TestDiffRecords tests the report about lines that change no verdict.
// TestDiffTrainingToken tests that the policy token, see package aipref, is not taken for a crawler.
func TestDiffTrainingToken(t *testing.T) {
	stdout, _, status := runWith("User-agent: __usage_ai-training\nDisallow: /\n", "diff", "/dev/null", "-")
	if want := "the training of AI models (__usage_ai-training, provisional)\n  now disallowed  /  by line 2: Disallow: /  (was allowed by no rule)\n"; stdout != want || status != cli.ExitNo {
		t.Errorf("status %d, got\n%s\nwant\n%s", status, stdout, want)
	}
}

func TestDiffRecords(t *testing.T) {
	const title, others = "Other lines, which change no verdict\n", ", for crawlers that no group names\n"
	const rule = "User-agent: *\nDisallow: /private/\n"
	for _, c := range []struct{ about, old, new, flags, want string }{
		{"lines that a CDN adds", rule, "User-agent: *\nContent-Signal: search=yes,ai-train=no\nCrawl-delay: 10\nDisallow: /private/\nSitemap: https://shop.example/s.xml\n", "",
			title + "  new   Sitemap: https://shop.example/s.xml  (line 5)\n  new   Content-Signal: search=yes,ai-train=no  (line 2)" + others + "  new   Crawl-delay: 10  (line 3)" + others},
		{"lines that go", rule + "Content-Usage: train-ai=n\nSitemap: /s\nLicense: /l\n", rule, "",
			title + "  gone  Sitemap: /s\n  gone  Content-Usage: train-ai=n" + others + "  gone  License: /l" + others},
		{"a new value", rule + "crawl-delay: 5", rule + "Crawl-Delay: 10", "", title + "  now   Crawl-Delay: 10, was 5  (line 3)" + others},
		{"another spelling of the key", rule + "Crawl-delay: 5", rule + "crawl delay: 5", "", ""},
		{"one more", "Sitemap: /a\nSitemap: /b\n", "Sitemap: /b\nSitemap: /c\nSitemap: /a\n", "", title + "  new   Sitemap: /c  (line 2)\n"},
		{"a line twice", "Sitemap: /a\n", "Sitemap: /a\nSitemap: /a\n", "", ""},
		{"a new line twice", "Sitemap: /a\n", "Sitemap: /a\nSitemap: /b\nSitemap: /b\n", "", title + "  new   Sitemap: /b  (line 2)\n"},
		{"another order, case of keys and place", "Sitemap: /a\nUser-agent: A\nUser-agent: B\nCrawl-delay: 1\nHost: x\n", "User-agent: B\nHOST: x\ncrawl-delay: 1\nUser-agent: a\ncrawl-delay: 1\nHost: x\nSitemap: /a\n", "", ""},
		{"a group of its own loses the lines of *", rule + "Crawl-delay: 5\n", rule + "Crawl-delay: 5\nUser-agent: FooBot\nDisallow: /private/\n", "", title + "  gone  Crawl-delay: 5, for FooBot\n"},
		{"several crawlers", "User-agent: A\nUser-agent: *\nDisallow: /x\n", "User-agent: A\nUser-agent: *\nDisallow: /x\nHost: b\n", "", title + "  new   Host: b  (line 4), for A, and crawlers that no group names\n"},
		{"only one agent", "User-agent: A\nUser-agent: *\nDisallow: /x\n", "User-agent: A\nDisallow: /x\nHost: b\nUser-agent: *\nDisallow: /x\nHost: c\n", "--agent A", title + "  new   Host: b  (line 3), for A\n"},
		{"an agent that * rules", rule, rule + "Host: b\n", "--agent FooBot", title + "  new   Host: b  (line 3), for FooBot\n"},
		{"an agent that follows a group", "User-agent: Yandex\nDisallow: /x\n", "User-agent: Yandex\nDisallow: /x\nHost: b\n", "--agent YandexBot", title + "  new   Host: b  (line 3), for YandexBot\n"},
		{"text that could upset a terminal", "", "Sitemap: /\x1b[2J", "", title + "  new   Sitemap: \"/\\x1b[2J\"  (line 1)\n"},
	} {
		stdout, stderr, status := runDiff(t, c.old, c.new, strings.Fields(c.flags)...)
		if diff := cmp.Diff(c.want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", c.about, status, stderr, diff)
		}
		_, _, status = runDiff(t, c.old, c.new, append(strings.Fields(c.flags), "--records")...)
		if want := map[bool]int{true: cli.ExitNo, false: cli.ExitOK}[c.want != ""]; status != want {
			t.Errorf("%s: with --records, status %d, want %d", c.about, status, want)
		}
	}
	many := "User-agent: *\n"
	for i := range 15 {
		many += fmt.Sprintf("Sitemap: /%d\nHost: %d\n", i, i)
	}
	stdout, _, _ := runDiff(t, many, rule)
	if want := "  gone  Host: 4" + others + "  and 10 more (see --json)\n"; !strings.Contains(stdout, "\n\n"+title) || !strings.HasSuffix(stdout, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", stdout, want)
	}
	stdout, _, _ = runDiff(t, rule, rule+"Host: b\n", "--json")
	if want := `{"changes":[],"records":[{"agents":["*"],"keys":[{"key":"Host","old":[],"new":[{"line":3,"value":"b"}]}]}]}` + "\n"; stdout != want {
		t.Errorf("got %s, want %s", stdout, want)
	}
}

// TestDiffManyRecords tests that the comparison of records stops in files in which many crawlers have
// many records.
func TestDiffManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds")
	}
	var hostile strings.Builder
	for i := range 60 {
		fmt.Fprintf(&hostile, "User-agent: bot%d\nX: %d\n", i, i)
	}
	for i := range 9000 {
		fmt.Fprintf(&hostile, "H%d: 1\n", i)
	}
	stdout, stderr, status := runDiff(t, "User-agent: *\nDisallow:\n", hostile.String()+"Disallow:\n", "--records")
	if !strings.HasSuffix(stdout, " more (see --json)\n  incomplete: the files have too many lines of this kind, so there may be more\n") || stderr != "" || status != cli.ExitError {
		t.Errorf("status %d, standard error %q, the end of the output %q", status, stderr, stdout[max(0, len(stdout)-200):])
	}
}

// TestDiffUndecided tests that the exit status is 2 if a rule of either file takes too long
// to compare, even if a difference was found.
func TestDiffUndecided(t *testing.T) {
	wildcards := "User-agent: *\nAllow: /" + strings.Repeat("a*", 79_999) + "a\n"
	hard := wildcards + "Disallow: /" + strings.Repeat("a", 80_000) + "\n"
	for _, c := range []struct{ old, new, want string }{
		{hard, wildcards, "  undecided, because too complex to compare: old file, line 3: Disallow: /aaa"},
		{wildcards, hard, "  undecided, because too complex to compare: new file, line 3: Disallow: /aaa"},
		{wildcards, hard + "Disallow: /b\n", "  now disallowed  /b  by line 4: Disallow: /b  (was allowed by no rule)\n  undecided, because too complex to compare: new file, line 3"},
		{"User-agent: *\n" + numbered("Allow: /#$\n", 40_000), "User-agent: *\n" + numbered("Disallow: /#\n", 20_000),
			"  incomplete: comparing all rules would take too long, so there may be more differences\n  and "},
	} {
		stdout, stderr, status := runDiff(t, c.old, c.new)
		if !strings.Contains(stdout, c.want) || stderr != "" || status != cli.ExitError {
			t.Errorf("status %d, standard error %q, output %.200q, want %q", status, stderr, stdout, c.want)
		}
	}
}

// numbered repeats a text n times. In each copy, the number of the copy, from 0, replaces "#".
func numbered(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestDiffLong tests that the text output shortens long lists, and that JSON does not.
func TestDiffLong(t *testing.T) {
	const star = "User-agent: *\n"
	for _, c := range []struct {
		about, old, new string
		shown           string // a part of the text output
		times           int    // how often the text output contains shown
		end             string // the end of the text output
		all             int    // the number of differences in JSON
	}{
		{"one line too many is shown", star + numbered("Disallow: /#/\n", 21), star,
			"  now allowed", 21, " (was disallowed by line 22: Disallow: /20/)\n", 21},
		{"two are not", star + numbered("Disallow: /#/\n", 22), star,
			"  now allowed", 20, "  and 2 more differences (see --json)\n", 22},
		{"a few of the other verdict", star + numbered("Disallow: /#/\n", 30), star + "Disallow: /a\n",
			"  now disallowed", 1, "  and 11 more differences (see --json)\n", 31},
		{"many of either verdict", star + numbered("Disallow: /#/\n", 30), star + numbered("Disallow: /a#/\n", 30),
			"  now disallowed", 10, "  and 40 more differences (see --json)\n", 60},
		{"crawlers with one change", numbered("User-agent: a#\n", 15) + "Disallow: /\n", "",
			"a8, a9, 5 more\n", 1, "(was disallowed by line 16: Disallow: /)\n", 1},
		{"groups of crawlers", numbered("User-agent: a#\nDisallow: /#\n", 30), "",
			"  now allowed", 20, "\nand changes for 10 more groups of crawlers (see --json)\n", 30},
	} {
		stdout, stderr, status := runDiff(t, c.old, c.new)
		if strings.Count(stdout, c.shown) != c.times || !strings.HasSuffix(stdout, c.end) || stderr != "" || status != cli.ExitNo {
			t.Errorf("%s: status %d, standard error %q, output:\n%s", c.about, status, stderr, stdout)
		}
		stdout, _, _ = runDiff(t, c.old, c.new, "--json")
		if got := strings.Count(stdout, `{"url":`); got != c.all {
			t.Errorf("%s: %d differences in JSON, want %d", c.about, got, c.all)
		}
	}
}

// TestDiffLongUndecided tests that the text output shortens the list of undecided rules.
func TestDiffLongUndecided(t *testing.T) {
	wildcards := "User-agent: *\nAllow: /" + strings.Repeat("a*", 29_999) + "a\n"
	hard := wildcards
	for i := range 8 {
		hard += "Disallow: /" + strings.Repeat("a", 30_000+i) + "\n"
	}
	stdout, _, status := runDiff(t, wildcards, hard)
	if strings.Count(stdout, "  undecided, because too complex to compare: new file") != 5 || !strings.HasSuffix(stdout, "  and 3 more undecided rules (see --json)\n") || status != cli.ExitError {
		t.Errorf("status %d, output %.2000s", status, stdout)
	}
	stdout, _, status = runDiff(t, wildcards, hard, "--json")
	var view diffView
	if err := json.Unmarshal([]byte(stdout), &view); err != nil || len(view.Changes) != 1 || len(view.Changes[0].UndecidedNew) != 8 ||
		!strings.Contains(stdout, `"differences":[],`) || status != cli.ExitError {
		t.Errorf("status %d, %v, output %.2000s", status, err, stdout)
	}
}

// TestDiffJSONLongRule tests that the output stays small if one long rule decides in many
// differences.
func TestDiffJSONLongRule(t *testing.T) {
	stdout, _, status := runDiff(t, "User-agent: *\n"+numbered("Allow: /#$\n", 500), "User-agent: *\nDisallow: /"+strings.Repeat("*", 100_000)+"\n", "--json")
	end := strings.Repeat("*", 1000-1-len("Disallow: /")) + `…"` // 1000 columns
	if len(stdout) > 1_000_000 || strings.Count(stdout, `"Disallow: /`+end) != 501 || status != cli.ExitNo {
		t.Errorf("status %d, output of %d bytes", status, len(stdout))
	}
}

// TestDiffSites compares the robots.txt files of sites. A site without a file allows
// everything, but a site that fails is an error.
func TestDiffSites(t *testing.T) {
	s, none, down := clitest.NewSite(t, clitest.Writes(clitest.RobotsTxt)), clitest.NewSite(t, http.NotFound), clitest.NewSite(t, clitest.Status(http.StatusServiceUnavailable))
	local := clitest.NewFile(t, clitest.RobotsTxt)
	note := func(path string) string {
		return "robotstxt diff: crawlers read only " + s.URL + "/robots.txt, so " + s.URL + path + " has no effect\n"
	}
	const missing = "/robots.txt: there is no robots.txt (404 Not Found), so crawlers may fetch everything\n"
	for _, c := range []struct {
		about, old, new, stdout, stderr string
		status                          int
	}{
		{"the same", s.URL, local, "", "", cli.ExitOK},
		{"a path", s.URL + "/folder/robots.txt", s.URL + "/moved", "", note("/folder/robots.txt") + note("/moved"), cli.ExitOK},
		{"no file before", none.URL, local, "Crawlers that no group names\n" +
			"  now disallowed  /private  by line 2: Disallow: /private  (was allowed by a missing robots.txt)\n",
			"robotstxt diff: " + none.URL + missing, cli.ExitNo},
		{"no file afterwards", local, none.URL + "/robots.txt", "Crawlers that no group names\n" +
			"  now allowed  /private  by a missing robots.txt  (was disallowed by line 2: Disallow: /private)\n",
			"robotstxt diff: " + none.URL + missing, cli.ExitNo},
		{"a server that fails", down.URL, local, "",
			"robotstxt diff: " + down.URL + "/robots.txt: the server answers 503 Service Unavailable, so crawlers may fetch nothing\n", cli.ExitError},
	} {
		stdout, stderr, status := runWith("", "diff", c.old, c.new)
		if stdout != c.stdout || stderr != c.stderr || status != c.status {
			t.Errorf("%s: status %d, standard error %q, output %q", c.about, status, stderr, stdout)
		}
	}
	s.WantRequests(t, "/robots.txt "+reply.UserAgent, "/folder/robots.txt "+reply.UserAgent, "/moved "+reply.UserAgent, "/folder/robots.txt "+reply.UserAgent)
}

func TestDiffErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "no files given (try: robotstxt diff --help)"},
		{clitest.Sample, "only one file given (try: robotstxt diff --help)"},
		{"a b c", "unexpected argument \"c\" (try: robotstxt diff --help)"},
		{"- -", "the two files cannot both come from standard input"},
		{"testdata/none " + clitest.Sample, "open testdata/none: no such file or directory"},
		{clitest.Sample + " testdata/none", "open testdata/none: no such file or directory"},
		{"--save a b c", "unexpected argument \"c\" (try: robotstxt diff --help)"},
		{"--save a", "no file given (try: robotstxt diff --help)"},
		{"--save - b", "--save -: want the name of a file"},
		{"--save https://shop.example/ b", "--save https://shop.example/: want the name of a file"},
	} {
		stdout, stderr, status := runWith("", append([]string{"diff"}, strings.Fields(c.args)...)...)
		if stdout != "" || stderr != "robotstxt diff: "+c.want+"\n" || status != cli.ExitError {
			t.Errorf("robotstxt diff %s: status %d, output %q, standard error %q, want %q", c.args, status, stdout, stderr, c.want)
		}
	}
}

// TestDiffNotes tests the notes on a file that is not a robots.txt file, and on an agent that
// is read differently.
func TestDiffNotes(t *testing.T) {
	const page = "<!DOCTYPE html>\n<html></html>\n"
	_, stderr, status := runDiff(t, clitest.OldRobots, page)
	if want := "robotstxt diff: <standard input>: the file is an HTML page, which crawlers read as a robots.txt without rules\n"; stderr != want || status != cli.ExitError {
		t.Errorf("status %d, standard error %q, want %q", status, stderr, want)
	}
	stdout, stderr, status := runDiff(t, clitest.OldRobots, clitest.NewRobots, "--agent", "FooBot/2.0")
	if want := "robotstxt diff: the agent \"FooBot/2.0\" is read as \"FooBot\"\n"; stderr != want || !strings.HasPrefix(stdout, "FooBot\n") || status != cli.ExitNo {
		t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
	}
}

// TestDiffSave compares a site with the file that the last run saved.
func TestDiffSave(t *testing.T) {
	var live atomic.Value // the handler of the live file
	site := clitest.NewSite(t, func(w http.ResponseWriter, r *http.Request) { live.Load().(http.HandlerFunc)(w, r) })
	name := filepath.Join(t.TempDir(), "last.txt")
	const change = "Crawlers that no group names\n  now disallowed  /a  by line 2: Disallow: /a  (was allowed by no rule)\n"
	const gone = "Crawlers that no group names\n  now allowed  /a  by a missing robots.txt  (was disallowed by line 2: Disallow: /a)\n"
	const missing = "there is no robots.txt (404 Not Found), so crawlers may fetch everything\n"
	for i, run := range []struct {
		live           http.HandlerFunc
		stdout, stderr string
		status         int
		saved          string
	}{
		{clitest.Writes("# 1\n"), "", "last.txt is new; the next run compares with it\n", cli.ExitOK, "# 1\n"},
		{clitest.Writes("# 2\n"), "", "", cli.ExitOK, "# 2\n"},
		{clitest.Status(http.StatusServiceUnavailable), "", "so crawlers may fetch nothing\n", cli.ExitError, "# 2\n"},
		{clitest.Writes("User-agent: *\nDisallow: /a\n"), change, "", cli.ExitNo, "User-agent: *\nDisallow: /a\n"},
		{clitest.Writes("User-agent: *\nDisallow: /a\n"), "", "", cli.ExitOK, "User-agent: *\nDisallow: /a\n"},
		{clitest.Status(http.StatusForbidden), "", clitest.Refusal + "\n", cli.ExitError, "User-agent: *\nDisallow: /a\n"},
		{clitest.Status(http.StatusUnauthorized), "", "and crawlers may get another answer\n", cli.ExitError, "User-agent: *\nDisallow: /a\n"},
		{clitest.Challenge, "", "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer\n", cli.ExitError, "User-agent: *\nDisallow: /a\n"},
		{clitest.Writes("User-agent: *\nDisallow: /a\n"), "", "", cli.ExitOK, "User-agent: *\nDisallow: /a\n"},
		{http.NotFound, gone, missing, cli.ExitNo, "# " + site.URL + "/robots.txt: " + missing},
		{http.NotFound, "", missing, cli.ExitOK, "# " + site.URL + "/robots.txt: " + missing},
	} {
		live.Store(run.live)
		stdout, stderr, status := runWith("", "diff", "--save", name, site.URL)
		saved, err := os.ReadFile(name)
		if stdout != run.stdout || !strings.HasSuffix(stderr, run.stderr) || run.stderr == "" && stderr != "" || status != run.status || string(saved) != run.saved || err != nil {
			t.Errorf("run %d: status %d, standard error %q, output %q, saved %q, error %v", i+1, status, stderr, stdout, saved, err)
		}
	}
	live.Store(clitest.Writes("User-agent: *\nDisallow: /\n"))
	if status := cli.Execute(clitest.Program(New()), []string{"diff", "--save", name, site.URL}, strings.NewReader(""), clitest.BrokenWriter{}, io.Discard); status != cli.ExitError {
		t.Errorf("a full disk: status %d", status)
	}
	if saved, _ := os.ReadFile(name); !strings.HasPrefix(string(saved), "# ") {
		t.Errorf("changes that could not be printed were saved: %q", saved)
	}
}

// TestDiffRefused tests that a server that refuses the tool is no baseline.
func TestDiffRefused(t *testing.T) {
	site, robots := clitest.NewSite(t, clitest.Status(http.StatusForbidden)), clitest.NewFile(t, "User-agent: *\nDisallow: /a\n")
	for _, args := range [][]string{{site.URL, robots}, {robots, site.URL}} {
		stdout, stderr, status := runWith("", append([]string{"diff"}, args...)...)
		if want := "robotstxt diff: " + site.URL + "/robots.txt: " + clitest.Refusal + "\n"; stdout != "" || stderr != want || status != cli.ExitError {
			t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
		}
	}
}

// TestDiffSaveOther tests that --save replaces only robots.txt files, and only with robots.txt files.
func TestDiffSaveOther(t *testing.T) {
	const page = "<!DOCTYPE html>\n<html></html>\n"
	const other, without = `a text without a line such as "User-agent: *"`, ", which crawlers read as a robots.txt without rules\n"
	shop, parked := clitest.NewSite(t, clitest.Writes(clitest.NewRobots)), clitest.NewSite(t, clitest.Writes(page))
	pageOf404 := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, page)
	})
	t.Chdir(clitest.Folder(t, map[string]string{"page.html": page, "tea.png": "\x89PNG\r\n\x1a\n\x00", "notes": "buy tea\n", "last.txt": clitest.NewRobots, "gone.txt": "# none\n"}))
	for _, c := range []struct {
		name, site, stderr string
		status             int
		saved              string // empty if there must be no file
	}{
		{"page.html", shop.URL, "page.html: the file is an HTML page" + without, cli.ExitError, page},
		{"tea.png", shop.URL, "tea.png: the file is " + other + without, cli.ExitError, "\x89PNG\r\n\x1a\n\x00"},
		{"notes", shop.URL, "notes: the file is " + other + without, cli.ExitError, "buy tea\n"},
		{"last.txt", parked.URL, parked.URL + "/robots.txt: the server answers with an HTML page" + without, cli.ExitError, clitest.NewRobots},
		{"new.txt", parked.URL, parked.URL + "/robots.txt: the server answers with an HTML page" + without, cli.ExitError, ""},
		{"gone.txt", pageOf404.URL, pageOf404.URL + "/robots.txt: there is no robots.txt (404 Not Found), so crawlers may fetch everything\n", cli.ExitOK,
			"# " + pageOf404.URL + "/robots.txt: there is no robots.txt (404 Not Found), so crawlers may fetch everything\n"},
	} {
		_, stderr, status := runWith("", "diff", "--save", c.name, c.site)
		saved, _ := os.ReadFile(c.name)
		if stderr != "robotstxt diff: "+c.stderr || status != c.status || string(saved) != c.saved {
			t.Errorf("%s: status %d, standard error %q, saved %q", c.name, status, stderr, saved)
		}
	}
}

// TestDiffReadings tests the report about a rule that decides as before, but that others now read differently.
func TestDiffReadings(t *testing.T) {
	stdout, stderr, status := runDiff(t, "User-agent: *\nDisallow: /x\n", "User-agent: *\nDisalow: /x\nDisalow: /y\n")
	const want = `Crawlers that no group names
  now disallowed  /y  by line 3: Disallow: /y  (was allowed by no rule)
  in the new file, line 3 is written "Disalow": most crawlers ignore the line
  still disallowed  /x  line 2: Disallow: /x (group *; line 2 is written "Disalow": most crawlers ignore the line) (before: line 2: Disallow: /x (group *))
`
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, (-want +got)\n%s", status, stderr, diff)
	}
}
