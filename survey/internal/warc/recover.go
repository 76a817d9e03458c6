package warc

import (
	"bytes"
	"compress/gzip"
	"io"
)

// How far to look ahead for the next record at a time, and how much of a gzip
// member is enough to see whether it starts with one.
const (
	windowSize = 64 << 10
	probeSize  = 4 << 10
)

// fail returns a Fault in a record, and makes the next call of Next go on after it. If
// the source is damaged, the Fault is about the source, because that explains the
// record. If the file cannot be read, fail returns the error of the file.
func (r *Reader) fail(record *Record, kind Kind) error {
	if err := r.raw.err; err != nil && err != io.EOF {
		return err
	}
	fault := &Fault{kind, record.Offset, record.Inner}
	switch err := r.text.err; {
	case r.layout == plain || err == nil || err == io.EOF:
		r.restart = true
		return fault
	case err == errBomb:
		fault.Kind = Bomb
	case err == io.ErrUnexpectedEOF:
		fault.Kind = CutRecord
	default:
		fault.Kind = BadGzip
	}
	r.findMember()
	return fault
}

// failMember returns a Fault where a member should start and goes to the next.
func (r *Reader) failMember(err error) error {
	if err := r.raw.err; err != nil && err != io.EOF {
		return err
	}
	fault := &Fault{BadGzip, r.start, 0}
	if err == errStray {
		fault.Kind = StrayBytes
	}
	r.findMember()
	return fault
}

// findRecord goes to the next record in the text, or to its end. The search starts
// behind the start of the damaged record, as its length cannot be trusted.
func (r *Reader) findRecord() {
	if r.layout == plain {
		r.findMember()
		return
	}
	r.text.back()
	for {
		window := r.text.peek(windowSize)
		i := recordStart(window)
		if i >= 0 {
			r.text.skip(i)
			return
		}
		if len(window) < windowSize {
			r.text.skip(len(window))
			return
		}
		r.text.skip(windowSize - len(magic))
		r.text.setMark()
	}
}

// recordStart returns the index of the first line in b that starts a record, or -1.
func recordStart(b []byte) int {
	i := bytes.Index(b, append([]byte("\n"), magic...))
	if i < 0 {
		return -1
	}
	return i + 1
}

// findMember goes to the next gzip member or plain record in the file that starts
// with a record, or to the end of the file.
func (r *Reader) findMember() {
	r.inside = false
	r.raw.back()
	for {
		window := r.raw.peek(windowSize + probeSize)
		i, found := r.search(window)
		r.raw.skip(i)
		if found || len(window) < windowSize+probeSize {
			return
		}
		r.raw.setMark()
	}
}

// search looks for the next record or member and returns its index in b. If it has
// not found one, it has looked as far as the index.
func (r *Reader) search(b []byte) (i int, found bool) {
	end := len(b)
	if end == windowSize+probeSize {
		end = windowSize
	}
	if r.layout != zipped {
		if i := recordStart(b); i >= 0 && i <= end {
			end, found = i, true
		}
	}
	for i := 0; r.layout != plain && i < end; i++ {
		next := bytes.Index(b[i:], gzipMagic)
		if next < 0 || i+next >= end {
			break
		}
		i += next
		if r.startsRecord(b[i:]) {
			return i, true
		}
	}
	return end, found
}

// startsRecord reports whether a gzip member starts with a record.
func (r *Reader) startsRecord(b []byte) bool {
	if r.probe == nil {
		r.probe = new(gzip.Reader)
	}
	if r.probe.Reset(bytes.NewReader(b[:min(len(b), probeSize)])) != nil {
		return false
	}
	start := make([]byte, len(magic))
	_, err := io.ReadFull(r.probe, start)
	return err == nil && bytes.Equal(start, magic)
}
