package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/sitemap"
	"github.com/spf13/cobra"
)

// largestInput is the largest size that ReadInput accepts, in bytes.
const largestInput = 16 << 20

// ReadInput returns the content that a FILE|URL|- operand names. It is for content other than
// robots.txt files, such as expectations.
func ReadInput(cmd *cobra.Command, name string) ([]byte, error) {
	in, err := OpenGuarded(cmd, name, reply.GuardFor(name), reply.Limit)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, largestInput+1))
	if err == nil && len(data) > largestInput {
		err = fmt.Errorf("%s: the file is larger than 16 MB", DisplayName(name))
	}
	return data, err
}

// OpenInput opens what a FILE|URL|- operand names. It is for content other than robots.txt
// files, such as logs.
func OpenInput(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	return OpenGuarded(cmd, name, reply.GuardFor(name), time.Hour)
}

// OpenGuarded is like OpenInput, for a URL that the user may not have named, and with a time limit.
func OpenGuarded(cmd *cobra.Command, name string, guard reply.Guard, limit time.Duration) (io.ReadCloser, error) {
	switch {
	case name == "-":
		return io.NopCloser(cmd.InOrStdin()), nil
	case !IsURL(name):
		return OpenFile(name)
	}
	resp, err := guard.Open(cmd.Context(), name, limit)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Replace replaces the text of a file. If name is a link, it replaces the text of the linked
// file. Except on Windows, other programs never see a file that is only partly written.
func Replace(name string, text []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	err = maybe.WriteFile(target, text, 0o666)
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", name, e.Err) // e.Path names a temporary file
	}
	return err
}

// OpenFile opens a file. If the name looks like a URL without its scheme, the error
// suggests the URL.
func OpenFile(name string) (*os.File, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && IsHost(name) {
		return nil, fmt.Errorf("%w (did you mean https://%s?)", err, name)
	}
	return f, err
}

// Lines yields the lines of a list, without a byte-order mark and the blanks around them, and their numbers. It skips
// empty lines.
func Lines(list io.Reader) iter.Seq2[sitemap.URL, error] {
	return func(yield func(sitemap.URL, error) bool) {
		scanner := bufio.NewScanner(list)
		scanner.Buffer(nil, 1<<20)
		for number := 1; scanner.Scan(); number++ {
			line := strings.TrimSpace(strings.TrimPrefix(scanner.Text(), "\ufeff"))
			if line == "" {
				continue
			}
			if !yield(sitemap.URL{Line: number, Text: line}, nil) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield(sitemap.URL{}, err)
		}
	}
}

// IsURL reports whether an operand is a URL rather than a file or a path: whether it starts with a
// scheme and "://".
func IsURL(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	const legal = "abcdefghijklmnopqrstuvwxyz0123456789+-."
	return ok && scheme != "" && strings.Trim(strings.ToLower(scheme), legal) == ""
}

// IsHost reports whether an operand looks like a URL without a scheme, such as
// "example.com/page". It returns false if the operand looks like the name of a file.
func IsHost(name string) bool {
	host, _, _ := strings.Cut(name, "/")
	first, last, dotted := strings.Cut(host, ".")
	isFile := slices.Contains([]string{".gz", ".html", ".json", ".log", ".test", ".txt", ".xml"}, path.Ext(host))
	return dotted && first != "" && last != "" && !isFile
}

// ValidatePage returns an error if an operand is neither a URL nor a path.
func ValidatePage(operand string) error {
	switch {
	case strings.HasPrefix(operand, "/") || IsURL(operand):
		return nil
	case IsHost(operand):
		return fmt.Errorf("%q is neither a URL nor a path (did you mean https://%s?)", operand, operand)
	}
	if strings.ContainsAny(operand, " <>:") {
		return fmt.Errorf("%q is neither a URL nor a path", operand)
	}
	return fmt.Errorf("%q is neither a URL nor a path (did you mean /%s?)", operand, operand)
}

// DisplayName returns the name that the output shows for an operand.
func DisplayName(name string) string {
	if name == "-" {
		return "<standard input>"
	}
	return reply.Redacted(name)
}

// SiteOf returns the URL of the robots.txt that governs address, or an error if address is
// not a complete http or https URL.
func SiteOf(address string) (string, error) {
	location, err := robotstxt.Location(address)
	switch {
	case err != nil && IsHost(address):
		return "", fmt.Errorf("%w (did you mean https://%s?)", err, address)
	case err != nil:
		return "", err
	case !strings.HasPrefix(location, "http://") && !strings.HasPrefix(location, "https://"):
		return "", fmt.Errorf("%s: only http and https URLs can be fetched", location)
	}
	return location, nil
}
