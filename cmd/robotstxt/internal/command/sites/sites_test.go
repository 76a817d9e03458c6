package sites

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// serve starts a site and returns its URL.
func serve(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// dead returns the URL of a server that is not there.
func dead() string {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	return s.URL
}

// TestStates tests what the table says about each kind of answer.
func TestStates(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /x\n"
	open := serve(t, clitest.Writes("User-agent: *\nDisallow:\n"))
	for _, c := range []struct {
		about, url string
		want       string // the cells after the site, with " | " between
		unknown    string // what is said about the site below the table
		status     int
	}{
		{"a file", serve(t, clitest.Writes(robots)), "file | 27 | part | part | part | ", "", cli.ExitOK},
		{"a closed site", serve(t, clitest.Writes("User-agent: *\nDisallow: /\n")), "file | 26 | closed | closed | closed | 1 warning (all-disallowed)", "", cli.ExitOK},
		{"a closed home page", serve(t, clitest.Writes("User-agent: *\nDisallow: /\nAllow: /a\n")), "file | 36 | part, home page closed | part, home page closed | part | ", "", cli.ExitOK},
		{"closed to one AI crawler", serve(t, clitest.Writes("User-agent: GPTBot\nDisallow: /\n")),
			fmt.Sprintf("file | 31 | open | open | 1 of %d closed | ", len(aiCrawlers)), "", cli.ExitOK},
		{"a misspelled key", serve(t, clitest.Writes("User-agent: *\nDisalow: /x\nAllow: /x/y\n")), "file | 38 | part | part | part | 1 error (misspelled-key)", "", cli.ExitOK},
		{"an info and an error", serve(t, clitest.Writes("User-agent: *\nDisallow: /x/\nHost: a.example\nDisalow: /x\n")), "file | 56 | part | part | part | 1 error, 1 info (misspelled-key)", "", cli.ExitOK},
		{"a long file", serve(t, clitest.Writes(robots+strings.Repeat("#\n", 300_000))), "file | > 500 KiB | part | part | part | 1 error (file-too-large)", "", cli.ExitOK},
		{"no file", serve(t, http.NotFound), "no file (404) |  | open | open | open | ", "", cli.ExitOK},
		{"HTML", serve(t, clitest.Writes("<!doctype html><p>")), "not a robots.txt (200) |  | open | open | open | ", "an HTML page", cli.ExitError},
		{"JSON", serve(t, clitest.Writes("{\"a\": 1}")), "not a robots.txt (200) |  | open | open | open | ", "the server answers with JSON", cli.ExitError},
		{"a bot wall", serve(t, clitest.Challenge), "bot wall (403) |  | ? | ? | ? | ", "cf-mitigated: challenge", cli.ExitError},
		{"403", serve(t, clitest.Status(403)), "refused (403) |  | ? | ? | ? | ", clitest.Refusal, cli.ExitError},
		{"503", serve(t, clitest.Status(503)), "fails (503) |  | ? | ? | ? | ", "the server answers 503 Service Unavailable", cli.ExitError},
		{"no answer", dead(), "no answer |  | ? | ? | ? | ", "the server refuses connections", cli.ExitError},
		{"another site's file", serve(t, http.RedirectHandler(open+"/robots.txt", http.StatusFound).ServeHTTP),
			"file, from " + open + " | 24 | open | open | open | ", "", cli.ExitOK},
		{"a redirect to a private address", serve(t, http.RedirectHandler(strings.Replace(open, "127.0.0.1", "localhost", 1), http.StatusFound).ServeHTTP),
			"private |  | ? | ? | ? | ", "not public", cli.ExitError},
	} {
		stdout, stderr, status := runWith("", "sites", c.url)
		lines := strings.Split(stdout, "\n")
		header := lines[0]
		var cells []string
		for _, name := range []string{"ROBOTS.TXT", "SIZE", "GOOGLEBOT", "BINGBOT", "AI CRAWLERS", "FINDINGS"} {
			cell := lines[1][min(strings.Index(header, name), len(lines[1])):]
			cell, _, _ = strings.Cut(cell, "  ")
			cells = append(cells, cell)
		}
		if got := strings.Join(cells, " | "); got != c.want || stderr != "" || status != c.status {
			t.Errorf("%s: status %d, want %d; standard error %q\n got %s\nwant %s", c.about, status, c.status, stderr, got, c.want)
		}
		_, unknown, _ := strings.Cut(stdout, "\n\n")
		if !strings.Contains(unknown, c.unknown) || (c.unknown == "") != (unknown == "") {
			t.Errorf("%s: below the table:\n%s", c.about, unknown)
		}
	}
}

// TestAISummary tests that the JSON has the sentence of the command ai.
func TestAISummary(t *testing.T) {
	url := serve(t, clitest.Writes("User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nAllow: /\n"))
	stdout, _, _ := runWith("", "sites", "--json", url)
	if want := `may fetch /; the file refuses training to all AI crawlers but GPTBot, whose group doesn't say it."`; !strings.Contains(stdout, want) {
		t.Errorf("got %s, want %s in it", stdout, want)
	}
}

// TestReasons tests how the sites that were not read are listed: by reason, and those without an answer at the
// end.
func TestReasons(t *testing.T) {
	down, down2, one, two := dead(), dead(), serve(t, clitest.Status(403)), serve(t, clitest.Status(403))
	stdout, _, _ := runWith("", "sites", down, one, two, down2)
	refused := "\n\n2 sites: " + clitest.Refusal + "\n  " + one + ", " + two + "\n"
	if i := strings.Index(stdout, refused+"\n2 sites: "); i < 0 || !strings.HasSuffix(stdout, "the server refuses connections\n  "+down+", "+down2+"\n") {
		t.Errorf("no %q before the dead sites in:\n%s", refused, stdout)
	}
}

// TestChanges tests what the second run says about a site that changes after the first, and that the third says
// nothing if the site stays as it is.
func TestChanges(t *testing.T) {
	const before, after = "User-agent: *\nDisallow: /x\n", "# new\nUser-agent: *\nDisallow: /x\nDisallow: /y\n"
	const sitemap, signal = before + "Sitemap: https://a.example/s.xml\n", "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x\n"
	const asBefore = "1 site as before\n"
	gone, fails := clitest.Status(404), clitest.Status(503)
	refusal := "the server refuses this tool (403 Forbidden), and crawlers may get another answer"
	for _, c := range []struct {
		about    string
		old, new http.HandlerFunc
		want     string // the output without the site
		kept     string
		status   int
	}{
		{"nothing changes", clitest.Writes(before), clitest.Writes(before), asBefore, before, cli.ExitOK},
		{"a comment changes", clitest.Writes(before), clitest.Writes("# x\n" + before), asBefore, "# x\n" + before, cli.ExitOK},
		{"a verdict changes", clitest.Writes(before), clitest.Writes(after), "changed\n  crawlers that no group names\n    now disallowed  /y\n", after, cli.ExitNo},
		{"a sitemap comes", clitest.Writes(before), clitest.Writes(sitemap), "other lines, which change no verdict\n  new   Sitemap: https://a.example/s.xml\n", sitemap, cli.ExitNo},
		{"a sitemap goes", clitest.Writes(sitemap), clitest.Writes(before), "other lines, which change no verdict\n  gone  Sitemap: https://a.example/s.xml\n", before, cli.ExitNo},
		{"a sitemap moves", clitest.Writes(sitemap), clitest.Writes(strings.Replace(sitemap, "s.xml", "t.xml", 1)), "other lines, which change no verdict\n  now   Sitemap: https://a.example/t.xml, was https://a.example/s.xml\n", strings.Replace(sitemap, "s.xml", "t.xml", 1), cli.ExitNo},
		{"a signal comes", clitest.Writes(before), clitest.Writes(signal), "other lines, which change no verdict\n  new   Content-Signal: ai-train=no, for crawlers that no group names\n", signal, cli.ExitNo},
		{"a file appears", gone, clitest.Writes(before), "now \"file\", before \"no file\"\n  crawlers that no group names\n    now disallowed  /x\n", before, cli.ExitNo},
		{"a file vanishes", clitest.Writes(before), gone, "now \"no file\", before \"file\"\n  crawlers that no group names\n    now allowed  /x\n", "", cli.ExitNo},
		{"an empty file vanishes", clitest.Writes(""), gone, "now \"no file\", before \"file\"\n", "", cli.ExitNo},
		{"a bot wall", clitest.Writes(before), clitest.Challenge, "now \"bot wall\", before \"file\": the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer\n", before, cli.ExitNo},
		{"HTML", clitest.Writes(before), clitest.Writes("<html>"), "now \"not a robots.txt\", before \"file\": the server answers with an HTML page, which crawlers read as a robots.txt without rules\n", before, cli.ExitNo},
		{"the server fails", clitest.Writes(before), fails, "now \"fails\", before \"file\": the server answers 503 Service Unavailable\n", before, cli.ExitNo},
		{"the server works again", fails, clitest.Writes(before), "now \"file\", before \"fails\"\n", before, cli.ExitNo},
		{"another failure", fails, clitest.Status(403), "now \"refused\", before \"fails\": " + refusal + "\n", "-", cli.ExitNo},
		{"the same failure", fails, clitest.Status(500), "0 sites as before, 1 unreadable as before\n", "-", cli.ExitOK},
	} {
		now := c.old
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { now(w, r) })
		dir := filepath.Join(t.TempDir(), "new")
		run := func(want string, wantStatus int) {
			t.Helper()
			stdout, stderr, status := runWith("", "sites", "--out", dir, url)
			stdout = strings.ReplaceAll(stdout, "  "+url+"\n\n0 sites as before\n", "")
			if diff := cmp.Diff(want, strings.TrimPrefix(stdout, "1 site: ")); diff != "" || status != wantStatus || stderr != "" {
				t.Errorf("%s: status %d, want %d, standard error %q, output (-want +got):\n%s", c.about, status, wantStatus, stderr, diff)
			}
		}
		runWith("", "sites", "--out", dir, url)
		now = c.new
		run(c.want, c.status)
		text, err := os.ReadFile(filepath.Join(dir, fileName(url)))
		switch c.kept {
		case "":
			c.kept = noFile + url + "/robots.txt\n"
		case "-":
			text, c.kept, err = nil, "", nil
		}
		if diff := cmp.Diff(c.kept, string(text)); diff != "" || err != nil {
			t.Errorf("%s: error %v; the kept file (-want +got):\n%s", c.about, err, diff)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, unfinished)); len(left) > 0 {
			t.Errorf("%s: %s is left", c.about, left)
		}
		third := asBefore
		if stdout, _, _ := runWith("", "sites", "--json", "--out", dir, url); !strings.Contains(stdout, `"state":"file"`) && !strings.Contains(stdout, `"state":"no file"`) {
			third = "0 sites as before, 1 unreadable as before\n"
		}
		run(third, cli.ExitOK)
	}
}

// TestReport tests a report about many sites: equal changes are told once, failures come after them, new sites are
// named, and the others are counted. The table is printed on demand.
func TestReport(t *testing.T) {
	const old = "User-agent: *\nDisallow: /x\n"
	closed := clitest.Writes("User-agent: *\nDisallow: /\n")
	var now [7]http.HandlerFunc
	var urls []string
	for i := range now {
		now[i] = clitest.Writes(old)
		urls = append(urls, serve(t, func(w http.ResponseWriter, r *http.Request) { now[i](w, r) }))
	}
	now[5] = clitest.Status(503)
	dir := t.TempDir()
	list := strings.Join(urls, "\n")
	if stdout, _, status := runWith(list, "sites", "--from", "-", "--out", dir); status != cli.ExitError || !strings.HasPrefix(stdout, "SITE ") || strings.Contains(stdout, "CHANGE") {
		t.Errorf("the first run: status %d, output\n%s", status, stdout)
	}
	now[0], now[2], now[3] = clitest.Status(500), closed, closed
	now[4] = clitest.Writes(old + "Sitemap: https://a.example/s.xml\n")
	now[6] = clitest.Writes(old + "Sitemap: https://b.example/s.xml\n")
	fresh, down := serve(t, clitest.Writes(old)), dead()
	list += "\n" + fresh + "\n" + down
	stdout, _, status := runWith(list, "sites", "--from", "-", "--table", "--out", dir)
	report, table, _ := strings.Cut(stdout, "\n\nSITE ")
	want := "2 sites: changed\n  crawlers that no group names\n    now disallowed  /\n  " + urls[2] + ", " + urls[3] + "\n\n" +
		"2 sites: other lines, which change no verdict\n  new   Sitemap: [site]/s.xml\n  " + urls[4] + ", " + urls[6] + "\n\n" +
		"1 site: new: file\n  " + fresh + "\n\n" +
		"1 site: now \"fails\", before \"file\": the server answers 500 Internal Server Error\n  " + urls[0] + "\n\n" +
		"1 site: new: no answer: the server refuses connections\n  " + down + "\n\n" +
		"1 site as before, 1 unreadable as before"
	if diff := cmp.Diff(want, report); diff != "" || status != cli.ExitNo {
		t.Errorf("status %d (-want +got):\n%s", status, diff)
	}
	for _, part := range []string{" CHANGE\n", " changed\n", " same\n", " first\n", "1 site: the server refuses connections\n"} {
		if !strings.Contains(table, part) {
			t.Errorf("no %q in the table:\n%s", part, table)
		}
	}
	// A run about one site keeps the rows of the others.
	runWith("", "sites", "--out", dir, fresh)
	if stdout, _, status := runWith(list, "sites", "--from", "-", "--out", dir); status != cli.ExitOK || stdout != "6 sites as before, 3 unreadable as before\n" {
		t.Errorf("the fourth run: status %d, output\n%s", status, stdout)
	}
	// A site whose certificate, for example, is new on the list is a failure that nobody knew.
	if stdout, _, status := runWith(list+"\n"+dead(), "sites", "--from", "-", "--out", dir); status != cli.ExitError || !strings.Contains(stdout, "new: no answer") {
		t.Errorf("a new site fails: status %d, output\n%s", status, stdout)
	}
}

// TestChangeText tests what is said about a change of verdicts, if there is a file but no row.
func TestChangeText(t *testing.T) {
	url := serve(t, clitest.Writes("User-agent: *\nDisallow: /x\nDisalow: /z\n"))
	dir := clitest.Folder(t, map[string]string{fileName(url): "User-agent: FooBot\nDisallow: /\n\nUser-agent: *\nDisallow: /y\nDisallow: /z\n"})
	stdout, _, _ := runWith("", "sites", "--out", dir, url)
	want := "1 site: changed\n  FooBot\n    now allowed  /\n    still disallowed  /z; line 3 is written \"Disalow\": most crawlers ignore the line\n  crawlers that no group names\n    now allowed  /y\n    now disallowed  /x\n" +
		"    still disallowed  /z; line 3 is written \"Disalow\": most crawlers ignore the line\n  " + url + "\n\n0 sites as before\n"
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	none := clitest.Folder(t, map[string]string{fileName(url): noFile + url + "\n"})
	if stdout, _, _ := runWith("", "sites", "--out", none, url); !strings.HasPrefix(stdout, "1 site: now \"file\", before \"no file\"\n") {
		t.Errorf("after a missing file:\n%s", stdout)
	}
}

// TestContinue tests that a run goes on with the sites that an interrupted run of today has not read, and that a run
// of another day starts again.
func TestContinue(t *testing.T) {
	var asked atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		clitest.Writes("User-agent: *\nDisallow: /x\n")(w, r)
	})
	other := serve(t, clitest.Writes(""))
	dir := t.TempDir()
	row := fmt.Sprintf(`{"site":%q,"url":%q,"state":"file","before":"file","change":"changed"}`, url, url+"/robots.txt")
	failed := fmt.Sprintf(`{"site":%q,"url":%q,"state":"no answer","change":"first"}`, other, other+"/robots.txt")
	write := func() {
		clitest.Write(t, filepath.Join(dir, newRows), row+"\n"+failed+"\n"+`{"site":"cut o`)
		clitest.Write(t, filepath.Join(dir, unfinished, fileName(url)+".new"), "# of the interrupted run")
	}
	write()
	stdout, stderr, status := runWith("", "sites", "--out", dir, url, other)
	if asked.Load() != 0 || status != cli.ExitNo || !strings.Contains(stderr, "continues an unfinished run of today") || !strings.Contains(stdout, "1 site: new: file\n  "+other) {
		t.Errorf("%d requests, status %d, standard error %q, output:\n%s", asked.Load(), status, stderr, stdout)
	}
	if rows, err := readRows(filepath.Join(dir, lastRows)); len(rows) != 2 || rows[other+"/robots.txt"].State != "file" || err != nil {
		t.Errorf("the last rows: %v, %v", rows, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, fileName(url))); string(text) != "# of the interrupted run" {
		t.Errorf("the kept file: %q, %v", text, err)
	}
	runWith("", "sites", "--out", dir, url)
	if asked.Load() != 1 {
		t.Errorf("the next run sends %d requests, want 1", asked.Load())
	}
	write()
	yesterday := time.Now().AddDate(0, 0, -1)
	if err := os.Chtimes(filepath.Join(dir, newRows), yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if _, stderr, _ := runWith("", "sites", "--out", dir, url); asked.Load() != 2 || stderr != "" {
		t.Errorf("after a run of yesterday: %d requests, want 2; standard error %q", asked.Load(), stderr)
	}
}

// TestInterrupted tests that an interrupted run has not read the sites of the last run.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	clitest.Write(t, filepath.Join(dir, lastRows), `{"url":"https://a.example/robots.txt","state":"file"}`+"\n")
	for range 2 {
		f, err := openFolder(dir)
		if err != nil || len(f.last) != 1 || len(f.done) != 0 || f.close(nil, false) != nil {
			t.Fatalf("%v, last rows %v, done %v", err, f.last, f.done)
		}
	}
}

// TestLock tests that a second run in the same folder ends.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "robotstxt sites: another run with --out " + dir + " has not ended; this one has read nothing\n"
	if stdout, stderr, status := runWith("", "sites", "--out", dir, "a.example"); stdout != "" || stderr != want || status != cli.ExitError {
		t.Errorf("status %d, output %q, standard error %q, want %q", status, stdout, stderr, want)
	}
	if err := first.close(nil, true); err != nil {
		t.Error(err)
	}
	if second, err := openFolder(dir); err != nil || second.close(nil, true) != nil {
		t.Errorf("after the first run: %v", err)
	}
}

// TestSecondTry tests that a site that does not answer is asked once more, and has more time for it.
func TestSecondTry(t *testing.T) {
	for _, c := range []struct {
		about string
		tries int32 // until the site answers
		state string
	}{{"at once", 1, "file"}, {"the second time", 2, "file"}, {"never", 3, "no answer"}} {
		var asked atomic.Int32
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) < c.tries {
				panic(http.ErrAbortHandler)
			}
			clitest.Writes("")(w, r)
		})
		stdout, _, _ := runWith("", "sites", "--json", url)
		if asked.Load() != min(c.tries, 2) || !strings.Contains(stdout, `"state":"`+c.state+`"`) {
			t.Errorf("%s: %d requests, %s", c.about, asked.Load(), stdout)
		}
	}
	release := make(chan struct{})
	slow := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-release })
	defer close(release)
	if stdout, _, _ := runWith("", "sites", "--timeout", "20ms", slow); !strings.Contains(stdout, "it did not answer within 0.1 s") {
		t.Errorf("a slow site:\n%s", stdout)
	}
}

// TestUnseenChanges tests that changes that could not be printed are reported by the next run.
func TestUnseenChanges(t *testing.T) {
	url := serve(t, clitest.Writes("User-agent: *\nDisallow: /x\n"))
	dir := clitest.Folder(t, map[string]string{fileName(url): "User-agent: *\nDisallow: /y\n"})
	for _, format := range []string{"--json=false", "--json", "--csv"} {
		var errs strings.Builder
		args := []string{"sites", format, "--out", dir, url}
		if status := cli.Execute(clitest.Program(New()), args, strings.NewReader(""), clitest.BrokenWriter{}, &errs); status != cli.ExitError || !strings.Contains(errs.String(), "short write") {
			t.Errorf("%s: status %d, standard error %q", format, status, &errs)
		}
	}
	if stdout, _, status := runWith("", "sites", "--out", dir, url); status != cli.ExitNo || !strings.Contains(stdout, "now disallowed  /x") {
		t.Errorf("status %d, output:\n%s", status, stdout)
	}
}

// TestAtOnce tests that hosts with one address get at most four requests at once.
func TestAtOnce(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	four := make(chan struct{}) // closed when four requests have come
	handler := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if now++; now > most {
			if most = now; most == mostPerAddress {
				close(four)
			}
		}
		mu.Unlock()
		<-four
		mu.Lock()
		now--
		mu.Unlock()
	}
	var urls []string
	for range 12 {
		urls = append(urls, serve(t, handler))
	}
	_, stderr, status := runWith(strings.Join(urls, "\n"), "sites", "--timeout", "1m", "--from", "-")
	if most != mostPerAddress || status != cli.ExitOK || stderr != "" {
		t.Errorf("%d requests at once, status %d, standard error %q", most, status, stderr)
	}
}

// TestTargets tests how operands and lists become sites.
func TestTargets(t *testing.T) {
	for _, c := range []struct{ operands, list, want string }{
		{"example.com", "", "https://example.com"},
		{"http://Example.com:8080/page", "", "http://example.com:8080"},
		{"http://localhost 192.0.2.1", "", "http://localhost https://192.0.2.1"},
		{"a.example", "# clients\n\nb.example\nhttps://a.example/robots.txt\n", "https://a.example https://b.example"},
		{"müller.example", "", "https://xn--mller-kva.example"},
		{"", "\ufeffhttp://a.example,Client one\r\n\"b.example\",\"Client, two\"\nc.example\tClient three\nd.example;4\ne.example # five\n'http://f.example/'\n,\n",
			"http://a.example https://b.example https://c.example https://d.example https://e.example http://f.example"},
		{"", "", "no host given (try: robotstxt sites --help)"},
		{"", "Website\n", "no host given (try: robotstxt sites --help)"},
		{"ftp://a.example", "", "ftp://a.example/robots.txt: only http and https URLs can be fetched"},
		{"localhost", "", `"localhost" is no host such as www.example.com`},
		{"*.example.com", "", `"*.example.com" is no host such as www.example.com`},
		{"jane:secret@a.example", "", "https://xxxxx@a.example: this command sends no login, so leave it out"},
		{"testdata/robots.txt", "", "testdata/robots.txt is a file; to read hosts from it, use --from testdata/robots.txt (try: robotstxt sites --help)"},
	} {
		cmd := clitest.Program(New())
		cmd.SetIn(strings.NewReader(c.list))
		sub, _, err := cmd.Find([]string{"sites"})
		if err != nil {
			t.Fatal(err)
		}
		found := command{}
		if c.list != "" {
			found.from = "-"
		}
		targets, err := found.targets(sub, strings.Fields(c.operands))
		got := strings.ReplaceAll(strings.Join(targets, " "), "/robots.txt", "")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, list %q: %s, want %s", c.operands, c.list, got, c.want)
		}
	}
}

// TestSkippedLines tests that lines of a list that have no host are named, and that the others are read.
func TestSkippedLines(t *testing.T) {
	site := serve(t, clitest.Writes(""))
	list := clitest.NewFile(t, "Website,Client\n"+site+",one\na b\nsitemap\nftp://c.example\n")
	stdout, stderr, status := runWith("", "sites", "--from", list)
	want := "robotstxt sites: " + list + ":1 is skipped: \"Website\" is no host such as www.example.com\n" +
		"robotstxt sites: " + list + ":3 is skipped: \"a b\" is no host such as www.example.com\n" +
		"robotstxt sites: " + list + ":4 is skipped: \"sitemap\" is no host such as www.example.com\n" +
		"robotstxt sites: " + list + ":5 is skipped: ftp://c.example/robots.txt: only http and https URLs can be fetched\n"
	if diff := cmp.Diff(want, stderr); diff != "" || !strings.Contains(stdout, site) || status != cli.ExitOK {
		t.Errorf("status %d, output %q, standard error (-want +got):\n%s", status, stdout, diff)
	}
}

func TestFileName(t *testing.T) {
	for location, want := range map[string]string{
		"https://example.com/robots.txt":      "example.com.txt",
		"http://example.com/robots.txt":       "http+example.com.txt",
		"https://example.com:8443/robots.txt": "example.com+8443.txt",
		"http://[::1]:80/robots.txt":          "http+++1+80.txt",
	} {
		if got := fileName(location); got != want {
			t.Errorf("%s: %s, want %s", location, got, want)
		}
	}
}

// TestCSV tests the columns, and that no cell is a formula.
func TestCSV(t *testing.T) {
	stdout, _, _ := runWith("", "sites", "--csv", serve(t, clitest.Writes("User-agent: *\nDisallow: /\nAllowed: /a\nHost: a.example\n")), dead())
	lines := strings.Split(stdout, "\n")
	columns := strings.Split(lines[0], ",")
	for _, line := range lines[1:3] {
		if got := len(strings.Split(line, ",")); got != len(columns) {
			t.Errorf("%d cells in %q, want %d", got, line, len(columns))
		}
	}
	if !strings.Contains(lines[1], `,"part","false","part","false",`) || !strings.Contains(lines[1], `,"1","0","1","misspelled-key host-key",`) {
		t.Errorf("got %s", lines[1])
	}
	for cell, want := range map[string]string{"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "a=1": "a=1", "": "", "\t=1": "' =1", "\uff1d1": "'\uff1d1", "a\n=1": "a =1"} {
		var line strings.Builder
		cli.PrintCells(&line, []string{cell, `"a;b"`})
		if got := line.String(); got != `"`+want+`","""a;b"""`+"\r\n" {
			t.Errorf("the cell %q is printed as %s, want %q", cell, got, want)
		}
	}
}
