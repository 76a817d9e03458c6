package robotshttp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Dir is a [Store] that keeps values as files in the directory that it names. It creates
// the directory if necessary. Several processes may use a directory at once: a value is
// written to a temporary file that is then renamed, so a reader sees either the complete
// new value or the old one. A [Cache] detects values that a crash left half-written by
// their checksums.
//
// Any string can be a key: the names of files are hashes. The modification time of a file
// is the time when its value expires. Each Set also removes a few files that have expired,
// if there are any, so a Dir in use stays clean. It can be emptied at any time. Only its
// owner may read it.
type Dir string

const (
	// sweepSize is how many files each Set checks for removal. Over time, a few per call
	// cover all files.
	sweepSize = 32

	// tempPrefix starts the names of files that are being written.
	tempPrefix = "new-"

	// tempTime is much longer than it takes to write a file.
	tempTime = time.Hour
)

// Get reads the file of a key.
func (d Dir) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	info, err := os.Stat(d.path(key))
	if err == nil && time.Now().Before(info.ModTime()) {
		value, err = os.ReadFile(d.path(key))
		ok = err == nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return value, ok, err
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
	err := replaceFile(path, value, time.Now().Add(ttl))
	d.sweep(fmt.Sprintf("%02x", rand.IntN(256)))
	return err
}

// sweep checks some files of a folder. It removes those that have expired, and temporary
// ones that a crash has left.
func (d Dir) sweep(folder string) {
	folder = filepath.Join(string(d), folder)
	files, _ := os.ReadDir(folder)
	rand.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, file := range files[:min(len(files), sweepSize)] {
		number, temporary := strings.CutPrefix(file.Name(), tempPrefix)
		isOurs := strings.Trim(number, "0123456789abcdef") == "" && (temporary || len(number) == 2*sha256.Size-2)
		info, err := file.Info()
		if err != nil || !isOurs || !info.Mode().IsRegular() {
			continue
		}
		if age := time.Since(info.ModTime()); age > tempTime || age > 0 && !temporary {
			os.Remove(filepath.Join(folder, file.Name()))
		}
	}
}

// path returns the name of the file for a key. Its first two digits name a folder,
// because directories of millions of files are slow to list.
func (d Dir) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(string(d), name[:2], name[2:])
}

// replaceFile writes a file with its time. To other processes, this is one step.
func replaceFile(path string, data []byte, end time.Time) error {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close(), os.Chtimes(f.Name(), time.Time{}, end)); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
