package accesslog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

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
	in := bufio.NewReaderSize(plain, maxLine)
	isRest := false // whether the line continues a truncated one
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if len(line) > 0 && !isRest {
			text := bytes.TrimSuffix(line, []byte("\n"))
			text = text[:min(len(text), maxLine)] // the buffer is larger if r has a larger one
			yield(string(bytes.TrimSuffix(text, []byte("\r"))))
		}
		if err == io.EOF {
			return nil
		}
		isRest = err == bufio.ErrBufferFull
	}
}
