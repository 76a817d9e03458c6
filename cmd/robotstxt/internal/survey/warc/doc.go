// Package warc reads WARC files, the archive format of web crawls (ISO 28500,
// versions 1.0 and 1.1, and its drafts 0.17 and 0.18).
//
// # Compression
//
// A file may be plain, compressed with gzip or zstd, or a mixture of these. A Reader detects
// the compression. Usually each record is a gzip member or zstd frame of its own. But one
// member may also contain the whole file, and a record may continue in the next member. A
// zstd file may start with a dictionary in a skippable frame (magic number 0x184D2A5D), as
// the specification of .warc.zst describes.
//
// # Damage
//
// Damaged archives are common, so a Reader continues after damage. For each damaged part, it
// returns a [Fault] with the offset. Then it continues at the next record, member or frame. A
// Reader also returns a Fault for a record that is cut or has a wrong length: half a robots.txt
// must not be mistaken for a complete one.
//
// The checksum of a member or frame comes at its end. If one member contains many records,
// the Reader has already returned some of them when it finds a wrong checksum. A plain file
// has no checksums.
//
// # Why this is not a library
//
// The Go libraries that were tried lose records without an error. On six archives of 60 captures
// each, odd but legal (one member for all records, members that cut records, and the like),
// github.com/internetarchive/gowarc returned 1, 30, 1, 0, 0 and 1 captures, and
// github.com/nlnwa/gowarc returned 1, 30, 1, 60, 60 and 30. This package returns all of them.
//
// # Memory and time
//
// A Reader needs at most a few megabytes of memory, however large the file is. To find the
// next record after damage, a Reader may go back and read some bytes again. These repeated
// reads add up to at most four times the bytes of the file or, if it is compressed, of the
// decompressed data.
package warc
