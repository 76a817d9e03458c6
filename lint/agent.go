package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An oddName is a name on a user-agent line that a copied list may have often.
type oddName struct {
	at    place
	token string
	line  *line
}

// oddNames are the names of a file by the code of what is odd about them.
type oddNames map[string][]oddName

// checkNames looks at the names on user-agent lines. What lists that people copy have on
// many lines is reported once.
func checkNames(c *checker) {
	odd := oddNames{}
	for _, s := range c.sections {
		for i := range s.Lines {
			l := &s.Lines[i]
			if _, key := keyIn(l); l.Kind == robotstxt.UserAgentKind && key == "" && placeholderIn(l) == "" {
				checkUserAgent(c, l, odd)
			}
		}
	}
	checkReplaced(c, odd["retired-crawler"])
	if reportCopiedList(c, odd) {
		return
	}
	for _, n := range odd["user-agent-header"] {
		f := c.report(n.at, "user-agent-header", quote(n.token))
		if isOnlyName(c.sectionOf(n.line.Number)) {
			f.Advice = deleteGroup
		}
	}
	for _, code := range []string{"token-with-version", "token-with-star", "token-with-space", "token-characters"} {
		names := odd[code]
		switch len(names) {
		case 0:
		case 1:
			f := c.report(names[0].at, code, quote(names[0].token))
			if code == "token-with-version" || code == "token-with-star" {
				f.Fix = correction(names[0].line)
			}
		default:
			c.report(names[0].at, code+"/several", quote(names[0].token), count(len(names)))
		}
	}
}

// reportCopiedList reports names of several kinds that are odd, as in lists of crawlers
// that site owners copy from each other. It returns false if there are not many.
func reportCopiedList(c *checker, odd oddNames) bool {
	const fewest = 5
	kinds, all, first := 0, 0, oddName{}
	for _, code := range []string{"user-agent-header", "token-with-version", "token-with-star", "token-with-space", "token-characters"} {
		names := odd[code]
		if all += len(names); len(names) == 0 {
			continue
		}
		if kinds++; kinds == 1 || names[0].line.Number < first.line.Number {
			first = names[0]
		}
	}
	if kinds < 2 || all < fewest {
		return false
	}
	c.report(first.at, "copied-list", quote(first.line.Value), count(all))
	return true
}

// checkUserAgent looks at the names on one line.
func checkUserAgent(c *checker, l *line, odd oddNames) {
	if strings.Trim(l.Value, ", \t") == "" {
		special := ""
		if c.sectionOf(l.Number).closed {
			special = "/closed" // with a star, the line would close the site
		}
		c.report(atValue(l, 0), "empty-user-agent"+special)
		return
	}
	if i := strings.Index(l.Value, "["); i >= 0 && !strings.Contains(l.Value, "(") {
		c.report(atValue(l, i), "token-with-space/flags", quote(l.Value[i:]))
		return
	}
	if _, _, isSeveral := strings.Cut(strings.Trim(l.Value, ", \t"), ","); isSeveral && isList(l.Value) {
		c.report(atValue(l, 0), "several-tokens").Fix = correction(l)
	} else if isSeveral && !strings.Contains(l.Value, "(") {
		token, _ := cutName(l.Value)
		odd["token-with-space"] = append(odd["token-with-space"], oddName{atValue(l, len(token)), token, l})
		return // prose
	}
	for offset, name := range lex.Names(l.Value) {
		if name != "" {
			checkName(c, l, offset, name, odd)
		}
	}
}

// checkName looks at one of the names on a line.
func checkName(c *checker, l *line, offset int, name string, odd oddNames) {
	token, rest := cutName(name)
	after := atValue(l, offset+len(token))
	add := func(code string, at place) { odd[code] = append(odd[code], oddName{at, token, l}) }
	switch {
	case strings.EqualFold(token, "Mozilla"):
		if named := tokenIn(name); named != "" {
			c.report(after, "user-agent-header/named", quote(token), quoteWhole("User-agent: "+named))
		} else {
			add("user-agent-header", after)
		}
	case token == "":
		c.report(after, "unusable-token", quote(rest))
	case token == "*" && rest != "":
		c.report(after, "unusable-token/star", quote(token))
	case token == "*", strings.EqualFold(token, "Sogou"): // whose documentation has names of several words
	case rest != "" && c.token(lex.Fold(token)).bare == c.sectionOf(l.Number): // for the crawlers that read all of it
	case isVersion(rest):
		add("token-with-version", after)
	case rest == "*":
		add("token-with-star", after)
	case rest != "":
		add("token-with-space", after)
	case isReplaced(token):
		add("retired-crawler", atValue(l, offset))
	case !reportKnownName(c, l, offset, token):
		if i := strings.IndexFunc(token, isForeign); i >= 0 {
			add("token-characters", atValue(l, offset+i))
		}
	}
}

// tokenIn returns the name of the crawler that a User-Agent header contains, or nothing.
func tokenIn(header string) string {
	token := robotstxt.ProductToken(header)
	_, after, _ := strings.Cut(header, token)
	isWord := len(after) > 1 && after[0] == ' ' && !('0' <= after[1] && after[1] <= '9') // of several: Dow Jones Searchbot
	if strings.EqualFold(token, "Mozilla") || strings.EqualFold(token, "MSIE") || strings.ContainsFunc(token, isForeign) || isWord {
		return ""
	}
	return token
}

// isForeign reports whether hardly any crawler has a character in its name. The RFC's
// grammar does not even allow digits and dots (RFC 9309, section 2.2.1), but MJ12bot and
// archive.org_bot are well known.
func isForeign(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

// reportKnownName reports a name that is retired, misspelled or only a brand. It returns
// false if the name is none of these.
func reportKnownName(c *checker, l *line, offset int, token string) bool {
	at := atValue(l, offset)
	if known, ok := crawlers.Find(token); ok {
		if known.Status == crawlers.Retired {
			reportRetired(c, l, at, known)
		}
		return true
	}
	if meant := crawlers.Misspelled(token); meant != "" {
		c.report(at, "misspelled-token/name", quote(token), quote(meant), quote("User-agent: "+meant))
		return true
	}
	meant := crawlers.Meant(token)
	if len(meant) > 0 {
		c.report(at, "brand-as-token/tokens", quote(token), listed(meant))
	}
	return len(meant) > 0
}

// isReplaced reports whether a crawler asks for rules by a new name.
func isReplaced(token string) bool {
	known, _ := crawlers.Find(token)
	return isRetired(token) && len(known.Successors) > 0
}

// checkReplaced reports retired names that the owner can replace at no cost, each once.
// To name the successor frees it from the rules for "*", so nothing is said where it would
// gain by that, nor where the file or the group names it already.
func checkReplaced(c *checker, names []oddName) {
	seen := map[string]bool{}
	for _, n := range names {
		folded := lex.Fold(n.token)
		if seen[folded] {
			continue
		}
		seen[folded] = true
		known, _ := crawlers.Find(n.token)
		isNamed := func(name string) bool { return c.token(lex.Fold(name)).last != nil }
		switch {
		case slices.ContainsFunc(known.Successors, isNamed), c.sectionOf(n.line.Number).names("*"):
		case len(droppedRules(c.parsed.Group(n.token), starDisallows(c))) == 0:
			c.report(n.at, "retired-crawler/replaced", known.Operator, quote("User-agent: "+known.Successors[0]), quote(known.Token))
		}
	}
}

// reportRetired reports a retired name that has no successor.
func reportRetired(c *checker, l *line, at place, known crawlers.Crawler) {
	special := ""
	if known.Since != "" {
		special = "/service"
	}
	f := c.report(at, "retired-crawler"+special, known.Operator, known.Since, quote(known.Token))
	if isOnlyName(c.sectionOf(l.Number)) {
		f.Advice = deleteGroup
	}
}

// deleteGroup is the advice where the rules that a user-agent line would leave would
// join the group above.
const deleteGroup = "Delete the group with its rules."

// isOnlyName reports whether a section has no more than one user-agent line.
func isOnlyName(s *sect) bool {
	n := 0
	for i := range s.Lines {
		if s.Lines[i].Kind == robotstxt.UserAgentKind {
			n++
		}
	}
	return n <= 1
}
