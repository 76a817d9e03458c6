package tags

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
)

// TestTags tests the text. What the answers follow from is in the cases of package page.
func TestTags(t *testing.T) {
	const hiddenText = `conflict Crawlers that do not fetch the page do not see what it says about
         search results. Search engines may still show its address. To keep the
         page out of their results, let them fetch it.
`
	for _, c := range []struct {
		about, stdin string
		args         []string
		stdout       string
		status       int
	}{
		{"a conflict, and crawlers that are told the same", "",
			[]string{"--robots", clitest.Sample, "--url", "https://shop.example/basket", "--agent", "bingbot", "--agent", "FooBot/1.0", "--agent", "*",
				"--response-header", "x-robots-tag: bingbot: unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT", "--response-header", "Robots-Tag: *;nofollow", clitest.Tagged},
			`fetch    yes for FooBot/1.0: no rule matches (group FooBot)
         no for bingbot, any other: line 5: Disallow: /basket
index    cannot be told for bingbot: the page may not be fetched, so crawlers
         never see its noindex (line 5), unavailable_after: Fri, 25 Jun 2027
         15:00:00 GMT (X-Robots-Tag 1)
         no for FooBot/1.0: noindex (line 5)
         cannot be told for any other: the page may not be fetched, so crawlers
         never see its noindex (line 5)
train    no for FooBot/1.0: noai (line 6)
         no for any other: line 5: Disallow: /basket (group *)

header   bingbot: unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT
         (X-Robots-Tag 1), nofollow (Robots-Tag 1)
meta     noindex (line 5), max-snippet:20 (line 5), FooBot: noai (line 6),
         FooBot: nosuch (line 6)
unknown  nosuch
` + hiddenText, cli.ExitNo},
		{"no robots.txt, and standard input", "<meta name='a-b' content='noindex'>", []string{"--agent", "A-B-C", "--agent", "a", "--agent", "b", "-"},
			`fetch    cannot be told for A-B-C, a, b: no robots.txt was checked
index    no for A-B-C: noindex (line 1)
         yes for a, b: nothing says noindex
train    yes for A-B-C, a, b: nothing is said about training

header   -
meta     a-b: noindex (line 1)
`, cli.ExitOK},
		{"headers about AI", "", []string{"--agent", "a", "--response-header", "content-usage: train-ai=n", "--response-header", "Content-Signal: search=yes, ai-train=no, tdm=no", "--response-header", "tdm-reservation: 1", "/dev/null"},
			`fetch    cannot be told for a: no robots.txt was checked
index    yes for a: nothing says noindex
train    no for a: disallowed by the Content-Usage header

header   train-ai=n (Content-Usage 1), search=yes, ai-train=no, tdm=no
         (Content-Signal 1), 1 (Tdm-Reservation 1)
meta     -
unknown  tdm
`, cli.ExitOK},
		{"a crawler that is only for search", "", []string{"--agent", "Googlebot", "/dev/null"},
			`fetch    cannot be told for Googlebot: no robots.txt was checked
index    yes for Googlebot: nothing says noindex

header   -
meta     -
`, cli.ExitOK},
		{"all crawlers", "", []string{"/dev/null"},
			`fetch    cannot be told for all crawlers: no robots.txt was checked
index    yes for all search engines: nothing says noindex
train    yes for all crawlers that train AI models: nothing is said about
         training

header   -
meta     -
`, cli.ExitOK},
		{"a set of crawlers with an exception", "", []string{"--agent", "@ai", "--url", "/", "--robots", clitest.NewFile(t, "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /x\n"), "/dev/null"},
			"fetch    no for all AI crawlers except GPTBot: line 2: Disallow: /\n         yes for GPTBot: no rule matches (group GPTBot)\n", cli.ExitOK},
		{"what a terminal would obey", "\n<meta name=robots content='no\x1b[2Jindex, x\xff'>", []string{"--agent", "a", "-"},
			`fetch    cannot be told for a: no robots.txt was checked
index    yes for a: nothing says noindex
train    yes for a: nothing is said about training

header   -
meta     "no\x1b[2Jindex" (line 2), "x\xff" (line 2)
unknown  "no\x1b[2Jindex"
unknown  "x\xff"
`, cli.ExitOK},
	} {
		stdout, stderr, status := runWith(c.stdin, append([]string{"tags"}, c.args...)...)
		stderr = strings.Replace(stderr, "robotstxt tags: the agent \"FooBot/1.0\" is read as \"FooBot\"\n", "", 1)
		if strings.HasPrefix(c.about, "a set") {
			stdout = strings.Join(strings.SplitAfter(stdout, "\n")[:2], "")
		}
		if diff := cmp.Diff(c.stdout, stdout); diff != "" || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, want %d; standard error %q; output (-want +got):\n%s", c.about, status, c.status, stderr, diff)
		}
	}
}

// TestTagsAgents tests for which crawlers the answers are without --agent.
func TestTagsAgents(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: BazBot\nDisallow: /\nUser-agent: *\nDisallow: /x\n")
	stdout, _, _ := runWith("", "tags", "--robots", robots, "--url", "/", "--response-header", "X-Robots-Tag: GOOGLEBOT: noindex, BarBot: noai", clitest.Tagged)
	const want = `fetch    no for BazBot: line 2: Disallow: / (group BazBot)
         yes for all other crawlers: no rule matches
index    no for Googlebot, Googlebot-Image, Googlebot-News, Googlebot-Video:
         noindex (X-Robots-Tag 1), noindex (line 5)
         cannot be told for BazBot: the page may not be fetched, so crawlers
         never see its noindex (line 5)
         no for all other search engines: noindex (line 5)
train    no for BarBot: noai (X-Robots-Tag 1)
         no for FooBot: noai (line 6)
         no for BazBot: line 2: Disallow: / (group BazBot)
         yes for all other crawlers that train AI models: nothing is said about
         training
`
	if got, _, _ := strings.Cut(stdout, "\n\n"); got+"\n" != want {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got+"\n"))
	}
}

// TestTagsHostile tests that a page that names very many crawlers, or says the same very often, is read in a moment.
func TestTagsHostile(t *testing.T) {
	var names strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&names, "<meta name=a%d content=nofollow>", i)
	}
	_, stderr, status := runWith(names.String(), "tags", "--json", "-")
	if stderr != "robotstxt tags: the page and the robots.txt name more than 500 crawlers; the answers are not for the last of them\n" || status != cli.ExitOK {
		t.Errorf("names: status %d, standard error %q", status, stderr)
	}
	stdout, _, _ := runWith("<meta name=robots content='"+strings.Repeat("noindex,", 20_000)+"'>", "tags", "--agent", "a", "-")
	if !strings.Contains(stdout, "noindex (line 1), and others\n") {
		t.Errorf("directives: %.500s", stdout)
	}
}

// TestTagsJSON tests the JSON about a page without an address and without tags.
func TestTagsJSON(t *testing.T) {
	stdout, _, status := runWith("<p>", "tags", "--json", "--agent", "a", "-")
	for _, part := range []string{`"url": ""`, `"directives": []`, `"headers": []`, `"unknown": []`, `"conflict": false`} {
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
	const conflict = `fetch    no for a: line 2: Disallow: /page (group *)
index    cannot be told for a: the page may not be fetched, so crawlers never
         see its noindex (line 1)
train    no for a: line 2: Disallow: /page (group *)

header   nofollow (X-Robots-Tag 1), a: noai (X-Robots-Tag 2)
meta     noindex (line 1)
conflict Crawlers that do not fetch the page do not see what it says about
         search results. Search engines may still show its address. To keep the
         page out of their results, let them fetch it.
status 1`
	for path, want := range map[string]string{
		"/page":  conflict,
		"/moved": "page     redirected to SITE/page\n" + conflict,
		"/data":  "fetch    yes for a: no rule matches (group *)\nindex    yes for a: nothing says noindex\ntrain    yes for a: nothing is said about training\n\nheader   -\nmeta     -\nstatus 0",
		"/none":  "robotstxt tags: SITE/none: the server answers 404 Not Found\nstatus 2",
	} {
		if diff := cmp.Diff(want, ask(site.URL+path)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", path, diff)
		}
	}
	if got := ask("--robots", clitest.Sample, site.URL+"/page"); !strings.Contains(got, "fetch    yes for a: line 4: Allow: / (group *)") {
		t.Errorf("with --robots: %s", got)
	}
	if got := ask("--url", site.URL+"/page", clitest.Tagged); !strings.Contains(got, "fetch    no for a: line 2") {
		t.Errorf("with --url: %s", got)
	}
	robots = http.StatusServiceUnavailable
	if got := ask(site.URL + "/page"); !strings.Contains(got, "fetch    no for a: the server answers 503") ||
		strings.Contains(got, "conflict") || !strings.HasSuffix(got, "status 2") {
		t.Errorf("without a robots.txt: %s", got)
	}
}

func TestTagsErrors(t *testing.T) {
	const usage = " (try: robotstxt tags --help)\n"
	for args, want := range map[string]string{
		"": "no page given" + usage,
		"--response-header noindex " + clitest.Tagged:       "--response-header: want a header such as \"Name: value\", but not Host" + usage,
		"--response-header Server:x " + clitest.Tagged:      "--response-header \"Server\": want one of X-Robots-Tag, Robots-Tag, Content-Usage, Content-Signal, Tdm-Reservation" + usage,
		"--url / https://a.example/":                        "--response-header and --url are for files, not for URLs" + usage,
		"--response-header X-Robots-Tag:a https://a":        "--response-header and --url are for files, not for URLs" + usage,
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
	if want := "fetch    cannot be told for FooBot: " + clitest.Refusal + "\nindex    cannot be told for FooBot: nobody knows whether the page may be fetched\n"; !strings.Contains(strings.ReplaceAll(stdout, "\n         ", " "), want) || stderr != "" || status != cli.ExitError {
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
