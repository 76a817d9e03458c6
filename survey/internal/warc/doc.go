// Package warc reads WARC files, the archive format of web crawls (ISO 28500,
// versions 1.0 and 1.1).
//
//	r := warc.NewReader(file)
//	for {
//		record, err := r.Next()
//		var fault *warc.Fault
//		switch {
//		case err == io.EOF:
//			return nil
//		case errors.As(err, &fault):
//			log.Print(fault) // the next call continues after the damage
//			continue
//		case err != nil:
//			return err // the file cannot be read
//		}
//		…
//	}
//
// # Compression
//
// A file may be compressed with gzip or zstd. Usually each record is one member or frame, but
// one member may also contain the whole file, and members may end within records. A zstd
// file may start with a dictionary in a skippable frame (magic number 0x184D2A5D), as the
// specification of .warc.zst describes. A file may also be plain, or mix all of these. A
// Reader detects the compression.
//
// # Damage
//
// Damaged archives are common, so a Reader continues after damage. It returns a [Fault] with
// an offset for each damaged part, and continues at the next member or frame, or at the next
// line that starts a record. It also returns a Fault for a record that is cut or has a wrong
// length, so that half a robots.txt is never mistaken for a complete one.
//
// The checksum of a member or frame comes at its end. If one member contains many records,
// the Reader has already returned some of them when it finds a wrong checksum. A plain file
// has no checksums. In both cases only digests show damage in a body; see [Reader].Verify.
//
// # Memory and time
//
// A Reader stores at most a few megabytes in memory, whatever lengths the file declares. To
// find the next record after damage, it may read bytes again. In total, it reads at most four
// times the size of the file again.
package warc
