// Package sitemap reads the URLs of sitemaps (sitemaps.org): XML files, indexes that name other
// sitemaps, and text files with one URL a line. Each may be compressed with gzip.
package sitemap

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The limits that the protocol sets for a sitemap.
const (
	MaxURLs  = 50_000
	MaxBytes = 50 << 20 // uncompressed
)

// ErrTooLarge means that a sitemap exceeds MaxURLs or MaxBytes.
var ErrTooLarge = fmt.Errorf("the sitemap has more than %d URLs or %d MB, so search engines do not read it as a whole", MaxURLs, MaxBytes>>20)

// A File is the content of a sitemap.
type File struct {
	URLs    []URL
	IsIndex bool // the URLs lead to other sitemaps
}

// A URL is an entry of a sitemap. Its text is not checked: it may be anything.
type URL struct {
	Line int // counted from 1
	Text string
}

// Read reads a sitemap. In an XML file, it returns the content of loc elements without a prefix;
// image:loc is the address of a picture. Other lines of text count, too, so that a pasted list can
// mix both. If the sitemap is damaged, ends too early or is too large, Read returns an error and the
// URLs before the damage, or within the limits.
func Read(data []byte) (File, error) {
	data, err := unpack(data)
	if err != nil && err != ErrTooLarge {
		return File{}, err
	}
	file, readErr := read(data)
	if len(file.URLs) > MaxURLs {
		file.URLs = file.URLs[:MaxURLs]
		err = ErrTooLarge
	}
	if err == nil {
		err = readErr
	}
	return file, err
}

// IsPacked reports whether data is compressed with gzip.
func IsPacked(data []byte) bool { return bytes.HasPrefix(data, []byte("\x1f\x8b")) }

// unpack decompresses data if it is compressed, and returns its first MaxBytes.
func unpack(data []byte) ([]byte, error) {
	if IsPacked(data) {
		gz, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("the compressed sitemap is damaged: %w", err)
		}
		if data, err = io.ReadAll(io.LimitReader(gz, MaxBytes+1)); err != nil {
			return nil, fmt.Errorf("the compressed sitemap is damaged: %w", err)
		}
	}
	if len(data) > MaxBytes {
		return data[:MaxBytes], ErrTooLarge
	}
	return data, nil
}

func read(data []byte) (file File, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.Contains(data, []byte("<loc")) && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) { // a path can contain "<"
		file.addLines(1, string(data))
		return file, nil
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // URLs are in ASCII
	var open []string                                                                  // the names of the elements around the current position
	var text []byte                                                                    // the text in the current element, and the line of its start
	line := 1
	root := "" // the urlset or sitemapindex element around the current position
	for len(file.URLs) <= MaxURLs {
		start, _ := d.InputPos() // the line of the token
		token, err := d.RawToken()
		if err == io.EOF && root != "" {
			return file, fmt.Errorf("the sitemap ends before </%s>", root)
		}
		if err == io.EOF {
			file.addLines(line, string(text))
			return file, nil
		}
		if err != nil {
			return file, fmt.Errorf("line %d: the XML of the sitemap is broken", start)
		}
		switch token := token.(type) {
		case xml.CharData:
			if len(open) == 0 || open[len(open)-1] == "loc" {
				if len(text) == 0 {
					line = start
				}
				text = append(text, token...)
			}
		case xml.StartElement:
			file.addLines(line, string(text))
			text = text[:0]
			name := token.Name.Local
			if token.Name.Space != "" {
				name = token.Name.Space + ":" + name
			}
			open = append(open, name)
			file.IsIndex = file.IsIndex || name == "sitemapindex"
			if isRoot(token.Name) {
				root = name
			}
		case xml.EndElement:
			if isRoot(token.Name) {
				root = ""
			}
			file.addLines(line, string(text))
			text = text[:0]
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return file, nil
}

// isRoot reports whether an element contains a whole sitemap.
func isRoot(name xml.Name) bool { return name.Local == "urlset" || name.Local == "sitemapindex" }

// addLines adds the lines of a text that are not blank. The first of them has the given number. It
// stops when there are too many URLs.
func (f *File) addLines(number int, text string) {
	for line := range strings.Lines(text) {
		if len(f.URLs) > MaxURLs {
			return
		}
		if line = strings.TrimSpace(line); line != "" {
			f.URLs = append(f.URLs, URL{number, line})
		}
		number++
	}
}
