// Package reply fetches the robots.txt of a site for a person, and says what the server's answer means.
package reply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/lint"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// UserAgent is the User-Agent header for fetching robots.txt files, unless the user
// names a crawler.
const UserAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// A State says what a server answered.
type State string

// The states.
const (
	IsFile  State = "file"             // a robots.txt
	NoFile  State = "no file"          // the site has none
	HTML    State = "HTML"             // an HTML page instead
	Other   State = "not a robots.txt" // something else instead
	Wall    State = "bot wall"         // a challenge for browsers
	Refused State = "refused"          // a status that means that the server refuses this tool
	Private State = "private"          // a redirect to an address that is not public
	Fails   State = "fails"            // a status that means that the server fails
	Dead    State = "no answer"        // there was no response
)

// An Reply is a robots.txt that was read from a file or fetched from a site.
type Reply struct {
	robotshttp.Result
	File  verdict.File
	State State
	Why   string // why there is no file to read; empty if there is one

	FirstLine   string // the first line of the body, if the state is HTML or Other
	ContentType string // the header Content-Type of the response; empty for a local file
	Bytes       int    // the length of the body, at most robotstxt.SizeLimit
	TooLong     bool   // whether the body is longer than robotstxt.SizeLimit
}

// Read returns the answer for a text that was not fetched.
func Read(body []byte) Reply {
	a := Reply{File: verdict.Parse(body), State: IsFile}
	a.Body = body
	a.look()
	return a
}

// look sets State and FirstLine from the body.
func (a *Reply) look() {
	if a.FirstLine = NotRobots(a.Body); a.FirstLine == "" {
		return
	}
	a.State = Other
	if a.FirstLine[0] == '<' {
		a.State = HTML
	}
}

// NotRobots returns the line that, according to package lint, shows that data is not a robots.txt
// file, such as the first line of an HTML page. For a robots.txt file, NotRobots returns "".
func NotRobots(data []byte) string {
	for _, f := range lint.Check(data) {
		if f.Code == "not-robots-txt" {
			return strings.TrimSpace(answers.NewLineTexts(data).Line(f.Line))
		}
	}
	return ""
}

// FormatNote returns a note if what was read is not a robots.txt file, or "" if it is one.
func (a Reply) FormatNote() string {
	if a.FirstLine == "" {
		return ""
	}
	return fmt.Sprintf("what was read as robots.txt is not a robots.txt file: it starts with %.40q", a.FirstLine)
}

// PathNote returns a note if a file was fetched from a path where crawlers do not look for it, or "".
func (a Reply) PathNote() string {
	u, err := url.Parse(a.URL)
	if err != nil || u.Path == "/robots.txt" || a.Status == 0 || a.Why != "" {
		return ""
	}
	location, _ := robotstxt.Location(a.URL) // after a fetch, the URL is valid
	return fmt.Sprintf("crawlers read only %s, so %s has no effect", location, Redacted(a.URL))
}

// Refused reports whether the server refuses the file to this tool, as bot walls do. Then nobody
// knows what it answers crawlers.
func (a Reply) Refused() bool { return a.State == Wall || a.State == Refused }

// IsUnknown reports whether it is not known what crawlers read, because the server fails or refuses
// the file to this tool.
func (a Reply) IsUnknown() bool {
	return a.Refused() || a.State == Private || a.State == Fails || a.State == Dead
}

// Err returns an error if a fetch found no file. The error says why, and whether crawlers
// may therefore fetch everything or nothing.
func (a Reply) FileError() error {
	why := a.Why
	switch {
	case why == "":
		return nil
	case a.Refused():
	case a.State == NoFile:
		why += ", so crawlers may fetch everything"
	default:
		why += ", so crawlers may fetch nothing"
	}
	return fmt.Errorf("%s: %s", Redacted(a.URL), why)
}

// Response describes the response of the server: its place, status, type and size. It returns "" if
// there was no response.
func (a Reply) Response() string {
	if a.Status == 0 {
		return ""
	}
	text := Redacted(a.URL) + ": "
	if a.FinalURL != "" && a.FinalURL != a.URL {
		text += "redirected to " + Redacted(a.FinalURL) + ", "
	}
	text += status(a.Status)
	if a.Outcome != robotshttp.Fetched {
		return text
	}
	text += ", " + cmp.Or(a.ContentType, "no Content-Type")
	if kind, _, _ := mime.ParseMediaType(a.ContentType); kind != "text/plain" { // RFC 9309, section 2.3
		text += " (should be text/plain)"
	}
	if a.TooLong {
		return text + ", more than 500 KiB (crawlers may ignore the rest)"
	}
	if a.Bytes == 1 {
		return text + ", 1 byte"
	}
	return fmt.Sprintf("%s, %d bytes", text, a.Bytes)
}

// A Fetcher fetches robots.txt files. The zero Fetcher is ready to use.
type Fetcher struct {
	UserAgent  string       // the User-Agent header; if it is empty, the name of this tool
	Client     *http.Client // sends the requests; its Timeout limits each fetch; see robotshttp.Fetch
	Missing403 bool         // whether status 403 means that there is no file
	Hint       string       // what to do if a server answers 403
}

// Fetch fetches the robots.txt at a URL, unless ctx ends.
func (f Fetcher) Fetch(ctx context.Context, address string) (a Reply, err error) {
	a.Result, err = robotshttp.Fetch(ctx, f.Client, cmp.Or(f.UserAgent, UserAgent), address)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return a, err
	}
	a.ContentType = a.Header.Get("Content-Type")
	a.Bytes, a.TooLong = min(len(a.Body), robotstxt.SizeLimit), len(a.Body) > robotstxt.SizeLimit
	challenge := challenge(a.Header)
	switch {
	case challenge != "": // the body is not the file, whatever the status: AWS answers with 202
		a.State, a.Why = Wall, refusal(challenge)
		a.Result.File, a.Body = robotstxt.Unavailable(), nil
	case a.Status == http.StatusForbidden && !f.Missing403:
		a.State, a.Why = Refused, refusal(status(a.Status))+f.Hint
	case refuses(a.Status) && a.Status != http.StatusForbidden:
		a.State, a.Why = Refused, refusal(status(a.Status))
	case errors.Is(a.Err, ErrPrivate):
		a.State, a.Why = Private, ErrPrivate.Error()
	case a.Outcome == robotshttp.Unavailable:
		a.State, a.Why = NoFile, "the server answers "+status(a.Status)
	case a.Outcome == robotshttp.Fetched:
		a.State = IsFile
		a.look()
	case a.Status != 0:
		a.State, a.Why = Fails, "the server answers "+status(a.Status)
	default:
		a.State, a.Why = Dead, ErrorText(a.Err)
	}
	a.File = verdict.Parse(a.Body)
	a.File.File = a.Result.File
	return a, nil
}

// Reason returns why there was no response, without the name of the site, so that sites can share a reason. It
// returns "" if there was a response.
func (a Reply) Reason() string {
	dns, isDNS := errors.AsType[*net.DNSError](a.Err)
	switch {
	case a.State != Dead:
		return ""
	case errors.Is(a.Err, context.DeadlineExceeded) || os.IsTimeout(a.Err):
		return "it did not answer in time"
	case isDNS && dns.IsNotFound:
		return "there is no such host"
	case errors.Is(a.Err, syscall.ECONNREFUSED):
		return "the server refuses connections"
	case errors.Is(a.Err, io.EOF):
		return "the server closed the connection without an answer"
	}
	return a.Why
}

// ErrorText returns the text of an error without "robotshttp: " or "robotstxt: " at its
// start.
func ErrorText(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: ")
}

// Redacted replaces the user name and the password in a URL, if it has them, with "xxxxx". A token is
// often the user name.
func Redacted(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		u.User = url.User("xxxxx")
		return u.String()
	}
	return address
}
