package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

const expectRobots = `User-agent: *
Disallow: /basket
Allow: /basket/help

User-agent: GPTBot
Crawl-delay: 2.5
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`

func TestExpectations(t *testing.T) {
	for _, c := range []struct{ about, line, failure string }{
		{"allowed", "allow Googlebot /tea", ""},
		{"disallowed", "disallow Googlebot https://shop.example/basket", ""},
		{"not allowed", "allow Googlebot /basket", "disallowed, line 2: Disallow: /basket (group *)"},
		{"not disallowed", "disallow Googlebot /tea", "allowed, no rule matches (group *)"},
		{"by the line", "allow * /basket/help 3", ""},
		{"by another line", "allow * /basket/help 2", "allowed, line 3: Allow: /basket/help (group *)"},
		{"by no line", "allow * /tea -", ""},
		{"by a line after all", "disallow * /basket -", "disallowed, line 2: Disallow: /basket (group *)"},
		{"a header", `disallow "Mozilla/5.0 (compatible; GPTBot/1.2)" "/a b"`, ""},
		{"a header whose product token is Mozilla", `disallow "Mozilla/5.0 (Linux) Safari/537.36 (GPTBot/1.2)" /`, ""},
		{"a comment", "allow * /tea # as ever", ""},
		{"a fragment", "allow * /tea#milk", ""},
		{"a sitemap", "sitemap https://shop.example/sitemap.xml", ""},
		{"another sitemap", "sitemap https://shop.example/other.xml", "the file does not list this sitemap"},
		{"a delay", "delay GPTBot 2.5", ""},
		{"another delay", "delay GPTBot 3", "delay 2.5"},
		{"a delay after all", "delay GPTBot -", "delay 2.5"},
		{"no delay", "delay Googlebot -", ""},
		{"no delay after all", "delay Googlebot 0", "no delay"},
	} {
		text := "# comment\n\n" + c.line + "\r\n"
		want, wantStatus := "ok  1 expectation\n", cli.ExitOK
		if c.failure != "" {
			want, wantStatus = "<standard input>:3: "+strings.TrimSpace(strings.ReplaceAll(c.line, `"`, ""))+": "+c.failure+"\nFAIL  1 of 1 expectation\n", cli.ExitNo
		}
		stdout, stderr, status := runWith(text, "test", "--robots", clitest.NewFile(t, expectRobots), "-")
		if stdout != want || stderr != "" || status != wantStatus {
			t.Errorf("%s: status %d, standard error %q, got %q, want %q", c.about, status, stderr, stdout, want)
		}
	}
	stdout, _, status := runWith("allow @ai /\ndisallow @ai /basket\n", "test", "--robots", clitest.NewFile(t, expectRobots), "-")
	want := "<standard input>:1: allow @ai /: disallowed, line 7: Disallow: / (group GPTBot)\nFAIL  1 of " + "2 expectations" + "\n"
	if stdout != want || status != cli.ExitNo {
		t.Errorf("a set: status %d, got %q, want %q", status, stdout, want)
	}
	stdout, _, _ = runWith("disallow @ai /\n", "test", "--robots", clitest.NewFile(t, expectRobots), "-")
	if !strings.HasPrefix(stdout, "<standard input>:1: disallow @ai /: for all AI crawlers except GPTBot: allowed, no rule matches (group *)\n") || strings.Count(stdout, "\n") != 2 {
		t.Errorf("a set of which most fail: %s", stdout)
	}
}

// TestWriteExpectations tests that --write creates expectations that hold, and that some
// expectation fails if any line of the robots.txt file is removed.
func TestWriteExpectations(t *testing.T) {
	robots := clitest.NewFile(t, expectRobots)
	name := filepath.Join(t.TempDir(), "robots.test")
	if stdout, stderr, status := runWith("", "test", "--robots", robots, "--write", name); stdout+stderr != "" || status != cli.ExitOK {
		t.Fatalf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	const want = `# What robots.txt should say. Check it with: robotstxt test --robots robots.txt FILE
allow     *       /             # no rule matches (group *)
disallow  *       /basket       # line 2: Disallow: /basket (group *)
allow     *       /basket/help  # line 3: Allow: /basket/help (group *)
disallow  GPTBot  /             # line 7: Disallow: / (group GPTBot)
delay    GPTBot  2.5
sitemap  https://shop.example/sitemap.xml
`
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	if stdout, _, status := runWith("", "test", "--robots", robots, name); stdout != "ok  6 expectations\n" || status != cli.ExitOK {
		t.Errorf("status %d, output %q", status, stdout)
	}
	for line := range strings.Lines(expectRobots) {
		if strings.HasPrefix(line, "User-agent: G") || strings.TrimSpace(line) == "" {
			continue
		}
		if stdout, _, status := runWith("", "test", "--robots", clitest.NewFile(t, strings.Replace(expectRobots, line, "", 1)), name); status != cli.ExitNo {
			t.Errorf("without the line %q: status %d, want %d; output %q", line, status, cli.ExitNo, stdout)
		}
	}
	if _, stderr, status := runWith("", "test", "--robots", robots, "--write", name); stderr != "robotstxt test: "+name+" already exists, and --write does not overwrite files; choose another name\n" || status != cli.ExitError {
		t.Errorf("again: status %d, standard error %q", status, stderr)
	}
}

// TestWriteExpectationsOdd tests that the command test can read the expectations that --write
// creates for odd files.
func TestWriteExpectationsOdd(t *testing.T) {
	for _, robots := range []string{
		"", "User-agent: *\nDisallow: /a b\"#c\nDisallow: /\u202e\x1b$\nDisallow: /%23\nSitemap: https://x.example/a b\n",
		"User-agent: AdsBot-Google\nDisallow: /\nUser-agent: Größe\nDisallow: /ö\n", "User-agent: *\nDisallow: /\nAllow: /*.js$\nAllow: /robots.txt\n",
		"User-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow: /x\n",
	} {
		file := clitest.NewFile(t, robots)
		text, _, status := runWith("", "test", "--robots", file, "--write", "-")
		if status != cli.ExitOK || strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%q: status %d, wrote %q", robots, status, text)
		}
		if stdout, stderr, status := runWith(text, "test", "--robots", file, "-"); status != cli.ExitOK {
			t.Errorf("%q: status %d, output %q, standard error %q", robots, status, stdout, stderr)
		}
	}
}

// TestExpectationsCount tests that an expectation that fails with two outcomes counts once.
func TestExpectationsCount(t *testing.T) {
	stdout, _, _ := runWith("allow @ai /basket\n", "test", "--robots", clitest.NewFile(t, expectRobots), "-")
	if strings.Count(stdout, "<standard input>:1: ") < 2 || !strings.HasSuffix(stdout, "\nFAIL  1 of 1 expectation\n") {
		t.Errorf("got\n%s", stdout)
	}
}

// TestWriteExpectationsURL tests that --write ignores a rule with a URL instead of a path.
func TestWriteExpectationsURL(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: https://example.com/admin\nDisallow: /cart\n")
	if text, _, status := runWith("", "test", "--robots", robots, "--write", "-"); strings.Contains(text, "admin") || !strings.Contains(text, "/cart") || status != cli.ExitOK {
		t.Errorf("status %d, wrote\n%s", status, text)
	}
}

func TestExpectationErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "<standard input>: the file contains no expectations (to create a file of expectations, use --write)",
		"# none\n":              "<standard input>: the file contains no expectations (to create a file of expectations, use --write)",
		"allow * /\nforbid * /": `<standard input>:2: want allow, disallow, sitemap, delay, index or noindex, not "forbid"`,
		"allow /":               `<standard input>:1: "allow /" is not of the form allow CRAWLER URL [LINE]`,
		"allow * / 1 2":         `<standard input>:1: "allow * / 1 2" is not of the form allow CRAWLER URL [LINE]`,
		"sitemap":               `<standard input>:1: "sitemap" is not of the form sitemap URL`,
		"delay * 1 2":           `<standard input>:1: "delay * 1 2" is not of the form delay CRAWLER SECONDS`,
		"delay * soon":          `<standard input>:1: "soon" is not a number of seconds`,
		"allow * / 0":           `<standard input>:1: "0" is not a line number`,
		"allow * / first":       `<standard input>:1: "first" is not a line number`,
		"allow @bots /":         `<standard input>:1: "@bots" does not name a crawler`,
		"allow * tea":           `<standard input>:1: "tea" is neither a URL nor a path (did you mean /tea?)`,
		`allow "Foo /`:          "<standard input>:1: a quotation mark is missing, or a backslash is wrong",
	} {
		stdout, stderr, status := runWith(text, "test", "--robots", clitest.Sample, "-")
		if stdout != "" || stderr != "robotstxt test: "+want+"\n" || status != cli.ExitError {
			t.Errorf("%q: status %d, output %q, standard error %q, want %q", text, status, stdout, stderr, want)
		}
	}
	for args, want := range map[string]string{
		"":                    "no file of expectations given (try: robotstxt test --help)",
		"none.test":           "open none.test: no such file or directory",
		"--write x.test":      "--write needs --robots or --site (try: robotstxt test --help)",
		"--site ftp://a x":    "ftp://a/robots.txt: only http and https URLs can be fetched",
		"--robots - -":        "the robots.txt and the expectations cannot both come from standard input",
		"--robots none.txt -": "open none.txt: no such file or directory",
		"--robots " + clitest.Sample + " none.test":        "open none.test: no such file or directory",
		"--write --json --robots " + clitest.Sample + " x": "--write and --json cannot be used together (try: robotstxt test --help)",
		"--write --robots " + clitest.Sample + " none/x":   "open none/x: no such file or directory",
	} {
		stdout, stderr, status := runWith("", append([]string{"test"}, strings.Fields(args)...)...)
		if stdout != "" || stderr != "robotstxt test: "+want+"\n" || status != cli.ExitError {
			t.Errorf("robotstxt test %s: status %d, output %q, standard error %q, want %q", args, status, stdout, stderr, want)
		}
	}
}

// TestExpectationURLs tests URLs as operands.
func TestExpectationURLs(t *testing.T) {
	site := clitest.NewSite(t, clitest.Writes(expectRobots))
	tests := clitest.NewSite(t, clitest.Writes("disallow GPTBot /\n"))
	if stdout, stderr, status := runWith("", "test", "--robots", site.URL, tests.URL+"/robots.txt"); stdout != "ok  1 expectation\n" || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, output %q, standard error %q", status, stdout, stderr)
	}
	if _, stderr, status := runWith("", "test", "--robots", site.URL, tests.URL+"/none"); !strings.HasSuffix(stderr, "the server answers 404 Not Found\n") || status != cli.ExitError {
		t.Errorf("no file: status %d, standard error %q", status, stderr)
	}
	if _, stderr, status := runWith("allow * /\n", "test", "--robots", site.URL+"/busy", "-"); !strings.Contains(stderr, "503") || status != cli.ExitError {
		t.Errorf("no robots.txt: status %d, standard error %q", status, stderr)
	}
}

// TestNoFile tests that a failure says why there is no file, and that a server that refuses the tool is an
// error.
func TestNoFile(t *testing.T) {
	missing, refuses := clitest.NewSite(t, http.NotFound), clitest.NewSite(t, clitest.Status(http.StatusForbidden))
	name := clitest.NewFile(t, "disallow FooBot /\n")
	stdout, _, status := runWith("", "test", "--robots", missing.URL, name)
	if want := name + ":1: disallow FooBot /: allowed, there is no robots.txt (404 Not Found), so crawlers may fetch everything\nFAIL  1 of 1 expectation\n"; stdout != want || status != cli.ExitNo {
		t.Errorf("status %d, got %q, want %q", status, stdout, want)
	}
	stdout, stderr, status := runWith("", "test", "--robots", refuses.URL, name)
	if want := "robotstxt test: " + refuses.URL + "/robots.txt: " + clitest.Refusal + "\n"; stdout != "" || stderr != want || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
	}
}

// TestExpectationNotes tests what is said about expectations that hold because of lines that other crawlers read
// differently.
func TestExpectationNotes(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: GPTBot, CCBot\nDisalow: /x\nDisallow: /y\nUser-agent: *\nDisallow: /y\nAllow: /y/index.html\n")
	const text = "disallow GPTBot /x\ndisallow GPTBot /x/y\ndisallow CCBot /y\ndisallow GPTBot /y\nallow * /x/../y\nallow * /y/\n"
	const want = `<standard input>:1: disallow GPTBot /x: holds, but line 2 is written "Disalow": most crawlers ignore the line (2 expectations)
<standard input>:3: disallow CCBot /y: holds, but line 1 has several names: Google and others read only the first
<standard input>:5: allow * /x/../y: holds, but servers may answer it with /y, which line 5 disallows, so careful crawlers do not fetch it
<standard input>:6: allow * /y/: holds, but Google takes /y/ for /y/index.html; other crawlers may not
ok  6 expectations
`
	stdout, stderr, status := runWith(text, "test", "--robots", robots, "-")
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, (-want +got)\n%s", status, stderr, diff)
	}
}

// TestExpectationNotesOfSets tests that an expectation about many crawlers counts once.
func TestExpectationNotesOfSets(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisalow: /x\n")
	const want = "<standard input>:1: disallow @ai /x: holds, but line 2 is written \"Disalow\": most crawlers ignore the line\nok  1 expectation\n"
	if stdout, _, _ := runWith("disallow @ai /x\n", "test", "--robots", robots, "-"); stdout != want {
		t.Errorf("got %q, want %q", stdout, want)
	}
}

// TestExpectationMisspelled tests the note about a misspelled crawler, whose expectation would hold for ever.
func TestExpectationMisspelled(t *testing.T) {
	stdout, stderr, status := runWith("allow * /\nallow Gogglebot /\nallow Gogglebot /x\n", "test", "--robots", clitest.NewFile(t, ""), "-")
	const want = "robotstxt test: <standard input>:2: no known crawler has the name \"Gogglebot\" (did you mean Googlebot?)\n"
	if stdout != "ok  3 expectations\n" || stderr != want || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, got %q", status, stderr, stdout)
	}
}

// startSites starts a site that is closed and says noindex, behind a password, and production one that is open.
func startSites(t *testing.T) (staging, production *clitest.Site) {
	staging = clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /\nCrawl-delay: 2\n"))
	production = clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /basket\n"))
	for _, site := range []*clitest.Site{staging, production} {
		next := site.Config.Handler
		site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if site == staging {
				w.Header().Set("X-Robots-Tag", "noindex")
				if r.Header.Get("X-Key") != "secret" {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
			}
			switch r.URL.Path {
			case "/", "/basket":
				fmt.Fprint(w, "<html><meta name=bingbot content=none>")
			case "/old":
				http.Redirect(w, r, "/", http.StatusFound)
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
	return staging, production
}

// TestExpectIndex tests expectations about pages of two sites in one file. Google documents noindex and none.
func TestExpectIndex(t *testing.T) {
	staging, production := startSites(t)
	text := strings.NewReplacer("STAGING", staging.URL, "PRODUCTION", production.URL).Replace(`disallow * STAGING/
noindex  * STAGING/
noindex  @search STAGING/
allow    * PRODUCTION/
index    Googlebot PRODUCTION/
noindex  bingbot PRODUCTION/
`)
	want := strings.NewReplacer("STAGING", staging.URL).Replace(`<standard input>:2: noindex * STAGING/: holds, but the page may not be fetched, so crawlers never see its noindex (X-Robots-Tag 1) (2 expectations)
<standard input>:3: noindex @search STAGING/: holds, but the page may not be fetched, so crawlers never see its noindex (X-Robots-Tag 1), none (line 1)
ok  6 expectations
`)
	stdout, stderr, status := runWith(text, "test", "--header", "x-key: secret", "-")
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, (-want +got)\n%s", status, stderr, diff)
	}
	if _, stderr, status := runWith(text, "test", "-"); !strings.Contains(stderr, "the server refuses this tool (401 Unauthorized)") || status != cli.ExitError {
		t.Errorf("without the header: status %d, standard error %q", status, stderr)
	}
}

// TestExpectIndexFails tests what is said about expectations about pages that fail.
func TestExpectIndexFails(t *testing.T) {
	staging, production := startSites(t)
	const text = `index bingbot /
noindex Googlebot /
index Googlebot /basket
noindex Googlebot /basket
index GPTBot /
index * /old
index * /gone
index @all /
`
	want := strings.ReplaceAll(`<standard input>:1: index bingbot /: no: none (line 1)
<standard input>:2: noindex Googlebot /: nothing says noindex
<standard input>:3: index Googlebot /basket: cannot be told: the page may not be fetched, but search results can still show its address
<standard input>:4: noindex Googlebot /basket: nothing says noindex
<standard input>:5: index GPTBot /: the crawler is not for search
<standard input>:6: index * /old: it redirects to URL/
<standard input>:7: index * /gone: the server answers 404 Not Found
<standard input>:8: index @all /: no: none (line 1)
FAIL  8 of 8 expectations
`, "URL", production.URL)
	stdout, stderr, status := runWith(text, "test", "--site", production.URL+"/x", "-")
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, (-want +got)\n%s", status, stderr, diff)
	}
	robots := clitest.NewFile(t, "User-agent: *\nDisallow:\n")
	stdout, _, status = runWith("noindex * /\nallow * /\n", "test", "--site", staging.URL, "--robots", robots, "-")
	if want := "<standard input>:1: noindex * /: the server refuses this tool (401 Unauthorized), and crawlers may get another answer\nFAIL  1 of 2 expectations\n"; stdout != want || status != cli.ExitError {
		t.Errorf("a page that is refused: status %d, got %q, want %q", status, stdout, want)
	}
	for text, want := range map[string]string{
		"allow * /x":   "<standard input>:1: there is no robots.txt to test; add --robots or --site\n",
		"delay * 1":    "<standard input>:1: there is no robots.txt to test; add --robots or --site\n",
		"noindex * /x": "<standard input>:1: \"/x\" is no complete URL; to say of which site it is a page, add --site\n",
	} {
		if stdout, stderr, status := runWith(text, "test", "-"); stdout != "" || stderr != "robotstxt test: "+want || status != cli.ExitError {
			t.Errorf("%s: status %d, output %q, standard error %q", text, status, stdout, stderr)
		}
	}
}

// TestExpectSite tests that --site says to which site paths, delays and sitemaps belong, and that each page and each
// robots.txt is fetched once.
func TestExpectSite(t *testing.T) {
	site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow: /x\nCrawl-delay: 2\nSitemap: https://shop.example/a.xml\nSitemap: /b.xml\n"))
	const text = "disallow * /x\ndelay * 2\nsitemap https://shop.example/a.xml\nsitemap /b.xml\nnoindex * /moved\nindex bingbot /moved\n"
	stdout, stderr, status := runWith(text, "test", "--site", site.URL, "-")
	if !strings.HasSuffix(stdout, "FAIL  2 of 6 expectations\n") || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output %q", status, stderr, stdout)
	}
	site.WantRequests(t, "/robots.txt "+reply.UserAgent, "/moved "+reply.UserAgent)
	if text, _, status := runWith("", "test", "--site", site.URL, "--write", "-"); !strings.Contains(text, "disallow  \"*\"") && !strings.Contains(text, "/x") || status != cli.ExitOK {
		t.Errorf("--write: status %d, output %q", status, text)
	}
}
