package choices

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// An editor adds blocks to a file. The groups for crawlers to close go above all groups of the file, because some
// readers take only the first group with a name.
type editor struct {
	file   *robotstxt.File
	closed map[string]bool  // the crawlers to close, by token in folded form
	blocks map[int][]string // the lines to add below a line of the file, by its number
}

// edit returns a file with the lines for the choices. The file must not have such lines yet.
func (c Choices) edit(clean []byte, preferences bool) []byte {
	e := editor{robotstxt.Parse(clean), map[string]bool{}, map[int][]string{}}
	var records []string
	if preferences {
		records = c.records()
	}
	var groups []string
	add := func(lines ...string) { groups = append(append(groups, lines...), "") }
	if closed := c.closed(); len(closed) > 0 {
		for _, crawler := range closed {
			e.closed[lex.Fold(crawler.Token)] = true
		}
		add(append(userAgents(closed), "Disallow: /")...)
	}
	for _, crawler := range e.dependents() {
		add(slices.Concat([]string{"User-agent: " + crawler.Token}, e.repeat(crawler), records)...)
	}
	sections := section.Cut(clean)
	isForAll := func(s section.Section) bool { return s.Names("*") }
	if len(records) > 0 && !slices.ContainsFunc(sections, isForAll) {
		add(slices.Concat([]string{"User-agent: *"}, records, []string{"Disallow:"})...)
	}
	for _, s := range sections {
		if len(records) > 0 && wantsPreferences(s) {
			e.blocks[s.Last] = records
		}
	}
	if len(groups) > 0 {
		e.blocks[top(sections)] = groups
	}
	return e.insert(clean, c)
}

// wantsPreferences reports whether a section is for all crawlers, or for some to which it does not close the site.
func wantsPreferences(s section.Section) bool {
	isClosing := func(l robotstxt.Line) bool { return l.Kind == robotstxt.DisallowKind && l.Value == "/" }
	return s.Names("*") || len(s.Agents) > 0 && !slices.ContainsFunc(s.Lines, isClosing)
}

// top returns the number of the line below which new groups go: above the first group, and above the
// comments directly before it. In a file without groups, it is the last line.
func top(sections []section.Section) int {
	above := sections[0].Lines
	if len(sections) == 1 {
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
	for i, line := range append([]string{""}, splitLines(text)...) {
		b.WriteString(line)
		lines := e.blocks[i]
		if lines == nil {
			continue
		}
		if line != "" && !strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\r") {
			b.WriteString(end)
		}
		b.WriteString(newBlock(c, lines, end))
	}
	return []byte(b.String())
}

func userAgents(list []crawlers.Crawler) (lines []string) {
	for _, c := range list {
		lines = append(lines, "User-agent: "+c.Token)
	}
	return lines
}

// dependents returns the well-known crawlers that stay open and would fall back to a closed group. For
// example, Diffbot-User would fall back to Diffbot. So each needs a group that repeats its rules.
func (e *editor) dependents() (list []crawlers.Crawler) {
	for _, c := range crawlers.All() {
		name := lex.Fold(c.Token)
		if e.closed[name] || lex.Fold(groupOf(e.file, c).Decide("/x").Token) == name {
			continue
		}
		for closed := range e.closed {
			if strings.HasPrefix(name, closed+"-") {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

// groupOf returns the group of a file that a crawler obeys.
func groupOf(file *robotstxt.File, c crawlers.Crawler) *robotstxt.Group {
	return file.Group(crawlers.Names(c.Token)...)
}

// repeat returns the records and rules of the group that a crawler obeys, as lines.
func (e *editor) repeat(c crawlers.Crawler) (lines []string) {
	g := groupOf(e.file, c)
	for _, r := range g.Records() {
		lines = append(lines, r.Key+": "+r.Value)
	}
	for _, r := range g.Rules() {
		lines = append(lines, r.String())
	}
	if len(g.Rules()) == 0 {
		lines = append(lines, "Disallow:")
	}
	return lines
}
