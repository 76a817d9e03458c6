package warc

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxCodings is the largest number of codings in one header that the method decode accepts.
const maxCodings = 4

// decode decodes the body. The parameter list is the value of a Content-Encoding or
// Transfer-Encoding header, in lower case. The result isPlain is true if the body was not encoded,
// even if the header names a coding. If the body is damaged, kind is the kind of damage.
func (r *Response) decode(list string) (isPlain bool, kind Kind) {
	isPlain = true
	if list == "" {
		return true, ""
	}
	codings := strings.Split(list, ",")
	slices.Reverse(codings)
	for i, coding := range codings {
		coding = strings.TrimSpace(coding)
		if isCoding := decoders[coding] != nil || !noCoding[coding]; !isCoding || len(r.Body) == 0 {
			continue
		}
		if i >= maxCodings {
			r.Body, r.Undecoded = nil, true
			return false, ""
		}
		plain, kind := r.undo(coding)
		isPlain = isPlain && plain
		if kind != "" || r.Undecoded {
			return isPlain, kind
		}
	}
	return isPlain, ""
}

// noCoding contains values of Content-Encoding and Transfer-Encoding that the method decode
// ignores. It contains "chunked", because the method unchunk handles that value, and character
// sets, because some servers send them by mistake.
var noCoding = map[string]bool{
	"": true, "identity": true, "chunked": true, "none": true, "binary": true, "8bit": true,
	"utf-8": true, "utf8": true, "iso-8859-1": true,
}

// undo removes one coding from the body. If isPlain is true, the body did not have this coding,
// although the header names it.
func (r *Response) undo(coding string) (isPlain bool, kind Kind) {
	decode := decoders[coding]
	if bytes.HasPrefix(r.Body, gzipMagic) {
		decode = ungzip
	}
	if decode == nil {
		if isText(r.Body) {
			return true, ""
		}
		r.Body, r.Undecoded = nil, true
		return false, ""
	}
	in := bytes.NewReader(r.Body)
	body, err := decode(in)
	size := len(r.Body) - in.Len()
	switch {
	case errors.Is(err, errNotEncoded), err != nil && isText(r.Body):
		return true, ""
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		r.Body, r.Undecoded = nil, true
		return false, BigWindow
	case err != nil && len(body) == 0:
		r.Body, r.Undecoded = nil, true
		return false, BadCoding
	}
	r.Body = body
	switch {
	case err != nil:
		r.Truncated = true
		return false, BadCoding
	case len(body) > BodyLimit && len(body)/bombRatio > size:
		r.Truncated = true
		return false, Bomb
	}
	return false, ""
}

// isText reports whether the body is text in UTF-8, or in UTF-16 with a byte-order mark. The
// last character of the body may be incomplete.
func isText(body []byte) bool {
	start := max(0, len(body)-utf8.UTFMax)
	for start < len(body) && utf8.FullRune(body[start:]) {
		start++
	}
	return utf8.Valid(body[:start]) && bytes.IndexByte(body, 0) < 0 ||
		bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// errNotEncoded means that a body is not compressed with gzip, although its header says that it is.
var errNotEncoded = errors.New("not encoded")

// decoders contains a function for each coding. The functions return at most BodyLimit+1
// bytes: the last of these shows that the body is longer than BodyLimit. If a body is damaged,
// they return an error and the bytes before the damage.
var decoders = map[string]func(*bytes.Reader) ([]byte, error){
	"gzip": ungzip, "x-gzip": ungzip, "deflate": inflate, "br": unbrotli, "zstd": unzstd,
}

func upToLimit(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, BodyLimit+1)) }

var (
	gzips   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotlis = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
	zstds   = sync.Pool{New: func() any {
		d, err := newZstd(nil)
		if err != nil {
			panic(err) // cannot happen: without a dictionary, the options are always valid
		}
		return d
	}}
)

// ungzip decompresses all gzip members. It ignores zeros after them, because some servers
// pad bodies with zeros.
func ungzip(in *bytes.Reader) (body []byte, err error) {
	zip := gzips.Get().(*gzip.Reader)
	defer gzips.Put(zip)
	start, _ := in.ReadByte()
	if in.UnreadByte(); start != gzipMagic[0] {
		return nil, errNotEncoded
	}
	for in.Len() > 0 && len(body) <= BodyLimit {
		if len(body) > 0 && onlyZeros(in) {
			return body, nil
		}
		if err := zip.Reset(in); err != nil {
			return body, err
		}
		zip.Multistream(false)
		more, err := io.ReadAll(io.LimitReader(zip, int64(BodyLimit+1-len(body))))
		if body = append(body, more...); err != nil {
			return body, err
		}
	}
	return body, nil
}

// onlyZeros skips zeros, and reports whether the body ends after them.
func onlyZeros(in *bytes.Reader) bool {
	for {
		switch c, err := in.ReadByte(); {
		case err != nil:
			return true
		case c != 0:
			in.UnreadByte()
			return false
		}
	}
}

// inflate decompresses zlib data (RFC 9110, section 8.4.1.2) or raw deflate data, which many
// servers send instead.
func inflate(in *bytes.Reader) ([]byte, error) {
	if zip, err := zlib.NewReader(in); err == nil {
		body, err := upToLimit(zip)
		if err == nil || len(body) > 0 {
			return body, err
		}
	}
	in.Seek(0, io.SeekStart)
	return upToLimit(flate.NewReader(in))
}

// unbrotli decompresses Brotli data (RFC 7932). A decoder fills its window before it returns a byte, so a bomb with a
// window of 16 MiB would take as long as 16 MiB. A window above 2 MiB is read as one of 2 MiB, because the first
// BodyLimit bytes cannot refer to bytes that are further back.
func unbrotli(in *bytes.Reader) ([]byte, error) {
	r := brotlis.Get().(*brotli.Reader)
	defer brotlis.Put(r)
	first, _ := in.ReadByte() // 0 for an empty body
	if window := first & 0xf; window > twoMiB && window&1 == 1 {
		first = first&^0xf | twoMiB
	}
	if err := r.Reset(io.MultiReader(bytes.NewReader([]byte{first}), in)); err != nil {
		return nil, err
	}
	return upToLimit(r)
}

// twoMiB are the first four bits of Brotli data with a window of 2 MiB (RFC 7932, section 9.1). For
// larger windows, they are a larger odd number.
const twoMiB = 0b1001

// unzstd decompresses zstd data (RFC 8878).
func unzstd(in *bytes.Reader) ([]byte, error) {
	d := zstds.Get().(*zstd.Decoder)
	defer zstds.Put(d)
	if err := d.Reset(in); err != nil {
		return nil, err
	}
	return upToLimit(d)
}
