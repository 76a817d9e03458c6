package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Checks of the whole file.

func utf16(p *pass) {
	if reading.IsUTF16(p.data) && len(p.lines) > 0 {
		p.reportFile(p.lines[0])
		p.isOtherFormat = true
	}
}

func richText(p *pass) {
	if bytes.HasPrefix(p.data, []byte(`{\rtf`)) && len(p.lines) > 0 {
		p.reportFile(p.lines[0])
		p.isOtherFormat = true
	}
}

func notRobotsTxt(p *pass) {
	number, ok := robotstxt.NotRobotsTxt(p.data)
	if !ok {
		return
	}
	l := &line{Line: &robotstxt.Line{Number: number, Text: string(p.data)}} // one that crosses the size limit
	if number <= len(p.lines) {
		l = p.lineAt(number)
	}
	if l.isTemplate() {
		return // templateText reports it
	}
	p.reportFile(l, quote(cut(l.content(), 40)))
	isPage := strings.HasPrefix(l.content(), "<")
	// In "Agente de usuario: *", the key is a translation. Then other checks look at the other lines.
	isMeantForCrawlers := func(l *line) bool { return similarKey(l.Key) != "" || l.Kind == other && l.Value == "*" }
	p.isOtherFormat = isPage || !slices.ContainsFunc(p.lines, isMeantForCrawlers)
}

// templateStarts start a line or a value that a template replaces.
var templateStarts = []string{"{{", "{%", "${", "<%", "<?php", "<?=", "@if", "@php", "@foreach"}

// templateMarks start such a part of a value. A path such as "/{{url}}" or "/${url}" may be a broken link
// that the owner disallows, so only those are marks that no link has.
var templateMarks = []string{"{{ ", "{% ", "<%", "<?"}

func templateText(p *pass) {
	if i := slices.IndexFunc(p.lines, (*line).isTemplate); i >= 0 {
		p.reportFile(p.lines[i])
		p.isOtherFormat = true
	}
}

func (l *line) isTemplate() bool {
	content := l.content()
	isStart := func(mark string) bool { return strings.HasPrefix(content, mark) || strings.HasPrefix(l.Value, mark) }
	isInside := func(mark string) bool { return strings.Contains(l.Value, mark) }
	return slices.ContainsFunc(templateStarts, isStart) || slices.ContainsFunc(templateMarks, isInside)
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

func searchEngineClosed(p *pass) {
	if closesSite(p.star) {
		return
	}
	for _, token := range []string{"Googlebot", "bingbot"} {
		l := p.userAgents[lex.Fold(token)]
		if l == nil || !closesSite(p.parsed.Group(token)) || l.isJoined() {
			continue
		}
		advice := `write "Disallow:" instead of the lines below that start with "Disallow: /"`
		if len(l.group.agents) > 1 {
			advice = "delete this line, so that the group is only for the other crawlers"
		}
		p.report(l, 1, advice)
	}
}

func closedByAccident(p *pass) {
	l := p.closingLine()
	if l == nil {
		return
	}
	isOpening := func(r robotstxt.Rule) bool { return r.Allow && isWholeSite(r.Pattern) }
	switch {
	case l.isGlued() && !strings.HasPrefix(l.Comment, "# "): // unlike the comment of "Disallow: /# all"
		p.report(l, 1, `A "#" starts a comment, so crawlers read only `+quote(l.Value))
	case slices.ContainsFunc(p.starRules, isOpening):
		p.report(l, 1, `Its path is longer than that of "Allow: /", so it wins`)
	}
}

func allDisallowed(p *pass) {
	if l := p.closingLine(); l != nil {
		p.report(l, 1)
	}
}

// closingLine returns the line that closes the whole site, or nil if the site is open to crawlers that
// read pages for search or AI. It leaves out a line that joinedGroups reports.
func (p *pass) closingLine() *line {
	if !closesSite(p.star) || slices.ContainsFunc(p.merged, letsReadersIn) || p.userAgents["*"].isJoined() {
		return nil
	}
	return p.lineAt(p.star.Decide("/").Rule.Line)
}

// letsReadersIn reports whether the group is for a crawler that reads pages for search or AI, and
// allows the home page.
func letsReadersIn(g *robotstxt.Group) bool {
	return g.Allowed("/") && slices.ContainsFunc(g.Tokens(), readsPages)
}
