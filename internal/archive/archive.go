// Package archive reads the robots.txt captures in a WARC file.
package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/robotstxt-go/robotstxt/internal/warc"
	"github.com/robotstxt-go/robotstxt/survey"
)

// A Reader reads captures.
type Reader struct {
	warc    *warc.Reader
	skip    func(kind string)
	pending *warc.Fault // damage in the body of the last capture
}

// NewReader returns a Reader of a WARC file. It calls skip with the type of each
// record that is not a capture.
func NewReader(file io.Reader, skip func(kind string)) *Reader {
	return &Reader{warc: warc.NewReader(file), skip: skip}
}

// Next returns the next capture, whose body is valid until the next call. The error
// is io.EOF at the end of the file, a *warc.Fault for damage behind which the next
// call goes on, or what keeps the file from being read.
func (r *Reader) Next() (survey.Capture, error) {
	if fault := r.pending; fault != nil {
		r.pending = nil
		return survey.Capture{}, fault
	}
	record, err := r.warc.Next()
	for err == nil && !record.IsHTTPResponse() {
		r.skip(typeOf(record))
		record, err = r.warc.Next()
	}
	if err != nil {
		return survey.Capture{}, err
	}
	response, kind := warc.ReadResponse(record.Block)
	fault := &warc.Fault{Kind: kind, Offset: record.Offset, Inner: record.Inner}
	switch kind {
	case "":
	case warc.BadResponse:
		return survey.Capture{}, fault
	default:
		r.pending = fault
	}
	return survey.Capture{
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

// IsFault reports whether an error is damage behind which reading goes on.
func IsFault(err error) (*warc.Fault, bool) {
	var fault *warc.Fault
	ok := errors.As(err, &fault)
	return fault, ok
}

// Is reports whether a file is a WARC file, by its first bytes, or any file that is
// compressed with gzip. It does not read them.
func Is(file *bufio.Reader) bool {
	gzip, _ := file.Peek(2)
	plain, _ := file.Peek(5)
	return string(gzip) == "\x1f\x8b" || string(plain) == "WARC/"
}
