package scan

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shards returns the shards of all inputs.
func (r *run) shards() iter.Seq[*shard] {
	return func(yield func(*shard) bool) {
		for name, err := range r.inputs() {
			if err != nil {
				if !yield(broken(err)) {
					return
				}
				continue
			}
			for s := range r.shardsOf(name) {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// inputs returns the names of all inputs.
func (r *run) inputs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range r.Inputs {
			if !yield(name, nil) {
				return
			}
		}
		if r.Paths == nil {
			return
		}
		lines := bufio.NewScanner(r.Paths)
		for lines.Scan() {
			if name := strings.TrimSpace(lines.Text()); name != "" && !yield(name, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield("", fmt.Errorf("list of paths: %w", err))
		}
	}
}

// broken returns a shard that only tells an error.
func broken(err error) *shard {
	s := &shard{}
	s.add(problem{err: err})
	return s
}

// shardsOf returns the shards of an input.
func (r *run) shardsOf(name string) iter.Seq[*shard] {
	return func(yield func(*shard) bool) {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			yield(r.fileShard(name))
			return
		}
		found := false
		r.walk(filepath.Clean(name), func(s *shard) bool {
			found = true
			return yield(s)
		})
		if !found {
			yield(broken(fmt.Errorf("%s: no .txt or WARC file in this folder", name)))
		}
	}
}

func (r *run) fileShard(name string) *shard {
	return &shard{name: name, open: func() input {
		return &file{name: name, progress: r.Progress, stdin: r.Stdin}
	}}
}

// walk yields the shards of a folder: its .txt files, its archives, then the shards
// of its subfolders. It reports whether to go on.
func (r *run) walk(dir string, yield func(*shard) bool) bool {
	for _, err := range entries(dir, text, entriesAtOnce) {
		if err != nil {
			return yield(broken(err))
		}
		if !yield(textShard(dir)) {
			return false
		}
		break // one will do for all of them
	}
	for path, err := range entries(dir, warc, entriesAtOnce) {
		if err != nil {
			return yield(broken(err))
		}
		if !yield(r.fileShard(path)) {
			return false
		}
	}
	for path, err := range entries(dir, folders, entriesAtOnce) {
		if err != nil {
			return yield(broken(err))
		}
		if !r.walk(path, yield) {
			return false
		}
	}
	return true
}

func textShard(dir string) *shard {
	return &shard{name: dir, open: func() input {
		next, stop := iter.Pull2(entries(dir, text, entriesAtOnce))
		return &folder{next, stop}
	}}
}

// A class is a kind of entry of a folder.
type class int

const (
	none class = iota
	text
	warc
	folders
)

// classOf returns the class of an entry. What is behind a link counts if it is a
// file; a pipe does not, as nobody may ever write to it.
func classOf(dir string, e fs.DirEntry) class {
	mode := e.Type()
	if mode.IsDir() {
		return folders
	}
	kind := none
	switch name := e.Name(); {
	case strings.EqualFold(filepath.Ext(name), ".txt"):
		kind = text
	case isArchive(name):
		kind = warc
	}
	if kind != none && mode&fs.ModeSymlink != 0 {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil {
			mode = info.Mode()
		} else {
			mode = 0 // the error is told when it is read
		}
	}
	if mode.IsRegular() {
		return kind
	}
	return none
}

// isArchive reports whether a file is a WARC file by its name.
func isArchive(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".warc.gz")
}

// entriesAtOnce is how many names of a folder are kept in memory.
const entriesAtOnce = 1 << 16

// entries returns the paths of one class in a folder, by name. A folder with many
// entries is read several times, so that memory does not grow with their number.
func entries(dir string, of class, atOnce int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after, more := "", true; more; {
			var names []string
			var err error
			names, more, err = smallest(dir, of, after, atOnce)
			if err != nil {
				yield("", err)
				return
			}
			for _, name := range names {
				if !yield(filepath.Join(dir, name), nil) {
					return
				}
				after = name
			}
		}
	}
}

// smallest returns the first n names of a class behind another name, and whether
// there are more.
func smallest(dir string, of class, after string, n int) (names []string, more bool, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			if name := e.Name(); name > after && (!more || name < names[n-1]) && classOf(dir, e) == of {
				names = append(names, name)
			}
		}
		if len(names) >= 2*n || err == io.EOF {
			slices.Sort(names)
			more = more || len(names) > n
			names = names[:min(len(names), n)]
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return names, more, err
		}
	}
}

// Size returns the size of all inputs together, as far as it can be known before
// they are read: not the name of standard input.
func Size(ctx context.Context, o Options) (size int64, ok bool) {
	r := &run{Options: o}
	for name, err := range r.inputs() {
		if err != nil || name == "-" {
			return 0, false
		}
		filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path != name && classOf(filepath.Dir(path), d) == none {
				return ctx.Err()
			}
			if info, err := os.Stat(path); err == nil {
				size += info.Size()
			}
			return ctx.Err()
		})
	}
	return size, ctx.Err() == nil
}
