package survey

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

func TestReader(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	response := func(host, header, body string) []byte {
		return warctest.Gzip(warctest.Response("https://"+host+"/robots.txt", noon, 200, header, []byte(body)))
	}
	dns := warctest.Record("response", "WARC-Target-URI: dns:a.example\r\nContent-Type: text/dns\r\n", []byte("1"))
	noStatus := warctest.Record("response", "WARC-Target-URI: http://a.example/robots.txt\r\nContent-Type: application/http\r\n", []byte("GET /"))
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
	r := NewReader(bytes.NewReader(bytes.Join(files, nil)), "x.warc")
	var got []Capture
	var faults []warc.Kind
	for {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		if fault, ok := errors.AsType[*warc.Fault](err); ok {
			faults = append(faults, fault.Kind)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Body = bytes.Clone(c.Body)
		got = append(got, c)
	}
	at := func(n int) (offset int64) {
		for _, file := range files[:n] {
			offset += int64(len(file))
		}
		return offset
	}
	want := []Capture{
		{URL: "https://a.example/robots.txt", Status: 200, Body: []byte("Allow: /a"), Fetched: noon, Archive: "x.warc", Offset: at(2)},
		{URL: "https://b.example/robots.txt", Status: 200, Fetched: noon, Undecoded: true, Archive: "x.warc", Offset: at(7)},
		{URL: "https://c.example/robots.txt", Status: 200, Body: []byte("Allow: /c"), Fetched: noon, Archive: "x.warc", Offset: at(9)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("captures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]warc.Kind{"bad HTTP response", "bad content coding", "stray bytes"}, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if want := map[string]int{"warcinfo": 1, "request": 1, "revisit": 1, "other": 1, "response": 1}; !maps.Equal(want, r.Summary.Skipped) {
		t.Errorf("skipped %v, want %v", r.Summary.Skipped, want)
	}
	if want := map[string]int{"bad HTTP response": 1, "bad content coding": 1, "stray bytes": 1}; !maps.Equal(want, r.Summary.Damaged) {
		t.Errorf("damaged %v, want %v", r.Summary.Damaged, want)
	}
}

// readAll returns all captures of an archive, and the texts of the faults.
func readAll(t *testing.T, r *Reader) (captures []Capture, faults []string) {
	t.Helper()
	for {
		c, err := r.Next()
		fault, isFault := errors.AsType[*warc.Fault](err)
		switch {
		case err == io.EOF:
			return captures, faults
		case isFault:
			faults = append(faults, fault.Error())
		case err != nil:
			t.Fatal(err)
		default:
			c.Body = bytes.Clone(c.Body)
			captures = append(captures, c)
		}
	}
}

// TestOtherWriters reads archives that other programs wrote: warcio.js 2.4, Wget 1.21, and
// warcio.js with zstd 1.5. Each host serves the same robots.txt, encoded as the name of the
// host says.
func TestOtherWriters(t *testing.T) {
	files, err := filepath.Glob("testdata/archives/*")
	if err != nil || len(files) != 7 {
		t.Fatal(files, err)
	}
	robots := []byte("User-agent: GPTBot\nDisallow: /\n")
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r := NewReader(file, name)
		captures, faults := readAll(t, r)
		if len(faults) > 0 {
			t.Errorf("%s: faults %q, want none", name, faults)
		}
		want := 6
		switch base := filepath.Base(name); {
		case strings.HasPrefix(base, "wget-short"), strings.HasPrefix(base, "wget-tegz"):
			want = 1
		case strings.HasPrefix(base, "wget"):
			want = 7
		}
		if len(captures) != want {
			t.Errorf("%s: %d captures, want %d", name, len(captures), want)
		}
		for _, c := range captures {
			isShort := strings.Contains(c.URL, "short")
			if !bytes.Equal(c.Body, robots) || c.Status != 200 || c.Undecoded || c.Truncated != isShort {
				t.Errorf("%s: %s: status %d, truncated %t, undecoded %t, body %q", name, c.URL, c.Status, c.Truncated, c.Undecoded, c.Body)
			}
		}
	}
}

// Damage in the header of a record is reported. The record is neither skipped nor returned as
// a capture without a URL.
func TestDamagedHeaders(t *testing.T) {
	whole := warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 200, "", []byte("Allow: /"))
	for _, c := range []struct {
		old, new string
		captures int
		faults   []string
	}{
		{"", "", 2, nil},
		{"WARC-Type: response", "WARC-T\x00\x00\x00: response", 1, []string{"bad record header at offset 0"}},
		{"WARC-Target-URI: https", "WARC-Tbrget-URI: https", 1, []string{"bad record header at offset 0"}},
		{"application/http", "applicat\xffon/http", 1, []string{"bad record header at offset 0"}},
		{"URI: https://a.example/robots.txt", "URI: dns:a.example", 2, nil},
		{"application/http; msgtype=response", "APPLICATION/HTTP", 2, nil},
	} {
		file := append(bytes.Replace(whole, []byte(c.old), []byte(c.new), 1), whole...)
		r := NewReader(bytes.NewReader(file), "x.warc")
		captures, faults := readAll(t, r)
		if len(captures) != c.captures || !slices.Equal(faults, c.faults) || len(r.Summary.Skipped) > 0 {
			t.Errorf("%q: %d captures, want %d; faults %q, want %q; skipped %v, want none", c.new, len(captures), c.captures, faults, c.faults, r.Summary.Skipped)
		}
	}
}

// Capture.Redirect is the complete URL of the redirect's target.
func TestRedirect(t *testing.T) {
	for _, c := range []struct {
		status                int
		header, url, redirect string
	}{
		{301, "Location: https://www.a.example/robots.txt\r\n", "https://a.example/robots.txt", "https://www.a.example/robots.txt"},
		{302, "Location: /x/../y\r\n", "https://a.example/robots.txt", "https://a.example/y"},
		{301, "Location: //b.example/robots.txt\r\n", "http://a.example/robots.txt", "http://b.example/robots.txt"},
		{301, "", "https://a.example/robots.txt", ""},
		{301, "Location: https://[::1/\r\n", "https://a.example/robots.txt", ""},
		{200, "Location: /y\r\n", "https://a.example/robots.txt", ""},
	} {
		file := warctest.Response(c.url, time.Unix(1e9, 0), c.status, c.header, nil)
		captures, _ := readAll(t, NewReader(bytes.NewReader(file), "x.warc"))
		if len(captures) != 1 || captures[0].Redirect != c.redirect {
			t.Errorf("%+v: captures %+v, want one with this redirect", c, captures)
		}
	}
}

// A revisit has the body of an earlier capture in the archive: of the one with the same digest, or of the one at the
// URL and date to which it refers (ISO 28500:2017, section 6.7).
func TestRevisits(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	const body, header = "User-agent: *\nDisallow: /\n", "HTTP/1.1 200 OK\r\nContent-Length: 26\r\nContent-Encoding: gzip\r\n\r\n"
	revisit := func(url, profile, fields, block string) []byte {
		return warctest.Record("revisit", "WARC-Target-URI: "+url+"\r\nWARC-Date: 2026-11-02T00:00:00Z\r\n"+
			"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/"+profile+"\r\nContent-Type: application/http\r\n"+fields, []byte(block))
	}
	const identical = "identical-payload-digest"
	digest := fmt.Sprintf("WARC-Payload-Digest: sha1:%x\r\n", sha1.Sum([]byte(body)))
	refersTo := func(host string) string {
		return "WARC-Refers-To-Target-URI: <https://" + host + "/robots.txt>\r\nWARC-Refers-To-Date: 2026-11-01T12:00:00Z\r\n"
	}
	original := warctest.Response("https://a.example/robots.txt", noon, 200, "", []byte(body))
	withDigest := bytes.Replace(original, []byte("Content-Length"), []byte(digest+"Content-Length"), 1)
	for _, c := range []struct {
		about    string
		original []byte
		revisit  []byte
		want     Capture
	}{
		{"by digest", withDigest, revisit("https://b.example/robots.txt", identical, digest, header), Capture{Status: 200, Body: []byte(body)}},
		{"by digest, without a header", withDigest, revisit("https://b.example/robots.txt", identical, digest, ""), Capture{Status: 200, Body: []byte(body)}},
		{"truncated because it is a revisit, as Wget writes", withDigest, revisit("https://b.example/robots.txt", identical, digest+"WARC-Truncated: length\r\n", header), Capture{Status: 200, Body: []byte(body)}},
		{"by URL and date", original, revisit("https://b.example/robots.txt", identical, refersTo("a.example"), header), Capture{Status: 200, Body: []byte(body)}},
		{"of a truncated capture", bytes.Replace(withDigest, []byte("WARC-Payload"), []byte("WARC-Truncated: time\r\nWARC-Payload"), 1),
			revisit("https://b.example/robots.txt", identical, digest, header), Capture{Status: 200, Body: []byte(body), Truncated: true}},
		{"of another archive", nil, revisit("https://b.example/robots.txt", identical, digest, header), Capture{Status: 200, Elsewhere: true}},
		{"of another date", original, revisit("https://b.example/robots.txt", identical, strings.Replace(refersTo("a.example"), "T12", "T13", 1), header), Capture{Status: 200, Elsewhere: true}},
		{"of an error page, whose body does not matter", nil, revisit("https://b.example/robots.txt", identical, digest, "HTTP/1.1 404 Not Found\r\n\r\n"), Capture{Status: 404}},
		{"of an error page, without a header", bytes.Replace(withDigest, []byte("HTTP/1.1 200"), []byte("HTTP/1.1 404"), 1),
			revisit("https://b.example/robots.txt", identical, digest, ""), Capture{Status: 404, Body: []byte(body)}},
		{"of a redirect", nil, revisit("https://b.example/robots.txt", identical, digest, "HTTP/1.1 301 Moved\r\nLocation: /x#y\r\n\r\n"), Capture{Status: 301, Redirect: "https://b.example/x"}},
		{"not modified", original, revisit("https://b.example/robots.txt", "server-not-modified", refersTo("a.example"), ""), Capture{Status: 304}},
	} {
		captures, faults := readAll(t, NewReader(bytes.NewReader(append(bytes.Clone(c.original), c.revisit...)), "x.warc"))
		if len(faults) > 0 || len(captures) == 0 {
			t.Errorf("%s: %d captures, faults %q", c.about, len(captures), faults)
			continue
		}
		got := captures[len(captures)-1]
		c.want.URL, c.want.Archive, c.want.Offset, c.want.Fetched = "https://b.example/robots.txt", "x.warc", int64(len(c.original)), noon.Add(12*time.Hour)
		if c.want.PayloadDigest = got.PayloadDigest; !cmp.Equal(c.want, got, cmpopts.EquateEmpty()) {
			t.Errorf("%s (-want +got):\n%s", c.about, cmp.Diff(c.want, got, cmpopts.EquateEmpty()))
		}
	}
	unknown := NewReader(bytes.NewReader(revisit("https://b.example/robots.txt", "of-my-own", digest, header)), "x.warc")
	if captures, _ := readAll(t, unknown); len(captures) != 0 || unknown.Summary.Skipped["revisit"] != 1 {
		t.Errorf("a kind of revisit that ISO 28500 does not define: %d captures, skipped %v", len(captures), unknown.Summary.Skipped)
	}
}

// A Reader keeps a limited number of bytes for revisits.
func TestOriginals(t *testing.T) {
	var o originals
	body := make([]byte, 1<<20)
	for i := range 40 {
		o.add(Capture{URL: fmt.Sprint(i), Status: 200, Body: body})
	}
	if len(o.captures) != 16 || o.captures[originalKey("", "0", time.Time{})].Body == nil {
		t.Errorf("%d captures are kept, want the first 16", len(o.captures))
	}
}

// Only robots.txt files, and what they redirect to, are captures; other responses are skipped.
func TestOtherURLs(t *testing.T) {
	var file []byte
	add := func(url string, status int, header string) {
		file = append(file, warctest.Response(url, time.Unix(1e9, 0), status, header, []byte("<html>"))...)
	}
	add("https://a.example/target", 200, "") // before the redirect: a page
	add("https://a.example/robots.txt", 302, "Location: /target?x#y\r\n")
	add("https://a.example/", 200, "")
	add("https://a.example/target?x", 301, "Location: https://c.example\r\n")
	add("https://c.example/", 200, "")
	add("https://a.example/page", 301, "Location: /other\r\n")
	add("https://a.example/other", 200, "Content-Encoding: br\r\n")
	add("https://a.example/ROBOTS.TXT", 200, "")
	add("https://a.example/robots.txt?x", 200, "")
	add("http://a.example:80/robots.txt", 200, "")
	r := NewReader(bytes.NewReader(file), "x.warc")
	captures, faults := readAll(t, r)
	var got []string
	for _, c := range captures {
		got = append(got, c.URL)
	}
	want := []string{"https://a.example/robots.txt", "https://a.example/target?x", "https://c.example/", "http://a.example:80/robots.txt"}
	if diff := cmp.Diff(want, got); diff != "" || len(faults) > 0 || r.Summary.Skipped["other URL"] != 6 {
		t.Errorf("faults %q, skipped %v, captures (-want +got):\n%s", faults, r.Summary.Skipped, diff)
	}
}

// A Reader reads lines of JSON.
func TestLines(t *testing.T) {
	when := time.Date(2026, 11, 1, 12, 30, 0, 0, time.UTC)
	long := strings.Repeat("#", BodyLimit)
	lines := []struct {
		line  string
		want  Capture
		fault string
	}{
		{`{"url":"https://a.example/robots.txt","status":200,"fetched":"2026-11-01T12:30:00Z","body":"Allow: /\u00e4\n"}`,
			Capture{URL: "https://a.example/robots.txt", Status: 200, Fetched: when, Body: []byte("Allow: /ä\n")}, ""},
		{``, Capture{}, ""},
		{`{"body":"","url":"b.example","other":[1]}`, Capture{URL: "https://b.example/robots.txt"}, ""},
		{`{"url":"http://B.example","status":null,"fetched":"2026-11-01 12:30:00","body":"x"}` + "\r", Capture{URL: "http://b.example/robots.txt", Fetched: when, Body: []byte("x")}, ""},
		{`{"url":"http://c.example/","status":404,"fetched":"2026-11-01 13:30:00+01","body":null}`, Capture{URL: "http://c.example/robots.txt", Status: 404, Fetched: when}, ""},
		{`{"url":"c.example","status":301,"fetched":"2026-11-01 12:30:00.5+00:00"}`, Capture{URL: "https://c.example/robots.txt", Status: 301, Fetched: when.Add(time.Second / 2)}, ""},
		{`{"url":"d.txt/x","fetched":"2026-11-01","body":"` + long + `#"}`, Capture{URL: "d.txt/x", Fetched: when.Truncate(24 * time.Hour), Body: []byte(long), Truncated: true}, ""},
		{`{"url":"https://e.example/page","body":"x"}`, Capture{}, ""}, // a page
		{`{"url":"https://e.example/?x","body":"x"}`, Capture{}, ""},
		{`{"url":"https://f.example","status":200,"text":"Allow: /"}`, Capture{}, "line without a body"},
		{`{"url":"https://f.example","body":null}`, Capture{}, "line without a body"},
		{`{"domain":"f.example","body":""}`, Capture{}, "line without a url"},
		{`{"url":"f.example","fetched":"yesterday","body":""}`, Capture{}, "line with an unknown form of time"},
		{`{"url":"f.example","fetched":"9999-12-31T23:59:59-05:00","body":""}`, Capture{}, "line with an unknown form of time"},
		{`{"url":"f.example","status":"200","body":""}`, Capture{}, "line that is not an object with url, status, fetched and body"},
		{`url,body`, Capture{}, "line that is not an object with url, status, fetched and body"},
		{`{"url":"z.example","body":""}`, Capture{URL: "https://z.example/robots.txt"}, ""},
	}
	var file strings.Builder
	var want []Capture
	var wantFaults []string
	for _, l := range lines {
		at := file.Len()
		file.WriteString(l.line + "\n")
		if l.fault != "" {
			wantFaults = append(wantFaults, fmt.Sprintf("%s at offset %d", l.fault, at))
		} else if l.want.URL != "" {
			l.want.Archive, l.want.Offset = "x", int64(at)
			want = append(want, l.want)
		}
	}
	r := NewReader(strings.NewReader(strings.TrimSuffix(file.String(), "\n")), "x")
	r.JSONL = true
	captures, faults := readAll(t, r)
	for i := range captures {
		captures[i].Fetched = captures[i].Fetched.UTC()
	}
	if diff := cmp.Diff(want, captures, cmp.Comparer(bytes.Equal)); diff != "" {
		t.Errorf("captures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantFaults, faults); diff != "" || r.Summary.Skipped["other URL"] != 2 {
		t.Errorf("skipped %v, faults (-want +got):\n%s", r.Summary.Skipped, diff)
	}
	r = NewReader(strings.NewReader(strings.Repeat("x", maxLine+1)), "x")
	r.JSONL = true
	if _, err := r.Next(); err == nil || err.Error() != "a line has more than 8 MiB" {
		t.Errorf("a long line: %v", err)
	}
}

// A Reader refuses tables, and says how to read them.
func TestTables(t *testing.T) {
	for _, c := range []struct{ name, head string }{
		{"a.csv", ""}, {"A.TSV", "url\tbody"}, {"a.json", "[1]"}, {"a.jsonl", ""}, {"x/a.ndjson", ""}, {"-", `{"url":1}`}, {"a.txt", "\ufeff\n {\"a"},
	} {
		_, err := NewReader(strings.NewReader(c.head), c.name).Next()
		if err == nil || !strings.Contains(err.Error(), "read it with --jsonl, after duckdb -c \"COPY") {
			t.Errorf("%s, %q: %v", c.name, c.head, err)
		}
	}
}

// A Reader recognizes archives, text and foreign formats by the name and the first bytes.
func TestKinds(t *testing.T) {
	const text, archive = "text", "archive"
	for _, c := range []struct{ name, head, want string }{
		{"", "\x1f\x8b\x08", archive}, {"", "WARC/1.0\r\n", archive}, {"", "\x28\xb5\x2f\xfd", archive}, {"", "\x5d\x2a\x4d\x18", archive},
		{"a.txt", "WARC/1.0\r\n", archive}, {"a.warc", "User-agent: *", archive}, {"A.WARC.GZ", "", archive}, {"a.warc.zst", "", archive},
		{"", "User-agent: *", text}, {"", "", text}, {"", "Ba", text}, {"", "\xff\xfea\x00", text}, {"warc", "", text},
		{"", "\xfd7zXZ\x00\x00", "an xz file"}, {"", "BZh91AY", "a bzip2 file"}, {"", "\x7fELF\x02", "an ELF program"}, {"", "PAR1\x15", "a Parquet file"},
		{"", "\x04\x22\x4d\x18\x64", "an LZ4 file"}, {"a.warc", "\x04\x22\x4d\x18\x64", "an LZ4 file"},
		{"robots.txt", string(warctest.Gzip([]byte("User-agent: *"))), "gzip data without WARC records"}, {"", string(warctest.Gzip([]byte("WARC/1.0"))), archive},
		{"a.warc.gz", string(warctest.Gzip([]byte("User-agent: *"))), archive}, {"", string(warctest.Gzip([]byte("\r\nWARC/1.0"))), archive},
		{"", "PK\x03\x04", "a zip file"}, {"", "filedesc://a.arc 0.0.0.0", "an ARC file"}, {"a.warc.gz", "BZh91AY", "a bzip2 file"},
	} {
		got := text
		capture, err := NewReader(strings.NewReader(c.head), c.name).Next()
		if _, isFault := errors.AsType[*warc.Fault](err); isFault {
			got = archive
		} else if err != nil {
			got, _, _ = strings.Cut(strings.TrimPrefix(err.Error(), "this is "), ", but only ")
		} else if capture.URL != c.name || string(capture.Body) != c.head {
			t.Errorf("%q: capture %+v, want the whole text", c.head, capture)
		}
		if got != c.want {
			t.Errorf("the file %q that starts with %q is %s, want %s", c.name, c.head, got, c.want)
		}
	}
}

// FuzzReader checks that a Reader reads any file to its end, as an archive or as lines of JSON, and that what it returns
// can be a record.
func FuzzReader(f *testing.F) {
	original := warctest.Response("https://a.example/robots.txt", time.Unix(1e9, 0), 301, "Location: /x\r\n", []byte("Allow: /"))
	revisit := warctest.Record("revisit", "WARC-Target-URI: https://a.example/x\r\nWARC-Profile: x/identical-payload-digest\r\n"+
		"WARC-Refers-To-Target-URI: https://a.example/robots.txt\r\nWARC-Refers-To-Date: 2001-09-09T01:46:40Z\r\n", []byte("HTTP/1.1 200 OK\r\n\r\n"))
	f.Add(slices.Concat(original, revisit))
	f.Add([]byte(`{"url":"a.example","status":200,"fetched":"2026-11-01 12:30:00+00","body":"Allow: /"}` + "\n\n{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, isJSONL := range []bool{false, true} {
			r := NewReader(bytes.NewReader(file), "x.warc")
			r.JSONL = isJSONL
			for c, err := r.Next(); ; c, err = r.Next() {
				if _, isFault := errors.AsType[*warc.Fault](err); isFault {
					continue
				}
				if err != nil {
					break // the end, or a file that is refused
				}
				record := Questions{NoLint: true}.Answer(c)
				if _, err := json.Marshal(record); err != nil || len(c.Body) > BodyLimit || record.Class == "" || c.Elsewhere && len(c.Body) > 0 {
					t.Errorf("%v, %d bytes, %+v", err, len(c.Body), record)
				}
			}
		}
	})
}
