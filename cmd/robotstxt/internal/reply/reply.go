// Package reply fetches the robots.txt of a site for a person, and says in plain words what the server
// answered. All commands and the page print these words.
package reply

import (
	"cmp"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A State says what a server answered.
type State string

// The states.
const (
	IsFile  State = "file"             // a robots.txt
	NoFile  State = "no file"          // the site has none
	Other   State = "not a robots.txt" // something else, such as an HTML page; see robotstxt.NotRobotsTxt
	Wall    State = "bot wall"         // a challenge for browsers
	Refused State = "refused"          // a status that means that the server refuses this tool
	Private State = "private"          // a redirect to an address that is not public; see Guard
	Fails   State = "fails"            // a status that means that the server fails
	Lost    State = "bad redirect"     // a redirect that leads nowhere
	Dead    State = "no answer"        // no response, or not all of it
)

// A Reply is a robots.txt that was read from a file or fetched from a site.
type Reply struct {
	robotshttp.Result
	File  verdict.File // what crawlers read
	State State
	Why   string // what the server answered, in a few words; empty if the state is IsFile
	View  *View  // nil for a local file
}

// A View is a reply of a server as the commands print it in JSON.
type View struct {
	URL         string `json:"url"`
	State       State  `json:"state"`
	Why         string `json:"why,omitempty"`
	Status      int    `json:"status"`
	FinalURL    string `json:"final_url"`
	ContentType string `json:"content_type"`
	Bytes       int    `json:"bytes"`    // the length of the body, at most robotstxt.SizeLimit
	TooLong     bool   `json:"too_long"` // whether the body is longer than that
}

// Read returns the reply for a text that was not fetched.
func Read(body []byte) Reply {
	r := Reply{Result: robotshttp.Result{Body: body}, File: verdict.Parse(body), State: IsFile}
	if r.File.Format != "" {
		r.State, r.Why = Other, r.File.FormatNote()
	}
	return r
}

// Get fetches the robots.txt at a URL that the user named, as [robotshttp.Fetch] does. The User-Agent header
// is the name of this tool if userAgent is empty.
func Get(ctx context.Context, client *http.Client, userAgent, address string) (r Reply, err error) {
	r.Result, err = robotshttp.Fetch(ctx, client, cmp.Or(userAgent, UserAgent), address)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return r, err
	}
	r.State, r.Why = stateOf(r.Result, client.Timeout)
	if r.IsRefused() {
		r.Result.File, r.Body = robotstxt.Unavailable(), nil // a challenge can have any status: AWS answers with 202
	}
	r.File = verdict.Parse(r.Body)
	r.File.File, r.File.Fetched = r.Result.File, true
	if r.File.Format != "" {
		r.State, r.Why = Other, r.File.FormatNote()
	}
	r.File.Why, r.File.IsUnknown = r.Meaning(), r.IsRefused()
	r.View = &View{Redacted(r.URL), r.State, r.Why, r.Status, Redacted(r.FinalURL), r.Header.Get("Content-Type"),
		min(len(r.Body), robotstxt.SizeLimit), len(r.Body) > robotstxt.SizeLimit}
	return r, nil
}

// stateOf returns the state of a fetch with a time limit, and the reason. It does not look at the body.
func stateOf(r robotshttp.Result, limit time.Duration) (state State, why string) {
	why = refusal(r.Status, r.Header)
	switch {
	case challenge(r.Header) != "":
		return Wall, why
	case why != "":
		return Refused, why
	case IsPrivate(r.Err):
		return Private, reason(r.Err, limit)
	case r.Outcome == robotshttp.Fetched:
		return IsFile, ""
	case r.Status/100 == 3:
		return Lost, lost(r.Header)
	case r.Outcome == robotshttp.Unavailable:
		return NoFile, "there is no robots.txt (" + status(r.Status) + ")"
	case r.Status != 0:
		return Fails, answers(r.Status)
	}
	return Dead, reason(r.Err, limit)
}

// IsRefused reports whether the server refuses the file to this tool, as bot walls do, or this tool refuses to
// fetch it. Then nobody knows what crawlers get.
func (r Reply) IsRefused() bool { return r.State == Wall || r.State == Refused || r.State == Private }

// IsUnknown reports whether the robots.txt of a site could not be read, so that it is known at most what
// crawlers do meanwhile.
func (r Reply) IsUnknown() bool {
	return r.IsRefused() || r.State == Fails || r.State == Lost || r.State == Dead
}

// Meaning returns what the server answered, and what crawlers may fetch if that is not the verdict about a
// file. It returns "" if the server answered with a robots.txt.
func (r Reply) Meaning() string {
	switch r.State {
	case NoFile, Lost:
		return r.Why + ", so crawlers may fetch everything"
	case Fails, Dead:
		return r.Why + ", so crawlers may fetch nothing"
	}
	return r.Why
}

// PathNote returns a note if a file was fetched from a path where crawlers do not look for it, or "".
func (r Reply) PathNote() string {
	u, err := url.Parse(r.URL)
	if err != nil || u.Path == "/robots.txt" || r.State != IsFile || r.View == nil {
		return ""
	}
	location, _ := robotstxt.Location(r.URL) // after a fetch, the URL is valid
	return fmt.Sprintf("crawlers read only %s, so %s has no effect", location, r.View.URL)
}

// Response describes the response of the server: its place, status, type and size. It returns "" if
// there was no response.
func (r Reply) Response() string {
	v := r.View
	if v == nil || v.Status == 0 {
		return ""
	}
	text := v.URL + ": "
	if v.FinalURL != "" && v.FinalURL != v.URL {
		text += "redirected to " + v.FinalURL + ", "
	}
	text += status(v.Status)
	if r.Outcome != robotshttp.Fetched {
		return text
	}
	text += ", " + cmp.Or(v.ContentType, "no Content-Type")
	if kind, _, _ := mime.ParseMediaType(v.ContentType); kind != "text/plain" { // RFC 9309, section 2.3
		text += " (should be text/plain)"
	}
	if v.TooLong {
		return text + ", more than 500 KiB (crawlers may ignore the rest)"
	}
	if v.Bytes == 1 {
		return text + ", 1 byte"
	}
	return fmt.Sprintf("%s, %d bytes", text, v.Bytes)
}

// ErrorText returns the text of an error without user names and passwords, and without "robotshttp: " or
// "robotstxt: " at its start.
func ErrorText(err error) string {
	return Redacted(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: "))
}
