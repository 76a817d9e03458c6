package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Checks of the whole file.

func utf16(p *pass) {
	isUTF16 := lex.IsUTF16(p.data) || section.IsUnmarkedUTF16(p.data)
	if isUTF16 && len(p.lines) > 0 {
		p.reportFile(p.lines[0])
		p.isOtherFormat = true
	}
}

func notRobotsTxt(p *pass) {
	i := slices.IndexFunc(p.lines, func(l *line) bool { return l.content() != "" })
	if i < 0 {
		return
	}
	isPage := strings.HasPrefix(p.lines[i].content(), "<")
	isRobots := func(l *line) bool { return isTypical(l, isPage) }
	if !slices.ContainsFunc(p.lines, isRobots) {
		p.reportFile(p.lines[i], quote(cut(p.lines[i].content(), 40)))
		p.isOtherFormat = true
	}
}

// isTypical reports whether a line is typical of robots.txt. The scripts of an HTML page can have
// lines with any key, but hardly a rule below a user-agent line.
func isTypical(l *line, isPage bool) bool {
	if isPage {
		return len(l.group.agents) > 0 && section.IsRule(l.Line)
	}
	return l.isKnown() || similarKey(l.Key) != ""
}

func fileTooLarge(p *pass) {
	if section.Size(p.data) > robotstxt.SizeLimit && len(p.lines) > 0 {
		p.reportFile(p.lines[len(p.lines)-1])
	}
}

// marks are the byte-order mark, and what is left of one after a wrong conversion.
var marks = []string{"\ufeff", "ï»¿"}

func byteOrderMark(p *pass) {
	if len(p.lines) == 0 || p.lines[0].Kind == robotstxt.NoKind {
		return // crawlers skip a comment or a blank line with or without the mark
	}
	first := p.lines[0]
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(first.Text, mark); ok {
			p.report(first, 1).Fix = first.rewriteIfSameValue(rest)
		}
	}
}

func allDisallowed(p *pass) {
	if closesSite(p.starRules) && !slices.ContainsFunc(p.merged, letsReadersIn) {
		p.report(p.lineAt(p.star.Decide("/").Rule.Line), 1)
	}
}

// letsReadersIn reports whether the group is for a crawler that reads pages for search or AI, and
// allows the home page.
func letsReadersIn(g *robotstxt.Group) bool {
	return g.Allowed("/") && slices.ContainsFunc(g.Tokens(), readsPages)
}
