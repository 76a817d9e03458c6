package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/spf13/cobra"
)

// A Loader loads robots.txt files. The zero Loader is ready to use.
type Loader struct {
	UserAgent string   // the User-Agent header; if it is empty, the name of this tool
	Header    Header   // is sent to the sites that the user named
	Named     []string // the URLs that the user named; nil for the one that is fetched
}

// Guard returns the Guard for a request that begins at a URL.
func (l *Loader) Guard(address string) reply.Guard {
	named := l.Named
	if named == nil {
		named = []string{address}
	}
	guard := reply.GuardFor(named...)
	guard.Header = http.Header(l.Header)
	return guard
}

// Load returns the robots.txt that a FILE|URL|- operand names. For a URL without a path, it returns
// the robots.txt of the site. A site that has no robots.txt, refuses it or does not answer is not an
// error; see reply.State.
func (l *Loader) Load(cmd *cobra.Command, name string) (r reply.Reply, err error) {
	if IsURL(name) {
		u, err := url.Parse(name)
		if _, errSite := SiteOf(name); errSite != nil || err != nil || strings.Trim(u.Path, "/") == "" {
			return l.FetchSite(name)
		}
		return l.fetch(name, name)
	}
	in, err := OpenInput(cmd, name)
	if err != nil {
		return r, err
	}
	defer in.Close()
	body, err := robotstxt.ReadBody(in)
	return reply.Read(body), err
}

// FetchSite fetches the robots.txt that governs a page.
func (l *Loader) FetchSite(page string) (r reply.Reply, err error) {
	location, err := SiteOf(page)
	if err != nil {
		return r, err
	}
	return l.fetch(page, location)
}

// fetch fetches the robots.txt at an address, for a URL with the user name and the password. An interrupt (Ctrl-C)
// cancels the fetch, and the error says so.
func (l *Loader) fetch(named, address string) (r reply.Reply, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return reply.Get(ctx, l.Guard(named).Client(10*time.Second), l.UserAgent, address)
}

// LoadFile is like Load, but a reply in any state except reply.IsFile is an error. If the state is one of also,
// LoadFile prints the error as a note instead.
func (l *Loader) LoadFile(cmd *cobra.Command, name string, also ...reply.State) (reply.Reply, error) {
	r, err := l.Load(cmd, name)
	if note := r.PathNote(); note != "" {
		Complain(cmd, errors.New(note))
	}
	if err != nil || r.State == reply.IsFile {
		return r, err
	}
	if r.View != nil {
		name = r.URL
	}
	err = fmt.Errorf("%s: %s", DisplayName(name), r.Meaning())
	if slices.Contains(also, r.State) {
		Complain(cmd, err)
		err = nil
	}
	return r, err
}
