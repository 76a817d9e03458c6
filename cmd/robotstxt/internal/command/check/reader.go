package check

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/sitemap"
)

// requestPause is the time between two requests, unless the robots.txt asks for more.
const requestPause = 500 * time.Millisecond

// A reader reads the URLs of sitemaps. It reports what it cannot read, and goes on.
type reader struct {
	open func(name string) (io.ReadCloser, error)
	fail func(error)
	add  func(url, location string) // is called with each URL, and with the location of its robots.txt
	seen map[string]bool            // the sitemaps that were read, and the indexes
	read int                        // how many of them are sitemaps
}

// readAll reads a sitemap, or the sitemaps in an index. An index must not be in another index.
func (r *reader) readAll(name string, isInIndex bool) {
	if r.seen[name] {
		return
	}
	if len(r.seen) > 0 && cli.IsURL(name) { // not the first request
		time.Sleep(requestPause)
	}
	r.seen[name] = true
	file, err := r.load(name)
	if err == nil && file.IsIndex && isInIndex {
		err = fmt.Errorf("%s: the sitemap is an index, but other indexes name it, so search engines do not follow it", cli.DisplayName(name))
	}
	if err != nil {
		r.fail(err)
	}
	switch {
	case err != nil && !errors.Is(err, sitemap.ErrTooLarge): // a part of the sitemap must not be counted as if it were the whole
	case file.IsIndex:
		for _, inner := range file.URLs {
			if cli.IsURL(inner.Text) {
				r.readAll(inner.Text, true)
			} else {
				r.failAt(name, inner)
			}
		}
	default:
		r.read++
		r.addAll(name, file.URLs)
	}
}

// load reads a sitemap. An error names the sitemap.
func (r *reader) load(name string) (file sitemap.File, err error) {
	in, err := r.open(name)
	if err != nil && !cli.IsURL(name) {
		return file, err // it names the file
	}
	if err == nil {
		defer in.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(in, sitemap.MaxBytes+1)); err == nil {
			file, err = sitemap.Read(data)
		}
	}
	if err == nil && len(file.URLs) == 0 {
		err = errors.New("no URLs were found; is it a sitemap?")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", cli.DisplayName(name), err)
	}
	return file, err
}

// addAll adds the URLs of a sitemap. It reports the first entries that are not URLs, and then only their number.
func (r *reader) addAll(name string, urls []sitemap.URL) {
	invalid := 0
	for _, u := range urls {
		location, err := robotstxt.Location(u.Text)
		if cli.IsURL(u.Text) && err == nil {
			r.add(reply.Redacted(u.Text), location)
			continue
		}
		if invalid++; invalid <= maxExamples {
			r.failAt(name, u)
		}
	}
	if invalid > maxExamples {
		r.fail(fmt.Errorf("%s: %d entries are not URLs", cli.DisplayName(name), invalid))
	}
}

// failAt reports an entry of a sitemap that is not a URL.
func (r *reader) failAt(name string, entry sitemap.URL) {
	if cli.IsURL(name) { // perhaps it is no sitemap, but a secret
		r.fail(fmt.Errorf("%s:%d: the entry is not a URL", cli.DisplayName(name), entry.Line))
		return
	}
	r.fail(fmt.Errorf("%s:%d: %q is not a URL", cli.DisplayName(name), entry.Line, entry.Text))
}

// sitemapsOf returns the addresses of the sitemaps that a robots.txt names. It reports those that are not URLs.
func sitemapsOf(robots reply.Reply, fail func(error)) (names []string) {
	base, _ := url.Parse(robots.URL)
	for _, name := range robots.File.Sitemaps() {
		if ref, err := url.Parse(name); err == nil && robots.URL != "" && !cli.IsURL(name) {
			name = base.ResolveReference(ref).String()
		}
		if cli.IsURL(name) {
			names = append(names, name)
		} else {
			fail(fmt.Errorf("the robots.txt names the sitemap %q, which is not a URL", name))
		}
	}
	if len(robots.File.Sitemaps()) == 0 && !robots.IsUnknown() { // otherwise, the reason is already printed
		fail(errors.New("the robots.txt names no sitemap; give the address of the sitemap"))
	}
	return names
}
