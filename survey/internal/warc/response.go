package warc

import (
	"bytes"
	"io"
	"net/http/httputil"
	"strconv"
	"strings"
)

// A Response is an HTTP response.
type Response struct {
	Status    int
	Location  string // where a redirect leads
	Body      []byte // decoded; its first BodyLimit bytes
	Truncated bool   // the body goes on, or it was damaged from there on
	Undecoded bool   // the coding of the body is unknown or damaged from its start, so there is no Body
}

// ReadResponse reads an HTTP response from the block of a record. Its body may be
// chunked, and compressed with gzip, deflate, br or zstd, or may not be, whatever the
// header says: many archives hold decoded bodies below the original header. The body
// may share its memory with the block.
//
// The kind is empty if all is well. If the body cannot be decoded to its end, the
// response has the status and what could be decoded. With verify, a body without the
// digest in the record's header is damage.
func ReadResponse(record *Record, verify bool) (Response, Kind) {
	status, header, body, ok := cutHeader(record.Block)
	for ok && status/100 == 1 && bytes.HasPrefix(body, []byte("HTTP/")) {
		status, header, body, ok = cutHeader(body) // after "100 Continue", or early hints
	}
	if !ok {
		return Response{}, BadResponse
	}
	var transfer, content string
	length := -1
	response := Response{Status: status, Body: body, Truncated: record.Truncated}
	fields(header, func(name, value []byte) {
		switch {
		case is(name, "Transfer-Encoding"):
			transfer = strings.ToLower(string(value))
		case is(name, "Content-Encoding"):
			content = strings.ToLower(string(value))
		case is(name, "Content-Length"):
			if n, err := strconv.Atoi(string(value)); err == nil && length < 0 {
				length = n
			}
		case is(name, "Location"):
			response.Location = string(value)
		}
	})
	kind := response.unchunk(transfer)
	payload := response.Body
	isPlain := true
	for _, list := range []string{transfer, content} {
		plain, k := response.decode(list)
		isPlain = isPlain && plain
		if k != "" {
			kind = k
		}
	}
	switch {
	case status/100 == 1 || status == 204 || status == 304: // such responses have no body, whatever Content-Length says
	case isPlain && content != "" && content != "identity": // was decoded before it was stored
	case !strings.Contains(transfer, "chunked") && length > len(body):
		response.Truncated = true
	}
	if verify && !record.hasDigest(record.PayloadDigest, body, payload, response.Body) {
		return Response{}, BadDigest
	}
	if len(response.Body) > BodyLimit {
		response.Body, response.Truncated = response.Body[:BodyLimit], true
	}
	if record.Truncated && kind == BadCoding {
		kind = "" // the end is missing, and nothing else is known to be wrong
	}
	return response, kind
}

// cutHeader cuts a response after its header.
func cutHeader(block []byte) (status int, header, body []byte, ok bool) {
	n := headerEnd(block)
	if n == 0 {
		return 0, nil, nil, false
	}
	status, header, ok = statusLine(block[:n])
	return status, header, block[n:], ok
}

// statusLine returns the status of a response and what follows its first line.
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
	body, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(r.Body)))
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
