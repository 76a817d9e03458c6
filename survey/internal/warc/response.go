package warc

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httputil"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Response is an HTTP response.
type Response struct {
	Status    int
	Location  string // where a redirect leads
	Body      []byte // decoded; its first BlockLimit bytes
	Truncated bool   // the body goes on, or it was damaged from there on
}

// ReadResponse reads an HTTP response from the block of a record. Its body may be
// chunked or compressed with gzip, or may not be, whatever the header says: many
// archives hold decoded bodies below the original header. The body may share its
// memory with the block.
//
// The kind is empty if all is well. If the coding of the body is bad or unknown,
// the response has the status and what could be decoded.
func ReadResponse(block []byte) (Response, Kind) {
	n := headerEnd(block)
	status, rest, ok := statusLine(block)
	if !ok || n == 0 {
		return Response{}, BadResponse
	}
	response := Response{Status: status, Body: block[n:]}
	var transfer, content string
	fields(rest[:len(rest)-(len(block)-n)], func(name, value []byte) {
		switch {
		case is(name, "Transfer-Encoding"):
			transfer = strings.ToLower(string(value))
		case is(name, "Content-Encoding"):
			content = strings.ToLower(string(value))
		case is(name, "Location"):
			response.Location = string(value)
		}
	})
	kind := response.unchunk(transfer)
	if k := response.decompress(content); k != "" {
		kind = k
	}
	return response, kind
}

// statusLine returns the status of a response and what is behind its first line.
func statusLine(b []byte) (status int, rest []byte, ok bool) {
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	version, code, _ := bytes.Cut(line, []byte(" "))
	code = bytes.TrimSpace(code)
	if !bytes.HasPrefix(version, []byte("HTTP/")) || len(code) < 3 || len(code) > 3 && code[3] != ' ' {
		return 0, nil, false
	}
	for _, c := range code[:3] {
		if c < '0' || c > '9' {
			return 0, nil, false
		}
		status = 10*status + int(c-'0')
	}
	return status, rest, true
}

// unchunk joins the chunks of the body.
func (r *Response) unchunk(transfer string) Kind {
	if !strings.HasSuffix(transfer, "chunked") || !startsChunk(r.Body) {
		return ""
	}
	body, err := io.ReadAll(io.LimitReader(httputil.NewChunkedReader(bytes.NewReader(r.Body)), BlockLimit))
	r.Body = body
	if err != nil {
		r.Truncated = true
		return BadCoding
	}
	return ""
}

// startsChunk reports whether b starts with the size of a chunk on a line.
func startsChunk(b []byte) bool {
	line, _, ok := bytes.Cut(b[:min(len(b), 100)], []byte("\n"))
	size, _, _ := bytes.Cut(line, []byte(";"))
	size = bytes.TrimSpace(size)
	return ok && len(size) > 0 && len(size) <= 16 && len(bytes.Trim(size, "0123456789abcdefABCDEF")) == 0
}

// unzippers holds gzip.Readers to use again.
var unzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// decompress undoes the content coding of the body.
func (r *Response) decompress(content string) Kind {
	switch {
	case content == "" || content == "identity" || len(r.Body) == 0:
		return ""
	case bytes.HasPrefix(r.Body, gzipMagic):
		return r.unzip()
	case strings.HasSuffix(content, "gzip") || isText(r.Body):
		return "" // decoded already
	}
	r.Body, r.Truncated = nil, true
	return BadCoding
}

// isText reports whether the body is text in UTF-8 or, with its mark, in UTF-16.
func isText(body []byte) bool {
	return utf8.Valid(body) && bytes.IndexByte(body, 0) < 0 ||
		bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// unzip decompresses the body.
func (r *Response) unzip() Kind {
	zip := unzippers.Get().(*gzip.Reader)
	defer unzippers.Put(zip)
	in := bytes.NewReader(r.Body)
	if err := zip.Reset(in); err != nil {
		r.Body, r.Truncated = nil, true
		return BadCoding
	}
	body, err := io.ReadAll(io.LimitReader(zip, BlockLimit+1))
	read := len(r.Body) - in.Len()
	r.Body = body[:min(len(body), BlockLimit)]
	switch {
	case err != nil:
		r.Truncated = true
		return BadCoding
	case len(body) <= BlockLimit:
		return ""
	}
	r.Truncated = true
	if len(body)/bombRatio > read {
		return Bomb
	}
	return ""
}
