// Package serve is the command "robotstxt serve".
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/cli/browser"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var (
		addr     string
		open     bool
		writeDir string
		options  web.Options
	)
	cmd := &cobra.Command{
		Use:   "serve [flags] [FILE|URL]",
		Short: "Serve a page that shows what a robots.txt file does as you edit it",
		Long: `The serve command serves a page on this machine until it is interrupted, and
prints its address. The page shows which URLs a robots.txt file allows for which
crawlers, and which lines decide. It takes sitemaps, sums the file up, shows
what changes between two versions and what lint finds, and changes what the file
says about AI as you choose. It shows the given file and follows its changes on
disk, but never writes to it.

By default, the page uses a free port of this machine. Other machines cannot use
the page, and neither can other sites that you open in your browser. If --addr
names an address that other machines can reach, those machines can use the page
and read the file. The page then shows a warning, and fetches files only if you
give --allow-fetch. It fetches from private addresses only if you give
--allow-private.

With --write, the command writes the page to a directory, as static files that
any web server can serve, and ends. This page does the same, except that it
cannot fetch files from other sites. A browser must load it from a web server,
not from a file:// address. Other files in the directory are not changed. To
compile the page to WebAssembly, the command needs Go, and must run in a clone
of this repository, or in a module that requires the robotstxt module.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:    "the page was served until the interrupt, or was written",
			cli.ExitError: "the file could not be read, or the page not served or written",
		}),
		Example: `  robotstxt serve
  robotstxt serve --open robots.txt
  robotstxt serve --addr localhost:8080 https://www.example.com/
  robotstxt serve --write public/robots`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.UsageError(cmd, fmt.Errorf("unexpected argument %q", args[1]))
			}
			if len(args) > 0 && cmd.Flags().Changed("write") {
				return cli.UsageError(cmd, fmt.Errorf("unexpected argument %q: the page that --write writes starts without a file", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("write") {
				return writePage(cmd, writeDir)
			}
			if len(args) == 1 {
				read, err := wholeFile(cmd, args[0])
				if err != nil {
					return err
				}
				options.ReadFile, options.FileName = read, cli.DisplayName(args[0])
			}
			return serve(cmd, addr, open, options)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "localhost:0", "serve on this `host:port`")
	cmd.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	cmd.Flags().BoolVar(&options.AllowFetch, "allow-fetch", false, "let the page fetch files even if other machines can reach the page")
	cmd.Flags().BoolVar(&options.AllowPrivate, "allow-private", false, "let the page fetch from private addresses")
	cmd.Flags().StringVar(&writeDir, "write", "", "write the page to this `directory`, as static files")
	for _, other := range []string{"addr", "open", "allow-fetch", "allow-private"} {
		cli.Exclusive(cmd, "write", other)
	}
	return cmd
}

// writePage writes the page to a directory as static files, and prints the name of its first file.
func writePage(cmd *cobra.Command, dir string) error {
	if dir == "" {
		return cli.UsageError(cmd, errors.New("--write needs a directory"))
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	if err := web.WriteSite(ctx, dir); err != nil {
		return err
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(dir, "index.html"))
	return err
}

// wholeFile returns a function, read, that returns the text of a FILE|URL|- operand. If the operand
// is a file, each call of read opens the file again. A URL or standard input is read by wholeFile,
// and all calls of read return the same text. wholeFile returns an error if the operand cannot be
// read now, or is too large for the page.
func wholeFile(cmd *cobra.Command, name string) (read func() ([]byte, error), err error) {
	var data []byte
	switch {
	case cli.IsURL(name):
		var found reply.Reply
		found, err = new(cli.Loader).LoadFile(cmd, name, reply.Other)
		if data = found.Body; err == nil && len(data) > robotstxt.SizeLimit {
			err = fmt.Errorf("%s: the file is larger than 500 KiB, so this command cannot fetch all of it; download the file and serve the downloaded copy", cli.DisplayName(name))
		}
	case name == "-":
		data, err = readWhole(cmd.InOrStdin(), cli.DisplayName(name))
	default:
		read = func() ([]byte, error) {
			f, err := cli.OpenFile(name)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return readWhole(f, name)
		}
		_, err = read()
		return read, err
	}
	return func() ([]byte, error) { return data, nil }, err
}

func readWhole(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, web.MaxFile+1))
	if err == nil && len(data) > web.MaxFile {
		err = fmt.Errorf("%s: the file is larger than %d MB, the most that the page can show", name, web.MaxFile>>20)
	}
	return data, err
}

func serve(cmd *cobra.Command, addr string, open bool, options web.Options) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	listener, host, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	options.Host = host
	if listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		options.AllowFetch = true
	} else {
		options.Reach = "Everyone who can reach " + host + " can use this page"
		if options.FileName != "" {
			options.Reach += " and read " + options.FileName
		}
		options.Reach += "."
	}
	server := &http.Server{Handler: web.Handler(options), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	page := "http://" + host + "/"
	fmt.Fprintln(cmd.OutOrStdout(), page)
	if options.Reach != "" {
		cli.Complain(cmd, errors.New(options.Reach))
	}
	if open {
		if err := browser.OpenURL(page); err != nil {
			cli.Complain(cmd, err) // not fatal: the user can open the printed address
		}
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listen listens on an address. It also returns the host and port to use in URLs.
func listen(ctx context.Context, addr string) (listener net.Listener, host string, err error) {
	name, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, "", err
	}
	if ip, err := netip.ParseAddr(name); name == "" || err == nil && ip.IsUnspecified() {
		return nil, "", fmt.Errorf("--addr %s: give the host name or IP address that browsers should use, such as localhost", addr)
	}
	listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return listener, net.JoinHostPort(name, port), err
}
