package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// checkBeforeGroups reports rules and crawl-delays above the first user-agent line. If the file
// has no user-agent line, it reports only the first of these lines.
func checkBeforeGroups(c *checker) {
	for i := range c.sections[0].Lines {
		l := &c.sections[0].Lines[i]
		switch {
		case l.Kind == robotstxt.OtherKind && similarKey(lex.Letters(l.Key)) == "User-agent":
			// checkKey reports this misspelled user-agent line. The rules below the line are
			// meant for its crawlers.
			return
		case !section.IsRule(l) && l.Kind != robotstxt.CrawlDelayKind, l.Kind == robotstxt.AllowKind && matchesAll(l.Value), l.Kind == robotstxt.DisallowKind && l.Value == "":
			// The line is neither a rule nor a crawl-delay, or it allows what is allowed anyway.
		case c.sections[0].closed && len(c.sections) == 1, closesAll(l):
			c.report(atStart(l), "rule-before-user-agent/site")
			return
		case len(c.sections) == 1:
			c.report(atStart(l), "rule-before-user-agent/all", l.Number)
			return
		default:
			c.report(atStart(l), "rule-before-user-agent")
		}
	}
}

// checkRepeatedTokens reports the second group and all later groups that name the same crawler. It
// does not report a group that
//
//   - has no rules,
//   - contains a line that joins groups by mistake, because checkJoins reports that line,
//   - has the same summary as the first group that names the crawler, or comes after a first group
//     with a line that joins groups,
//   - is for one of Google's crawlers, because Google joins groups, as the standard says,
//   - comes from a WordPress plug-in, or from a provider, such as BigCommerce, or
//   - is in the lines that Yoast, a WordPress plug-in, adds.
//
// It does not report a crawler at all if the crawler's first group is in the lines that Cloudflare
// adds, or if the file has different names with the same token, such as "Mozilla/4.0" and
// "Mozilla/5.0".
func checkRepeatedTokens(c *checker) {
	written := sync.OnceValue(func() [3]int {
		return [3]int{c.commentLine("end cloudflare managed"), c.commentLine("# start yoast block"), c.commentLine("# end yoast block")}
	})
	for _, s := range c.sections {
		for _, a := range s.Agents {
			t, first, special := c.tokens[a.Folded], c.sectionOf(c.tokens[a.Folded].line), ""
			if t.line == a.Line || s.joins || first.joins || t.severalNames || len(s.rules) == 0 || first.summary() == s.summary() || t.line <= written()[0] || 0 < written()[1] && written()[1] < a.Line && a.Line < written()[2] || len(s.Agents) == 1 && slices.ContainsFunc(c.lines[a.Line-2:s.Lines[len(s.Lines)-1].Number], isProgram) {
				continue
			}
			switch {
			case crawlers.Known(a.Token).Operator == "Google":
				continue
			case s.closed || first.closed:
				special = "/closed"
			case len(s.Agents) > 1 || len(first.Agents) > 1:
				special = "/others"
			case (len(first.records) == 0 || len(first.records) == 1 && len(s.records) == 1 && isSame(first.records[0], s.records[0])) && (len(first.rules) == 0 || len(first.rules) == 1 && isForAll(first.rules[0])):
				special = "/empty"
			case len(s.records) == 0 && len(s.rules) == 1 && isForAll(s.rules[0]):
				special = "/second"
			}
			c.report(atValue(c.lines[a.Line-1], a.Offset), "repeated-token"+special, t.line, quote(a.Token))
		}
	}
}

// isProgram matches a line that a WordPress plug-in or the provider of a site writes, such as
// "Disallow: /*?_bc_fsnf=1*" (BigCommerce) or "#Hidden and archived pages" (CivicLive).
func isProgram(l *line) bool {
	isBlockEnd := strings.HasPrefix(l.Comment, "# END ") && strings.HasSuffix(l.Comment, " BLOCK") // such as "# END WPFORMS BLOCK"
	return isBlockEnd || strings.Contains(l.Comment, "DO NOT MODIFY") || l.Comment == "# Page Exclusions" || l.Comment == "#Hidden and archived pages" || strings.Contains(l.Value, "_bc_fsnf=") || strings.Contains(l.Value, "wpo-plugins-tables-list") || strings.Contains(l.Value, "/wp-import-export")
}

// commentLine returns the number of the first line whose comment contains a text in lower case, or
// 0 if there is none. For example, Cloudflare puts a part, which it calls "Managed robots.txt", above
// a site's own file, and ends this part with a comment.
func (c *checker) commentLine(text string) int {
	return 1 + slices.IndexFunc(c.lines, func(l *line) bool { return strings.Contains(strings.ToLower(l.Comment), text) })
}

// checkJoins reports a line between user-agent lines that seems to end a group but does not (RFC
// 9309, section 2.2.1). It reports nothing if the group disallows nothing. If the last of the
// user-agent lines names "*", the rules are most likely meant for all crawlers, so checkJoins
// reports nothing unless the rules close the whole site. Nor does it report rules that do no harm.
// The last user-agent line counts even if its value is no crawler's name.
func checkJoins(c *checker, s *sect) {
	if !s.mayJoin {
		return
	}
	first, end, who, last := s.Agents[0].Line, section.Agent{Line: s.Last}, []string{}, map[string]int{} // end is for a last user-agent line that names no crawler
	for i, a := range s.Agents {
		last[a.Folded] = i
	}
	above, joined, gaps, between := first, 0, 0, c.lines[first-1]
	for i, a := range append(slices.Clip(s.Agents), end) {
		if last[a.Folded] != i && a != end || a.Folded == "yahoo!" { // the crawler is named again below, so the rules there are meant for it; no crawler is called "Yahoo! Slurp"
			continue
		}
		for _, l := range c.lines[above-1 : a.Line-1] {
			if weight(l) > 0 && (gaps == 0 || joined < len(who)) {
				gaps, joined = gaps+1, len(who)
			}
			if weight(l) > weight(between) {
				between = l
			}
		}
		above, who = a.Line, append(who, a.Token)
	}
	code := [...]string{"", "blank-line-joins-groups", "record-joins-groups", "crawl-delay-joins-groups"}[weight(between)]
	isForAll := slices.Contains(who[:joined], "*")
	names, ignore := map[bool]string{true: "all crawlers without a group of their own", false: quoted(who[:joined])}[isForAll], withoutDelay(who[:joined])
	// The function harms reports whether the rules close anything to a crawler that it may fetch by its other
	// groups or, if it has none, by the group of "*". It leaves out crawlers whose first group has the same rules, and
	// retired crawlers whose successors the file names.
	harms := func(token string) bool {
		isNew := func(l *line) bool {
			path, others := example(l.Value, "x"), c.tokens[lex.Fold(token)].rules > len(s.rules)
			return !c.parsed.Allowed(token, path) && (others || c.tokens["*"].closed || s.names("*") || c.parsed.Allowed("*", path))
		}
		first := c.sectionOf(c.tokens[lex.Fold(token)].line)
		return (first == s || !first.hasRulesOf(s)) && !slices.ContainsFunc(crawlers.Known(token).Successors, c.isNamed) && slices.ContainsFunc(s.rules, isNew)
	}
	switch {
	case joined == 0, weight(between) == 1 && gaps > 1, len(c.sections) <= mostGroupsCompared && joined*len(s.rules)*len(c.lines) <= mostSearched && !slices.ContainsFunc(who[:joined], harms):
		// Several blank lines most likely just separate the crawlers of a list. To save time, large files are not
		// tested for harm.
		return
	case c.tokens[lex.Fold(who[0])].rules > len(s.rules):
		code += "/move"
	case isForAll:
		// Rules that close the site are hardly meant for all crawlers, so there is no advice for this case.
		code += map[bool]string{false: "/star"}[s.closed]
	case len(ignore) > 0 && c.starDisallowAll() == nil: // otherwise, the group of "*" would shut these crawlers out
		code += "/ignored"
	}
	names += map[bool]string{true: ` (and "bingbot", which obeys this group, too)`}[!isForAll && slices.ContainsFunc(who[:joined], c.bindsBing)]
	effect := "apply to " + names
	if s.closed && !slices.ContainsFunc(who[:joined], func(token string) bool { return c.tokens[lex.Fold(token)].allow }) { // an allow rule can be in another section
		effect = "keep " + names + " from fetching anything"
	}
	c.report(atStart(between), code, first, s.Last, effect, between.Key, quoted(ignore))
}

// checkEmptyGroup reports the last group if it has no rules, but the group of "*" disallows
// something. The crawlers of the last group may then fetch everything. Only the last group can
// be without rules, because user-agent lines that no rule follows join the next group. The
// severity is Info if none of these crawlers reads pages for search or AI. For msnbot, the
// severity stays Warning, because Bingbot obeys the group of msnbot if it has none of its own.
func checkEmptyGroup(c *checker) {
	s, who := c.sections[len(c.sections)-1], []string{}
	isMeant := func(s *sect) bool { return s.disallow && !s.joins && s.names("*") } // checkJoins reports rules that are for "*" by mistake
	if !s.isNamed() || slices.ContainsFunc(s.Lines, func(l line) bool { return section.IsRule(&l) }) || !slices.ContainsFunc(c.sections, isMeant) {
		return
	}
	for _, a := range s.Agents {
		if c.tokens[a.Folded].rules == 0 && !crawlers.IgnoresStar(a.Token) && !slices.Contains(who, a.Token) && a.Folded != "yahoo!" && a.Folded != "irlbot" && len(crawlers.Meant(a.Token)) == 0 { // "Yahoo! Slurp" is hardly a crawler of its own, WordPress.com writes the group for IRLbot, and no crawler obeys a brand such as "Mozilla"
			who = append(who, a.Token)
		}
	}
	at, code, ignore := c.lines[s.Agents[0].Line-1], "group-without-rules", withoutDelay(who)
	delay := slices.IndexFunc(s.records, func(l *line) bool { return l.Kind == robotstxt.CrawlDelayKind })
	if len(ignore) > 0 && delay >= 0 {
		at, code = s.records[delay], code+"/ignored"
	}
	if len(who) > 0 && !(delay >= 0 && slices.ContainsFunc(c.googleRules, isPlatformRule)) { // report nothing about Shopify's files, whose last group has only a crawl-delay
		isBing := slices.ContainsFunc(who, c.bindsBing)
		f := c.report(atStart(at), code, quoted(who), quoted(ignore), map[bool]string{true: ` Bing's current crawler, "bingbot", obeys this group, too.`}[isBing])
		if !isBing && !slices.ContainsFunc(who, readsPages) {
			f.Severity = Info
		}
	}
}

// checkEmptyRules reports disallow lines without a path in groups that disallow something. In
// other groups, such lines make clear that everything is allowed. So they do if the other rules of a
// group are most likely meant for other crawlers (see isStray).
func checkEmptyRules(c *checker, s *sect) {
	if !s.pathless || !s.disallow || !c.isForOlder(s) {
		return
	}
	for i := range s.Lines {
		isCut := i+1 < len(s.Lines) && strings.HasPrefix(content(&s.Lines[i+1]), "/") // the path is on the next line
		isApart := s.Lines[i].Number < s.rules[0].Number && isBlank(&s.Lines[i+1]) && s.isNamed()
		if l := &s.Lines[i]; l.Kind == robotstxt.DisallowKind && l.Value == "" && !isCut && !isApart {
			c.report(atStart(l), "empty-disallow").Fix = deletion(l)
		}
	}
}

// checkBlankLines reports blank lines inside a group if a disallow rule or a crawl-delay follows,
// because older crawlers end the group at a blank line. If the group closes the site, only a rule that
// does so counts. checkBlankLines ignores rules with wildcards, which these crawlers do not understand.
// If a stray rule follows a blank line, checkBlankLines reports this rule instead, unless the group of
// "*" closes the site, so that nobody else needs the rule, or the section opens the site and the group of
// "*" has disallow lines of its own.
func checkBlankLines(c *checker, s *sect) {
	var blank []*line // since the last user-agent line, disallow rule or crawl-delay
	isForOlder := c.isForOlder(s)
	for i := range s.Lines {
		switch l := &s.Lines[i]; {
		case isBlank(l):
			blank = append(blank, l)
		case l.Kind == robotstxt.UserAgentKind, len(blank) == 0, section.IsCommentedOut(l):
			blank = nil
		case s.isStray(l, blank[len(blank)-1]) && !c.tokens["*"].closed && (closesAll(s.rules[0]) || !c.tokens["*"].disallow):
			c.report(atStart(l), "rules-after-blank-line"+map[bool]string{false: "/open"}[closesAll(s.rules[0])], s.rules[0].Number, s.Agents[0].Line)
			return
		case (!s.closed || closesAll(l)) && (l.Kind == robotstxt.CrawlDelayKind && s.readsDelay() || l.Kind == robotstxt.DisallowKind && l.Value != "" && isLiteral(l.Value) && !(s.rules[0].Kind == robotstxt.AllowKind && s.rules[0].Value == "/")) && isForOlder && !bytes.Contains(c.data[:min(len(c.data), 512)], []byte("\r\r\n")): // if the lines end with "\r\r\n", an editor shows no blank line
			for _, b := range blank {
				c.report(atStart(b), "blank-line-in-group")
			}
			blank = nil
		}
	}
}

// isForOlder reports whether older crawlers may read a section: it is the first section of a crawler that
// does not belong to Google.
func (c *checker) isForOlder(s *sect) bool {
	return slices.ContainsFunc(s.Agents, func(a section.Agent) bool {
		return crawlers.Known(a.Token).Operator != "Google" && c.sectionOf(c.tokens[a.Folded].line) == s
	})
}

// isStray reports whether l, a line below the given blank line, is the second rule of a section and
// most likely meant for other crawlers. The section names crawlers, its first rule is above the blank
// line and allows or disallows the whole site, and l is a disallow rule for a part of the site. The result
// is false if l is the first of the rules that HubSpot adds to every group.
func (s *sect) isStray(l, blank *line) bool {
	if l.Kind != robotstxt.DisallowKind || l.Value == "" || l != s.rules[0] && (l != s.rules[1] || !matchesAll(s.rules[0].Value)) || !s.isNamed() || matchesAll(l.Value) || l.Value == "/_hcms/preview/" {
		return false
	}
	return blank.Number > s.Lines[slices.IndexFunc(s.Lines, func(l line) bool { return section.IsRule(&l) })].Number
}

// checkStar reports a rule for "*" that disallows the whole site. The finding lists the crawlers
// that may still fetch something. If one of these crawlers fetches pages for an index or a model
// (see readsPages), checkStar reports nothing, because the owner has clearly chosen which crawlers
// may come.
func checkStar(c *checker) {
	l := c.starDisallowAll()
	if l == nil || c.sectionOf(l.Number).joins { // checkJoins reports the line that joins groups
		return
	}
	var open []string
	for _, g := range c.groups {
		for _, token := range g.Tokens() {
			t := c.tokens[lex.Fold(token)]
			isOpen := (!t.closed || t.allow) && len(crawlers.Meant(token)) == 0 // no crawler obeys a brand's group
			if isOpen && readsPages(token) {
				return
			}
			if isOpen {
				open = append(open, token)
			}
		}
	}
	switch others := len(c.rulesOf("*")) - 1; {
	case len(open) > 0:
		c.report(atStart(l), "all-disallowed/except", quoted(open))
	case others >= 3 && len(c.sites) > 0: // a sitemap shows that the owner wants crawlers to come
		c.report(atStart(l), "all-disallowed/others", others)
	default:
		c.report(atStart(l), "all-disallowed")
	}
}

// checkNamedGroups compares the groups of named crawlers with the group of "*". A named crawler
// obeys only its own group, so it ignores rules that are only in the group of "*". If several
// crawlers ignore the same rules for the same reason, one finding names all of them. If a group also
// names a crawler that ignores "*" anyway, such as AdsBot-Google, the others need a separate group. It never
// names Yandex if the file also names YandexBot, because Yandex's main crawler obeys the group for
// YandexBot. checkNamedGroups also reports groups that have the same rules as the group of "*".
func checkNamedGroups(c *checker) {
	type cause struct {
		at               place
		code, what, into string
		who              []string
	}
	var causes []cause
	rules, compared := []starRule(nil), 0
	for _, g := range c.groups {
		tokens := g.Tokens()
		t := c.tokens[lex.Fold(tokens[0])]
		if t.closed || t.rules == 0 || slices.Contains(tokens, "*") || !slices.ContainsFunc(tokens, func(token string) bool { return !crawlers.IgnoresStar(token) }) {
			continue
		}
		if compared++; compared == 1 {
			rules = starDisallows(c)
		}
		if compared > mostGroupsCompared || len(rules) == 0 {
			break
		}
		var dropped []*line
		if slices.ContainsFunc(tokens, readsPages) {
			dropped = c.droppedRules(g, rules)
		}
		if len(dropped) == 0 {
			if s, l := c.sectionOf(t.line), c.lines[t.line-1]; t.rules == c.tokens["*"].rules && l.Comment == "" && c.sameAsStar(s) {
				c.report(atStart(l), "same-as-star")
			}
			continue
		}
		code := codeOfGroup(c, g, dropped)
		if code == "" {
			continue
		}
		what := described(dropped, len(rules))
		into := map[bool]string{false: "its group", true: "a separate group with the same lines, in place of its name here"}[slices.ContainsFunc(tokens, crawlers.IgnoresStar)]
		for _, token := range tokens {
			if !readsPages(token) || !c.isNamed(token) || c.isNamed(token+"bot") { // a name in a comment such as "//User-agent: bingbot" is not in the file
				continue
			}
			i := slices.IndexFunc(causes, func(k cause) bool { return k.code == code && k.what == what && k.into == into })
			if i < 0 {
				i = len(causes)
				causes = append(causes, cause{at: atStart(c.lines[c.tokens[lex.Fold(token)].line-1]), code: code, what: what, into: into})
			}
			causes[i].who = append(causes[i].who, token)
		}
	}
	for _, k := range causes {
		who, groups := quoted(k.who), k.into
		if len(k.who) > 1 {
			who, groups = "these crawlers", strings.NewReplacer("its group", "their groups", "its name", "their names").Replace(k.into)
		}
		c.report(k.at, k.code, quoted(k.who), k.what, who, groups)
	}
}

// starDisallows returns the first disallow rules of "*", at most mostRulesCompared. It leaves out
// regular expressions and paths without a slash, because other checks report them.
func starDisallows(c *checker) (rules []starRule) {
	for _, l := range c.rulesOf("*") {
		if l.Kind == robotstxt.DisallowKind && !lacksSlash(l.Value) && len(rules) < mostRulesCompared && regexpIn(l.Value) == "" {
			rules = append(rules, starRule{l, example(l.Value, "x"), example(l.Value, "")})
		}
	}
	return rules
}

// codeOfGroup returns the code for a group that exempts its crawlers from rules for "*". The
// parameter dropped contains these rules. If the owner most likely wants the exemption, or if
// another check reports the cause, codeOfGroup returns "".
func codeOfGroup(c *checker, g *robotstxt.Group, dropped []*line) string {
	folded := lex.Fold(g.Tokens()[0])
	t, rules := c.tokens[folded], c.rulesOf(folded)
	allowsAll := slices.ContainsFunc(rules, isForAll)
	switch {
	case t.pathless, slices.ContainsFunc(rules, func(l *line) bool {
		_, key := keyIn(l)
		return key != "" || isPlatformRule(l) || closesAll(l)
	}):
		// The group contains "Disallow:", a rule from a platform, or a mistake that checkValue or checkDead reports.
	case !t.disallow && !allowsAll && slices.ContainsFunc(dropped, isForAll):
		return "group-only-allows/closed"
	case !t.disallow && !allowsAll:
		return "group-only-allows" + map[int]string{0: "/assets", len(rules): "/pages"}[len(slices.DeleteFunc(rules, func(l *line) bool { return isAsset(l.Value) || isAsset("/*"+strings.TrimLeft(l.Value, "/*")) }))]
	case slices.ContainsFunc(dropped, isForAll):
		// The rules for "*" disallow the whole site. This group exempts its crawlers from these
		// rules, which is surely what the owner wants. So report nothing.
	case t.disallow && len(dropped) == 1:
		return "star-rules-dropped/one"
	case t.disallow:
		return "star-rules-dropped"
	case slices.ContainsFunc(dropped, isSensitive) && slices.ContainsFunc(g.Tokens(), isEngine):
		return "star-rules-dropped/sensitive"
	}
	return ""
}

// sensitiveWords are parts of paths that most owners do not want in a search index.
var sensitiveWords = []string{"admin", "account", "login", "log-in", "signin", "private", "checkout", "password"}

func isSensitive(l *line) bool {
	path := strings.ToLower(l.Value)
	return isForAll(l) || slices.ContainsFunc(sensitiveWords, func(word string) bool { return strings.Contains(path, word) })
}

func isForAll(l *line) bool { return matchesAll(l.Value) }

// described quotes one of the dropped rules, and counts the others. It quotes the first sensitive
// rule or, if no rule is sensitive, the first rule. The parameter compared is the number of rules for
// "*" that were compared with the group. If this number is mostRulesCompared, more rules for "*" may
// have been dropped, so the text says "at least".
func described(dropped []*line, compared int) string {
	l := dropped[max(0, slices.IndexFunc(dropped, isSensitive))]
	text := fmt.Sprintf("line %d, %s", l.Number, quote(l.Kind.String()+": "+l.Value))
	switch n := len(dropped) - 1; {
	case compared == mostRulesCompared && n > 0:
		text += fmt.Sprintf(", and at least %d more", n)
	case n > 0:
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// isPlatformRule reports whether Shopify or Discourse adds the rule to the robots.txt files of its
// sites. Such a rule disallows scripts that do not change how a page looks.
func isPlatformRule(l *line) bool {
	return strings.HasPrefix(l.Value, "/cdn/wpm") || strings.Contains(l.Value, "/assets/browser-update")
}

// checkAssets reports rules that keep Googlebot from style sheets or scripts.
func checkAssets(c *checker) {
	ends := assets
	for _, l := range c.googleRules {
		// Joomla has both folders, and other systems may have one of them.
		if more := systemAssets[strings.Trim(l.Value, "/*")]; more != nil && (!strings.Contains(l.Value, "libraries") || !c.google.Allowed("/administrator/")) {
			ends = more
		}
	}
	for _, l := range c.googleRules {
		folder := strings.TrimRight(l.Value, "*$")
		path := strings.TrimSuffix(folder, "/")
		// The patterns of all assets end in a, c, s, t or "-". A test of the last letter quickly excludes most other paths.
		if l.Kind == robotstxt.AllowKind || path == "" || !strings.ContainsAny(path[len(path)-1:], "acstACST-") || isPlatformRule(l) || strings.Contains(path, "//") {
			continue
		}
		lower := "/" + strings.ToLower(path)
		i := slices.IndexFunc(ends, func(a asset) bool {
			return strings.HasSuffix(lower, a.end) && (a.end != "/scripts" || strings.Trim(lower, "/*") == "scripts") && !c.google.Allowed(example(path, "x")+a.file)
		})
		// If a rule disallows a folder that contains these files, the pages that use the files are probably
		// disallowed, too. If a rule allows a part of this folder, the owner has probably allowed the files that the
		// pages need. But WordPress has no style sheets or scripts in its folder for uploads.
		isEnough := func(r *line) bool {
			below, isBelow := strings.CutPrefix(path, strings.TrimSuffix(r.Value, "/"))
			return r.Kind == robotstxt.DisallowKind && isBelow && strings.HasPrefix(below, "/") || r.Kind == robotstxt.AllowKind && strings.HasPrefix(strings.TrimPrefix(r.Value, "/*"), strings.TrimPrefix(folder, "/*")) && !strings.Contains(r.Value, "/uploads")
		}
		if i >= 0 && !lacksSlash(path) && !strings.Contains(lower, ".asmx/") && (ends[i].file == "" || !slices.ContainsFunc(c.googleRules, isEnough)) { // a web service of ASP.NET writes the script at its address and "/js"
			start := "Allow: /" + strings.TrimPrefix(folder, "/")
			c.report(atValue(l, 0), "assets-disallowed"+map[bool]string{true: "/files"}[ends[i].file == ""], quote(l.Value), quoteWhole(start+"*.css"), quoteWhole(start+"*.js"))
		}
	}
}
