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
	Location  string // the value of the Location header, which is the target of a redirect
	Body      []byte // at most the first BodyLimit bytes of the decoded body
	Truncated bool   // the rest of the body is missing or damaged
	Undecoded bool   // Body is missing, because it could not be decoded
}

// ReadResponse reads an HTTP response from the block of a record. It joins the chunks of a
// chunked body, and decodes gzip, deflate, br and zstd. Many archives store decoded bodies with
// the original header; ReadResponse does not change such bodies. The returned body may share its
// memory with the block.
//
// The returned Kind is empty if there is no damage. If only the start of the body can be
// decoded, the response contains this part of the body.
func ReadResponse(record *Record) (Response, Kind) {
	status, header, body, ok := cutHeader(record.Block)
	for ok && status/100 == 1 && bytes.HasPrefix(body, []byte("HTTP/")) {
		status, header, body, ok = cutHeader(body) // skip interim responses such as "100 Continue"
	}
	if !ok {
		return Response{}, BadResponse
	}
	var transfer, content string
	length := -1
	response := Response{Status: status, Body: body, Truncated: record.Truncated}
	fields(header, func(name, value []byte) {
		switch {
		case isField(name, "Transfer-Encoding"):
			transfer = strings.ToLower(string(value))
		case isField(name, "Content-Encoding"):
			content = strings.ToLower(string(value))
		case isField(name, "Content-Length"):
			if n, err := strconv.Atoi(string(value)); err == nil && length < 0 {
				length = n
			}
		case isField(name, "Location"):
			response.Location = string(value)
		}
	})
	kind := response.unchunk(transfer)
	isPlain := true
	for _, list := range []string{transfer, content} {
		plain, k := response.decode(list)
		isPlain = isPlain && plain
		if k != "" {
			kind = k
		}
	}
	switch {
	case status/100 == 1 || status == 204 || status == 304: // such a response has no body, whatever its Content-Length
	case isPlain && content != "" && content != "identity": // the archive stores the body decoded, so the Content-Length does not apply
	case !strings.Contains(transfer, "chunked") && length > len(body):
		response.Truncated = true
	}
	if len(response.Body) > BodyLimit {
		response.Body, response.Truncated = response.Body[:BodyLimit], true
	}
	if record.Truncated && kind == BadCoding {
		kind = "" // the body ends early because the record is truncated
	}
	return response, kind
}

// cutHeader splits a response into status, header and body.
func cutHeader(block []byte) (status int, header, body []byte, ok bool) {
	n := headerEnd(block)
	if n == 0 {
		return 0, nil, nil, false
	}
	status, header, ok = statusLine(block[:n])
	return status, header, block[n:], ok
}

// statusLine reads the first line of a response. It returns the status and the other lines. If
// the first line is not a status line, ok is false.
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

// unchunk joins the chunks of a chunked body. It returns BadCoding if a chunk is damaged.
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

// startsChunk reports whether b starts like a chunk, with a hexadecimal number on its first line.
func startsChunk(b []byte) bool {
	line, _, ok := bytes.Cut(b[:min(len(b), 100)], []byte("\n"))
	size, _, _ := bytes.Cut(line, []byte(";"))
	size = bytes.TrimSpace(size)
	return ok && len(size) > 0 && len(size) <= 16 && len(bytes.Trim(size, "0123456789abcdefABCDEF")) == 0
}
