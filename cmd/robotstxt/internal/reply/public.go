package reply

import "net/netip"

// IsPublic reports whether an IP address with a port, such as "192.0.2.1:443", is on the public
// internet, and not in a private network. It returns false for any other text. Programs that fetch what a
// stranger's server names must not reach private networks.
func IsPublic(address string) bool {
	ap, err := netip.ParseAddrPort(address)
	return err == nil && isPublic(ap.Addr())
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
