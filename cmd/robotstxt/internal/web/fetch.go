package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/errtext"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// userAgent is what robots.txt files are fetched with.
const userAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// A fetcher fetches the robots.txt files of sites for the page.
type fetcher struct {
	// check returns an error unless an IP address and port may be connected to.
	check func(address string) error

	resolver *net.Resolver // nil for the usual one
}

// A fetchAnswer is the robots.txt of a site as a crawler sees it.
type fetchAnswer struct {
	Hops    []hop  `json:"hops"`
	Meaning string `json:"meaning"` // what a crawler makes of it, in a sentence or two
	IsFile  bool   `json:"isFile"`  // whether there is a file, with the text
	Text    string `json:"text"`
}

// A hop is one request and what came of it.
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
	cache := robotshttp.Cache{UserAgent: userAgent, Client: &http.Client{Transport: recorder}}
	result, err := cache.Fetch(ctx, location)
	if err != nil {
		return fetchAnswer{}, err
	}
	return newFetchAnswer(location, result, recorder.list()), nil
}

func newFetchAnswer(location string, result robotshttp.Result, hops []hop) fetchAnswer {
	a := fetchAnswer{Hops: hops, IsFile: result.Outcome == robotshttp.Fetched}
	if a.IsFile {
		a.Text = textOf(result.Body)
		a.Meaning = fmt.Sprintf("A crawler reads this file, %d bytes, for %s.", len(result.Body), strings.TrimSuffix(location, "/robots.txt"))
		return a
	}
	switch result.Outcome {
	case robotshttp.Unavailable:
		a.Meaning = "For a crawler the site has no robots.txt, so it may fetch everything."
	default:
		a.Meaning = "For a crawler the site is unreachable, so it may fetch nothing for now."
	}
	if result.Err != nil {
		a.Meaning += " " + sentence(result.Err)
	}
	return a
}

// textOf returns a file as text, as far as crawlers read it. Each line ends in "\n".
func textOf(body []byte) string {
	var b strings.Builder
	for line := range robotstxt.Lines(body) {
		b.WriteString(strings.ToValidUTF8(line.Text, "\ufffd"))
		b.WriteByte('\n')
	}
	return b.String()
}

// sentence returns an error as a sentence, without the package that it comes from.
func sentence(err error) string {
	s := errtext.Of(err)
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
var errPrivate = errors.New("the address is not a public one, and serve was started without --allow-private")

// newFetcher returns a fetcher that connects to public addresses, or to all.
func newFetcher(allowPrivate bool) fetcher {
	if allowPrivate {
		return fetcher{check: func(string) error { return nil }}
	}
	return fetcher{check: checkPublic}
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

// A recorder is a RoundTripper that notes each request.
type recorder struct {
	base *http.Transport
	mu   sync.Mutex
	hops []hop
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.base.RoundTrip(req)
	h := hop{URL: req.URL.Redacted()}
	switch {
	case errors.Is(err, errPrivate):
		h.Note = "refused: not a public address"
	case err != nil:
		h.Note = "no answer"
	default:
		h.Status = resp.StatusCode
		h.Note = http.StatusText(resp.StatusCode)
		if target := resp.Header.Get("Location"); target != "" && resp.StatusCode/100 == 3 {
			h.Note += ", to " + strings.ToValidUTF8(target, "\ufffd")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hops = append(r.hops, h)
	return resp, err
}

// list returns the hops so far.
func (r *recorder) list() []hop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]hop{}, r.hops...)
}
