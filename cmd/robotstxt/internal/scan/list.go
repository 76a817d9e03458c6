package scan

import (
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

// list calls emit for each input. It stops early if the scan is interrupted.
func (r *run) list(emit func(*input)) {
	for name, err := range r.Inputs {
		if r.ctx.Err() != nil {
			return
		}
		if err != nil {
			emit(failed(err))
			continue
		}
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			emit(newInput(name, one(name)))
			continue
		}
		found := false
		r.folder(filepath.Clean(name), func(in *input) {
			found = true
			emit(in)
		})
		if !found {
			emit(failed(fmt.Errorf("%s: no .txt or WARC file in this folder", name)))
		}
	}
}

// one returns a sequence with a single name.
func one(name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield(name, nil) }
}

// folder emits the inputs of a folder: first its .txt files, then its archives, and then the
// inputs of its subfolders.
func (r *run) folder(dir string, emit func(*input)) {
	if r.Dir != "" && isSame(dir, r.Dir) {
		return // the folder contains outputs, not inputs
	}
classes:
	for _, class := range []class{texts, archives, folders, others} {
		files := r.entries(dir, class)
		for path, err := range files {
			switch {
			case err != nil:
				emit(failed(err))
				return
			case class == folders:
				r.folder(path, emit)
			case class == others:
				r.leftOut++
			case class == texts && r.Dir != "":
				emit(newInput(dir, files))
				continue classes // this input consists of all .txt files in the folder
			default:
				emit(newInput(path, one(path)))
			}
		}
	}
}

// isSame reports whether two paths name the same folder.
func isSame(a, b string) bool {
	x, _ := os.Stat(a)
	y, _ := os.Stat(b)
	return os.SameFile(x, y)
}

// A class is a kind of entry in a folder.
type class int

const (
	texts class = iota
	archives
	folders
	others  // files of any other type
	ignored // entries that are neither files nor folders, such as pipes
)

// classOf returns the class of an entry. The class of a link to a file depends on the name of the
// link, not on the name of the file. Pipes are ignored, because reading a pipe may never end.
func classOf(dir string, e fs.DirEntry) class {
	class := others
	switch name := e.Name(); {
	case e.IsDir():
		return folders
	case strings.EqualFold(filepath.Ext(name), ".txt"):
		class = texts
	case survey.IsArchive(name):
		class = archives
	}
	isFile := e.Type().IsRegular()
	if class != others && e.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		isFile = err != nil || info.Mode().IsRegular() // a broken link counts as a file: opening it returns the error
	}
	if !isFile {
		return ignored
	}
	return class
}

// entriesAtOnce is how many names of a folder are listed at a time.
const entriesAtOnce = 1 << 16

// entries returns the paths of a folder's entries of one class, sorted by name. To save memory,
// it reads a large folder several times, and gets up to entriesAtOnce names each time. It stops
// early if the scan is interrupted.
func (r *run) entries(dir string, class class) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		last := ""
		for n := entriesAtOnce; n == entriesAtOnce; {
			names, err := namesAfter(last, dir, class, entriesAtOnce)
			if err != nil {
				yield("", err)
			}
			n = len(names)
			for _, last = range names {
				if r.ctx.Err() != nil || !yield(filepath.Join(dir, last), nil) {
					return
				}
			}
		}
	}
}

// namesAfter lists the entries of a folder that have the given class. It sorts their names,
// skips the names up to previous, and returns the next n names, or fewer if there are no more.
func namesAfter(previous, dir string, class class, n int) (names []string, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for err == nil {
		var some []fs.DirEntry
		some, err = f.ReadDir(1024)
		for _, e := range some {
			if e.Name() > previous && classOf(dir, e) == class {
				names = append(names, e.Name())
			}
		}
		if len(names) >= 2*n || err != nil {
			slices.Sort(names)
			names = names[:min(len(names), n)]
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return names, nil
}

// Size returns the total size of all inputs in bytes. It returns 0 if one of them is standard
// input, or if ctx is done. If the size of a file cannot be read, the whole input that contains
// the file counts as 0 bytes.
func Size(ctx context.Context, o Options) (size int64) {
	isKnown := true
	r := &run{Options: o, ctx: ctx}
	r.list(func(in *input) {
		isKnown = isKnown && in.name != "-"
		if in.files != nil {
			size += stampOf(in.files).Bytes
		}
	})
	if !isKnown || ctx.Err() != nil {
		return 0
	}
	return size
}
