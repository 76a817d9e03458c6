package warc

import "fmt"

// A Kind classifies damage.
type Kind string

// The kinds of damage.
const (
	StrayBytes   Kind = "stray bytes"                      // neither a record nor a gzip member nor a zstd frame
	BadHeader    Kind = "bad record header"                // a header without an end or a valid length, or with an unknown version
	BadLength    Kind = "bad record length"                // the block does not end where the length in the header says
	CutRecord    Kind = "cut record"                       // the file or the member ends within the record
	BadGzip      Kind = "bad gzip data"                    // a wrong checksum, or data that cannot be decompressed
	BadZstd      Kind = "bad zstd data"                    // a wrong checksum, or data that cannot be decompressed
	Bomb         Kind = "decompression bomb"               // data that decompresses to more than 500 times its size, and to more than 1 MiB (for a body) or 4 MiB (for a member)
	NoDictionary Kind = "zstd data without its dictionary" // the archive should start with the dictionary
	BigWindow    Kind = "zstd window above 8 MiB"          // decompression would take too much memory
	Empty        Kind = "empty archive"                    // a file of 0 bytes

	BadResponse Kind = "bad HTTP response"  // no status line, or a header without an end
	BadCoding   Kind = "bad content coding" // a body, or a part of it, cannot be decoded
)

// A Fault is the error that reports damage in a file. The Reader can continue after the damage.
type Fault struct {
	Kind   Kind
	Offset int64 // where the damaged gzip member or zstd frame starts in the file; in a plain file, where the damaged record starts
	Inner  int64 // where the damaged record starts in the decompressed member or frame
}

func (f *Fault) Error() string {
	if f.Inner > 0 {
		return fmt.Sprintf("%s at offset %d, decompressed offset %d", f.Kind, f.Offset, f.Inner)
	}
	return fmt.Sprintf("%s at offset %d", f.Kind, f.Offset)
}
