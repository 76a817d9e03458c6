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

// A Dir is a [Store] that writes each value to a file in a directory. The string is the name of
// the directory, which the Dir creates if necessary. Several processes can use a directory at
// once: a Dir writes a temporary file and then renames it, so readers see either the old or the
// new value. If a crash leaves a damaged value, a [Cache] detects the damage by the checksum in
// the value.
//
// Any string can be a key, because file names are hashes. The modification time of a file is
// the time when the value expires. Some of the calls of Set also remove expired files, so the directory
// does not fill up. You can empty the directory at any time. Only the owner of the directory
// can read it.
type Dir string

const (
	// One Set in sweepInterval checks one of the folders for files to remove, at random, and at most
	// sweepSize files. To list a folder at each Set would take longer than all the rest of Set.
	sweepInterval = 256
	sweepSize     = 1024

	// The names of temporary files start with tempPrefix.
	tempPrefix = "new-"

	// tempTime is the age after which a temporary file is removed. It is much longer than
	// the time needed to write a file.
	tempTime = time.Hour
)

// Get returns the value of a key, unless it has expired.
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

// Set sets the value of a key. Sometimes it also removes expired files, so that they do not pile
// up.
func (d Dir) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := d.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	err := replaceFile(path, value, time.Now().Add(ttl))
	if rand.IntN(sweepInterval) == 0 {
		d.sweep(fmt.Sprintf("%02x", rand.IntN(256)))
	}
	return err
}

// sweep removes expired files from a folder, and temporary files that a crash left there. It
// checks at most sweepSize files.
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

// path returns the path of the file for a key. The name of the folder is the first two digits of
// the key's hash, and the name of the file is the other digits. Without these folders, a single
// folder could contain millions of files and would be slow to list.
func (d Dir) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(string(d), name[:2], name[2:])
}

// replaceFile writes a file atomically. It sets the file's modification time to end, the time
// when the value expires.
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
