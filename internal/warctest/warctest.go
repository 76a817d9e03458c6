// Package warctest writes WARC files for tests and measurements.
package warctest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"time"
)

// Record returns a WARC 1.1 record of the given kind. It inserts headerLines, each with its
// line ending, into the header of the record.
func Record(kind, headerLines string, block []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: %s\r\n%sContent-Length: %d\r\n\r\n", kind, headerLines, len(block))
	b.Write(block)
	b.WriteString("\r\n\r\n")
	return b.Bytes()
}

// Response returns a WARC record with the HTTP response from a URL. The parameter header
// contains the lines of the HTTP header, each with its line ending.
func Response(url string, fetched time.Time, status int, header string, body []byte) []byte {
	fields := fmt.Sprintf("WARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\n",
		url, fetched.UTC().Format(time.RFC3339))
	block := fmt.Appendf(nil, "HTTP/1.1 %d Status\r\n%s\r\n", status, header)
	return Record("response", fields, append(block, body...))
}

// Gzip returns the data as one gzip member.
func Gzip(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data) // writing to a bytes.Buffer cannot fail
	w.Close()
	return b.Bytes()
}
