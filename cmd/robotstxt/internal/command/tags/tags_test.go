package tags

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

func TestTags(t *testing.T) {
	for _, c := range []struct {
		about, stdin string
		args         []string
		stdout       string
		status       int
	}{
		{"a conflict, and crawlers that are told the same", "",
			[]string{"--robots", clitest.Sample, "--url", "https://shop.example/basket", "--agent", "bingbot", "--agent", "FooBot/1.0", "--agent", "*",
				"--header", "x-robots-tag: bingbot: unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT", "--header", "Robots-Tag: *;nofollow", clitest.Tagged},
			`bingbot
  robots.txt  disallowed, line 5: Disallow: /basket (group *)
  header      unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT (X-Robots-Tag 1),
              nofollow (Robots-Tag 1)
  meta        noindex (line 5), max-snippet:20 (line 5)
  conflict    Crawlers that do not fetch the page do not see its noindex.
              Search engines may still show the address of the page. To keep
              the page out of their results, let them fetch the page.

FooBot/1.0
  robots.txt  allowed, no rule matches (group FooBot)
  header      nofollow (Robots-Tag 1)
  meta        noindex (line 5), max-snippet:20 (line 5), noai (line 6),
              nosuch (line 6)
  unknown     nosuch

any other
  robots.txt  disallowed, line 5: Disallow: /basket (group *)
  header      nofollow (Robots-Tag 1)
  meta        noindex (line 5), max-snippet:20 (line 5)
  conflict    Crawlers that do not fetch the page do not see its noindex.
              Search engines may still show the address of the page. To keep
              the page out of their results, let them fetch the page.
`, cli.ExitNo},
		{"no robots.txt, and standard input", "<meta name='a-b' content='noindex'>", []string{"--agent", "A-B-C", "--agent", "a", "--agent", "b", "-"},
			`A-B-C
  robots.txt  not checked (give --url)
  header      -
  meta        noindex (line 1)

a, b
  robots.txt  not checked (give --url)
  header      -
  meta        -
`, cli.ExitOK},
		{"headers about AI", "", []string{"--agent", "a", "--header", "content-usage: train-ai=n", "--header", "Content-Signal: search=yes, ai-train=no, tdm=no", "--header", "X-Robots-Tag: noai", "/dev/null"},
			`a
  robots.txt  not checked (give --url)
  header      noai (X-Robots-Tag 1), train-ai=n (Content-Usage 1),
              search=yes, ai-train=no, tdm=no (Content-Signal 1)
  meta        -
  AI          training disallowed by the Content-Usage header,
              search allowed by the Content-Signal header
  unknown     tdm
`, cli.ExitOK},
		{"the policy token", "User-agent: __usage_ai-training\nDisallow: /drafts/\n", []string{"--agent", "a", "--url", "/drafts/", "--robots", "-", "/dev/null"},
			`a
  robots.txt  allowed, no group for this agent
  header      -
  meta        -
  AI          training disallowed by line 2 (__usage_ai-training, provisional)
`, cli.ExitOK},
		{"headers about AI with a mistake", "", []string{"--agent", "a", "--header", "Content-Usage: train-ai=no", "--header", "Content-Usage: search=y", "/dev/null"},
			`a
  robots.txt  not checked (give --url)
  header      train-ai=no (Content-Usage 1), search=y (Content-Usage 2)
  meta        -
  AI          search allowed by the Content-Usage header
  unknown     train-ai
`, cli.ExitOK},
		{"a date, too, is hidden", "", []string{"--robots", clitest.Sample, "--url", "/basket", "--agent", "a", "--header", "X-Robots-Tag: unavailable_after: 2027-06-25", "/dev/null"},
			`a
  robots.txt  disallowed, line 5: Disallow: /basket (group *)
  header      unavailable_after: 2027-06-25 (X-Robots-Tag 1)
  meta        -
  conflict    Crawlers that do not fetch the page do not see its unavailable_after.
              Search engines may still show the address of the page. To keep
              the page out of their results, let them fetch the page.
`, cli.ExitNo},
		{"no conflict for a crawler that is not for search", "<meta name=robots content=noindex>", []string{"--robots", clitest.NewFile(t, "User-agent: *\nDisallow: /\n"), "--url", "/", "--agent", "GPTBot", "-"},
			`GPTBot
  robots.txt  disallowed, line 2: Disallow: / (group *)
  header      -
  meta        noindex (line 1)
`, cli.ExitOK},
		{"no conflict without a noindex", "<meta name=robots content=nofollow>", []string{"--robots", clitest.Sample, "--url", "/basket", "--agent", "a", "-"},
			`a
  robots.txt  disallowed, line 5: Disallow: /basket (group *)
  header      -
  meta        nofollow (line 1)
`, cli.ExitOK},
		{"what a terminal would obey", "\n<meta name=robots content='no\x1b[2Jindex, x\xff'>", []string{"--agent", "a", "-"},
			`a
  robots.txt  not checked (give --url)
  header      -
  meta        "no\x1b[2Jindex" (line 2), "x\xff" (line 2)
  unknown     "no\x1b[2Jindex"
  unknown     "x\xff"
`, cli.ExitOK},
	} {
		stdout, stderr, status := runWith(c.stdin, append([]string{"tags"}, c.args...)...)
		stderr = strings.Replace(stderr, "robotstxt tags: the agent \"FooBot/1.0\" is read as \"FooBot\"\n", "", 1)
		if diff := cmp.Diff(c.stdout, stdout); diff != "" || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, want %d; standard error %q; output (-want +got):\n%s", c.about, status, c.status, stderr, diff)
		}
	}
}

// TestTagsAgents tests which crawlers are shown without --agent, and that each is shown
// once.
func TestTagsAgents(t *testing.T) {
	stdout, _, _ := runWith("", "tags", "--header", "X-Robots-Tag: GOOGLEBOT: noarchive, BarBot: nosuch", clitest.Tagged)
	for agent, want := range map[string]int{"\nGooglebot, Googlebot-Image,": 1, "GOOGLEBOT": 0, "bingbot, ": 1, "\nFooBot\n": 1, "BarBot": 0, "any other": 1, "GPTBot": 0} {
		if got := strings.Count("\n"+stdout, agent); got != want {
			t.Errorf("the output contains %q %d times, want %d:\n%s", agent, got, want, stdout)
		}
	}
}

// TestTagsJSON tests the JSON about a page without an address and without tags.
func TestTagsJSON(t *testing.T) {
	stdout, _, status := runWith("<p>", "tags", "--json", "--agent", "a", "-")
	for _, part := range []string{`"url": ""`, `"directives": []`, `"may_index": true`, `"may_follow": true`} {
		if !strings.Contains(stdout, part) || strings.Contains(stdout, `"allowed"`) || status != cli.ExitOK {
			t.Errorf("status %d, no %s in %s", status, part, stdout)
		}
	}
}

// TestTagsURL tests pages of a server: their headers, redirects and failures.
func TestTagsURL(t *testing.T) {
	robots := http.StatusOK
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(robots)
			fmt.Fprint(w, "User-agent: *\nDisallow: /page\n")
		case "/moved":
			w.Header().Set("X-Robots-Tag", "noarchive")
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/page":
			if r.Header.Get("User-Agent") != reply.UserAgent {
				t.Errorf("the User-Agent header is %q, want %q", r.Header.Get("User-Agent"), reply.UserAgent)
			}
			w.Header().Add("X-Robots-Tag", "nofollow")
			w.Header().Add("X-Robots-Tag", "a: noai")
			fmt.Fprint(w, "<meta name=robots content=noindex>")
		case "/data":
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "<meta name=robots content=noindex>")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer site.Close()
	ask := func(args ...string) string {
		stdout, stderr, status := runWith("", append([]string{"tags", "--agent", "a"}, args...)...)
		return strings.ReplaceAll(fmt.Sprintf("%s%sstatus %d", stdout, stderr, status), site.URL, "SITE")
	}
	const conflict = "a\n  robots.txt  disallowed, line 2: Disallow: /page (group *)\n" +
		"  header      nofollow (X-Robots-Tag 1), noai (X-Robots-Tag 2)\n  meta        noindex (line 1)\n" +
		"  conflict    Crawlers that do not fetch the page do not see its noindex.\n" +
		"              Search engines may still show the address of the page. To keep\n" +
		"              the page out of their results, let them fetch the page.\nstatus 1"
	for path, want := range map[string]string{
		"/page":  conflict,
		"/moved": conflict,
		"/data":  "a\n  robots.txt  allowed, no rule matches (group *)\n  header      -\n  meta        -\nstatus 0",
		"/none":  "robotstxt tags: SITE/none: the server answers 404 Not Found\nstatus 2",
	} {
		if diff := cmp.Diff(want, ask(site.URL+path)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", path, diff)
		}
	}
	if got := ask("--robots", clitest.Sample, site.URL+"/page"); !strings.Contains(got, "allowed, line 4: Allow: / (group *)") {
		t.Errorf("with --robots: %s", got)
	}
	if got := ask("--url", site.URL+"/page", clitest.Tagged); !strings.Contains(got, "disallowed, line 2") {
		t.Errorf("with --url: %s", got)
	}
	robots = http.StatusServiceUnavailable
	if got := ask(site.URL + "/page"); !strings.Contains(got, "disallowed, the server answers 503") ||
		strings.Contains(got, "conflict") || !strings.HasSuffix(got, "status 2") {
		t.Errorf("without a robots.txt: %s", got)
	}
}

func TestTagsErrors(t *testing.T) {
	const usage = " (try: robotstxt tags --help)\n"
	for args, want := range map[string]string{
		"":                                    "no page given" + usage,
		"--header noindex " + clitest.Tagged:  "--header \"noindex\": want a header such as \"X-Robots-Tag: noindex\", with one of the names X-Robots-Tag, Robots-Tag, Content-Usage and Content-Signal" + usage,
		"--header Server:x " + clitest.Tagged: "--header \"Server:x\": want a header such as \"X-Robots-Tag: noindex\", with one of the names X-Robots-Tag, Robots-Tag, Content-Usage and Content-Signal" + usage,
		"--url / https://a.example/":          "--header and --url are for files, not for URLs" + usage,
		"--header X-Robots-Tag:a https://a":   "--header and --url are for files, not for URLs" + usage,
		"--robots " + clitest.Sample + " " + clitest.Tagged: "--robots also needs --url, the address of the page" + usage,
		"--robots - --url / -":                              "the page and the robots.txt cannot both come from standard input\n",
		"--url /a " + clitest.Tagged:                        "--url /a: give a complete URL, or add --robots" + usage,
		"--url a --robots none " + clitest.Tagged:           "\"a\" is neither a URL nor a path (did you mean /a?)\n",
		"--url /a --robots none " + clitest.Tagged:          "open none: no such file or directory\n",
		"ftp://a.example/":                                  "ftp://a.example/robots.txt: only http and https URLs can be fetched\n",
		"--url ftp://a.example/ " + clitest.Tagged:          "ftp://a.example/robots.txt: only http and https URLs can be fetched\n",
		"www.example.com":                                   "open www.example.com: no such file or directory (did you mean https://www.example.com?)\n",
		"--agent @bots " + clitest.Tagged:                   "\"@bots\" is not a set of crawlers (want @ai, @search or @all)\n",
	} {
		stdout, stderr, status := runWith("", append([]string{"tags"}, strings.Fields(args)...)...)
		if stdout != "" || stderr != "robotstxt tags: "+want || status != cli.ExitError {
			t.Errorf("%s: status %d, output %q, standard error %q", args, status, stdout, stderr)
		}
	}
}

// TestTagsRefused tests that the verdict is unknown if the server refuses the robots.txt to the tool.
func TestTagsRefused(t *testing.T) {
	site := clitest.NewSite(t, clitest.Status(http.StatusForbidden))
	stdout, stderr, status := runWith("", "tags", "--agent", "FooBot", "--robots", site.URL, "--url", "/x", clitest.Tagged)
	if want := "  robots.txt  unknown, " + clitest.Refusal + "\n"; !strings.Contains(strings.ReplaceAll(stdout, "\n              ", " "), want) || stderr != "" || status != cli.ExitError {
		t.Errorf("status %d, standard error %q, output %q, want %q", status, stderr, stdout, want)
	}
	_, stderr, status = runWith("", "tags", site.URL+"/robots.txt")
	if want := "robotstxt tags: " + site.URL + "/robots.txt: " + clitest.Refusal + "\n"; stderr != want || status != cli.ExitError {
		t.Errorf("a page: status %d, standard error %q, want %q", status, stderr, want)
	}
	stdout, _, _ = runWith("", "tags", "--json", "--agent", "FooBot", "--robots", site.URL, "--url", "/x", clitest.Tagged)
	if !strings.Contains(stdout, `"refused": true`) {
		t.Errorf("got %s", stdout)
	}
}

// TestTagsAIHeaders reads the headers of a page that is fetched.
func TestTagsAIHeaders(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Usage", "train-ai=n")
		w.Header().Set("Content-Signal", "ai-input=yes")
	}))
	defer site.Close()
	stdout, stderr, status := runWith("", "tags", "--json", "--agent", "a", site.URL+"/x")
	var got struct{ AI aiHeadersJSON }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || stderr != "" || status != cli.ExitOK {
		t.Fatalf("status %d, standard error %q, %v", status, stderr, err)
	}
	want := aiHeadersJSON{
		Headers:  []aiHeader{{"Content-Usage", 1, "train-ai=n"}, {"Content-Signal", 1, "ai-input=yes"}},
		Training: answers.Preference{Value: "disallow", Mechanism: "Content-Usage header"},
		Search:   answers.Preference{Value: "unknown"},
		Input:    answers.Preference{Value: "allow", Mechanism: "Content-Signal header"},
		Unknown:  []string{},
	}
	if diff := cmp.Diff(want, got.AI); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTagsAfterRedirect tests that the robots.txt of a site to which the page has led, and which the user did not name,
// is not fetched from a private address, to which the name of the site can lead by now.
func TestTagsAfterRedirect(t *testing.T) {
	asked := false
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer inner.Close()
	page := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1) + "/page"
	r, err := new(tagsCommand).loadRules(New(), "https://shop.example/page", page)
	if err != nil || r.State != reply.Private || asked {
		t.Errorf("reply %+v, error %v, asked: %t", r, err, asked)
	}
}
