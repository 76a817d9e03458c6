package verdict

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// misses are the things by which a rule can miss a URL. If the pattern matches the path after both are changed, the
// rule misses by this thing only. An empty result means that the change is not for this pattern.
var misses = []struct {
	why           string
	pattern, path func(string) string
}{
	{"capital letters count in paths", strings.ToLower, strings.ToLower},
	{`the rule ends with "/", and the URL does not`, func(pattern string) string {
		page, isFolder := strings.CutSuffix(strings.TrimRight(pattern, "*"), "/")
		if !isFolder {
			return ""
		}
		return page + "$"
	}, same},
	{`"$" ends the path, and the URL continues with a query`, same, func(path string) string {
		page, _, _ := strings.Cut(path, "?")
		return page
	}},
	{`the rule has "&" where the URL has "?"`, func(pattern string) string { return replaceOne(pattern, "&", "?") }, same},
	{`the rule has "?" where the URL has "&"`, func(pattern string) string { return replaceOne(pattern, "?", "&") }, same},
	{`the rule matches only at the start of a path; with "/*" before it, it matches anywhere`, func(pattern string) string {
		if len(pattern) < len("/abc") || pattern[0] != '/' { // so short that it would match many URLs
			return ""
		}
		return "/*" + pattern
	}, same},
	{`the rule matches only at the start of a path; with "/*" for its "/", it matches anywhere`, func(pattern string) string {
		if !strings.HasPrefix(pattern, "/") || !strings.ContainsAny(pattern, "?&=") {
			return ""
		}
		return "/*" + pattern[1:]
	}, same},
}

func same(path string) string { return path }

// replaceOne replaces the first old text of a pattern. It returns "" if there is none, or if the pattern ends with it.
func replaceOne(pattern, old, new string) string {
	before, after, _ := strings.Cut(pattern, old)
	if after == "" {
		return ""
	}
	return before + new + after
}

// nearRules has, for each of the misses, a file with the disallow rules of a group, whose patterns are changed.
type nearRules struct {
	rules []robotstxt.Rule // line 2 of each file has the first of them
	files []*robotstxt.File
}

func newNearRules(g *robotstxt.Group) (n nearRules) {
	for _, r := range g.Rules() {
		if !r.Allow {
			n.rules = append(n.rules, r)
		}
	}
	for _, m := range misses {
		text := []byte("User-agent: *\n")
		for _, r := range n.rules {
			text = fmt.Appendf(text, "Disallow: %s\n", m.pattern(r.Pattern))
		}
		n.files = append(n.files, robotstxt.Parse(text))
	}
	return n
}

// nearMiss names a disallow rule that misses a URL by one thing. The token is that of the group.
func (g Group) nearMiss(token, url string) (n reading.Note) {
	near, ok := g.file.near[token]
	if !ok {
		near = newNearRules(g.Group)
		g.file.near[token] = near
	}
	if _, rest, hasScheme := strings.Cut(url, "://"); hasScheme && url[0] != '/' { // a query can contain a URL
		url = rest[strings.IndexAny(rest+"/", "/?"):]
	}
	for i, m := range misses {
		if d := near.files[i].Decide("*", m.path(url)); d.Reason == robotstxt.RuleMatched {
			r := near.rules[d.Rule.Line-2]
			return note(NearMiss, "line %d, %s, does not match: %s", r.Line, lex.Printable(r.String()), m.why)
		}
	}
	return n
}
