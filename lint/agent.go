package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// An oddName is a name on a user-agent line that crawlers probably do not recognize, and the
// finding about this name.
type oddName struct {
	line    *line
	at      place
	code    string
	special string // the special case of the code, after a slash, such as "/named"; empty if no special case applies
	args    []any
	mild    bool // checkNames does not report this name on its own, but only as a part of a copied list
	sure    bool // checkNames reports this name on its own, even if it is part of a copied list
}

// checkNames checks the names on user-agent lines. If the file has many odd names of several
// kinds, the owner most likely copied a list. Then checkNames reports the list as copied-list, and
// does not report its odd names one by one, except headers and names with versions of known crawlers.
func checkNames(c *checker) {
	const fewest = 5
	var odd, showing []oddName
	suggested := map[string]bool{} // the successors of retired crawlers that a finding suggests, in folded form
	isShut := c.starDisallowAll() != nil
	for i, l := range c.lines {
		if l.Kind != robotstxt.UserAgentKind || section.IsCommentedOut(l) || isShut && c.inside[i].closed {
			continue // a crawler that does not recognize its name here obeys "*", and is shut out just the same
		}
		if _, key := keyIn(l); key == "" && placeholderIn(l) == "" {
			odd = append(odd, checkUserAgent(c, c.inside[i], l, suggested)...)
		}
	}
	listed, kinds := 0, map[string]bool{}
	for _, n := range odd {
		shows, isIn := inLists[n.code]
		if isIn && !n.sure {
			listed++
		}
		if shows && !n.sure {
			showing, kinds[n.code] = append(showing, n), true
		}
	}
	isList := len(showing) >= fewest && len(kinds) > 1
	if isList {
		n := showing[max(0, slices.IndexFunc(showing, func(n oddName) bool { return n.mild }))] // preferably a name that no known crawler has
		c.report(n.at, "copied-list", quote(n.line.Value), listed)
	}
	for _, n := range odd {
		if _, isIn := inLists[n.code]; n.mild || isIn && isList && !n.sure {
			continue
		}
		f := c.report(n.at, n.code+n.special, n.args...)
		if n.code == "token-with-version" || n.code == "several-tokens" {
			f.Fix = c.correction(n.line)
		}
	}
}

// checkUserAgent reports a user-agent line that has no name or lists several names. It returns the
// odd names on the line.
func checkUserAgent(c *checker, s *sect, l *line, suggested map[string]bool) (odd []oddName) {
	names := strings.Trim(l.Value, ", \t")
	switch isSeveral := strings.Contains(names, ",") && !strings.Contains(names, "("); {
	case names == "" && s.disallow:
		c.report(atValue(l, 0), "empty-user-agent")
		return nil
	case isSeveral && isList(l.Value):
		odd = append(odd, oddName{line: l, at: atValue(l, 0), code: "several-tokens", sure: slices.ContainsFunc(correctedValues(l), readsPages)})
	}
	for offset, name := range lex.Names(l.Value) {
		if n := newOddName(c, s, l, offset, name, suggested); n.code != "" {
			odd = append(odd, n)
		}
	}
	return odd
}

// newOddName checks one name on a user-agent line. If there is no problem with the name,
// the code of the result is empty. Names in suggested count as named in the file, so that only one
// finding suggests each of them. If newOddName suggests a successor, it adds the name.
func newOddName(c *checker, s *sect, l *line, offset int, name string, suggested map[string]bool) oddName {
	token, rest := cutName(name)
	if strings.Contains(rest, " ") && crawlers.Misspelled(name) != "" { // such as "ChatGPT User"
		token, rest = name, ""
	}
	inside, _ := cutName(strings.Trim(name, `^*."'()[]<>$: `))
	known, found := crawlers.Find(token)
	misspelled, meant := crawlers.Misspelled(token), crawlers.Meant(token)
	isNamed := func(token string) bool { return suggested[lex.Fold(token)] || c.isNamed(token) }
	isCovered := func(t string) bool { return isNamed(t) && !(len(meant) > 1 && crawlers.Known(t).ByPerson()) }
	n := oddName{line: l, at: atValue(l, offset+map[bool]int{true: len(token)}[rest != ""])}
	switch {
	case name == "", token == "*", token == "" && inside != "" && s.namesPrefixed(lex.Fold(inside)), rest != "" && isOddRightly(lex.Fold(name)), strings.EqualFold(token, "Mozilla") && (s.names("*") || s.hasRulesOf(c.tokens["*"].last) || s.hasRulesOf(c.tokens[lex.Fold(tokenIn(name))].last)):
		// Not odd: some crawlers have such names. A name such as "*Google*" does no harm beside "Googlebot". A User-Agent header does no harm if
		// the same rules are also for "*" or for the crawler's own name.
	case strings.EqualFold(token, "Mozilla") && (len(s.rules) > 0 || s.pathless) && tokenIn(name) != "" && !(s.closed && isEngine(tokenIn(name))): // a program that the owner shuts out can pose as a search engine's crawler
		n.code, n.special, n.args = "user-agent-header", "/named", []any{quote(token), quoteWhole("User-agent: " + tokenIn(name))}
		_, n.sure = crawlers.Find(tokenIn(name))
	case strings.EqualFold(token, "Mozilla"):
		n.code, n.mild = "user-agent-header", s.closed || !s.disallow || !strings.Contains(name, "(")
	case rest != "" && (known.Operator == "Google" || s.names("*") || s.hasRulesOf(c.tokens[lex.Fold(inside)].bare) || s.hasRulesOf(c.tokens[lex.Fold(crawlers.Known(strings.TrimLeft(rest, " /")).Token)].bare) || known.Operator == "Yandex" && s.hasRulesOf(c.tokens["yandex"].bare)):
		// Not odd: Google's crawlers ignore what follows the token. For other crawlers, it does no
		// harm if the same rules are also for "*", for the token alone, for a second known crawler that follows, as in "msnbot / bingbot", or for all crawlers of Yandex.
	case (token == "" || strings.ContainsAny(token[:1], "^'.")) && crawlers.Known(inside).Token != "":
		n.code, n.special, n.sure, n.args = "unusable-token", "/named", true, []any{quote(name), quoteWhole("User-agent: " + inside)}
	case token == "", token[0] == '^':
		n.code, n.sure, n.args = "unusable-token", name[0] == '*', []any{quote(name)}
	case isVersion(rest), rest == "*":
		n.code, n.mild, n.sure = "token-with-version", !found, found
	case rest != "":
		n.code, n.mild = "token-with-space", !found
	case missesSuccessors(s, known) && !s.hasRulesOf(c.tokens["*"].last) && !slices.ContainsFunc(known.Successors, isNamed):
		n.code, n.args = "retired-crawler", []any{known.Operator, quote(token), quote(known.Successors[0]), quote("User-agent: " + known.Successors[0])}
		suggested[lex.Fold(known.Successors[0])] = true
		switch {
		case s.closed && c.parsed.Allowed(known.Successors[0], "/"):
			n.code += "/open"
		case c.tokens["*"].disallow && !known.AI:
			n.code += "/star"
		}
	case found, s.names(lex.Fold(misspelled)), s.hasRulesOf(c.tokens[lex.Fold(misspelled)].bare), strings.HasPrefix(misspelled, "Googlebot-") && s.hasRulesOf(c.tokens["googlebot"].bare), slices.ContainsFunc(meant, isCovered):
		// The name is right, or the file also names the crawler correctly. Crawlers such as Googlebot-Image
		// obey the group for Googlebot anyway.
	case misspelled != "" && c.matters(s, misspelled):
		n.code, n.args = "misspelled-token", []any{quote(token), quote(misspelled), quote("User-agent: " + misspelled)}
	case len(meant) > 0 && c.matters(s, meant[0]):
		n.code, n.args = "brand-as-token", []any{quote(token), quoted(slices.DeleteFunc(meant, func(token string) bool { return isNamed(token) || strings.HasPrefix(token, "Googlebot-") }))}
	case !nameChars.HasAll(lex.CharsOf(token)): // only mild, because a crawler could really have such a name
		n.code, n.mild = "token-characters", true
	}
	if n.args == nil && n.code != "" {
		n.args = []any{quote(token)}
	}
	return n
}

// matters reports whether it matters that a crawler does not obey the section s, which misspells its name:
// the section closes a page that the crawler may fetch, or has rules, and the site is closed to the crawler.
// If not, the right name would only exempt the crawler from other rules, such as those for "*". To save time, matters
// does not compare the rules of large files, but returns true for them if the section disallows anything. If
// a line joins the section to another by mistake, the result is false, because the rules may be meant for others.
func (c *checker) matters(s *sect, token string) bool {
	g, isLarge := c.parsed.Group(map[bool]string{true: token, false: "*"}[c.isNamed(token) || crawlers.IgnoresStar(token)]), len(c.sections)*len(s.Agents)*(len(s.rules)+1)*len(c.lines) > mostSearched
	isNew := func(l *line) bool { return l.Kind == robotstxt.DisallowKind && g.Allowed(example(l.Value, "x")) }
	return isLarge && s.disallow || !isLarge && !s.joins && ((len(s.rules) > 0 || s.pathless) && !g.Allowed("/") || slices.ContainsFunc(s.rules, isNew))
}

// isOddRightly reports whether a folded name is one of the few that contain spaces or odd characters in the
// documentation of their crawlers, as in "Yahoo! Slurp" and "Screaming Frog SEO Spider".
func isOddRightly(folded string) bool {
	return strings.HasPrefix(folded, "screaming frog seo spider") || strings.HasPrefix(folded, "sogou") || strings.HasPrefix(folded, "y!j") || strings.Contains(folded, "slurp")
}

// missesSuccessors reports whether a section for a retired crawler should also name the crawler's
// successors, because it disallows something. The result is false if the crawler has no successors,
// if a successor obeys the section anyway, or if the section also names "*". It is also false if the
// section closes the site to a crawler that was not for AI: if its successors obeyed the section, the
// site would disappear from the search results.
func missesSuccessors(s *sect, known crawlers.Crawler) bool {
	return len(known.Successors) > 0 && s.disallow && (known.AI || !slices.ContainsFunc(s.rules, closesAll)) && !known.Inherited && !s.names("*")
}

// tokenIn returns the name of the crawler that sends a User-Agent header, or "" if the header does
// not clearly name a crawler.
func tokenIn(header string) string {
	header = strings.ReplaceAll(header, "+", " ") // the log files of some servers contain "+" for each space
	token := robotstxt.ProductToken(header)
	_, after, _ := strings.Cut(header, token)
	hasMoreWords := len(after) > 1 && after[0] == ' ' && after[1] > '9' // as in "Dow Jones Searchbot"
	if strings.EqualFold(token, "Mozilla") || strings.EqualFold(token, "MSIE") || !nameChars.HasAll(lex.CharsOf(token)) || hasMoreWords {
		return ""
	}
	return token
}

// nameChars are the usual characters of a crawler's name. RFC 9309, section 2.2.1, does not allow
// digits and dots, but MJ12bot and archive.org_bot contain them.
var nameChars = lex.Capitals | lex.Digits | lex.CharsOf("abcdefghijklmnopqrstuvwxyz-_.")
