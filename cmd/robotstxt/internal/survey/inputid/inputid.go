// Package inputid identifies the inputs of summaries.
package inputid

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// An ID identifies the inputs of a summary. It is the sum of the results of [Of] for all inputs. As
// JSON, it is a string of 16 hexadecimal digits. It is 0 if the inputs are unknown.
type ID uint64

// Of identifies an input by the path of its file or folder, the number of its files, their total
// size and the latest time at which one of them was changed. A path that is no URL is made absolute.
func Of(path string, files int, bytes int64, modified time.Time) ID {
	if !strings.Contains(path, "://") {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	hash := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %d", path, files, bytes, modified.UnixNano()))
	return ID(binary.BigEndian.Uint64(hash[:]))
}

// MarshalText returns the digits.
func (id ID) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(id)), nil }

// UnmarshalText reads the digits.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*id = ID(n)
	return err
}
