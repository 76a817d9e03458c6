package robotshttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// TestMistakes contains the lines of code in docs/doing-it-yourself.md. It compares the
// result of each with the result of the mistake, for an input for which they differ.
func TestMistakes(t *testing.T) {
	const agent = "FooBot/1.0"
	check := func(mistake string, wrong, right bool) {
		t.Helper()
		if !wrong || right {
			t.Errorf("%s: the mistake returns %v, want true; the right way returns %v, want false", mistake, wrong, right)
		}
	}

	file := robotstxt.Parse([]byte("User-agent: *\nDisallow: /*?print\nDisallow: /a%2Fb\n"))
	for _, text := range []string{"https://example.com/page?print&a=1", "https://example.com/a%2Fb"} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		check("path alone", file.Allowed(agent, u.Path), file.Allowed(agent, u.String()))
	}
	req := httptest.NewRequest("GET", "https://example.com/page?print&a=1", nil)
	check("new query", file.Allowed(agent, req.URL.Path+"?"+req.URL.Query().Encode()),
		file.Allowed(agent, req.URL.String()))

	file = robotstxt.Unreachable()
	check("failure as permission", robotstxt.Parse(nil).Allowed(agent, "/"), file.Allowed(agent, "/"))

	for status, want := range map[int]bool{200: false, 403: true, 404: true, 429: false, 503: false} {
		resp, body := &http.Response{StatusCode: status}, []byte("User-agent: *\nDisallow: /\n")
		file = robotstxt.FromStatus(resp.StatusCode, body)
		if got := file.Allowed(agent, "/"); got != want {
			t.Errorf("status %d: allowed %v, want %v", status, got, want)
		}
	}

	const limit = 64 << 10 // where it cuts the rule after "/p"
	start := "User-agent: *\n#"
	long := start + strings.Repeat("x", limit-len(start)-len("\nDisallow: /p")) + "\nDisallow: /private/\n"
	half, err := io.ReadAll(io.LimitReader(strings.NewReader(long), limit))
	if err != nil {
		t.Fatal(err)
	}
	resp := &http.Response{Body: io.NopCloser(strings.NewReader(long))}
	body, err := robotstxt.ReadBody(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	check("rule cut in half", !robotstxt.Parse(half).Allowed(agent, "/press"), !robotstxt.Parse(body).Allowed(agent, "/press"))

	u := &url.URL{Scheme: "http", Host: "EXAMPLE.com:80", Path: "/x"}
	key, err := robotstxt.Location(u.String())
	if err != nil || key != "http://example.com/robots.txt" {
		t.Errorf("the location of %v is %q, error %v", u, key, err)
	}

	file = robotstxt.Parse([]byte("User-agent: Foo\nAllow: /\nUser-agent: *\nDisallow: /\n"))
	decision := file.Decide("FooBot/1.0 (+https://example.com/bot)", u.String())
	check("part of the name", strings.Contains(agent, "Foo"), decision.Allowed)

	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
		case "/":
			http.Redirect(w, r, "/private/", http.StatusFound)
		default:
			t.Errorf("the disallowed URL %s was requested", r.URL)
		}
	}))
	defer site.Close()
	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", nil)}
	if resp, err := client.Get(site.URL); err == nil {
		resp.Body.Close()
		t.Error("no error for a redirect to a disallowed page")
	}
}
