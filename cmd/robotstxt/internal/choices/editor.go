package choices

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// An editor adds blocks to a file. Where it adds them, readers that take only the first group with a name
// find the new rules, and so do readers that take the first rule that matches:
//
//   - A group that is only for crawlers to close gets one more rule.
//   - A group that is for other crawlers, too, is divided by new rules between its user-agent lines.
//   - Crawlers that the file does not name get a new group above all groups.
type editor struct {
	file     *robotstxt.File
	sections []section.Section
	closed   map[string]bool  // the crawlers to close, by token in folded form
	records  []string         // the preferences for each group that is open
	blocks   map[int][]string // the lines to add below a line of the file, by its number
}

// edit returns a file with the lines for the choices. The file must not have such lines yet.
func (c Choices) edit(clean []byte, preferences bool) []byte {
	e := editor{file: robotstxt.Parse(clean), sections: section.Cut(clean), closed: map[string]bool{}, blocks: map[int][]string{}}
	unnamed := c.closed()
	for _, crawler := range unnamed {
		e.closed[lex.Fold(crawler.Token)] = true
	}
	if preferences {
		e.records = c.records()
	}
	hasStar := false
	for _, s := range e.sections {
		if e.closeIn(s) {
			isNamed := func(c crawlers.Crawler) bool { return s.Names(lex.Fold(c.Token)) }
			unnamed = slices.DeleteFunc(unnamed, isNamed)
		}
		e.addRecords(s)
		hasStar = hasStar || s.Names("*")
	}
	var groups []string
	add := func(lines ...string) { groups = append(append(groups, lines...), "") }
	if len(unnamed) > 0 {
		add(append(userAgents(unnamed), closing)...)
	}
	for _, crawler := range e.dependents() {
		add(append(userAgents([]crawlers.Crawler{crawler}), e.repeat(crawler)...)...)
	}
	if len(e.records) > 0 && !hasStar {
		add(slices.Concat([]string{"User-agent: *"}, e.records, []string{"Disallow:"})...)
	}
	if len(groups) > 0 {
		e.blocks[e.top()] = groups
	}
	return e.insert(clean, c)
}

// closing is the rule that closes a site.
const closing = "Disallow: /"

// closeIn adds rules to a section so that it closes the site to those of its crawlers that are to be closed,
// and to no others. It returns false if the section has no such crawlers, or if it can't be divided. If the
// section has a rule about the whole site, closeIn adds nothing: the site is closed, or the owner wants it open.
func (e *editor) closeIn(s section.Section) bool {
	isClosed := func(a section.Agent) bool { return e.closed[a.Folded] }
	switch {
	case !slices.ContainsFunc(s.Agents, isClosed) || s.Names("*") || e.hasMixedLine(s):
		return false
	case slices.ContainsFunc(s.Lines, isAboutWholeSite):
		return true
	}
	for i, a := range s.Agents {
		isLast := i == len(s.Agents)-1
		switch {
		case !isLast && isClosed(a) == isClosed(s.Agents[i+1]):
		case isLast && isClosed(a):
			e.blocks[closingPlace(s)] = []string{closing}
		case isClosed(a):
			e.blocks[a.Line] = []string{closing}
		case !isLast:
			e.blocks[a.Line] = append(linesOf(s), e.records...)
		}
	}
	return true
}

// addRecords adds the preferences to a section, unless it closes the site to named crawlers.
func (e *editor) addRecords(s section.Section) {
	isClosing := func(l robotstxt.Line) bool { return isAboutWholeSite(l) && l.Kind == robotstxt.DisallowKind }
	isException := func(l robotstxt.Line) bool { return l.Kind == robotstxt.AllowKind && l.Value != "" }
	isClosed := slices.Contains(e.blocks[closingPlace(s)], closing) || slices.ContainsFunc(s.Lines, isClosing)
	isForNobody := len(s.Agents) == 0 || isClosed && !slices.ContainsFunc(s.Lines, isException) && !s.Names("*")
	if len(e.records) > 0 && !isForNobody {
		e.blocks[s.Last] = append(e.blocks[s.Last], e.records...)
	}
}

// closingPlace returns the number of the line below which the rule goes that closes a section: its last rule.
// But if there is no rule, or an empty one, which some readers take for one that allows everything, the new
// rule goes above all rules.
func closingPlace(s section.Section) int {
	place := s.Last
	for _, l := range s.Lines {
		switch {
		case isRule(l) && l.Value == "":
			return s.Last
		case isRule(l):
			place = l.Number
		}
	}
	return place
}

// hasMixedLine reports whether a user-agent line names a crawler to close and one that stays open.
func (e *editor) hasMixedLine(s section.Section) bool {
	for i := 1; i < len(s.Agents); i++ {
		a, b := s.Agents[i-1], s.Agents[i]
		if a.Line == b.Line && e.closed[a.Folded] != e.closed[b.Folded] {
			return true
		}
	}
	return false
}

func isAboutWholeSite(l robotstxt.Line) bool {
	return isRule(l) && slices.Contains([]string{"/", "/*", "*"}, l.Value)
}

// linesOf returns the rules and records of a section, and an empty rule if it has no rules.
func linesOf(s section.Section) (lines []string) {
	for _, l := range s.Lines {
		if isRule(l) || l.Kind == robotstxt.CrawlDelayKind || section.IsRecord(&l) {
			lines = append(lines, strings.TrimSpace(l.Text))
		}
	}
	if !slices.ContainsFunc(s.Lines, isRule) {
		lines = append(lines, "Disallow:")
	}
	return lines
}

// top returns the number of the line below which new groups go: above the first group, and above the
// comments directly before it. In a file without groups, it is the last line.
func (e *editor) top() int {
	above := e.sections[0].Lines
	if len(e.sections) == 1 {
		return len(above)
	}
	for len(above) > 0 && strings.HasPrefix(strings.TrimSpace(above[len(above)-1].Text), "#") {
		above = above[:len(above)-1]
	}
	return len(above)
}

// insert returns the text with the blocks.
func (e *editor) insert(text []byte, c Choices) []byte {
	end := lineEnd(text)
	var b strings.Builder
	add := func(below int) {
		if lines := e.blocks[below]; lines != nil {
			b.WriteString(newBlock(c, lines, end))
		}
	}
	add(0)
	for i, line := range splitLines(text) {
		b.WriteString(line)
		if e.blocks[i+1] != nil && !strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\r") {
			b.WriteString(end)
		}
		add(i + 1)
	}
	return []byte(b.String())
}

func userAgents(list []crawlers.Crawler) (lines []string) {
	for _, c := range list {
		lines = append(lines, "User-agent: "+c.Token)
	}
	return lines
}

func isRule(l robotstxt.Line) bool { return section.IsRule(&l) }

// dependents returns the well-known crawlers that stay open and would fall back to a closed group. For
// example, Diffbot-User would fall back to Diffbot. So each needs a group that repeats its rules.
func (e *editor) dependents() (list []crawlers.Crawler) {
	for _, c := range crawlers.All() {
		name := lex.Fold(c.Token)
		if e.closed[name] || lex.Fold(e.groupOf(c).Decide("/x").Token) == name {
			continue
		}
		for i := strings.LastIndexByte(name, '-'); i > 0; i = strings.LastIndexByte(name, '-') {
			if name = name[:i]; e.closed[name] {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

func (e *editor) groupOf(c crawlers.Crawler) *robotstxt.Group {
	return e.file.Group(crawlers.Names(c.Token)...)
}

// repeat returns the records and rules of the group that a crawler obeys, as lines.
func (e *editor) repeat(c crawlers.Crawler) (lines []string) {
	g := e.groupOf(c)
	for _, r := range g.Records() {
		lines = append(lines, r.Key+": "+r.Value)
	}
	for _, r := range g.Rules() {
		lines = append(lines, r.String())
	}
	if len(g.Rules()) == 0 {
		lines = append(lines, "Disallow:")
	}
	return append(lines, e.records...)
}
