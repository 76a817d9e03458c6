package accesslog

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// A jsonReader reads a line in JSON once, from its start to its end, and keeps only the values with
// certain names. A name consists of keys joined by dots, such as "request.uri". The key of an element
// of an array is its number: "headers.User-Agent.0".
type jsonReader struct {
	index  map[string]int // for each name, where its value is in values
	values []string       // strings and numbers; "-" for a string that is empty, and "" if there is no value
	text   string         // what has not been read yet
	name   []byte         // the name of the value at the start of text
}

func newJSONReader(names []string) jsonReader {
	r := jsonReader{index: map[string]int{}, values: make([]string, len(names))}
	for i, name := range names {
		r.index[name] = i
	}
	return r
}

// readLine reads the values of a line. It returns false if the line is not a JSON object.
func (r *jsonReader) readLine(line string) bool {
	r.text, r.name = line, r.name[:0]
	clear(r.values)
	return r.next() == '{' && r.read() && r.next() == 0
}

// next skips blanks and returns the next byte, or 0 at the end of the text.
func (r *jsonReader) next() byte {
	for i := range len(r.text) {
		switch b := r.text[i]; b {
		case ' ', '\t', '\r', '\n':
		default:
			r.text = r.text[i:]
			return b
		}
	}
	r.text = ""
	return 0
}

// read reads a value.
func (r *jsonReader) read() bool {
	switch first := r.next(); first {
	case 0:
		return false
	case '{':
		return r.readList('}')
	case '[':
		return r.readList(']')
	case '"':
		text, ok := r.readString()
		if i, wanted := r.index[string(r.name)]; wanted {
			r.values[i] = cmp.Or(text, "-")
		}
		return ok
	default:
		end := 0
		for end < len(r.text) && isLiteral(r.text[end]) {
			end++
		}
		if i, wanted := r.index[string(r.name)]; wanted && (first == '-' || '0' <= first && first <= '9') {
			r.values[i] = r.text[:end]
		}
		r.text = r.text[end:]
		return end > 0
	}
}

// isLiteral reports whether a byte can be part of a number, or of true, false or null.
func isLiteral(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || b == '-' || b == '+' || b == '.' || b == 'E'
}

// readList reads an object or an array that ends with a certain byte.
func (r *jsonReader) readList(end byte) bool {
	r.text = r.text[1:]
	if r.next() == end {
		r.text = r.text[1:]
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
		r.text = r.text[1:]
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
	key, ok := r.readString()
	r.name = append(r.name, key...)
	if !ok || r.next() != ':' {
		return false
	}
	r.text = r.text[1:]
	return true
}

// readString reads a string and returns it without its quotation marks and escapes.
func (r *jsonReader) readString() (text string, ok bool) {
	end := endOfQuoted(r.text[1:])
	if end < 0 {
		return "", false
	}
	quoted := r.text[:end+2]
	text, r.text = quoted[1:end+1], r.text[end+2:]
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	return unquoteJSON(quoted)
}

// unquoteJSON returns a string in JSON without its quotation marks and escapes.
func unquoteJSON(quoted string) (text string, ok bool) {
	err := json.Unmarshal([]byte(quoted), &text)
	return text, err == nil
}
