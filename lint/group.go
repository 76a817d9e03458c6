package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// checkRepeatedTokens finds crawlers with several groups, unless these say the same,
// or one of them is not the owner's to change.
func checkRepeatedTokens(c *checker) {
	type place struct {
		line    int
		section *section
	}
	first, managed := map[string]place{}, sync.OnceValue(func() lineRange { return managedLines(c.lines) })
	for i := range c.sections {
		s := &c.sections[i]
		for _, a := range s.agents {
			before, known := first[a.folded]
			switch {
			case !known:
				first[a.folded] = place{a.line, s}
			case before.section == s, before.section.summary() == s.summary(), managed().has(before.line), managed().has(a.line):
			default:
				c.report(Finding{Line: a.line, Column: c.lines[a.line-1].ValueColumn, Code: "repeated-token",
					Text:   fmt.Sprintf("Line %d already starts a group for %s: some crawlers join the two, some read only one.", before.line, quote(a.token)),
					Advice: fmt.Sprintf("Move the rules to the group of line %d.", before.line)})
			}
		}
	}
}

// summary returns a string that is the same for sections that say the same: those
// that close the whole site, and those with the same lines.
func (s *section) summary() string {
	if s.says == "" {
		s.says = s.summarize()
	}
	return s.says
}

// summarize does the work of summary.
func (s *section) summarize() string {
	if s.closed {
		return "closed"
	}
	summary := []byte("open\n")
	for _, l := range s.lines {
		if isRule(l) || l.Kind == robotstxt.CrawlDelayKind || l.Kind == robotstxt.OtherKind {
			summary = append(summary, '0'+byte(l.Kind))
			summary = append(lex.AppendLetters(summary, l.Key), ' ')
			summary = append(append(summary, l.Value...), '\n')
		}
	}
	return string(summary)
}

// lineRange is a range of lines, or none.
type lineRange struct{ first, last int }

func (r lineRange) has(line int) bool { return r.first <= line && line <= r.last }

// managedLines returns the lines that Cloudflare puts in front of a site's own
// file ("Managed robots.txt" in its documentation).
func managedLines(lines []*line) (r lineRange) {
	for _, l := range lines {
		if l.Comment == "" {
			continue
		}
		text := strings.ToLower(l.Comment)
		switch {
		case r.first == 0 && strings.Contains(text, "begin cloudflare managed"):
			r.first = l.Number
		case r.first > 0 && strings.Contains(text, "end cloudflare managed"):
			r.last = l.Number
			return r
		}
	}
	return lineRange{}
}

// checkBeforeGroups finds rules that belong to no group.
func checkBeforeGroups(c *checker, s *section) {
	if s != &c.sections[0] {
		return
	}
	for _, l := range s.lines {
		f := Finding{Line: l.Number, Column: l.KeyColumn, Code: "rule-before-user-agent"}
		switch {
		case isRule(l):
			f.Text = "No crawler follows the rule, because no user-agent line is above it."
		case l.Kind == robotstxt.CrawlDelayKind:
			f.Text = "Most crawlers ignore the line, because no user-agent line is above it."
		default:
			continue
		}
		c.report(f)
	}
}

// checkJoins finds lines between user-agent lines that seem to end a group but do
// not (RFC 9309, section 2.2.1).
func checkJoins(c *checker, s *section) {
	if !s.disallow {
		return // to share the rules, or none, allows everything either way
	}
	var last, between *line // the last user-agent line, and what may be meant to end its group
	above := tokensAbove{rest: s.agents}
	for _, l := range s.lines {
		switch {
		case isRule(l):
			return
		case l.Kind == robotstxt.UserAgentKind:
			if between != nil && last != nil && above.hasNew(l.Number) {
				c.reportJoin(s, last, between, l)
			}
			last, between = l, nil
		case weight(l) > weight(between):
			between = l
		}
	}
}

// A tokensAbove holds the tokens on the user-agent lines of a section, as far as they
// have been looked at.
type tokensAbove struct {
	seen map[string]bool
	rest []agent // not looked at yet
}

// hasNew reports whether a user-agent line has a token that no line above it has.
func (t *tokensAbove) hasNew(line int) (isNew bool) {
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	for ; len(t.rest) > 0 && t.rest[0].line <= line; t.rest = t.rest[1:] {
		a := t.rest[0]
		isNew = isNew || a.line == line && !t.seen[a.folded]
		t.seen[a.folded] = true
	}
	return isNew
}

// weight ranks the lines between user-agent lines by how likely their author took
// them for the end of a group.
func weight(l *line) int {
	switch {
	case l == nil:
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

// reportJoin says that the user-agent lines above and below a line belong to one
// group, and what that means for the crawlers above.
func (c *checker) reportJoin(s *section, above, between, below *line) {
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
	effect := "the rules below are for " + quote(above.Value) + " as well"
	if s.closed {
		effect = quote(above.Value) + " is shut out of the whole site as well"
	}
	f.Text = fmt.Sprintf("%s does not end the group of line %d, and line %d belongs to it, so %s.", what, above.Number, below.Number, effect)
	c.report(f)
}

// checkEmptyGroup finds a group without rules, which can only be the last. It
// matters if it frees a crawler from the rules for all.
func checkEmptyGroup(c *checker, s *section) {
	if len(s.agents) == 0 || s != &c.sections[len(c.sections)-1] || slices.ContainsFunc(s.lines, isRule) || ignoresStar(s.agents[0]) {
		return
	}
	a := s.agents[0]
	isStar, hasRecords := a.token == "*", slices.ContainsFunc(s.records, isGroupRecord)
	if c.hasRules(a.folded) || isStar && (hasRecords || !c.anyRules()) || !isStar && hasRecords && !c.hasRules("*") {
		return
	}
	who := quote(a.token)
	if isStar {
		who = "every crawler without a group of its own"
	}
	c.report(Finding{Line: a.line, Column: c.lines[a.line-1].KeyColumn, Code: "group-without-rules",
		Text: "The group has no rules, so " + who + " may fetch everything, whatever the rules of other groups say."})
}

// hasRules reports whether the file has rules for a token.
func (c *checker) hasRules(folded string) bool { return c.rulesOf[folded].count > 0 }

// anyRules reports whether any group has rules.
func (c *checker) anyRules() bool {
	return slices.ContainsFunc(c.sections, func(s section) bool { return len(s.agents) > 0 && len(s.rules) > 0 })
}

// isGroupRecord reports whether a line that is not a rule says something to the
// crawlers of its group.
func isGroupRecord(l *line) bool {
	return l.Kind == robotstxt.CrawlDelayKind || isExtension(l)
}

// checkEmptyRules finds disallow lines without a path in groups with rules.
func checkEmptyRules(c *checker, s *section) {
	if !s.pathless || len(s.rules) == 0 || len(s.agents) == 0 {
		return
	}
	for _, l := range s.lines {
		if l.Kind == robotstxt.DisallowKind && l.Value == "" {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "empty-disallow", Fix: deletion(l),
				Text: "The line does nothing: it has no path, and the other rules of the group hold anyway."})
		}
	}
}

// Yandex documents that it reads no more rules than mostRules, and none longer than
// longestRule in characters ("Using robots.txt", Yandex Webmaster).
const (
	mostRules   = 2048
	longestRule = 1024
)

// checkManyRules finds what is too much for Yandex.
func checkManyRules(c *checker, s *section) {
	rules := s.rules
	if !s.names("*") && !s.names("yandex") && !s.names("yandexbot") {
		return
	}
	if len(rules) > mostRules {
		l := rules[mostRules]
		c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "too-many-rules",
			Text: fmt.Sprintf("The group has %s rules, and Yandex reads no more than %s.", count(len(rules)), count(mostRules))})
	}
	for _, l := range rules {
		if len(l.Value) > longestRule {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "rule-too-long",
				Text: fmt.Sprintf("The path has %s characters, and Yandex reads no rule with more than %s.", count(len(l.Value)), count(longestRule))})
		}
	}
}

// checkStar says if everybody without a group is shut out, and who is not.
func checkStar(c *checker) {
	line, ok := c.starClosed()
	if !ok {
		return
	}
	f := Finding{Line: line.Number, Column: line.KeyColumn, Code: "all-disallowed"}
	switch open := c.openAgents(); len(open) {
	case 0:
		f.Text = "No crawler may fetch anything."
		f.Advice = "Leave it, if the site is to stay out of search engines."
	default:
		f.Text = "Crawlers without a group of their own may fetch nothing; only " + listed(open) + " may fetch something."
		f.Advice = "Leave it, if no other crawler is to fetch the site."
	}
	c.report(f)
}

// starClosed returns the line that closes the whole site for "*".
func (c *checker) starClosed() (l *line, ok bool) {
	if c.rulesOf["*"].allow {
		return nil, false
	}
	for _, l := range c.starRules() {
		if matchesAll(l.Value) {
			return l, true
		}
	}
	return nil, false
}

// starRules returns the allow and disallow lines of "*" that have a path, in file
// order.
func (c *checker) starRules() (rules []*line) {
	for i := range c.sections {
		if s := &c.sections[i]; s.names("*") {
			rules = append(rules, s.rules...)
		}
	}
	return rules
}

// openAgents returns the named crawlers that may fetch something, as written.
func (c *checker) openAgents() (open []string) {
	closed, seen := map[string]bool{}, map[string]bool{}
	for i := range c.sections {
		for _, a := range c.sections[i].agents {
			closed[a.folded] = closed[a.folded] || c.sections[i].closed
		}
	}
	for i := range c.sections {
		for _, a := range c.sections[i].agents {
			isClosed := closed[a.folded] && !c.rulesOf[a.folded].allow
			if a.folded != "*" && !isClosed && !seen[a.folded] {
				open = append(open, a.token)
			}
			seen[a.folded] = true
		}
	}
	return open
}

// listed quotes the first few of some words.
func listed(words []string) string {
	const most = 3
	var quoted []string
	for _, w := range words[:min(most, len(words))] {
		quoted = append(quoted, quote(w))
	}
	switch n := len(words) - len(quoted); {
	case n > 0:
		return strings.Join(quoted, ", ") + fmt.Sprintf(" and %s more", count(n))
	case len(quoted) > 1:
		last := len(quoted) - 1
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return strings.Join(quoted, "")
}

// The most groups and rules that checkDroppedRules compares. It is about mistakes in
// files that people write, not about generated ones.
const (
	mostGroupsCompared = 50
	mostRulesCompared  = 100
)

// checkDroppedRules finds groups of named crawlers without the disallow rules of
// "*". A crawler obeys only its own group, so they do not apply to it.
func checkDroppedRules(c *checker) {
	var rules []starRule
	compared := 0
	for i := range c.sections {
		s := &c.sections[i]
		if len(s.agents) == 0 || s.names("*") || s.closed || !s.disallow || ignoresStar(s.agents[0]) {
			continue
		}
		if compared++; compared == 1 {
			rules = c.starDisallows()
		}
		if len(rules) == 0 || compared > mostGroupsCompared {
			return
		}
		a := s.agents[0]
		if dropped := droppedRules(c.file.Group(a.token), rules); len(dropped) > 0 {
			c.reportDropped(a, dropped, len(rules))
		}
	}
}

// ignoresStar reports whether a crawler never follows the rules of "*" ("Google's
// special-case crawlers"), so that its group drops nothing.
func ignoresStar(a agent) bool {
	for _, token := range []string{"adsbot-google", "apis-google", "mediapartners-google"} {
		if strings.HasPrefix(a.folded, token) {
			return true
		}
	}
	return false
}

// starDisallows returns the first disallow rules of "*", unless they close the site.
func (c *checker) starDisallows() (rules []starRule) {
	for _, l := range c.starRules() {
		if matchesAll(l.Value) {
			return nil
		}
		if l.Kind == robotstxt.DisallowKind && len(rules) < mostRulesCompared && regexpIn(l) == "" {
			rules = append(rules, newStarRule(l))
		}
	}
	return rules
}

// A starRule is a disallow rule of "*" with two of the paths that it matches.
type starRule struct {
	*line
	long, short string // with something for each wildcard, and with nothing
}

func newStarRule(l *line) starRule {
	path := strings.ReplaceAll(strings.TrimSuffix(l.Value, "$"), "*", "x")
	if lacksSlash(path) {
		path = "/" + path
	}
	return starRule{l, path, strings.ReplaceAll(path, "x", "")}
}

// droppedRules returns the rules whose paths the group allows.
func droppedRules(g *robotstxt.Group, rules []starRule) (dropped []*line) {
	for _, r := range rules {
		if g.Allowed(r.long) && (r.short == r.long || g.Allowed(r.short)) {
			dropped = append(dropped, r.line)
		}
	}
	return dropped
}

func (c *checker) reportDropped(a agent, dropped []*line, all int) {
	what := fmt.Sprintf("line %d, %s", dropped[0].Number, quote(dropped[0].Kind.String()+": "+dropped[0].Value))
	switch n := len(dropped) - 1; {
	case all == mostRulesCompared && n > 0:
		what += ", and many more"
	case n > 0:
		what += fmt.Sprintf(", and %d more", n)
	}
	c.report(Finding{Line: a.line, Column: c.lines[a.line-1].KeyColumn, Code: "star-rules-dropped",
		Text: fmt.Sprintf("%s follows only this group, and so not these rules of \"*\": %s.", quote(a.token), what)})
}

// checkGoogleDelay finds crawl-delays that only crawlers of Google could read.
func checkGoogleDelay(c *checker, s *section) {
	isGoogles := func(a agent) bool { return strings.Contains(a.folded, "google") }
	if len(s.agents) == 0 || !isGoogles(s.agents[0]) || slices.ContainsFunc(s.agents, func(a agent) bool { return !isGoogles(a) }) {
		return
	}
	for _, l := range s.records {
		if l.Kind == robotstxt.CrawlDelayKind {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "crawl-delay-google",
				Text: "Google's crawlers do not read Crawl-delay."})
		}
	}
}

// A retiredCrawler is a name that the operator of the crawler no longer uses.
type retiredCrawler struct {
	token      string
	text       string   // a sentence
	successors []string // tokens that took its place
}

// retired are crawlers that many files still name. The sources are the operators'
// documentation.
var retired = func() map[string]retiredCrawler {
	m := map[string]retiredCrawler{}
	for _, r := range []retiredCrawler{
		{"anthropic-ai", "Anthropic no longer uses this name; ClaudeBot collects pages for training.", []string{"ClaudeBot"}},
		{"Claude-Web", "Anthropic no longer uses this name; ClaudeBot collects pages for training.", []string{"ClaudeBot"}},
		{"Google-NotebookLM", "Google no longer uses this name; this fetcher goes by Google-GeminiNotebook.", []string{"Google-GeminiNotebook"}},
		{"msnbot", "Bing's crawler has been bingbot since 2010.", []string{"bingbot"}},
		{"Googlebot-Mobile", "Google's documentation no longer has this name; its crawler for smartphones goes by Googlebot.", nil},
		{"Twiceler", "The search engine of this crawler, Cuil, closed in 2010.", nil},
	} {
		m[lex.Fold(r.token)] = r
	}
	return m
}()

// knownCrawlers are names that are often mistyped.
var knownCrawlers = plainNames(

	"Googlebot", "Googlebot-Image", "Googlebot-News", "Googlebot-Video", "Google-Extended", "Mediapartners-Google", "AdsBot-Google",
	"Bingbot", "AdIdxBot", "DuckDuckBot", "YandexBot", "Baiduspider", "SeznamBot", "Applebot", "Applebot-Extended", "Amazonbot", "PetalBot",
	"GPTBot", "ChatGPT-User", "OAI-SearchBot", "ClaudeBot", "Claude-User", "Claude-SearchBot", "PerplexityBot", "Perplexity-User",
	"Bytespider", "meta-externalagent", "facebookexternalhit", "FacebookBot", "Twitterbot", "LinkedInBot", "Pinterestbot",
	"AhrefsBot", "SemrushBot", "MJ12bot", "BLEXBot", "archive.org_bot",
)

// A knownCrawler is a name as its operator writes it, and as plainName has it.
type knownCrawler struct{ name, plain string }

func plainNames(names ...string) (known []knownCrawler) {
	for _, name := range names {
		known = append(known, knownCrawler{name, plainName(name)})
	}
	return known
}

// checkKnownName reports whether a name is retired or mistyped, after a finding that
// says so.
func checkKnownName(c *checker, l *line, column int, token string) bool {
	if r, ok := retired[lex.Fold(token)]; ok {
		f := Finding{Line: l.Number, Column: column, Code: "retired-crawler", Text: r.text}
		if len(c.sectionOf(l).agents) == 1 {
			f.Advice = "Drop the group, with its rules."
		}
		for _, name := range r.successors {
			if _, named := c.rulesOf[lex.Fold(name)]; !named {
				f.Advice = "Name " + quote(name) + " as well, if it is meant."
			}
		}
		c.report(f)
		return true
	}
	meant := mistyped(token)
	if meant == "" {
		return false
	}
	c.report(Finding{Line: l.Number, Column: column, Code: "misspelt-token",
		Text:   "No well-known crawler is called " + quote(token) + ", but one is called " + quote(meant) + ".",
		Advice: fmt.Sprintf("Write %s, if that is meant.", quote("User-agent: "+meant))})
	return true
}

// mistyped returns the known crawler whose name a token nearly is, or nothing.
func mistyped(token string) string {
	const longest = 40
	if len(token) > longest {
		return ""
	}
	plain := plainName(token)
	if len(plain) < 6 {
		return ""
	}
	meant := ""
	for _, known := range knownCrawlers {
		p := known.plain
		if p[0] != plain[0] {
			continue
		}
		if strings.EqualFold(token, known.name) {
			return ""
		}
		if p == plain || len(p) >= 8 && isOneSlip(plain, p) {
			meant = cmp.Or(meant, known.name)
		}
	}
	return meant
}

// plainName returns a name without hyphens and the like, in lower case.
func plainName(token string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(token))
}

// isOneSlip reports whether a is b with one letter too many or too few, one wrong
// letter, or two letters swapped.
func isOneSlip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	case len(a) != len(b) || a == "":
		return false
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
