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
	"strings"
	"time"
	"weak"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/survey"
)

// An archiveChecker checks URLs against the captures of robots.txt files in WARC files.
type archiveChecker struct {
	*checker
	at       time.Time                                          // captures after this time are ignored; zero for no limit
	captures map[string]*archivedCapture                        // the latest capture of each robots.txt file, by the URL of the file
	files    map[[sha256.Size]byte]weak.Pointer[robotstxt.File] // by a hash of status and body, so that equal captures share a File
	damaged  bool
	out      *bufio.Writer
}

// An archivedCapture is a capture of a robots.txt file.
type archivedCapture struct {
	file     *robotstxt.File
	unknown  robotstxt.Reason // why the capture cannot decide whether URLs are allowed; empty if file is not nil
	fetched  time.Time
	redirect string
	view     []byte // a captureView as JSON
}

// A captureView is a capture as check --archive prints it.
type captureView struct {
	Archive  string     `json:"archive"`
	Offset   int64      `json:"offset"`
	Inner    int64      `json:"inner"`
	Fetched  *time.Time `json:"fetched"`
	Status   int        `json:"status"`
	Redirect string     `json:"redirect"`
}

// These reasons say why the archives do not show whether a URL is allowed.
const (
	noCapture   robotstxt.Reason = "no capture"
	isTruncated robotstxt.Reason = "truncated" // the missing part of the file could contain the rule that decides
	isUndecoded robotstxt.Reason = "undecoded"
	isRedirect  robotstxt.Reason = "redirect" // the redirects lead to no captured robots.txt, or there are more than five
)

// parseAt parses the value of --at. A day means the end of that day, in UTC. If the value is
// empty, parseAt returns the zero time.
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

// runArchive checks URLs against the archives given with --archive, and prints the answers.
func (c *checker) runArchive(urls []string) (status int, err error) {
	a := &archiveChecker{checker: c, captures: map[string]*archivedCapture{}, files: map[[sha256.Size]byte]weak.Pointer[robotstxt.File]{}}
	if a.at, err = parseAt(c.at); err != nil {
		return 0, err
	}
	const gcPercent = 20 // the files of all sites stay in memory, so collect garbage often
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	for _, name := range c.archives {
		if err := a.read(name); err != nil {
			return 0, err
		}
	}
	a.files = nil
	a.out = bufio.NewWriterSize(c.cmd.OutOrStdout(), 64<<10)
	status, err = c.answerAll(urls, a.answer)
	if err == nil && status < exitError && a.damaged {
		status = exitDamaged
	}
	return status, cmp.Or(err, a.out.Flush())
}

// read reads an archive and stores its captures of robots.txt files.
func (a *archiveChecker) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	captures := survey.NewReader(f, name)
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
		case c.Archive == "":
			return fmt.Errorf("%s is not a WARC file", name)
		default:
			a.add(c)
		}
	}
}

// add stores a capture of a robots.txt file, unless a later capture of the same file is already
// stored. It ignores captures of other URLs, captures after a.at, and captures with status 304,
// which only confirm an earlier capture.
func (a *archiveChecker) add(c survey.Capture) {
	const notModified = 304
	location, err := robotstxt.Location(c.URL)
	if err != nil || !robotstxt.Covers(c.URL, location) || c.Status == notModified || !a.at.IsZero() && c.Fetched.After(a.at) {
		return
	}
	if before := a.captures[location]; before != nil && before.fetched.After(c.Fetched) {
		return
	}
	view := captureView{Archive: c.Archive, Offset: c.Offset, Inner: c.Inner, Status: c.Status, Redirect: c.Redirect}
	if !c.Fetched.IsZero() {
		view.Fetched = &c.Fetched
	}
	one := &archivedCapture{fetched: c.Fetched, redirect: c.Redirect}
	if one.view, err = json.Marshal(view); err != nil {
		panic(err) // impossible: a survey.Reader returns only dates that JSON can represent
	}
	switch {
	case c.Undecoded:
		one.unknown = isUndecoded
	case c.Truncated && len(c.Body) <= robotstxt.SizeLimit && c.Status/100 == 2:
		one.unknown = isTruncated
	case c.Redirect != "":
		one.unknown = isRedirect
	default:
		one.file = a.file(c)
	}
	a.captures[location] = one
}

// file returns the robots.txt of a capture. Captures with the same status and body share
// one File.
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

// find returns the capture of the robots.txt file at a URL. It follows at most five redirects (RFC
// 9309, section 2.3.1.2). If the capture cannot decide whether URLs are allowed, find also returns
// the reason. If there is no capture, find returns nil and noCapture.
func (a *archiveChecker) find(location string) (*archivedCapture, robotstxt.Reason) {
	one := a.captures[location]
	if one == nil {
		return nil, noCapture
	}
	for hops := 0; one.unknown == isRedirect && hops < 5; hops++ {
		target, err := robotstxt.Location(one.redirect)
		if err != nil || !robotstxt.Covers(one.redirect, target) || a.captures[target] == nil {
			break
		}
		one = a.captures[target]
	}
	return one, one.unknown
}

// answer prints whether each agent may fetch a URL, and returns the exit status.
func (a *archiveChecker) answer(url string) (status int, err error) {
	location, err := robotstxt.Location(url)
	if err != nil {
		complain(a.cmd, err)
		return exitError, nil
	}
	one, unknown := a.find(location)
	for _, agent := range a.agents {
		var d robotstxt.Decision
		if unknown != "" {
			status = exitError
		} else if d = one.file.Decide(agent, url); !d.Allowed {
			status = max(status, exitNo)
		}
		if err := a.write(url, agent, d, one, unknown); err != nil {
			return 0, err
		}
	}
	return status, nil
}

// write writes an answer as one line of JSON. Package json is slow: if it wrote all answers, it would
// take most of the command's time. So write uses package json only for unusual strings.
func (a *archiveChecker) write(url, agent string, d robotstxt.Decision, one *archivedCapture, unknown robotstxt.Reason) error {
	allowed, rule, view := strconv.FormatBool(d.Allowed), "", []byte("null")
	if unknown != "" {
		allowed = "null"
	}
	if d.Reason == robotstxt.RuleMatched {
		rule = d.Rule.String()
	}
	if one != nil {
		view = one.view
	}
	b := a.out.AvailableBuffer()
	b = appendJSON(append(b, `{"url":`...), url)
	b = appendJSON(append(b, `,"agent":`...), agent)
	b = append(append(b, `,"allowed":`...), allowed...)
	b = appendJSON(append(b, `,"reason":`...), string(cmp.Or(unknown, d.Reason)))
	b = appendJSON(append(b, `,"token":`...), d.Token)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(d.Rule.Line), 10)
	b = appendJSON(append(b, `,"rule":`...), rule)
	b = append(append(b, `,"capture":`...), view...)
	_, err := a.out.Write(append(b, "}\n"...))
	return err
}

func appendJSON(b []byte, s string) []byte {
	isPlain := func(r rune) bool { return ' ' <= r && r <= '~' && r != '"' && r != '\\' }
	if strings.IndexFunc(s, func(r rune) bool { return !isPlain(r) }) < 0 {
		return append(append(append(b, '"'), s...), '"')
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // impossible: JSON can represent every string
	}
	return append(b, quoted...)
}
