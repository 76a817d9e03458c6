package sites

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/spf13/cobra"
)

// targets returns the locations of the robots.txt files of the sites in the operands and in the list,
// each once. It names each line of the list that has no host, and skips it.
func (c *command) targets(cmd *cobra.Command, operands []string) (targets []string, err error) {
	seen := map[string]bool{}
	add := func(name string) error {
		location, err := locationOf(name)
		if err == nil && !seen[location] {
			seen[location] = true
			targets = append(targets, location)
		}
		return err
	}
	for _, name := range operands {
		if _, err := os.Stat(name); err == nil {
			return nil, cli.UsageError(cmd, fmt.Errorf("%s is a file; to read hosts from it, use --from %[1]s", name))
		}
		if err := add(name); err != nil {
			return nil, err
		}
	}
	if c.from != "" {
		list, err := cli.OpenInput(cmd, c.from)
		if err != nil {
			return nil, err
		}
		defer list.Close()
		for line, err := range cli.Lines(list) {
			if err != nil {
				return nil, err
			}
			name := firstCell(line.Text)
			if name == "" {
				continue
			}
			if err := add(name); err != nil {
				cli.Complain(cmd, fmt.Errorf("%s:%d is skipped: %w", cli.DisplayName(c.from), line.Line, err))
			}
		}
	}
	if len(targets) == 0 {
		return nil, cli.UsageError(cmd, errors.New("no host given"))
	}
	return targets, nil
}

// firstCell returns the first cell of a line, because lists of hosts often come from spreadsheets. It leaves out
// comments and quotation marks.
func firstCell(line string) string {
	if end := strings.IndexAny(line, "#\t,;"); end >= 0 {
		line = line[:end]
	}
	return strings.Trim(line, ` "'`)
}

// locationOf returns the location of the robots.txt of a site, which is a host or a URL.
func locationOf(name string) (string, error) {
	address := name
	if !cli.IsURL(name) {
		address = "https://" + name
	}
	location, err := cli.SiteOf(address)
	u, _ := url.Parse(location)
	switch {
	case err != nil && cli.IsURL(name):
		return "", err
	case err != nil, u == nil, strings.Contains(u.Host, "*"), !cli.IsURL(name) && !strings.Contains(u.Host, "."):
		return "", fmt.Errorf("%q is no host such as www.example.com", name)
	case cli.DisplayName(address) != address:
		return "", fmt.Errorf("%s: this command sends no login, so leave it out", cli.DisplayName(address))
	}
	return location, nil
}
