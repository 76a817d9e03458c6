package survey

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt/lint"
)

// Format is the version of the form and meaning of records and summaries. It changes whenever
// these change.
const Format = 2

// Made says what a summary was made with. Summaries that were made with different things must not
// be added up.
type Made struct {
	Format    int       `json:"format"`
	Lint      string    `json:"lint"` // lint.Version; empty if Questions.NoLint is set
	Questions Questions `json:"questions"`
}

func (q Questions) made() Made {
	m := Made{Format: Format, Questions: q}
	if !q.NoLint {
		m.Lint = lint.Version()
	}
	return m
}

// difference returns the first difference between two ways to make a summary: what is true of m, and
// what is true of o, as in "--no-lint" and "lint". If there is none, the results are empty.
func (m Made) difference(o Made) (ofM, ofO string) {
	q, p := m.Questions, o.Questions
	switch {
	case m.Format != o.Format:
		return fmt.Sprintf("format %d", m.Format), fmt.Sprintf("format %d", o.Format)
	case !slices.Equal(q.Agents, p.Agents):
		return differentNames("--agent", q.Agents, p.Agents)
	case !slices.Equal(q.Paths, p.Paths):
		return differentNames("--path", q.Paths, p.Paths)
	case q.NoLint != p.NoLint:
		return differentFlag("--no-lint", q.NoLint)
	case q.Verify != p.Verify:
		return differentFlag("--verify", q.Verify)
	case m.Lint != o.Lint:
		return "version " + m.Lint + " of lint", "version " + o.Lint + " of lint"
	}
	return "", ""
}

func differentFlag(flag string, isSet bool) (first, second string) {
	if isSet {
		return flag, "no " + flag
	}
	return "no " + flag, flag
}

// differentNames returns the difference between two lists of values of a flag. If they differ only
// in their order, it returns both.
func differentNames(flag string, a, b []string) (first, second string) {
	for _, name := range a {
		if !slices.Contains(b, name) {
			return flag + " " + name, "no " + flag + " " + name
		}
	}
	for _, name := range b {
		if !slices.Contains(a, name) {
			return "no " + flag + " " + name, flag + " " + name
		}
	}
	return flag + " " + strings.Join(a, ", "), flag + " " + strings.Join(b, ", ")
}

// Inputs identifies the inputs of a summary. It is the sum of the results of [InputID] for all
// inputs. As JSON, it is a string of 16 hexadecimal digits. It is 0 if the inputs are unknown.
type Inputs uint64

// InputID identifies an input by the path of its file or folder, the number of its files, their
// total size and the latest time at which one of them was changed. A path that is no URL is made
// absolute.
func InputID(path string, files int, bytes int64, modified time.Time) Inputs {
	if !strings.Contains(path, "://") {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	hash := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %d", path, files, bytes, modified.UnixNano()))
	return Inputs(binary.BigEndian.Uint64(hash[:]))
}

// MarshalText returns the digits.
func (in Inputs) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(in)), nil }

// UnmarshalText reads the digits.
func (in *Inputs) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*in = Inputs(n)
	return err
}
