package survey

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

func TestReader(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	response := func(host, header, body string) []byte {
		return warctest.Gzip(warctest.Response("https://"+host+"/robots.txt", noon, 200, header, []byte(body)))
	}
	dns := warctest.Record("response", "WARC-Target-URI: dns:a.example\r\nContent-Type: text/dns\r\n", []byte("1"))
	noStatus := warctest.Record("response", "Content-Type: application/http\r\n", []byte("GET /"))
	files := [][]byte{
		warctest.Gzip(warctest.Record("warcinfo", "", nil)),
		warctest.Gzip(warctest.Record("request", "", nil)),
		response("a.example", "", "Allow: /a"),
		warctest.Gzip(warctest.Record("revisit", "", nil)),
		warctest.Gzip(warctest.Record("madeup", "", nil)),
		warctest.Gzip(dns),
		warctest.Gzip(noStatus),
		response("b.example", "Content-Encoding: br\r\n", "\x80"),
		[]byte("junk"),
		response("c.example", "", "Allow: /c"),
	}
	skipped := map[string]int{}
	r := NewReader(bytes.NewReader(bytes.Join(files, nil)), func(kind string) { skipped[kind]++ })
	var got []Capture
	var faults []string
	for {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		if fault, ok := errors.AsType[*Fault](err); ok {
			faults = append(faults, fault.Kind)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Body = bytes.Clone(c.Body)
		got = append(got, c)
	}
	want := []Capture{
		{URL: "https://a.example/robots.txt", Status: 200, Body: []byte("Allow: /a"), Fetched: noon},
		{URL: "https://b.example/robots.txt", Status: 200, Fetched: noon, Truncated: true},
		{URL: "https://c.example/robots.txt", Status: 200, Body: []byte("Allow: /c"), Fetched: noon},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("captures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bad HTTP response", "bad content coding", "stray bytes"}, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if want := map[string]int{"warcinfo": 1, "request": 1, "revisit": 1, "other": 1, "response": 1}; !maps.Equal(want, skipped) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
}
