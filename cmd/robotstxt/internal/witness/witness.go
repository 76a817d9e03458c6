// Package witness finds URLs that show what a robots.txt file does.
package witness

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Witness is a URL path with the decision of a file about it.
type Witness struct {
	Agent    string // a token of the file, or "*" for the crawlers that the file does not name
	Path     string
	Decision robotstxt.Decision
}

// Find returns witnesses for a file, sorted by agent, then by the line that decides. For each crawler
// that the file names, and for "*", it looks for a URL that no rule decides, and for one URL that each
// rule decides. To find disallowed URLs, Find compares the file with a file that allows everything. To
// find allowed URLs, it compares the file with a file that disallows everything. It finds no URL for a
// rule that has no effect or is too complex to compare. It leaves out rules that have a URL instead of
// a path, because such rules are mistakes.
func Find(file *robotstxt.File) []Witness {
	var list []Witness
	nothing := "User-agent: *\nUser-agent: " + strings.Join(known.Starless(), "\nUser-agent: ") + "\nDisallow: /\n"
	for _, other := range []*robotstxt.File{robotstxt.Unavailable(), robotstxt.Parse([]byte(nothing))} {
		for _, change := range rules.Diff(other, file, rules.Options{}) {
			if change.Others {
				change.Agents = append(change.Agents, "*")
			}
			for _, agent := range change.Agents {
				for _, difference := range change.Differences {
					w := Witness{agent, difference.URL, file.Decide(agent, difference.URL)}
					isNamed := w.Decision.Reason != robotstxt.NoGroup || agent == "*"
					if isNamed && !strings.Contains(w.Decision.Rule.Pattern, "://") {
						list = append(list, w)
					}
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b Witness) int {
		return cmp.Or(strings.Compare(a.Agent, b.Agent), a.Decision.Rule.Line-b.Decision.Rule.Line, strings.Compare(a.Path, b.Path))
	})
	return slices.CompactFunc(list, func(a, b Witness) bool { return a.Agent == b.Agent && a.Path == b.Path })
}
