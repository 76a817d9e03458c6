package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/refusal"
	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/spf13/cobra"
)

// A SiteRobots is a robots.txt that was read from a file or fetched from a site.
type SiteRobots struct {
	robotshttp.Result
	FirstLine string // what the function NotRobots returned for the body
	Caveats   answers.Caveats

	ContentType string // the header Content-Type of the response; empty for a local file
	Bytes       int    // the length of the body, at most robotstxt.SizeLimit
	TooLong     bool   // whether the body is longer than robotstxt.SizeLimit

	isChallenge bool   // whether a bot wall answered with a challenge for browsers
	refusal     string // how the server refused this tool, in words; empty if it did not
	hint        string // what to do about a refusal; may be empty
}

// FormatNote returns a note if what was read is not a robots.txt file, or "" if it is one.
func (r SiteRobots) FormatNote() string {
	if r.FirstLine == "" {
		return ""
	}
	return fmt.Sprintf("what was read as robots.txt is not a robots.txt file: it starts with %.40q", r.FirstLine)
}

// PathNote returns a note if a file was fetched from a path where crawlers do not look for it, or "".
func (r SiteRobots) PathNote() string {
	u, err := url.Parse(r.URL)
	if err != nil || u.Path == "/robots.txt" || r.Status == 0 || r.WhyNoFile() != "" {
		return ""
	}
	location, _ := robotstxt.Location(r.URL) // after a fetch, the URL is valid
	return fmt.Sprintf("crawlers read only %s, so %s has no effect", location, Redacted(r.URL))
}

// Refused reports whether the server refuses the file to this tool, as bot walls do. Then nobody
// knows what it answers crawlers.
func (r SiteRobots) Refused() bool { return r.refusal != "" }

// IsChallenge reports whether a bot wall answered with a challenge for browsers.
func (r SiteRobots) IsChallenge() bool { return r.isChallenge }

// IsUnknown reports whether it is not known what crawlers read, because the server fails or refuses
// the file to this tool.
func (r SiteRobots) IsUnknown() bool {
	return r.Refused() || r.File.Access() == robotstxt.FileUnreachable
}

// WhyNoFile returns the reason why a fetch found no file, or "" if it found one.
func (r SiteRobots) WhyNoFile() string {
	switch {
	case r.Refused():
		return refusal.Text(r.refusal) + r.hint
	case r.Status != 0 && r.Outcome != robotshttp.Fetched && r.Outcome != robotshttp.Cached:
		return "the server answers " + refusal.Status(r.Status)
	case r.Err != nil:
		return errorText(r.Err)
	}
	return ""
}

// FileError returns an error if a fetch found no file. The error says why, and whether crawlers
// may therefore fetch everything or nothing.
func (r SiteRobots) FileError() error {
	why := r.WhyNoFile()
	switch {
	case why == "":
		return nil
	case r.Refused():
	case r.File.Access() == robotstxt.FileUnavailable:
		why += ", so crawlers may fetch everything"
	default:
		why += ", so crawlers may fetch nothing"
	}
	return fmt.Errorf("%s: %s", Redacted(r.URL), why)
}

// Response describes the response of the server: its place, status, type and size. It returns "" if
// there was no response.
func (r SiteRobots) Response() string {
	if r.Status == 0 {
		return ""
	}
	text := Redacted(r.URL) + ": "
	if r.FinalURL != "" && r.FinalURL != r.URL {
		text += "redirected to " + Redacted(r.FinalURL) + ", "
	}
	text += refusal.Status(r.Status)
	if r.Outcome != robotshttp.Fetched {
		return text
	}
	text += ", " + cmp.Or(r.ContentType, "no Content-Type")
	if kind, _, _ := mime.ParseMediaType(r.ContentType); kind != "text/plain" { // RFC 9309, section 2.3
		text += " (should be text/plain)"
	}
	if r.TooLong {
		return text + ", more than 500 KiB (crawlers may ignore the rest)"
	}
	return text + ", " + Plural(r.Bytes, "byte")
}

// A Loader loads robots.txt files. The zero Loader is ready to use.
type Loader struct {
	UserAgent string        // the User-Agent header for fetches; if it is empty, the name of this tool
	Client    *http.Client  // sends the requests; if it is nil, http.DefaultClient
	Timeout   time.Duration // limits each fetch; if it is zero, 10 seconds

	hasFlag    bool
	missing403 bool // whether status 403 means that there is no file
}

// AddFlag adds the flag --missing-403, which means the same in all commands.
func (l *Loader) AddFlag(cmd *cobra.Command) {
	l.hasFlag = true
	cmd.Flags().BoolVar(&l.missing403, "missing-403", false, "if a server answers 403 for a robots.txt, there is none, as in object stores")
}

// Load returns the robots.txt that a FILE|URL|- operand names. For a URL without a path, it returns
// the robots.txt of the site. A site that has no robots.txt, refuses it or does not answer is not an
// error; see SiteRobots.FileError.
func (l *Loader) Load(cmd *cobra.Command, name string) (r SiteRobots, err error) {
	switch {
	case IsURL(name):
		location, err := SiteOf(name)
		if err != nil {
			return r, err
		}
		if u, err := url.Parse(name); err == nil && strings.Trim(u.Path, "/") == "" {
			name = location
		}
		return l.Fetch(name)
	case name == "-":
		r.Body, err = robotstxt.ReadBody(cmd.InOrStdin())
	default:
		r.Body, err = readFile(name)
	}
	r.File, r.FirstLine, r.Caveats = robotstxt.Parse(r.Body), NotRobots(r.Body), answers.NewCaveats(r.Body)
	return r, err
}

// Fetch fetches the robots.txt at a URL. An interrupt (Ctrl-C) cancels the fetch, and the error says
// so.
func (l *Loader) Fetch(address string) (r SiteRobots, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return l.FetchContext(ctx, address)
}

// FetchContext fetches the robots.txt at a URL, unless ctx ends.
func (l *Loader) FetchContext(ctx context.Context, address string) (r SiteRobots, err error) {
	var header http.Header
	cache := &robotshttp.Cache{
		UserAgent: cmp.Or(l.UserAgent, UserAgent),
		Client:    l.Client,
		Timeout:   l.Timeout,
		OverrideStatus: func(_ string, resp *http.Response, _ error) int {
			if resp != nil {
				header = resp.Header
			}
			return 0 // proceed as usual
		},
	}
	r.Result, err = cache.FetchFile(ctx, address)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return r, err
	}
	r.ContentType = header.Get("Content-Type")
	r.Bytes, r.TooLong = min(len(r.Body), robotstxt.SizeLimit), len(r.Body) > robotstxt.SizeLimit
	r.refusal = refusal.Of(r.Status, header)
	r.isChallenge = refusal.Challenge(header) != ""
	if r.isChallenge { // the body is not the file, whatever the status: AWS answers with 202
		r.File, r.Body = robotstxt.Unavailable(), nil
	}
	r.FirstLine, r.Caveats = NotRobots(r.Body), answers.NewCaveats(r.Body)
	if r.refusal == refusal.Status(http.StatusForbidden) {
		if l.missing403 {
			r.refusal = ""
		} else if l.hasFlag {
			r.hint = "; object stores answer so if there is no file: then use --missing-403"
		}
	}
	return r, nil
}

// ReadRobots returns the text of the robots.txt that a FILE|URL|- operand names. It leaves out
// the end of a long file, which Parse would ignore. A site that has no robots.txt, refuses it or
// does not answer is an error. ReadRobots prints the note of SiteRobots.PathNote.
func ReadRobots(cmd *cobra.Command, name string) ([]byte, error) {
	r, err := new(Loader).Load(cmd, name)
	if err == nil {
		err = r.FileError()
	}
	if note := r.PathNote(); note != "" {
		Complain(cmd, errors.New(note))
	}
	return r.Body, err
}

// LoadWithNotes returns the robots.txt that a FILE|URL|- operand or flag names. It prints a note
// if the site has no robots.txt, or if the file is something else, such as an HTML page. If the
// server fails or refuses the file, it returns an error.
func (l *Loader) LoadWithNotes(cmd *cobra.Command, name string) (SiteRobots, error) {
	r, err := l.Load(cmd, name)
	if err != nil {
		return r, err
	}
	if err := r.FileError(); err != nil {
		if r.IsUnknown() {
			return r, err
		}
		Complain(cmd, err)
	}
	if r.FirstLine != "" {
		Complain(cmd, fmt.Errorf("%s is not a robots.txt file: it starts with %.40q", DisplayName(name), r.FirstLine))
	}
	return r, nil
}
