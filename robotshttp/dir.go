package robotshttp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Dir is a [Store] of files in the directory that it names, which it makes if
// need be. Several processes may use a directory at once: a value is written to a
// temporary file that is then renamed, so a reader sees all of a value or the one
// before. A [Cache] detects what a crash leaves half-written by its checksum.
//
// Any string can be a key: the names of files are hashes. Each Set also removes a
// few files whose time is over, and temporary files that a crash has left. So a Dir
// in use stays clean. It can be emptied at any time. Nobody but its owner may read it.
type Dir string

const (
	// sweepSize is how many files each Set looks at to see whether they can be
	// removed. In the long run, a few are enough for all.
	sweepSize = 32

	// tempPrefix starts the names of files that are being written.
	tempPrefix = "new-"

	// tempTime is how long it may take to write a file, and much more.
	tempTime = time.Hour
)

// Get reads the file of a key.
func (d Dir) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	data, err := os.ReadFile(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	line, value, _ := bytes.Cut(data, []byte("\n"))
	expires, err := time.Parse(time.RFC3339, string(line))
	if err != nil {
		return nil, false, fmt.Errorf("robotshttp: %s: %w", d.path(key), err)
	}
	return value, time.Now().Before(expires), nil
}

// Set writes the file of a key, and sweeps a little.
func (d Dir) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := d.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	expires := time.Now().Add(ttl).UTC().Format(time.RFC3339)
	err := replaceFile(path, append([]byte(expires+"\n"), value...))
	d.sweep(ctx)
	return err
}

// sweep removes files that are of no use any more. It starts in any folder and looks
// at sweepSize files and folders.
func (d Dir) sweep(ctx context.Context) {
	folders := shuffled(string(d))
	for left := sweepSize; left > 0 && len(folders) > 0; left-- {
		folder := filepath.Join(string(d), folders[0])
		folders = folders[1:]
		if !isHex(filepath.Base(folder), 2) {
			continue // not ours
		}
		for _, name := range shuffled(folder) {
			if left--; left <= 0 || ctx.Err() != nil {
				return
			}
			if path := filepath.Join(folder, name); isUseless(path) {
				os.Remove(path)
			}
		}
	}
}

// shuffled returns the names in a directory in random order.
func shuffled(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

// isHex reports whether a name consists of n hexadecimal digits.
func isHex(name string, n int) bool {
	return len(name) == n && strings.Trim(name, "0123456789abcdef") == ""
}

// isUseless reports whether a file of a Dir holds a value whose time is over, or
// is one that was never finished.
func isUseless(path string) bool {
	number, temporary := strings.CutPrefix(filepath.Base(path), tempPrefix)
	length := 2*sha256.Size - 2
	if temporary {
		length = len(number)
	}
	if !isHex(number, length) {
		return false // not ours
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if temporary {
		info, err := f.Stat()
		return err == nil && time.Since(info.ModTime()) > tempTime
	}
	line := make([]byte, len("2006-01-02T15:04:05Z"))
	if _, err := io.ReadFull(f, line); err != nil {
		return false
	}
	expires, err := time.Parse(time.RFC3339, string(line))
	return err == nil && !time.Now().Before(expires)
}

// path returns the name of the file for a key. Its first two digits name a folder,
// because directories of millions of files are slow to list.
func (d Dir) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(string(d), name[:2], name[2:])
}

// replaceFile writes a file in one step, as seen by other processes.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
