package robotshttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A URL must be allowed in all its forms; see robotshttp.Forms. nginx decodes "%2F", merges slashes and
// resolves dot segments (ngx_http_parse_complex_uri). Tomcat drops path parameters first
// (CoyoteAdapter.parsePathParameters). The first refusal, in the order of the forms, decides.
func TestForms(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /private/\nDisallow: /x/\nAllow: /x/*/s\nDisallow: /*?secret\nDisallow: /n/private/\n"
	for _, test := range []struct {
		target string
		line   int // of the rule that disallows the target; 0 if it is allowed
	}{
		{"/open/../private/s.txt", 2},
		{"/open/%2e%2e/private/s.txt", 2},
		{"/open/%2E./private/s.txt", 2},
		{"/open/.%2e/private/", 2},
		{"/./private/s.txt", 2},
		{"/../private/", 2},
		{"/private/.", 2},
		{"/open/../private/.", 2},
		{"/private/..", 2},      // as it is
		{"/private/../open", 2}, // as it is
		{"/open/../x/", 3},
		{"/x/../private/s", 2},          // the URL as it is is allowed by line 4
		{"/open/../private", 0},         // a page, not the folder
		{"/open/../private/..", 0},      // the URL of the site's home page
		{"/open/../private/../open", 0}, // resolved, like the first form
		{"/a//../private/s.txt", 2},     // nginx merges slashes; RFC 3986 resolves this to /a/private
		{"/a/..%2fprivate/s.txt", 2},    // nginx decodes slashes
		{"/a%2F..%2F%2Fprivate%2Fs", 2},
		{"/a/%2e%2e%2fprivate/", 2},
		{"/n/b//../../private/", 6}, // resolved by RFC 3986; nginx answers with /private/, which is line 2
		{"/open/../open?secret", 5},
		{"/open/..?secret", 5},
		{"/open?x=/../private/", 0}, // the query never changes
		{"/open#/../private/", 0},
		{"/...", 0},
		{"/open/.../private/", 0},
		{"/open/..private/", 0},
		{"/open/%252e%252e/private/", 0},
		{"//private/s.txt", 2},
		{"/%2fprivate/s.txt", 2},
		{"/private%2Fs.txt", 2},
		{"/private;v=1/s.txt", 2},
		{"/private;/s.txt", 2},
		{"/;/private/s.txt", 2},
		{"/.;/private/s.txt", 2},
		{"/open/..;a=b/private/s.txt", 2},
		{"/open/%2e%2e;/private/s.txt", 2},
		{"/open;%2Fprivate/s.txt", 0}, // /open/private/s.txt
		{"/n//private/", 6},
		{"/n/x//private/", 0},
		{"/private%3Bv=1/s.txt", 0}, // an escaped semicolon does not start a parameter
		{"/open?x=//private/;y", 0},
		{"//", 0},
		{"/;", 0},
		{"//robots.txt", 0},
		{"/x//..;/robots.txt", 3}, // as it is
		{"/robots.txt", 0},
		{"/private/../robots.txt", 2}, // only /robots.txt itself is always allowed
	} {
		w := &web{robots: map[string]string{"a.example": robots}}
		tr := robotshttp.NewTransport("FooBot", w)
		target := "https://a.example" + test.target
		_, err := (&http.Client{Transport: tr}).Get(target)
		errs := map[string]error{"Transport": err, "Wait": tr.Cache.Wait(t.Context(), target)}
		d, err := tr.Cache.Decide(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if d.Allowed != (test.line == 0) || d.Rule.Line != test.line && !d.Allowed {
			t.Errorf("%s: decision %v, want line %d", test.target, d, test.line)
		}
		for name, err := range errs {
			if test.line == 0 && err != nil {
				t.Errorf("%s: %s returns error %v, want none", test.target, name, err)
			}
			if test.line != 0 && wantDisallowed(t, err).Decision != d {
				t.Errorf("%s: %s returns error %v, want the decision %v", test.target, name, err, d)
			}
		}
	}
}

func TestFormsOf(t *testing.T) {
	for url, want := range map[string][]string{
		"https://a.example":                      nil,
		"https://a.example?q=/../":               nil,
		"https://a.example/":                     nil,
		"https://x;y@a.example":                  nil,
		"https://a%2Eb.example?q=//":             nil,
		"a;b":                                    nil,
		"https://a.example/a.b/%C3%A9?q=a//b;c":  nil,
		"https://a.example/.hidden":              nil,
		"https://a.example/a//b/?q=;":            {"https://a.example/a/b/?q=;"},
		"https://a.example/x;y/z":                {"https://a.example/x/z"},
		"https://a.example/a/../b":               {"https://a.example/b"},
		"https://a.example/x;y//..%2Fprivate?q":  {"https://a.example/x/../private?q", "https://a.example/private?q"},
		"https://a.example/a//%2E%2E/b;c/./d#/.": {"https://a.example/a/%2E%2E/b/./d#/.", "https://a.example/a/b;c/d#/.", "https://a.example/b/d#/."},
	} {
		if diff := cmp.Diff(append([]string{url}, want...), robotshttp.Forms(url)); diff != "" {
			t.Errorf("%s:\n%s", url, diff)
		}
	}
}

// A DisallowedError names the form that is disallowed.
func TestDisallowedForm(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"a.example": "User-agent: *\nDisallow: /private/\n"}})
	for _, test := range []struct{ url, form, text string }{
		{"https://user:secret@a.example/private/", "https://a.example/private/",
			`robotshttp: https://a.example/private/: Disallowed: line 2 tells all other crawlers "Disallow: /private/".`},
		{"https://user:secret@a.example/x/..;/private/", "https://a.example/private/",
			`robotshttp: https://a.example/x/..;/private/: a server can read it as https://a.example/private/: Disallowed: line 2 tells all other crawlers "Disallow: /private/".`},
	} {
		refused := wantDisallowed(t, tr.Cache.Wait(t.Context(), test.url))
		if refused.Form != test.form || refused.Error() != test.text {
			t.Errorf("%s: form %s, error %v", test.url, refused.Form, refused)
		}
	}
}

// A request with a User-Agent of its own is checked in all forms for both crawlers.
func TestFormsForTwoAgents(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"a.example": "User-agent: BarBot\nDisallow: /private/\n"}})
	req := httptest.NewRequest("GET", "https://a.example/x/%2e%2e/private/", nil)
	req.Header.Set("User-Agent", "BarBot")
	_, err := tr.RoundTrip(req)
	wantDisallowed(t, err)
}

// FuzzForms sends a URL to servers. No server may answer with a page of a disallowed folder.
func FuzzForms(f *testing.F) {
	for _, seed := range []string{
		"/x/../private/secret.txt", "/x/%2e%2e/private/secret.txt", "/./private/secret.txt", "/a//../private/secret.txt",
		"/a/..%2fprivate/secret.txt", "//private/secret.txt", "/private%2Fsecret.txt", "/private;v=1/secret.txt", "/a/..;/private/secret.txt", "/a%2f%2F.%2e//private/./secret.txt", "/../private/x/../secret.txt", "/p/..?q", "/%70/../%70rivate/secret.txt",
	} {
		f.Add(seed)
	}
	const secret = "secret"
	folder := http.FileServerFS(fstest.MapFS{"private/secret.txt": {Data: []byte(secret)}, "private/index.html": {Data: []byte(secret)}})
	f.Fuzz(func(t *testing.T, target string) {
		var sent *http.Request
		base := roundTripper(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/robots.txt" {
				return responds(200, "User-agent: *\nDisallow: /private/\n")(req)
			}
			sent = req
			return responds(200, "")(req)
		})
		req, err := http.NewRequestWithContext(t.Context(), "GET", "https://a.example/"+strings.TrimPrefix(target, "/"), nil)
		if err != nil {
			return
		}
		if _, err := robotshttp.NewTransport("FooBot", base).RoundTrip(req); err != nil || sent == nil {
			return
		}
		if p := nginxPath(sent.URL.EscapedPath()); strings.HasPrefix(p, "/private/") {
			t.Errorf("%s was sent; nginx answers with %s", sent.URL, p)
		}
		if p := tomcatPath(sent.URL.EscapedPath()); strings.HasPrefix(p, "/private/") {
			t.Errorf("%s was sent; Tomcat answers with %s", sent.URL, p)
		}
		recorder := httptest.NewRecorder()
		folder.ServeHTTP(recorder, &http.Request{Method: "GET", URL: &url.URL{Path: sent.URL.Path}})
		if body, _ := io.ReadAll(recorder.Body); string(body) == secret {
			t.Errorf("%s was sent; net/http answers with the secret", sent.URL)
		}
	})
}

// nginxPath returns the path of the file with which nginx answers. Like nginx, it reads a path octet
// by octet, decodes escapes, merges slashes, and goes up one folder at each "..".
func nginxPath(escaped string) string {
	decoded, err := url.PathUnescape(escaped)
	if err != nil {
		return ""
	}
	var out []byte
	for i := 0; i <= len(decoded); i++ {
		if i < len(decoded) && decoded[i] != '/' {
			out = append(out, decoded[i])
			continue
		}
		// A segment ends here.
		last := strings.LastIndexByte(string(out), '/')
		switch string(out[last+1:]) {
		case "":
			continue
		case ".":
			out = out[:last+1]
			continue
		case "..":
			out = out[:max(last, 0)]
			out = out[:max(strings.LastIndexByte(string(out), '/'), 0)]
		}
		if i < len(decoded) || len(out) == 0 {
			out = append(out, '/')
		}
	}
	return "/" + strings.TrimPrefix(string(out), "/")
}

// tomcatPath returns the path of the file with which Tomcat answers, or nothing if Tomcat refuses the
// path. Tomcat cuts each segment at its first semicolon before it does what nginx does. By default, it
// refuses "%2F".
func tomcatPath(escaped string) string {
	if strings.Contains(strings.ToLower(escaped), "%2f") {
		return ""
	}
	var segments []string
	for segment := range strings.SplitSeq(escaped, "/") {
		segment, _, _ = strings.Cut(segment, ";")
		segments = append(segments, segment)
	}
	return nginxPath(strings.Join(segments, "/"))
}
