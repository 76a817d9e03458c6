package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"time"
	"weak"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/survey"
)

// An archiveChecker answers questions by the captures in WARC files.
type archiveChecker struct {
	*checker
	at       time.Time // captures after it do not count, unless it is zero
	captures map[string]*archived
	files    map[[sha256.Size]byte]weak.Pointer[robotstxt.File] // equal ones are kept once
	damaged  bool
}

// An archived is a capture of a robots.txt file.
type archived struct {
	File     *robotstxt.File `json:"-"` // nil if it is not known
	Archive  string          `json:"archive"`
	Offset   int64           `json:"offset"`
	Inner    int64           `json:"inner"`
	Fetched  time.Time       `json:"fetched"` // zero if it is not known
	Status   int             `json:"status"`
	Redirect string          `json:"redirect"`
	unknown  unanswered      // why there is no File
	json     []byte          // nil until it is needed
}

// An unanswered is the reason why an archive cannot answer a question.
type unanswered string

const (
	noCapture   unanswered = "no capture"
	isTruncated unanswered = "truncated" // part of a file proves nothing about the whole
	isUndecoded unanswered = "undecoded"
	isRedirect  unanswered = "redirect" // to a URL that is not in the archive
)

// parseAt parses a time, or a day, which means the end of that day.
func parseAt(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day.Add(24*time.Hour - 1), nil
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return at, fmt.Errorf("--at %q: want a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z", s)
	}
	return at, nil
}

// runArchive answers about URLs by the archives that the flags name.
func (c *checker) runArchive(urls []string) (status int, err error) {
	a := &archiveChecker{checker: c, captures: map[string]*archived{}, files: map[[sha256.Size]byte]weak.Pointer[robotstxt.File]{}}
	if a.at, err = parseAt(c.at); err != nil {
		return 0, err
	}
	const gcPercent = 20 // the files of all sites stay in memory, so collect garbage early
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	for _, name := range c.archives {
		if err := a.read(name); err != nil {
			return 0, err
		}
	}
	a.files = nil
	out := bufio.NewWriterSize(c.cmd.OutOrStdout(), 64<<10)
	for _, url := range urls {
		s := exitOK
		if url == "-" {
			s, err = a.answerLines(out)
		} else {
			s, err = a.answer(out, url)
		}
		if err != nil {
			return 0, err
		}
		status = max(status, s)
	}
	if status < exitError && a.damaged {
		status = exitDamaged
	}
	return status, out.Flush()
}

// read reads an archive and keeps the last capture of each location.
func (a *archiveChecker) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if head, _ := in.Peek(64); !survey.IsArchive(head) && len(head) > 0 {
		return fmt.Errorf("%s is not a WARC file", name)
	}
	captures := survey.NewReader(in, name)
	for {
		c, err := captures.Next()
		_, isFault := errors.AsType[*survey.Fault](err)
		switch {
		case err == io.EOF:
			return nil
		case isFault:
			a.damaged = true
			complain(a.cmd, fmt.Errorf("%s: %w", name, err))
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		default:
			a.add(c)
		}
	}
}

// add adds a capture unless it is of another URL, or a later one is known. A response of
// 304 leaves the capture before it in force.
func (a *archiveChecker) add(c survey.Capture) {
	const notModified = 304
	location, err := robotstxt.Location(c.URL)
	if err != nil || !robotstxt.Covers(c.URL, location) || c.Status == notModified || !a.at.IsZero() && c.Fetched.After(a.at) {
		return
	}
	if before := a.captures[location]; before != nil && before.Fetched.After(c.Fetched) {
		return
	}
	one := &archived{Archive: c.Archive, Offset: c.Offset, Inner: c.Inner, Fetched: c.Fetched, Status: c.Status, Redirect: c.Redirect}
	switch {
	case c.Undecoded:
		one.unknown = isUndecoded
	case c.Truncated && len(c.Body) <= robotstxt.SizeLimit && c.Status/100 == 2:
		one.unknown = isTruncated
	case c.Redirect != "":
		one.unknown = isRedirect
	default:
		one.File = a.file(c)
	}
	a.captures[location] = one
}

// file parses the robots.txt of a capture, unless an equal one is known.
func (a *archiveChecker) file(c survey.Capture) *robotstxt.File {
	h := sha256.New()
	fmt.Fprintln(h, c.Status)
	h.Write(c.Body)
	key := [sha256.Size]byte(h.Sum(nil))
	if file := a.files[key].Value(); file != nil {
		return file
	}
	file := robotstxt.FromStatus(c.Status, c.Body)
	a.files[key] = weak.Make(file)
	return file
}

// find returns the capture that governs a location, at the end of at most five redirects
// (RFC 9309, section 2.3.1.2).
func (a *archiveChecker) find(location string) (*archived, unanswered) {
	one := a.captures[location]
	if one == nil {
		return nil, noCapture
	}
	for hops := 0; one.unknown == isRedirect && hops < 5; hops++ {
		target, err := robotstxt.Location(one.Redirect)
		if err != nil || !robotstxt.Covers(one.Redirect, target) || a.captures[target] == nil {
			break
		}
		one = a.captures[target]
	}
	return one, one.unknown
}

// answerLines answers about each URL on standard input.
func (a *archiveChecker) answerLines(out *bufio.Writer) (status int, err error) {
	lines := bufio.NewScanner(a.cmd.InOrStdin())
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		url := lines.Text()
		if url == "" {
			continue
		}
		s, err := a.answer(out, url)
		if err != nil {
			return 0, err
		}
		status = max(status, s)
	}
	return status, lines.Err()
}

// answer writes a line for each agent.
func (a *archiveChecker) answer(out *bufio.Writer, url string) (status int, err error) {
	location, err := robotstxt.Location(url)
	if err != nil {
		complain(a.cmd, err)
		return exitError, nil
	}
	one, unknown := a.find(location)
	for _, agent := range a.agents {
		var d robotstxt.Decision
		switch {
		case unknown != "":
			status = exitError
		default:
			d = one.File.Decide(agent, url)
			if !d.Allowed {
				status = max(status, exitNo)
			}
		}
		if err := a.write(out, url, agent, d, one, unknown); err != nil {
			return 0, err
		}
	}
	return status, nil
}

// write writes an answer. It builds the JSON by hand, because there may be millions of
// answers.
func (a *archiveChecker) write(out *bufio.Writer, url, agent string, d robotstxt.Decision, one *archived, unknown unanswered) error {
	b := append(out.AvailableBuffer(), `{"url":`...)
	b = appendJSON(b, url)
	b = append(b, `,"agent":`...)
	b = appendJSON(b, agent)
	b = append(b, `,"allowed":`...)
	if unknown == "" {
		b = strconv.AppendBool(b, d.Allowed)
	} else {
		b = append(b, "null"...) // it is not known
	}
	b = append(b, `,"reason":`...)
	b = appendJSON(b, cmp.Or(string(unknown), string(d.Reason)))
	b = append(b, `,"token":`...)
	b = appendJSON(b, d.Token)
	b = append(b, `,"line":`...)
	b = strconv.AppendInt(b, int64(d.Rule.Line), 10)
	b = append(b, `,"rule":`...)
	rule := ""
	if d.Reason == robotstxt.RuleMatched {
		rule = d.Rule.String()
	}
	b = appendJSON(b, rule)
	b = append(b, `,"capture":`...)
	if one == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, one.text()...)
	}
	_, err := out.Write(append(b, "}\n"...))
	return err
}

// text returns the capture as JSON.
func (one *archived) text() []byte {
	if one.json == nil {
		var err error
		if one.json, err = json.Marshal(one); err != nil {
			panic(err) // a Reader returns no date without JSON
		}
	}
	return one.json
}

// appendJSON appends a string as JSON.
func appendJSON(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // every string has JSON
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
