package robotshttp_test

import (
	"bufio"
	"log/slog"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// FuzzStored puts arbitrary values with a valid checksum into a Store. A Cache must not panic,
// must ask the server again within 27 hours, and must use the file that the server returns.
func FuzzStored(f *testing.F) {
	for _, seed := range []string{
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Header":{"Etag":["\"1\""],"Cache-Control":["max-age=60"]},"From":"https://example.com/robots.txt","Time":"2000-01-01T00:00:00Z"}}`,
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":404,"Time":"1999-12-31T23:00:00Z"},"Failure":{"Since":"1999-12-31T23:00:00Z","Last":"1999-12-31T23:59:00Z","Retry":"2000-01-01T00:00:00Z","Fresh":"2000-01-01T01:00:00Z","Count":3}}`,
		`{"URL":"https://example.com/robots.txt","Failure":{"Since":"1999-12-31T23:00:00Z","Last":"1999-12-31T23:59:00Z","Retry":null,"Count":-1}}`,
		`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Header":{"Etag":["\u0000\n"]},"From":"https://example.com/robots.txt","Time":"1970-01-01T00:00:00Z"}}`,
		`{"URL":"https://other.example/robots.txt"}`, `null`, `[]`, "\xff",
	} {
		f.Add(seed, "")
		f.Add(seed, "\x01\x00\x00\xff\xff") // an empty file, compressed
	}
	f.Fuzz(func(t *testing.T, meta, body string) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{answer: down}
			c := withStore(s, &faultyStore{value: stored(meta, body)})
			c.Logger = slog.New(slog.DiscardHandler)
			for range 4 {
				r := get(t, c, page)
				if d := time.Until(r.Expires); d > 27*time.Hour || d < 0 {
					t.Fatalf("%v expires in %v, want at most 27 hours", r, d)
				}
				time.Sleep(13 * time.Hour)
			}
			s.answer = responds(200, file)
			time.Sleep(28 * time.Hour)
			wantOutcome(t, c, robotshttp.Fetched, false)
		})
	})
}

// FuzzHeader answers requests with any status and header. Get must always return a Result
// that expires within the bounds, follow at most five redirects, and write to the Store what
// another Cache reads back.
func FuzzHeader(f *testing.F) {
	for _, seed := range []struct {
		status int
		header string
	}{
		{200, ""},
		{200, "Cache-Control: public, max-age=3600\r\nAge: 60\r\nEtag: \"1\""},
		{200, "Cache-Control: no-cache=\"a,b\", max-age=99999999999999999999"},
		{200, "Expires: Sat, 01 Jan 2000 02:00:00 GMT\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT"},
		{200, "Expires: Fri, 31 Dec 9999 23:59:59 GMT\r\nDate: Mon, 01 Jan 0001 00:00:00 GMT"},
		{200, "Last-Modified: Fri, 31 Dec 1999 00:00:00 GMT\r\nAge: -1"},
		{200, "Content-Encoding: gzip"},
		{200, "Etag: \"\xff\""},
		{301, "Location: /robots.txt"},
		{302, "Location: https://%zz/"},
		{307, "Location: //other.example:99999/"},
		{308, "Location: ?x#y"},
		{308, "Location: ?\xcc y"},
		{304, "Etag: \"2\""},
		{404, "Retry-After: 60"},
		{429, "Retry-After: 120"},
		{503, "Retry-After: Sat, 01 Jan 2000 02:00:00 GMT"},
		{503, "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nDate: Mon, 01 Jan 0001 00:00:00 GMT"},
		{-1, ""},
	} {
		f.Add(seed.status, seed.header)
	}
	f.Fuzz(func(t *testing.T, status int, header string) {
		synctest.Test(t, func(t *testing.T) { checkHeader(t, status, header) })
	})
}

func checkHeader(t *testing.T, status int, header string) {
	h, _ := textproto.NewReader(bufio.NewReader(strings.NewReader(header + "\r\n\r\n"))).ReadMIMEHeader()
	s := &server{answer: func(req *http.Request) (*http.Response, error) {
		resp, err := responds(status, file)(req)
		resp.Header = http.Header(h).Clone()
		return resp, err
	}}
	store := &faultyStore{}
	c := withStore(s, store)
	for range 3 {
		before := s.requests.Load()
		r := get(t, c, page)
		if n := s.requests.Load() - before; n < 1 || n > 6 {
			t.Fatalf("%d requests, want 1 to 6", n)
		}
		checkResult(t, r)
		other := withStore(s, store)
		stored := get(t, other, page)
		if stored.File.Allowed("FooBot", page) != r.File.Allowed("FooBot", page) || stored.Status != r.Status ||
			stored.FinalURL != r.FinalURL || other.Stats().StoreErrors != 0 {
			t.Fatalf("%+v was stored as %+v", r, stored)
		}
		time.Sleep(27 * time.Hour)
	}
}

func checkResult(t *testing.T, r robotshttp.Result) {
	t.Helper()
	least, most := time.Minute, 24*time.Hour
	if r.Err == nil {
		least = 5 * time.Minute * 9 / 10
	} else {
		most += most / 10
	}
	if d := time.Until(r.Expires); d < least || d > most {
		t.Errorf("%+v expires in %v, want between %v and %v", r, d, least, most)
	}
	if (r.Outcome == robotshttp.Unreachable) != (r.Err != nil) {
		t.Errorf("outcome %q with error %v: %+v", r.Outcome, r.Err, r)
	}
}
