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

	"github.com/robotstxt-go/robotstxt/survey"
)

// shards returns the shards of all inputs.
func (r *run) shards() iter.Seq[*shard] {
	return func(yield func(*shard) bool) {
		for name, err := range r.Names() {
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

// Names returns the names of all inputs.
func (r *Options) Names() iter.Seq2[string, error] {
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

// broken returns a shard that only reports an error.
func broken(err error) *shard {
	s := &shard{}
	s.fail(err)
	return s
}

// shardsOf returns the shards of an input.
func (r *run) shardsOf(name string) iter.Seq[*shard] {
	return func(yield func(*shard) bool) {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			yield(fileShard(name))
			return
		}
		w := walk{run: r, yield: yield}
		switch {
		case !w.folder(filepath.Clean(name)):
		case w.found == 0:
			yield(broken(fmt.Errorf("%s: no .txt or WARC file in this folder", name)))
		case w.leftOut > 0:
			s := &shard{summary: survey.Summary{LeftOut: w.leftOut}}
			s.tell(fmt.Errorf("%s: %s, whose names end in neither .txt nor .warc, .warc.gz or .warc.zst", name, leftOut(w.leftOut)))
			yield(s)
		}
	}
}

func leftOut(n int) string {
	if n == 1 {
		return "1 file was left out"
	}
	return fmt.Sprintf("%d files were left out", n)
}

func fileShard(names ...string) *shard {
	return &shard{name: names[0], files: func(yield func(string, error) bool) {
		for _, name := range names {
			if !yield(name, nil) {
				return
			}
		}
	}}
}

// A walk yields the shards of a folder: its .txt files, its archives, then the shards of
// its subfolders.
type walk struct {
	run            *run
	yield          func(*shard) bool
	found, leftOut int // shards, and files of no class
}

// filesAtOnce is how many .txt files of a folder make up a shard, unless they share an
// output.
const filesAtOnce = 64

// folder walks a folder, and reports whether to go on.
func (w *walk) folder(dir string) bool {
	if w.run.Dir != "" && sameFile(dir, w.run.Dir) {
		return true // these are outputs
	}
	w.leftOut += countOther(dir)
	return w.texts(dir) &&
		w.each(dir, archives, func(path string) bool { return w.shard(fileShard(path)) }) &&
		w.each(dir, folders, w.folder)
}

func (w *walk) shard(s *shard) bool {
	w.found++
	return w.yield(s)
}

// each calls do for the entries of a class, and reports whether to go on.
func (w *walk) each(dir string, of class, do func(path string) bool) bool {
	for path, err := range entries(dir, of, entriesAtOnce) {
		if err != nil {
			return w.shard(broken(err))
		}
		if !do(path) {
			return false
		}
	}
	return true
}

// texts yields the .txt files of a folder.
func (w *walk) texts(dir string) bool {
	var names []string
	goOn := w.each(dir, text, func(path string) bool {
		names = append(names, path)
		switch {
		case w.run.Dir != "":
			return false // one shard for all of them
		case len(names) == filesAtOnce:
			s := fileShard(names...)
			names = nil
			return w.shard(s)
		}
		return true
	})
	switch {
	case len(names) == 0:
		return goOn
	case w.run.Dir != "":
		return w.shard(&shard{name: dir, files: entries(dir, text, entriesAtOnce)})
	}
	return goOn && w.shard(fileShard(names...))
}

// sameFile reports whether two paths lead to the same folder.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// A class is a kind of entry of a folder.
type class int

const (
	none class = iota
	text
	archives
	folders
)

// classOf returns the class of an entry. The target of a link counts if it is a
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
		kind = archives
	}
	if kind != none && mode&fs.ModeSymlink != 0 {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil {
			mode = info.Mode()
		} else {
			mode = 0 // reading it will return the error
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
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".warc.gz") || strings.HasSuffix(name, ".warc.zst")
}

// countOther returns how many files of a folder belong to no class.
func countOther(dir string) (n int) {
	f, err := os.Open(dir)
	if err != nil {
		return 0 // reading the folder will return the error
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			if e.Type().IsRegular() && classOf(dir, e) == none {
				n++
			}
		}
		if err != nil {
			return n
		}
	}
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

// smallest returns the first n names of a class that sort after a name, and whether
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

// Size returns the total size of all inputs. It reports false if the size cannot be
// known in advance, as for standard input.
func Size(ctx context.Context, o Options) (size int64, ok bool) {
	for name, err := range o.Names() {
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
