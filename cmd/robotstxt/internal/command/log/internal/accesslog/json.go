package accesslog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// A jsonReader reads a line in JSON once, from its start to its end, and keeps only the values with
// certain names. A name consists of keys joined by dots, such as "request.uri". The key of an element
// of an array is its number: "headers.User-Agent.0". The first element can be named without a number, too,
// because some servers write a list of one value.
type jsonReader struct {
	names  []string
	values []string // the value of each name: a string or a number; "-" for a string that is empty, and "" if there is no value

	line string
	at   int    // how many bytes of the line have been read
	name []byte // the name of the next value
}

func newJSONReader(names []string) jsonReader {
	return jsonReader{names: names, values: make([]string, len(names))}
}

// readLine reads the values of a line. It returns false if the line is not a JSON object.
func (r *jsonReader) readLine(line string) bool {
	r.line, r.at, r.name = line, 0, r.name[:0]
	clear(r.values)
	return r.next() == '{' && r.read() && r.next() == 0
}

// next skips blanks and returns the next byte, or 0 at the end of the line. It does not read this
// byte.
func (r *jsonReader) next() byte {
	for r.at < len(r.line) {
		switch b := r.line[r.at]; b {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return b
		}
	}
	return 0
}

// read reads a value.
func (r *jsonReader) read() bool {
	switch first := r.next(); first {
	case '{':
		return r.readList('}')
	case '[':
		return r.readList(']')
	case '"':
		quoted, ok := r.readString()
		if i := r.index(); i >= 0 && ok {
			r.values[i], ok = unquoteJSON(quoted)
			r.values[i] = cmp.Or(r.values[i], "-")
		}
		return ok
	default: // a number, true, false or null
		literal := r.readLiteral()
		if i := r.index(); i >= 0 && (first == '-' || '0' <= first && first <= '9') {
			r.values[i] = literal
		}
		return literal != ""
	}
}

// index returns the index in names of the name of the next value, or -1.
func (r *jsonReader) index() int {
	bare := bytes.TrimSuffix(r.name, []byte(".0"))
	for i, name := range r.names {
		if name == string(r.name) || name == string(bare) {
			return i
		}
	}
	return -1
}

// readList reads an object or an array that ends with a certain byte.
func (r *jsonReader) readList(end byte) bool {
	r.at++
	if r.next() == end {
		r.at++
		return true
	}
	length := len(r.name)
	for number := 0; ; number++ {
		if length > 0 {
			r.name = append(r.name, '.')
		}
		if end == ']' {
			r.name = strconv.AppendInt(r.name, int64(number), 10)
		} else if !r.readKey() {
			return false
		}
		if !r.read() {
			return false
		}
		r.name = r.name[:length]
		next := r.next()
		if next != end && next != ',' {
			return false
		}
		r.at++
		if next == end {
			return true
		}
	}
}

// readKey reads a key and the colon after it, and appends the key to the name.
func (r *jsonReader) readKey() bool {
	if r.next() != '"' {
		return false
	}
	quoted, ok := r.readString()
	if !ok || r.next() != ':' {
		return false
	}
	r.at++
	key, ok := unquoteJSON(quoted)
	r.name = append(r.name, key...)
	return ok
}

// readString reads a string, and returns it with its quotation marks.
func (r *jsonReader) readString() (quoted string, ok bool) {
	start := r.at
	end := endOfQuoted(r.line[start+1:])
	if end < 0 {
		return "", false
	}
	r.at += end + 2
	return r.line[start:r.at], true
}

// readLiteral reads a number, true, false or null.
func (r *jsonReader) readLiteral() string {
	start := r.at
	for r.at < len(r.line) && strings.IndexByte("-+.0123456789Eaeflnrstu", r.line[r.at]) >= 0 {
		r.at++
	}
	return r.line[start:r.at]
}

// unquoteJSON returns a string in JSON without its quotation marks and escapes.
func unquoteJSON(quoted string) (text string, ok bool) {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], true
	}
	var unquoted string // not text, which would then always be on the heap
	err := json.Unmarshal([]byte(quoted), &unquoted)
	return unquoted, err == nil
}
