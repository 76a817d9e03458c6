package robotshttp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// A Store keeps values by key for a [Cache], so that processes can share them or
// find them after a restart. The key is the [robotstxt.Location] of a file, and
// the value what is known of it, in a form of the Cache's own: the last response
// (its status, the headers that matter, its body, when and from where it came) and
// the failures since, but none of the conclusions, which each Cache draws itself.
// Values carry their key, a version and a checksum; one that is not what a Cache
// wrote counts as an error, and as none.
//
// A Store must be safe for concurrent use and must heed its contexts, which end
// after a second: fetches wait for it. Nothing depends on it for a right answer.
// It may lose values at any time, and when several processes set one key at once,
// any of their values may stay. Caches that share a Store ought to have the same
// UserAgent, because a server may answer each crawler in its own way.
type Store interface {
	// Get returns the value of a key. If there is none, or if its time is over,
	// ok is false.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Set sets the value of a key for the time to live. It does not keep value
	// after it returns.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// A Locker is a [Store] that can also say which of several caches asks a server.
// If the Store of a [Cache] is a Locker, the caches that share it fetch each file
// once: one takes the lock of the file's key, and the others wait for the value
// that it sets.
type Locker interface {
	// Lock takes the lock of a key, for at most ttl. It does not wait: if
	// somebody else holds the lock, ok is false. The holder calls unlock when it
	// is done, once, maybe after ttl. A late unlock must not take the lock away
	// from the next holder. Unlock must not block for longer than a second.
	Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), ok bool, err error)
}

// A Pacer is a [Store] that can also space requests. If the Store of a [Cache] is
// a Pacer, the Transports of all caches that share it keep one pace for each site.
// The keys are those of the Store.
type Pacer interface {
	// Reserve takes the next free slot of a key and returns how long the caller
	// has to wait for it, zero if it may start now. The slot after it is free
	// no sooner than interval later. If the caller would have to wait longer than
	// longest, Reserve takes no slot: it only returns how long the wait would be.
	Reserve(ctx context.Context, key string, interval, longest time.Duration) (wait time.Duration, err error)

	// Pause makes the next free slot of a key lie no sooner than d from now. It
	// never moves a slot to an earlier time.
	Pause(ctx context.Context, key string, d time.Duration) error
}

const (
	// storeTimeout is the time that a Store has for one call.
	storeTimeout = time.Second

	// storeTTL is how long a value is of use: after that the site would count
	// as one never visited.
	storeTTL = patience
)

// load returns what the Store has for a location. It returns nil if that is
// nothing, or nothing that makes sense. The error is that of the Store.
func (c *Cache) load(ctx context.Context, location string) (*entry, error) {
	if c.Store == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	data, ok, err := c.Store.Get(ctx, location)
	if err != nil || !ok {
		c.storeFailed(ctx, "get", location, err)
		return nil, err
	}
	r, err := decode(data, location)
	if err != nil {
		c.storeFailed(ctx, "decode", location, err)
		return nil, nil
	}
	e := parsed(r)
	e.expires = c.expiry(e, time.Now())
	return e, nil
}

// save gives the Store what is known now.
func (c *Cache) save(ctx context.Context, e *entry) {
	if c.Store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	data, err := e.encode()
	if err == nil {
		err = c.Store.Set(ctx, e.URL, data, storeTTL)
	}
	c.storeFailed(ctx, "set", e.URL, err)
}

// storeFailed reports an error of the Store, if there is one.
func (c *Cache) storeFailed(ctx context.Context, op, key string, err error) {
	if err == nil {
		return
	}
	c.counters.storeErrors.Add(1)
	c.logger().LogAttrs(ctx, slog.LevelWarn, "robots.txt store",
		slog.String("op", op), slog.String("key", key), slog.Any("error", err))
}

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
