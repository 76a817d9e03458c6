package warc

import (
	"io"
	"slices"
)

// A rewinder is a buffered reader that can go back to a mark. For this, it keeps all bytes from
// the mark on in the buffer. When the buffer is full and the mark is more than limit bytes back,
// the rewinder drops the mark, so that the buffer does not grow without bound.
type rewinder struct {
	src   io.Reader
	limit int
	buf   []byte // bytes read from src
	pos   int    // buf[pos:] is still to be read
	mark  int    // the index of the mark in buf; at most pos
	lost  bool   // the mark has been dropped
	base  int64  // offset of buf[0] in src
	spent int64  // the total distance of all calls of back, in bytes
	err   error  // the error of src, or nil
}

// smallestRead is the number of free bytes that the buffer must have before a read from src.
const smallestRead = 16 << 10

// reset starts over with another source. It reuses the buffer.
func (r *rewinder) reset(src io.Reader) {
	*r = rewinder{src: src, limit: r.limit, buf: r.buf[:0]}
}

// offset returns the offset in src of the next byte.
func (r *rewinder) offset() int64 { return r.base + int64(r.pos) }

// setMark sets the mark at the next byte.
func (r *rewinder) setMark() { r.mark, r.lost = r.pos, false }

// back goes back to the byte after the mark. It does nothing if the mark has been dropped.
//
// After damage, the Reader goes back to the mark to search for the next record. In a file with much
// damage, this could take quadratic time. So back also does nothing if the total distance of its
// calls would exceed a limit: four times the number of bytes that have been read from src.
func (r *rewinder) back() {
	distance := int64(r.pos - r.mark)
	if r.lost || distance == 0 || r.spent+distance > 4*(r.base+int64(len(r.buf))) {
		return
	}
	r.spent += distance
	r.pos = r.mark + 1
}

// fill reads more from the source. If the buffer has to grow, it gets room for at least n more
// bytes. Slices from earlier calls of peek become invalid.
func (r *rewinder) fill(n int) {
	if r.err != nil {
		return
	}
	if cap(r.buf)-len(r.buf) < smallestRead {
		r.makeRoom(n)
	}
	for range 100 {
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// makeRoom makes room in the buffer for the next read. It drops the bytes before the mark. If the
// mark is more than limit bytes before the position, makeRoom drops the mark, and all bytes before
// the position. If there is still too little room, makeRoom grows the buffer, so that at least
// size bytes fit.
func (r *rewinder) makeRoom(size int) {
	keep := r.mark
	if r.lost || r.pos-r.mark > r.limit {
		keep, r.lost = r.pos, true
	}
	n := copy(r.buf, r.buf[keep:])
	r.buf = r.buf[:n]
	r.base += int64(keep)
	r.pos -= keep
	r.mark = 0
	if cap(r.buf)-n < smallestRead {
		r.buf = slices.Grow(r.buf, max(4*smallestRead, n, size))
	}
}

// peek returns the next n bytes, or all if there are fewer, without moving the position. The
// bytes are valid until the next call of a method.
func (r *rewinder) peek(n int) []byte {
	for len(r.buf)-r.pos < n && r.err == nil {
		r.fill(n)
	}
	return r.buf[r.pos:min(r.pos+n, len(r.buf))]
}

// skip moves the position over n bytes that peek returned. If n is negative, it moves the
// position back.
func (r *rewinder) skip(n int) { r.pos += n }

func (r *rewinder) Read(p []byte) (int, error) {
	if len(r.peek(1)) == 0 {
		return 0, r.err
	}
	n := copy(p, r.buf[r.pos:])
	r.pos += n
	return n, nil
}
