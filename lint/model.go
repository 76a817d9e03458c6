package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// A file is a robots.txt file as the checks see it.
type file struct {
	data   []byte
	lines  []*line
	groups []*group // groups[0] has the lines above the first user-agent line

	parsed *robotstxt.File
	merged []*robotstxt.Group // the groups of parsed, each of which joins the groups for the same crawlers

	star        *robotstxt.Group // what applies to crawlers that the file does not name
	starRules   []robotstxt.Rule
	google      *robotstxt.Group // what applies to Googlebot
	googleRules []robotstxt.Rule

	userAgents map[string]*line // the last user-agent line for each token in folded form
}

// A group consists of one or more user-agent lines and all lines that follow, up to the first
// user-agent line after a rule.
type group struct {
	lines       []*line
	agents      []agent // the names on the user-agent lines; none in groups[0]
	rules       []*line // allow and disallow lines, including those without a path
	hasDisallow bool    // whether a disallow line has a path
}

// An agent is a name on a user-agent line. For "FooBot/1.2", Token is "FooBot", Folded is "foobot" and
// Name is "FooBot/1.2".
type agent = section.Agent

// A line is a line of the file, and the group that it is in.
type line struct {
	*robotstxt.Line
	group *group
	chars lex.CharSet // the characters of the value
}

func newFile(data []byte) *file {
	f := &file{data: data, parsed: robotstxt.Parse(data), userAgents: map[string]*line{}}
	f.merged = f.parsed.Groups()
	f.star, f.google = f.parsed.Group("*"), f.parsed.Group("Googlebot")
	f.starRules, f.googleRules = f.star.Rules(), f.google.Rules()
	for _, s := range section.Cut(data) {
		f.addGroup(s)
	}
	return f
}

func (f *file) addGroup(s section.Section) {
	g := &group{agents: s.Agents, lines: make([]*line, len(s.Lines))}
	lines := make([]line, len(s.Lines)) // one allocation for all
	for i := range lines {
		l := &lines[i]
		*l = line{&s.Lines[i], g, lex.CharsOf(s.Lines[i].Value)}
		g.lines[i] = l
		if section.IsRule(l.Line) {
			g.rules = append(g.rules, l)
		}
	}
	g.hasDisallow = slices.ContainsFunc(g.rules, (*line).isDisallow)
	f.groups = append(f.groups, g)
	f.lines = append(f.lines, g.lines...)
	for _, a := range g.agents {
		f.userAgents[a.Folded] = f.lineAt(a.Line)
	}
}

// lineAt returns the line with a number, which counts from 1.
func (f *file) lineAt(number int) *line { return f.lines[number-1] }

// names reports whether a user-agent line of the file has the token, regardless of case.
func (f *file) names(token string) bool { return f.userAgents[lex.Fold(token)] != nil }

// hasRulesOf reports whether two groups have the same rules in the same order.
func (g *group) hasRulesOf(other *group) bool {
	return slices.EqualFunc(g.rules, other.rules, func(x, y *line) bool {
		return x.Kind == y.Kind && x.Value == y.Value
	})
}

// isDisallow reports whether the line is a disallow line with a path.
func (l *line) isDisallow() bool { return l.Kind == robotstxt.DisallowKind && l.Value != "" }

// closesAll reports whether the line disallows the whole site.
func (l *line) closesAll() bool { return l.isDisallow() && isWholeSite(l.Value) }

// isKnown reports whether package robotstxt knows the key of the line.
func (l *line) isKnown() bool { return l.Kind != robotstxt.NoKind && l.Kind != robotstxt.OtherKind }

// isGlued reports whether a comment follows the value without a space, as in "/a#b".
func (l *line) isGlued() bool {
	return l.Value != "" && l.CommentColumn == l.ValueColumn+len(l.Value)
}

// isSignal reports whether the line has a preference about AI, such as Content-Signal.
func (l *line) isSignal() bool {
	_, ok := aipref.ReadSignal(robotstxt.Record{Key: l.Key})
	return ok
}

// content returns the text of the line without its comment.
func (l *line) content() string { return lex.Trim(strings.TrimSuffix(l.Text, l.Comment)) }

func allows(r robotstxt.Rule) bool { return r.Allow }

func disallows(r robotstxt.Rule) bool { return !r.Allow }

// disallowsAll reports whether a rule alone disallows the whole site.
func disallowsAll(r robotstxt.Rule) bool { return !r.Allow && isWholeSite(r.Pattern) }

// isWholeSite reports whether a path pattern matches all URLs.
func isWholeSite(pattern string) bool {
	rest := strings.Trim(pattern, "*")
	return rest == "" || rest == "/"
}

// closesSite reports whether a group disallows the whole site, and no allow rule makes an exception:
// "Allow: /" does not win over "Disallow: /*".
func closesSite(g *robotstxt.Group) bool {
	all := g.Rules()
	isException := func(r robotstxt.Rule) bool { return r.Allow && g.Allowed(example(r.Pattern)) }
	return slices.ContainsFunc(all, disallowsAll) && !slices.ContainsFunc(all, isException)
}

// example returns a path that a pattern matches.
func example(pattern string) string {
	path := strings.ReplaceAll(strings.TrimSuffix(pattern, "$"), "*", "x")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}
