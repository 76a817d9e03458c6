package sites

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A folder keeps the robots.txt files of sites, and what a run that has not ended has fetched. A run
// replaces the files of the last run only after it has printed what has changed, because changes that
// nobody has seen must be reported again. The zero folder keeps nothing.
//
//	DIR/example.com.txt                  the file at the last run
//	DIR/.unfinished/example.com.txt.new  the file at this run
//	DIR/.unfinished/rows.jsonl           the rows of this run, one JSON object per line
type folder struct {
	dir     string
	done    map[string]*row // the rows of the run that is resumed, by the URL of the robots.txt
	fetched []string        // the names of the files of this run
	rows    *os.File
	err     error // the first error
}

// unfinished is the name of the folder with what a run that has not ended has fetched.
const unfinished = ".unfinished"

func openFolder(dir string, resume bool) (*folder, error) {
	f := &folder{dir: dir, done: map[string]*row{}}
	if dir == "" {
		return f, nil
	}
	name := filepath.Join(dir, unfinished, "rows.jsonl")
	if resume {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("no run with --out %s was interrupted: run the command without --resume", dir)
		}
		if err != nil {
			return nil, err
		}
		f.readRows(text)
	} else if err := os.RemoveAll(filepath.Join(dir, unfinished)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, unfinished), 0o777); err != nil {
		return nil, err
	}
	var err error
	f.rows, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err == nil && resume {
		_, err = f.rows.WriteString("\n") // ends a last line that was cut off
	}
	return f, err
}

// readRows reads the rows of an interrupted run. It skips the sites that could not be read, so that
// they are asked again, and a line that was cut off.
func (f *folder) readRows(text []byte) {
	for line := range bytes.Lines(text) {
		r := new(row)
		if json.Unmarshal(line, r) == nil && !r.isUnknown() {
			f.done[r.URL] = r
			f.fetched = append(f.fetched, fileName(r.URL))
		}
	}
}

// close ends a run. If its changes have been printed, its files replace the files of the last run.
func (f *folder) close(isPrinted bool) error {
	if f.rows == nil {
		return nil
	}
	err := errors.Join(f.err, f.rows.Close())
	if !isPrinted || err != nil {
		return err
	}
	for _, name := range f.fetched {
		if err := os.Rename(f.nameOfNew(name), filepath.Join(f.dir, name)); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(f.dir, unfinished))
}

// nameOfNew returns the name of a file of this run.
func (f *folder) nameOfNew(name string) string {
	return filepath.Join(f.dir, unfinished, name+".new") // not .txt, because scan would read it
}

// update compares a site's file with the file of the last run, sets the change in the row, and keeps the
// new file.
func (f *folder) update(r *row, found reply.Reply) {
	if f.dir == "" || f.err != nil {
		return
	}
	f.err = f.compare(r, found)
	if f.err == nil {
		f.err = json.NewEncoder(f.rows).Encode(r)
	}
}

func (f *folder) compare(r *row, found reply.Reply) error {
	if r.isUnknown() {
		r.Change = changeUnknown
		return nil
	}
	name := fileName(r.URL)
	text := found.Body
	if r.State == reply.NoFile {
		text = fmt.Appendf(nil, "%s%s\n", noFile, r.URL)
	}
	if err := os.WriteFile(f.nameOfNew(name), text, 0o666); err != nil {
		return err
	}
	f.fetched = append(f.fetched, name)
	old, err := os.ReadFile(filepath.Join(f.dir, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Change = changeFirst
		return nil
	case err != nil:
		return err
	}
	changes := verdict.Diff(verdict.Parse(old), found.File, rules.Options{})
	r.Changes = answers.Changes(changes)
	hadFile := !bytes.HasPrefix(old, []byte(noFile))
	switch {
	case !hadFile && r.State == reply.IsFile:
		r.Change = changeAppeared
	case hadFile && r.State == reply.NoFile:
		r.Change = changeVanished
	case len(changes) > 0:
		r.Change = changeVerdicts
	default:
		r.Change = changeSame
	}
	return nil
}

// noFile starts what is kept for a site without a robots.txt. Crawlers read such a comment as they read
// a missing file.
const noFile = "# There is no robots.txt at "

// fileName returns the name of the kept file for the robots.txt at a URL: example.com.txt for
// https://example.com/robots.txt, and http+example.com+8080.txt for another scheme or port. No two sites
// share a name, because host names have no "+".
func fileName(location string) string {
	site := strings.TrimPrefix(siteOf(location), "https://")
	return strings.NewReplacer("://", "+", ":", "+", "[", "", "]", "").Replace(site) + ".txt"
}
