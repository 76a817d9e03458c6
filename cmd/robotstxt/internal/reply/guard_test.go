package reply

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestIsPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.215.14": true, "8.8.8.8": true, "100.63.255.255": true, "100.128.0.1": true, "172.32.0.1": true, "2606:2800:21f::1": true,
		"127.0.0.1": false, "127.8.9.1": false, "::1": false, "0.0.0.0": false, "::": false, "0.1.2.3": false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "fc00::1": false, "fdff::1": false,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false,
		"100.64.0.1": false, "192.0.0.8": false, "192.0.2.1": false, "198.18.0.1": false, "203.0.113.9": false,
		"224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false, "ff02::1": false,
		// The addresses on both sides of each end of the blocks in notPublic.
		"0.255.255.255": false, "1.0.0.0": true, "100.127.255.255": false, "192.0.0.255": false, "192.0.1.0": true,
		"192.0.2.255": false, "192.0.3.0": true, "192.88.98.255": true, "192.88.99.0": false, "192.88.99.255": false, "192.88.100.0": true,
		"198.17.255.255": true, "198.18.0.0": false, "198.19.255.255": false, "198.20.0.0": true,
		"198.51.99.255": true, "198.51.100.0": false, "198.51.100.255": false, "198.51.101.0": true, "203.0.112.255": true, "203.0.113.0": false, "203.0.114.0": true,
		"::ffff:ffff": false, "::1:0:0": true, "64:ff9b:0:ffff::1": true, "64:ff9b:1:ffff::1": false, "64:ff9b:2::1": true,
		"100:0:0:0:ffff::1": false, "100:0:0:1::1": true, "2001:1ff::1": false, "2001:200::1": true, "2001:db7::1": true, "2001:db9::1": true,
		"2002:ffff::1": false, "2003::1": true, "3ffe::1": true, "3fff::1": false, "3fff:fff::1": false, "3fff:1000::1": true,
		"5eff::1": true, "5f00::1": false, "5f00:ffff::1": false, "5f01::1": true, "feff::1": false,
		"::ffff:127.0.0.1": false, "::ffff:100.64.0.1": false, "::ffff:198.18.0.1": false, "::ffff:10.0.0.1": false, "::ffff:8.8.8.8": true, "::7f00:1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "64:ff9b::808:808": true, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false, "100::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: got %v", address, got)
		}
	}
	if CheckPublic("8.8.8.8:80") != nil || CheckPublic("8.8.8.8") == nil || CheckPublic("10.0.0.1:80") == nil {
		t.Error("CheckPublic must accept 8.8.8.8:80, and refuse 8.8.8.8 without a port and 10.0.0.1:80")
	}
}

// TestGuard tests that requests reach a private address only at a host that the user named, in any spelling.
func TestGuard(t *testing.T) {
	asked := 0
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer inner.Close()
	private := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
	outer := httptest.NewServer(http.RedirectHandler(private, http.StatusFound))
	defer outer.Close()
	for _, c := range []struct {
		guard   Guard
		address string
		want    int // requests
	}{
		{GuardFor(private), private, 1},
		{GuardFor("https://u:p@LOCALHOST.:1/x"), private, 1},
		{GuardFor(outer.URL, private), outer.URL, 1},
		{GuardFor(outer.URL), outer.URL, 0},                        // a redirect
		{GuardFor(outer.URL, "-", "robots.txt", "/x"), private, 0}, // a sitemap, for example
		{Guard{}, inner.URL, 0},
		{Guard{Check: func(string) error { return nil }}, outer.URL, 1},
	} {
		asked = 0
		resp, err := c.guard.Open(t.Context(), c.address, time.Minute)
		if err == nil {
			resp.Body.Close()
		}
		if asked != c.want || c.want == 0 && (err == nil || err.Error() != errPrivate.Error()) {
			t.Errorf("%q, %s: %d requests, want %d; error %v", c.guard.Hosts, c.address, asked, c.want, err)
		}
	}
}

// TestGuardLogins tests to which URLs the user name and the header are sent: to the scheme, host and port that the user
// named.
func TestGuardLogins(t *testing.T) {
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		asked = append(asked, user+" "+password+" "+r.Header.Get("X-Key"))
	}))
	defer site.Close()
	named := strings.Replace(site.URL, "://", "://jane:p%40ss@", 1) + "/x"
	for _, c := range []struct {
		urls []string
		want string
	}{
		{[]string{named}, "jane p@ss k"},
		{[]string{named, site.URL}, "jane p@ss k"},
		{[]string{site.URL, named}, "jane p@ss k"},
		{[]string{site.URL}, "  k"},
		{[]string{"http://jane:p@127.0.0.1:1/"}, "  "},
		{[]string{strings.Replace(named, "http:", "https:", 1)}, "  "},
	} {
		guard := GuardFor(c.urls...)
		guard.Header = http.Header{"X-Key": {"k"}}
		asked = nil
		resp, err := guard.Open(t.Context(), strings.Replace(site.URL, "://", "://stranger@", 1), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if len(asked) != 1 || asked[0] != c.want {
			t.Errorf("%q: got %q, want %q", c.urls, asked, c.want)
		}
	}
}
