package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// checkUserAgent looks at what a user-agent line names.
func checkUserAgent(c *checker, l robotstxt.Line) {
	if l.Kind != robotstxt.UserAgentKind {
		return
	}
	if strings.Trim(l.Value, ", \t") == "" {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "empty-user-agent",
			Text: "The line names nobody."})
		return
	}
	names := 0
	for offset, name := range lex.Names(l.Value) {
		checkToken(c, l, l.ValueColumn+offset, name)
		names++
	}
	if names > 1 {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "several-tokens",
			Text: "The line names several crawlers, and some crawlers look for one in a line."})
	}
}

// checkToken looks at one of the names on a line.
func checkToken(c *checker, l robotstxt.Line, column int, name string) {
	n := lex.NameLen(name)
	token, rest := name[:n], name[n:]
	if code, text, advice := tokenProblem(token, rest); code != "" {
		c.report(Finding{Line: l.Number, Column: column + n, Code: code, Text: text, Advice: advice})
	} else if token != "*" {
		checkTokenCharacters(c, l, column, token)
	}
}

// tokenProblem returns what is wrong with a token and what stands behind it, or
// nothing.
func tokenProblem(token, rest string) (code, text, advice string) {
	const counts = " counts for most crawlers, and "
	only, write := "Only "+quote(token), "Write "+quoteWhole("User-agent: "+token)+"."
	switch {
	case strings.EqualFold(token, "Mozilla"):
		return "user-agent-header", only + " counts, which names no crawler.", tokenAdvice(token + rest)
	case rest == "":
		return "", "", ""
	case token == "":
		return "unusable-token", "No crawler can be named " + quote(rest) + ", so the line is for nobody.", tokenAdvice(strings.TrimLeft(rest, "*/ \"'<[({"))
	case token == "*":
		return "unusable-token", only + " counts, so this is for all crawlers, not for those behind it.", tokenAdvice(lex.Trim(rest))
	case rest[0] == '/':
		return "token-with-version", only + counts + "some do not find themselves behind a version.", write
	case rest[0] == '*':
		return "token-with-star", only + counts + "the star is no wildcard here.", write
	}
	return "token-with-space", only + counts + "what follows is ignored.", ""
}

// tokenAdvice proposes the name that is in a header.
func tokenAdvice(header string) string {
	token := robotstxt.ProductToken(header)
	if token == "" || strings.EqualFold(token, "Mozilla") || strings.EqualFold(token, "MSIE") {
		return `Write the crawler's name, such as "User-agent: FooBot".`
	}
	return fmt.Sprintf("Write %s, if that is meant.", quoteWhole("User-agent: "+token))
}

// wellKnown are crawlers whose documentation tells site owners to write a name
// that the RFC's grammar does not have.
var wellKnown = []string{lex.Fold("MJ12bot"), lex.Fold("archive.org_bot"), lex.Fold("360Spider"), lex.Fold("Mail.RU_Bot"), lex.Fold("W3C-checklink"), lex.Fold("008")}

// checkTokenCharacters finds names that the RFC's grammar does not have (RFC
// 9309, section 2.2.1), but for those of well-known crawlers.
func checkTokenCharacters(c *checker, l robotstxt.Line, column int, token string) {
	if slices.Contains(wellKnown, lex.Fold(token)) {
		return
	}
	foreign := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '-' || r == '_')
	}
	if i := strings.IndexFunc(token, foreign); i >= 0 {
		c.report(Finding{Line: l.Number, Column: column + i, Code: "token-characters",
			Text: "The RFC has only letters, \"-\" and \"_\" in names, so a strict crawler does not read all of " + quote(token) + "."})
	}
}

// checkRepeatedTokens finds crawlers that several groups are for, unless all of
// these close the whole site.
func checkRepeatedTokens(c *checker) {
	type place struct {
		line   int
		closed bool
	}
	first := map[string]place{}
	for i := range c.sections {
		s := &c.sections[i]
		for _, a := range s.agents {
			before, known := first[a.folded]
			if !known {
				first[a.folded] = place{a.line, s.closed}
			} else if before.line < s.lines[0].Number && !(before.closed && s.closed) {
				c.report(Finding{Line: a.line, Column: c.lines[a.line-1].ValueColumn, Code: "repeated-token",
					Text:   fmt.Sprintf("Line %d has a group for %s already: some crawlers join the two, some read only one.", before.line, quote(a.token)),
					Advice: fmt.Sprintf("Move the rules to the group of line %d.", before.line)})
			}
		}
	}
}

// checkBeforeGroups finds rules that belong to no group.
func checkBeforeGroups(c *checker, s *section) {
	if s != &c.sections[0] {
		return
	}
	for _, l := range s.lines {
		if isRule(l) || l.Kind == robotstxt.CrawlDelayKind {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "rule-before-user-agent",
				Text: "The line holds for nobody, because no user-agent line stands above it."})
		}
	}
}

// checkJoins finds what stands between user-agent lines and does not part them
// (RFC 9309, section 2.2.1).
func checkJoins(c *checker, s *section) {
	var between robotstxt.Line // the line that may have been meant to end a group
	var last robotstxt.Line    // the last user-agent line
	for _, l := range s.lines {
		switch {
		case isRule(l):
			return
		case l.Kind == robotstxt.UserAgentKind:
			if between.Number > 0 && last.Number > 0 {
				c.reportJoin(s, last, between, l)
			}
			last, between = l, robotstxt.Line{}
		case weight(l) > weight(between):
			between = l
		}
	}
}

// weight tells which of the lines between user-agent lines is the most likely to
// have been taken for the end of a group.
func weight(l robotstxt.Line) int {
	switch {
	case l.Number == 0:
		return 0
	case l.Kind == robotstxt.CrawlDelayKind:
		return 3
	case l.Kind != robotstxt.NoKind:
		return 2
	case content(l) == "" && l.Comment == "":
		return 1
	}
	return 0
}

// reportJoin says that the user-agent lines above and below a line are of one
// group, and what that means to the crawlers above.
func (c *checker) reportJoin(s *section, above, between, below robotstxt.Line) {
	s.joined = true
	f := Finding{Line: between.Number, Column: max(1, between.KeyColumn)}
	var what string
	switch weight(between) {
	case 3:
		f.Code, what = "crawl-delay-joins-groups", "The crawl-delay line"
	case 2:
		f.Code, what = "record-joins-groups", "The "+quote(between.Key)+" line"
	default:
		f.Code, what = "blank-line-joins-groups", "The blank line"
	}
	effect := "what follows holds for " + quote(above.Value) + " as well"
	if s.closed {
		effect = quote(above.Value) + " is shut out of the whole site as well"
	}
	f.Text = fmt.Sprintf("%s does not end the group of line %d, and line %d belongs to it, so %s.", what, above.Number, below.Number, effect)
	c.report(f)
}

// checkEmptyGroup finds a group that has no rules, which can only be the last. It
// matters if it sets a crawler free of the rules for all.
func checkEmptyGroup(c *checker, s *section) {
	if len(s.agents) == 0 || s != &c.sections[len(c.sections)-1] || slices.ContainsFunc(s.lines, isRule) {
		return
	}
	a := s.agents[0]
	isStar, hasRecords := a.token == "*", slices.ContainsFunc(s.lines, isGroupRecord)
	hasRules := func(token string) bool {
		return slices.ContainsFunc(c.sections, func(s section) bool { return len(s.rules()) > 0 && s.names(token) })
	}
	if hasRules(a.folded) || isStar && hasRecords || !isStar && hasRecords && !hasRules("*") {
		return
	}
	who := quote(a.token)
	if isStar {
		who = "any crawler that no other group is for"
	}
	c.report(Finding{Line: a.line, Column: c.lines[a.line-1].KeyColumn, Code: "group-without-rules",
		Text: "The group has no rules, so " + who + " may fetch everything, whatever others may not."})
}

// isGroupRecord reports whether a line says something to the crawlers of its
// group that is no rule.
func isGroupRecord(l robotstxt.Line) bool {
	return l.Kind == robotstxt.CrawlDelayKind || isExtension(l)
}

// checkStar says if everybody is shut out.
func checkStar(c *checker) {
	var closed *section
	for i := range c.sections {
		s := &c.sections[i]
		if !s.names("*") || len(s.rules()) == 0 {
			continue
		}
		if !s.closed {
			return
		}
		closed = s
	}
	if closed == nil {
		return
	}
	for _, l := range closed.rules() {
		if matchesAll(l.Value) {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "all-disallowed",
				Text: "Crawlers that no other group is for may not fetch anything."})
			return
		}
	}
}
