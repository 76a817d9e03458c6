package warc

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"hash"
	"strings"
)

// hasDigest reports whether any element of contents has the given digest, such as
// "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" (in base 32 or hexadecimal). It also returns true if
// no check is possible: the digest is missing or malformed, its algorithm is unknown, or the
// record is truncated.
func (r *Record) hasDigest(digest string, contents ...[]byte) bool {
	name, value, _ := strings.Cut(digest, ":")
	var h hash.Hash
	switch strings.ReplaceAll(strings.ToLower(name), "-", "") {
	case "md5":
		h = md5.New()
	case "sha1":
		h = sha1.New()
	case "sha256":
		h = sha256.New()
	case "sha512":
		h = sha512.New()
	default:
		return true
	}
	want, err := hex.DecodeString(value)
	if err != nil || len(want) != h.Size() {
		want, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(value, "=")))
	}
	if err != nil || len(want) != h.Size() || r.Truncated {
		return true
	}
	for _, content := range contents {
		h.Reset()
		h.Write(content) // Write of a hash.Hash never returns an error
		if bytes.Equal(h.Sum(nil), want) {
			return true
		}
	}
	return false
}
