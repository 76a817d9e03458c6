package warc

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// A Record is one record of a WARC file.
type Record struct {
	Offset int64 // the start of the gzip member or zstd frame that contains the record; in a plain file, the start of the record
	Inner  int64 // the start of the record in the decompressed member or frame

	Type        string    // in lower case: "response", "request", "warcinfo", …
	TargetURI   string    // without the angle brackets that some writers add
	Date        time.Time // zero if it is missing or malformed
	ContentType string
	Truncated   bool  // whether Block lacks a part of the content: the block is longer than BlockLimit, or the record itself lacks that part
	Length      int64 // the length of the whole block, in bytes

	Block []byte // the first BlockLimit bytes of the block

	PayloadDigest string // with the name of the algorithm, such as "sha1:…"

	// Of a revisit: what kind it is, and the capture to which it refers.
	Profile      string // a URL
	RefersToURI  string
	RefersToDate time.Time // zero if it is missing or malformed
}

// IsHTTPResponse reports whether the record contains an HTTP response.
func (r *Record) IsHTTPResponse() bool {
	media, _, _ := strings.Cut(r.ContentType, ";")
	return r.Type == "response" && strings.EqualFold(strings.TrimSpace(media), "application/http")
}

// IsRevisit reports whether the record is a capture without its body, of one of the kinds that ISO 28500
// defines: the body is that of another capture, or the server replied that it has not changed.
func (r *Record) IsRevisit() bool {
	return r.Type == "revisit" && r.TargetURI != "" &&
		(strings.HasSuffix(r.Profile, "identical-payload-digest") || r.IsNotModified())
}

// IsNotModified reports whether the record is a revisit after the server replied that the body has not changed.
func (r *Record) IsNotModified() bool {
	return r.Type == "revisit" && strings.HasSuffix(r.Profile, "/server-not-modified")
}

// LacksFields reports whether the header lacks a field that it needs. Every record needs a type.
// A response also needs a URL and, if this is an http or https URL, the media type application/http.
// A missing field is a sign of damage. In a plain file, which has no checksum, it may be the only
// sign.
func (r *Record) LacksFields() bool {
	return r.Type == "" || r.Type == "response" &&
		(r.TargetURI == "" || strings.HasPrefix(strings.ToLower(r.TargetURI), "http") && !r.IsHTTPResponse())
}

// headerEnd returns the length of the header that b starts with, including the empty line
// after it. It returns 0 if b does not contain all of the header.
func headerEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return 0
		}
		i += n + 1
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte("\r\n")):
			return i + 2
		case bytes.HasPrefix(rest, []byte("\n")):
			return i + 1
		}
	}
}

// parse sets the fields of the record from its header. It returns BadHeader if the version is
// unknown, or if the length is missing or malformed.
func (r *Record) parse(header []byte) Kind {
	version, rest, _ := bytes.Cut(header, []byte("\n"))
	switch string(bytes.TrimSpace(version)) {
	case "WARC/1.0", "WARC/1.1", "WARC/0.17", "WARC/0.18": // the drafts differ in nothing that matters here
	default:
		return BadHeader
	}
	r.Length = -1
	fields(rest, r.set)
	if r.Length < 0 {
		return BadHeader
	}
	return ""
}

// set stores the value of a header field in the record.
func (r *Record) set(name, value []byte) {
	switch {
	case isField(name, "WARC-Type"):
		r.Type = strings.ToLower(string(value))
	case isField(name, "WARC-Target-URI"):
		r.TargetURI = withoutBrackets(value)
	case isField(name, "WARC-Date"):
		r.Date = parseDate(value)
	case isField(name, "Content-Type"):
		r.ContentType = string(value)
	case isField(name, "WARC-Truncated"), isField(name, "WARC-Segment-Number"):
		r.Truncated = r.Truncated || len(value) > 0
	case isField(name, "WARC-Payload-Digest"):
		r.PayloadDigest = string(value)
	case isField(name, "WARC-Profile"):
		r.Profile = withoutBrackets(value)
	case isField(name, "WARC-Refers-To-Target-URI"):
		r.RefersToURI = withoutBrackets(value)
	case isField(name, "WARC-Refers-To-Date"):
		r.RefersToDate = parseDate(value)
	case isField(name, "Content-Length"):
		n, err := strconv.ParseUint(string(value), 10, 62)
		if err == nil && r.Length < 0 {
			r.Length = int64(n)
		}
	}
}

func withoutBrackets(url []byte) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(url), "<"), ">")
}

// parseDate returns the zero time for a date before the year 1 or after 9999. Such a date is certainly
// wrong, and encoding/json fails if the year is negative or has five digits.
func parseDate(value []byte) time.Time {
	date, err := time.Parse(time.RFC3339, string(value))
	if err != nil || date.UTC().Year() <= 0 || date.UTC().Year() >= 10_000 {
		return time.Time{}
	}
	return date.UTC()
}

// fields calls the function set for each field of a WARC or HTTP header. A line that starts
// with a space or tab continues the value on the line before.
func fields(header []byte, set func(name, value []byte)) {
	for len(header) > 0 {
		line, rest, _ := bytes.Cut(header, []byte("\n"))
		for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
			var next []byte
			next, rest, _ = bytes.Cut(rest, []byte("\n"))
			line = bytes.Join([][]byte{bytes.TrimSpace(line), bytes.TrimSpace(next)}, []byte(" "))
		}
		header = rest
		if name, value, ok := bytes.Cut(line, []byte(":")); ok {
			set(bytes.TrimSpace(name), bytes.TrimSpace(value))
		}
	}
}

// isField reports whether name equals want, ignoring case.
func isField(name []byte, want string) bool {
	return len(name) == len(want) && strings.EqualFold(string(name), want)
}
