package log

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/spf13/cobra"
)

// addressLists are the lists of IP addresses of crawlers.
type addressLists struct {
	byToken map[string]prefixSet // by product token, in lower case

	// load fetches the list of a well-known crawler that has no list yet; nil without "--ip-ranges known".
	load func(c crawlers.Crawler) prefixSet
}

type prefixSet map[netip.Prefix]bool

// loadRanges reads the lists that the values of --ip-ranges name. It calls fail with the error if a list that "known"
// means cannot be read.
func loadRanges(cmd *cobra.Command, values []string, fail func(error)) (addressLists, error) {
	lists := addressLists{byToken: map[string]prefixSet{}}
	for _, value := range values {
		if value == "known" {
			lists.load = fetchedLists(cmd, fail)
			continue
		}
		tokens, name := rangeTokens(value)
		if len(tokens) == 0 {
			return lists, fmt.Errorf("--ip-ranges: no known crawler has a list named %q; add the name of the crawler, as in GPTBot=%s", listName(name), name)
		}
		prefixes, err := loadPrefixes(cmd, name)
		if err != nil {
			return lists, fmt.Errorf("--ip-ranges %s: %w", reply.Redacted(name), err)
		}
		for _, token := range tokens {
			list := lists.byToken[strings.ToLower(token)]
			if list == nil {
				list = prefixSet{}
				lists.byToken[strings.ToLower(token)] = list
			}
			maps.Copy(list, prefixes)
		}
	}
	return lists, nil
}

// rangeTokens parses a value of --ip-ranges. For "GPTBot=list.json", it returns the token GPTBot
// and the file list.json. For a file or URL without a token, such as "gptbot.json", it returns all
// crawlers whose operators publish a list under this file name.
func rangeTokens(value string) (tokens []string, name string) {
	if token, rest, ok := strings.Cut(value, "="); ok && token != "" && robotstxt.ProductToken(token) == token {
		return []string{token}, rest
	}
	for _, c := range crawlers.All() {
		if c.IPRanges != "" && listName(c.IPRanges) == listName(value) {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens, value
}

// renamedLists maps earlier names of lists to their present names. Google renamed its list on
// 2026-03-31 (https://merj.com/blog/update-your-google-crawler-ip-range-endpoints).
var renamedLists = map[string]string{"googlebot.json": "common-crawlers.json"}

// listName returns the name of a list of addresses: the last part of the path of its file or URL.
// If the operator has renamed the list, it returns the present name.
func listName(name string) string {
	if u, err := url.Parse(name); err == nil && cli.IsURL(name) {
		name = u.Path
	}
	name = path.Base(filepath.ToSlash(name))
	return cmp.Or(renamedLists[name], name)
}

// fetchedLists returns a function that fetches the list of addresses that a crawler's operator publishes, once for
// all crawlers that share it. If the list cannot be read, the function calls fail and returns nil.
func fetchedLists(cmd *cobra.Command, fail func(error)) func(crawlers.Crawler) prefixSet {
	fetched := map[string]prefixSet{}
	return func(c crawlers.Crawler) prefixSet {
		list, ok := fetched[c.IPRanges]
		if ok || c.IPRanges == "" {
			return list
		}
		list, err := loadPrefixes(cmd, c.IPRanges)
		if err != nil {
			fail(fmt.Errorf("the addresses of %s are not known: %s: %w", c.Token, c.IPRanges, err))
		}
		fetched[c.IPRanges] = list
		return list
	}
}

// loadPrefixes reads the IP prefixes and addresses in a JSON file. They can be anywhere in the file,
// because each operator uses different keys. An address becomes a prefix that contains only this
// address.
func loadPrefixes(cmd *cobra.Command, name string) (prefixSet, error) {
	data, err := cli.ReadInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if !json.Valid(data) {
		return nil, errors.New("the file is not JSON")
	}
	prefixes := prefixSet{}
	tokens := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := tokens.Token()
		switch {
		case err == nil:
		case len(prefixes) == 0:
			return nil, errors.New("the file contains no addresses")
		default: // the end of the file
			return prefixes, nil
		}
		s, _ := token.(string)
		if p, err := netip.ParsePrefix(s); err == nil {
			prefixes[p.Masked()] = true
		} else if a, err := netip.ParseAddr(s); err == nil {
			prefixes[netip.PrefixFrom(a, a.BitLen())] = true
		}
	}
}

// identify reports whether the client at an IP address is the crawler with the given token. A
// private address that is not in the crawler's list is Unknown, not Forged, because it probably
// belongs to a proxy.
func (lists addressLists) identify(token, address string) accesslog.Identity {
	list, ok := lists.byToken[strings.ToLower(token)]
	if c, isKnown := crawlers.Lookup(token); !ok && isKnown && lists.load != nil {
		list = lists.load(c)
		lists.byToken[strings.ToLower(token)] = list
	}
	a, err := netip.ParseAddr(address)
	if list == nil || err != nil {
		return accesslog.Unknown
	}
	a = a.Unmap()
	for bits := range a.BitLen() + 1 {
		if p, err := a.Prefix(bits); err == nil && list[p] {
			return accesslog.Verified
		}
	}
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() {
		return accesslog.Unknown
	}
	return accesslog.Forged
}
