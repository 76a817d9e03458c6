package engine

import (
	"encoding/xml"
	"strings"
)

type listAnswer struct {
	URLs []string `json:"urls"`
}

// listURLs returns the URLs in a pasted text: a sitemap, or a list with one URL per line. If a
// sitemap is cut off, listURLs returns the URLs before the cut.
func listURLs(text string) []string {
	if strings.Contains(text, "<loc>") {
		return sitemapURLs(text)
	}
	urls := []string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			urls = append(urls, line)
		}
	}
	return urls
}

// sitemapURLs returns the URLs in the loc elements of a sitemap, up to the first XML error. It
// ignores elements with a prefix, such as image:loc.
func sitemapURLs(text string) []string {
	urls := []string{}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	inLoc := false
	for {
		token, err := d.RawToken()
		if err != nil {
			return urls
		}
		switch token := token.(type) {
		case xml.StartElement:
			inLoc = token.Name == xml.Name{Local: "loc"}
		case xml.EndElement:
			inLoc = false
		case xml.CharData:
			if url := strings.TrimSpace(string(token)); inLoc && url != "" {
				urls = append(urls, url)
			}
		}
	}
}
