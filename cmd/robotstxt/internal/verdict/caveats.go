package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// caveats are the lines of a file that package robotstxt reads in the way in which they are meant, but
// that Google or most crawlers read differently. The zero value has no such lines.
type caveats struct {
	isUTF16 bool
	hasStar bool                    // whether the file has a group for "*"
	rules   map[int]string          // what to say about rules, by line number
	keys    map[int]string          // the misspelled keys of rules, by line number
	names   map[string][]nameCaveat // by folded token, in the order of the file
	plain   map[string]bool         // the folded tokens that a user-agent line has in a form that all crawlers read
}

// A nameCaveat is what to say about a token in a section, because no user-agent line of the section has the
// token in a form that all crawlers read.
type nameCaveat struct {
	first, last int // the lines of the section
	text        string
}

func newCaveats(data []byte) caveats {
	c := caveats{isUTF16: lex.IsUTF16(data), rules: map[int]string{}, keys: map[int]string{}, names: map[string][]nameCaveat{}, plain: map[string]bool{}}
	for _, s := range section.Cut(data) {
		for i := range s.Lines {
			if l := &s.Lines[i]; section.IsRule(l) {
				c.addRule(l)
			}
		}
		if len(s.Agents) > 0 {
			c.addNames(s)
		}
	}
	return c
}

func (c *caveats) addRule(l *robotstxt.Line) {
	isKey := strings.EqualFold(l.Key, "allow") || strings.EqualFold(l.Key, "disallow")
	isPath := strings.HasPrefix(l.Value, "/") || strings.HasPrefix(l.Value, "*")
	switch {
	case !isKey:
		c.keys[l.Number] = l.Key
		c.rules[l.Number] = fmt.Sprintf("written %q: most crawlers ignore the line", l.Key)
	case !l.Colon:
		c.rules[l.Number] = "written without a colon: many crawlers ignore the line"
	case !isPath:
		c.rules[l.Number] = `written without "/": some crawlers ignore the line`
	}
}

func (c *caveats) addNames(s section.Section) {
	first, last := s.Agents[0].Line, s.Lines[len(s.Lines)-1].Number
	lines := map[int]*robotstxt.Line{}
	for i := range s.Lines {
		lines[s.Lines[i].Number] = &s.Lines[i]
	}
	texts := map[string]string{} // by folded token
	previous := 0                // the line of the last agent
	for _, a := range s.Agents {
		text := agentCaveat(lines[a.Line], a, previous == a.Line)
		if _, isKnown := texts[a.Folded]; !isKnown || text == "" {
			texts[a.Folded] = text
		}
		previous = a.Line
	}
	for token, text := range texts {
		if text == "" {
			c.plain[token] = true
		} else {
			c.names[token] = append(c.names[token], nameCaveat{first, last, text})
		}
		c.hasStar = c.hasStar || token == "*"
	}
}

// agentCaveat returns what to say about a name on a user-agent line.
func agentCaveat(l *robotstxt.Line, a section.Agent, isLater bool) string {
	switch {
	case known.IsWordForAll(a.Name):
		return fmt.Sprintf("no crawler can have the name %q in line %d", a.Name, l.Number)
	case isLater:
		return fmt.Sprintf("line %d has several names: Google and others read only the first", l.Number)
	case !strings.EqualFold(l.Key, "user-agent"):
		return fmt.Sprintf("line %d is written %q: most crawlers ignore the line", l.Number, l.Key)
	case !l.Colon:
		return fmt.Sprintf("line %d is written without a colon: many crawlers ignore the line", l.Number)
	case !strings.HasPrefix(lex.Fold(a.Name), a.Folded):
		return fmt.Sprintf("line %d is a whole User-Agent header: some crawlers read only its first word", l.Number)
	}
	return ""
}

// ofName returns how other crawlers read the user-agent lines of the group that decides, if they read them
// differently.
func (c caveats) ofName(d robotstxt.Decision) string {
	token := lex.Fold(d.Token)
	for _, n := range c.names[token] {
		isDeciding := n.first <= d.Rule.Line && d.Rule.Line <= n.last
		if isDeciding || d.Rule.Line == 0 && !c.plain[token] {
			return n.text
		}
	}
	return ""
}

// indexNote explains why "Allow: /news/index.html" allows /news/, which it does not match. RFC 9309 says nothing
// about such files, but Google's parser does so.
func indexNote(r robotstxt.Rule, url string) string {
	if !r.Allow || !strings.Contains(r.Pattern, "ndex.htm") || robotstxt.NewPattern(r.Pattern).Matches(url) {
		return ""
	}
	folder := r.Pattern[:strings.LastIndexByte(r.Pattern, '/')+1]
	return fmt.Sprintf("Google takes %s for %s; other crawlers may not", lex.Printable(cmp.Or(folder, "/")), lex.Printable(r.Pattern))
}
