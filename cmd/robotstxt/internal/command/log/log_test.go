package log

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/crawlers"
)

// runLog runs "log --json" and returns a line for each crawler in its output.
func runLog(t *testing.T, stdin string, args ...string) (crawlers []string, stderr string, status int) {
	t.Helper()
	stdout, stderr, status := runWith(stdin, append([]string{"log", "--json"}, args...)...)
	var view struct {
		Crawlers []struct {
			Name, Identity       string
			Requests, Disallowed int
		}
	}
	if stdout != "" {
		if err := json.Unmarshal([]byte(stdout), &view); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range view.Crawlers {
		crawlers = append(crawlers, strings.TrimSpace(fmt.Sprintf("%s %d %d %s", c.Name, c.Requests, c.Disallowed, c.Identity)))
	}
	return crawlers, stderr, status
}

func TestLogEmpty(t *testing.T) {
	const nothing = `{"lines":0,"unread":0,"unjudged":0,"first":null,"last":null,"robots_changes":[],"crawlers":[],"others":{"requests":0,"disallowed":0,"unjudged":0,"refused":0,"days":[]}}` + "\n"
	if stdout, stderr, status := runWith("", "log", "--json", "--robots", clitest.Sample, "-"); stdout != nothing || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, got %s", status, stderr, stdout)
	}
}

// TestLogShown tests the flags that limit what is counted and shown.
func TestLogShown(t *testing.T) {
	log := strings.Repeat(clitest.LogLine("192.0.2.1", "2026-11-01", "/basket", "CCBot/2.0"), 3) + strings.Repeat(clitest.LogLine("192.0.2.1", "2026-11-02", "/basket", "Googlebot"), 2) + clitest.LogLine("192.0.2.1", "2026-11-03", "/tea", "AhrefsBot")
	for flags, want := range map[string]string{
		"":                             "CCBot 3 3, Googlebot 2 2, AhrefsBot 1 0",
		"--agent GOOGLEBOT":            "Googlebot 2 2",
		"--agent @ai":                  "CCBot 3 3",
		"--since 2026-11-02":           "Googlebot 2 2, AhrefsBot 1 0",
		"--until 2026-11-02":           "CCBot 3 3, Googlebot 2 2",
		"--since 2026-11-02T00:00:01Z": "AhrefsBot 1 0",
		"--until 2026-11-02T00:00":     "CCBot 3 3",
		"--since 1d":                   "",
	} {
		got, stderr, status := runLog(t, log, append(strings.Fields(flags), "--robots", clitest.Sample, "-")...)
		if strings.Join(got, ", ") != want || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, got %q, want %s", flags, status, stderr, got, want)
		}
	}
	many := ""
	for i := range maxCrawlers + 2 {
		many += clitest.LogLine("192.0.2.1", "2026-11-01", "/", fmt.Sprintf("Bot%d", i))
	}
	stdout, _, _ := runWith(many, "log", "--robots", clitest.Sample, "-")
	if !strings.HasSuffix(stdout, "and 2 more crawlers (see --json)\n") {
		t.Errorf("a report with many crawlers ends with %q", stdout)
	}
	stdout, _, _ = runWith(log, "log", "--agent", "GPTBot", "--agent", "@search", "--until", "2026-11-01", "--robots", clitest.Sample, "-")
	if !strings.Contains(stdout, "\n\nthe logs contain no requests from GPTBot, @search\n\n") || strings.Contains(stdout, "Common") {
		t.Errorf("crawlers that did not come: %q", stdout)
	}
}

// TestLogHosts tests --host on logs of several hosts, and of none.
func TestLogHosts(t *testing.T) {
	log := "a.example:443 " + clitest.LogLine("192.0.2.1", "2026-11-01", "/basket", "FooBot") + "b.example " + clitest.LogLine("192.0.2.1", "2026-11-01", "/basket", "BarBot")
	got, stderr, _ := runLog(t, log, "--robots", clitest.Sample, "-")
	if len(got) != 2 || stderr != "robotstxt log: the logs have requests to several hosts (a.example, b.example); use --host to count only the requests to one of them\n" {
		t.Errorf("%q, standard error %q", got, stderr)
	}
	proxied := strings.ReplaceAll(log, "192.0.2.1", "203.0.113.7, 10.0.0.1")
	proxied = strings.NewReplacer("a.example:443 ", "", "b.example ", "").Replace(proxied)
	if got, stderr, _ := runLog(t, proxied, "--robots", clitest.Sample, "-"); len(got) != 2 || stderr != "" {
		t.Errorf("addresses of proxies: %q, standard error %q", got, stderr)
	}
	got, stderr, _ = runLog(t, log, "--host", "B.example", "--robots", clitest.Sample, "-")
	if len(got) != 1 || stderr != "" {
		t.Errorf("one host: %q, standard error %q", got, stderr)
	}
	got, stderr, status := runLog(t, clitest.LogLine("192.0.2.1", "2026-11-01", "/", "FooBot"), "--host", "b.example", "--robots", clitest.Sample, "-")
	if got != nil || status != cli.ExitError || stderr != "robotstxt log: --host cannot be used, because most lines of the logs name no host\n" {
		t.Errorf("no hosts: status %d, %q, standard error %q", status, got, stderr)
	}
}

// TestLogVersions tests that requests are judged by the file that was in force.
func TestLogVersions(t *testing.T) {
	closed, open := clitest.NewFile(t, "User-agent: *\nDisallow: /\n"), clitest.NewFile(t, "User-agent: *\nAllow: /\n")
	log := clitest.LogLine("192.0.2.1", "2026-10-01", "/", "A") + clitest.LogLine("192.0.2.1", "2026-10-15", "/", "B") + clitest.LogLine("192.0.2.1", "2026-11-15", "/", "C")
	for _, test := range []struct{ robots, want string }{
		{closed, "A 1 1, B 1 1, C 1 1"},
		{open + "@2026-11-01 " + closed, "A 1 1, B 1 1, C 1 0"},
		{closed + "@2026-11-01 " + open, "C 1 1, A 1 0, B 1 0"},
		{closed + "@2026-10-02 " + open + "@2026-11-01T12:00", "B 1 1, A 1 0, C 1 0"},
		{closed + "@2026-11-15", "A 1 0, B 1 0, C 1 0"},
	} {
		var args []string
		for _, robots := range strings.Fields(test.robots) {
			args = append(args, "--robots", robots)
		}
		got, stderr, status := runLog(t, log, append(args, "-")...)
		if strings.Join(got, ", ") != test.want || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, got %q, want %s", test.robots, status, stderr, got, test.want)
		}
	}
	site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /\n"))
	if got, stderr, _ := runLog(t, log, "--robots", site.URL, "-"); strings.Join(got, ", ") != "A 1 1, B 1 1, C 1 1" {
		t.Errorf("a site: %q, standard error %q", got, stderr)
	}
}

// TestLogGit tests --robots git:FILE.
func TestLogGit(t *testing.T) {
	dir := t.TempDir()
	git := func(date string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z", "GIT_COMMITTER_DATE="+date+"T00:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: git %v: %v, %s", args, err, out)
		}
	}
	name := filepath.Join(dir, "public", "robots.txt")
	git("2026-01-01", "init", "-q")
	if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(dir, "public", "other.txt"), "so that the clitest.Folder stays")
	for _, c := range []struct{ date, text string }{{"2026-02-01", "# replaced in the same second\n"}, {"2026-02-01", "User-agent: *\nDisallow: /\n"}, {"2026-04-01", "User-agent: *\nAllow: /\n"}, {"2026-06-01", "# x\nUser-agent: *\nDisallow: /\n"}} {
		clitest.Write(t, name, c.text)
		git(c.date, "add", ".")
		git(c.date, "commit", "-qm", c.date)
	}
	git("2026-08-01", "rm", "-q", "public/robots.txt")
	git("2026-08-01", "commit", "-qm", "none")
	log := ""
	for i, day := range []string{"2026-01-15", "2026-03-01", "2026-05-01", "2026-07-01", "2026-09-01"} {
		log += clitest.LogLine("192.0.2.1", day, "/", "Bot"+string(rune('A'+i)))
	}
	stdout, stderr, status := runWith(log, "log", "--json", "--robots", "git:"+name, "-")
	if got, _, _ := runLog(t, log, "--robots", "git:"+name, "-"); strings.Join(got, ", ") != "BotB 1 1, BotD 1 1, BotA 1 0, BotC 1 0, BotE 1 0" || !strings.Contains(stdout, `"unjudged":1`) || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, got %q", status, stderr, got)
	}
	t.Chdir(filepath.Dir(name))
	if got, stderr, _ := runLog(t, log, "--robots", "git:robots.txt", "-"); len(got) != 5 {
		t.Errorf("in the folder: %q, standard error %q", got, stderr)
	}
	if _, stderr, status := runWith(log, "log", "--robots", "git:none.txt", "-"); stderr != "robotstxt log: git:none.txt: no commit contains this file\n" || status != cli.ExitError {
		t.Errorf("status %d, standard error %q", status, stderr)
	}
	if _, stderr, status := runWith(log, "log", "--robots", "git:"+t.TempDir()+"/robots.txt", "-"); !strings.Contains(stderr, ": not a git repository") || status != cli.ExitError {
		t.Errorf("no repository: status %d, standard error %q", status, stderr)
	}
}

const googleList = `{"creationTime":"2026-11-20T15:46:10.000000","prefixes":[{"ipv6Prefix":"2001:db8:1::/64"},{"ipv4Prefix":"198.51.100.0/27"}]}`

// TestLogIdentities tests --ip-ranges.
func TestLogIdentities(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "bingbot.json")
	clitest.Write(t, list, googleList)
	clitest.Write(t, filepath.Join(dir, "googlebot.json"), googleList) // an earlier name
	clitest.Write(t, filepath.Join(dir, "foo.json"), `["203.0.113.7", {"a": {"b": "198.51.100.9/24"}}]`)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	log := ""
	for _, address := range []string{"198.51.100.31", "2001:db8:1::ffff", "::ffff:198.51.100.1", "198.51.100.32", "10.0.0.1", "::1", "proxy.example"} {
		log += clitest.LogLine(address, "2026-11-01", "/basket", "bingbot/2.0") + clitest.LogLine(address, "2026-11-01", "/", "FooBot")
	}
	const bing = "bingbot 3 3 unknown, bingbot 3 3 verified, bingbot 1 1 forged, "
	for flags, want := range map[string]string{
		"--ip-ranges " + list:                             bing + "FooBot 7 0 unknown",
		"--ip-ranges " + dir + "/googlebot.json":          "bingbot 7 7 unknown, FooBot 7 0 unknown",
		"--ip-ranges bingbot=" + list:                     bing + "FooBot 7 0 unknown",
		"--ip-ranges " + server.URL + "/bingbot.json?x=y": bing + "FooBot 7 0 unknown",
		"--ip-ranges foobot=" + dir + "/foo.json":         "bingbot 7 7 unknown, FooBot 3 0 unknown, FooBot 3 0 verified, FooBot 1 0 forged",
	} {
		got, stderr, status := runLog(t, log, append(strings.Fields(flags), "--robots", clitest.Sample, "-")...)
		if strings.Join(got, ", ") != want || stderr != "" || status != cli.ExitOK {
			t.Errorf("%s: status %d, standard error %q, got %q", flags, status, stderr, got)
		}
	}
	log = clitest.LogLine("192.0.2.1", "2026-11-01", "/basket", "bingbot/2.0")
	stdout, stderr, _ := runWith(log, "log", "--robots", clitest.Sample, "--ip-ranges", list, "-")
	if !strings.Contains(stdout, "bingbot              forged ") || !strings.Contains(stderr, "no request is verified") || strings.Contains(stdout+stderr, "192.0.2.1") {
		t.Errorf("a proxy: standard error %q, got\n%s", stderr, stdout)
	}
}

// TestLogKnownRanges tests that the lists of operators are fetched once for each list, that a list that cannot be read
// leaves a crawler unknown, and what is said about a crawler without a list.
func TestLogKnownRanges(t *testing.T) {
	fetches := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fetches++; r.URL.Path == "/good.json" {
			io.WriteString(w, googleList)
		} else {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	cmd := New()
	var stderr strings.Builder
	cmd.SetContext(t.Context())
	cmd.SetErr(&stderr)
	load := fetchedLists(cmd, func(err error) { cli.Complain(cmd, err) })
	good, bad := crawlers.Crawler{Token: "A", IPRanges: server.URL + "/good.json"}, crawlers.Crawler{Token: "B", IPRanges: server.URL + "/bad.json"}
	for range 2 {
		if len(load(good)) == 0 || load(bad) != nil || load(crawlers.Crawler{Token: "C"}) != nil {
			t.Error("the list of A, and no other list, should be read")
		}
	}
	if fetches != 2 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "the addresses of B are not known: "+bad.IPRanges) {
		t.Errorf("%d fetches, standard error %q", fetches, stderr.String())
	}
	lists := addressLists{byToken: map[string]prefixSet{}, load: func(c crawlers.Crawler) prefixSet { return load(good) }}
	for _, test := range []struct {
		token, address string
		want           accesslog.Identity
	}{{"GPTBot", "198.51.100.1", accesslog.Verified}, {"gptbot", "192.0.2.1", accesslog.Forged}, {"FooBot", "198.51.100.1", accesslog.Unknown}} {
		if got := lists.identify(test.token, test.address); got != test.want {
			t.Errorf("%s from %s is %s, want %s", test.token, test.address, got, test.want)
		}
	}
	log := clitest.LogLine("192.0.2.1", "2026-11-01", "/", "Bytespider")
	stdout, _, _ := runWith(log, "log", "--robots", clitest.Sample, "--ip-ranges", "known", "-")
	if !strings.Contains(stdout, "Bytespider           unknown") || !strings.Contains(stdout, "the operator publishes no list of its addresses") {
		t.Errorf("a crawler without a list:\n%s", stdout)
	}
}

// TestLogFail tests which crawlers make --fail return status 1.
func TestLogFail(t *testing.T) {
	list := filepath.Join(t.TempDir(), "bingbot.json")
	clitest.Write(t, list, googleList)
	const robots = "User-agent: *\nDisallow: /basket\nDissallow: /cart\n\nUser-agent: Yandex\nDisallow: /basket\n\nUser-agent: SemrushBot, CCBot\nDisallow: /basket\n"
	refused := strings.Replace(clitest.LogLine("198.51.100.1", "2026-11-01", "/robots.txt", "bingbot"), " 200 ", " 403 ", 1)
	broke := func(address, agent string) string { return clitest.LogLine(address, "2026-11-02", "/basket", agent) }
	for _, test := range []struct {
		about, log, flags string
		want              int
	}{
		{"verified", broke("198.51.100.1", "bingbot"), "--ip-ranges " + list, cli.ExitNo},
		{"forged", broke("192.0.2.1", "bingbot"), "--ip-ranges " + list, cli.ExitOK},
		{"forged, and all count", broke("192.0.2.1", "bingbot"), "--unverified --ip-ranges " + list, cli.ExitOK},
		{"not known", broke("192.0.2.1", "GPTBot"), "--ip-ranges " + list, cli.ExitOK},
		{"not known, and all count", broke("192.0.2.1", "GPTBot"), "--unverified", cli.ExitNo},
		{"not shown", broke("192.0.2.1", "GPTBot"), "--unverified --agent bingbot", cli.ExitOK},
		{"makes no claim", broke("192.0.2.1", "FooBot"), "--unverified", cli.ExitOK},
		{"for a person", broke("192.0.2.1", "Claude-User"), "--unverified", cli.ExitOK},
		{"broke a misspelled rule", clitest.LogLine("198.51.100.1", "2026-11-02", "/cart", "bingbot"), "--ip-ranges " + list, cli.ExitOK},
		{"broke a rule of a group whose line has several names", broke("192.0.2.1", "CCBot"), "--unverified", cli.ExitOK},
		{"broke a rule of a group that the crawler follows", broke("192.0.2.1", "YandexBot"), "--unverified", cli.ExitNo},
		{"broke both rules", broke("198.51.100.1", "bingbot") + clitest.LogLine("198.51.100.1", "2026-11-02", "/cart", "bingbot"), "--ip-ranges " + list, cli.ExitNo},
		{"obeys", clitest.LogLine("192.0.2.1", "2026-11-02", "/", "GPTBot"), "--unverified", cli.ExitOK},
		{"was refused the file", refused + broke("198.51.100.1", "bingbot"), "--unverified", cli.ExitOK},
		{"was refused the file once", refused + clitest.LogLine("198.51.100.1", "2026-11-01", "/robots.txt", "bingbot") + broke("198.51.100.1", "bingbot"), "--unverified", cli.ExitNo},
	} {
		args := append([]string{"log", "--fail", "--robots", clitest.NewFile(t, robots)}, strings.Fields(test.flags)...)
		stdout, stderr, status := runWith(test.log, append(args, "-")...)
		if isNamed := strings.Contains(stderr, " broke a rule, although"); status != test.want || isNamed != (test.want == cli.ExitNo) {
			t.Errorf("%s: status %d, want %d, standard error %q, output\n%s", test.about, status, test.want, stderr, stdout)
		}
	}
	// A network that is closed must not make a check green.
	for l, want := range map[*logCommand]int{{fail: true}: cli.ExitError, {fail: true, unverified: true}: cli.ExitOK} {
		if got := l.failStatus(New(), nil, true); got != want {
			t.Errorf("a list is missing, --unverified=%t: status %d, want %d", l.unverified, got, want)
		}
	}
	unlisted := accesslog.Row{Unlisted: 1, Identity: accesslog.Verified, Crawler: crawlers.Crawler{Claim: crawlers.Heeds}}
	if !new(logCommand).failsOn(&unlisted) {
		t.Error("a crawler is not accused of breaking only rules that the report does not list")
	}
}

// TestLogUnread tests that log reports lines that it cannot read, without the addresses of
// visitors.
func TestLogUnread(t *testing.T) {
	good := clitest.LogLine("192.0.2.1", "2026-11-01", "/", "FooBot")
	junk := "[error] \x1b[2J client: 192.0.2.99, [2001:db8::5]:80 " + strings.Repeat("x", 300) + "\n"
	stdout, stderr, status := runWith(strings.Repeat(good, 4)+strings.Repeat(junk, 4), "log", "--robots", clitest.Sample, "-")
	if !strings.HasPrefix(stdout, "8 lines, 2026-11-01; 4 could not be read\n") || status != cli.ExitOK {
		t.Errorf("status %d, output %s", status, stdout)
	}
	if strings.Count(stderr, "\n") != 3 || !strings.HasPrefix(stderr, "robotstxt log: <standard input>:5: want address - user [") || strings.Contains(stderr, "192.0.2.99") || strings.Contains(stderr, "db8") || strings.Contains(stderr, "\x1b") {
		t.Errorf("standard error %s", stderr)
	}
	stdout, stderr, status = runWith(good+strings.Repeat(junk, 2), "log", "--robots", clitest.Sample, "-")
	if stdout != "" || status != cli.ExitError || !strings.HasSuffix(stderr, "\"user agent\"; 2 of 3 lines cannot be read; the known formats are "+accesslog.FormatsAndServers()+"\n") {
		t.Errorf("most lines: status %d, standard error %s, output %s", status, stderr, stdout)
	}
}

// TestLogUnreadable tests that nothing is printed about logs that cannot be read.
func TestLogUnreadable(t *testing.T) {
	dir := t.TempDir()
	clitest.Write(t, dir+"/a.log.xz", "\xfd7zXZ\x00")
	clitest.Write(t, dir+"/a.log.bz2", "BZh91AY")
	clitest.Write(t, dir+"/utf16.log", "\xff\xfea\x00 \x00-\x00")
	clitest.Write(t, dir+"/binary", "\x7fELF\x02\x01\x00")
	for name, want := range map[string]string{
		dir:                " is a directory; name the logs in it (try: robotstxt log --help)\n",
		dir + "/none.log":  ": no such file or directory\n",
		dir + "/a.log.xz":  ": only plain text, gzip and zstd can be read, and the log is compressed with xz\n",
		dir + "/a.log.bz2": ": only plain text, gzip and zstd can be read, and the log is compressed with bzip2\n",
		dir + "/utf16.log": ": only plain text, gzip and zstd can be read, and the log is in UTF-16, as PowerShell writes it\n",
		dir + "/binary":    ": only plain text, gzip and zstd can be read, and the log is a binary file\n",
	} {
		stdout, stderr, status := runWith("", "log", "--robots", clitest.Sample, name)
		if stdout != "" || !strings.HasSuffix(stderr, want) || status != cli.ExitError {
			t.Errorf("%s: status %d, output %q, standard error %q", name, status, stdout, stderr)
		}
	}
}

// TestLogWidth tests that paths are cut at the width in COLUMNS, and not at all without it.
func TestLogWidth(t *testing.T) {
	path := "/basket/" + strings.Repeat("x", 100)
	log := clitest.LogLine("192.0.2.1", "2026-11-01", path, "FooBar")
	for columns, want := range map[string]string{"": " " + path + "\n", "120": " " + path[:77] + "…\n", "100": " " + path[:57] + "…\n"} {
		t.Setenv("COLUMNS", columns)
		if stdout, _, _ := runWith(log, "log", "--robots", clitest.Sample, "-"); !strings.Contains(stdout, want) {
			t.Errorf("COLUMNS=%s: no %q in\n%s", columns, want, stdout)
		}
	}
}

// TestLogNoFile tests that 404 for robots.txt is no refusal.
func TestLogNoFile(t *testing.T) {
	fetch := clitest.LogLine("192.0.2.1", "2026-11-01", "/robots.txt", "FooBot")
	log := strings.Repeat(strings.Replace(fetch, " 200 ", " 404 ", 1), 2) + strings.Replace(fetch, " 200 ", " 410 ", 1) + strings.Replace(fetch, " 200 ", " 403 ", 1)
	const want = "    seen 2026-11-01; there was no robots.txt for 3 requests; the server refused 1 request for robots.txt\n"
	if stdout, _, _ := runWith(log, "log", "--robots", clitest.Sample, "-"); !strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
}

// TestLogShare tests that percentages are rounded, but never to 0 or 100.
func TestLogShare(t *testing.T) {
	for counts, want := range map[[2]int]string{{4, 6}: "4 (67%)", {1, 200}: "1 (< 1%)", {199, 200}: "199 (> 99%)", {3, 3}: "3 (100%)", {0, 3}: "0"} {
		if got := share(accesslog.Counts{Disallowed: counts[0], Requests: counts[1]}, 0); got != want {
			t.Errorf("%d of %d: %s, want %s", counts[0], counts[1], got, want)
		}
	}
}

// TestLogFiles tests that log continues after a log that cannot be read or is damaged, and
// that it reads logs from URLs.
func TestLogFiles(t *testing.T) {
	damaged := clitest.DamagedLog(t)
	server := httptest.NewServer(http.FileServer(http.Dir(clitest.Logs)))
	defer server.Close()
	got, stderr, status := runLog(t, "", "--robots", clitest.Sample, "none.log", damaged, server.URL+"/nginx.log", server.URL+"/none.log")
	if len(got) != 6 || !strings.HasPrefix(got[0], "FooBot ") || status != cli.ExitDamaged {
		t.Errorf("status %d, got %q", status, got)
	}
	want := "robotstxt log: none.log: open none.log: no such file or directory\nrobotstxt log: " + damaged + ": unexpected EOF\nrobotstxt log: " + server.URL + "/none.log: the server answers 404 Not Found\n"
	if stderr != want {
		t.Errorf("standard error %s", stderr)
	}
}

// TestLogPrintsSafely tests that text from a log cannot send control sequences to a terminal.
func TestLogPrintsSafely(t *testing.T) {
	log := clitest.LogLine("192.0.2.1", "2026-11-01", `/basket\x1b]0;x\x07\xff\xe2\x80\xae`, `Foo\x1b[2J\x9b/1`) + "\x1b[2J\n" + clitest.LogLine("192.0.2.1", "2026-11-01", "/basket", "FooBot\u202e/1")
	for _, stdin := range []string{log, "{\"request\":{\"uri\":\"/basket\\u001b\\u009b\",\"headers\":{\"User-Agent\":[\"Foo\\u001b[2J\"]}},\"ts\":1}\n"} {
		stdout, stderr, _ := runWith(stdin, "log", "--robots", clitest.Sample, "-")
		if !strings.Contains(stdout, "/basket") || strings.ContainsAny(stdout+stderr, "\x1b\x07\u202e\u009b") || !utf8.ValidString(stdout+stderr) {
			t.Errorf("output %q, standard error %q", stdout, stderr)
		}
	}
}

// TestLogRows pins the text for a share below 1%, and for crawlers that fetch pages for a
// person.
func TestLogRows(t *testing.T) {
	log := strings.Repeat(clitest.LogLine("192.0.2.1", "2026-11-01", "/", "FooBot"), 199) + clitest.LogLine("192.0.2.1", "2026-11-01", "/archive/", "FooBot") +
		clitest.LogLine("192.0.2.1", "2026-11-01", "/", "ChatGPT-User") + clitest.LogLine("192.0.2.1", "2026-11-01", "/", "Claude-User")
	stdout, _, _ := runWith(log, "log", "--robots", clitest.Sample, "-")
	stdout = strings.Join(strings.Fields(stdout), " ")
	for text, count := range map[string]int{" 1 (< 1%) ": 1, "it fetches only pages that a person asks for": 2, "does not apply": 1} {
		if strings.Count(stdout, text) != count {
			t.Errorf("the output does not contain %q %d times:\n%s", text, count, stdout)
		}
	}
}

// TestLogUnjudged tests that "-" is shown where no request was judged.
func TestLogUnjudged(t *testing.T) {
	log := clitest.LogLine("192.0.2.1", "2026-10-01", "/robots.txt", "Early") + clitest.LogLine("192.0.2.1", "2026-10-01", "/archive/", "Early") +
		clitest.LogLine("192.0.2.1", "2026-10-01", "/archive/", "FooBot") + clitest.LogLine("192.0.2.1", "2026-11-15", "/archive/", "FooBot") +
		clitest.LogLine("192.0.2.1", "2026-10-01", "/", "Opera/9")
	stdout, _, _ := runWith(log, "log", "--robots", clitest.Sample+"@2026-11-01", "-")
	const want = `5 lines, 2026-10-01 to 2026-11-15; 3 not judged, because the robots.txt that applied is not known

crawler              requests  disallowed  robots.txt     min, median gap       delay
FooBot               2         1 (50%)     never          3888000 s, 3888000 s  2.5 s
    seen 2026-10-01 to 2026-11-15; 1 request not judged
    line 12: Disallow: /archive/  1 request: /archive/
Early                2         -           1, 2026-10-01  -                     -
    seen 2026-10-01
browsers and others  1         -
`
	if stdout != want {
		t.Errorf("got\n%s\nwant\n%s", stdout, want)
	}
}

// TestLogRefused tests that no request is called allowed because the server refuses the tool.
func TestLogRefused(t *testing.T) {
	site := clitest.NewSite(t, clitest.Status(http.StatusForbidden))
	log := clitest.LogLine("192.0.2.1", "2026-11-01", "/", "FooBot")
	stdout, stderr, status := runWith(log, "log", "--robots", site.URL, "-")
	if want := "robotstxt log: " + site.URL + "/robots.txt: " + clitest.Refusal + "\n"; stdout != "" || stderr != want || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
	}
}

// TestLogDays tests the lines for days, and for the days on which the file changed.
func TestLogDays(t *testing.T) {
	page := clitest.LogLine("192.0.2.1", "2026-11-22", "/", "FooBot")
	log := strings.Repeat(clitest.LogLine("192.0.2.1", "2026-11-18", "/archive/", "FooBot"), 3) + clitest.LogLine("192.0.2.1", "2026-11-22", "/archive/", "FooBot") +
		strings.Replace(page, " 200 ", " 403 ", 1) + strings.Replace(page, " 200 ", " 404 ", 1) + clitest.LogLine("192.0.2.1", "2026-11-22", "/", "Opera/9")
	log += clitest.LogLine("192.0.2.1", "2026-11-18", "/robots.txt", "FooBot")
	stdout, _, _ := runWith(log, "log", "--days", "--robots", clitest.NewFile(t, "User-agent: *\n"), "--robots", clitest.Sample+"@2026-11-20T14:05", "--robots", clitest.Sample+"@2026-11-20T15:00", "-")
	const want = `    seen 2026-11-18 to 2026-11-22; the server refused 1 request for pages
    line 12: Disallow: /archive/  1 request: /archive/
    day         requests  disallowed  refused  robots.txt
    2026-11-18  4         0           0        1
    2026-11-20  0         0           0        0           the robots.txt changed at 14:05, 15:00 UTC
    2026-11-22  3         1 (33%)     1        0
browsers and others  1         0
    day         requests  disallowed  refused  robots.txt
    2026-11-20  0         0           0        0           the robots.txt changed at 14:05, 15:00 UTC
    2026-11-22  1         0           0        0
`
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", stdout, want)
	}
	stdout, _, _ = runWith(page, "log", "--days", "--robots", clitest.Sample, "-")
	if !strings.HasSuffix(stdout, "\nbrowsers and others  0         0\n") {
		t.Errorf("no requests from others: got\n%s", stdout)
	}
	stdout, _, _ = runWith(log, "log", "--days", "--robots", clitest.Sample+"@2026-11-30", "-")
	if want := "    2026-11-18  4         -           0        1\n"; !strings.Contains(stdout, want) {
		t.Errorf("before the first file: got\n%s\nwant %s", stdout, want)
	}
}

// TestLogOtherForms tests the note about requests that the rules allow as they are written, but that robotshttp
// refuses.
func TestLogOtherForms(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /private/\nUser-agent: A, FooBot\nDisallow: /x/\n")
	var log strings.Builder
	for _, path := range []string{"//private/", "/private/", "/tea/../private/", "/tea"} {
		log.WriteString(clitest.LogLine("192.0.2.1", "2026-11-01", path, "BarBot"))
	}
	log.WriteString(clitest.LogLine("192.0.2.1", "2026-11-01", "/x/", "FooBot"))
	stdout, _, _ := runWith(log.String(), "log", "--robots", robots, "-")
	for _, want := range []string{
		"seen 2026-11-01; 2 allowed requests may get a disallowed page, such as //private/: servers may answer it with /private/, which line 2 disallows, so careful crawlers do not fetch it\n",
		"    line 4: Disallow: /x/  1 request: /x/\n        (line 3 has several names: Google and others read only the first)\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("got\n%s\nwant in it\n%s", stdout, want)
		}
	}
}

// TestLogMisspelled tests that a rule is shown with the misspelled key of its line.
func TestLogMisspelled(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDissalow: /a\ndisallow : /b\n")
	stdout, _, _ := runWith(clitest.LogLine("192.0.2.1", "2026-11-01", "/a", "FooBot")+clitest.LogLine("192.0.2.1", "2026-11-01", "/b", "FooBot"), "log", "--robots", robots, "-")
	if !strings.Contains(stdout, "\n    line 2: Disallow: /a  1 request: /a\n        (line 2 is written \"Dissalow\": most crawlers ignore the line)\n    line 3: Disallow: /b  1 request: /b\n") {
		t.Errorf("got\n%s", stdout)
	}
}

func TestLogErrors(t *testing.T) {
	for args, want := range map[string]string{
		"-":                                      "--robots is missing (try: robotstxt log --help)",
		"--robots " + clitest.Sample:             "no log given (try: robotstxt log --help)",
		"--robots none.txt -":                    "open none.txt: no such file or directory",
		"--robots none.txt@2026-01-01 -":         "open none.txt: no such file or directory",
		"--robots " + clitest.Sample + "@soon -": "open " + clitest.Sample + "@soon: no such file or directory",
		"--robots " + clitest.Sample + " --robots " + clitest.Sample + " -":                                "--robots: only one file can be given without @DATE",
		"--robots " + clitest.Sample + "@2026-01-01 --robots " + clitest.Sample + "@2026-01-01T00:00:00 -": "--robots: two files take effect at 2026-01-01T00:00:00Z",
		"--fields a=b --robots " + clitest.Sample + " -":                                                   `--fields: "a=b" is not a field such as agent=path.to.key (the fields are request, query, host, agent, date, time, address, status)`,
		"--since soon --robots " + clitest.Sample + " -":                                                   `--since "soon" is not a date such as 2026-11-01 or a number of days such as 7d`,
		"--until -1d --robots " + clitest.Sample + " -":                                                    `--until "-1d" is not a date such as 2026-11-01 or a number of days such as 7d`,
		"--fail --robots " + clitest.Sample + " -":                                                         "--fail needs --ip-ranges to verify crawlers, or --unverified to count unknown crawlers too",
		"--agent @bots --robots " + clitest.Sample + " -":                                                  `"@bots" is not a set of crawlers (want @ai, @search or @all)`,
		"--ip-ranges list.json --robots " + clitest.Sample + " -":                                          `--ip-ranges: no known crawler has a list named "list.json"; add the name of the crawler, as in GPTBot=list.json`,
		"--ip-ranges GPTBot=none.json --robots " + clitest.Sample + " -":                                   "--ip-ranges none.json: open none.json: no such file or directory",
		"--ip-ranges GPTBot=" + clitest.Sample + " --robots " + clitest.Sample + " -":                      "--ip-ranges " + clitest.Sample + ": the file is not JSON",
	} {
		stdout, stderr, status := runWith("", append([]string{"log"}, strings.Fields(args)...)...)
		if stdout != "" || stderr != "robotstxt log: "+want+"\n" || status != cli.ExitError {
			t.Errorf("robotstxt log %s: status %d, output %q, standard error %q, want %q", args, status, stdout, stderr, want)
		}
	}
}
