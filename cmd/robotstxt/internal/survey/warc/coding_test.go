package warc

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/robotstxt-go/robotstxt/internal/warctest"
)

// compressed returns data, compressed with a new writer.
func compressed[W io.WriteCloser](data []byte, newWriter func(io.Writer) W) []byte {
	var b bytes.Buffer
	w := newWriter(&b)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func zstdOf(data []byte, options ...zstd.EOption) []byte {
	return compressed(data, func(w io.Writer) io.WriteCloser {
		e, err := zstd.NewWriter(w, append(options, zstd.WithEncoderConcurrency(1))...)
		if err != nil {
			panic(err)
		}
		return e
	})
}

// rawFrame returns a zstd frame with one block that is not compressed. The size of the window
// is 1 KiB << window>>3.
func rawFrame(window byte, data []byte) []byte {
	size := len(data)<<3 | 1
	return append(append(bytes.Clone(zstdMagic), 0, window, byte(size), byte(size>>8), byte(size>>16)), data...)
}

func brOf(data []byte) []byte {
	return compressed(data, func(w io.Writer) *brotli.Writer { return brotli.NewWriterLevel(w, 6) })
}

func zlibOf(data []byte) []byte {
	return compressed(data, func(w io.Writer) *zlib.Writer { return zlib.NewWriter(w) })
}

func deflateOf(data []byte) []byte {
	return compressed(data, func(w io.Writer) *flate.Writer {
		f, err := flate.NewWriter(w, flate.BestCompression)
		if err != nil {
			panic(err)
		}
		return f
	})
}

// randomBytes returns bytes that cannot be compressed.
func randomBytes(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func chunked(data []byte) []byte {
	return fmt.Appendf(nil, "%x\r\n%s\r\n0\r\n\r\n", len(data), data)
}

// TestCodings tests each coding that crawlers store (RFC 9110, RFC 8878), and bodies that
// their header describes wrongly.
func TestCodings(t *testing.T) {
	robots := []byte("User-agent: GPTBot\nDisallow: /\n" + strings.Repeat("# caf\u00e9\n", 20))
	noise := randomBytes(BodyLimit + 1)
	for _, c := range []struct {
		about, header string
		body          []byte
		want          Response // without the status
		kind          Kind
	}{
		{"br", "Content-Encoding: br", brOf(robots), Response{Body: robots}, ""},
		{"zstd", "Content-Encoding: zstd", zstdOf(robots), Response{Body: robots}, ""},
		{"zstd of several frames", "Content-Encoding: zstd", join(zstdOf(robots[:9]), zstdOf(robots[9:])), Response{Body: robots}, ""},
		{"deflate", "Content-Encoding: deflate", zlibOf(robots), Response{Body: robots}, ""},
		{"deflate without zlib's frame", "Content-Encoding: deflate", deflateOf(robots), Response{Body: robots}, ""},
		{"two codings", "Content-Encoding: br, gzip", warctest.Gzip(brOf(robots)), Response{Body: robots}, ""},
		{"gzip, then chunked", "Transfer-Encoding: gzip, chunked", chunked(warctest.Gzip(robots)), Response{Body: robots}, ""},
		{"br in chunks", "Content-Encoding: br\r\nTransfer-Encoding: chunked", chunked(brOf(robots)), Response{Body: robots}, ""},
		{"br in name only", "Content-Encoding: br", robots, Response{Body: robots}, ""},
		{"zstd in name only", "Content-Encoding: zstd", robots, Response{Body: robots}, ""},
		{"deflate in name only", "Content-Encoding: deflate", robots, Response{Body: robots}, ""},
		{"a character set by mistake", "Content-Encoding: utf-8", []byte("caf\xe9"), Response{Body: []byte("caf\xe9")}, ""},
		{"no coding, by a name", "Content-Encoding: none", []byte("caf\xe9"), Response{Body: []byte("caf\xe9")}, ""},
		{"gzip and zeros", "Content-Encoding: gzip", append(warctest.Gzip(robots), 0, 0, 0), Response{Body: robots}, ""},
		{"gzip and junk", "Content-Encoding: gzip", append(warctest.Gzip(robots), 0, 0, 1), Response{Body: robots, Truncated: true}, BadCoding},
		{"gzip of two members", "Content-Encoding: gzip", join(warctest.Gzip(robots[:9]), warctest.Gzip(robots[9:])), Response{Body: robots}, ""},
		{"an unknown coding", "Content-Encoding: dcb", []byte("\xff\x44\x43\x42\x00"), Response{Undecoded: true}, ""},
		{"an unknown coding in name only", "Content-Encoding: dcb", robots, Response{Body: robots}, ""},
		{"too many codings", "Content-Encoding: br, br, br, br, br", brOf(brOf(brOf(brOf(brOf(robots))))), Response{Undecoded: true}, ""},
		{"neither br nor text", "Content-Encoding: br", []byte("\xff\xff\xff"), Response{Undecoded: true}, BadCoding},
		{"a cut zstd", "Content-Encoding: zstd", zstdOf(noise[:300_000])[:200_000], Response{Body: noise[:128<<10], Truncated: true}, BadCoding},
		{"zstd of a large window", "Content-Encoding: zstd", rawFrame(0x70, noise[:100]), Response{Undecoded: true}, BigWindow},
		{"a br body that is too long", "Content-Encoding: br", brOf(noise), Response{Body: noise[:BodyLimit], Truncated: true}, ""},
		{"a br bomb", "Content-Encoding: br", brOf(make([]byte, 20<<20)), Response{Body: make([]byte, BodyLimit), Truncated: true}, Bomb},
		{"a zstd bomb", "Content-Encoding: zstd", zstdOf(make([]byte, 20<<20)), Response{Body: make([]byte, BodyLimit), Truncated: true}, Bomb},
		{"a body shorter than its length", "Content-Length: 1000", robots, Response{Body: robots, Truncated: true}, ""},
		{"a body longer than its length", "Content-Length: 10", robots, Response{Body: robots}, ""},
		{"a coded body shorter than its length", "Content-Length: 1000\r\nContent-Encoding: gzip", warctest.Gzip(robots), Response{Body: robots, Truncated: true}, ""},
		{"the length of a body before it was decoded", "Content-Length: 1000\r\nContent-Encoding: gzip", robots, Response{Body: robots}, ""},
		{"a length beside chunks", "Content-Length: 1000\r\nTransfer-Encoding: chunked", chunked(robots), Response{Body: robots}, ""},
	} {
		got, kind := ReadResponse(&Record{Block: join([]byte("HTTP/1.1 200 OK\r\n"+c.header+"\r\n\r\n"), c.body)})
		c.want.Status = 200
		if !cmp.Equal(c.want, got, cmp.Comparer(bytes.Equal)) || kind != c.kind {
			t.Errorf("%s: kind %q, want %q; body of %d bytes, truncated %t, undecoded %t", c.about, kind, c.kind, len(got.Body), got.Truncated, got.Undecoded)
		}
	}
}

// TestBrotliWindows tests that a body is the same for each size of the window, and that a bomb with a large window
// does not fill it.
func TestBrotliWindows(t *testing.T) {
	noise := randomBytes(700_000)
	text := join(noise, []byte("User-agent: *\n"), noise) // refers back by more than half a megabyte, up to BodyLimit
	of := func(data []byte, bits int) []byte {
		return compressed(data, func(w io.Writer) *brotli.Writer {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: 9, LGWin: bits})
		})
	}
	for bits := 10; bits <= 24; bits++ {
		got, err := unbrotli(bytes.NewReader(of(text, bits)))
		if err != nil || !bytes.Equal(got, text[:BodyLimit+1]) {
			t.Errorf("a window of 2^%d: error %v, %d bytes, or other bytes", bits, err, len(got))
		}
	}
	bomb := of(make([]byte, 64<<20), 24)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got, err := unbrotli(bytes.NewReader(bomb)); len(got) != BodyLimit+1 || err != nil {
		t.Errorf("a bomb: error %v, %d bytes", err, len(got))
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 12<<20 {
		t.Errorf("a bomb takes %d bytes, want at most 12 MiB", n)
	}
}

// A body whose end is missing because the block was truncated or segmented is truncated, not
// damaged.
func TestReadResponseLimits(t *testing.T) {
	letters := bytes.Repeat([]byte("a"), 2*BlockLimit)
	for about, response := range map[string][]byte{
		"chunked": join([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), chunked(letters)),
		"plain":   join([]byte("HTTP/1.1 200 OK\r\n\r\n"), letters),
		"br":      join([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n"), letters),
	} {
		record, err := NewReader(bytes.NewReader(warctest.Record("response", "", response))).Next()
		if err != nil {
			t.Fatal(err)
		}
		got, kind := ReadResponse(record)
		if kind != "" || len(got.Body) != BodyLimit || !got.Truncated || got.Undecoded {
			t.Errorf("%s: kind %q, %d bytes, truncated %t, want no damage and a truncated body", about, kind, len(got.Body), got.Truncated)
		}
	}
	first := warctest.Record("response", "WARC-Segment-Number: 1\r\n", []byte("HTTP/1.1 200 OK\r\n\r\nAllow: /"))
	record, err := NewReader(bytes.NewReader(first)).Next()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := ReadResponse(record); !got.Truncated {
		t.Error("the body in the first of several segments is not truncated")
	}
	for status, want := range map[int]bool{200: true, 204: false, 304: false, 404: true} {
		block := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Length: 9\r\n\r\n", status)
		if got, _ := ReadResponse(&Record{Block: []byte(block)}); got.Truncated != want {
			t.Errorf("status %d without the 9 bytes of its Content-Length: truncated %t, want %t", status, got.Truncated, want)
		}
	}
	interim := "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n"
	if got, kind := ReadResponse(&Record{Block: []byte(interim)}); got.Status != 404 || kind != "" {
		t.Errorf("after interim responses: status %d, kind %q, want 404 and no damage", got.Status, kind)
	}
}

// dictionary returns a zstd dictionary for records like those of the function capture.
func dictionary(t testing.TB) []byte {
	t.Helper()
	var contents [][]byte
	for i := range 40 {
		contents = append(contents, capture(fmt.Sprintf("host%d.example", i), fmt.Sprintf("Disallow: /%d", i)))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: contents, History: bytes.Join(contents[:8], nil), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return dict
}

// skippable returns a skippable frame. The number, up to 15, is part of its magic number.
func skippable(number byte, data []byte) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{0x50 + number, 0x2a, 0x4d, 0x18}, uint32(len(data)))
	return append(head, data...)
}

// TestZstd tests .warc.zst files like those of Archive Team, zstd(1) and other programs, both
// complete and damaged, and files that mix plain records and members.
func TestZstd(t *testing.T) {
	a, b, c := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b"), capture("c.example", "Allow: /c")
	za, zb, zc := zstdOf(a), zstdOf(b), zstdOf(c)
	ga, gc := warctest.Gzip(a), warctest.Gzip(c)
	dict := dictionary(t)
	with := zstd.WithEncoderDict(dict)
	one := join(zstdOf(a, with), zstdOf(b, with), zstdOf(c, with))
	all := join(a, b, c)
	long := warctest.Record("metadata", "", randomBytes(300_000))
	flipped := bytes.Clone(za)
	flipped[len(flipped)-2] ^= 1 // in the checksum
	window := rawFrame(0x70, a)
	host := func(names ...string) (urls []string) {
		for _, name := range names {
			urls = append(urls, "https://"+name+".example/robots.txt")
		}
		return urls
	}
	abc, bc := host("a", "b", "c"), host("b", "c")
	at := func(kind Kind, offset int) []string {
		return []string{(&Fault{Kind: kind, Offset: int64(offset)}).Error()}
	}
	for _, c := range []struct {
		about  string
		file   []byte
		want   []string
		faults []string
	}{
		{"a frame per record", join(za, zb, zc), abc, nil},
		{"one frame", zstdOf(all), abc, nil},
		{"frames that end within records", join(zstdOf(all[:100]), zstdOf(all[100:500]), zstdOf(all[500:])), abc, nil},
		{"a frame of many blocks", join(zstdOf(long), zb), append([]string{"metadata"}, host("b")...), nil},
		{"a dictionary", join(skippable(13, dict), one), abc, nil},
		{"a compressed dictionary", join(skippable(13, zstdOf(dict)), one), abc, nil},
		{"a dictionary that is missing", one, nil, []string{"zstd data without its dictionary at offset 0"}},
		{"a dictionary that was cut", skippable(13, dict)[:100], nil, []string{"cut record at offset 0"}},
		{"frames to skip", join(za, skippable(0, []byte("a b c")), zb, skippable(13, nil), zc), abc, nil},
		{"plain, gzip and zstd", join(a, gc, za, b, zb, c, ga, ga), host("a", "c", "a", "b", "b", "c", "a", "a"), nil},
		{"plain, then junk, then plain in a mixed file", join(ga, a, []byte("junk\n"), b), host("a", "a", "b"), at(BadHeader, len(ga)+len(a))},
		{"one line end", join(a[:len(a)-2], b[:len(b)-2], c), abc, nil},
		{"one bare line feed", join(a[:len(a)-4], []byte("\n"), b[:len(b)-4], []byte("\n"), c), abc, nil},
		{"no line end before a member", join(a[:len(a)-4], zb, c), abc, nil},
		{"a wrong checksum", join(flipped, zb, zc), bc, at(BadZstd, 0)},
		{"a frame cut", join(za, zb, zc[:len(zc)-20]), host("a", "b"), at(CutRecord, len(za)+len(zb))},
		{"a frame cut within the file", join(za[:40], zb, zc), bc, at(BadZstd, 0)},
		{"a window of 8 MiB, and a block that is not compressed", join(rawFrame(0x68, a), zb, zc), abc, nil},
		{"damage before a block that is not compressed", join([]byte("junk"), rawFrame(0x68, a), zb, zc), abc, at(StrayBytes, 0)},
		{"a large window", join(window, zb, zc), bc, at(BigWindow, 0)},
		{"junk between frames", join(za, []byte("junk"), zb, zc), abc, at(StrayBytes, len(za))},
		{"a bomb in a record", join(zstdOf(warctest.Record("response", "", make([]byte, 30<<20))), zb, zc), bc, at(Bomb, 0)},
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

// Dates are converted to UTC. Dates that cannot be encoded as JSON are ignored.
func TestDates(t *testing.T) {
	for date, want := range map[string]string{
		"2026-11-01T13:00:00+01:00": `"2026-11-01T12:00:00Z"`,
		"0000-01-01T00:00:00+23:00": `"0001-01-01T00:00:00Z"`,
		"9999-12-31T23:59:59-23:00": `"0001-01-01T00:00:00Z"`,
		"yesterday":                 `"0001-01-01T00:00:00Z"`,
	} {
		r := NewReader(bytes.NewReader(warctest.Record("response", "WARC-Date: "+date+"\r\n", nil)))
		record, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := record.Date.MarshalJSON(); string(got) != want || err != nil {
			t.Errorf("%s: %s, error %v; want %s", date, got, err, want)
		}
	}
}

// Reading a body or an archive that decompresses to 1 GiB takes little memory.
func TestBombs(t *testing.T) {
	size := 1 << 30
	if testing.Short() {
		size = 128 << 20
	}
	bombs := map[string][]byte{
		"br":   compressed(nil, func(w io.Writer) io.WriteCloser { return endless{brotli.NewWriterLevel(w, 1), size} }),
		"zstd": compressed(nil, func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return endless{e, size} }),
	}
	for coding, bomb := range bombs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, kind := ReadResponse(&Record{Block: join([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: "+coding+"\r\n\r\n"), bomb)})
		runtime.ReadMemStats(&after)
		if len(got.Body) != BodyLimit || !got.Truncated || kind != "" && kind != Bomb {
			t.Errorf("%s: body of %d bytes, want %d; kind %q", coding, len(got.Body), BodyLimit, kind)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%s: %d bytes allocated, want at most 64 MiB", coding, grown)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, faults := read(t, bytes.NewReader(bombs["zstd"]))
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 || len(faults) == 0 {
		t.Errorf("an archive: %d bytes allocated, want at most 64 MiB; faults %q", grown, faults)
	}
}

// An endless is a writer that writes size zeros when it is closed.
type endless struct {
	io.WriteCloser
	size int
}

func (e endless) Close() error {
	zeros := make([]byte, 1<<20)
	for range e.size >> 20 {
		if _, err := e.Write(zeros); err != nil {
			return err
		}
	}
	return e.WriteCloser.Close()
}

// Reading does not take quadratic time if a file contains many damaged frames.
func TestManyFrames(t *testing.T) {
	block := append(bytes.Clone(zstdMagic), 0x20, 0x40, 0x01, 0x02, 0x00) // one block, cut
	file := bytes.Repeat(block, 100_000)
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

// FuzzCodings reads arbitrary bodies with arbitrary codings. A body that was encoded must be
// decoded to the same bytes.
func FuzzCodings(f *testing.F) {
	robots := []byte("User-agent: *\nDisallow: /\n")
	for _, body := range [][]byte{nil, robots, brOf(robots), zstdOf(robots), zlibOf(robots), deflateOf(robots), warctest.Gzip(robots)} {
		for _, coding := range []string{"br", "zstd", "deflate", "gzip", "dcb"} {
			f.Add(coding, body)
		}
	}
	f.Fuzz(func(t *testing.T, coding string, body []byte) {
		response := func(coding string, body []byte) (Response, Kind) {
			return ReadResponse(&Record{Block: join([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: "+coding+"\r\n\r\n"), body)})
		}
		if strings.ContainsAny(coding, "\r\n") {
			return
		}
		if r, _ := response(coding, body); len(r.Body) > BodyLimit || r.Undecoded && len(r.Body) > 0 {
			t.Errorf("undecoded %t, with a body of %d bytes", r.Undecoded, len(r.Body))
		}
		for coding, encoded := range map[string][]byte{"br": brOf(body), "zstd": zstdOf(body), "deflate": zlibOf(body), "gzip": warctest.Gzip(body)} {
			if r, kind := response(coding, encoded); !bytes.Equal(r.Body, body) || kind != "" {
				t.Errorf("%q was encoded with %s and decoded as %q, kind %q", body, coding, r.Body, kind)
			}
		}
	})
}

// FuzzZstd reads arbitrary bytes, alone and after a complete frame. The record in that frame
// must be read, and the result must not depend on how many bytes each Read returns.
func FuzzZstd(f *testing.F) {
	a, b := capture("a.example", "Allow: /a"), capture("b.example", "Allow: /b")
	za, zb := zstdOf(a), zstdOf(b)
	for _, seed := range [][]byte{
		nil, join(za, zb), zstdOf(join(a, b)), join(za[:50], zb), join(za, skippable(3, []byte("x")), zb), join(a, zb),
		skippable(13, dictionary(f)), rawFrame(0x70, a),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _ := read(t, bytes.NewReader(join(za, data)))
		if len(records) == 0 || records[0] != "https://a.example/robots.txt" {
			t.Errorf("the record before the data was not read: %q", records)
		}
		records, faults := read(t, bytes.NewReader(data))
		slowRecords, slowFaults := read(t, halves{bytes.NewReader(data)})
		if diff := cmp.Diff([2][]string{records, faults}, [2][]string{slowRecords, slowFaults}); diff != "" {
			t.Errorf("short reads change the result (-full reads +short reads):\n%s", diff)
		}
	})
}

// A halves is a reader that reads at most half of the requested bytes.
type halves struct{ io.Reader }

func (h halves) Read(p []byte) (int, error) { return h.Reader.Read(p[:(len(p)+1)/2]) }
