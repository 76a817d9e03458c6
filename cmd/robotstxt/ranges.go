package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/spf13/cobra"
)

// addressLists are the addresses of crawlers, by token in lower case.
type addressLists map[string]map[netip.Prefix]bool

// loadRanges reads the lists that the values of --ip-ranges name.
func loadRanges(cmd *cobra.Command, values []string) (addressLists, error) {
	lists := addressLists{}
	for _, value := range values {
		tokens, name := rangeTokens(value)
		if len(tokens) == 0 {
			return nil, fmt.Errorf("--ip-ranges: no crawler's list is called %q (NAME=%s says whose it is)", listName(name), name)
		}
		prefixes, err := loadPrefixes(cmd, name)
		if err != nil {
			return nil, fmt.Errorf("--ip-ranges %s: %w", redacted(name), err)
		}
		for _, token := range tokens {
			list := lists[strings.ToLower(token)]
			if list == nil {
				list = map[netip.Prefix]bool{}
				lists[strings.ToLower(token)] = list
			}
			for _, p := range prefixes {
				list[p] = true
			}
		}
	}
	return lists, nil
}

// rangeTokens parses a value such as "GPTBot=list.json" or "gptbot.json": it
// returns the crawlers that the list is for, and the list's file or URL.
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

// listName returns the last part of a file's name or of a URL's path.
func listName(name string) string {
	if u, err := url.Parse(name); err == nil && isURL(name) {
		name = u.Path
	}
	return path.Base(filepath.ToSlash(name))
}

// loadPrefixes returns all strings in a JSON file that are prefixes or addresses.
// It ignores the keys, since each operator uses different ones.
func loadPrefixes(cmd *cobra.Command, name string) (prefixes []netip.Prefix, err error) {
	data, err := readInput(cmd, name)
	if err != nil {
		return nil, err
	}
	var list any
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, item := range v {
				walk(item)
			}
		case string:
			if p, err := netip.ParsePrefix(v); err == nil {
				prefixes = append(prefixes, p.Masked())
			} else if a, err := netip.ParseAddr(v); err == nil {
				prefixes = append(prefixes, netip.PrefixFrom(a, a.BitLen()))
			}
		}
	}
	if walk(list); len(prefixes) == 0 {
		return nil, errors.New("no addresses in it")
	}
	return prefixes, nil
}

// identify reports whether a request that names a crawler comes from its operator.
// An address that is not public belongs to a proxy before the server, so it proves
// nothing.
func (lists addressLists) identify(token, address string) accesslog.Identity {
	list := lists[strings.ToLower(token)]
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

// largestInput is the most bytes that readInput reads.
const largestInput = 16 << 20

// readInput returns the content of a FILE|URL|- operand that is not a robots.txt
// file.
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	in := io.NopCloser(cmd.InOrStdin())
	switch {
	case isURL(name):
		client := http.Client{Timeout: time.Minute}
		req, err := http.NewRequestWithContext(cmd.Context(), http.MethodGet, name, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("User-Agent", userAgent)
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		if in = resp.Body; resp.StatusCode != http.StatusOK {
			in.Close()
			return nil, fmt.Errorf("the server answers %s", resp.Status)
		}
	case name != "-":
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		in = f
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, largestInput+1))
	if err == nil && len(data) > largestInput {
		err = errors.New("the file is larger than 16 MB")
	}
	return data, err
}
