package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

const file = "User-agent: *\nDisallow: /private/\n"

// A web answers with a redirect for each URL that is a key, and with the file for others.
type web map[string]string

func (w web) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: 200, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(file)), Request: req}
	if location, ok := w[req.URL.String()]; ok {
		resp.StatusCode = 302
		resp.Header.Set("Location", location)
	}
	return resp, nil
}

// Each request of a fetch is checked. The host of its URL is in the form that is dialed, and it has no
// user name. A redirect that cannot be followed is the response.
func TestFollow(t *testing.T) {
	const start = "https://a.example/robots.txt"
	for _, test := range []struct {
		name    string
		web     web
		url     string
		targets []string // of the requests
		status  int
	}{
		{"none", nil, start, []string{start}, 200},
		{"another spelling", nil, "https://user:secret@A.Example.:443/robots.txt", []string{start}, 200},
		{"another host", web{start: "http://B.Example.:80/x#y"}, start, []string{start, "http://b.example/x"}, 200},
		{"relative, with an odd query", web{start: "x?a b\xe9"}, start, []string{start, "https://a.example/x?a%20b%E9"}, 200},
		{"user name", web{start: "https://user:secret@b.example/"}, start, []string{start, "https://b.example/"}, 200},
		{"five", web{start: "/1", "https://a.example/1": "/2", "https://a.example/2": "/3", "https://a.example/3": "/4", "https://a.example/4": "/5"}, start,
			[]string{start, "https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4", "https://a.example/5"}, 200},
		{"six", web{start: "/1", "https://a.example/1": "/1"}, start,
			[]string{start, "https://a.example/1", "https://a.example/1", "https://a.example/1", "https://a.example/1", "https://a.example/1"}, 302},
		{"another scheme", web{start: "ftp://a.example/"}, start, []string{start}, 302},
		{"the first scheme", web{"ftp://a.example/": "ftp://b.example/"}, "ftp://a.example/", []string{"ftp://a.example/", "ftp://b.example/"}, 200},
		{"no host", web{start: "https:///x"}, start, []string{start}, 302},
		{"no URL", web{start: "http://[b/"}, start, []string{start}, 302},
	} {
		var targets []string
		f := fetcher(test.web)
		f.CheckTarget = func(_ context.Context, target *url.URL) error {
			targets = append(targets, target.String())
			return nil
		}
		r := f.Fetch(t.Context(), test.url, nil)
		if r.Err != nil || r.Response.Status != test.status || r.Response.From != targets[len(targets)-1] {
			t.Errorf("%s: response %+v, error %v, want status %d from the last target", test.name, r.Response, r.Err, test.status)
		}
		if diff := cmp.Diff(test.targets, targets); diff != "" {
			t.Errorf("%s: the targets differ (-want +got):\n%s", test.name, diff)
		}
	}
}

// An error of CheckTarget says nothing about the site, and stops the fetch before the request is sent.
func TestLocalError(t *testing.T) {
	errBlocked := errors.New("blocked")
	f := fetcher(nil)
	f.CheckTarget = func(context.Context, *url.URL) error { return errBlocked }
	r := f.Fetch(t.Context(), "https://user:secret@a.example/robots.txt", nil)
	if _, ok := errors.AsType[fetch.LocalError](r.Err); !ok || !errors.Is(r.Err, errBlocked) || strings.Contains(r.Err.Error(), "secret") {
		t.Errorf("error %v, want a LocalError", r.Err)
	}
}

func fetcher(w web) *fetch.Fetcher {
	return &fetch.Fetcher{
		Client:  fetch.WithoutRedirects(&http.Client{Transport: w}),
		Timeout: time.Minute,
		Logger:  func() *slog.Logger { return slog.New(slog.DiscardHandler) },
	}
}

func TestReadBody(t *testing.T) {
	once := zip(file)
	twice := zip(once)
	for _, test := range []struct {
		name, encoding, body string
		want                 string // empty for an error
	}{
		{"plain", "", file, file},
		{"identity", "Identity", file, file},
		{"not valid, but clear", "utf-8", file, file},
		{"gzip", "gzip", once, file},
		{"gzip without a header", "", once, file},
		{"gzip with another header", "br", once, file},
		{"gzip twice", "gzip, gzip", twice, file},
		{"gzip three times", "gzip", zip(twice), ""},
		{"not gzip", "gzip", file, ""},
		{"cut short", "gzip", once[:len(once)-1], ""},
		{"unknown", "br", file, ""},
		{"empty", "gzip", "", ""},
	} {
		resp := &http.Response{Header: http.Header{"Content-Encoding": {test.encoding}}, Body: io.NopCloser(strings.NewReader(test.body))}
		body, err := fetch.ReadBody(resp)
		isWrong := test.want == "" && test.body != ""
		if string(body) != test.want || (err != nil) != isWrong {
			t.Errorf("%s: body %q, error %v, want body %q", test.name, body, err, test.want)
		}
	}
}

// An error of the body is not lost, wherever it comes, and even if the next read succeeds. Otherwise a part
// of a file would count as the whole.
func TestBodyError(t *testing.T) {
	for _, text := range []string{file, zip(file)} {
		for n := range len(text) {
			body := io.MultiReader(strings.NewReader(text[:n]), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(text[n:]+" "))))
			resp := &http.Response{Header: make(http.Header), Body: io.NopCloser(body)}
			if got, err := fetch.ReadBody(resp); !errors.Is(err, iotest.ErrTimeout) {
				t.Errorf("an error after %d bytes: body %q, error %v", n+1, got, err)
			}
		}
	}
}

// zip compresses a text as a gzip file.
func zip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}
