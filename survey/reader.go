package survey

import (
	"bufio"
	"errors"
	"io"

	"github.com/robotstxt-go/robotstxt/survey/internal/warc"
)

// A Reader reads the captures in a WARC file, the archive format of web crawls (ISO
// 28500), plain or compressed with gzip. It needs at most a few megabytes of memory,
// whatever the file declares or decompresses to.
type Reader struct {
	warc    *warc.Reader
	skip    func(kind string)
	pending *Fault // damage in the body of the last capture
}

// NewReader returns a Reader of a WARC file. It calls skip with the type of each
// record that is not a capture.
func NewReader(file io.Reader, skip func(kind string)) *Reader {
	return &Reader{warc: warc.NewReader(file), skip: skip}
}

// Next returns the next capture, whose body is valid until the next call. The error
// is io.EOF at the end of the file and a *[Fault] for damage, after which the next
// call goes on. After any other error the file cannot be read any further.
func (r *Reader) Next() (Capture, error) {
	if fault := r.pending; fault != nil {
		r.pending = nil
		return Capture{}, fault
	}
	record, err := r.warc.Next()
	for err == nil && !record.IsHTTPResponse() {
		r.skip(typeOf(record))
		record, err = r.warc.Next()
	}
	if err != nil {
		return Capture{}, faultOf(err)
	}
	response, kind := warc.ReadResponse(record.Block)
	fault := &Fault{Kind: string(kind), Offset: record.Offset, Inner: record.Inner}
	switch kind {
	case "":
	case warc.BadResponse:
		return Capture{}, fault
	default:
		r.pending = fault
	}
	return Capture{
		URL:       record.TargetURI,
		Status:    response.Status,
		Body:      response.Body,
		Fetched:   record.Date,
		Truncated: record.Truncated || response.Truncated,
	}, nil
}

// typeOf returns the type of a record, or "other" if it is not one of ISO 28500: a
// damaged archive must not make up endless types.
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
	Offset int64  // in the file, of the gzip member or, in a plain file, of the record
	Inner  int64  // in the decompressed data of the member
}

// Error returns the kind of damage and where it is.
func (f *Fault) Error() string {
	return (&warc.Fault{Kind: warc.Kind(f.Kind), Offset: f.Offset, Inner: f.Inner}).Error()
}

// faultOf returns err as a *Fault if it is one of package warc.
func faultOf(err error) error {
	if f, ok := errors.AsType[*warc.Fault](err); ok {
		return &Fault{Kind: string(f.Kind), Offset: f.Offset, Inner: f.Inner}
	}
	return err
}

// IsArchive reports whether a file is a WARC file, by its first bytes, or any file that
// is compressed with gzip. It does not consume them.
func IsArchive(file *bufio.Reader) bool {
	gzip, _ := file.Peek(2)
	plain, _ := file.Peek(5)
	return string(gzip) == "\x1f\x8b" || string(plain) == "WARC/"
}
