package survey

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
)

// maxLine is the largest size of a line of JSON, in bytes. JSON can need six bytes for one byte of a body.
const maxLine = 8 * BodyLimit

// lines returns a function that returns the captures in a file with lines of JSON. A line that is not a capture
// is damage.
func (r *Reader) lines() func() (Capture, error) {
	start, end := int64(0), int64(0) // where the line starts and ends in the file
	scanner := bufio.NewScanner(r.in)
	scanner.Buffer(nil, maxLine)
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, atEOF)
		end += int64(n)
		return n, line, err
	})
	return func() (Capture, error) {
		for scanner.Scan() {
			line := scanner.Bytes()
			offset := start
			start = end
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			c, problem := parseLine(line)
			if problem != "" {
				return c, r.damage(&warc.Fault{Kind: problem, Offset: offset})
			}
			if !r.isWanted(c.URL) {
				r.skip("other URL")
				continue
			}
			c.Archive, c.Offset = r.name, offset
			return c, nil
		}
		if errors.Is(scanner.Err(), bufio.ErrTooLong) {
			return Capture{}, errors.New("a line has more than 8 MiB")
		}
		return Capture{}, cmp.Or(scanner.Err(), io.EOF)
	}
}

// parseLine returns the capture in a line of JSON, or what is wrong with the line.
func parseLine(line []byte) (c Capture, problem warc.Kind) {
	var row struct {
		URL, Fetched, Body *string
		Status             int
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return c, "line that is not an object with url, status, fetched and body"
	}
	c.Status = row.Status
	switch {
	case row.URL == nil || *row.URL == "":
		return c, "line without a url"
	case row.Body == nil && access(c.Status, robotstxt.FromStatus(cmp.Or(c.Status, 200), nil)) == isFile:
		return c, "line without a body"
	case row.Body != nil:
		c.Body = []byte(*row.Body)
	}
	if len(c.Body) > BodyLimit {
		c.Body, c.Truncated = c.Body[:BodyLimit], true
	}
	if row.Fetched != nil {
		if c.Fetched = parseTime(*row.Fetched); c.Fetched.IsZero() {
			return c, "line with an unknown form of time"
		}
	}
	c.URL = robotsURL(*row.URL)
	return c, ""
}

// parseTime parses a time as in RFC 3339, or as DuckDB writes it. It returns the zero time for other texts, and for
// times outside of the years 1 to 9999 in UTC, which JSON cannot have.
func parseTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateTime + "Z07", time.DateTime + "Z07:00", time.DateOnly} {
		t, err := time.Parse(layout, text)
		if year := t.UTC().Year(); err == nil && year > 0 && year < 10_000 {
			return t
		}
	}
	return time.Time{}
}

// robotsURL returns the URL of the robots.txt for the name of a host or the URL of a site. It returns other URLs
// as they are.
func robotsURL(name string) string {
	if !strings.Contains(name, "://") && !strings.Contains(name, "/") {
		name = "https://" + name
	}
	u, err := url.Parse(name)
	if err != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" {
		return name
	}
	location, err := robotstxt.Location(name)
	if err != nil {
		return name
	}
	return location
}
