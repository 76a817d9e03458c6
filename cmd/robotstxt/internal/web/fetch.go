package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// fetchTimeout is the time limit for a whole fetch, including redirects and the body.
const fetchTimeout = 10 * time.Second

// A fetcher fetches the robots.txt files of sites for the page.
type fetcher struct {
	guard   reply.Guard
	timeout time.Duration
}

// A fetchAnswer describes the robots.txt of a site as a crawler sees it.
type fetchAnswer struct {
	Response string        `json:"response"` // the response in a few words; empty if there was none
	State    reply.State   `json:"state"`
	Meaning  string        `json:"meaning"` // what the outcome means for crawlers, in a sentence or two
	Access   engine.Access `json:"access"`  // engine.HasFile if Text contains the file; otherwise the reason why Text is empty
	Text     string        `json:"text"`
	Name     string        `json:"name"` // the URL of the file; empty if Text is not the file
}

func (f fetcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Site string `json:"site"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "The server does not understand the request.", http.StatusBadRequest)
		return
	}
	answer, err := f.fetch(r.Context(), request.Site)
	if err != nil {
		http.Error(w, sentence(reply.ErrorText(err)), http.StatusBadRequest)
		return
	}
	writeJSON(w, answer)
}

// fetch fetches the robots.txt of a site. The parameter name is an http or https URL, or only a
// host; for a host, fetch uses https. If site is anything else, or if ctx ends, fetch returns
// an error.
func (f fetcher) fetch(ctx context.Context, name string) (fetchAnswer, error) {
	if !strings.Contains(name, "://") {
		name = "https://" + name
	}
	location, err := robotstxt.Location(name)
	if err != nil {
		return fetchAnswer{}, err
	}
	if !strings.HasPrefix(location, "http://") && !strings.HasPrefix(location, "https://") {
		return fetchAnswer{}, errors.New("only http and https URLs can be fetched")
	}
	found, err := reply.Get(ctx, &http.Client{Transport: f.guard.Transport(), Timeout: f.timeout}, "", location)
	if err != nil {
		return fetchAnswer{}, err
	}
	return newAnswer(location, found), nil
}

// newAnswer returns what the page shows about a fetch. The Text of the answer is the whole
// file, or empty if there is no file to show.
func newAnswer(location string, found reply.Reply) fetchAnswer {
	a := fetchAnswer{Response: found.Response(), State: found.State, Access: engine.Unknown}
	file := found.Body
	text, note := textOf(file)
	a.Meaning = sentence(found.Meaning())
	switch {
	case found.State == reply.Private:
		a.Meaning += " To allow such addresses, run robotstxt serve with --allow-private."
	case found.IsRefused():
	case found.State == reply.NoFile, found.State == reply.Lost:
		a.Access = engine.Unavailable
	case found.IsUnknown():
		a.Access = engine.Unreachable
	case len(file) > robotstxt.SizeLimit && !(lex.IsUTF16(file) && len(text) <= robotstxt.SizeLimit):
		a.Meaning = strings.TrimSpace(a.Meaning + " The file is larger than the 500 KiB that crawlers read, so this page does not show it. To see the file, download it with another program, and run robotstxt serve with the downloaded file.")
	default:
		a.Access, a.Text, a.Name = engine.HasFile, text, reply.Redacted(location)
		a.Meaning = cmp.Or(a.Meaning, strings.TrimSpace(fmt.Sprintf("This is the robots.txt file of %s. %s", strings.TrimSuffix(location, "/robots.txt"), note)))
	}
	a.Meaning = reply.Redacted(a.Meaning)
	return a
}

// textOf returns a file as UTF-8 text with "\n" line endings. If the file is in UTF-16, or contains
// bytes that are not UTF-8, note tells the user so.
func textOf(file []byte) (text, note string) {
	if lex.IsUTF16(file) {
		file = lex.UTF8(file, 2*len(file))
		note = "The file is in UTF-16, which many crawlers cannot read. It is converted here; save it as UTF-8."
	}
	text = strings.ToValidUTF8(string(file), "\ufffd")
	if text != string(file) {
		note = "The file has bytes that are not UTF-8. They are shown as \ufffd here, so do not replace the file with this text."
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), note
}

// sentence turns a text into a sentence. An empty text stays empty.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// newFetcher returns a fetcher that connects only to public addresses, unless allowPrivate
// is true.
func newFetcher(allowPrivate bool) fetcher {
	f := fetcher{timeout: fetchTimeout}
	if allowPrivate {
		f.guard.Check = func(string) error { return nil }
	}
	return f
}
