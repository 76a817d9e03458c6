package survey

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
)

// BodyLimit is the size to which a body is truncated, in bytes. It is more than twice the 500 KiB
// that crawlers must read (RFC 9309, section 2.5), because UTF-16 can double the size of a file.
const BodyLimit = warc.BodyLimit

// A Reader reads the captures in one file of a crawl. The file is a robots.txt file or a WARC
// file (ISO 28500, versions 1.0 and 1.1, and its drafts 0.17 and 0.18). A WARC file may be compressed with gzip or zstd. A
// Reader needs at most a few tens of megabytes of memory, however large the file is.
type Reader struct {
	Verify  bool    // report a capture as damaged if its content does not match the digest in its record
	Summary Summary // counts skipped records and damage; only the fields Skipped, Damaged and CutAt are used

	name    string
	in      *bufio.Reader
	isText  bool
	warc    *warc.Reader // nil before the first call of Next
	pending *Fault       // damage in the body of the last capture; the next call of Next returns it
	cut     *Fault       // the latest fault from warc.Next, unless warc.Next has returned a record since then; otherwise nil
}

// NewReader returns a Reader of a file. The name becomes Capture.URL for a robots.txt
// file, and Capture.Archive for a WARC file. The file is read as a WARC file if [IsArchive]
// returns true for its name, or if the file starts like a WARC, gzip or zstd file.
func NewReader(file io.Reader, name string) *Reader {
	return &Reader{name: name, in: bufio.NewReader(file)}
}

// Next returns the next capture, whose body is valid until the next call. The error is
// io.EOF at the end of the file. After a *[Fault], the next call continues after the damage.
// After any other error, the rest of the file cannot be read.
func (r *Reader) Next() (Capture, error) {
	if r.warc == nil {
		if err := r.detect(); err != nil {
			return Capture{}, err
		}
	}
	if r.isText {
		return r.text()
	}
	if fault := r.pending; fault != nil {
		r.pending = nil
		return Capture{}, r.damage(fault)
	}
	record, err := r.next()
	if err != nil {
		return Capture{}, err
	}
	response, kind := warc.ReadResponse(record, r.Verify)
	fault := &Fault{Kind: string(kind), Offset: record.Offset, Inner: record.Inner}
	switch kind {
	case "":
	case warc.BadResponse, warc.BadDigest:
		return Capture{}, r.damage(fault)
	default:
		r.pending = fault
	}
	return Capture{
		URL:       record.TargetURI,
		Status:    response.Status,
		Body:      response.Body,
		Fetched:   record.Date,
		Truncated: response.Truncated,
		Undecoded: response.Undecoded,
		Redirect:  redirect(record.TargetURI, response),
		Archive:   r.name,
		Offset:    record.Offset,
		Inner:     record.Inner,
	}, nil
}

// detect determines whether the file is text or an archive, and prepares to read it.
func (r *Reader) detect() error {
	const enough = 4 << 10 // this many bytes show the format
	head, err := r.in.Peek(enough)
	if err != nil && err != io.EOF {
		return err
	}
	if format := foreignFormat(head); format != "" {
		return fmt.Errorf("this is %s, but only text and WARC files can be read", format)
	}
	if !IsArchive(r.name) && warc.IsOtherGzip(head) {
		return errors.New("this is gzip data without WARC records, but only text and WARC files can be read: decompress it first")
	}
	r.isText = !IsArchive(r.name) && !warc.IsArchive(head)
	r.warc = warc.NewReader(r.in)
	r.warc.Verify = r.Verify
	return nil
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

// next returns the next record that is a capture.
func (r *Reader) next() (*warc.Record, error) {
	for {
		record, err := r.warc.Next()
		if fault, ok := errors.AsType[*warc.Fault](err); ok {
			r.cut = &Fault{Kind: string(fault.Kind), Offset: fault.Offset, Inner: fault.Inner}
			return nil, r.damage(r.cut)
		}
		if err == io.EOF && r.cut != nil && (r.cut.Kind == string(warc.CutRecord) || r.cut.Kind == string(warc.Empty)) {
			r.Summary.cut(r.name, r.cut.Offset)
		}
		if err != nil {
			return nil, err
		}
		r.cut = nil
		switch {
		case record.LacksFields():
			return nil, r.damage(&Fault{Kind: string(warc.BadHeader), Offset: record.Offset, Inner: record.Inner})
		case record.IsHTTPResponse():
			return record, nil
		}
		r.Summary.init()
		r.Summary.Skipped[typeOf(record)]++
	}
}

// damage counts a fault in the summary and returns the fault.
func (r *Reader) damage(fault *Fault) error {
	r.Summary.init()
	r.Summary.Damaged[fault.Kind]++
	return fault
}

// redirect returns the URL to which a response redirects, or "" if it does not redirect.
func redirect(base string, r warc.Response) string {
	if r.Status/100 != 3 || r.Location == "" {
		return ""
	}
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	to, err := from.Parse(r.Location)
	if err != nil {
		return ""
	}
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

// A Fault is the error that reports damage in a WARC file, or in the body of one of its
// captures. The Reader can continue after the damage.
type Fault struct {
	Kind   string // such as "cut record" or "bad content coding"
	Offset int64  // the start of the damaged gzip member or zstd frame; in a plain file, the start of the damaged record
	Inner  int64  // the start of the damaged record in the decompressed member or frame
}

// Error returns a message with the kind and the offset of the damage.
func (f *Fault) Error() string {
	return (&warc.Fault{Kind: warc.Kind(f.Kind), Offset: f.Offset, Inner: f.Inner}).Error()
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
