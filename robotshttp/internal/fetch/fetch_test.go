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

// A response "304 Not Modified" is an answer only if it confirms the file that was asked about (RFC 9111,
// section 4.3.4). If not, the file is requested once more, without the condition.
func TestNotModified(t *testing.T) {
	const url = "https://a.example/robots.txt"
	old := &fetch.Response{Status: 200, From: url, Header: http.Header{"Etag": {`"1"`}, "Last-Modified": {"Sat, 01 Jan 2000 00:00:00 GMT"}}}
	for _, test := range []struct {
		name        string
		old         *fetch.Response
		etag        string // of the 304
		alwaysSo    bool   // also without a condition
		status      int    // of the result
		notModified bool
		requests    int
	}{
		{"the same", old, `"1"`, false, 200, true, 1},
		{"none", old, "", false, 200, true, 1},
		{"weak, but the same", old, `W/"1"`, false, 200, true, 1},
		{"another", old, `"2"`, false, 200, false, 2},
		{"another, weak", old, `W/"2"`, false, 200, false, 2},
		{"another, and again", old, `"2"`, true, 304, false, 2},
		{"nobody asked", nil, `"1"`, true, 304, false, 1},
		{"nobody asked this URL", &fetch.Response{Status: 200, From: url + "?", Header: old.Header}, `"1"`, true, 304, false, 1},
		{"without validators", &fetch.Response{Status: 200, From: url}, "", true, 304, false, 1},
	} {
		requests := 0
		client := &http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
			requests++
			resp := &http.Response{StatusCode: 200, Header: http.Header{"Etag": {`"2"`}}, Body: io.NopCloser(strings.NewReader(file)), Request: req}
			if test.alwaysSo || req.Header.Get("If-None-Match") != "" {
				resp.StatusCode = 304
				resp.Header = http.Header{"Etag": {test.etag}, "Cache-Control": {"max-age=60"}}
			}
			return resp, nil
		})}
		f := &fetch.Fetcher{Client: fetch.WithoutRedirects(client), Timeout: time.Minute}
		r := f.Fetch(t.Context(), url, test.old)
		if r.Err != nil || r.Response.Status != test.status || r.NotModified != test.notModified || requests != test.requests {
			t.Errorf("%s: %+v after %d requests, want status %d after %d", test.name, r, requests, test.status, test.requests)
		}
		if isFile := test.status == 200 && !test.notModified; isFile != (string(r.Body) == file) {
			t.Errorf("%s: body %q", test.name, r.Body)
		}
		if r.NotModified && (r.Response.Header.Get("Last-Modified") == "" || r.Response.Header.Get("Cache-Control") != "max-age=60") {
			t.Errorf("%s: header %v, want that of the 304, and what it lacks from the old one", test.name, r.Response.Header)
		}
		if test.requests == 2 && r.Response.Header.Get("Etag") != "" {
			t.Errorf("%s: header %v, want no validators that the server does not understand", test.name, r.Response.Header)
		}
	}
}

// Headers that can still be used are kept, except those above 1 KB, whatever comes before them.
func TestKeptHeaders(t *testing.T) {
	long := strings.Repeat("x", 1025)
	for _, test := range []struct {
		name   string
		status int
		header http.Header
		want   http.Header
	}{
		{"a file", 200, http.Header{"Age": {"1"}, "Etag": {"a"}, "Last-Modified": {"b"}, "Server": {"c"}, "Retry-After": {"d"}, "Date": {"e"}},
			http.Header{"Age": {"1"}, "Etag": {"a"}, "Last-Modified": {"b"}, "Date": {"e"}}},
		{"without Expires", 200, http.Header{"Date": {"e"}, "Cache-Control": {"max-age=1", "public"}}, http.Header{"Cache-Control": {"max-age=1", "public"}}},
		{"with Expires", 200, http.Header{"Date": {"e"}, "Expires": {"0"}}, http.Header{"Date": {"e"}, "Expires": {"0"}}},
		{"no file", 404, http.Header{"Etag": {"a"}, "Expires": {"0"}}, http.Header{"Expires": {"0"}}},
		{"a failure", 503, http.Header{"Etag": {"a"}, "Retry-After": {"9"}, "Date": {"e"}}, http.Header{"Retry-After": {"9"}, "Date": {"e"}}},
		{"long", 200, http.Header{"Age": {long}, "Cache-Control": {long[:600], long[:600]}, "Etag": {"a"}}, http.Header{"Etag": {"a"}}},
		{"just short enough", 200, http.Header{"Etag": {long[:1024]}}, http.Header{"Etag": {long[:1024]}}},
	} {
		f := &fetch.Fetcher{Timeout: time.Minute, Client: fetch.WithoutRedirects(&http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: test.status, Header: test.header, Body: http.NoBody, Request: req}, nil
		})})}
		r := f.Fetch(t.Context(), "https://a.example/robots.txt", nil)
		if diff := cmp.Diff(test.want, r.Response.Header); diff != "" {
			t.Errorf("%s: the headers differ (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.header, r.Header); diff != "" {
			t.Errorf("%s: not all headers are returned (-want +got):\n%s", test.name, diff)
		}
	}
}

// OverrideStatus is called once with the last response, and its status counts as that of the response. After
// an error, only a status that means "no file" counts.
func TestOverrideStatus(t *testing.T) {
	errDown := errors.New("down")
	for _, test := range []struct {
		name     string
		status   int // of the response; 0 for an error
		override int
		want     int // 0 for an error
		body     string
	}{
		{"nothing", 200, 0, 200, file},
		{"no file", 200, 404, 404, ""},
		{"a failure", 200, 503, 503, ""},
		{"a file after all", 403, 200, 200, file},
		{"an error", 0, 0, 0, ""},
		{"an error means no file", 0, 404, 404, ""},
		{"an error is no file", 0, 200, 0, ""},
	} {
		calls := 0
		f := &fetch.Fetcher{
			Timeout: time.Minute,
			Client: fetch.WithoutRedirects(&http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				if test.status == 0 {
					return nil, errDown
				}
				return &http.Response{StatusCode: test.status, Body: io.NopCloser(strings.NewReader(file)), Request: req}, nil
			})}),
			OverrideStatus: func(url string, resp *http.Response, err error) int {
				calls++
				if (resp == nil) != (test.status == 0) || (err == nil) != (test.status != 0) || strings.Contains(url, "secret") {
					t.Errorf("%s: called with %s, response %v, error %v", test.name, url, resp, err)
				}
				return test.override
			},
		}
		r := f.Fetch(t.Context(), "https://user:secret@a.example/robots.txt", nil)
		if test.want == 0 {
			if !errors.Is(r.Err, errDown) {
				t.Errorf("%s: %+v, want the error", test.name, r)
			}
		} else if r.Err != nil || r.Response.Status != test.want || string(r.Body) != test.body {
			t.Errorf("%s: %+v, want status %d and body %q", test.name, r, test.want, test.body)
		}
		if calls != 1 {
			t.Errorf("%s: called %d times", test.name, calls)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
