package survey

import (
	"bytes"
	"errors"
	"io"
	"net/url"

	"github.com/robotstxt-go/robotstxt/survey/internal/warc"
)

// BodyLimit is how many bytes of a body are read. It is enough for a robots.txt of the
// size that crawlers must read, in UTF-16. A longer body is truncated.
const BodyLimit = warc.BodyLimit

// A Reader reads the captures in a WARC file, the archive format of web crawls (ISO
// 28500, versions 1.0 and 1.1), plain or compressed with gzip or zstd. It needs at most a
// few times 10 MB of memory, whatever the file declares or decompresses to.
type Reader struct {
	Skip   func(kind string) // is called with the type of each record that is not a capture, unless nil
	Verify bool              // report a capture whose digest differs from its record as damage

	archive string
	warc    *warc.Reader
	pending *Fault // damage in the body of the last capture
	cut     *Fault // damage at the end of what was read
}

// NewReader returns a Reader of a WARC file. Archive is its name in the captures.
func NewReader(file io.Reader, archive string) *Reader {
	return &Reader{archive: archive, warc: warc.NewReader(file)}
}

// Next returns the next capture, whose body is valid until the next call. The error is
// io.EOF at the end of the file and a *[Fault] for damage, after which the next call goes
// on. After any other error, the rest of the file cannot be read.
func (r *Reader) Next() (Capture, error) {
	if fault := r.pending; fault != nil {
		r.pending = nil
		return Capture{}, fault
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
		return Capture{}, fault
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
		Archive:   r.archive,
		Offset:    record.Offset,
		Inner:     record.Inner,
	}, nil
}

// next returns the next record that is a capture.
func (r *Reader) next() (*warc.Record, error) {
	r.warc.Verify = r.Verify
	for {
		record, err := r.warc.Next()
		if fault, ok := errors.AsType[*warc.Fault](err); ok {
			r.cut = &Fault{Kind: string(fault.Kind), Offset: fault.Offset, Inner: fault.Inner}
			return nil, r.cut
		}
		if err != nil {
			return nil, err
		}
		r.cut = nil
		if record.IsHTTPResponse() {
			return record, nil
		}
		if r.Skip != nil {
			r.Skip(typeOf(record))
		}
	}
}

// CutAt returns where the file breaks off, if it ends within a record or is empty. Call
// it at the end of the file.
func (r *Reader) CutAt() (offset int64, isCut bool) {
	if r.cut != nil && (r.cut.Kind == string(warc.CutRecord) || r.cut.Kind == string(warc.Empty)) {
		return r.cut.Offset, true
	}
	return 0, false
}

// redirect returns the URL that a response redirects to, or "" if there is none.
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

// typeOf returns the type of a record, or "other" if it is not one of ISO 28500, so that
// a damaged archive cannot add any number of types.
func typeOf(r *warc.Record) string {
	switch r.Type {
	case "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation":
		return r.Type
	}
	return "other"
}

// A Fault is damage in a WARC file, or in the body of one of its captures. It is an
// error, but not the end: the Reader goes on after it.
type Fault struct {
	Kind   string // such as "cut record" or "bad content coding"
	Offset int64  // in the file, of the gzip member or zstd frame or, in a plain file, of the record
	Inner  int64  // in the decompressed data of the member or frame
}

// Error returns the kind of damage and where it is.
func (f *Fault) Error() string {
	return (&warc.Fault{Kind: warc.Kind(f.Kind), Offset: f.Offset, Inner: f.Inner}).Error()
}

// IsArchive reports whether a file that starts with head is a WARC file, or any file that
// is compressed with gzip or zstd. A hundred bytes are enough.
func IsArchive(head []byte) bool {
	const skippable = "\x2a\x4d\x18" // after the first byte of a zstd frame without data
	return bytes.HasPrefix(head, []byte("\x1f\x8b")) || bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) ||
		len(head) > 3 && head[0]&0xf0 == 0x50 && string(head[1:4]) == skippable ||
		bytes.HasPrefix(head, []byte("WARC/"))
}

// foreign are the first bytes of formats that are neither text nor WARC.
var foreign = []struct{ magic, name string }{
	{"\xfd7zXZ\x00", "an xz file"},
	{"BZh", "a bzip2 file"},
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

// Foreign returns the format of a file that starts with head, such as "an xz file", if it
// is neither text nor an archive that a [Reader] reads. Otherwise it returns "".
func Foreign(head []byte) string {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	return ""
}
