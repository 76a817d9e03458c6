package sites

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A folder keeps the robots.txt files of sites, and the rows of a run that has not ended. The zero
// folder keeps nothing.
type folder struct {
	dir        string
	done       map[string]*row // the rows of the run that is resumed, by the URL of the robots.txt
	unfinished *os.File
	err        error // the first error
}

// unfinishedName is the file with the rows of a run that has not ended, one JSON object per line.
const unfinishedName = ".unfinished.jsonl"

func openFolder(dir string, resume bool) (*folder, error) {
	f := &folder{dir: dir, done: map[string]*row{}}
	if dir == "" {
		return f, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, unfinishedName)
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if resume {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("no run with --out %s was interrupted: run the command without --resume", dir)
		}
		if err != nil {
			return nil, err
		}
		f.readRows(text)
	} else {
		flags |= os.O_TRUNC
	}
	var err error
	f.unfinished, err = os.OpenFile(name, flags, 0o666)
	return f, err
}

// readRows reads the rows of an interrupted run. It skips a last line that was cut off.
func (f *folder) readRows(text []byte) {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		r := new(row)
		if json.Unmarshal(lines.Bytes(), r) == nil {
			f.done[r.URL] = r
		}
	}
}

// close ends a run. If it is complete, its rows are no longer needed.
func (f *folder) close(isComplete bool) error {
	if f.unfinished == nil {
		return nil
	}
	err := errors.Join(f.err, f.unfinished.Close())
	if isComplete && err == nil {
		err = os.Remove(f.unfinished.Name())
	}
	return err
}

// update compares a site's file with that of the last run, sets the change in the row, and keeps the
// new file.
func (f *folder) update(r *row, found cli.SiteRobots) {
	if f.dir == "" || f.err != nil {
		return
	}
	f.err = f.replace(r, found)
	if f.err == nil {
		f.err = json.NewEncoder(f.unfinished).Encode(r)
	}
}

func (f *folder) replace(r *row, found cli.SiteRobots) error {
	if r.isUnknown() {
		r.Change = changeUnknown
		return nil
	}
	name := filepath.Join(f.dir, fileName(r.URL))
	text := found.Body
	if r.State == stateNoFile {
		text = fmt.Appendf(nil, "%s%s\n", noFile, r.URL)
	}
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Change = changeFirst
		return os.WriteFile(name, text, 0o666)
	case err != nil:
		return err
	}
	changes := rules.Diff(robotstxt.Parse(old), found.File, rules.Options{})
	r.Changes = answers.Changes(changes)
	hadFile := !bytes.HasPrefix(old, []byte(noFile))
	switch {
	case !hadFile && r.State == stateFile:
		r.Change = changeAppeared
	case hadFile && r.State == stateNoFile:
		r.Change = changeVanished
	case len(changes) > 0:
		r.Change = changeVerdicts
	default:
		r.Change = changeSame
	}
	return cli.Replace(name, text)
}

// noFile starts what is kept for a site without a robots.txt. Crawlers read such a comment as they read
// a missing file.
const noFile = "# There is no robots.txt at "

// fileName returns the name of the kept file for the robots.txt at a URL: example.com.txt for
// https://example.com/robots.txt, and http_example.com_8080.txt for another scheme or port.
func fileName(location string) string {
	site := strings.TrimPrefix(siteOf(location), "https://")
	return strings.NewReplacer("://", "_", ":", "_", "[", "", "]", "").Replace(site) + ".txt"
}
