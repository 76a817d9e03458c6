package lint

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// Checks of the paths of rules.

func urlAsPath(p *pass, l *line) {
	scheme, _, ok := strings.Cut(l.Value, "://")
	if ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) {
		p.report(l, l.ValueColumn)
	}
}

func pathWithoutSlash(p *pass, l *line) {
	if l.Value == "" || l.Value[0] == '/' || l.Value[0] == '*' {
		return
	}
	p.report(l, l.ValueColumn, quote("/"+l.Value), quote("/*"+l.Value))
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
	if lex.CharsOf(l.Value).HasAny(lex.Foreign) {
		p.report(l, l.ValueColumn, quote(encodeNonASCII(l.Value)))
	}
}

// encodeNonASCII percent-encodes the bytes of a path that are not ASCII.
func encodeNonASCII(path string) string {
	const hex = "0123456789ABCDEF"
	var out []byte
	for _, c := range []byte(path) {
		if c < utf8.RuneSelf {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}

// regexpParts occur in regular expressions, and hardly ever in paths.
var regexpParts = []string{`\d`, `\w`, `\.`, `\?`, `\/`, "(.", ".*)", ".+", "[0-9", "[a-z", "[A-Z"}

func regexpInPath(p *pass, l *line) {
	isIn := func(part string) bool { return strings.Contains(l.Value, part) }
	if strings.HasPrefix(l.Value, "^") || slices.ContainsFunc(regexpParts, isIn) {
		p.report(l, l.ValueColumn)
	}
}

func gluedComment(p *pass, l *line) {
	if l.Value != "" && l.CommentColumn == l.ValueColumn+len(l.Value) {
		p.report(l, l.CommentColumn, quote(l.Value))
	}
}

func emptyRule(p *pass, l *line) {
	if l.Value == "" && l.group.disallows {
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

// deadRule reports rules that decide nothing for any crawler of their groups. It skips files with so
// many rules or groups that it would take too long.
func deadRule(p *pass) {
	const mostRules, mostGroups = 2000, 100
	if len(p.merged) > mostGroups {
		return
	}
	total := 0
	dead := map[int][]rules.DeadRule{} // by line: one for each group for which the rule is dead
	for _, g := range p.merged {
		all := g.Rules()
		if total += len(all); total > mostRules {
			return
		}
		if slices.ContainsFunc(all, disallows) && slices.ContainsFunc(all, allows) {
			for _, d := range overridden(g) {
				dead[d.Rule.Line] = append(dead[d.Rule.Line], d)
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(dead)) {
		if found := dead[number]; len(found) == p.groupsWith(number) {
			p.report(p.lines[number-1], 1, linesOf(found[0].Instead))
		}
	}
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

// overridden returns the dead rules of a group in whose place a rule of the other kind decides.
func overridden(g *robotstxt.Group) (found []rules.DeadRule) {
	dead, _ := rules.Dead(g)
	for _, d := range dead {
		isOther := func(r robotstxt.Rule) bool { return r.Allow != d.Rule.Allow }
		if slices.ContainsFunc(d.Instead, isOther) {
			found = append(found, d)
		}
	}
	return found
}

// linesOf returns a text such as "line 3" or "lines 3 and 5". It leaves out all lines after the
// third.
func linesOf(all []robotstxt.Rule) string {
	const most = 3
	var numbers []string
	for _, r := range all[:min(len(all), most)] {
		numbers = append(numbers, strconv.Itoa(r.Line))
	}
	if len(numbers) == 1 {
		return "line " + numbers[0]
	}
	return "lines " + list(numbers)
}

// assets are the ends of paths for style sheets and scripts.
var assets = map[string]bool{
	".css": true, ".css$": true, "css": true, "styles": true, "stylesheets": true,
	".js": true, ".js$": true, "js": true, "javascript": true, "javascripts": true,
	"_next": true, "_nuxt": true, "wp-content": true, "wp-includes": true,
}

func assetsDisallowed(p *pass) {
	isAboutAssets := func(r robotstxt.Rule) bool { return r.Allow && allowsAssets(r.Pattern) }
	if !p.google.Allowed("/") || slices.ContainsFunc(p.googleRules, isAboutAssets) {
		return // an owner who allows some assets has thought about them
	}
	for _, r := range p.googleRules {
		path := strings.Trim(strings.ToLower(r.Pattern), "*/")
		last := path[strings.LastIndexByte(path, '/')+1:]
		if !r.Allow && assets[last] {
			l := p.lines[r.Line-1]
			p.report(l, l.ValueColumn)
		}
	}
}

func allowsAssets(pattern string) bool {
	path := strings.ToLower(pattern)
	return strings.Contains(path, "css") || strings.Contains(path, "js")
}
