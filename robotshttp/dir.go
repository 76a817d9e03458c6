package robotshttp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Dir is a [Store] of files in the directory that it names, which it makes if
// need be. Several processes may use a directory at once: a file is written under
// a name of its own and then renamed, so that a reader sees all of it or what was
// there before. What a crash leaves half-written is not mistaken for a value by a
// [Cache], because of the checksum.
//
// Any string can be a key: the names of files are hashes. A file whose time is
// over stays until its key is set again. The directory can be cleared of files not
// modified for 30 days, or of all, at any time.
type Dir string

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

// Set writes the file of a key.
func (d Dir) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := d.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	expires := time.Now().Add(ttl).UTC().Format(time.RFC3339)
	return replaceFile(path, append([]byte(expires+"\n"), value...))
}

// path returns the name of the file of a key. The first two digits are those of a
// folder, because directories of millions of files are slow to list.
func (d Dir) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(string(d), name[:2], name[2:])
}

// replaceFile writes a file in one step, as seen by other processes.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
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
