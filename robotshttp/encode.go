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

// storedVersion starts every stored record. It changes with the form of records.
const storedVersion = "robotshttp 2"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the record as it is stored: a line with the version and the
// checksum of the rest, a line of JSON, and the compressed body.
func (r *record) encode() ([]byte, error) {
	meta, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	rest := append(append(meta, '\n'), r.packed...)
	head := fmt.Sprintf("%s %08x\n", storedVersion, crc32.Checksum(rest, castagnoli))
	return append([]byte(head), rest...), nil
}

// decode reads what encode wrote for the URL. Anything else is an error.
func decode(data []byte, url string) (r record, body []byte, err error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if want := fmt.Sprintf("%s %08x", storedVersion, crc32.Checksum(rest, castagnoli)); string(head) != want {
		return record{}, nil, fmt.Errorf("starts with %.30q, not with %q", head, want)
	}
	meta, packed, _ := bytes.Cut(rest, []byte("\n"))
	if err := json.Unmarshal(meta, &r); err != nil {
		return record{}, nil, err
	}
	if r.URL != url {
		return record{}, nil, fmt.Errorf("is of %s", r.URL)
	}
	if r.Answer == nil && r.Failure == nil {
		return record{}, nil, errors.New("says nothing")
	}
	if r.Failure != nil {
		r.Failure.err = errors.New(r.Failure.Error)
	}
	r.packed = packed
	body, err = unpack(packed)
	return r, body, err
}

// packers are kept because a flate.Writer takes half a megabyte to make.
var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

// pack compresses a body. Nothing stays nothing.
func pack(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	var buf bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&buf)
	_, _ = w.Write(body) // a Buffer takes everything
	_ = w.Close()
	return bytes.Clone(buf.Bytes())
}

// unpack undoes pack. It refuses what is longer than any body.
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
		return nil, errors.New("has too long a body")
	}
	return body, nil
}
