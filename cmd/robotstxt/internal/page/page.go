// Package page says what may be done with a page: whether a crawler may fetch it, whether search results may show
// it, and whether models may be trained with it, and which line, header or tag says so. The commands tags, check
// and test print these answers.
package page

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/robotstag"
)

// A Page is what a server answered for a page.
type Page struct {
	URL     string // after redirects; empty if it is not known
	IsMoved bool   // whether redirects were followed
	Status  int    // 0 if there was no response, or if the page was not fetched
	Target  string // where a redirect leads that was not followed; otherwise empty
	Why     string // why the page could not be read; otherwise empty

	Tags    robotstag.Tags
	AI      aipref.Preferences // of the headers, for all crawlers
	Headers []Header           // about the use of the page, for all crawlers
	lines   map[int]int        // the line of each meta element, by its offset in the page
}

// A Header is one of the headers that Read shows beside those of package robotstag.
type Header struct {
	Name   string `json:"name"`
	Number int    `json:"number"` // among the headers with this name, counted from 1
	Text   string `json:"text"`
}

// HeaderNames are the headers that say what may be done with a page. Tdm-Reservation reserves the rights to text and
// data mining (https://www.w3.org/2022/tdmrep/). It is shown, but decides nothing, because no crawler is known here
// that reads it.
var HeaderNames = append([]string{string(robotstag.XRobotsTag), string(robotstag.RobotsTag)}, otherHeaders...)

// otherHeaders are those that package robotstag does not read.
var otherHeaders = []string{string(aipref.ContentUsage), string(aipref.ContentSignal), "Tdm-Reservation"}

// Read returns a page with a header and a body. The body may be empty.
func Read(url string, header http.Header, body []byte) Page {
	fromHTML, _ := robotstag.FromHTML(bytes.NewReader(body)) // only the reader can fail
	p := Page{URL: url, Tags: robotstag.FromHeader(header).Join(fromHTML), lines: map[int]int{}}
	line, start := 1, 0
	for d := range fromHTML.All() {
		line += bytes.Count(body[start:d.Offset], []byte{'\n'})
		start = d.Offset
		p.lines[start] = line
	}
	usage := aipref.ParseUsageHeader(header.Values(string(aipref.ContentUsage)))
	p.AI = usage.Combine(aipref.ParseSignalHeader(header.Values(string(aipref.ContentSignal))))
	for _, name := range otherHeaders {
		for i, text := range header.Values(name) {
			p.Headers = append(p.Headers, Header{name, i + 1, text})
		}
	}
	return p
}

// Fetch fetches a page. The Timeout of the client is for the whole fetch.
func Fetch(ctx context.Context, client *http.Client, address string) Page {
	resp, why := reply.Ask(ctx, client, address)
	if why != "" {
		p := Page{URL: address, Why: why}
		if resp != nil {
			p.Status = resp.StatusCode
		}
		return p
	}
	defer resp.Body.Close()
	var body []byte
	var err error
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "" || kind == "text/html" || kind == "application/xhtml+xml" {
		body, err = io.ReadAll(io.LimitReader(resp.Body, robotstag.MaxHTML))
	}
	p := Read(resp.Request.URL.String(), resp.Header, body)
	p.Status, p.IsMoved = resp.StatusCode, resp.Request.Response != nil
	if resp.StatusCode/100 == 3 {
		p.Target = address
		if target, err := resp.Location(); err == nil {
			p.Target = target.String()
		}
	}
	if err != nil {
		p.Why = err.Error()
	}
	return p
}

// IsRead reports whether the page was read, so that its headers and tags are known.
func (p *Page) IsRead() bool { return p.Why == "" && p.Target == "" }

// IsUnknown reports whether nobody knows what the page says: the server fails or refuses this tool.
func (p *Page) IsUnknown() bool {
	return p.Why != "" && p.Status != http.StatusNotFound && p.Status != http.StatusGone
}

// WithoutRedirects returns a client like the given one that follows no redirects, so that Fetch returns their targets.
func WithoutRedirects(client *http.Client) *http.Client {
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// Line returns the line of a directive in a meta element, or 0 for one in a header.
func (p *Page) Line(d robotstag.Directive) int {
	if d.Source != robotstag.Meta {
		return 0
	}
	return p.lines[d.Offset]
}

// Where returns a directive and its place, such as "noindex (X-Robots-Tag 1)".
func (p *Page) Where(d robotstag.Directive) string {
	text := lex.Printable(d.Text)
	if d.Source == robotstag.Meta {
		return fmt.Sprintf("%s (line %d)", text, p.Line(d))
	}
	return fmt.Sprintf("%s (%s %d)", text, d.Source, d.Number)
}

// Unknown returns what says nothing in the tags and headers, because nobody knows it or its value, each once:
// "nosuch", or "no-index (did you mean noindex?)". It never returns nil. All characters can be printed.
func (p *Page) Unknown() []string {
	list := []string{}
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	for d := range p.Tags.All() {
		text := lex.Printable(d.Text)
		if meant := misspelled(d.Text); meant != "" {
			text += " (did you mean " + meant + "?)"
		}
		if len(alone(d).Unknown) > 0 {
			add(text)
		}
	}
	for _, h := range p.Headers {
		for _, key := range (aipref.Signal{Mechanism: aipref.Mechanism(h.Name), Value: h.Text}).Unknown() {
			add(lex.Printable(key))
		}
	}
	return list
}

// alone returns what a directive says.
func alone(d robotstag.Directive) robotstag.Directives {
	return robotstag.FromHeader(http.Header{string(robotstag.XRobotsTag): {d.Text}}).For()
}

// misspelled returns the directive that an unknown one probably misspells, such as noindex for "no-index", or "".
func misspelled(text string) string {
	letters := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(text))
	for _, name := range []string{"noindex", "nofollow", "noarchive", "nosnippet", "noimageindex", "noai", "noimageai", "none"} {
		if letters == name || len(name) >= len("noindex") && lex.HasAtMostOneEdit(letters, name) {
			return name
		}
	}
	return ""
}
