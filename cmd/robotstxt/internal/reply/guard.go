package reply

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/robotstxt-go/robotstxt"
)

// UserAgent is the User-Agent header of requests, unless the user names a crawler.
const UserAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// A Guard connects only to the hosts that the user named and to public addresses, because what leads to other
// hosts was written by strangers: redirects and sitemaps. It checks an address immediately before it connects,
// so a host that changes its address cannot evade the check. The zero Guard permits only public addresses.
//
// A Guard also keeps what only the sites of the user may see: the header, and user names and passwords.
type Guard struct {
	Hosts    []string                   // the hosts that the user named
	Header   http.Header                // is sent to the sites of the URLs that the user named; see GuardFor
	Check    func(address string) error // checks the IP address and port of other hosts; nil for CheckPublic
	Resolver *net.Resolver              // nil for the default resolver

	logins map[string]*url.Userinfo // by the robotstxt.Location of the sites that the user named; nil if a URL has none
}

// GuardFor returns the Guard for requests that begin at these URLs, which the user named. The user name and the
// password in one of them are sent to its site: to this host and port, with this scheme.
func GuardFor(urls ...string) Guard {
	g := Guard{logins: map[string]*url.Userinfo{}}
	for _, address := range urls {
		location, _ := robotstxt.Location(address) // has the host in its normal form
		site, err := url.Parse(location)
		if err != nil || site.Host == "" {
			continue
		}
		g.Hosts = append(g.Hosts, site.Hostname())
		if u, err := url.Parse(address); err == nil && (u.User != nil || g.logins[location] == nil) {
			g.logins[location] = u.User
		}
	}
	return g
}

func (g Guard) permits(host string) bool {
	return slices.ContainsFunc(g.Hosts, func(named string) bool { return strings.EqualFold(named, host) })
}

// DialContext is for the field of an http.Transport with the same name.
func (g Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if host, _, _ := net.SplitHostPort(address); g.permits(host) {
		return http.DefaultTransport.(*http.Transport).DialContext(ctx, network, address)
	}
	check := g.Check
	if check == nil {
		check = CheckPublic
	}
	control := func(_, address string, _ syscall.RawConn) error { return check(address) }
	dialer := net.Dialer{Timeout: 10 * time.Second, Resolver: g.Resolver, Control: control}
	return dialer.DialContext(ctx, network, address)
}

// Transport returns a transport that uses no proxy, because a proxy would choose the address itself. It keeps no
// connections: one to a host that the user named must not serve a redirect to it.
func (g Guard) Transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DisableKeepAlives = true
	transport.DialContext = g.DialContext
	return transport
}

// Client returns a client that uses the proxies that the environment names. Such a proxy gets no request to a
// host whose name leads to an address that is not public here, but what it does with others is its affair.
func (g Guard) Client(limit time.Duration) *http.Client {
	for _, scheme := range []string{"http", "https"} {
		request := &http.Request{URL: &url.URL{Scheme: scheme, Host: "public.invalid"}}
		if proxy, err := http.ProxyFromEnvironment(request); err == nil && proxy != nil {
			g.Hosts = append(slices.Clone(g.Hosts), proxy.Hostname())
		}
	}
	transport := g.Transport()
	transport.Proxy = g.proxy
	transport.ResponseHeaderTimeout = headerTimeout
	limitRedirects := func(_ *http.Request, via []*http.Request) error {
		if len(via) == 10 {
			return errRedirects
		}
		return nil
	}
	return &http.Client{Transport: login{locationFilter{transport}, g}, CheckRedirect: limitRedirects, Timeout: limit}
}

// A login adds the header, the user name and the password of a Guard to requests for the sites that the user named.
type login struct {
	http.RoundTripper
	guard Guard
}

func (l login) RoundTrip(req *http.Request) (*http.Response, error) {
	location, _ := robotstxt.Location(req.URL.String())
	user, isNamed := l.guard.logins[location]
	if !isNamed {
		return l.RoundTripper.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	if user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	for name, values := range l.guard.Header {
		req.Header[name] = values
	}
	return l.RoundTripper.RoundTrip(req)
}

func (g Guard) proxy(req *http.Request) (*url.URL, error) {
	proxy, err := http.ProxyFromEnvironment(req)
	if proxy == nil || err != nil || g.permits(req.URL.Hostname()) {
		return proxy, err
	}
	addresses, _ := g.Resolver.LookupNetIP(req.Context(), "ip", req.URL.Hostname()) // perhaps only the proxy can look it up
	if !slices.ContainsFunc(addresses, func(a netip.Addr) bool { return !isPublic(a) }) {
		return proxy, nil
	}
	return nil, errPrivate
}

// A locationFilter removes Location headers that robotstxt.Location refuses. An http.Client needs long to convert
// a host of many kilobytes.
type locationFilter struct{ http.RoundTripper }

func (f locationFilter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f.RoundTripper.RoundTrip(req)
	if err == nil && resp.Header.Get("Location") != "" {
		target, err := req.URL.Parse(resp.Header.Get("Location"))
		if err == nil {
			_, err = robotstxt.Location(target.String())
		}
		if err != nil {
			resp.Header.Del("Location")
		}
	}
	return resp, err
}

var (
	errPrivate   = errors.New("it leads to an address that is not public, which this tool does not follow")
	errRedirects = errors.New("too many redirects")
)

// Limit is the time limit for a page, a sitemap or a list.
const Limit = 45 * time.Second

// headerTimeout is the time limit for the header of a response.
const headerTimeout = time.Minute

// Open fetches anything but a robots.txt. A response whose status is not 2xx, or that is a challenge for
// browsers, is an error. The limit is for the whole fetch. Errors do not name the URL.
func (g Guard) Open(ctx context.Context, address string, limit time.Duration) (*http.Response, error) {
	resp, why := Ask(ctx, g.Client(limit), address)
	if why == "" && resp.StatusCode/100 == 3 {
		resp.Body.Close()
		why = lost(resp.Header)
	}
	if why != "" {
		return nil, errors.New(why)
	}
	return resp, nil
}

// Ask sends a request. If there is no answer that can be used, it says why: no response, a challenge for browsers, or
// a status that is neither 2xx nor that of a redirect that the client did not follow. The Timeout of the client is for
// the whole fetch. The user name in the address is not sent; see GuardFor.
func Ask(ctx context.Context, client *http.Client, address string) (resp *http.Response, why string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "it is not a web address"
	}
	req.URL.User = nil
	req.Header.Set("User-Agent", UserAgent)
	resp, err = client.Do(req)
	if err != nil {
		return nil, reason(err, min(client.Timeout, headerTimeout))
	}
	if why = refusal(resp.StatusCode, resp.Header); why == "" && resp.StatusCode/100 != 2 && resp.StatusCode/100 != 3 {
		why = answers(resp.StatusCode)
	}
	resp.Body = body{resp.Body, client.Timeout}
	if why != "" {
		resp.Body.Close()
	}
	return resp, why
}

// A body is the body of a response with a time limit. Its errors are those of reason.
type body struct {
	io.ReadCloser
	limit time.Duration
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = errors.New(reason(err, b.limit))
	}
	return n, err
}

// CheckPublic returns an error unless address is an IP address on the public internet with a port, such as
// "8.8.8.8:443".
func CheckPublic(address string) error {
	if ap, err := netip.ParseAddrPort(address); err != nil || !isPublic(ap.Addr()) {
		return errPrivate
	}
	return nil
}

// isPublic reports whether an address is on the public internet. If an IPv6 address contains an
// IPv4 address (IPv4-mapped or NAT64), isPublic checks the IPv4 address.
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

// nat64 is the block of IPv6 addresses that NAT64 translates to IPv4 addresses (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// notPublic lists blocks of addresses that are not public, although IsGlobalUnicast is true for
// them. Most are from the IANA registries of special-purpose addresses. In some blocks, such as
// 6to4, each address contains an IPv4 address, which could be private.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network (RFC 791)
	netip.MustParsePrefix("100.64.0.0/10"),   // shared address space (RFC 6598)
	netip.MustParsePrefix("192.0.0.0/24"),    // IETF protocol assignments (RFC 6890)
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation (RFC 5737)
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays (RFC 7526)
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking of networks (RFC 2544)
	netip.MustParsePrefix("198.51.100.0/24"), // documentation (RFC 5737)
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation (RFC 5737)
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved (RFC 1112)
	netip.MustParsePrefix("::/96"),           // IPv4-compatible (RFC 4291)
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64 within a network (RFC 8215)
	netip.MustParsePrefix("100::/64"),        // traffic to be discarded (RFC 6666)
	netip.MustParsePrefix("2001::/23"),       // IETF protocol assignments, including Teredo (RFC 2928)
	netip.MustParsePrefix("2001:db8::/32"),   // documentation (RFC 3849)
	netip.MustParsePrefix("2002::/16"),       // 6to4 (RFC 3056)
	netip.MustParsePrefix("3fff::/20"),       // documentation (RFC 9637)
	netip.MustParsePrefix("5f00::/16"),       // segment routing (RFC 9602)
	netip.MustParsePrefix("fec0::/10"),       // site-local, deprecated (RFC 3879)
}
