//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/clitest"
)

// useServer makes this process send all requests to the server at an address, and trust its certificate.
func useServer(address string) {
	transport := http.DefaultTransport.(*http.Transport)
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

// TestExamples runs the examples in the help of each command, in a folder with the files that they name. The
// server has all sites that they name.
func TestExamples(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /private/\nSitemap: https://www.example.com/sitemap.xml\n")
		case "/sitemap.xml":
			io.WriteString(w, "<urlset><url><loc>https://www.example.com/page</loc></url></urlset>")
		case "/gptbot.json":
			io.WriteString(w, `{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}`)
		default:
			io.WriteString(w, "<!DOCTYPE html><title>A page</title>")
		}
	}))
	defer server.Close()
	for _, c := range newRootCommand().Commands() {
		dir := exampleFolder(t)
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			if c.Name() == "serve" {
				continue // it does not end; TestServe and TestSite run it
			}
			cmd := shell(t, dir, line, "ROBOTSTXT_TEST_SERVER="+server.Listener.Addr().String())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("%s: %v, standard error:\n%s", line, err, &stderr)
			}
		}
	}
	// The list of bingbot is an HTML page, so nobody knows whether bingbot broke a rule.
	cmd := shell(t, exampleFolder(t), "robotstxt log --robots robots.txt --ip-ranges known --fail bing.log", "ROBOTSTXT_TEST_SERVER="+server.Listener.Addr().String())
	if cmd.Run(); cmd.ProcessState.ExitCode() != cli.ExitError {
		t.Errorf("a list that cannot be read: status %d", cmd.ProcessState.ExitCode())
	}
}

// exampleFolder returns a folder with the files that the examples name.
func exampleFolder(t *testing.T) string {
	t.Helper()
	const robots = "User-agent: *\nDisallow: /private/\n"
	log := clitest.LogLine("192.0.2.1", "2026-11-20", "/private/x", "GPTBot/1.2")
	dir := clitest.Folder(t, map[string]string{
		"robots.txt": robots, "old.txt": robots, "new.txt": robots + "Disallow: /new/\n", "public/robots.txt": robots,
		"site/a/robots.txt": robots, "sites/a.txt": robots, "crawl/a.txt": robots, "warc.paths": "crawl/a.txt\n",
		"clients.txt": "www.example.com\n# a comment\nhttps://shop.example.com/\n", "urls.txt": "/page\n", "page.html": "<meta name=robots content=noindex>",
		"sitemap.xml": "<urlset><url><loc>https://www.example.com/page</loc></url></urlset>",
		"bing.log":    clitest.LogLine("192.0.2.1", "2026-11-20", "/private/x", "bingbot"), "access.log": log, "access.log.1.gz": clitest.Gzip(log), "gptbot.json": `{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}`,
	})
	for _, args := range []string{"init -q", "add .", "-c user.name=A -c user.email=a@example.com commit -q -m robots.txt"} {
		cmd := exec.Command("git", append([]string{"-C", dir}, strings.Fields(args)...)...)
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, output)
		}
	}
	return dir
}
