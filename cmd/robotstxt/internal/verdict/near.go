package verdict

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// A miss is a thing by which a rule can miss a URL. If the rule matches after both are changed, it misses by
// this thing only. An empty result means that the change is not for the pattern or URL.
type miss struct {
	why     string
	pattern func(pattern string) string
	url     func(path string) string
}

var misses = []miss{
	{"capital letters count in paths", strings.ToLower, strings.ToLower},
	{`the rule ends with "/", and the URL does not`, withoutSlash, asIs},
	{`"$" ends the path, and the URL continues with a query`, ifEndsInDollar, withoutQuery},
	{`the rule has "&" where the URL has "?"`, replaceOne("&", "?"), asIs},
	{`the rule has "?" where the URL has "&"`, replaceOne("?", "&"), asIs},
	{`the rule matches only at the start of a path; with "/*" before it, it matches anywhere`, anywhere, asIs},
	{`the rule matches only at the start of a path; with "/*" for its "/", it matches anywhere`, queryAnywhere, asIs},
}

func asIs(path string) string { return path }

// withoutSlash returns a pattern for the page /shop, if the pattern is for the folder /shop/.
func withoutSlash(pattern string) string {
	page, isFolder := strings.CutSuffix(strings.TrimRight(pattern, "*"), "/")
	if !isFolder || page == "" {
		return ""
	}
	return page + "$"
}

func ifEndsInDollar(pattern string) string {
	if strings.HasSuffix(pattern, "$") {
		return pattern
	}
	return ""
}

// withoutQuery returns a path without its query, or "" if it has none.
func withoutQuery(path string) string {
	page, _, hasQuery := strings.Cut(path, "?")
	if !hasQuery {
		return ""
	}
	return page
}

// replaceOne returns a function that replaces the first old text of a pattern, unless the pattern ends with it.
func replaceOne(old, new string) func(string) string {
	return func(pattern string) string {
		before, after, ok := strings.Cut(pattern, old)
		if !ok || after == "" {
			return ""
		}
		return before + new + after
	}
}

// anywhere returns a pattern that also matches below a folder. It leaves out patterns that are so short that
// they would match many URLs.
func anywhere(pattern string) string {
	if len(pattern) < len("/abc") || pattern[0] != '/' || pattern[1] == '*' {
		return ""
	}
	return "/*" + pattern
}

// queryAnywhere returns a pattern that finds a parameter in any query.
func queryAnywhere(pattern string) string {
	if !strings.HasPrefix(pattern, "/") || !strings.ContainsAny(pattern, "?&=") {
		return ""
	}
	return "/*" + pattern[1:]
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
	path := url
	if i := strings.Index(url, "://"); i >= 0 {
		path = "/"
		if start := strings.IndexAny(url[i+3:], "/?"); start >= 0 {
			path = url[i+3+start:]
		}
	}
	for i, m := range misses {
		changed := m.url(path)
		if d := near.files[i].Decide("*", changed); changed != "" && d.Reason == robotstxt.RuleMatched {
			r := near.rules[d.Rule.Line-2]
			return note(NearMiss, "line %d, %s, does not match: %s", r.Line, lex.Printable(r.String()), m.why)
		}
	}
	return n
}
