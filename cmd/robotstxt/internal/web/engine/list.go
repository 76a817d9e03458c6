package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/sitemap"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/witness"
)

// A listAnswer is the answer to "list" and to "witnesses".
type listAnswer struct {
	URLs  []string `json:"urls"`
	Notes []string `json:"notes"` // what is wrong with the URLs, in sentences
}

// list returns the URLs in req.Text, which is a sitemap, a list with one URL a line, or a mixture. If
// req.Site is the URL of the robots.txt file, list counts the URLs of other sites.
func list(req Request) listAnswer {
	file, err := sitemap.Read([]byte(req.Text))
	answer := listAnswer{[]string{}, []string{}}
	note := func(format string, args ...any) { answer.Notes = append(answer.Notes, fmt.Sprintf(format, args...)) }
	if file.IsIndex {
		note("This is an index of sitemaps, so it has no URLs of pages. Enter the sitemaps that it names.")
		return answer
	}
	var bad []sitemap.URL
	foreign := 0
	for _, url := range file.URLs {
		isPath := strings.HasPrefix(url.Text, "/")
		if !isPath && !strings.Contains(url.Text, "://") {
			bad = append(bad, url)
			continue
		}
		if location, err := robotstxt.Location(url.Text); strings.Contains(req.Site, "://") && !isPath && (err != nil || location != req.Site) {
			foreign++
		}
		answer.URLs = append(answer.URLs, url.Text)
	}
	switch {
	case len(bad) == 1:
		note("Line %d is left out: %q is neither a URL nor a path.", bad[0].Line, bad[0].Text)
	case len(bad) > 1:
		note("%d lines are left out, because they are neither URLs nor paths. The first is line %d, %q.", len(bad), bad[0].Line, bad[0].Text)
	}
	if foreign > 0 {
		note("URLs of other sites: %d. Crawlers do not use %s for them.", foreign, req.Site)
	}
	if err != nil {
		note("%s.", strings.ToUpper(err.Error()[:1])+err.Error()[1:])
	}
	return answer
}

// maxWitnesses limits the number of URLs in the table while no URLs are entered, so that each keystroke in a
// file with many rules stays fast.
const maxWitnesses = 1000

// witnesses returns a URL for each rule that has an effect, in the order of the rules, and a URL that
// no rule decides. The page shows them while no URLs are entered.
func witnesses(file *robotstxt.File) listAnswer {
	found := witness.Find(file)
	slices.SortStableFunc(found, func(a, b witness.Witness) int { return a.Decision.Rule.Line - b.Decision.Rule.Line })
	answer, seen := listAnswer{[]string{}, []string{}}, map[string]bool{}
	for _, w := range found {
		if len(answer.URLs) == maxWitnesses {
			break
		}
		if !seen[w.Path] {
			seen[w.Path] = true
			answer.URLs = append(answer.URLs, w.Path)
		}
	}
	return answer
}
