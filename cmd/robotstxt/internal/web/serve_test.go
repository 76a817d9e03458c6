package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const host = "localhost:8080"

// request sends a request to the handler as a browser would for the page itself; edit
// changes it first.
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
		"/page.css": "text/css",
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
		t.Error("serves files that are not of the page")
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
	start := request(Options{File: []byte("User-agent: A")}, "POST", "/api/start", "{}", nil)
	if body, _ := io.ReadAll(start.Body); strings.TrimSpace(string(body)) != `{"text":"User-agent: A\n"}` {
		t.Errorf("start: got %s", body)
	}
}

// TestServeHost tests that the host is compared as browsers write it.
func TestServeHost(t *testing.T) {
	for given, sent := range map[string]string{"LocalHost:80": "localhost", "[::1]:80": "[::1]", "localhost:8080": "localhost:8080"} {
		r := httptest.NewRequest("GET", "http://"+sent+"/", nil)
		w := httptest.NewRecorder()
		Handler(Options{Host: given}).ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %s is refused", given, sent)
		}
	}
}

// TestServeSays tests what the server says when it refuses a request.
func TestServeSays(t *testing.T) {
	for want, edit := range map[string]func(*http.Request){
		"this page is at http://localhost:8080/ only":     func(r *http.Request) { r.Host = "127.0.0.1" },
		"only the page at http://localhost:8080/ may ask": func(r *http.Request) { r.Header.Set("Origin", "null") },
		"a request must be JSON":                          func(r *http.Request) { r.Header.Del("Content-Type") },
		"The request is too long.":                        func(r *http.Request) { r.Body = io.NopCloser(io.LimitReader(spaces{}, maxRequest+1)) },
		`{"error":"there is no operation \"nonsense\""}`:  nil,
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

// TestServeRefuses tests that only the page reaches the server: no other name for this
// machine, and no other site in the same browser.
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
		resp := request(Options{File: []byte("secret")}, test.method, test.path, `{"op":"crawlers"}`, test.edit)
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != test.want || strings.Contains(string(body), "secret") {
			t.Errorf("%s: got %s, %q", test.name, resp.Status, body)
		}
		if resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: lets other origins read", test.name)
		}
	}
}

// spaces is a Reader of spaces.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
