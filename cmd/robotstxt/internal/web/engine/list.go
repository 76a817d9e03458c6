package engine

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/witness"
)

// A listAnswer is the answer to "list" and to "witnesses".
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

// witnesses returns a URL for each rule that has an effect, in the order of the rules, and a URL that
// no rule decides. The page shows them while no URLs are entered.
func witnesses(file *robotstxt.File) []string {
	found := witness.Find(file)
	slices.SortStableFunc(found, func(a, b witness.Witness) int { return a.Decision.Rule.Line - b.Decision.Rule.Line })
	urls, seen := []string{}, map[string]bool{}
	for _, w := range found {
		if !seen[w.Path] {
			seen[w.Path] = true
			urls = append(urls, w.Path)
		}
	}
	return urls
}
