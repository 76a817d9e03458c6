package check

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// pagesSite starts a site with a sitemap of pages with which something is wrong.
func pagesSite(t *testing.T) *clitest.Site {
	var site *clitest.Site
	site = clitest.NewSite(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "User-agent: *\nDisallow: /basket\nContent-Signal: ai-train=no\nSitemap: %s/sitemap.txt\n", site.URL)
	})
	robots := site.Config.Handler
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/sitemap.txt":
			for _, path := range []string{"/tea", "/header", "/basket", "/old", "/gone", "/past"} {
				fmt.Fprintln(w, site.URL+path)
			}
		case "/tea":
			fmt.Fprint(w, "<title>Tea</title>")
		case "/header":
			w.Header().Set("X-Robots-Tag", "none")
		case "/basket":
			fmt.Fprint(w, "<html><meta name=robots content=noindex>")
		case "/past":
			fmt.Fprint(w, "<html><meta name=robots content='unavailable_after: 2020-01-01'>")
		case "/old":
			http.Redirect(w, r, "/tea", http.StatusMovedPermanently)
		default:
			robots.ServeHTTP(w, r)
		}
	})
	return site
}

// TestCheckPages tests what is said about pages: which should not be in a sitemap is what Google documents
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap), and that a disallow hides a noindex
// (https://developers.google.com/search/docs/crawling-indexing/block-indexing).
func TestCheckPages(t *testing.T) {
	site := pagesSite(t)
	want := strings.ReplaceAll(`@/robots.txt: 6 URLs in 1 sitemap, 6 pages fetched
    redirect  1 URL, such as @/old -> @/tea
    the server answers 404 Not Found  1 URL, such as @/gone

Googlebot: 1 of 6 URLs disallowed
    line 2: Disallow: /basket  1 URL, such as @/basket
    noindex  1 URL, such as @/header
    noindex that crawlers never see, because line 2 disallows the page  1 URL, such as @/basket
    noindex since the time in unavailable_after  1 URL, such as @/past

GPTBot: 1 of 6 URLs disallowed
    line 2: Disallow: /basket  1 URL, such as @/basket
`, "@", site.URL)
	stdout, stderr, status := runWith("", "check", "--sitemap", "--pages", "--agent", "Googlebot,GPTBot", site.URL)
	if diff := cmp.Diff(want, stdout); diff != "" || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output (-want +got):\n%s", status, stderr, diff)
	}
}

// TestCheckPagesOutput tests the JSON and the CSV about pages, and the limit.
func TestCheckPagesOutput(t *testing.T) {
	site := pagesSite(t)
	stdout, stderr, status := runWith("", "check", "--sitemap", "--pages", "--limit", "3", "--json", "--agent", "Googlebot", site.URL)
	var got sitemapReport
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != cli.ExitNo {
		t.Fatalf("status %d, %v", status, err)
	}
	want := []pageGroup{{"noindex", "noindex", examples{1, []string{site.URL + "/header"}}},
		{"hidden noindex", "noindex that crawlers never see, because line 2 disallows the page", examples{1, []string{site.URL + "/basket"}}}}
	if diff := cmp.Diff(want, got.Agents[0].Pages, cmp.AllowUnexported(pageGroup{}, examples{})); diff != "" || got.Fetched != 3 || got.Pages != nil {
		t.Errorf("%d pages fetched, (-want +got)\n%s", got.Fetched, diff)
	}
	if want := "robotstxt check: only the first 3 of 6 pages were fetched; for more, use --limit\n"; stderr != want {
		t.Errorf("standard error %q, want %q", stderr, want)
	}
	stdout, _, _ = runWith("", "check", "--sitemap", "--pages", "--limit", "4", "--csv", "--agent", "Googlebot,GPTBot", site.URL)
	rows := strings.Split(strings.ReplaceAll(stdout, site.URL, "@"), "\r\n")
	for i, want := range map[int]string{
		0: `"url","agent","fetch","line","rule","why","status","redirect_to","error","index","index_why","train","train_why"`,
		2: `"@/header","Googlebot","allowed","","","no rule matches (group *)","200","","","no","none (X-Robots-Tag 1)","",""`,
		3: `"@/basket","Googlebot","disallowed","2","Disallow: /basket","line 2: Disallow: /basket (group *)","200","","","cannot be told","the page may not be fetched, so crawlers never see its noindex (line 1)","",""`,
		4: `"@/old","Googlebot","allowed","","","no rule matches (group *)","301","@/tea","","","","",""`,
		5: `"@/gone","Googlebot","allowed","","","no rule matches (group *)","","","","","","",""`, // beyond the limit
		7: `"@/tea","GPTBot","allowed","","","no rule matches (group *)","200","","","","","no","disallowed by line 3 (Content-Signal)"`,
	} {
		if rows[i] != want {
			t.Errorf("row %d is %s, want %s", i, rows[i], want)
		}
	}
}

// TestCheckPagesRefused tests that a page that the tool cannot read is an error, and one that does not exist is not.
func TestCheckPagesRefused(t *testing.T) {
	for code, want := range map[int]int{http.StatusForbidden: cli.ExitError, http.StatusInternalServerError: cli.ExitError, http.StatusGone: cli.ExitNo, http.StatusNotFound: cli.ExitNo} {
		site := clitest.NewSite(t, clitest.Writes("User-agent: *\nDisallow:\n"))
		robots := site.Config.Handler
		site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				w.WriteHeader(code)
				return
			}
			robots.ServeHTTP(w, r)
		})
		stdout, _, status := runWith(site.URL+"/x\n"+site.URL+"/robots.txt\n", "check", "--sitemap", "--pages", "--robots", site.URL, "-")
		if !strings.Contains(stdout, fmt.Sprint(code)) || status != want {
			t.Errorf("%d: status %d, want %d; output %s", code, status, want, stdout)
		}
	}
}

// TestCheckPagesOfUnknown tests that no page is fetched from a site that fails.
func TestCheckPagesOfUnknown(t *testing.T) {
	site := clitest.NewSite(t, clitest.Writes(""))
	stdout, _, status := runWith(site.URL+"/x\n", "check", "--sitemap", "--pages", "--agent", "A", "--robots", site.URL+"/busy", "-")
	if !strings.Contains(stdout, "1 URL in 1 sitemap\n") || status != cli.ExitError {
		t.Errorf("status %d, output %s", status, stdout)
	}
	site.WantRequests(t, "/busy A")
}

// TestCheckCSV tests the rows about URLs that are named one by one.
func TestCheckCSV(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /x\n")
	stdout, stderr, status := runWith("", "check", "--csv", "--robots", robots, "/x", "/y")
	const want = `"/x","*","disallowed","2","Disallow: /x","line 2: Disallow: /x (group *)","","","","","","",""` + "\r\n" +
		`"/y","*","allowed","","","no rule matches (group *)","","","","","","",""` + "\r\n"
	if !strings.HasSuffix(stdout, want) || stderr != "" || status != cli.ExitNo {
		t.Errorf("status %d, standard error %q, output %s", status, stderr, stdout)
	}
}

// TestCheckSitemapGroups tests that the crawlers of a set are named as one.
func TestCheckSitemapGroups(t *testing.T) {
	robots := clitest.NewFile(t, "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n")
	stdout, _, _ := runWith("https://shop.example/y\n", "check", "--sitemap", "--agent", "@ai", "--robots", robots, "-")
	const want = "1 URL in 1 sitemap\n\nall AI crawlers except GPTBot: 0 of 1 URL disallowed\n\nGPTBot: 1 of 1 URL disallowed\n    line 5: Disallow: /  1 URL, such as https://shop.example/y\n"
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCheckPagesErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--pages https://a.example":                     "--pages is for the URLs of sitemaps; add --sitemap (try: robotstxt check --help)\n",
		"--sitemap --pages --limit 0 https://a.example": "--limit must be at least 1\n",
		"--json --csv https://a.example":                "--json and --csv cannot be used together (try: robotstxt check --help)\n",
		"--header Host:a https://a.example":             "--header: want a header such as \"Name: value\", but not Host (try: robotstxt check --help)\n",
		"--header secret https://a.example":             "--header: want a header such as \"Name: value\", but not Host (try: robotstxt check --help)\n",
	} {
		stdout, stderr, status := runWith("", append([]string{"check"}, strings.Fields(args)...)...)
		if stdout != "" || stderr != "robotstxt check: "+want || status != cli.ExitError {
			t.Errorf("%s: status %d, output %q, standard error %q", args, status, stdout, stderr)
		}
	}
}
