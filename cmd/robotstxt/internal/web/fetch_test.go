package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
	"golang.org/x/net/dns/dnsmessage"
)

// newSite returns a server on the loopback address and a count of its requests.
func newSite(t *testing.T, handle http.HandlerFunc) (server *httptest.Server, requests *int) {
	requests = new(int)
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requests++
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server, requests
}

func fetchFrom(t *testing.T, f fetcher, url string) fetchAnswer {
	t.Helper()
	a, err := f.fetch(context.Background(), url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return a
}

func TestFetch(t *testing.T) {
	large := strings.Repeat("Allow: /\n", 60_000)[:robotstxt.SizeLimit]
	var server *httptest.Server
	for _, test := range []struct {
		name     string
		handle   http.HandlerFunc
		response string
		access   engine.Access
		meaning  string
		text     string
	}{
		{"a file", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "User-agent: *\r\nDisallow: /\xff")
		}, "200 OK, text/plain; charset=utf-8, 27 bytes", engine.HasFile, "This is the robots.txt file of SITE. The file has bytes that are not UTF-8. They are shown as \ufffd here, so do not replace the file with this text.", "User-agent: *\nDisallow: /\ufffd"},
		{"UTF-16", func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("\xff\xfe#\x00b\x00"))
		}, "200 OK, text/plain; charset=utf-16le, 6 bytes", engine.HasFile, "This is the robots.txt file of SITE. The file is in UTF-16, which many crawlers cannot read. It is converted here; save it as UTF-8.", "#b"},
		{"redirects", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, "/moved", http.StatusMovedPermanently)
				return
			}
			fmt.Fprint(w, "#ok!")
		}, "redirected to SITE/moved, 200 OK, text/plain; charset=utf-8, 4 bytes", engine.HasFile, "This is the robots.txt file of SITE.", "#ok!"},
		{"a loop", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt", http.StatusFound)
		}, "302 Found", engine.Unavailable, "Too many redirects, so crawlers may fetch everything.", ""},
		{"an HTML page", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html>")
		}, "200 OK, text/html; charset=utf-8 (should be text/plain), 6 bytes", engine.HasFile, "The server answers with an HTML page, which crawlers read as a robots.txt without rules.", "<html>"},
		{"not found", http.NotFound, "404 Not Found", engine.Unavailable, "There is no robots.txt (404 Not Found), so crawlers may fetch everything.", ""},
		{"a refusal", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
		}, "403 Forbidden", engine.Unknown, "The server refuses this tool (403 Forbidden), and crawlers may get another answer.", ""},
		{"a redirect to a challenge", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, "/moved", http.StatusFound)
				return
			}
			w.Header().Set("X-Amzn-Waf-Action", "challenge")
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, "<!DOCTYPE html>")
		}, "redirected to SITE/moved, 202 Accepted, text/html; charset=utf-8 (should be text/plain), 0 bytes", engine.Unknown, "The server refuses this tool (x-amzn-waf-action: challenge), and crawlers may get another answer.", ""},
		{"too many requests", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTooManyRequests)
		}, "429 Too Many Requests", engine.Unreachable, "The server answers 429 Too Many Requests, so crawlers may fetch nothing.", ""},
		{"a failure", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "503 Service Unavailable", engine.Unreachable, "The server answers 503 Service Unavailable, so crawlers may fetch nothing.", ""},
		{"the largest file", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, large)
		}, "200 OK, text/plain; charset=utf-8, 512000 bytes", engine.HasFile, "This is the robots.txt file of SITE.", large},
		{"a file that crawlers read in part", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, large+"x")
		}, "200 OK, text/plain; charset=utf-8, more than 500 KiB (crawlers may ignore the rest)", engine.Unknown, "The file is larger than the 500 KiB that crawlers read, so this page does not show it. To see the file, download it with another program, and run robotstxt serve with the downloaded file.", ""},
		{"a large file in UTF-16", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "\xff\xfe"+strings.Repeat("#\x00", robotstxt.SizeLimit))
		}, "200 OK, text/plain; charset=utf-16le, more than 500 KiB (crawlers may ignore the rest)", engine.HasFile, "This is the robots.txt file of SITE. The file is in UTF-16, which many crawlers cannot read. It is converted here; save it as UTF-8.", strings.Repeat("#", robotstxt.SizeLimit)},
		{"a password", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://user:secret@[bad/x")
			w.WriteHeader(http.StatusFound)
		}, "302 Found", engine.Unavailable, "It redirects to something that is no web address, so crawlers may fetch everything.", ""},
		{"no answer", func(w http.ResponseWriter, r *http.Request) { server.CloseClientConnections() },
			"", engine.Unreachable, "The server closed the connection without an answer, so crawlers may fetch nothing.", ""},
	} {
		server, _ = newSite(t, test.handle)
		a := fetchFrom(t, newFetcher(true), server.URL+"/some/page?x")
		response := strings.ReplaceAll(strings.TrimPrefix(a.Response, server.URL+"/robots.txt: "), server.URL, "SITE")
		if response != test.response {
			t.Errorf("%s: response %q, want %q", test.name, response, test.response)
		}
		meaning := strings.ReplaceAll(a.Meaning, server.URL, "SITE")
		if a.Access != test.access || a.Text != test.text || meaning != test.meaning {
			t.Errorf("%s: got %+v, want %q", test.name, a, test.meaning)
		}
	}
}

// TestFetchFails tests the sentences about servers that do not answer.
func TestFetchFails(t *testing.T) {
	slow, _ := newSite(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	closed, _ := newSite(t, nil)
	closed.Close()
	f := newFetcher(true)
	f.timeout = 100 * time.Millisecond
	for url, want := range map[string]string{
		slow.URL:   "It did not answer within 0.1 s",
		closed.URL: "The server refuses connections",
	} {
		a := fetchFrom(t, f, url)
		if want := want + ", so crawlers may fetch nothing."; a.Meaning != want || a.Access != engine.Unreachable {
			t.Errorf("got %+v, want %q", a, want)
		}
	}
}

// TestFetchRefusesPrivate tests that a fetch refuses this machine, however its address is
// written.
func TestFetchRefusesPrivate(t *testing.T) {
	server, requests := newSite(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "secret") })
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433", "0x7f000001", "user:pass@127.0.0.1"} {
		a, err := newFetcher(false).fetch(context.Background(), "http://"+name+":"+port)
		if err == nil && (a.Access == engine.HasFile || a.Text != "" || a.Access == engine.Unknown && !strings.HasPrefix(a.Meaning, "It leads to an address that is not public")) {
			t.Errorf("%s: got %+v", name, a)
		}
	}
	if *requests != 0 {
		t.Errorf("%d requests reached this machine", *requests)
	}
}

func TestFetchRefusesRedirectToPrivate(t *testing.T) {
	inside, requests := newSite(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "secret") })
	outside, _ := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL+"/robots.txt", http.StatusFound)
	})
	f := fetcher{guard: reply.Guard{Check: allowOnly(outside)}, timeout: fetchTimeout}
	a := fetchFrom(t, f, outside.URL)
	if *requests != 0 || a.Access != engine.Unknown || a.State != reply.Private {
		t.Errorf("%d requests, got %+v", *requests, a)
	}
}

// allowOnly returns a check that treats the address of server as public.
func allowOnly(server *httptest.Server) func(string) error {
	return func(address string) error {
		if address == server.Listener.Addr().String() {
			return nil
		}
		return reply.CheckPublic(address)
	}
}

// TestFetchRefusesRebinding tests a name that has a public address at the first lookup, and
// the address of this machine at later ones.
func TestFetchRefusesRebinding(t *testing.T) {
	inside, requests := newSite(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "secret") })
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	public := 0
	check := func(address string) error {
		err := reply.CheckPublic(address)
		if err == nil {
			public++
			return errors.New("tests do not connect to the internet")
		}
		return err
	}
	f := fetcher{guard: reply.Guard{Check: check, Resolver: rebinding(t)}, timeout: fetchTimeout}
	fetchFrom(t, f, "http://rebind.example:"+port)
	if public != 1 {
		t.Fatalf("%d connections to public addresses, want 1", public)
	}
	a := fetchFrom(t, f, "http://rebind.example:"+port)
	if *requests != 0 || a.Access != engine.Unknown || a.State != reply.Private {
		t.Errorf("%d requests, got %+v", *requests, a)
	}
}

// rebinding returns a resolver whose first answer is a public address, and whose later
// answers are the address of this machine.
func rebinding(t *testing.T) *net.Resolver {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		lookups := 0
		buf := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			conn.WriteTo(dnsAnswer(buf[:n], &lookups), from)
		}
	}()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}
	return &net.Resolver{PreferGo: true, Dial: dial}
}

func dnsAnswer(query []byte, lookups *int) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response = true
	m.Additionals = nil
	q := m.Questions[0]
	if q.Type == dnsmessage.TypeA {
		address := [4]byte{127, 0, 0, 1}
		if *lookups == 0 {
			address = [4]byte{93, 184, 215, 14}
		}
		*lookups++
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: address},
		}}
	}
	answer, err := m.Pack()
	if err != nil {
		return nil
	}
	return answer
}

func TestFetchErrors(t *testing.T) {
	for site, want := range map[string]string{
		"":                        `URL "https://": no host.`,
		"ftp://example.com":       "Only http and https URLs can be fetched.",
		"file:///etc/passwd":      `URL "file:///etc/passwd": no host.`,
		"javascript://x/alert":    "Only http and https URLs can be fetched.",
		"http://exa mple.com":     `URL "http://exa mple.com": bad host.`,
		"https://:443/robots.txt": `URL "https://:443/robots.txt": no host.`,
	} {
		body, err := json.Marshal(map[string]string{"site": site})
		if err != nil {
			t.Fatal(err)
		}
		resp := request(Options{AllowFetch: true}, "POST", "/api/fetch", string(body), nil)
		got, err := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusBadRequest || string(got) != want+"\n" {
			t.Errorf("%q: status %d, %q, %v", site, resp.StatusCode, got, err)
		}
	}
}

// TestServeFetch tests the answers to POST /api/fetch.
func TestServeFetch(t *testing.T) {
	server, _ := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "# ", r.Header.Get("User-Agent"))
	})
	for _, test := range []struct {
		body string
		want string
	}{
		{`{"site":"` + server.URL + `"}`, `{"response":"` + server.URL + `/robots.txt: 200 OK, text/plain; charset=utf-8, 56 bytes","state":"file","meaning":"This is the robots.txt file of ` +
			server.URL + `.","access":"","text":"# robotstxt (+https://github.com/robotstxt-go/robotstxt)","name":"` + server.URL + `/robots.txt"}`},
		{`{"site":`, "The server does not understand the request."},
		{`{"site":"ftp://x.example"}`, "Only http and https URLs can be fetched."},
	} {
		resp := request(Options{AllowFetch: true, AllowPrivate: true}, "POST", "/api/fetch", test.body, nil)
		if body, err := io.ReadAll(resp.Body); err != nil || strings.TrimSpace(string(body)) != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.body, body, err, test.want)
		}
	}
	if a := fetchFrom(t, newFetcher(false), server.URL); a.State != reply.Private {
		t.Errorf("a private address: %+v", a)
	}
}
