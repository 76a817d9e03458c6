package lint

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Checks of the paths of rules.

// hostStart matches a URL, or the name of a host, at the start of a value.
var hostStart = regexp.MustCompile(`(?i)^(https?://|www\.|[\w-]+(\.[\w-]+)*\.(com|net|org|edu|gov)([/:*]|$))`)

func urlAsPath(p *pass, l *line) {
	if hostStart.MatchString(l.Value) {
		p.report(l, l.ValueColumn)
	}
}

func severalPaths(p *pass, l *line) {
	for _, separator := range []string{",/", ", /", " /"} {
		if i := strings.Index(l.Value, separator); i >= 0 {
			p.report(l, l.ValueColumn+i)
			return
		}
	}
}

// extensionBeforeDollar matches the extension of a file with a "$" that does not end the path. After a
// letter, as in "java.util.Map$Entry", the "$" is a part of a name.
var extensionBeforeDollar = regexp.MustCompile(`\.[0-9A-Za-z]+\$[^0-9A-Za-z]`)

func dollarInsidePath(p *pass, l *line) {
	if at := extensionBeforeDollar.FindStringIndex(l.Value); at != nil {
		end := at[0] + strings.IndexByte(l.Value[at[0]:], '$') + 1
		p.report(l, l.ValueColumn+end, quote(l.Value[:end]))
	}
}

func pathWithoutSlash(p *pass, l *line) {
	if !reading.LacksSlash(l.Line) {
		return
	}
	path := strings.TrimLeft(strings.ReplaceAll(l.Value, `\`, "/"), "/")
	p.report(l, l.ValueColumn, quote("/"+path), quote("/*"+path))
}

func spaceInPath(p *pass, l *line) {
	if i := strings.IndexAny(l.Value, " \t"); i >= 0 {
		p.report(l, l.ValueColumn+i)
	}
}

func notUTF8(p *pass, l *line) {
	if !utf8.ValidString(l.Value) {
		p.report(l, l.ValueColumn)
	}
}

func nonASCIIInPath(p *pass, l *line) {
	if lex.CharsOf(l.Value).HasAny(lex.NonASCII) {
		p.report(l, l.ValueColumn, quote(robotstxt.NewPattern(l.Value).Canonical()))
	}
}

// regexpParts occur in regular expressions, and hardly ever in paths.
var regexpParts = []string{`\d`, `\w`, `\.`, `\?`, `\/`, "(.", ".*)", ".+", "[0-9", "[a-z", "[A-Z"}

func regexpInPath(p *pass, l *line) {
	isIn := func(part string) bool { return strings.Contains(l.Value, part) }
	if strings.HasPrefix(l.Value, "^") || slices.ContainsFunc(regexpParts, isIn) {
		p.report(l, l.ValueColumn)
	}
}

func escapedQuery(p *pass, l *line) {
	before, _, isEscaped := strings.Cut(strings.ToUpper(l.Value), "%3F")
	if isEscaped && !strings.Contains(before, "?") {
		query := strings.NewReplacer("%3F", "?", "%3f", "?", "%26", "&", "%3D", "=", "%3d", "=").Replace(l.Value)
		p.report(l, l.ValueColumn+len(before), quote(query))
	}
}

func gluedComment(p *pass, l *line) {
	if l.isGlued() {
		p.report(l, l.CommentColumn, quote(l.Value))
	}
}

func emptyRule(p *pass, l *line) {
	if l.Value == "" && l.group.hasDisallow {
		p.report(l, l.KeyColumn)
	}
}

func duplicateRule(p *pass) {
	type rule struct {
		kind  robotstxt.Kind
		value string
	}
	for _, g := range p.groups {
		first := make(map[rule]*line, len(g.rules))
		for _, l := range g.rules {
			r := rule{l.Kind, l.Value}
			if first[r] == nil {
				first[r] = l
				continue
			}
			f := p.report(l, 1, first[r].Number)
			if l.Comment == "" {
				f.Fix = &Edit{Delete: true}
			}
		}
	}
}

// deadRule reports rules that decide nothing for any crawler of their groups.
func deadRule(p *pass) {
	if p.hasManyRules() {
		return
	}
	dead := map[int][]rules.DeadRule{} // by line: one for each group for which the rule is dead
	for _, g := range p.merged {
		if slices.Contains(g.Tokens(), "*") && closesSite(g) {
			continue // the line that closes the site is the mistake
		}
		for _, d := range overridden(g) {
			dead[d.Rule.Line] = append(dead[d.Rule.Line], d)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(dead)) {
		if found := dead[number]; len(found) == p.groupsWith(number) {
			p.report(p.lineAt(number), 1, linesOf(found[0].Instead, func(r robotstxt.Rule) int { return r.Line }))
		}
	}
}

// mostRules is how many rules checks compare with each other.
const mostRules = 2000

// hasManyRules reports whether it would take too long to look for dead rules in the file.
func (p *pass) hasManyRules() bool {
	const mostGroups = 100
	if len(p.merged) > mostGroups {
		return true
	}
	total := 0
	for _, g := range p.merged {
		total += len(g.Rules())
	}
	return total > mostRules
}

// groupsWith returns for how many groups of p.merged the rule in a line applies.
func (p *pass) groupsWith(number int) (n int) {
	isRule := func(r robotstxt.Rule) bool { return r.Line == number }
	for _, g := range p.merged {
		if slices.ContainsFunc(g.Rules(), isRule) {
			n++
		}
	}
	return n
}

// overridden returns the dead rules of g that a rule of the other kind overrides.
func overridden(g *robotstxt.Group) (found []rules.DeadRule) {
	if all := g.Rules(); !slices.ContainsFunc(all, disallows) || !slices.ContainsFunc(all, allows) {
		return nil // only to save time
	}
	dead, _ := rules.DeadRules(g)
	for _, d := range dead {
		isOther := func(r robotstxt.Rule) bool { return r.Allow != d.Rule.Allow }
		if slices.ContainsFunc(d.Instead, isOther) {
			found = append(found, d)
		}
	}
	return found
}

// assets are the ends of patterns for style sheets and scripts, without "*" and "/" after them: "/css"
// for /a/css/, "/.js$" for /*.js$.
var assets = []string{
	"/.css", "/.css$", "/css", "/styles", "/stylesheets", "/.js", "/.js$", "/js", "/javascript", "/javascripts", "/assets",
	"/_next", "/_next/static", "/_nuxt", "/_astro", "/wp-content", "/wp-content/themes", "/wp-includes",
}

func assetsDisallowed(p *pass) {
	isAboutAssets := func(r robotstxt.Rule) bool { return r.Allow && mentionsAssets(r.Pattern) }
	if !p.google.Allowed("/") || slices.ContainsFunc(p.googleRules, isAboutAssets) {
		return // an owner who allows some assets has thought about them
	}
	for _, r := range p.googleRules {
		if r.Allow {
			continue
		}
		path := "/" + strings.Trim(strings.ToLower(r.Pattern), "*/")
		isEnd := func(end string) bool { return strings.HasSuffix(path, end) }
		if slices.ContainsFunc(assets, isEnd) {
			l := p.lineAt(r.Line)
			p.report(l, l.ValueColumn)
		}
	}
}

// mentionsAssets reports whether a pattern contains the name of assets, even if inside another word.
func mentionsAssets(pattern string) bool {
	path := strings.ToLower(pattern)
	return strings.Contains(path, "css") || strings.Contains(path, "js")
}
