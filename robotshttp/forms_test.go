package robotshttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A URL with dot segments must be allowed as it is, resolved by RFC 3986, section 5.2.4, and
// resolved after "%2F" has been decoded and slashes have been merged, as nginx does. The first
// refusal, in this order, decides.
func TestDotSegments(t *testing.T) {
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
		{"//private/s.txt", 0}, // without dot segments, the server decides what this means
		{"/%2fprivate/s.txt", 0},
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

// A request with a User-Agent of its own is checked in all forms for both crawlers.
func TestDotSegmentsForTwoAgents(t *testing.T) {
	tr := robotshttp.NewTransport("FooBot", &web{robots: map[string]string{"a.example": "User-agent: BarBot\nDisallow: /private/\n"}})
	req := httptest.NewRequest("GET", "https://a.example/x/%2e%2e/private/", nil)
	req.Header.Set("User-Agent", "BarBot")
	_, err := tr.RoundTrip(req)
	wantDisallowed(t, err)
}

// FuzzDotSegments sends a URL to servers that resolve dot segments. If the URL has a dot segment,
// no server may answer with a page of a disallowed folder.
func FuzzDotSegments(f *testing.F) {
	for _, seed := range []string{
		"/x/../private/secret.txt", "/x/%2e%2e/private/secret.txt", "/./private/secret.txt", "/a//../private/secret.txt",
		"/a/..%2fprivate/secret.txt", "/a%2f%2F.%2e//private/./secret.txt", "/../private/x/../secret.txt", "/p/..?q", "/%70/../%70rivate/secret.txt",
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
		if !strings.Contains("/"+sent.URL.Path+"/", "/./") && !strings.Contains("/"+sent.URL.Path+"/", "/../") {
			return // without dot segments, the server decides what doubled and escaped slashes mean
		}
		if p := nginxPath(sent.URL.EscapedPath()); strings.HasPrefix(p, "/private/") {
			t.Errorf("%s was sent; nginx answers with %s", sent.URL, p)
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
