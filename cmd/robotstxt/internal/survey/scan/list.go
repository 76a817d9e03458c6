package scan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
)

// list calls emit for each input. It stops early if the scan is interrupted.
func (r *run) list(emit func(*input)) {
	for name, err := range r.Inputs {
		if r.ctx.Err() != nil {
			return
		}
		if err != nil {
			emit(failedInput(err))
			continue
		}
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			emit(newInput(name, name))
			continue
		}
		if r.JSONL {
			emit(failedInput(fmt.Errorf("%s is a folder, but --jsonl reads only files", name)))
			continue
		}
		found := false
		r.folder(filepath.Clean(name), func(in *input) {
			found = true
			emit(in)
		})
		if !found {
			emit(failedInput(fmt.Errorf("%s: no .txt or WARC file in this folder", name)))
		}
	}
}

// folder emits the inputs of a folder: first its .txt files, then its archives, and then the
// inputs of its subfolders.
func (r *run) folder(dir string, emit func(*input)) {
	if r.Dir != "" && isSame(dir, r.Dir) {
		return // the folder contains outputs, not inputs
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		emit(failedInput(err))
		return
	}
	var texts, archives, folders []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		isText := strings.EqualFold(filepath.Ext(path), ".txt")
		switch {
		case e.IsDir():
			folders = append(folders, path)
		case !isText && !survey.IsArchive(path):
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") { // hidden files, such as those of the command sites
				r.leftOut++
			}
		case !isFile(path, e):
		case isText:
			texts = append(texts, path)
		default:
			archives = append(archives, path)
		}
	}
	if r.Dir != "" && len(texts) > 0 {
		emit(newInput(dir, texts...))
	} else {
		archives = append(texts, archives...)
	}
	for _, path := range archives {
		if r.ctx.Err() != nil {
			return
		}
		emit(newInput(path, path))
	}
	for _, path := range folders {
		if r.ctx.Err() != nil {
			return
		}
		r.folder(path, emit)
	}
}

// isSame reports whether two paths name the same folder.
func isSame(a, b string) bool {
	x, _ := os.Stat(a)
	y, _ := os.Stat(b)
	return os.SameFile(x, y)
}

// isFile reports whether an entry is a file, or a link to one. A pipe is not, because reading it may never end. A
// broken link counts as a file: opening it returns the error.
func isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
