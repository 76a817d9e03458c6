package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/public"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/refusal"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// userAgent is the User-Agent header for fetching robots.txt files.
const userAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// fetchTimeout is the time limit for a whole fetch, including redirects and the body.
const fetchTimeout = 10 * time.Second

// A fetcher fetches the robots.txt files of sites for the page.
type fetcher struct {
	// check returns an error if the fetcher must not connect to address, an IP address with
	// a port.
	check func(address string) error

	resolver *net.Resolver // nil for the default resolver
	timeout  time.Duration
}

// A fetchAnswer describes the robots.txt of a site as a crawler sees it.
type fetchAnswer struct {
	Hops    []hop         `json:"hops"`
	Meaning string        `json:"meaning"` // what the outcome means for crawlers, in a sentence or two
	Access  engine.Access `json:"access"`  // engine.HasFile if Text contains the file; otherwise the reason why Text is empty
	Text    string        `json:"text"`
	Name    string        `json:"name"` // the URL of the file; empty if Text is not the file
}

// A hop is one request and its outcome.
type hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"` // 0 if there was no response
	Note   string `json:"note"`
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
		http.Error(w, sentence(err), http.StatusBadRequest)
		return
	}
	writeJSON(w, answer)
}

// fetch fetches the robots.txt of a site. The parameter site is an http or https URL, or only a
// host; for a host, fetch uses https. If site is anything else, or if ctx ends, fetch returns
// an error.
func (f fetcher) fetch(ctx context.Context, site string) (fetchAnswer, error) {
	if !strings.Contains(site, "://") {
		site = "https://" + site
	}
	location, err := robotstxt.Location(site)
	if err != nil {
		return fetchAnswer{}, err
	}
	if !strings.HasPrefix(location, "http://") && !strings.HasPrefix(location, "https://") {
		return fetchAnswer{}, errors.New("only http and https URLs can be fetched")
	}
	recorder := &recorder{base: f.transport()}
	defer recorder.base.CloseIdleConnections()
	cache := robotshttp.Cache{UserAgent: userAgent, Client: &http.Client{Transport: recorder}, Timeout: f.timeout}
	result, err := cache.FetchFile(ctx, location)
	if err != nil {
		return fetchAnswer{}, err
	}
	return f.newAnswer(location, result, recorder), nil
}

// newAnswer returns what the page shows about a fetch. The Text of the answer is the whole
// file, or empty if there is no file to show.
func (f fetcher) newAnswer(location string, result robotshttp.Result, r *recorder) fetchAnswer {
	a := fetchAnswer{Hops: r.list()}
	file := result.Body
	text, note := textOf(file)
	switch {
	case r.isPrivate:
		a.Access, a.Meaning = engine.Unknown, "This tool refused to connect: "+errPrivate.Error()+". What crawlers get is unknown."
	case r.refusal != "":
		a.Access, a.Meaning = engine.Unknown, sentence(errors.New(refusal.Text(r.refusal)))
	case result.Outcome == robotshttp.Unavailable:
		a.Access, a.Meaning = engine.Unavailable, "Crawlers treat this site as one without a robots.txt file, so they may fetch everything."
	case result.Outcome != robotshttp.Fetched:
		a.Access, a.Meaning = engine.Unreachable, "Crawlers treat this site as unreachable, so for now they must not fetch anything."
		if result.Err != nil {
			a.Meaning += " " + f.reason(result.Err)
		}
	case len(file) > robotstxt.SizeLimit && !(lex.IsUTF16(file) && len(text) <= robotstxt.SizeLimit):
		a.Access = engine.Unknown
		a.Meaning = "The file is larger than the 500 KiB that crawlers read, so this page does not show it. To see the file, download it with another program, and run robotstxt serve with the downloaded file."
	default:
		a.Text, a.Name = text, withoutUsers(location)
		a.Meaning = strings.TrimSpace(fmt.Sprintf("This is the robots.txt file of %s, %d bytes. %s", strings.TrimSuffix(location, "/robots.txt"), len(file), note))
	}
	a.Meaning = withoutUsers(a.Meaning)
	return a
}

// reason returns a sentence that says why a fetch failed.
func (f fetcher) reason(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return fmt.Sprintf("There is no host %q.", dns.Name)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded) || os.IsTimeout(err):
		return fmt.Sprintf("The server did not answer within %g seconds.", f.timeout.Seconds())
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The server refuses connections."
	case errors.Is(err, io.EOF):
		return "The server closed the connection without an answer."
	}
	return sentence(err)
}

// userInfo matches the user name and password in a URL.
var userInfo = regexp.MustCompile(`//[^/?#\s"]*@`)

// withoutUsers replaces user names and passwords in URLs with "…". The URLs may be invalid or
// relative.
func withoutUsers(text string) string { return userInfo.ReplaceAllString(text, "//…@") }

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

// sentence returns the message of an error as a sentence. It removes "robotshttp: " or
// "robotstxt: " at the start.
func sentence(err error) string {
	s := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: ")
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// transport returns a transport that checks each IP address immediately before it connects to
// the address. So neither redirects nor hosts that change their address can evade the check.
// The transport uses no proxy, because a proxy would choose the address itself.
func (f fetcher) transport() *http.Transport {
	dialer := &net.Dialer{
		Timeout:  10 * time.Second,
		Resolver: f.resolver,
		Control:  func(_, address string, _ syscall.RawConn) error { return f.check(address) },
	}
	return &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second}
}

var errPrivate = errors.New("the address is not public (to allow such addresses, run robotstxt serve with --allow-private)")

// newFetcher returns a fetcher that connects only to public addresses, unless allowPrivate
// is true.
func newFetcher(allowPrivate bool) fetcher {
	if allowPrivate {
		return fetcher{check: func(string) error { return nil }, timeout: fetchTimeout}
	}
	return fetcher{check: checkPublic, timeout: fetchTimeout}
}

// checkPublic takes an IP address with a port. It returns errPrivate if the IP address is not
// public.
func checkPublic(address string) error {
	if !public.IsPublic(address) {
		return errPrivate
	}
	return nil
}

// A recorder is a RoundTripper that records each request and its outcome.
type recorder struct {
	base *http.Transport

	mu        sync.Mutex
	hops      []hop
	isPrivate bool   // the last request was not sent, because its address is not public
	refusal   string // how the server refused the last request; empty if it did not
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.base.RoundTrip(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isPrivate = errors.Is(err, errPrivate)
	h := hop{URL: withoutUsers(req.URL.String())}
	switch {
	case r.isPrivate:
		h.Note = "refused: not a public address"
	case err != nil:
		h.Note = "no answer"
	default:
		r.refusal = refusal.Of(resp.StatusCode, resp.Header)
		h.Status = resp.StatusCode
		h.Note = http.StatusText(resp.StatusCode)
		if target := resp.Header.Get("Location"); target != "" && resp.StatusCode/100 == 3 {
			h.Note += ", to " + withoutUsers(strings.ToValidUTF8(target, "\ufffd"))
		}
	}
	r.hops = append(r.hops, h)
	return resp, err
}

func (r *recorder) list() []hop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]hop{}, r.hops...)
}
