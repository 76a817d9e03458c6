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
//			log.Print(fault) // damage; the next call goes on after it
//			continue
//		case err != nil:
//			return err // the file cannot be read
//		}
//		…
//	}
//
// # Compression
//
// A file may be compressed with gzip or zstd: one member or frame for each record,
// which is usual, one for the whole file, or blocks that have nothing to do with the
// records. A zstd file may start with a dictionary in a skippable frame (magic number
// 0x184D2A5D), as in the specification of .warc.zst. A file may also be plain, and it
// may mix all of these. A Reader finds out by itself.
//
// # Damage
//
// A damaged archive is common, so damage does not end the reading. Each damaged
// stretch is one [Fault] with its offset, and the Reader goes on at the next member
// or frame, or else at the next line that starts a record. A record that was cut or
// whose length is wrong is a Fault, not a Record: nobody takes half a robots.txt for
// a whole one.
//
// # Memory and time
//
// A Reader reads forward and keeps at most a few megabytes, whatever the file
// declares or decompresses to. It may go back over bytes it has read to look for
// the next record, by at most four times the size of the file in all.
package warc
