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
	"time"

	"github.com/gofrs/flock"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/records"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A folder keeps the robots.txt files of sites and their rows, and what a run that has not ended has fetched. A run
// replaces what the last run has left only after it has printed what has changed, because changes that nobody
// has seen must be reported again. The zero folder keeps nothing.
//
//	DIR/example.com.txt                  the file, as it was when it could last be read
//	DIR/.rows.jsonl                      the last row of each site, one JSON object per line
//	DIR/.lock                            is locked while a run uses the folder
//	DIR/.unfinished/example.com.txt.new  the file at this run
//	DIR/.unfinished/rows.jsonl           the rows of this run
type folder struct {
	dir  string
	lock *flock.Flock
	last map[string]*row // the last rows, by the URL of the robots.txt
	done map[string]*row // the rows of an unfinished run of today
	rows *os.File
	err  error // the first error
}

// The names in a folder.
const (
	unfinished = ".unfinished"
	newRows    = unfinished + "/rows.jsonl"
	lastRows   = ".rows.jsonl"
)

// openFolder opens a folder, and finds what a run of today that has not ended has left. An empty dir keeps nothing.
func openFolder(dir string) (*folder, error) {
	f := &folder{dir: dir}
	if dir == "" {
		return f, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f.lock = flock.New(filepath.Join(dir, ".lock"))
	isLocked, err := f.lock.TryLock()
	if err == nil && !isLocked {
		err = fmt.Errorf("another run with --out %s has not ended; this one has read nothing", dir)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Join(dir, newRows)); err == nil && !isToday(info.ModTime()) {
		os.Remove(filepath.Join(dir, newRows))
	}
	errs := make([]error, 4)
	errs[0] = os.MkdirAll(filepath.Join(dir, unfinished), 0o777)
	f.last, errs[1] = readRows(filepath.Join(dir, lastRows))
	f.done, errs[2] = readRows(filepath.Join(dir, newRows))
	f.rows, errs[3] = os.OpenFile(filepath.Join(dir, newRows), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	f.rows.WriteString("\n") // ends a last line that was cut off
	return f, errors.Join(errs...)
}

func isToday(t time.Time) bool { return t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) }

// readRows returns the rows in a file, by the URL of the robots.txt. It skips a line that was cut off.
func readRows(name string) (map[string]*row, error) {
	rows := map[string]*row{}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return rows, nil
	}
	for line := range bytes.Lines(text) {
		if r := new(row); json.Unmarshal(line, r) == nil {
			rows[r.URL] = r
		}
	}
	return rows, err
}

// close ends a run. If its changes have been printed, its files and rows replace those of the last run.
func (f *folder) close(rows []*row, isPrinted bool) error {
	if f.rows == nil {
		return nil
	}
	defer f.lock.Close()
	if isPrinted {
		for _, r := range rows {
			delete(f.last, r.URL)
		}
		for _, r := range f.last { // sites that this run was not about
			f.keep(r)
		}
	}
	err := errors.Join(f.err, f.rows.Close())
	if !isPrinted || err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(f.dir, newRows), filepath.Join(f.dir, lastRows)); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.isRead() {
			continue
		}
		if err := os.Rename(f.nameOfNew(fileName(r.URL)), filepath.Join(f.dir, fileName(r.URL))); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(f.dir, unfinished))
}

// keep adds a row to those of this run.
func (f *folder) keep(r *row) {
	if f.err == nil {
		f.err = json.NewEncoder(f.rows).Encode(r)
	}
}

// nameOfNew returns the name of a file of this run.
func (f *folder) nameOfNew(name string) string {
	return filepath.Join(f.dir, unfinished, name+".new") // not .txt, because scan would read it
}

// update compares a site with the last run, sets what has changed in the row, and keeps the new file.
func (f *folder) update(r *row, found reply.Reply) {
	if f.dir == "" || f.err != nil {
		return
	}
	f.err = f.compare(r, found)
	f.keep(r)
}

func (f *folder) compare(r *row, found reply.Reply) error {
	name := fileName(r.URL)
	old, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch {
	case f.last[r.URL] != nil:
		r.Before = f.last[r.URL].State
	case err != nil: // there is nothing
	case bytes.HasPrefix(old, []byte(noFile)):
		r.Before = reply.NoFile
	default:
		r.Before = reply.IsFile
	}
	text := found.Body
	if r.State == reply.NoFile {
		text = fmt.Appendf(nil, "%s%s\n", noFile, r.URL)
	}
	if r.isRead() && err == nil && !bytes.Equal(text, old) {
		before := reply.Read(old)
		r.Changes = answers.Changes(verdict.Diff(before.File, found.File, rules.Options{}))
		r.Records, _ = records.Compare(before, found, nil) // only hostile files have too many lines for it
	}
	switch {
	case r.Before == "":
		r.Change = changeFirst
	case r.Before != r.State, len(r.Changes)+len(r.Records) > 0:
		r.Change = changeSome
	default:
		r.Change = changeNone
	}
	if !r.isRead() {
		return nil
	}
	return os.WriteFile(f.nameOfNew(name), text, 0o666)
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
