package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/spf13/cobra"
)

// A Loader loads robots.txt files. The zero Loader is ready to use.
type Loader struct{ reply.Fetcher }

// AddFlag adds the flag --missing-403, which means the same in all commands.
func (l *Loader) AddFlag(cmd *cobra.Command) {
	l.Hint = "; object stores answer so if there is no file: then use --missing-403"
	cmd.Flags().BoolVar(&l.Missing403, "missing-403", false, "if a server answers 403 for a robots.txt, there is none, as in object stores")
}

// Load returns the robots.txt that a FILE|URL|- operand names. For a URL without a path, it returns
// the robots.txt of the site. A site that has no robots.txt, refuses it or does not answer is not an
// error; see reply.Reply.FileError.
func (l *Loader) Load(cmd *cobra.Command, name string) (r reply.Reply, err error) {
	var body []byte
	switch {
	case IsURL(name):
		location, err := SiteOf(name)
		if err != nil {
			return r, err
		}
		if u, err := url.Parse(name); err == nil && strings.Trim(u.Path, "/") == "" {
			name = location
		}
		return l.Fetch(name)
	case name == "-":
		body, err = robotstxt.ReadBody(cmd.InOrStdin())
	default:
		body, err = readFile(name)
	}
	return reply.Read(body), err
}

// Fetch fetches the robots.txt at a URL. An interrupt (Ctrl-C) cancels the fetch, and the error says
// so.
func (l *Loader) Fetch(address string) (r reply.Reply, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return l.Fetcher.Fetch(ctx, address)
}

// ReadRobots returns the text of the robots.txt that a FILE|URL|- operand names. It leaves out
// the end of a long file, which Parse would ignore. A site that has no robots.txt, refuses it or
// does not answer is an error. ReadRobots prints the note of reply.Reply.PathNote.
func ReadRobots(cmd *cobra.Command, name string) ([]byte, error) {
	r, err := new(Loader).Load(cmd, name)
	if err == nil {
		err = r.FileError()
	}
	if note := r.PathNote(); note != "" {
		Complain(cmd, errors.New(note))
	}
	return r.Body, err
}

// LoadWithNotes returns the robots.txt that a FILE|URL|- operand or flag names. It prints a note
// if the site has no robots.txt, or if the file is something else, such as an HTML page. If the
// server fails or refuses the file, it returns an error.
func (l *Loader) LoadWithNotes(cmd *cobra.Command, name string) (reply.Reply, error) {
	r, err := l.Load(cmd, name)
	if err != nil {
		return r, err
	}
	if err := r.FileError(); err != nil {
		if r.IsUnknown() {
			return r, err
		}
		Complain(cmd, err)
	}
	if r.FirstLine != "" {
		Complain(cmd, fmt.Errorf("%s is not a robots.txt file: it starts with %.40q", DisplayName(name), r.FirstLine))
	}
	return r, nil
}
