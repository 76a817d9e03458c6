package check

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

const sitemapXML = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://shop.example/basket</loc></url>
<url><loc>https://shop.example/?a=1&amp;session=2</loc></url>
<url><loc>https://shop.example/tea</loc></url>
</urlset>
`

// TestCheckInputSitemap tests that check gives no line of a sitemap a verdict without --sitemap, and that --csv lists the URLs
// of a sitemap one by one.
func TestCheckInputSitemap(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /basket$\nDisallow: /*session=\n")
	for about, stdin := range map[string]string{"XML": sitemapXML, "gzip": clitest.Gzip(sitemapXML), "blank lines": "\ufeff\n \n" + sitemapXML} {
		stdout, stderr, status := runWith(stdin, "check", "--robots", robots, "-")
		if stdout != "" || stderr != "robotstxt check: standard input is not a list of URLs; if it is a sitemap, add --sitemap\n" || status != cli.ExitError {
			t.Errorf("%s: status %d, standard error %q, output\n%s", about, status, stderr, stdout)
		}
		stdout, stderr, status = runWith(stdin, "check", "--sitemap", "--csv", "--agent", "A", "--robots", robots, "-")
		if strings.Count(stdout, `"disallowed"`) != 2 || strings.Count(stdout, `"allowed"`) != 1 || stderr != "" || status != cli.ExitNo {
			t.Errorf("%s: --csv: status %d, standard error %q, output\n%s", about, status, stderr, stdout)
		}
	}
	stdout, stderr, status := runWith("\ufeff/tea\nbasket\n/basket\n", "check", "--robots", robots, "-")
	if want := "allowed     /tea  no rule matches (group *)\ndisallowed  /basket  line 2: Disallow: /basket$ (group *)\n"; stdout != want ||
		stderr != "robotstxt check: line 2: \"basket\" is neither a URL nor a path (did you mean /basket?)\n" || status != cli.ExitError {
		t.Errorf("a list: status %d, standard error %q, output %q", status, stderr, stdout)
	}
}

// TestCheckSitemap checks sitemaps in files.
func TestCheckSitemap(t *testing.T) {
	dir := clitest.Folder(t, map[string]string{
		"robots.txt": "User-agent: *\nDisallow: /basket\nDisallow: /*session=\n\nUser-agent: bing\nUser-agent: Claude\nDisallow: /\n",
		"a.xml":      sitemapXML,
		"b.txt":      "https://shop.example/basket/1\nhttps://shop.example/basket/2\nhttps://shop.example/basket/3\nhttps://www.shop.example/basket\n",
		"none.html":  "<p>Hello",
		"bad.txt":    "/tea\n",
		"cut.xml":    strings.TrimSuffix(sitemapXML, "</urlset>\n"),
		"many.txt":   "a\nb\nc\nd\n",
		"index.xml":  "<sitemapindex><sitemap><loc>a.xml</loc></sitemap></sitemapindex>",
	})
	t.Chdir(dir)
	for _, test := range []struct {
		args, stdout, stderr string
		status               int
	}{
		{"a.xml b.txt", `7 URLs in 2 sitemaps
1 URL of another site is not checked, such as https://www.shop.example/basket: this robots.txt does not apply there

Googlebot, bingbot: 5 of 6 URLs disallowed
    line 2: Disallow: /basket  4 URLs, such as https://shop.example/basket https://shop.example/basket/1 https://shop.example/basket/2
    line 3: Disallow: /*session=  1 URL, such as https://shop.example/?a=1&session=2
`, "", cli.ExitNo},
		{"--agent FooBot --agent Claude-User a.xml", `3 URLs in 1 sitemap

FooBot: 2 of 3 URLs disallowed
    line 2: Disallow: /basket  1 URL, such as https://shop.example/basket
    line 3: Disallow: /*session=  1 URL, such as https://shop.example/?a=1&session=2

Claude-User: 3 of 3 URLs disallowed
    line 7: Disallow: /  3 URLs, such as https://shop.example/basket https://shop.example/?a=1&session=2 https://shop.example/tea
        (by the group Claude; whether Claude-User reads it is not documented)
`, "", cli.ExitNo},
		{"--json --agent FooBot a.xml", `{"sitemaps":1,"urls":3,"other_sites":0,"other_example":"","agents":[{"agent":"FooBot","disallowed":2,"rules":[` +
			`{"line":2,"rule":"Disallow: /basket","urls":1,"examples":["https://shop.example/basket"]},{"line":3,"rule":"Disallow: /*session=","urls":1,"examples":["https://shop.example/?a=1&session=2"]}]}]}` + "\n", "", cli.ExitNo},
		{"none.xml", "", "robotstxt check: open none.xml: no such file or directory\n", cli.ExitError},
		{"many.txt", "", "robotstxt check: many.txt:1: \"a\" is not a URL\nrobotstxt check: many.txt:2: \"b\" is not a URL\nrobotstxt check: many.txt:3: \"c\" is not a URL\nrobotstxt check: many.txt: 4 entries are not URLs\n", cli.ExitError},
		{"none.html", "", "robotstxt check: none.html: no URLs were found; is it a sitemap?\n", cli.ExitError},
		{"cut.xml", "", "robotstxt check: cut.xml: the sitemap ends before </urlset>\n", cli.ExitError},
		{"bad.txt", "", "robotstxt check: bad.txt:1: \"/tea\" is not a URL\n", cli.ExitError},
		{"index.xml", "", "robotstxt check: index.xml:1: \"a.xml\" is not a URL\n", cli.ExitError},
		{"", "", "robotstxt check: the robots.txt names no sitemap; give the address of the sitemap\n", cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", "--sitemap", "--robots", "robots.txt"}, strings.Fields(test.args)...)...)
		if diff := cmp.Diff(test.stdout, stdout); diff != "" || stderr != test.stderr || status != test.status {
			t.Errorf("%s: status %d, standard error %q, output (-want +got):\n%s", test.args, status, stderr, diff)
		}
	}
	const note = " an HTML page, which crawlers read as a robots.txt without rules\n"
	if stdout, stderr, status := runWith("", "check", "--sitemap", "--robots", "none.html", "a.xml", "b.txt"); !strings.Contains(stdout, "0 of 6 URLs disallowed") || stderr != "robotstxt check: none.html: the file is"+note || status != cli.ExitOK {
		t.Errorf("an HTML page as robots.txt: status %d, standard error %q, output\n%s", status, stderr, stdout)
	}
	page := clitest.NewSite(t, clitest.Writes("<p>Hello"))
	if _, stderr, _ := runWith("", "check", "--sitemap", "--robots", page.URL, "a.xml"); stderr != "robotstxt check: "+page.URL+"/robots.txt: the server answers with"+note {
		t.Errorf("an HTML page at a URL: standard error %q", stderr)
	}
	site := clitest.NewSite(t, clitest.Writes(""))
	stdout, stderr, status := runWith("", "check", "--sitemap", "--robots", site.URL+"/busy", "a.xml")
	if !strings.HasSuffix(stdout, "\n    file unreachable  3 URLs, such as https://shop.example/basket https://shop.example/?a=1&session=2 https://shop.example/tea\n") || !strings.HasSuffix(stderr, "/busy: the server answers 503 Service Unavailable, so crawlers may fetch nothing\n") || status != cli.ExitError {
		t.Errorf("a server that fails: status %d, standard error %q, output %s", status, stderr, stdout)
	}
	if _, stderr, status := runWith("", "check", "--sitemap", "shop.example"); stderr != "robotstxt check: \"shop.example\" is not a URL (did you mean https://shop.example?)\n" || status != cli.ExitError {
		t.Errorf("a host: status %d, standard error %q", status, stderr)
	}
	if _, stderr, status := runWith("", "check", "--sitemap", "a.xml"); stderr != "robotstxt check: a.xml: give the robots.txt with --robots (try: robotstxt check --help)\n" || status != cli.ExitError {
		t.Errorf("without --robots: status %d, standard error %q", status, stderr)
	}
}

// TestCheckSitemapsOfSite checks a site whose robots.txt names an index with three sitemaps, one of them
// compressed, with 10,000 URLs.
func TestCheckSitemapsOfSite(t *testing.T) {
	var server *httptest.Server
	urls := func(format string, from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, format, fmt.Sprintf("%s/item/%d", server.URL, i))
		}
		return b.String()
	}
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const entry = "<url><loc>%s</loc></url>\n"
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /item/99\nSitemap: /index.xml\nSitemap: "+server.URL+"/none.xml\n")
		case "/index.xml":
			fmt.Fprintf(w, "<sitemapindex>%s</sitemapindex>", strings.ReplaceAll("<sitemap><loc>@/a.xml</loc></sitemap><sitemap><loc>@/b.xml.gz</loc></sitemap><sitemap><loc>@/c.txt</loc></sitemap><sitemap><loc>@/a.xml</loc></sitemap><sitemap><loc>@/nested.xml</loc></sitemap>", "@", server.URL))
		case "/nested.xml":
			fmt.Fprintf(w, "<sitemapindex><sitemap><loc>%s/a.xml</loc></sitemap></sitemapindex>", server.URL)
		case "/a.xml":
			fmt.Fprintf(w, "<urlset>%s</urlset>", urls(entry, 0, 4000))
		case "/b.xml.gz":
			fmt.Fprint(w, clitest.Gzip("<urlset>"+urls(entry, 4000, 8000)+"</urlset>"))
		case "/c.txt":
			fmt.Fprint(w, urls("%s\n", 8000, 10000))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	want := strings.ReplaceAll(`@/robots.txt: 10000 URLs in 3 sitemaps

Googlebot, bingbot: 111 of 10000 URLs disallowed
    line 2: Disallow: /item/99  111 URLs, such as @/item/99 @/item/990 @/item/991
`, "@", server.URL)
	wantErr := strings.ReplaceAll("robotstxt check: @/nested.xml: the sitemap is an index, but other indexes name it, so search engines do not follow it\nrobotstxt check: @/none.xml: the server answers 404 Not Found\n", "@", server.URL)
	stdout, stderr, status := runWith("", "check", "--sitemap", server.URL)
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != wantErr || status != cli.ExitError {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", status, stderr, diff)
	}
	elsewhere := clitest.NewSite(t, clitest.Writes("Sitemap: "+server.URL+"/c.txt\n"))
	if _, stderr, status := runWith("", "check", "--sitemap", elsewhere.URL); stderr != "robotstxt check: no URL was checked: they belong to other sites, such as "+server.URL+"/item/8000\n" || status != cli.ExitError {
		t.Errorf("a sitemap of another site: status %d, standard error %q", status, stderr)
	}
	want = strings.Replace(strings.Replace(want, "10000 URLs in 3 sitemaps", "4000 URLs in 1 sitemap", 1), "of 10000", "of 4000", 1)
	want = strings.Replace(want, "111 of", "11 of", 1)
	want = strings.Replace(want, "111 URLs", "11 URLs", 1)
	if stdout, stderr, status := runWith("", "check", "--sitemap", server.URL+"/a.xml"); stdout != want || stderr != "" || status != cli.ExitNo {
		t.Errorf("one sitemap: status %d, standard error %q, output\n%s", status, stderr, stdout)
	}
}

// TestCheckSitemapNoFile tests what is said if there is no robots.txt, or if the server refuses it.
func TestCheckSitemapNoFile(t *testing.T) {
	refuses, missing := clitest.NewSite(t, clitest.Status(http.StatusForbidden)), clitest.NewSite(t, http.NotFound)
	local := clitest.NewFile(t, "https://shop.example/\n")
	for _, c := range []struct {
		args   string
		want   string
		status int
	}{
		{refuses.URL, refuses.URL + "/robots.txt: " + clitest.Refusal, cli.ExitError},
		{refuses.URL + "/sitemap.xml", refuses.URL + "/robots.txt: " + clitest.Refusal, cli.ExitError},
		{"--robots " + refuses.URL + " " + local, refuses.URL + "/robots.txt: " + clitest.Refusal, cli.ExitError},
		{missing.URL, missing.URL + "/robots.txt: there is no robots.txt (404 Not Found), so crawlers may fetch everything\nrobotstxt check: the robots.txt names no sitemap; give the address of the sitemap", cli.ExitError},
	} {
		stdout, stderr, status := runWith("", append([]string{"check", "--sitemap"}, strings.Fields(c.args)...)...)
		if stdout != "" || stderr != "robotstxt check: "+c.want+"\n" || status != c.status {
			t.Errorf("%s: status %d, output %q, standard error %q, want %q", c.args, status, stdout, stderr, c.want)
		}
	}
}

// TestCheckSitemapNotes tests what is said about rules that other crawlers read differently.
func TestCheckSitemapNotes(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: A, FooBot\nDisalow: /x\nDisallow: /private/\n")
	list := filepath.Join(t.TempDir(), "urls.txt")
	clitest.Write(t, list, "https://shop.example/x\nhttps://shop.example//private/\nhttps://shop.example/tea\n")
	stdout, _, _ := runWith("", "check", "--sitemap", "--agent", "FooBot", "--robots", robots, list)
	const want = `
FooBot: 1 of 3 URLs disallowed
    line 2: Disallow: /x  1 URL, such as https://shop.example/x
        (line 2 is written "Disalow": most crawlers ignore the line)
        (line 1 has several names: Google and others read only the first)
`
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", stdout, want)
	}
}

// TestCheckSitemapsOfSites tests that the answers for two sites are apart.
func TestCheckSitemapsOfSites(t *testing.T) {
	var sites []string
	for range 2 {
		mux := http.NewServeMux()
		server := httptest.NewServer(mux)
		t.Cleanup(server.Close)
		mux.HandleFunc("/robots.txt", clitest.Writes("Sitemap: "+server.URL+"/urls.txt\n"))
		mux.HandleFunc("/urls.txt", clitest.Writes(server.URL+"/x\n"))
		sites = append(sites, server.URL)
	}
	stdout, stderr, status := runWith("", "check", "--sitemap", "--agent", "A", sites[0], sites[1])
	want := sites[0] + "/robots.txt: 1 URL in 1 sitemap\n\nA: 0 of 1 URL disallowed\n\n" + sites[1] + "/robots.txt: 1 URL in 1 sitemap\n\nA: 0 of 1 URL disallowed\n"
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitOK {
		t.Errorf("status %d, standard error %q, (-want +got)\n%s", status, stderr, diff)
	}
}

// TestCheckSitemapsOfStranger tests that a site cannot make the command fetch from a private network, or print what it
// did not expect, whether its robots.txt, an index or a redirect leads there. A host that the user names may be
// private.
func TestCheckSitemapsOfStranger(t *testing.T) {
	inner := clitest.NewSite(t, http.NotFound)
	asked := 0
	inner.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, "{\n  \"AccessKeyId\" : \"AKIAEXAMPLE\",\n}\n")
	})
	private := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1) + "/credentials"
	var lines string
	site := clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, lines) })
	index := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, private, http.StatusFound)
			return
		}
		fmt.Fprintf(w, "<sitemapindex><sitemap><loc>%s</loc></sitemap></sitemapindex>", private)
	}))
	defer index.Close()
	for _, c := range []struct {
		about, sitemap, named string
		asked                 int
	}{
		{"a line", private, "", 0},
		{"an index", index.URL, "", 0},
		{"a redirect", index.URL + "/moved", "", 0},
		{"a host that the user names", private, strings.TrimSuffix(private, "/credentials"), 1},
	} {
		asked, lines = 0, "Sitemap: "+c.sitemap+"\n"
		args := append([]string{"check", "--sitemap", "--robots", site.URL, site.URL}, strings.Fields(c.named)...)
		stdout, stderr, status := runWith("", args...)
		if asked != c.asked || strings.Contains(stdout+stderr, "AKIA") || status != cli.ExitError || c.asked == 0 && !strings.Contains(stderr, "an address that is not public") {
			t.Errorf("%s: %d requests, status %d, standard error %q, output %q", c.about, asked, status, stderr, stdout)
		}
	}
}
