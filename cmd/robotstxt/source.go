package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/spf13/cobra"
)

// userAgent is what robots.txt files are fetched with, unless the user names a
// crawler.
const userAgent = "robotstxt (+https://github.com/robotstxt-go/robotstxt)"

// readRobots reads a robots.txt as far as Parse will look at it: a file, for "-"
// standard input, and for a URL what fetch finds there.
func readRobots(cmd *cobra.Command, name string) ([]byte, error) {
	if isURL(name) {
		r, err := fetch(&robotshttp.Cache{UserAgent: userAgent}, name)
		if err == nil {
			err = fileError(r)
		}
		return r.Body, err
	}
	r := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	// In UTF-16 it takes up to two bytes for one of UTF-8, and a byte-order mark.
	const enough = 2 + 2*(robotstxt.SizeLimit+1)
	return io.ReadAll(io.LimitReader(r, enough))
}

// isURL reports whether a robots.txt is to be fetched.
func isURL(name string) bool { return strings.Contains(name, "://") }

// fetch returns what is at a URL. One without a path stands for the robots.txt of
// its site, because no home page is one.
func fetch(cache *robotshttp.Cache, address string) (robotshttp.Result, error) {
	location, err := siteOf(address)
	if err != nil {
		return robotshttp.Result{}, err
	}
	if u, err := url.Parse(address); err == nil && strings.Trim(u.Path, "/") == "" {
		address = location
	}
	return interruptible(cache.Fetch, address)
}

// siteOf returns the location of the robots.txt that governs a URL. It is an error
// if that cannot be fetched.
func siteOf(address string) (string, error) {
	location, err := robotstxt.Location(address)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(location, "http://") && !strings.HasPrefix(location, "https://") {
		return "", fmt.Errorf("%s: only http and https URLs can be fetched", printable(location))
	}
	return location, nil
}

// interruptible calls get with the URL and a context that an interrupt ends, as
// Ctrl-C sends it.
func interruptible(get func(context.Context, string) (robotshttp.Result, error), url string) (robotshttp.Result, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := get(ctx, url)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// fileError returns an error if there was no file, which says what crawlers make of
// that.
func fileError(r robotshttp.Result) error {
	why := shortfall(r)
	if why == "" {
		return nil
	}
	all := "nothing"
	if r.File.Allowed("*", "/") {
		all = "everything"
	}
	return fmt.Errorf("%s: %s, so crawlers may fetch %s", printable(redacted(r.URL)), why, all)
}

// shortfall says why there was no file. It is empty if there was one.
func shortfall(r robotshttp.Result) string {
	switch {
	case r.Status != 0 && r.Outcome != robotshttp.Fetched && r.Outcome != robotshttp.Cached:
		return strings.TrimSpace(fmt.Sprintf("the server answers %d %s", r.Status, http.StatusText(r.Status)))
	case r.Err != nil:
		return printable(r.Err.Error())
	}
	return ""
}

// redacted returns a URL without its password.
func redacted(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		return u.Redacted()
	}
	return address
}
