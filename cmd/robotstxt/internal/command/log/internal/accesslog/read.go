package accesslog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLine is the number of bytes after which a line is truncated. Servers refuse requests
// that would need longer lines.
const maxLine = 64 << 10

// ErrUnsupported means that a log is not text, or is compressed in a way that Read cannot read.
var ErrUnsupported = errors.New("only plain text, gzip and zstd can be read")

// unsupported maps the first bytes of files to what they are.
var unsupported = map[string]string{
	"\xfd7zXZ": "compressed with xz", "BZh": "compressed with bzip2", "PK\x03\x04": "compressed with zip",
	"\xff\xfe": "in UTF-16, as PowerShell writes it", "\xfe\xff": "in UTF-16",
}

// decompress returns the content of a stream, decompressed if the stream is in gzip or zstd. The
// caller must call close at the end.
func decompress(r io.Reader) (plain io.Reader, close func(), err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	start, _ := in.Peek(512)
	switch {
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		gz, err := gzip.NewReader(in)
		return gz, func() {}, err
	case bytes.HasPrefix(start, []byte("\x28\xb5\x2f\xfd")):
		zst, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, nil, err
		}
		return zst, zst.Close, nil
	}
	for magic, name := range unsupported {
		if bytes.HasPrefix(start, []byte(magic)) {
			return nil, nil, fmt.Errorf("%w, and the log is %s", ErrUnsupported, name)
		}
	}
	if bytes.IndexByte(start, 0) >= 0 {
		return nil, nil, fmt.Errorf("%w, and the log is a binary file", ErrUnsupported)
	}
	return in, func() {}, nil
}

// readLines calls yield with each line of a plain or compressed log, without its line ending.
// It truncates lines that are longer than maxLine. If reading fails, yield has already
// received the lines before the failure.
func readLines(r io.Reader, yield func(line string)) error {
	plain, closePlain, err := decompress(r)
	if err != nil {
		return err
	}
	defer closePlain()
	buf := make([]byte, 4*maxLine)
	kept := 0         // bytes at the start of buf that belong to an incomplete line
	skipping := false // whether to skip the rest of a truncated line
	for err == nil {
		var n int
		n, err = plain.Read(buf[kept:])
		end := kept + n
		cut := 0 // the end of the last complete line
		if i := bytes.LastIndexByte(buf[kept:end], '\n'); i >= 0 {
			cut = kept + i + 1
		}
		if err == io.EOF || end-cut >= maxLine {
			cut = end
		}
		for line := range strings.Lines(string(buf[:cut])) {
			text, whole := strings.CutSuffix(line, "\n")
			if !skipping {
				yield(strings.TrimSuffix(text[:min(len(text), maxLine)], "\r"))
			}
			skipping = !whole
		}
		kept = copy(buf, buf[cut:end])
	}
	if err == io.EOF {
		return nil
	}
	return err
}
