package warc

import "fmt"

// A Kind classifies damage.
type Kind string

// The kinds of damage.
const (
	StrayBytes Kind = "stray bytes"       // neither a record nor a gzip member
	BadHeader  Kind = "bad record header" // no length, no version that is known, or no end
	BadLength  Kind = "bad record length" // the next record does not start behind the block
	CutRecord  Kind = "cut record"        // the file or the gzip member ends within it
	BadGzip    Kind = "bad gzip data"     // wrong checksum, or not decompressible
	Bomb       Kind = "gzip bomb"         // decompresses to more than 500 times its size, and to megabytes

	BadResponse Kind = "bad HTTP response"  // no status line, or a header without an end
	BadCoding   Kind = "bad content coding" // a body in an unknown coding, or damaged in its coding
)

// A Fault is damage in a file. It is an error, but not the end: after it a Reader
// goes on with what is behind.
type Fault struct {
	Kind   Kind
	Offset int64 // in the file, of the gzip member or, in a plain file, of the record
	Inner  int64 // in the decompressed data of the member
}

func (f *Fault) Error() string {
	if f.Inner > 0 {
		return fmt.Sprintf("%s at offset %d, decompressed offset %d", f.Kind, f.Offset, f.Inner)
	}
	return fmt.Sprintf("%s at offset %d", f.Kind, f.Offset)
}
