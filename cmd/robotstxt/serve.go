package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"time"

	"github.com/cli/browser"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web"
	"github.com/spf13/cobra"
)

func newServeCommand() *cobra.Command {
	var (
		addr               string
		open, allowPrivate bool
	)
	cmd := &cobra.Command{
		Use:   "serve [flags] [FILE|URL]",
		Short: "Serve a page that shows what a file does while you write it",
		Long: `Serve prints the address of a page on this machine and serves it until it is
interrupted. The page shows which URLs a robots.txt file allows, for which
crawlers, and which line decides; what changes between two versions; what lint
finds; and what the file says about AI. It starts with the file that is given,
and never writes to it.

With port 0, the default, a free port is chosen. Only the address that is
printed works, so no other site and no other machine can use the page. The page
fetches a robots.txt file when somebody clicks for it, and only from public
addresses unless --allow-private is given.`,
		Example: `  robotstxt serve
  robotstxt serve --open robots.txt
  robotstxt serve --addr localhost:8080 https://www.example.com/`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError(cmd, fmt.Errorf("unexpected operand %q", args[1]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			options := web.Options{AllowPrivate: allowPrivate}
			if len(args) == 1 {
				data, err := readRobots(cmd, args[0])
				if err != nil {
					return err
				}
				options.File = data
			}
			return serve(cmd, addr, open, options)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "localhost:0", "serve on this `host:port`")
	cmd.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	cmd.Flags().BoolVar(&allowPrivate, "allow-private", false, "let the page fetch from private addresses, too")
	return cmd
}

// serve serves the page until the command is interrupted.
func serve(cmd *cobra.Command, addr string, open bool, options web.Options) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	listener, host, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	options.Host = host
	server := &http.Server{Handler: web.Handler(options), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	page := "http://" + host + "/"
	fmt.Fprintln(cmd.OutOrStdout(), page)
	if open {
		if err := browser.OpenURL(page); err != nil {
			complain(cmd, err) // the address works all the same
		}
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listen listens on an address and returns the host and port to put into URLs.
func listen(ctx context.Context, addr string) (listener net.Listener, host string, err error) {
	name, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, "", err
	}
	if ip, err := netip.ParseAddr(name); name == "" || err == nil && ip.IsUnspecified() {
		return nil, "", fmt.Errorf("--addr %s: name the one host by which browsers reach the page, such as localhost", addr)
	}
	listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return listener, net.JoinHostPort(name, port), err
}
