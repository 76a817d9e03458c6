package sites

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
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
		{"a closed site", serve(t, clitest.Writes("User-agent: *\nDisallow: /\n")), "file | 26 | closed | closed | closed | 1 warning", "", cli.ExitOK},
		{"a closed home page", serve(t, clitest.Writes("User-agent: *\nDisallow: /\nAllow: /a\n")), "file | 36 | part, home page closed | part, home page closed | part | ", "", cli.ExitOK},
		{"closed to one AI crawler", serve(t, clitest.Writes("User-agent: GPTBot\nDisallow: /\n")),
			fmt.Sprintf("file | 31 | open | open | 1 of %d closed | ", len(aiCrawlers)), "", cli.ExitOK},
		{"a misspelled key", serve(t, clitest.Writes("User-agent: *\nDisalow: /x\nAllow: /x/y\n")), "file | 38 | part | part | part | 1 error", "", cli.ExitOK},
		{"no file", serve(t, http.NotFound), "no file (404) |  | open | open | open | ", "", cli.ExitOK},
		{"HTML", serve(t, clitest.Writes("<!doctype html><p>")), "not a robots.txt (200) |  | ? | ? | ? | ", "an HTML page", cli.ExitError},
		{"JSON", serve(t, clitest.Writes("{\"a\": 1}")), "not a robots.txt (200) |  | ? | ? | ? | ", "the server answers with JSON", cli.ExitError},
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

// TestChanges tests what the second run says about a site that changes after the first.
func TestChanges(t *testing.T) {
	const before, after = "User-agent: *\nDisallow: /x\n", "# new\nUser-agent: *\nDisallow: /x\nDisallow: /y\n"
	gone := clitest.Status(404)
	for _, c := range []struct {
		about    string
		old, new http.HandlerFunc
		want     change
		kept     string
		status   int
	}{
		{"nothing changes", clitest.Writes(before), clitest.Writes(before), changeSame, before, cli.ExitOK},
		{"a comment changes", clitest.Writes(before), clitest.Writes("# x\n" + before), changeSame, "# x\n" + before, cli.ExitOK},
		{"a verdict changes", clitest.Writes(before), clitest.Writes(after), changeVerdicts, after, cli.ExitNo},
		{"a file appears", gone, clitest.Writes(before), changeAppeared, before, cli.ExitNo},
		{"a file vanishes", clitest.Writes(before), gone, changeVanished, "", cli.ExitNo},
		{"an empty file vanishes", clitest.Writes(""), gone, changeVanished, "", cli.ExitNo},
		{"a bot wall", clitest.Writes(before), clitest.Challenge, changeUnknown, before, cli.ExitError},
		{"HTML", clitest.Writes(before), clitest.Writes("<html>"), changeUnknown, before, cli.ExitError},
		{"the server fails", clitest.Writes(before), clitest.Status(503), changeUnknown, before, cli.ExitError},
	} {
		now := c.old
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { now(w, r) })
		dir := filepath.Join(t.TempDir(), "new")
		if _, stderr, status := runWith("", "sites", "--out", dir, url); status != cli.ExitOK {
			t.Errorf("%s: the first run has status %d, standard error %q", c.about, status, stderr)
		}
		now = c.new
		stdout, stderr, status := runWith("", "sites", "--json", "--out", dir, url)
		var got view
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err)
		}
		if r := got.Sites[0]; r.Change != c.want || status != c.status || stderr != "" || (c.want == changeVerdicts) != (len(r.Changes) > 0 && r.State == reply.IsFile && c.kept == after) {
			t.Errorf("%s: %s, %d changes, status %d, standard error %q", c.about, r.Change, len(r.Changes), status, stderr)
		}
		text, err := os.ReadFile(filepath.Join(dir, fileName(url)))
		if c.kept == "" {
			c.kept = noFile + url + "/robots.txt\n"
		}
		if diff := cmp.Diff(c.kept, string(text)); diff != "" || err != nil {
			t.Errorf("%s: error %v; the kept file (-want +got):\n%s", c.about, err, diff)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, unfinished)); len(left) > 0 {
			t.Errorf("%s: %s is left", c.about, left)
		}
	}
}

// TestChangeText tests what the table and the lines below it say about a change.
func TestChangeText(t *testing.T) {
	url := serve(t, clitest.Writes("User-agent: *\nDisallow: /x\nDisalow: /z\n"))
	dir := clitest.Folder(t, map[string]string{fileName(url): "User-agent: FooBot\nDisallow: /\n\nUser-agent: *\nDisallow: /y\nDisallow: /z\n"})
	stdout, _, _ := runWith("", "sites", "--out", dir, url)
	for _, part := range []string{"CHANGE\n", "changed\n", url + ": changed\n  FooBot\n", "    now allowed  /y\n", "    now disallowed  /x\n",
		"    still disallowed  /z; line 3 is written \"Disalow\": most crawlers ignore the line\n"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("no %q in:\n%s", part, stdout)
		}
	}
}

// TestResume tests that a run goes on with the sites that an interrupted run has not read.
func TestResume(t *testing.T) {
	var asked atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		clitest.Writes("User-agent: *\nDisallow: /x\n")(w, r)
	})
	other := serve(t, clitest.Writes(""))
	dir := t.TempDir()
	if _, stderr, status := runWith("", "sites", "--resume", "--out", dir, url); status != cli.ExitError || !strings.Contains(stderr, "was interrupted") {
		t.Errorf("nothing to resume: status %d, standard error %q", status, stderr)
	}
	row := fmt.Sprintf(`{"site":%q,"url":%q,"state":"file","change":"changed"}`, url, url+"/robots.txt")
	failed := fmt.Sprintf(`{"site":%q,"url":%q,"state":"no answer","change":"unknown"}`, other, other+"/robots.txt")
	clitest.Write(t, filepath.Join(dir, unfinished, "rows.jsonl"), row+"\n"+failed+"\n"+`{"site":"cut o`)
	clitest.Write(t, filepath.Join(dir, unfinished, fileName(url)+".new"), "# of the interrupted run")
	stdout, stderr, status := runWith("", "sites", "--resume", "--out", dir, url, other)
	if asked.Load() != 0 || status != cli.ExitNo || stderr != "" || !strings.Contains(stdout, "changed") || !strings.Contains(stdout, "first") {
		t.Errorf("%d requests, status %d, standard error %q, output:\n%s", asked.Load(), status, stderr, stdout)
	}
	if text, err := os.ReadFile(filepath.Join(dir, fileName(url))); string(text) != "# of the interrupted run" {
		t.Errorf("the kept file: %q, %v", text, err)
	}
	runWith("", "sites", "--out", dir, url)
	if asked.Load() != 1 {
		t.Errorf("the next run sends %d requests, want 1", asked.Load())
	}
}

// TestUnfinished tests what a run finds after an interrupted one.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	keep := func(resume bool, url string) *folder {
		t.Helper()
		f, err := openFolder(dir, resume)
		if err != nil {
			t.Fatal(err)
		}
		if url != "" {
			f.update(&row{URL: url, State: reply.NoFile}, reply.Reply{})
		}
		if err := f.close(false); err != nil {
			t.Fatal(err)
		}
		return f
	}
	const a, b, c = "https://a.example/robots.txt", "https://b.example/robots.txt", "https://c.example/robots.txt"
	keep(false, a)
	keep(false, b) // a new run, which forgets the first one
	rows := filepath.Join(dir, unfinished, "rows.jsonl")
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, rows, string(text)+`{"site":"cut o`)
	keep(true, c)
	if f := keep(true, ""); len(f.done) != 2 || f.done[b] == nil || f.done[c] == nil {
		t.Errorf("found %v, want the rows of %s and %s", f.done, b, c)
	}
}

// TestTransport tests that requests use no proxy, which would choose the address itself, and that no
// connection serves two sites.
func TestTransport(t *testing.T) {
	transport := newFetcher(0).client.Transport.(*http.Transport)
	if transport.Proxy != nil || !transport.DisableKeepAlives {
		t.Errorf("proxy: %t, keep-alives: %t", transport.Proxy != nil, !transport.DisableKeepAlives)
	}
}

// TestUnseenChanges tests that changes that could not be printed are reported by the next run.
func TestUnseenChanges(t *testing.T) {
	url := serve(t, clitest.Writes("User-agent: *\nDisallow: /x\n"))
	dir := clitest.Folder(t, map[string]string{fileName(url): "User-agent: *\nDisallow: /y\n"})
	for _, format := range []string{"--json=false", "--json", "--csv"} {
		var errs strings.Builder
		args := []string{"sites", format, "--out", dir, url}
		if status := cli.Execute(clitest.Program(New()), args, strings.NewReader(""), clitest.BrokenWriter{}, &errs); status != cli.ExitError || strings.Count(errs.String(), "\n") != 1 {
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
		{"a.example", "# clients\n\nb.example\nhttps://a.example/robots.txt\n", "https://a.example https://b.example"},
		{"müller.example", "", "https://xn--mller-kva.example"},
		{"", "", "no host given (try: robotstxt sites --help)"},
		{"ftp://a.example", "", "ftp://a.example/robots.txt: only http and https URLs can be fetched"},
		{"", "a b\nc.example\n", "nothing was fetched, because 1 line in <standard input> cannot be read"},
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

// TestWrongLines tests the messages about a list with lines that are not sites.
func TestWrongLines(t *testing.T) {
	list := clitest.NewFile(t, "# clients\na.example\n\na b\nftp://c.example\n")
	stdout, stderr, status := runWith("", "sites", "--from", list)
	want := "robotstxt sites: " + list + ":4: robotstxt: URL \"https://a b\": bad host\n" +
		"robotstxt sites: " + list + ":5: ftp://c.example/robots.txt: only http and https URLs can be fetched\n" +
		"robotstxt sites: nothing was fetched, because 2 lines in " + list + " cannot be read\n"
	if diff := cmp.Diff(want, stderr); diff != "" || stdout != "" || status != cli.ExitError {
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
	stdout, _, _ := runWith("", "sites", "--csv", serve(t, clitest.Writes("User-agent: *\nDisallow: /\nAllow: /a\n")), dead())
	lines := strings.Split(stdout, "\n")
	columns := strings.Split(lines[0], ",")
	for _, line := range lines[1:3] {
		if got := len(strings.Split(line, ",")); got != len(columns) {
			t.Errorf("%d cells in %q, want %d", got, line, len(columns))
		}
	}
	if !strings.Contains(lines[1], `,"part","closed","part","closed",`) {
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
