package warc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The first bytes of a record, a gzip member and a zstd frame.
var (
	magic     = []byte("WARC/")
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

const (
	maxWindow = 8 << 20   // the largest zstd window that is accepted; RFC 8878 recommends this size
	maxBlock  = 128 << 10 // the largest zstd block (RFC 8878, section 3.1.1.2.4)
	maxDict   = 8 << 20   // the largest zstd dictionary that is accepted
)

var errBadFrame = errors.New("bad zstd frame")

// IsArchive reports whether head is the start of a WARC file, or of any file that is
// compressed with gzip or zstd.
func IsArchive(head []byte) bool {
	return bytes.HasPrefix(head, magic) || bytes.HasPrefix(head, gzipMagic[:2]) || isZstd(head)
}

// IsOtherGzip reports whether head starts a gzip member that does not contain WARC records.
func IsOtherGzip(head []byte) bool {
	zip, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	start := make([]byte, 64)
	n, _ := io.ReadFull(zip, start)
	start = bytes.TrimLeft(start[:n], "\r\n")
	return len(start) > 0 && !bytes.HasPrefix(start, magic[:min(len(start), len(magic))])
}

// startsMember reports whether b starts like a gzip member or a zstd frame.
func startsMember(b []byte) bool { return bytes.HasPrefix(b, gzipMagic) || isZstd(b) }

// isZstd reports whether b starts like a zstd frame or like a skippable frame.
func isZstd(b []byte) bool { return bytes.HasPrefix(b, zstdMagic) || isSkippable(b) }

// isSkippable reports whether b starts like a skippable frame (RFC 8878, section 3.1.2).
func isSkippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18
}

// A decompressor decompresses gzip members and zstd frames, one at a time.
type decompressor struct {
	zip  *gzip.Reader
	zstd *zstd.Decoder
	dict []byte // the zstd dictionary; empty if there is none
}

// open returns a reader of the decompressed text of src. If isZstd is true, src must start with
// a zstd frame, and the reader also decompresses the frames after it. Otherwise src must start with
// a gzip member, and the reader stops at the end of this member.
func (d *decompressor) open(src io.Reader, isZstd bool) (io.Reader, error) {
	if isZstd {
		if d.zstd == nil {
			var err error
			if d.zstd, err = newZstd(d.dict); err != nil {
				return nil, errBadFrame
			}
		}
		return d.zstd, d.zstd.Reset(src)
	}
	if d.zip == nil {
		d.zip = new(gzip.Reader)
	}
	if err := d.zip.Reset(src); err != nil {
		return nil, err
	}
	d.zip.Multistream(false)
	return d.zip, nil
}

// newZstd returns a decoder that starts no goroutines. It uses the dictionary dict, if any.
func newZstd(dict []byte) (*zstd.Decoder, error) {
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true),
	}
	if len(dict) > 0 {
		options = append(options, zstd.WithDecoderDicts(dict))
	}
	return zstd.NewReader(nil, options...)
}

// A frame reads the compressed bytes of one zstd frame (RFC 8878, section 3.1.1), and no bytes
// after that frame.
type frame struct {
	in       *rewinder
	left     int  // the number of unread bytes of the current piece: the header, a block or the checksum
	checksum bool // the frame ends with a checksum, which is still to come
	last     bool // no block follows the current piece
}

// newFrame returns a reader of the zstd frame at the current position of in.
func newFrame(in *rewinder) (*frame, error) {
	var h zstd.Header
	if err := h.Decode(in.peek(zstd.HeaderMaxSize)); err != nil {
		return nil, err
	}
	if h.WindowSize > maxWindow {
		return nil, zstd.ErrWindowSizeExceeded
	}
	return &frame{in: in, left: h.HeaderSize, checksum: h.HasCheckSum}, nil
}

// isDone reports whether all of the frame has been read.
func (f *frame) isDone() bool { return f.last && !f.checksum && f.left == 0 }

func (f *frame) Read(p []byte) (int, error) {
	if f.left == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n, err := f.in.Read(p[:min(len(p), f.left)])
	f.left -= n
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next starts the next piece of the frame, which is a block or the checksum. It sets f.left to
// the length of that piece. If there is no other piece, next returns io.EOF.
func (f *frame) next() error {
	switch {
	case !f.last:
		b := f.in.peek(3)
		if len(b) < 3 {
			return io.ErrUnexpectedEOF
		}
		header := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		const runLength = 1 // the type of a block that repeats one byte
		if f.last, f.left = header&1 == 1, 3+header>>3; header>>1&3 == runLength {
			f.left = 3 + 1
		}
	case f.checksum:
		f.checksum, f.left = false, 4
	default:
		return io.EOF
	}
	return nil
}

// skipFrame skips a zstd frame that contains no records (a "skippable frame"). The first frame of
// a file may be such a frame with a dictionary for the other frames. skipFrame then decompresses
// the dictionary, if it is compressed, and stores it.
func (r *Reader) skipFrame() error {
	isDict := r.raw.offset() == 0 && r.raw.peek(1)[0] == 0x5d
	head := r.raw.peek(8)
	if len(head) < 8 {
		return io.ErrUnexpectedEOF
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	r.raw.skip(8)
	if !isDict {
		n, err := io.CopyN(io.Discard, &r.raw, size)
		return short(n, size, err)
	}
	if size > maxDict {
		return errBadFrame
	}
	dict := make([]byte, size)
	if n, err := io.ReadFull(&r.raw, dict); err != nil {
		return short(int64(n), size, err)
	}
	if bytes.HasPrefix(dict, zstdMagic) {
		in, err := r.current.open(bytes.NewReader(dict), true)
		if err == nil {
			dict, err = io.ReadAll(io.LimitReader(in, maxDict+1))
		}
		if err != nil || len(dict) > maxDict {
			return errBadFrame
		}
	}
	r.current, r.probe = decompressor{dict: dict}, decompressor{dict: dict}
	return nil
}

// short is called after a read of size bytes that returned n bytes and the error err. If the
// file ended too early, short returns io.ErrUnexpectedEOF. Otherwise it returns err.
func short(n, size int64, err error) error {
	if n < size && (err == io.EOF || err == io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
