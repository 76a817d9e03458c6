package warc

import "fmt"

// A Kind classifies damage.
type Kind string

// The kinds of damage.
const (
	StrayBytes Kind = "stray bytes"             // neither a record nor a gzip member
	BadHeader  Kind = "bad record header"       // no length, no version that is known, or no end
	BadLength  Kind = "bad record length"       // the next record does not start after the block
	CutRecord  Kind = "cut record"              // the file or the gzip member ends within it
	BadGzip    Kind = "bad gzip data"           // wrong checksum, or not decompressible
	BadZstd    Kind = "bad zstd data"           // likewise
	Bomb       Kind = "decompression bomb"      // decompresses to more than 500 times its size, and to megabytes
	BigWindow  Kind = "zstd window above 8 MiB" // decompressing would take more memory than a Reader allows
	Empty      Kind = "empty archive"           // a file without a byte
	BadDigest  Kind = "wrong digest"            // the content differs from the digest in the record's header

	BadResponse Kind = "bad HTTP response"  // no status line, or a header without an end
	BadCoding   Kind = "bad content coding" // a body that cannot be decoded to its end
)

// A Fault is damage in a file. It is an error, but not the end: a Reader goes on after
// it.
type Fault struct {
	Kind   Kind
	Offset int64 // in the file, of the gzip member or zstd frame or, in a plain file, of the record
	Inner  int64 // in the decompressed data of the member
}

func (f *Fault) Error() string {
	if f.Inner > 0 {
		return fmt.Sprintf("%s at offset %d, decompressed offset %d", f.Kind, f.Offset, f.Inner)
	}
	return fmt.Sprintf("%s at offset %d", f.Kind, f.Offset)
}
