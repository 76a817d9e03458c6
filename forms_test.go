package robotstxt_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt"
)

// firstDisallowed returns the first form of a URL that a file disallows, and the Decision for it. If
// all forms are allowed, it returns "".
func firstDisallowed(file *robotstxt.File, url string) (form string, d robotstxt.Decision) {
	for _, form := range robotstxt.Forms(url) {
		if d := file.Decide("FooBot", form); !d.Allowed {
			return form, d
		}
	}
	return "", d
}

// A URL must be allowed in all its forms. nginx decodes "%2F", merges slashes and resolves dot segments
// (ngx_http_parse_complex_uri). Tomcat drops path parameters first (CoyoteAdapter.parsePathParameters).
// "\" is a slash to Windows, to Tomcat with allowBackslash, and to whoever reads the URL as browsers do
// (WHATWG URL, section 4.4: special schemes), as servers for Node do with new URL(request.url, base). This
// call also takes the first segment for a host if the path starts with two slashes. The first
// refusal, in the order of the forms, decides.
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
		{"/\\private/s.txt", 2},
		{"/%5Cprivate/s.txt", 2},
		{"/%5cprivate/s.txt", 2},
		{"\\private\\s.txt", 0}, // without a slash, this is the host
		{"/private\\s.txt", 2},
		{"/open\\..\\private\\s.txt", 2},
		{"/open/..%5Cprivate%5Cs.txt", 2},
		{"/open%255Cprivate", 0}, // decoded twice
		{"/open?x=\\private\\s", 0},
		{"//open/private/s.txt", 2}, // the host is "open"
		{"///open/private/s.txt", 2},
		{"/\\open/private/s.txt", 2},
		{"//open;x/private/s.txt", 2},
		{"//open:80/%2e%2e/private/", 2},
		{"//open/x/../private/", 2},
		{"//open/x/private/", 3}, // /x/private/
		{"/open//open/private/", 0},
		{"//open", 0},
		{"//open?secret", 5},
		{"/PRIVATE/", 0}, // on most servers, another page
		{"//", 0},
		{"/;", 0},
		{"//robots.txt", 0},
		{"/x//..;/robots.txt", 3}, // as it is
		{"/robots.txt", 0},
		{"/private/../robots.txt", 2}, // only /robots.txt itself is always allowed
	} {
		file := robotstxt.Parse([]byte(robots))
		for _, site := range []string{"https://a.example", "a.example"} {
			form, d := firstDisallowed(file, site+test.target)
			if (form != "") != (test.line != 0) || d.Rule.Line != test.line {
				t.Errorf("%s: disallowed in the form %q by %v, want line %d", site+test.target, form, d, test.line)
			}
		}
	}
}

// Forms returns each form once, in the order of its documentation.
func TestFormsInOrder(t *testing.T) {
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
		"https://a.example/a//..\\b":             {"https://a.example/a/../b", "https://a.example/b"},
		"https://a.example//x//y/../%5Cz?q":      {"https://a.example/x/y/../z?q", "https://a.example//x//%5Cz?q", "https://a.example/x/z?q", "https://a.example/z?q"},
		"https://a.example#/..//":                nil,
		"https://a.example/%20/%55":              nil,
		"/a/../b?q":                              {"/b?q"},                   // a path, as in a log
		"/a/..//b":                               {"/a/../b", "////b", "/b"}, // Decide would take "b" for the host of "//b"
		"//a.example/a/../b":                     {"//a.example/b"},
		"a.example/a/../b":                       {"a.example/b"},
		"":                                       nil,
	} {
		if diff := cmp.Diff(append([]string{url}, want...), robotstxt.Forms(url)); diff != "" {
			t.Errorf("%s:\n%s", url, diff)
		}
	}
}

// FuzzForms asks models of servers for a URL that is allowed in all its forms. None may answer with a page
// of a disallowed folder.
func FuzzForms(f *testing.F) {
	for _, seed := range []string{
		"/x/../private/secret.txt", "/x/%2e%2e/private/secret.txt", "/./private/secret.txt", "/a//../private/secret.txt",
		"/a/..%2fprivate/secret.txt", "//private/secret.txt", "/private%2Fsecret.txt", "/private;v=1/secret.txt", "/a/..;/private/secret.txt", "/a%2f%2F.%2e//private/./secret.txt", "/../private/x/../secret.txt", "/p/..?q", "/\\private/secret.txt", "/%5Cprivate/secret.txt", "/x/..%5c/private\\secret.txt", "//host/private/secret.txt", "///host/x/..\\private/", "/%70/../%70rivate/secret.txt",
	} {
		f.Add(seed)
	}
	file := robotstxt.Parse([]byte("User-agent: *\nDisallow: /private/\n"))
	const secret = "secret"
	folder := http.FileServerFS(fstest.MapFS{"private/secret.txt": {Data: []byte(secret)}, "private/index.html": {Data: []byte(secret)}})
	f.Fuzz(func(t *testing.T, target string) {
		const site = "https://a.example"
		target = "/" + strings.TrimPrefix(target, "/")
		form, _ := firstDisallowed(file, site+target)
		if !strings.HasPrefix(target, "//") { // otherwise, this is not only a path
			if ofPath, _ := firstDisallowed(file, target); (ofPath == "") != (form == "") {
				t.Errorf("%s is disallowed in the form %q, but with a host in %q", target, ofPath, form)
			}
		}
		path, _, _ := strings.Cut(target, "#")
		path, _, _ = strings.Cut(path, "?")
		u, err := url.Parse(site + path)
		if err != nil || form != "" {
			return
		}
		backslashes := strings.NewReplacer("\\", "/", "%5C", "/", "%5c", "/").Replace(path)
		for server, answer := range map[string]string{
			"nginx":                      nginxPath(path),
			"nginx on Windows":           nginxPath(backslashes),
			"Tomcat":                     tomcatPath(path),
			"Tomcat with allowBackslash": tomcatPath(backslashes),
			"Node":                       nodePath(path),
		} {
			if strings.HasPrefix(answer, "/private/") {
				t.Errorf("%s is allowed; %s answers with %s", target, server, answer)
			}
		}
		recorder := httptest.NewRecorder()
		folder.ServeHTTP(recorder, &http.Request{Method: "GET", URL: &url.URL{Path: u.Path}})
		if body, _ := io.ReadAll(recorder.Body); string(body) == secret {
			t.Errorf("%s is allowed; net/http answers with the secret", target)
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

// nodePath returns the path of the file with which a server for Node answers that reads a URL as browsers
// do (WHATWG URL, section 4.4): a backslash is a slash, and what follows two slashes is a host. Dot
// segments are resolved before escapes are decoded.
func nodePath(escaped string) string {
	path := strings.ReplaceAll(escaped, "\\", "/")
	if strings.HasPrefix(path, "//") {
		_, path, _ = strings.Cut(strings.TrimLeft(path, "/"), "/")
		path = "/" + path
	}
	var segments []string
	for segment := range strings.SplitSeq(path, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".":
		case "..":
			segments = segments[:max(len(segments)-1, 0)]
		default:
			segments = append(segments, segment)
		}
	}
	return nginxPath(strings.Join(segments, "/"))
}
