package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// checkBeforeGroups finds rules that belong to no group.
func checkBeforeGroups(c *checker) {
	first := c.sections[0]
	for i := range first.Lines {
		switch l := &first.Lines[i]; {
		case section.IsRule(l):
			c.report(atKey(l), "rule-before-user-agent")
		case l.Kind == robotstxt.CrawlDelayKind:
			c.report(atKey(l), "rule-before-user-agent/crawl-delay")
		}
	}
}

// checkRepeatedTokens finds crawlers with several groups, unless these say the same, have
// different names, or one of them is not the owner's to change.
func checkRepeatedTokens(c *checker) {
	type origin struct {
		line int
		sect *sect
	}
	first, says := map[string]origin{}, map[*sect]string{}
	managed := managedLines(c.lines)
	for _, s := range c.sections {
		for _, a := range s.Agents {
			before, known := first[a.Folded]
			switch {
			case !known:
				first[a.Folded] = origin{a.Line, s}
			case before.sect == s, c.token(a.Folded).severalNames, summary(before.sect, says) == summary(s, says):
			case !managed(before.line) && !managed(a.Line):
				c.report(atValue(c.lines[a.Line-1], 0), "repeated-token", before.line, quote(a.Token))
			}
		}
	}
}

// summary returns a string that is the same for sections that say the same: those that
// close the whole site, and those with the same lines. It keeps what it returns.
func summary(s *sect, says map[*sect]string) string {
	if says[s] == "" {
		text := []byte("open\n")
		for i := range s.Lines {
			if l := &s.Lines[i]; section.IsRule(l) || l.Kind == robotstxt.CrawlDelayKind || l.Kind == robotstxt.OtherKind {
				text = append(lex.AppendLetters(append(text, '0'+byte(l.Kind)), l.Key), ' ')
				text = append(append(text, l.Value...), '\n')
			}
		}
		if says[s] = string(text); s.closed {
			says[s] = "closed"
		}
	}
	return says[s]
}

// managedLines returns a function that reports whether Cloudflare puts a line in front
// of a site's own file ("Managed robots.txt" in its documentation).
func managedLines(lines []*line) func(number int) bool {
	first, last := 0, 0
	for _, l := range lines {
		switch text := strings.ToLower(l.Comment); {
		case text == "" || last > 0:
		case first == 0 && strings.Contains(text, "begin cloudflare managed"):
			first = l.Number
		case first > 0 && strings.Contains(text, "end cloudflare managed"):
			last = l.Number
		}
	}
	return func(number int) bool { return first <= number && number <= last }
}

// checkJoins finds lines between user-agent lines that seem to end a group but do not
// (RFC 9309, section 2.2.1).
func checkJoins(c *checker, s *sect) {
	if !s.disallow {
		return // to share the rules, or none, allows everything either way
	}
	var last, between *line // the last user-agent line, and what may be meant to end its group
	seen, next := map[string]bool{}, 0
	for i := range s.Lines {
		l := &s.Lines[i]
		switch {
		case section.IsRule(l):
			return
		case l.Kind == robotstxt.UserAgentKind:
			isNew := false
			for ; next < len(s.Agents) && s.Agents[next].Line == l.Number; next++ {
				isNew = isNew || !seen[s.Agents[next].Folded]
				seen[s.Agents[next].Folded] = true
			}
			if between != nil && last != nil && last.Value != "" && isNew {
				reportJoin(c, s, last, between, l)
			}
			last, between = l, nil
		case weight(l) > weight(between):
			between = l
		}
	}
}

// weight ranks the lines between user-agent lines by how likely their author took them
// for the end of a group.
func weight(l *line) int {
	switch {
	case l == nil:
		return 0
	case l.Kind == robotstxt.CrawlDelayKind:
		return 3
	case l.Kind != robotstxt.NoKind:
		return 2
	case isBlank(l):
		return 1
	}
	return 0
}

func isBlank(l *line) bool { return l.Kind == robotstxt.NoKind && lex.Trim(l.Text) == "" }

// reportJoin says that the user-agent lines above and below a line belong to one group,
// and what that means for the crawlers above.
func reportJoin(c *checker, s *sect, above, between, below *line) {
	code := [...]string{1: "blank-line-joins-groups", 2: "record-joins-groups", 3: "crawl-delay-joins-groups"}[weight(between)]
	if s.closed {
		code += "/closed"
	}
	f := c.report(atKey(between), code, above.Number, below.Number, quote(above.Value), between.Key)
	if below.Value == "*" && !s.closed && weight(between) > 1 {
		f.Advice = shareRules
	}
}

// shareRules is the advice where crawlers share the rules of "*": "Disallow:" would free
// them.
const shareRules = "If these crawlers should obey the rules below, change nothing; otherwise give them rules of their own."

// checkEmptyGroup finds a group without rules, which can only be the last. It matters if
// it frees a crawler from the rules for all.
func checkEmptyGroup(c *checker) {
	last := len(c.sections) - 1
	s := c.sections[last]
	if last == 0 || len(s.Agents) == 0 || slices.ContainsFunc(s.Lines, func(l line) bool { return section.IsRule(&l) }) {
		return
	}
	var who []string
	for _, a := range s.Agents {
		if c.token(a.Folded).rules == 0 && !crawlers.IgnoresStar(a.Token) {
			who = append(who, a.Token)
		}
	}
	isRule := func(s *sect) bool { return len(s.Agents) > 0 && len(s.rules) > 0 }
	switch {
	case len(who) == 0:
	case !s.names("*"):
		if c.token("*").disallow {
			c.report(atKey(c.lines[s.Agents[0].Line-1]), "group-without-rules", listed(who))
		}
	case c.token("*").rules == 0 && !slices.ContainsFunc(s.records, saysSomething) && slices.ContainsFunc(c.sections, isRule):
		c.report(atKey(c.lines[s.Agents[0].Line-1]), "group-without-rules", "every crawler without a group of its own")
	}
}

// saysSomething reports whether a line that is not a rule says something to the crawlers
// of its group.
func saysSomething(l *line) bool {
	return l.Kind == robotstxt.CrawlDelayKind || section.RecordKey(l.Key) != ""
}

// checkEmptyRules finds disallow lines without a path in groups with others. In a group
// of allow lines, such a line says that everything is allowed, even to crawlers that do
// not know allow lines.
func checkEmptyRules(c *checker, s *sect) {
	if !s.pathless || !s.disallow || len(s.Agents) == 0 {
		return
	}
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Kind == robotstxt.DisallowKind && l.Value == "" {
			c.report(atKey(l), "empty-disallow").Fix = deletion(l)
		}
	}
}

// checkYandexLimits reports groups and rules beyond what Yandex reads.
func checkYandexLimits(c *checker, s *sect) {
	const longest = 1024 // characters of a rule
	if !s.names("*") && !s.names("yandex") && !s.names("yandexbot") {
		return
	}
	if len(s.rules) > mostRules {
		c.report(atKey(s.rules[mostRules]), "too-many-rules", count(len(s.rules)), count(mostRules))
	}
	for _, l := range s.rules {
		if len(l.Value) > longest {
			c.report(atValue(l, 0), "rule-too-long", count(len(l.Value)), count(longest))
		}
	}
}

// checkBlankLine finds the blank lines that end a group for older crawlers before one of
// its rules, and reports the first. It looks for rules without wildcards, which these
// understand.
func checkBlankLine(c *checker) {
	var inside []int
	for _, s := range c.sections[1:] {
		var blank []int
		for i := range s.Lines {
			switch l := &s.Lines[i]; {
			case s.closed:
			case isBlank(l):
				blank = append(blank, l.Number)
			case l.Kind == robotstxt.UserAgentKind:
				blank = nil
			case l.Kind == robotstxt.DisallowKind && l.Value != "" && !strings.ContainsAny(l.Value, "*$"):
				inside, blank = append(inside, blank...), nil
			}
		}
	}
	switch len(inside) {
	case 0:
	case 1:
		c.report(place{inside[0], 1}, "blank-line-in-group")
	default:
		c.report(place{inside[0], 1}, "blank-line-in-group/several", numbers(inside))
	}
}

// checkIgnoredDelays finds crawl-delays that are only for crawlers that ignore them.
func checkIgnoredDelays(c *checker, s *sect) {
	readsDelay := func(a section.Agent) bool {
		known, ok := crawlers.Find(a.Token)
		return !ok || known.CrawlDelay != crawlers.No
	}
	if len(s.Agents) == 0 || slices.ContainsFunc(s.Agents, readsDelay) {
		return
	}
	for _, l := range s.records {
		if l.Kind == robotstxt.CrawlDelayKind {
			c.report(atKey(l), "crawl-delay-ignored", quote(s.Agents[0].Token))
		}
	}
}

// checkStar says if everybody without a group is shut out, and who is not.
func checkStar(c *checker) {
	l, ok := c.starClosed()
	if !ok {
		return
	}
	var open []string
	seen := map[string]bool{}
	for _, s := range c.sections {
		for _, a := range s.Agents {
			if t := c.token(a.Folded); a.Token != "*" && (!t.closed || t.allow) && !seen[a.Folded] {
				open = append(open, a.Token)
			}
			seen[a.Folded] = true
		}
	}
	if len(open) == 0 {
		c.report(atKey(l), "all-disallowed")
	} else {
		c.report(atKey(l), "all-disallowed/except", listed(open))
	}
}

// mostGroupsCompared is how many groups checkNamedGroups compares. It is about mistakes in
// files that people write, not about generated ones.
const mostGroupsCompared = 50

// checkNamedGroups compares the groups of named crawlers with the one of "*". A crawler
// obeys only its own group.
func checkNamedGroups(c *checker) {
	star, isClosed := c.starClosed()
	var rules []starRule
	compared := 0
	for _, s := range c.sections {
		if !s.isNamed() || s.closed || len(s.rules) == 0 || crawlers.IgnoresStar(s.Agents[0].Token) {
			continue
		}
		switch compared++; {
		case compared > 1:
		case isClosed:
			rules = []starRule{newStarRule(star)}
		default:
			rules = starDisallows(c)
		}
		if compared > mostGroupsCompared || len(rules) == 0 {
			return
		}
		live := slices.IndexFunc(s.Agents, func(a section.Agent) bool { return !isRetired(a.Token) })
		if live < 0 {
			continue
		}
		a := s.Agents[live]
		t := c.token(a.Folded)
		at := atKey(c.lines[a.Line-1])
		opensAll := slices.ContainsFunc(s.rules, func(l *line) bool { return matchesAll(l.Value) })
		dropped := droppedRules(c.parsed.Group(a.Token), rules)
		switch {
		case len(dropped) == 0:
		case !t.disallow && !t.pathless && !opensAll:
			c.report(at, "group-only-allows", listed(tokensOf(s)), dropped[0].Number, quote(ruleText(dropped[0])))
		case !isClosed && (s.disallow || opensAll):
			c.report(at, "star-rules-dropped", quote(a.Token), described(dropped, len(rules)))
		}
		if isClosed || len(dropped) > 0 {
			continue
		}
		if own := c.sameAsStar(s); own != 0 {
			c.report(at, "same-as-star", own)
		}
	}
}

func tokensOf(s *sect) (tokens []string) {
	for _, a := range s.Agents {
		if !slices.Contains(tokens, a.Token) {
			tokens = append(tokens, a.Token)
		}
	}
	return tokens
}

func ruleText(l *line) string { return l.Kind.String() + ": " + l.Value }

// described names the first of some rules and counts the others.
func described(dropped []*line, all int) string {
	text := fmt.Sprintf("line %d, %s", dropped[0].Number, quote(ruleText(dropped[0])))
	switch n := len(dropped) - 1; {
	case all == mostRulesCompared && n > 0:
		text += ", and many more"
	case n > 0:
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// sameAsStar returns the line of the group for "*" if a section has the same rules, or 0.
func (c *checker) sameAsStar(s *sect) int {
	same := func(a, b *line) bool { return a.Kind == b.Kind && a.Value == b.Value }
	for _, star := range c.sections {
		for _, a := range star.Agents {
			if a.Token == "*" && star != s && len(s.records)+len(star.records) == 0 && slices.EqualFunc(s.rules, star.rules, same) {
				return a.Line
			}
		}
	}
	return 0
}

// checkAssets finds style sheets and scripts that Googlebot may not fetch.
func checkAssets(c *checker) {
	g := c.parsed.Group("Googlebot")
	if !g.Allowed("/") {
		return
	}
	rules := g.Rules()
	rules = rules[:min(len(rules), mostRules)]
	isDrupal := slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return strings.Trim(r.Pattern, "/") == "profiles" })
	for _, r := range rules {
		if example := assetOf(r.Pattern, isDrupal); !r.Allow && example != "" && !g.Allowed(example) {
			c.report(atValue(c.lines[r.Line-1], 0), "assets-disallowed", quote(r.Pattern))
			return
		}
	}
}

// assetOf returns the path of a style sheet or a script that a pattern is about, or
// nothing. Drupal has its own in three folders, and shell scripts in /scripts/.
func assetOf(pattern string, isDrupal bool) string {
	path := strings.Trim(strings.ReplaceAll(strings.TrimSuffix(pattern, "$"), "*", ""), "/")
	folder, name := "", path
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		folder, name = path[:slash+1], path[slash+1:]
	}
	switch name = strings.ToLower(name); {
	case isDrupal && path == "scripts":
		return ""
	case isDrupal && (path == "misc" || path == "modules" || path == "themes"):
		return "/" + path + "/page.css"
	}
	switch name {
	case ".css", ".js":
		return "/" + folder + "page" + name
	case "wp-content":
		return "/" + path + "/themes/page.css"
	case "css", "styles", "stylesheets":
		return "/" + path + "/page.css"
	case "js", "javascript", "javascripts", "scripts", "wp-includes":
		return "/" + path + "/page.js"
	}
	return ""
}

// checkAllows finds allow lines of a file that allow nothing that is not allowed anyway,
// and reports the first.
func checkAllows(c *checker) {
	var idle []*line
	for _, s := range c.sections[1:] {
		var disallows []*line
		isUnclear := len(s.rules) > mostRules
		for _, a := range s.Agents {
			isUnclear = isUnclear || c.token(a.Folded).rules > len(s.rules)
		}
		for _, l := range s.rules {
			if l.Kind == robotstxt.DisallowKind {
				disallows = append(disallows, l)
			}
		}
		isUnclear = isUnclear || len(disallows) == 0 && !s.names("*") // which checkNamedGroups looks at
		for _, l := range s.rules {
			if l.Kind == robotstxt.AllowKind && !isUnclear && len(s.Agents) > 0 && !matchesAll(l.Value) && !slices.ContainsFunc(disallows, func(d *line) bool { return mayOpen(l.Value, d.Value) }) {
				idle = append(idle, l)
			}
		}
	}
	switch len(idle) {
	case 0:
	case 1:
		c.report(atKey(idle[0]), "allow-without-effect")
	default:
		c.report(atKey(idle[0]), "allow-without-effect/several", count(len(idle)))
	}
}

// mayOpen reports whether an allow path may allow what a disallow path closes, if only for
// crawlers that obey the first rule that matches. Paths with wildcards may, and so may
// those that need correction.
func mayOpen(allow, disallow string) bool {
	allow, disallow = strings.TrimRight(allow, "*"), strings.TrimRight(disallow, "*")
	return strings.ContainsAny(allow, "*$%") || strings.ContainsAny(disallow, "*$%") || !strings.HasPrefix(allow, "/") || !strings.HasPrefix(disallow, "/") ||
		strings.HasPrefix(allow, disallow) || strings.HasPrefix(disallow, allow)
}
