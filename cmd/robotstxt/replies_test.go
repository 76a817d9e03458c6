package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
)

// doors are the command lines that ask a server for its robots.txt, by the name of the command. In them, URL is the
// site, OPEN a robots.txt that allows everything, LOG a log, PAGE a page, LIST a sitemap and TEST an expectation.
var doors = map[string][]string{
	"ai":    {"ai URL", "ai --json URL"},
	"check": {"check URL/x", "check --json URL/x", "check --robots URL /x", "check --json --robots URL /x", "check --csv URL/x", "check --sitemap --robots URL LIST", "check --sitemap --json --robots URL LIST"},
	"diff":  {"diff URL OPEN", "diff OPEN URL", "diff --json OPEN URL", "diff --save OPEN URL"},
	"lint":  {"lint URL", "lint --json URL"},
	"log":   {"log --robots URL LOG", "log --json --robots URL LOG"},
	"scan":  nil, // reads files; see the end of TestReplies
	"serve": nil, // does not end; see the end of TestReplies
	"show":  {"show URL", "show --json URL"},
	"sites": {"sites URL", "sites --json URL", "sites --csv URL"},
	"tags":  {"tags --url URL/x PAGE", "tags --json --url URL/x PAGE", "tags --robots URL --url /x PAGE"},
	"test":  {"test --robots URL TEST", "test --json --robots URL TEST", "test --site URL TEST", "test --json --site URL TEST"},
}

// A replyCase is what a server answers, and what all doors say about it.
type replyCase struct {
	about    string
	handler  http.HandlerFunc
	state    reply.State
	statuses map[string]int // by the name of the command; a command that is not there has the status of the key ""
}

// The statuses for the kinds of states.
var (
	allOK   = map[string]int{}
	missing = map[string]int{"lint": cli.ExitError}
	other   = map[string]int{"lint": cli.ExitNo, "diff": cli.ExitError, "sites": cli.ExitError, "test": cli.ExitError}
	unknown = map[string]int{"": cli.ExitError}
)

// replyCases returns the answers of servers. The states are those that docs/json.md describes, which follows RFC 9309,
// section 2.3.1; those of walls and of something else in place of a robots.txt are ours.
func replyCases(private string) []replyCase {
	header := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	const open, page = openFile, "<!DOCTYPE html>\n<title>Log in</title>\n"
	return []replyCase{
		{"a file", header(200, open), reply.IsFile, allOK},
		{"a file with a wrong type", header(200, open, "Content-Type", "text/html"), reply.IsFile, allOK},
		{"an empty file", header(200, ""), reply.IsFile, allOK},
		{"a file after redirects", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "" {
				http.Redirect(w, r, "/robots.txt?v=2", http.StatusMovedPermanently)
				return
			}
			io.WriteString(w, open)
		}, reply.IsFile, allOK},
		{"404", header(404, page), reply.NoFile, missing},
		{"410", header(410, ""), reply.NoFile, missing},
		{"an object store", header(403, "<Error/>", "X-Amz-Request-Id", "318BC8BC148832E5"), reply.NoFile, missing},
		{"an HTML page", header(200, page), reply.Other, other},
		{"an HTML page as text", header(200, page, "Content-Type", "text/plain"), reply.Other, other},
		{"a page that mentions a crawler", header(200, page+"<pre>\nUser-agent: *\n</pre>"), reply.Other, other},
		{"a page of one line that crosses the size limit", header(200, "<html>"+strings.Repeat("a", robotstxt.SizeLimit)), reply.Other, other},
		{"JSON", header(200, `{"error": "not found"}`), reply.Other, other},
		{"text", header(200, "It works!\n"), reply.Other, other},
		{"translated keys", header(200, "Agente de usuario: *\nNo permitir: /private/\n"), reply.Other, other},
		{"a challenge", header(403, page, "Cf-Mitigated", "challenge"), reply.Wall, unknown},
		{"a challenge with success", header(202, page, "X-Amzn-Waf-Action", "challenge"), reply.Wall, unknown},
		{"401", header(401, ""), reply.Refused, unknown},
		{"402", header(402, ""), reply.Refused, unknown},
		{"403", header(403, page), reply.Refused, unknown},
		{"406", header(406, ""), reply.Refused, unknown},
		{"451", header(451, ""), reply.Refused, unknown},
		{"429", header(429, ""), reply.Fails, unknown},
		{"500", header(500, page), reply.Fails, unknown},
		{"503", header(503, ""), reply.Fails, unknown},
		{"a loop", header(302, "", "Location", "/robots.txt"), reply.Lost, unknown},
		{"a redirect to no address", header(301, "", "Location", "mailto:webmaster@example.com"), reply.Lost, unknown},
		{"a redirect without an address", header(301, ""), reply.Lost, unknown},
		{"a redirect to a private address", header(301, "", "Location", private), reply.Private, unknown},
		{"half a file", header(200, open, "Content-Length", "1000"), reply.Dead, unknown},
		{"no answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, reply.Dead, unknown},
		{"no HTTP", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			io.WriteString(conn, "SSH-2.0-secret\r\n")
			conn.Close()
		}, reply.Dead, unknown},
	}
}

// TestReplies tests that all commands and the page say the same about the answer of a server: its state, the
// reason, and the exit status.
func TestReplies(t *testing.T) {
	for _, cmd := range newRootCommand().Commands() {
		if _, ok := doors[cmd.Name()]; !ok && !cmd.Hidden && cmd.Name() != "completion" && cmd.Name() != "help" {
			t.Errorf("the table doors has no row for robotstxt %s", cmd.Name())
		}
	}
	inner := httptest.NewServer(clitest.Writes("User-agent: *\nDisallow: /secret\n"))
	defer inner.Close()
	private := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1) // a host that the user does not name
	for _, c := range replyCases(private) {
		server := httptest.NewServer(c.handler)
		site := server.URL
		why := replyOf(t, site).Why
		for _, cmd := range newRootCommand().Commands() {
			for _, line := range doors[cmd.Name()] {
				c.testDoor(t, cmd.Name(), line, site, why)
			}
		}
		c.testPage(t, site, why)
		server.Close()
	}
}

// replyOf returns the reply of a site.
func replyOf(t *testing.T, site string) *reply.View {
	r, err := new(cli.Loader).FetchSite(site)
	if err != nil {
		t.Fatal(err)
	}
	return r.View
}

// openFile is a robots.txt that allows everything.
const openFile = "User-agent: *\nDisallow:\n"

// doorArgs returns the arguments of a command line in doors. OPEN is the file open.txt in the current folder.
func doorArgs(t *testing.T, line, site string) []string {
	t.Chdir(clitest.Folder(t, map[string]string{
		"open.txt": openFile, "page.html": "<title>Tea</title>", "x.log": clitest.LogLine("192.0.2.1", "2026-11-01", "/", "FooBot"),
		"list.txt": site + "/x\n" + strings.Replace(site, "127.0.0.1", "other.example", 1) + "\n", "x.test": "allow * " + site + "/x\n", "y.test": "noindex * " + site + "/x\nindex * " + site + "/x\n",
	}))
	return strings.Fields(strings.NewReplacer("URL", site, "OPEN", "open.txt", "LOG", "x.log", "PAGE", "page.html", "LIST", "list.txt", "PAGETEST", "y.test", "TEST", "x.test").Replace(line))
}

func (c replyCase) testDoor(t *testing.T, command, line, site, why string) {
	args := doorArgs(t, line, site)
	stdout, stderr, status := runWith("", args...)
	want, ok := c.statuses[command]
	if !ok {
		want = c.statuses[""]
	}
	if status != want {
		t.Errorf("%s: %s: status %d, want %d; standard error %q, output %q", c.about, line, status, want, stderr, stdout)
	}
	text := strings.Join(strings.Fields(stdout+stderr), " ") // without the breaks of long lines
	if strings.Contains(line, "--csv") {
		text = strings.ReplaceAll(text, `""`, `"`)
	}
	state := string(c.state)
	var view struct {
		Reply reply.View
		Sites []reply.View
	}
	switch json.NewDecoder(strings.NewReader(stdout)).Decode(&view); {
	case len(view.Sites) > 0:
		state = string(view.Sites[0].State)
	case view.Reply.State != "":
		state = string(view.Reply.State)
		if view.Reply.Why != why {
			t.Errorf("%s: %s: %q, want %q", c.about, line, view.Reply.Why, why)
		}
	case command == "sites":
		if !strings.Contains(text, state) {
			t.Errorf("%s: %s: no %q in %q", c.about, line, state, text)
		}
	case command == "lint" && want == cli.ExitNo:
		if !strings.Contains(text, "not-robots-txt") {
			t.Errorf("%s: %s: no finding in %q", c.about, line, text)
		}
	case !strings.Contains(text, why):
		t.Errorf("%s: %s: no %q in %q", c.about, line, why, text)
	}
	if state != string(c.state) {
		t.Errorf("%s: %s: state %q, want %q", c.about, line, state, c.state)
	}
	for _, jargon := range []string{"dial tcp", "x509", "context deadline", "EOF", "malformed", "secret"} {
		if strings.Contains(text, jargon) {
			t.Errorf("%s: %s: %q in %q", c.about, line, jargon, text)
		}
	}
	if kept, err := os.ReadFile("open.txt"); err != nil || string(kept) != openFile && want != cli.ExitOK {
		t.Errorf("%s: %s: the old file is now %q, %v", c.about, line, kept, err)
	}
}

// testPage tests the command serve with a URL that it cannot serve, what its page says about a URL, and what the
// command scan says about the body.
func (c replyCase) testPage(t *testing.T, site, why string) {
	if c.statuses[""] == cli.ExitError {
		if _, stderr, status := runWith("", "serve", site); status != cli.ExitError || !strings.Contains(stderr, why) {
			t.Errorf("%s: serve: status %d, standard error %q, want %q", c.about, status, stderr, why)
		}
	}
	handler := web.Handler(web.Options{Host: "localhost", AllowFetch: true, AllowPrivate: c.state != reply.Private})
	r := httptest.NewRequest("POST", "http://localhost/api/fetch", strings.NewReader(fmt.Sprintf(`{"site":%q}`, site)))
	r.Header.Set("Origin", "http://localhost")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var got struct{ State, Meaning, Text string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Errorf("%s: the page: %v", c.about, err)
	}
	if got.State != string(c.state) || !strings.Contains(strings.ToLower(got.Meaning), strings.ToLower(why)) {
		t.Errorf("%s: the page: got %+v, want %q, %q", c.about, got, c.state, why)
	}
	if got.Text == "" {
		return
	}
	stdout, _, status := runWith(got.Text, "scan", "--records", clitest.NewFile(t, got.Text))
	wantStatus := cli.ExitOK
	if strings.HasPrefix(got.Text, `{"`) {
		wantStatus = cli.ExitError // without --jsonl, scan refuses JSON
	}
	if isRobots := strings.Contains(stdout, `"content":"robots.txt"`); isRobots != (c.state == reply.IsFile) || status != wantStatus {
		t.Errorf("%s: scan: status %d, output %q", c.about, status, stdout)
	}
}

// TestLogins tests that the header of --header, and the user name and the password in a URL, are sent to the site that the
// user named, and not to another one, to which this site redirects.
func TestLogins(t *testing.T) {
	var other []http.Header
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		other = append(other, r.Header)
		io.WriteString(w, openFile)
	}))
	defer stranger.Close()
	refused := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case r.Header.Get("X-Key") != "k" && user+" "+password != "jane pass word":
			refused++
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/robots.txt":
			http.Redirect(w, r, "/file", http.StatusFound) // the same site
		case r.URL.Path == "/list.txt":
			fmt.Fprintf(w, "http://%s/x\n", r.Host)
		default:
			http.Redirect(w, r, stranger.URL, http.StatusFound)
		}
	}))
	defer site.Close()
	named := strings.Replace(site.URL, "://", "://jane:pass%20word@", 1)
	for _, line := range []string{"check URL/x", "check --robots URL /x", "check --sitemap --robots OPEN URL/list.txt", "check --sitemap --pages URL/list.txt", "diff URL OPEN",
		"diff OPEN URL/file", "test --robots URL TEST", "test --site URL TEST", "tags URL/page", "tags --url URL/x PAGE", "lint URL", "show URL", "ai URL", "log --robots URL LOG"} {
		for _, login := range []string{"user", "header"} {
			other, refused = nil, 0
			args := doorArgs(t, line, named)
			if login == "header" {
				args = append(doorArgs(t, line, site.URL), "--header", "x-key: k")
			}
			if command := args[0]; login == "header" && (command == "show" || command == "ai" || command == "log") {
				continue
			}
			stdout, stderr, _ := runWith("", args...)
			if refused > 0 || strings.Contains(stdout+stderr, "pass") || strings.Contains(stdout+stderr, "jane") {
				t.Errorf("%s, %s: %d requests without it; standard error %q, output %q", line, login, refused, stderr, stdout)
			}
			for _, header := range other {
				if header.Get("Authorization")+header.Get("X-Key") != "" {
					t.Errorf("%s, %s: another site got %v", line, login, header)
				}
			}
			if len(other) == 0 && line != "check --sitemap --robots OPEN URL/list.txt" {
				t.Errorf("%s, %s: no redirect was followed", line, login)
			}
		}
	}
}

// TestSecrets tests that no command prints a user name or a password that is in a URL, whatever the server answers.
func TestSecrets(t *testing.T) {
	lines := []string{"check --robots OPEN URL/x", "check --sitemap --robots OPEN URL/x", "check --robots OPEN ftp://jane:pass@x/", "log --robots OPEN URL/log",
		"test --robots OPEN URL/test", "tags URL/page", "ai OPEN URL/x", "ai --json OPEN URL/x", "tags --robots OPEN --url URL/x PAGE", "tags --json --robots OPEN --url URL/x PAGE",
		"show URL/folder/robots.txt", "serve ftp://jane:pass@host", "diff --json --save OPEN URL/x", "diff OPEN OPEN URL",
		"check --sitemap --pages --robots URL LIST", "check --sitemap --pages --csv --robots URL LIST", "check --sitemap --pages --json URL/x", "test --site URL PAGETEST", "test --json --site URL PAGETEST", "lint URL/x"}
	for _, row := range doors {
		lines = append(lines, row...)
	}
	for _, handler := range []http.HandlerFunc{clitest.Writes("User-agent: *\nDisallow: /\n"), clitest.Writes("<html>"), clitest.Status(404), clitest.Status(503)} {
		server := httptest.NewServer(handler)
		site := strings.Replace(server.URL, "://", "://jane:pass%20word@", 1)
		for _, line := range lines {
			stdout, stderr, _ := runWith("", doorArgs(t, line, site)...)
			if text := stdout + stderr; strings.Contains(text, "jane") || strings.Contains(text, "pass") {
				t.Errorf("%s: %s", line, text)
			}
		}
		server.Close()
	}
}
