package web

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const host = "localhost:8080"

// request sends a request to the handler, with the headers that a browser sends for the page.
// The function edit, if not nil, changes the request first.
func request(o Options, method, path, body string, edit func(*http.Request)) *http.Response {
	o.Host = host
	r := httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+host)
		r.Header.Set("Content-Type", "application/json")
	}
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	Handler(o).ServeHTTP(w, r)
	return w.Result()
}

func TestServePage(t *testing.T) {
	for path, contentType := range map[string]string{
		"/":         "text/html",
		"/base.css": "text/css",
		"/main.js":  "text/javascript",
		"/icon.svg": "image/svg+xml",
	} {
		resp := request(Options{}, "GET", path, "", nil)
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || !strings.HasPrefix(got, contentType) {
			t.Errorf("%s: %s, %s; want %s", path, resp.Status, got, contentType)
		}
		for key, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
				"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cache-Control":                "no-store",
		} {
			if got := resp.Header.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", path, key, got, want)
			}
		}
	}
	if resp := request(Options{}, "GET", "/../serve.go", "", nil); resp.StatusCode == 200 {
		t.Error("the handler serves a file outside the folder of the page")
	}
}

func TestServeAnswers(t *testing.T) {
	resp := request(Options{}, "POST", "/api/answer", `{"op":"decide","text":"User-agent: *\nDisallow: /a","urls":["/a"],"agents":["X"]}`, nil)
	var answer struct {
		Decisions []struct {
			Allowed bool
			Line    int
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Decisions) != 1 || answer.Decisions[0].Allowed || answer.Decisions[0].Line != 2 {
		t.Errorf("got %+v", answer)
	}
}

// reads returns a function for Options.ReadFile that returns file.
func reads(file string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(file), nil }
}

// TestServeStart tests that the page gets each version of the file once and whole, and a note
// if the text differs from the file.
func TestServeStart(t *testing.T) {
	const version = "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd" // of "A"
	large := strings.Repeat("Disallow: /\n", 60_000)
	for _, test := range []struct {
		name, request string
		read          func() ([]byte, error)
		status        int
		want          string
	}{
		{"no file", "{}", nil, 200, `{"name":"f","version":"","text":"","note":"","reach":"R.","canFetch":true}`},
		{"a file", "{}", reads("A"), 200, `{"name":"f","version":"` + version + `","text":"A","note":"","reach":"R.","canFetch":true}`},
		{"another version", `{"version":"0"}`, reads("A"), 200, `{"name":"f","version":"` + version + `","text":"A","note":"","reach":"R.","canFetch":true}`},
		{"the same version", `{"version":"` + version + `"}`, reads("A"), 200, `{"name":"f","version":"` + version + `","text":"","note":"","reach":"R.","canFetch":true}`},
		{"a file that cannot be read", "{}", func() ([]byte, error) { return nil, errors.New("open f: gone") }, 500, "Open f: gone."},
		{"lines", "{}", reads("a\rb\r\nc\n"), 200, `"text":"a\nb\nc\n","note":""`},
		{"a large file", "{}", reads(large), 200, strings.ReplaceAll(large, "\n", `\n`) + `","note":""`},
		{"not UTF-8", "{}", reads("a\xff"), 200, `"text":"a` + "\ufffd" + `","note":"The file has bytes that are not UTF-8. They are shown as ` + "\ufffd" + ` here, so do not replace the file with this text."`},
		{"UTF-16", "{}", reads("\xfe\xff\x00a"), 200, `"text":"a","note":"The file is in UTF-16, which many crawlers cannot read. It is converted here; save it as UTF-8."`},
		{"nonsense", "[", reads("A"), 400, "The server does not understand the request."},
	} {
		resp := request(Options{ReadFile: test.read, FileName: "f", Reach: "R.", AllowFetch: true}, "POST", "/api/start", test.request, nil)
		if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != test.status || !strings.Contains(string(body), test.want) {
			t.Errorf("%s: %s, %.300s, %v; want %d, %.300s", test.name, resp.Status, body, err, test.status, test.want)
		}
	}
}

// TestServeHost tests that hosts are compared in the form that browsers send.
func TestServeHost(t *testing.T) {
	for given, sent := range map[string]string{"LocalHost:80": "localhost", "[::1]:80": "[::1]", "localhost:8080": "localhost:8080"} {
		r := httptest.NewRequest("GET", "http://"+sent+"/", nil)
		w := httptest.NewRecorder()
		Handler(Options{Host: given}).ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("with the Host %q, a request for %q is refused", given, sent)
		}
	}
}

// TestServeSays tests the messages of the server about requests that it refuses.
func TestServeSays(t *testing.T) {
	for want, edit := range map[string]func(*http.Request){
		"this page is available only at http://localhost:8080/":         func(r *http.Request) { r.Host = "127.0.0.1" },
		"only the page at http://localhost:8080/ may send this request": func(r *http.Request) { r.Header.Set("Origin", "null") },
		"the Content-Type of a request must be application/json":        func(r *http.Request) { r.Header.Del("Content-Type") },
		"The request is too long.":                                      func(r *http.Request) { r.Body = io.NopCloser(io.LimitReader(spaces{}, maxRequest+1)) },
		`{"error":"there is no operation \"nonsense\""}`:                nil,
	} {
		resp := request(Options{}, "POST", "/api/answer", `{"op":"nonsense"}`, edit)
		if body, err := io.ReadAll(resp.Body); err != nil || strings.TrimSpace(string(body)) != want {
			t.Errorf("got %q, %v; want %q", body, err, want)
		}
	}
	resp := request(Options{}, "POST", "/api/answer", "{}"+strings.Repeat(" ", maxRequest-2), nil)
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "application/json" {
		t.Errorf("a request of the largest size: %s, %s", resp.Status, got)
	}
}

// TestServeRefuses tests that the server refuses requests by other names of this machine, and
// from other sites in the same browser.
func TestServeRefuses(t *testing.T) {
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	for _, test := range []struct {
		name, method, path string
		edit               func(*http.Request)
		want               int
	}{
		{"another name for this machine", "GET", "/", func(r *http.Request) { r.Host = "rebind.example:8080" }, 403},
		{"its address", "GET", "/", func(r *http.Request) { r.Host = "127.0.0.1:8080" }, 403},
		{"another port", "GET", "/", func(r *http.Request) { r.Host = "localhost" }, 403},
		{"a rebound name that agrees with its origin", "POST", "/api/answer", func(r *http.Request) {
			r.Host = "rebind.example:8080"
			r.Header.Set("Origin", "http://rebind.example:8080")
		}, 403},
		{"another site", "POST", "/api/fetch", set("Origin", "https://evil.example"), 403},
		{"the same host with https", "POST", "/api/answer", set("Origin", "https://"+host), 403},
		{"a sandboxed frame", "POST", "/api/answer", set("Origin", "null"), 403},
		{"no origin", "POST", "/api/start", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"a form", "POST", "/api/answer", set("Content-Type", "text/plain"), 403},
		{"a form with another method", "PUT", "/api/answer", set("Content-Type", "text/plain"), 403},
		{"a question in a link", "GET", "/api/answer", nil, 404},
		{"a body without end", "POST", "/api/answer", func(r *http.Request) {
			r.Body = io.NopCloser(io.LimitReader(spaces{}, maxRequest+1))
		}, 413},
	} {
		resp := request(Options{ReadFile: reads("secret"), AllowFetch: true}, test.method, test.path, `{"op":"crawlers"}`, test.edit)
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != test.want || strings.Contains(string(body), "secret") {
			t.Errorf("%s: got %s, %q", test.name, resp.Status, body)
		}
		if resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: Access-Control-Allow-Origin lets other sites read the answer", test.name)
		}
	}
}

// spaces is a Reader of endless spaces.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
