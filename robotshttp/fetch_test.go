package robotshttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

const (
	page     = "https://example.com/page"
	location = "https://example.com/robots.txt"
	file     = "User-agent: *\nDisallow: /page\n"
)

const (
	long  = time.Minute            // longer than a local server needs to answer
	short = 100 * time.Millisecond // how long tests wait for a server that does not answer
)

// serve starts a server, and returns its URL and a Cache that trusts it.
func serve(t *testing.T, h http.HandlerFunc) (string, *robotshttp.Cache) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, &robotshttp.Cache{UserAgent: "FooBot/1.0", Client: s.Client(), Timeout: long}
}

// writes returns a handler that answers with a body.
func writes(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

func wantUnreachable(t *testing.T, r robotshttp.Result) {
	t.Helper()
	if r.Outcome != robotshttp.Unreachable || r.Err == nil || r.File.Allowed("FooBot", "/") {
		t.Errorf("outcome %q, error %v, want %q and an error", r.Outcome, r.Err, robotshttp.Unreachable)
	}
}

func TestRedirects(t *testing.T) {
	other, _ := serve(t, writes("User-agent: *\nDisallow: /other\n"))
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		outcome robotshttp.Outcome
		status  int
		hits    int64
	}{
		{"five", chain(5), robotshttp.Fetched, 200, 6},
		{"six", chain(6), robotshttp.Unavailable, 302, 6},
		{"for ever", chain(1 << 30), robotshttp.Unavailable, 302, 6},
		{"to itself", redirects(301, "/robots.txt"), robotshttp.Unavailable, 301, 6},
		{"to another host", redirects(308, strings.Replace(other, "://", "://user:secret@", 1)+"/rules#top"), robotshttp.Fetched, 200, 1},
		{"temporary", redirects(307, other+"/rules"), robotshttp.Fetched, 200, 1},
		{"to nothing", redirects(301, ""), robotshttp.Unavailable, 301, 1},
		{"to no URL", redirects(302, "http://%zz/"), robotshttp.Unavailable, 302, 1},
		{"to no host", redirects(302, "http:///robots.txt"), robotshttp.Unavailable, 302, 1},
		{"to a file", redirects(302, "file:///etc/passwd"), robotshttp.Unavailable, 302, 1},
		{"to another protocol", redirects(302, "gopher://example.com/"), robotshttp.Unavailable, 302, 1},
		{"to a closed port", redirects(302, "http://127.0.0.1:1/"), robotshttp.Unreachable, 0, 1},
		{"choices", redirects(300, other+"/rules"), robotshttp.Unavailable, 300, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var hits atomic.Int64
			url, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				hits.Add(1)
				test.handler(w, r)
			})
			r := get(t, c, url)
			if r.Outcome != test.outcome || r.Status != test.status || r.URL != url+"/robots.txt" {
				t.Errorf("Result %+v, want %s with status %d", r, test.outcome, test.status)
			}
			if n := hits.Load(); n != test.hits {
				t.Errorf("%d requests, want %d", n, test.hits)
			}
			if r.Status == 200 && !strings.HasPrefix(r.FinalURL, url) &&
				(r.FinalURL != other+"/rules" || r.File.Allowed("FooBot", "/other")) {
				t.Errorf("the file from %s is not that from %s", r.FinalURL, other+"/rules")
			}
		})
	}
}

// chain returns a handler that redirects n times before it answers.
func chain(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if i, _ := strconv.Atoi(r.FormValue("n")); i < n {
			http.Redirect(w, r, fmt.Sprint("/robots.txt?n=", i+1), http.StatusFound)
		}
	}
}

func redirects(status int, location string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.WriteHeader(status)
	}
}

// The file to which a robots.txt redirects applies only to the site that redirects. The other
// site has its own robots.txt.
func TestRedirectIsOfFirstOrigin(t *testing.T) {
	other, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			io.WriteString(w, file)
		}
	})
	first, c := serve(t, redirects(301, other+"/rules"))
	if r := get(t, c, first); r.File.Allowed("FooBot", "/page") || r.FinalURL != other+"/rules" {
		t.Errorf("the site that redirects: Result %+v, want the file of the other site", r)
	}
	if r := get(t, c, other); !r.File.Allowed("FooBot", "/page") {
		t.Errorf("the other site: Result %+v, want its own file, which is empty", r)
	}
}

// The context of CheckTarget is no way around the rules: only requests for robots.txt files are sent
// without a check.
func TestContextOfCheckTarget(t *testing.T) {
	other := robotshttp.NewTransport("FooBot", roundTripper(responds(200, "")))
	other.Cache.Supply = func(context.Context, string) *robotstxt.File { return robotstxt.Unreachable() }
	c := (&server{answer: responds(200, file)}).cache()
	c.CheckTarget = func(ctx context.Context, _ *neturl.URL) error {
		_, err := other.RoundTrip(httptest.NewRequestWithContext(ctx, "GET", "https://other.example/", nil))
		if _, ok := errors.AsType[*robotshttp.DisallowedError](err); !ok {
			t.Errorf("error %v, want a DisallowedError", err)
		}
		return nil
	}
	get(t, c, page)
}

func TestCheckTarget(t *testing.T) {
	errPrivate := errors.New("private address")
	url, c := serve(t, redirects(302, "http://10.0.0.1/robots.txt"))
	c.CheckTarget = func(_ context.Context, target *neturl.URL) error {
		if addr, err := net.ResolveIPAddr("ip", target.Hostname()); err == nil && addr.IP.IsPrivate() {
			return errPrivate
		}
		return nil
	}
	r := get(t, c, url)
	wantUnreachable(t, r)
	if !errors.Is(r.Err, errPrivate) {
		t.Errorf("error %v, want %v", r.Err, errPrivate)
	}
}

// CheckTarget gets the host in the form that is dialed, however the redirect spells it.
func TestCheckTargetSpellings(t *testing.T) {
	for _, host := range []string{"localhost", "LOCALHOST", "localhost.", "ｌｏｃａｌｈｏｓｔ", "ⓛocalhost", "%6cocalhost", "user@localhost", "localhost\u00ad", "LOCALHOST\u200b", "localhost:80"} {
		var seen []string
		c := (&server{answer: responds(302, "", "Location", "http://"+host+"/robots.txt")}).cache()
		c.CheckTarget = func(_ context.Context, target *neturl.URL) error {
			seen = append(seen, target.Host)
			if target.Host == "localhost" {
				return errors.New("internal")
			}
			return nil
		}
		r := get(t, c, page)
		refused := len(seen) == 2 && seen[1] == "localhost" && r.Outcome == robotshttp.Unreachable
		if isInvalid := len(seen) == 1 && r.Outcome == robotshttp.Unavailable; !refused && !isInvalid {
			t.Errorf("%q: CheckTarget sees %q, want localhost; outcome %s", host, seen, r.Outcome)
		}
	}
}

func TestFaults(t *testing.T) {
	hijack := func(raw string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			io.WriteString(conn, raw)
		}
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"no response", hijack("")},
		{"no HTTP", hijack("220 ready\r\n")},
		{"header cut short", hijack("HTTP/1.1 200 OK\r\nContent-Le")},
		{"body cut short", hijack("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + file)},
		{"chunk cut short", hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + file)},
		{"no last chunk", hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n#\r\n")},
		{"no gzip", encoded("gzip", []byte(file))},
		{"gzip cut short", encoded("gzip", gzipped(file)[:30])},
		{"gzip with a wrong checksum", encoded("gzip", append(gzipped(file)[:len(gzipped(file))-8], make([]byte, 8)...))},
		{"unknown encoding", encoded("br", []byte(file))},
		{"three times gzip", encoded("", gzipped(string(gzipped(string(gzipped(file))))))},
		{"start of gzip", encoded("", []byte("\x1f\x8b"))},
		{"undeclared gzip, cut short", encoded("", gzipped(file)[:30])},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, c := serve(t, test.handler)
			wantUnreachable(t, get(t, c, url))
		})
	}
}

// encoded returns a handler that sends the body, which is already encoded.
func encoded(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		w.Write(body)
	}
}

func gzipped(s string) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	io.WriteString(w, s)
	w.Close()
	return buf.Bytes()
}

func TestGzip(t *testing.T) {
	for _, disabled := range []bool{false, true} {
		for _, encoding := range []string{"gzip", "x-gzip", "GZip"} { // RFC 9110, section 8.4.1.3
			url, c := serve(t, encoded(encoding, gzipped(file)))
			c.Client.Transport.(*http.Transport).DisableCompression = disabled
			if r := get(t, c, url); r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", "/page") {
				t.Errorf("%s, compression disabled %t: Result %+v, want the file", encoding, disabled, r)
			}
		}
	}
}

// A body that is compressed is decompressed, whatever the header says: no text starts with the bytes 1F
// 8B.
func TestUndeclaredGzip(t *testing.T) {
	twice := gzipped(string(gzipped(file)))
	for _, test := range []struct {
		encoding string
		body     []byte
	}{
		{"", gzipped(file)}, {"identity", gzipped(file)}, {"br", gzipped(file)}, {"", twice}, {"gzip", twice}, {"gzip, gzip", twice},
	} {
		url, c := serve(t, encoded(test.encoding, test.body))
		if r := get(t, c, url); r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", "/page") {
			t.Errorf("encoding %q: Result %+v, want the file", test.encoding, r)
		}
	}
	url, c := serve(t, encoded("", gzipped(strings.Repeat("x", 2<<20)+"\n"+file)))
	if r := get(t, c, url); r.Outcome != robotshttp.Fetched || !r.File.Allowed("FooBot", "/page") || !r.NotRobotsTxt {
		t.Errorf("a file above the size limit: %+v", r)
	}
}

// An empty body is valid even if the header names an encoding.
func TestEncodedNothing(t *testing.T) {
	for _, status := range []int{200, 204} {
		for _, disabled := range []bool{false, true} {
			url, c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.WriteHeader(status)
			})
			c.Client.Transport.(*http.Transport).DisableCompression = disabled
			if r := get(t, c, url); r.Outcome != robotshttp.Fetched || !r.File.Allowed("FooBot", "/page") {
				t.Errorf("status %d, compression disabled %t: Result %+v, want an empty file", status, disabled, r)
			}
		}
	}
}

// Some servers send these values for a body without an encoding.
func TestNoEncoding(t *testing.T) {
	for _, encoding := range []string{"", "identity", "none", "None", "UTF-8"} {
		url, c := serve(t, encoded(encoding, []byte(file)))
		if r := get(t, c, url); r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", "/page") {
			t.Errorf("encoding %q: Result %+v, want the file", encoding, r)
		}
	}
}

// A fetch ends after the Timeout if the server stalls before or within its response, or if it
// sends a body slowly and without end.
func TestStalls(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"in silence", func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}},
		{"after the header", func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
		{"in the body", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, file)
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
		{"after a redirect", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "" {
				http.Redirect(w, r, "/robots.txt?again", http.StatusFound)
			}
			<-r.Context().Done()
		}},
		{"byte by byte", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, "\n")
				http.NewResponseController(w).Flush()
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			url, c := serve(t, test.handler)
			c.Timeout = short
			if test.name == "byte by byte" {
				c.Timeout = time.Millisecond // ends before the size limit is reached
			}
			wantUnreachable(t, get(t, c, url))
		})
	}
}

// However much a server sends, the Cache reads only up to the size limit.
func TestSizeLimit(t *testing.T) {
	const line = "# 16 bytes long\n"
	start := "User-agent: *\nDisallow: /page\n"
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"10 GB", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, start)
			block := []byte(strings.Repeat(line, 1<<12))
			for range int64(10<<30) / int64(len(block)) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
			t.Error("the Cache read all of the 10 GB")
		}},
		{"10 GB announced", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.FormatInt(10<<30, 10))
			io.WriteString(w, start)
			for {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		}},
		{"gzip bomb", encoded("gzip", gzipped(start+strings.Repeat(line, 8<<20/len(line))))},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, c := serve(t, test.handler)
			r := get(t, c, url)
			if r.Outcome != robotshttp.Fetched || r.File.Allowed("FooBot", "/page") {
				t.Errorf("Result %+v, want the start of the file", r)
			}
		})
	}
}

// A countingBody counts the bytes that are read from it.
type countingBody struct {
	io.Reader
	n      int
	closed bool
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += n
	return n, err
}

func (b *countingBody) Close() error {
	b.closed = true
	return nil
}

func TestFromResponse(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(file), iotest.ErrReader(errDown))
	for _, test := range []struct {
		name     string
		status   int
		encoding string
		body     io.Reader
		reason   robotstxt.Reason
		fails    bool
	}{
		{"a file", 200, "", strings.NewReader(file), robotstxt.RuleMatched, false},
		{"gzip", 200, "gzip", bytes.NewReader(gzipped(file)), robotstxt.RuleMatched, false},
		{"empty", 204, "", strings.NewReader(""), robotstxt.NoGroup, false},
		{"none", 404, "", broken, robotstxt.FileUnavailable, false},
		{"a redirect", 301, "", broken, robotstxt.FileUnavailable, false},
		{"too many requests", 429, "", broken, robotstxt.FileUnreachable, false},
		{"a failure", 500, "", broken, robotstxt.FileUnreachable, false},
		{"a part", 206, "", strings.NewReader(file), robotstxt.FileUnreachable, false},
		{"broken off", 200, "", broken, robotstxt.FileUnreachable, true},
		{"unknown encoding", 200, "br", strings.NewReader(file), robotstxt.FileUnreachable, true},
	} {
		body := &countingBody{Reader: test.body}
		resp := &http.Response{StatusCode: test.status, Header: http.Header{}, Body: body}
		resp.Header.Set("Content-Encoding", test.encoding)
		f, err := robotshttp.FromResponse(resp)
		if got := f.Decide("FooBot", page).Reason; got != test.reason || (err != nil) != test.fails || body.closed {
			t.Errorf("%s: reason %q, want %q; error %v; body closed %t, want false", test.name, got, test.reason, err, body.closed)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "robotshttp: body: ") {
			t.Errorf("%s: the error %v does not start with \"robotshttp: body: \"", test.name, err)
		}
	}
	unknown := &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"br"}}, Body: io.NopCloser(strings.NewReader(file))}
	if _, err := robotshttp.FromResponse(unknown); err == nil || err.Error() != `robotshttp: body: unknown content encoding "br"` {
		t.Errorf("an unknown encoding: error %v, want one that names it", err)
	}
	f, err := robotshttp.FromResponse(&http.Response{StatusCode: 200})
	if d := f.Decide("FooBot", page); err != nil || d.Reason != robotstxt.NoGroup {
		t.Errorf("no body: %v, error %v", d, err)
	}
}

// A Cache reads only the bodies of responses with status 2xx, but closes all bodies.
func TestBodiesAreClosed(t *testing.T) {
	for _, status := range []int{200, 301, 304, 404, 429, 500} {
		var bodies []*countingBody
		c := (&server{answer: func(req *http.Request) (*http.Response, error) {
			h := http.Header{"Location": {"https://example.com/robots.txt?next"}}
			body := &countingBody{Reader: strings.NewReader(file)}
			bodies = append(bodies, body)
			return &http.Response{StatusCode: status, Header: h, Body: body}, nil
		}}).cache()
		get(t, c, page)
		for i, body := range bodies {
			if !body.closed || status != 200 && body.n > 0 {
				t.Errorf("status %d: body %d: closed %t, %d bytes read; only the body of a file should be read", status, i, body.closed, body.n)
			}
		}
	}
}

// Google also fetches robots.txt files with FTP. A Cache can do so with a transport that
// supports FTP.
func TestOtherScheme(t *testing.T) {
	ftp := &server{answer: responds(200, file)}
	transport := &http.Transport{}
	transport.RegisterProtocol("ftp", ftp)
	c := &robotshttp.Cache{Client: &http.Client{Transport: transport}}
	r := get(t, c, "ftp://ftp.example.com:21/pub/")
	if r.Outcome != robotshttp.Fetched || r.URL != "ftp://ftp.example.com/robots.txt" || r.File.Allowed("FooBot", "/page") {
		t.Errorf("Result %+v, want the file", r)
	}
	wantUnreachable(t, get(t, c, "gopher://example.com/")) // the transport does not support Gopher
}
