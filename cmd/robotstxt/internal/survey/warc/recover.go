package warc

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// The search for the next record looks at windowSize bytes at a time.
	windowSize = 64 << 10

	// The search decompresses at most the first probeSize bytes of a member to see whether the
	// member starts with a record. The first block of a zstd frame fits into this size.
	probeSize = maxBlock + 4<<10
)

// fail returns a Fault for damage in a record. The next call of Next then continues after the
// damage. The Fault has the given kind. If decompressing the member failed, the Fault has
// the kind of that failure instead. If the file could not be read, fail only returns the
// read error.
func (r *Reader) fail(record *Record, kind Kind) error {
	if err := r.raw.err; err != nil && err != io.EOF {
		return err
	}
	fault := &Fault{kind, record.Offset, record.Inner}
	switch err := r.text.err; {
	case r.layout == plain || err == nil || err == io.EOF:
		r.restart = true
		return fault
	default:
		fault.Kind = r.kindOf(err)
	}
	r.findMember()
	return fault
}

// failMember returns a Fault for a member that cannot be opened, or for stray bytes where a
// member should start. It then calls findMember, so that Next continues after the damage. If
// the file could not be read, failMember only returns the read error.
func (r *Reader) failMember(err error) error {
	if err := r.raw.err; err != nil && err != io.EOF {
		return err
	}
	fault := &Fault{r.kindOf(err), r.start, 0}
	if r.raw.offset() == r.start {
		r.raw.skip(1) // otherwise findMember would find the damaged member again
	}
	r.findMember()
	return fault
}

// kindOf returns the kind of damage for an error from reading a member.
func (r *Reader) kindOf(err error) Kind {
	switch err {
	case errStray:
		return StrayBytes
	case errBomb:
		return Bomb
	case io.ErrUnexpectedEOF:
		return CutRecord
	case zstd.ErrWindowSizeExceeded:
		return BigWindow
	case zstd.ErrUnknownDictionary:
		return NoDictionary
	}
	return r.badMember()
}

// findRecord goes to the next record in the text, or to the end of the text. The length in the
// header of the damaged record may be wrong. So the search starts just after the start of this
// record, not at the end that the length gives.
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

// recordStart returns the index of the first line in b that starts a record, or -1. It ignores the
// line at the start of b.
func recordStart(b []byte) int {
	i := bytes.Index(b, append([]byte("\n"), magic...))
	if i < 0 {
		return -1
	}
	return i + 1
}

// findMember goes to the next plain record or to the next member that starts with a record,
// whichever comes first. If there is neither, it goes to the end of the file.
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

// search looks for the next plain record, or the next member that starts with a record, and returns
// its index in b. If found is false, there is none before the index i, and the next search should
// start at i. If the file is compressed and has had no plain records so far, search ignores plain
// records. If b is a full window of windowSize+probeSize bytes, search ignores members in the last
// probeSize bytes, because startsRecord may need that many bytes after the start of a member.
func (r *Reader) search(b []byte) (i int, found bool) {
	end := len(b)
	if end == windowSize+probeSize {
		end = windowSize
	}
	if r.layout != zipped || r.sawPlain {
		if i := recordStart(b); i >= 0 && i <= end {
			end, found = i, true
		}
	}
	for _, first := range [][]byte{gzipMagic, zstdMagic} {
		for i := 0; i < end; i++ {
			next := bytes.Index(b[i:min(end+len(first)-1, len(b))], first)
			if next < 0 {
				break
			}
			i += next
			if r.startsRecord(b[i:]) {
				end, found = i, true
			}
		}
	}
	return end, found
}

// startsRecord decompresses the start of the member in b, and reports whether a record starts
// there.
func (r *Reader) startsRecord(b []byte) bool {
	b = b[:min(len(b), probeSize)]
	var h zstd.Header
	if bytes.HasPrefix(b, zstdMagic) && h.Decode(b) == nil && h.FirstBlock.OK && !h.FirstBlock.Compressed {
		return bytes.HasPrefix(b[h.HeaderSize+3:], magic) // the first block is not compressed, so b contains its text
	}
	text, err := r.probe.open(bytes.NewReader(b), isZstd(b))
	if err != nil {
		return false
	}
	start := make([]byte, len(magic))
	_, err = io.ReadFull(text, start)
	return err == nil && bytes.Equal(start, magic)
}
