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

func read(data []byte) (File, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var r reader
	if !bytes.Contains(data, []byte("<loc")) && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) { // a path can contain "<"
		r.file.addLines(1, string(data))
		return r.file, nil
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // URLs are in ASCII
	for len(r.file.URLs) <= MaxURLs {
		line, _ := d.InputPos()
		token, err := d.RawToken()
		switch {
		case err == io.EOF && r.root != "":
			return r.file, fmt.Errorf("the sitemap ends before </%s>", r.root)
		case err == io.EOF:
			r.flush()
			return r.file, nil
		case err != nil:
			return r.file, fmt.Errorf("line %d: the XML of the sitemap is broken", line)
		}
		r.add(token, line)
	}
	return r.file, nil
}

// A reader collects the URLs of an XML file, token by token.
type reader struct {
	file File
	open []string // the names of the elements around the next token
	root string   // the urlset or sitemapindex element among them; empty if there is none
	text []byte   // the URLs since the last tag: the text of a loc element, or lines outside of all elements
	line int      // where text starts
}

// add adds a token, which starts in a line.
func (r *reader) add(token xml.Token, line int) {
	switch token := token.(type) {
	case xml.CharData:
		if len(r.open) > 0 && r.open[len(r.open)-1] != "loc" {
			return
		}
		if len(r.text) == 0 {
			r.line = line
		}
		r.text = append(r.text, token...)
	case xml.StartElement:
		r.flush()
		name := token.Name.Local
		if token.Name.Space != "" {
			name = token.Name.Space + ":" + name
		}
		r.open = append(r.open, name)
		r.file.IsIndex = r.file.IsIndex || name == "sitemapindex"
		if isRoot(token.Name) {
			r.root = name
		}
	case xml.EndElement:
		r.flush()
		if isRoot(token.Name) {
			r.root = ""
		}
		if len(r.open) > 0 {
			r.open = r.open[:len(r.open)-1]
		}
	}
}

// flush adds the URLs in the text to the file.
func (r *reader) flush() {
	r.file.addLines(r.line, string(r.text))
	r.text = r.text[:0]
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
