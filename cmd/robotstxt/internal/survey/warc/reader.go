package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	// BodyLimit is the size to which ReadResponse truncates a body, in bytes. It is more than
	// twice the 500 KiB that crawlers must read (RFC 9309, section 2.5), because UTF-16 can
	// double the size of a file.
	BodyLimit = 1 << 20

	// BlockLimit is the size to which a Reader truncates the block of a record, in bytes. A
	// block of this size can contain a large HTTP header and BodyLimit bytes of body.
	BlockLimit = BodyLimit + 1<<18

	headerLimit = 64 << 10 // the largest size of a record's header

	// A gzip member or zstd frame is a bomb if it decompresses to more than bombSize bytes,
	// and to more than bombRatio times its own size.
	bombSize  = 4 << 20
	bombRatio = 500
)

// A Reader reads the records of a WARC file. Below, "member" means a gzip member or a zstd
// frame, and "text" means the decompressed bytes of members, or the bytes of a plain file.
type Reader struct {
	raw  rewinder // the file
	text rewinder // the decompressed members, unless the file is plain

	ahead   bufio.Reader // a buffer for the field raw, because package gzip is much faster with a bufio.Reader
	current decompressor // decompresses the current member
	member  io.Reader    // the text of the current member
	isZstd  bool         // the current member is a zstd frame
	frame   *frame       // reads the current member if isZstd is true; otherwise not used
	probe   decompressor // used by startsRecord, to decompress the start of a member
	start   int64        // offset of the current member in the file
	inner   int64        // where the text of the current member starts in r.text

	sawPlain bool // the part of the file read so far contains uncompressed records

	layout  layout
	inside  bool   // a member or plain text has been opened, and its end has not been reached
	isEmpty bool   // the file is empty, and Next has reported it
	restart bool   // Next has returned a Fault, so the next call must search for a record
	long    []byte // the buffer for blocks that are longer than BlockLimit
}

// A layout says how records are stored: as plain text or in compressed members.
type layout int

const (
	unknown layout = iota
	plain
	zipped
)

// NewReader returns a Reader of a WARC file.
func NewReader(file io.Reader) *Reader {
	r := &Reader{}
	limit := headerLimit + BlockLimit
	r.raw = rewinder{src: file, limit: limit}
	r.text = rewinder{limit: limit}
	return r
}

// Next returns the next record. At the end of the file, the error is io.EOF. After a *Fault,
// the next call continues after the damage. After any other error, the rest of the file
// cannot be read.
//
// The Block of the record is valid until the next call.
func (r *Reader) Next() (*Record, error) {
	for {
		if r.restart {
			r.restart = false
			r.findRecord()
		}
		if !r.inside {
			if err := r.open(); err != nil {
				return nil, err
			}
		}
		record, err := r.record()
		if err != io.EOF {
			return record, err
		}
		r.inside = false // the end of the member
	}
}

// open starts to read the next member, or plain text.
func (r *Reader) open() error {
	skipBlank(&r.raw)
	r.raw.setMark()
	r.start = r.raw.offset()
	head := r.raw.peek(len(magic))
	switch {
	case len(head) == 0 && r.start == 0 && r.raw.err == io.EOF && !r.isEmpty:
		r.isEmpty = true
		return &Fault{Kind: Empty}
	case len(head) == 0:
		return r.raw.err
	case isSkippable(head):
		if err := r.skipFrame(); err != nil {
			return r.failMember(err)
		}
		return r.open()
	case startsMember(head):
		r.layout = zipped
		if err := r.openMember(); err != nil {
			return r.failMember(err)
		}
		r.text.reset((*member)(r))
		r.inner = 0
	case bytes.Equal(head, magic):
		r.layout, r.sawPlain = plain, true
	default:
		return r.failMember(errStray)
	}
	r.inside = true
	return nil
}

var (
	errStray = errors.New("stray bytes")
	errBomb  = errors.New("bomb")
)

// openMember starts to read the member at the current position in the file.
func (r *Reader) openMember() (err error) {
	r.ahead.Reset(&r.raw)
	in := io.Reader(&r.ahead)
	if r.isZstd = isZstd(r.raw.peek(4)); r.isZstd {
		if r.frame, err = newFrame(&r.raw); err != nil {
			return err
		}
		in = r.frame
	}
	if r.member, err = r.current.open(in, r.isZstd); err != nil {
		r.unread()
	}
	return err
}

// unread gives the bytes that r.ahead has buffered back to r.raw, so that the next read starts at
// the first byte that has not been decompressed.
func (r *Reader) unread() {
	r.raw.skip(-r.ahead.Buffered())
	r.ahead.Reset(&r.raw)
}

// A member is a Reader that is used as an io.Reader: the method Read returns the decompressed text
// of the current gzip member or zstd frame.
type member Reader

func (m *member) Read(p []byte) (n int, err error) {
	text, size := m.text.base+int64(len(m.text.buf))-m.inner, m.raw.offset()-int64(m.ahead.Buffered())-m.start
	if text > bombSize && text/bombRatio > size {
		err = errBomb
	} else {
		n, err = m.member.Read(p)
	}
	if err != nil {
		(*Reader)(m).unread()
	}
	if err == io.EOF && m.isZstd && !m.frame.isDone() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// in returns where the records at the current position are read from: r.text if they are
// compressed, otherwise r.raw.
func (r *Reader) in() *rewinder {
	if r.layout == zipped {
		return &r.text
	}
	return &r.raw
}

// more opens the next member if the last record of the current member continues there. It
// reports whether it has opened a member.
func (r *Reader) more() bool {
	if r.layout != zipped || r.text.err != io.EOF {
		return false
	}
	next := r.raw.peek(probeSize)
	if !startsMember(next) || isSkippable(next) || r.startsRecord(next) {
		return false
	}
	r.raw.setMark()
	r.start = r.raw.offset()
	r.inner = r.text.base + int64(len(r.text.buf))
	r.text.err = r.openMember()
	return r.text.err == nil
}

// peek returns the next n bytes of the text, even if they are in several members. If it returns
// fewer, the text ends there or cannot be read further.
func (r *Reader) peek(n int) []byte {
	in := r.in()
	for {
		b := in.peek(n)
		if len(b) >= n || !r.more() {
			return b
		}
	}
}

// record reads the next record of the current member, or of the plain text at the current
// position. If no record is left in the member or in the plain text, the error is io.EOF.
func (r *Reader) record() (*Record, error) {
	in := r.in()
	skipBlank(in)
	in.setMark()
	record := &Record{Offset: r.start, Inner: in.offset() - r.inner}
	if r.layout == plain {
		record.Offset, record.Inner = in.offset(), 0
	}
	switch head := in.peek(len(magic)); {
	case len(head) == 0:
		return nil, r.endOf(record)
	case r.layout == plain && startsMember(head):
		return nil, io.EOF // a member starts here, so the plain text has ended
	}
	n, kind := r.header(record)
	if kind == "" {
		kind = r.block(record, n)
	}
	if kind != "" {
		return nil, r.fail(record, kind)
	}
	return record, nil
}

// endOf returns the error for the point where the Reader cannot read more text: io.EOF if the text
// is complete, a Fault if the compressed data are damaged, or the error of a failed read.
func (r *Reader) endOf(record *Record) error {
	if err := r.in().err; r.layout == plain || err == io.EOF {
		return err
	}
	return r.fail(record, r.badMember())
}

// badMember returns the kind of damage for a member that cannot be decompressed.
func (r *Reader) badMember() Kind {
	if r.isZstd {
		return BadZstd
	}
	return BadGzip
}

// header parses the header of a record, but does not skip the header. The result n is the length
// of the header in bytes. No header contains the start of another record. Without this check, in
// a file of such starts, header would read up to its limit after each of them.
func (r *Reader) header(record *Record) (n int, kind Kind) {
	for size := 1 << 10; ; {
		b := r.in().peek(size)
		next := recordStart(b)
		if next >= 0 {
			b = b[:next]
		}
		if n = headerEnd(b); n > 0 {
			return n, record.parse(b[:n])
		}
		switch {
		case next >= 0:
			return 0, BadHeader
		case !bytes.HasPrefix(b, magic[:min(len(b), len(magic))]):
			return 0, StrayBytes
		case len(b) == size && size >= headerLimit:
			return 0, BadHeader
		case len(b) == size:
			size *= 2
		case !r.more():
			return 0, r.short(BadHeader)
		}
	}
}

// block reads the block of a record. The Reader is still at the start of the record's header, which
// is n bytes long.
func (r *Reader) block(record *Record, n int) Kind {
	if record.Length > BlockLimit {
		return r.longBlock(record, n)
	}
	size := int(record.Length)
	if len(r.peek(n+size)) < n+size {
		return r.short(BadLength)
	}
	in := r.in()
	b := in.peek(n + size + endSize)
	switch {
	case !endsBlock(b[n+size:]):
		return BadLength
	case r.layout == zipped && in.err != nil && in.err != io.EOF:
		return r.badMember() // damage after the block, such as a wrong checksum
	}
	record.Block = b[n : n+size]
	in.skip(n + size)
	return ""
}

// short returns the kind of damage if the text ends within a record. If the text is a
// complete member, nothing was cut off. The record's header must then be wrong, and short returns
// the given kind. Otherwise, short returns CutRecord.
func (r *Reader) short(kind Kind) Kind {
	if r.layout == zipped && r.text.err == io.EOF {
		return kind
	}
	return CutRecord
}

// longBlock reads a block that is longer than BlockLimit.
func (r *Reader) longBlock(record *Record, n int) Kind {
	r.in().skip(n)
	r.long = append(r.long[:0], r.peek(BlockLimit)...)
	for left := record.Length; left > 0; {
		b := r.peek(int(min(left, 1<<16)))
		if len(b) == 0 {
			return r.short(BadLength)
		}
		r.in().skip(len(b))
		left -= int64(len(b))
	}
	if !endsBlock(r.in().peek(endSize)) {
		return BadLength
	}
	record.Block, record.Truncated = r.long, true
	return ""
}

// endSize is the number of bytes that endsBlock needs: 4 for two line ends, and 5 for the start of a
// record or member.
const endSize = 4 + 5

// endsBlock reports whether b can be the text after a block. Two line ends, "\r\n" or "\n", should
// follow a block, but some writers leave out one or both. If a line end is missing, endsBlock
// returns true only before a record, before a member, or at the end of the input.
func endsBlock(b []byte) bool {
	rest := bytes.TrimLeft(b, "\r\n")
	return len(rest) == 0 || bytes.HasPrefix(b, []byte("\r\n\r\n")) || bytes.HasPrefix(b, []byte("\n\n")) ||
		startsRecordOrMember(rest)
}

// startsRecordOrMember reports whether b can be the start of a record or of a member. A record
// starts with "WARC/"; if b is shorter than that, the first octets are enough, as in "WAR".
func startsRecordOrMember(b []byte) bool {
	return bytes.HasPrefix(b, magic[:min(len(b), len(magic))]) || startsMember(b)
}

// skipBlank skips line ends.
func skipBlank(in *rewinder) {
	for {
		b := in.peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return
		}
		in.skip(1)
	}
}
