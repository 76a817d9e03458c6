package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// capture returns a record with a response from a host.
func capture(host, body string) []byte {
	return warctest.Response("https://"+host+"/robots.txt", noon, 200, "", []byte(body))
}

// read reads a file to its end. It returns the URLs or types of the records, and the texts of
// the faults.
func read(t testing.TB, file io.Reader) (records, faults []string) {
	t.Helper()
	r := NewReader(file)
	for {
		record, err := r.Next()
		var fault *Fault
		switch {
		case err == io.EOF:
			return records, faults
		case errors.As(err, &fault):
			faults = append(faults, fault.Error())
		case err != nil:
			t.Fatal(err)
		case record.TargetURI != "":
			records = append(records, record.TargetURI)
		default:
			records = append(records, record.Type)
		}
	}
}

// zip compresses each record.
func zip(records ...[]byte) [][]byte {
	for i, r := range records {
		records[i] = warctest.Gzip(r)
	}
	return records
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestLayouts(t *testing.T) {
	info := warctest.Record("warcinfo", "Content-Type: application/warc-fields\r\n", []byte("software: x\r\n"))
	a, b := capture("a.example", "User-agent: *\nDisallow: /\n"), capture("b.example", strings.Repeat("Disallow: /x\n", 9999))
	whole := join(info, a, b)
	var blocks []byte
	for part := range slices.Chunk(whole, 1000) {
		blocks = append(blocks, warctest.Gzip(part)...)
	}
	for _, c := range []struct {
		about string
		file  []byte
	}{
		{"a gzip member for each record (WARC 1.1, annex D)", join(zip(info, a, b)...)},
		{"one member for all", warctest.Gzip(whole)},
		{"members that cut records, as bgzip writes them", blocks},
		{"no compression", whole},
		{"an empty member between", join(warctest.Gzip(info), warctest.Gzip(nil), warctest.Gzip(join(a, b)))},
		{"bare line feeds", bytes.ReplaceAll(whole, []byte("\r\n"), []byte("\n"))},
		{"drafts of the format", join(version("0.17", info), version("0.18", a), b)},
		{"drafts of the format, gzip", join(zip(version("0.18", info), version("0.17", a), version("0.18", b))...)},
		{"no line ends after the blocks", join(warctest.Gzip(info[:len(info)-4]), warctest.Gzip(a[:len(a)-4]), warctest.Gzip(b[:len(b)-4]))},
	} {
		want := []string{"warcinfo", "https://a.example/robots.txt", "https://b.example/robots.txt"}
		if c.about == "bare line feeds" {
			c.file = bytes.Replace(c.file, []byte("Content-Length: 13"), []byte("Content-Length: 12"), 1)
			c.file = relength(c.file)
		}
		for _, in := range []io.Reader{bytes.NewReader(c.file), iotest.OneByteReader(bytes.NewReader(c.file))} {
			records, faults := read(t, in)
			if diff := cmp.Diff(want, records); diff != "" || faults != nil {
				t.Errorf("%s: faults %q, records (-want +got):\n%s", c.about, faults, diff)
			}
		}
	}
}

// version returns a record with another version.
func version(number string, record []byte) []byte {
	return bytes.Replace(record, []byte("WARC/1.1"), []byte("WARC/"+number), 1)
}

// relength corrects the lengths of plain records after a change of their line ends.
func relength(file []byte) []byte {
	var out []byte
	for i, part := range bytes.Split(file, []byte("WARC/1.1\n")) {
		if i == 0 {
			continue
		}
		header, block, _ := bytes.Cut(part, []byte("\n\n"))
		block = bytes.TrimSuffix(block, []byte("\n\n"))
		header = header[:bytes.Index(header, []byte("Content-Length"))]
		out = fmt.Appendf(out, "WARC/1.1\n%sContent-Length: %d\n\n%s\n\n", header, len(block), block)
	}
	return out
}

func TestRecord(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\n\r\nAllow: /"
	header := "WARC/1.0\r\nwarc-type: Response\r\nWARC-Target-URI: <https://a.example/robots.txt>\r\n" +
		"WARC-Date: 2026-11-01T12:00:00Z\r\nContent-Type: application/http;\r\n\tmsgtype=response\r\n" +
		"WARC-Truncated: length\r\nContent-Length: 27\r\n\r\n"
	got, err := NewReader(strings.NewReader(header + block + "\r\n\r\n")).Next()
	want := &Record{
		Type: "response", TargetURI: "https://a.example/robots.txt", Date: noon,
		ContentType: "application/http; msgtype=response", Truncated: true, Length: 27, Block: []byte(block),
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("%v; (-want +got):\n%s", err, diff)
	}
	if !got.IsHTTPResponse() || (&Record{Type: "request", ContentType: "application/http"}).IsHTTPResponse() {
		t.Error("IsHTTPResponse returns false for a response or true for a request")
	}
}

func TestDamage(t *testing.T) {
	a, b, c := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b"), capture("c.example", "Allow: /c")
	za, zb, zc := warctest.Gzip(a), warctest.Gzip(b), warctest.Gzip(c)
	longer := bytes.Replace(a, []byte("Content-Length: "), []byte("Content-Length: 9"), 1)
	longest := bytes.Replace(a, []byte("Content-Length: "), []byte("Content-Length: 99999"), 1)
	shorter := bytes.Replace(a, []byte("Allow: /a"), []byte("Allow: /aaaa"), 1)
	flipped := bytes.Clone(za)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	broken := bytes.Clone(za)
	for i := 30; i < 60; i++ {
		broken[i] = 0xff
	}
	bomb := warctest.Gzip(warctest.Record("response", "", make([]byte, 20<<20)))
	noise := make([]byte, 100<<10) // random bytes, which gzip cannot compress
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	zlarge := warctest.Gzip(warctest.Record("metadata", "", noise))
	noEnd := []byte("WARC/1.0\r\n" + strings.Repeat("a: b\r\n", 20000))
	all := []string{"https://a.example/robots.txt", "https://b.example/robots.txt", "https://c.example/robots.txt"}
	bc, ab := all[1:], all[:2]
	la, lza := len(a), len(za)
	for _, c := range []struct {
		about  string
		file   []byte
		want   []string
		faults []string
	}{
		{"nothing", nil, nil, []string{"empty archive at offset 0"}},
		{"line ends", []byte("\r\n\r\n"), nil, nil},
		{"junk", []byte(strings.Repeat("junk\n", 99999)), nil, []string{"stray bytes at offset 0"}},
		{"junk first, gzip", join([]byte("junk"), za, zb), ab, []string{"stray bytes at offset 0"}},
		{"junk first, plain", join([]byte("junk\n"), a, b), ab, []string{"stray bytes at offset 0"}},
		{"junk between, gzip", join(za, make([]byte, 200<<10), zb), ab, []string{fmt.Sprintf("stray bytes at offset %d", lza)}},
		{"junk between, plain", join(a, make([]byte, 200<<10), []byte("\n"), b), ab, []string{fmt.Sprintf("stray bytes at offset %d", la)}},
		{"trailing bytes, gzip", join(za, zb, make([]byte, 512)), ab, []string{fmt.Sprintf("stray bytes at offset %d", len(za)+len(zb))}},
		{"trailing bytes in the member", join(warctest.Gzip(join(a, []byte("junk"))), zb), ab, []string{fmt.Sprintf("stray bytes at offset 0, decompressed offset %d", la)}},
		{"cut last record, gzip", join(za, zb, zc[:len(zc)-20]), ab, []string{fmt.Sprintf("cut record at offset %d", len(za)+len(zb))}},
		{"cut last record, plain", join(a, b, c[:len(c)-20]), ab, []string{fmt.Sprintf("cut record at offset %d", len(a)+len(b))}},
		{"cut last header, plain", join(a, b, c[:50]), ab, []string{fmt.Sprintf("cut record at offset %d", len(a)+len(b))}},
		{"cut first member", join(za[:lza-40], zb, zc), bc, []string{"bad gzip data at offset 0"}},
		{"damaged member", join(broken, zb, zc), bc, []string{"bad gzip data at offset 0"}},
		{"wrong checksum", join(flipped, zb, zc), bc, []string{"bad gzip data at offset 0"}},
		{"length too large, gzip", join(warctest.Gzip(longer), zb, zc), bc, []string{"bad record length at offset 0"}},
		{"length too large, one member", warctest.Gzip(join(longer, b, c)), bc, []string{"bad record length at offset 0"}},
		{"length too large, plain", join(longer, b, c), bc, []string{"cut record at offset 0"}},
		{"length too small, gzip", join(warctest.Gzip(shorter), zb, zc), bc, []string{"bad record length at offset 0"}},
		{"length too small, plain", join(shorter, b, c), bc, []string{"bad record length at offset 0"}},
		{"no length", join(warctest.Gzip([]byte("WARC/1.0\r\nWARC-Type: x\r\n\r\n")), zb, zc), bc, []string{"bad record header at offset 0"}},
		{"a negative length", join([]byte("WARC/1.0\r\nContent-Length: -1\r\n\r\n"), b, c), bc, []string{"bad record header at offset 0"}},
		{"a length beyond all files", join([]byte("WARC/1.0\r\nContent-Length: 5000000000000000000\r\n\r\n"), b, c), bc, []string{"bad record header at offset 0"}},
		{"an unknown version", join(bytes.Replace(a, []byte("1.1"), []byte("1.9"), 1), b, c), bc, []string{"bad record header at offset 0"}},
		{"a version before the drafts", join(version("0.9", a), b, c), bc, []string{"bad record header at offset 0"}},
		{"a header without end", join(noEnd, b, c), bc, []string{"bad record header at offset 0"}},
		{"a record in a header, plain", join([]byte("WARC/1.0\r\n"), a, b), ab, []string{"bad record header at offset 0"}},
		{"a record in a header, gzip", warctest.Gzip(join([]byte("WARC/1.0\r\nx: y\r\n"), a, b)), ab, []string{"bad record header at offset 0"}},
		{"a bomb", join(bomb, zb, zc), bc, []string{"decompression bomb at offset 0"}},
		{"a bomb after a large record", join(zlarge, bomb), []string{"metadata"}, []string{fmt.Sprintf("decompression bomb at offset %d", len(zlarge))}},
		{"junk that starts like gzip", join(za, []byte("junk \x1f\x8b\x08 \x1f\x8b\x08"), zb), ab, []string{fmt.Sprintf("stray bytes at offset %d", lza)}},
		{"length far too large, one member", warctest.Gzip(join(longest, b, c)), bc, []string{"bad record length at offset 0"}},
	} {
		records, faults := read(t, bytes.NewReader(c.file))
		if diff := cmp.Diff(c.want, records); diff != "" {
			t.Errorf("%s: records (-want +got):\n%s", c.about, diff)
		}
		if diff := cmp.Diff(c.faults, faults); diff != "" {
			t.Errorf("%s: faults (-want +got):\n%s", c.about, diff)
		}
	}
}

// The search for the next record finds it wherever it starts in a window of the search.
func TestWindow(t *testing.T) {
	first, last := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b")
	for about, file := range map[string]func(junk []byte) []byte{
		"plain":               func(junk []byte) []byte { return join(first, junk, last) },
		"a member per record": func(junk []byte) []byte { return join(warctest.Gzip(first), junk, warctest.Gzip(last)) },
		"one member":          func(junk []byte) []byte { return warctest.Gzip(join(first, junk, last)) },
	} {
		for _, end := range []int{windowSize, windowSize + probeSize, 2 * windowSize} {
			for junk := end - 12; junk <= end+12; junk++ {
				records, faults := read(t, bytes.NewReader(file(append(make([]byte, junk-1), '\n'))))
				if len(records) != 2 || len(faults) != 1 {
					t.Errorf("%s, %d bytes of junk: records %q, want 2; faults %q, want 1", about, junk, records, faults)
				}
			}
		}
	}
}

// The offset of a record is that of the member in which it starts, even if the member starts
// with the end of another record.
func TestOffsets(t *testing.T) {
	a, b, c := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b"), capture("c.example", "Allow: /c")
	start := warctest.Gzip(join(a, b[:len(b)-20]))
	rest := warctest.Gzip(join(b[len(b)-20:], c))
	r := NewReader(bytes.NewReader(join(start, rest, warctest.Gzip(a))))
	for _, want := range [][2]int64{{0, 0}, {0, int64(len(a))}, {int64(len(start)), 20}, {int64(len(start) + len(rest)), 0}} {
		if got, err := r.Next(); err != nil || got.Offset != want[0] || got.Inner != want[1] {
			t.Fatalf("record %+v, error %v; want a record at %d", got, err, want)
		}
	}
	longer := warctest.Gzip(bytes.Replace(a, []byte("Content-Length: "), []byte("Content-Length: 9"), 1))
	r = NewReader(bytes.NewReader(join(longer, warctest.Gzip(b))))
	if _, err := r.Next(); err == nil {
		t.Error("no error for a record with a wrong length")
	}
	if got, err := r.Next(); err != nil || got.Offset != int64(len(longer)) || got.Inner != 0 {
		t.Errorf("after a damaged record: record %+v, error %v; want a record at %d", got, err, len(longer))
	}
}

// If a gzip header is damaged, the bytes that were read ahead are not lost.
func TestReadAhead(t *testing.T) {
	header := append(bytes.Clone(gzipMagic), 0xe0, 0, 0, 0, 0, 0, 0) // with the reserved flags
	r := NewReader(bytes.NewReader(append(header, make([]byte, 1000)...)))
	if err := r.openMember(); err == nil || r.raw.offset() != int64(len(header)) {
		t.Errorf("error %v at offset %d, want an error at offset %d", err, r.raw.offset(), len(header))
	}
}

// An error from reading the file is returned as it is, and is not a Fault.
func TestReadError(t *testing.T) {
	file := join(zip(capture("a.example", ""), capture("b.example", ""))...)
	want := errors.New("disk on fire")
	r := NewReader(io.MultiReader(bytes.NewReader(file[:len(file)-9]), iotest.ErrReader(want)))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Next(); err != want {
			t.Fatalf("error %v, want %v", err, want)
		}
	}
}

// A Reader needs little memory even for a very long record.
func TestMemory(t *testing.T) {
	const size = 40 << 20
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n", size)
	file := io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, size), strings.NewReader("\r\n\r\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	record, err := NewReader(file).Next()
	runtime.ReadMemStats(&after)
	if err != nil || record.Length != size || len(record.Block) != BlockLimit || !record.Truncated {
		t.Fatalf("error %v; record %+v", err, record)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes allocated, want at most 16 MiB", grown)
	}
}

// letters is a reader of an endless text.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// Reading does not take quadratic time if each record claims a length up to the end of the
// file.
func TestNestedDamage(t *testing.T) {
	file := bytes.Repeat([]byte("WARC/1.0\nContent-Length: 1000000\n\n"), 10_000)
	r := NewReader(bytes.NewReader(file))
	for {
		if _, err := r.Next(); err == io.EOF {
			break
		}
	}
	if again := r.raw.spent; again > 4*int64(len(file)) {
		t.Errorf("%d bytes of a file of %d were read again", again, len(file))
	}
}

func TestReadResponse(t *testing.T) {
	robots := "User-agent: *\nDisallow: /\n"
	zipped := string(warctest.Gzip([]byte(robots)))
	zeros := string(warctest.Gzip(make([]byte, 20<<20)))
	chunked := "Transfer-Encoding: chunked\r\n"
	noise := make([]byte, BodyLimit+1) // random bytes, which gzip cannot compress
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	const encoded = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
	for _, c := range []struct {
		about, block string
		want         Response
		kind         Kind
	}{
		{"plain", "HTTP/1.1 200 OK\r\n\r\n" + robots, Response{Status: 200, Body: []byte(robots)}, ""},
		{"HTTP/2 without a reason", "HTTP/2 404\r\n\r\n", Response{Status: 404, Body: []byte{}}, ""},
		{"a redirect", "HTTP/1.1 301 \nlocation: /x\n\n", Response{Status: 301, Location: "/x", Body: []byte{}}, ""},
		{"chunked", "HTTP/1.1 200 OK\r\n" + chunked + "\r\n5\r\nUser-\r\n15;x=y\r\nagent: *\nDisallow: /\n\r\n0\r\n\r\n", Response{Status: 200, Body: []byte(robots)}, ""},
		{"chunked after another coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, chunked\r\n\r\n5\r\nUser-\r\n15\r\nagent: *\nDisallow: /\n\r\n0\r\n\r\n", Response{Status: 200, Body: []byte(robots)}, ""},
		{"chunked in name only", "HTTP/1.1 200 OK\r\n" + chunked + "\r\n" + robots, Response{Status: 200, Body: []byte(robots)}, ""},
		{"a cut chunk", "HTTP/1.1 200 OK\r\n" + chunked + "\r\n9\r\nUser-", Response{Status: 200, Body: []byte("User-"), Truncated: true}, BadCoding},
		{"gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zipped, Response{Status: 200, Body: []byte(robots)}, ""},
		{"gzip in name only", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + robots, Response{Status: 200, Body: []byte(robots)}, ""},
		{"chunked gzip", fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: x-gzip\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", chunked, len(zipped), zipped), Response{Status: 200, Body: []byte(robots)}, ""},
		{"cut gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zipped[:len(zipped)-8], Response{Status: 200, Body: []byte(robots), Truncated: true}, BadCoding},
		{"a bomb", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zeros, Response{Status: 200, Body: make([]byte, BodyLimit), Truncated: true}, Bomb},
		{"no more than gzip's first bytes", encoded + "\x1f\x8b\x08junk", Response{Status: 200, Undecoded: true}, BadCoding},
		{"a body of the largest size", encoded + string(warctest.Gzip(noise[1:])), Response{Status: 200, Body: noise[1:]}, ""},
		{"a body too large, but not a bomb", encoded + string(warctest.Gzip(noise)), Response{Status: 200, Body: noise[:BodyLimit], Truncated: true}, ""},
		{"gzip in name only, but not text", encoded + "a\x00", Response{Status: 200, Body: []byte("a\x00")}, ""},
		{"a body that is not encoded", "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n\r\n\x00\xff", Response{Status: 200, Body: []byte("\x00\xff")}, ""},
		{"UTF-16 that is not encoded", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xff\xfea\x00", Response{Status: 200, Body: []byte("\xff\xfea\x00")}, ""},
		{"UTF-16 of the other order", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xfe\xff\x00a", Response{Status: 200, Body: []byte("\xfe\xff\x00a")}, ""},
		{"a zero in what is not encoded", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\na\x00", Response{Status: 200, Undecoded: true}, BadCoding},
		{"brotli", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x0b\x02\x80hello\x03", Response{Status: 200, Body: []byte("hello")}, ""},
		{"brotli in name only", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n" + robots, Response{Status: 200, Body: []byte(robots)}, ""},
		{"no status", "HTTP/1.1 OK\r\n\r\n", Response{}, BadResponse},
		{"a header without end", "HTTP/1.1 200 OK\r\nA: b\r\n", Response{}, BadResponse},
		{"nothing", "", Response{}, BadResponse},
	} {
		got, kind := ReadResponse(&Record{Block: []byte(c.block)})
		same := cmp.Equal(c.want, got, cmp.Comparer(bytes.Equal)) // for large bodies, cmp.Diff takes seconds
		if !same || kind != c.kind {
			t.Errorf("%s: kind %q, want %q; response %.200v, want %.200v", c.about, kind, c.kind, got, c.want)
		}
	}
}

// FuzzReader reads arbitrary bytes. The result must not depend on how many bytes each Read
// returns, and a complete record before the bytes must be read.
func FuzzReader(f *testing.F) {
	a, b := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b")
	za, zb := warctest.Gzip(a), warctest.Gzip(b)
	for _, seed := range [][]byte{
		nil, join(a, b), join(za, zb), warctest.Gzip(join(a, b)), join(za[:len(za)-9], zb), join(a[:99], b),
		join(za[:50], za[60:], zb), bytes.Replace(join(a, b), []byte("Length: "), []byte("Length: 9"), 1),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, faults := read(t, bytes.NewReader(data))
		slowRecords, slowFaults := read(t, iotest.HalfReader(bytes.NewReader(data)))
		if diff := cmp.Diff([2][]string{records, faults}, [2][]string{slowRecords, slowFaults}); diff != "" {
			t.Errorf("short reads change the result (-full reads +short reads):\n%s", diff)
		}
		const host = "https://first.example/robots.txt"
		all, _ := read(t, bytes.NewReader(join(warctest.Gzip(capture("first.example", "")), data)))
		if len(all) == 0 || all[0] != host {
			t.Errorf("the record before the data was not read: %q", all)
		}
	})
}

// FuzzReadResponse reads arbitrary blocks. No body may be longer than BodyLimit.
func FuzzReadResponse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08", "HTTP/1.0 200\nTransfer-Encoding: chunked\n\n5\nabcde\n0\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, block []byte) {
		r, kind := ReadResponse(&Record{Block: block})
		if len(r.Body) > BodyLimit || kind == BadResponse && r.Status != 0 {
			t.Errorf("response %+v, kind %q", r, kind)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var file bytes.Buffer
	const records = 100
	words := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		var body strings.Builder
		for range 100 {
			fmt.Fprintf(&body, "Disallow: /%x/%x\n", words.Uint32()%1000, words.Uint32()%1000)
		}
		w, _ := gzip.NewWriterLevel(&file, 6)
		w.Write(capture(fmt.Sprintf("%d.example", i), body.String()))
		w.Close()
	}
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(file.Bytes()))
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}
