package robotshttp

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/robotstxt-go/robotstxt"
)

// Every stored state starts with storedVersion. Change storedVersion whenever the format
// changes.
const storedVersion = "robotshttp 3"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the state as a value for a Store: a line with the version and a checksum, a
// line of JSON, and the compressed body.
func (s *state) encode() ([]byte, error) {
	meta, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	rest := append(append(meta, '\n'), s.packed...)
	head := fmt.Sprintf("%s %08x\n", storedVersion, crc32.Checksum(rest, castagnoli))
	return append([]byte(head), rest...), nil
}

// decode is the reverse of encode: it returns the state and the body in a value from a Store. It
// returns an error if the value is damaged, belongs to another URL, or contains an impossible
// state.
func decode(data []byte, url string) (s state, body []byte, err error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if want := fmt.Sprintf("%s %08x", storedVersion, crc32.Checksum(rest, castagnoli)); string(head) != want {
		return state{}, nil, fmt.Errorf("the value starts with %.30q instead of %q", head, want)
	}
	meta, packed, _ := bytes.Cut(rest, []byte("\n"))
	if err := json.Unmarshal(meta, &s); err != nil {
		return state{}, nil, err
	}
	if s.URL != url {
		return state{}, nil, fmt.Errorf("the value is for %s instead of %s", s.URL, url)
	}
	if err := s.validate(); err != nil {
		return state{}, nil, err
	}
	if s.Failure != nil {
		s.Failure.err = errors.New(s.Failure.Error)
	}
	s.packed = packed
	body, err = unpack(packed)
	return s, body, err
}

// packers is a pool, because each flate.Writer takes half a megabyte of memory.
var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // impossible: the compression level is valid
	}
	return w
}}

// pack compresses a body. An empty body stays empty.
func pack(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	var buf bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&buf)
	_, _ = w.Write(body) // a bytes.Buffer never fails
	_ = w.Close()
	return bytes.Clone(buf.Bytes())
}

// unpack decompresses a body. It returns an error if the body exceeds the size limit.
func unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	r := flate.NewReader(bytes.NewReader(packed))
	body, err := robotstxt.ReadBody(r)
	if err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(r, make([]byte, 1)); err == nil {
		return nil, errors.New("the body is too long")
	}
	return body, nil
}
