package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// userAgent is what robots.txt files are fetched with.
const userAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// fetchTimeout limits a fetch, redirects and body included.
const fetchTimeout = 10 * time.Second

// A fetcher fetches the robots.txt files of sites for the page.
type fetcher struct {
	// check returns an error unless an IP address and port may be connected to.
	check func(address string) error

	resolver *net.Resolver // nil for the usual one
	timeout  time.Duration
}

// A fetchAnswer has the robots.txt of a site as a crawler sees it.
type fetchAnswer struct {
	Hops    []hop         `json:"hops"`
	Meaning string        `json:"meaning"` // what a crawler makes of it, in a sentence or two
	Access  engine.Access `json:"access"`  // empty if there is a file, with the text
	Text    string        `json:"text"`
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
		http.Error(w, "The request is not what the server expects.", http.StatusBadRequest)
		return
	}
	answer, err := f.fetch(r.Context(), request.Site)
	if err != nil {
		http.Error(w, sentence(err), http.StatusBadRequest)
		return
	}
	writeJSON(w, answer)
}

// fetch fetches the robots.txt that covers a URL or, for a bare host, its site over
// https. It is an error if there can be none or if ctx ends.
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
	result, err := cache.Fetch(ctx, location)
	if err != nil {
		return fetchAnswer{}, err
	}
	return f.newAnswer(location, result, recorder), nil
}

// newAnswer returns what the page says about a fetch. It has the whole file or none.
func (f fetcher) newAnswer(location string, result robotshttp.Result, r *recorder) fetchAnswer {
	a := fetchAnswer{Hops: r.list()}
	file, isWhole := r.file(result.Body)
	switch {
	case r.isRefused:
		a.Access, a.Meaning = engine.Unknown, "This tool refused to connect: "+errPrivate.Error()+". What crawlers get is unknown."
	case result.Outcome == robotshttp.Unavailable:
		a.Access, a.Meaning = engine.Unavailable, "For a crawler the site has no robots.txt, so it may fetch everything."
	case result.Outcome != robotshttp.Fetched:
		a.Access, a.Meaning = engine.Unreachable, "For a crawler the site is unreachable, so it may fetch nothing for now."
		if result.Err != nil {
			a.Meaning += " " + f.reason(result.Err)
		}
	case !isWhole:
		a.Access = engine.Unknown
		a.Meaning = fmt.Sprintf("The file is larger than the %d MB that this page shows. A crawler reads its first 500 KiB.", MaxFile>>20)
	default:
		text, note := textOf(file)
		reads := "this file"
		if len(text) > robotstxt.SizeLimit {
			reads = "the first 500 KiB of this file"
		}
		a.Text = text
		a.Meaning = strings.TrimSpace(fmt.Sprintf("A crawler reads %s, %d bytes, for %s. %s", reads, len(file), strings.TrimSuffix(location, "/robots.txt"), note))
	}
	a.Meaning = withoutUsers(a.Meaning)
	return a
}

// reason returns a sentence about why a fetch failed.
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

// userInfo is the part of a URL that may hold a password.
var userInfo = regexp.MustCompile(`//[^/?#\s"]*@`)

// withoutUsers returns a text whose URLs, even broken or relative ones, show no user and
// no password.
func withoutUsers(text string) string { return userInfo.ReplaceAllString(text, "//…@") }

// textOf returns a file as text, with lines that end in "\n", and a sentence about how
// the text differs from the file.
func textOf(file []byte) (text, note string) {
	if lex.IsUTF16(file) {
		file = lex.UTF8(file, 2*len(file))
		note = "The file is in UTF-16, which many crawlers cannot read. Here it is text; save it as UTF-8."
	}
	text = strings.ToValidUTF8(string(file), "\ufffd")
	if text != string(file) {
		note = "The file has bytes that are not UTF-8. Here they are shown as \ufffd, so do not save this text in its place."
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), note
}

// sentence returns an error as a sentence, without the package that it comes from.
func sentence(err error) string {
	s := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: ")
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// transport returns a transport that checks the address of each connection, after names
// have been resolved: neither a redirect nor a name that changes its address gets around
// that. It uses no proxy, which would resolve names itself.
func (f fetcher) transport() *http.Transport {
	dialer := &net.Dialer{
		Timeout:  10 * time.Second,
		Resolver: f.resolver,
		Control:  func(_, address string, _ syscall.RawConn) error { return f.check(address) },
	}
	return &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second}
}

// errPrivate is the error of a connection to an address that is not public.
var errPrivate = errors.New("the address is not public (to allow that, start serve with --allow-private)")

// newFetcher returns a fetcher that connects to public addresses, or to all.
func newFetcher(allowPrivate bool) fetcher {
	if allowPrivate {
		return fetcher{check: func(string) error { return nil }, timeout: fetchTimeout}
	}
	return fetcher{check: checkPublic, timeout: fetchTimeout}
}

// checkPublic returns an error unless address is an IP address and port on the public
// internet.
func checkPublic(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(ap.Addr()) {
		return errPrivate
	}
	return nil
}

// isPublic reports whether an address is a public one. An IPv4 address that is mapped
// into IPv6, or translated by NAT64, counts as itself.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap()
	if nat64.Contains(addr) {
		octets := addr.As16()
		addr = netip.AddrFrom4([4]byte(octets[12:]))
	}
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Zone() != "" {
		return false
	}
	for _, prefix := range notPublic {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// nat64 is the block in which networks without IPv4 reach it (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// notPublic are the blocks of the IANA special-purpose address registries that netip
// counts as global unicast. Some blocks that tunnel IPv4 addresses are among them.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network (RFC 791)
	netip.MustParsePrefix("100.64.0.0/10"),   // shared address space (RFC 6598)
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments (RFC 6890)
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation (RFC 5737)
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays (RFC 7526)
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks (RFC 2544)
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved (RFC 1112)
	netip.MustParsePrefix("::/96"),           // IPv4-compatible (RFC 4291)
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64 of one network (RFC 8215)
	netip.MustParsePrefix("100::/64"),        // discarded (RFC 6666)
	netip.MustParsePrefix("2001::/23"),       // protocol assignments, Teredo among them (RFC 2928)
	netip.MustParsePrefix("2001:db8::/32"),   // documentation (RFC 3849)
	netip.MustParsePrefix("2002::/16"),       // 6to4 (RFC 3056)
	netip.MustParsePrefix("3fff::/20"),       // documentation (RFC 9637)
	netip.MustParsePrefix("5f00::/16"),       // segment routing (RFC 9602)
	netip.MustParsePrefix("fec0::/10"),       // site-local, deprecated (RFC 3879)
}

// A recorder is a RoundTripper that notes each request and keeps the last file whole.
type recorder struct {
	base *http.Transport

	mu        sync.Mutex
	hops      []hop
	isRefused bool          // the last request was, by this tool
	body      *recordedBody // of the last response; nil if it has no file, or an encoded one
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.base.RoundTrip(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isRefused, r.body = errors.Is(err, errPrivate), nil
	h := hop{URL: withoutUsers(req.URL.String())}
	switch {
	case r.isRefused:
		h.Note = "refused: not a public address"
	case err != nil:
		h.Note = "no answer"
	default:
		h.Status = resp.StatusCode
		h.Note = http.StatusText(resp.StatusCode)
		if target := resp.Header.Get("Location"); target != "" && resp.StatusCode/100 == 3 {
			h.Note += ", to " + withoutUsers(strings.ToValidUTF8(target, "\ufffd"))
		}
		if resp.StatusCode/100 == 2 && resp.Header.Get("Content-Encoding") == "" {
			r.body = &recordedBody{ReadCloser: resp.Body}
			resp.Body = r.body
		}
	}
	r.hops = append(r.hops, h)
	return resp, err
}

// A recordedBody keeps the bytes read from a body. Close reads the rest, up to MaxFile
// bytes in all.
type recordedBody struct {
	io.ReadCloser
	data  []byte
	ended bool // data is all
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.data = append(b.data, p[:n]...)
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *recordedBody) Close() error {
	io.CopyN(io.Discard, b, int64(MaxFile+1-len(b.data))) // b.ended says how that went
	return b.ReadCloser.Close()
}

// file returns the file that the last fetch received, and whether it is complete.
func (r *recorder) file(start []byte) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.body == nil {
		return start, len(start) <= robotstxt.SizeLimit
	}
	return r.body.data, r.body.ended && len(r.body.data) <= MaxFile
}

// list returns the hops so far.
func (r *recorder) list() []hop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]hop{}, r.hops...)
}
