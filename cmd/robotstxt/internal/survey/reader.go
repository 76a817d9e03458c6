package survey

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
)

// BodyLimit is the size to which a body is truncated, in bytes. It is more than twice the 500 KiB
// that crawlers must read (RFC 9309, section 2.5), because UTF-16 can double the size of a file.
const BodyLimit = warc.BodyLimit

// A Reader reads the captures in one file of a crawl. The file is a robots.txt file, a WARC
// file (ISO 28500, versions 1.0 and 1.1, and its drafts 0.17 and 0.18), or a file with lines of JSON. A WARC file may be
// compressed with gzip or zstd. A Reader needs at most a few tens of megabytes of memory, however large the file is.
//
// In a WARC file, only the responses of a robots.txt are captures, and those of the URLs to which one of
// them redirects. A revisit is a capture, too: its body is that of an earlier capture in the file.
type Reader struct {
	JSONL   bool    // the file has lines of JSON; see docs/scan.md
	Summary Summary // counts skipped records and damage; only the fields Skipped and Damaged are used

	name    string
	in      *bufio.Reader
	next    func() (Capture, error) // reads the next capture of a file of this kind; nil before the first call of Next
	warc    *warc.Reader
	pending *warc.Fault     // damage in the body of the last capture; the next call of Next returns it
	targets map[string]bool // the URLs to which a robots.txt redirects, except locations of robots.txt files
	earlier originals
}

// NewReader returns a Reader of a file. The name becomes Capture.URL for a robots.txt
// file, and Capture.Archive for a WARC file. The file is read as a WARC file if [IsArchive]
// returns true for its name, or if the file starts like a WARC, gzip or zstd file.
func NewReader(file io.Reader, name string) *Reader {
	return &Reader{name: name, in: bufio.NewReader(file)}
}

// Next returns the next capture, whose body is valid until the next call. The error is
// io.EOF at the end of the file. After a *[warc.Fault], the next call continues after the damage.
// After any other error, the rest of the file cannot be read.
func (r *Reader) Next() (Capture, error) {
	if r.next == nil {
		if err := r.detect(); err != nil {
			return Capture{}, err
		}
	}
	return r.next()
}

// fromArchive returns the next capture in a WARC file.
func (r *Reader) fromArchive() (Capture, error) {
	if fault := r.pending; fault != nil {
		r.pending = nil
		return Capture{}, r.damage(fault)
	}
	record, err := r.nextRecord()
	if err != nil {
		return Capture{}, err
	}
	c := Capture{
		URL: record.TargetURI, Fetched: record.Date, PayloadDigest: record.PayloadDigest,
		Archive: r.name, Offset: record.Offset, Inner: record.Inner,
	}
	response, kind := warc.ReadResponse(record)
	fault := &warc.Fault{Kind: kind, Offset: record.Offset, Inner: record.Inner}
	switch {
	case record.IsRevisit():
		r.earlier.revisit(&c, record, response)
	case kind == warc.BadResponse:
		return Capture{}, r.damage(fault)
	default:
		c.Status, c.Body, c.Truncated, c.Undecoded = response.Status, response.Body, response.Truncated, response.Undecoded
		r.earlier.add(c)
		if kind != "" {
			r.pending = fault
		}
	}
	c.Redirect = redirect(c.URL, c.Status, response.Location)
	if _, place := place(c.Redirect); place == otherURL && len(r.targets) < maxTargets {
		r.targets[c.Redirect] = true
	}
	return c, nil
}

// detect determines whether the file is text or an archive, and prepares to read it.
func (r *Reader) detect() error {
	const enough = 4 << 10 // this many bytes show the format
	head, err := r.in.Peek(enough)
	if err != nil && err != io.EOF {
		return err
	}
	if r.JSONL {
		r.next = r.lines()
		return nil
	}
	if format := foreignFormat(head); format != "" {
		return fmt.Errorf("this is %s, but only text and WARC files can be read", format)
	}
	if isTable(r.name, head) {
		return errors.New("this looks like a table, not like a robots.txt: read it with --jsonl, after " +
			`duckdb -c "COPY (SELECT url, status, fetched, body FROM 'FILE') TO 'FILE.jsonl'"`)
	}
	if !IsArchive(r.name) && warc.IsOtherGzip(head) {
		return errors.New("this is gzip data without WARC records, but only text and WARC files can be read: decompress it first")
	}
	if !IsArchive(r.name) && !warc.IsArchive(head) {
		r.next = r.text
		return nil
	}
	r.warc = warc.NewReader(r.in)
	r.targets, r.next = map[string]bool{}, r.fromArchive
	return nil
}

// isTable reports whether a file has rows with other data, as its name or its first bytes show.
func isTable(name string, head []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".json", ".jsonl", ".ndjson":
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte(`{"`))
}

// text returns the whole file as one capture. Later calls return io.EOF.
func (r *Reader) text() (Capture, error) {
	if r.in == nil {
		return Capture{}, io.EOF
	}
	body, err := io.ReadAll(io.LimitReader(r.in, BodyLimit+1))
	if err != nil {
		return Capture{}, err
	}
	r.in = nil
	n := min(len(body), BodyLimit)
	return Capture{URL: r.name, Body: body[:n], Truncated: n < len(body)}, nil
}

// nextRecord returns the next record that is a capture.
func (r *Reader) nextRecord() (*warc.Record, error) {
	for {
		record, err := r.warc.Next()
		if fault, ok := errors.AsType[*warc.Fault](err); ok {
			return nil, r.damage(fault)
		}
		if err != nil {
			return nil, err
		}
		why := typeOf(record)
		switch isCapture := record.IsHTTPResponse() || record.IsRevisit(); {
		case record.LacksFields():
			return nil, r.damage(&warc.Fault{Kind: warc.BadHeader, Offset: record.Offset, Inner: record.Inner})
		case isCapture && r.isWanted(record.TargetURI):
			return record, nil
		case isCapture:
			why = "other URL"
		}
		r.skip(why)
	}
}

// skip counts a record that is not a capture.
func (r *Reader) skip(why string) {
	r.Summary.init()
	r.Summary.Skipped[why]++
}

// maxTargets is the largest number of URLs in Reader.targets.
const maxTargets = 1 << 16

// isWanted reports whether a URL is the location of a robots.txt, or one has redirected to it. It also accepts
// a URL without a location.
func (r *Reader) isWanted(url string) bool {
	_, place := place(url)
	return place != otherURL || r.targets[url]
}

// damage counts a fault in the summary and returns the fault.
func (r *Reader) damage(fault *warc.Fault) error {
	r.Summary.init()
	r.Summary.Damaged[string(fault.Kind)]++
	return fault
}

// redirect returns the URL to which a response redirects, or "" if it does not redirect. A fragment is left
// out, because crawlers do not send it.
func redirect(base string, status int, location string) string {
	if status/100 != 3 || location == "" {
		return ""
	}
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	to, err := from.Parse(location)
	if err != nil {
		return ""
	}
	to.Fragment, to.RawFragment, to.Path = "", "", cmp.Or(to.Path, "/")
	return to.String()
}

// typeOf returns the type of a record, or "other" if ISO 28500 does not define the type. A damaged
// archive can contain any number of invalid types, and a summary should not list them all.
func typeOf(r *warc.Record) string {
	switch r.Type {
	case "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation":
		return r.Type
	}
	return "other"
}

// IsArchive reports whether a file's name ends in .warc, .warc.gz or .warc.zst, in upper or
// lower case.
func IsArchive(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".warc.gz") || strings.HasSuffix(name, ".warc.zst")
}

// foreign lists the first bytes of formats that are neither text nor WARC.
var foreign = []struct{ magic, name string }{
	{"\xfd7zXZ\x00", "an xz file"},
	{"BZh", "a bzip2 file"},
	{"\x04\x22\x4d\x18", "an LZ4 file"},
	{"\x7fELF", "an ELF program"},
	{"PAR1", "a Parquet file"},
	{"PK\x03\x04", "a zip file"},
	{"PK\x05\x06", "an empty zip file"},
	{"7z\xbc\xaf\x27\x1c", "a 7z file"},
	{"filedesc:", "an ARC file"},
	{"SQLite format 3\x00", "an SQLite file"},
	{"%PDF-", "a PDF file"},
	{"\x89PNG", "a PNG image"},
}

// foreignFormat returns the format of a file that starts with head, such as "an xz file". For
// formats that the variable foreign does not list, it returns "".
func foreignFormat(head []byte) string {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	return ""
}
