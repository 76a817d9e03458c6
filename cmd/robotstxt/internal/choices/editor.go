package choices

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// An editor adds lines to a file.
type editor struct {
	file     *robotstxt.File
	sections []section.Section
	lineEnd  string
}

// edit returns the text with the groups and records that it needs.
func (e *editor) edit(text []byte, c Choices, closed []crawlers.Crawler, records []string) []byte {
	var groups []string
	if len(closed) > 0 {
		groups = append(groups, userAgents(closed)...)
		groups = append(groups, "Disallow: /")
	}
	for _, crawler := range e.dependents(closed) {
		groups = append(groups, userAgents([]crawlers.Crawler{crawler})...)
		groups = append(groups, e.repeat(crawler.Token)...)
	}
	if star := starSection(e.sections); len(records) > 0 && star != nil {
		text = e.insert(text, lastRule(star), c, records)
	} else if len(records) > 0 {
		groups = append(append(append(groups, "User-agent: *"), records...), "Disallow:")
	}
	if len(groups) == 0 {
		return text
	}
	if last := e.sections[len(e.sections)-1]; len(e.sections) > 1 && !slices.ContainsFunc(last.Lines, isRule) {
		groups = append([]string{"Disallow:"}, groups...) // otherwise, the groups would also be for the crawlers in the last lines
	}
	return e.insert(text, len(splitLines(text)), c, groups)
}

// insert inserts lines after a number of lines of a text, with firstLine and lastLine around them.
func (e *editor) insert(text []byte, after int, c Choices, lines []string) []byte {
	old := splitLines(text)
	block := firstLine + c.String() + e.lineEnd + strings.Join(lines, e.lineEnd) + e.lineEnd + lastLine + e.lineEnd
	if after > 0 && !strings.HasSuffix(old[after-1], "\n") && !strings.HasSuffix(old[after-1], "\r") {
		block = e.lineEnd + block
	}
	return []byte(strings.Join(slices.Insert(old, after, block), ""))
}

func userAgents(list []crawlers.Crawler) (lines []string) {
	for _, c := range list {
		lines = append(lines, "User-agent: "+c.Token)
	}
	return lines
}

func isRule(l robotstxt.Line) bool { return section.IsRule(&l) }

// dependents returns the well-known crawlers that are not closed and would fall back to a
// closed group. For example, Diffbot-User would fall back to Diffbot. So each needs a group that
// repeats its rules.
func (e *editor) dependents(closed []crawlers.Crawler) (list []crawlers.Crawler) {
	isClosed := map[string]bool{}
	for _, c := range closed {
		isClosed[lex.Fold(c.Token)] = true
	}
	for _, c := range crawlers.All() {
		name := lex.Fold(c.Token)
		if isClosed[name] || lex.Fold(e.file.Decide(c.Token, "/x").Token) == name {
			continue
		}
		for i := strings.LastIndexByte(name, '-'); i > 0; i = strings.LastIndexByte(name, '-') {
			if name = name[:i]; isClosed[name] {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

// repeat returns the records and rules of the group that applies to a token, as lines.
func (e *editor) repeat(token string) (lines []string) {
	g := e.file.Group(token)
	for _, r := range g.Records() {
		lines = append(lines, r.Key+": "+r.Value)
	}
	for _, r := range g.Rules() {
		key := "Disallow: "
		if r.Allow {
			key = "Allow: "
		}
		lines = append(lines, key+r.Pattern)
	}
	if len(g.Rules()) == 0 {
		lines = append(lines, "Disallow:")
	}
	return lines
}

// starSection returns the last section for "*", or nil if there is none.
func starSection(sections []section.Section) *section.Section {
	for _, s := range slices.Backward(sections) {
		if slices.ContainsFunc(s.Agents, func(a section.Agent) bool { return a.Token == "*" }) {
			return &s
		}
	}
	return nil
}

// lastRule returns the number of the last rule of a section or, if it has none, of its last
// user-agent line.
func lastRule(s *section.Section) int {
	last := s.Last
	for _, l := range s.Lines {
		if isRule(l) {
			last = l.Number
		}
	}
	return last
}
