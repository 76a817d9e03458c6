package lint

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An oddName is a name that its crawler may not recognize, as a finding.
type oddName struct {
	line *line
	at   place
	code string
	args []any
}

// kind returns the code without its special case.
func (n oddName) kind() string {
	kind, _, _ := strings.Cut(n.code, "/")
	return kind
}

// inLists has the codes of names that copied lists have, and whether they show that a
// name is from a list. Any program can have an odd character in its name, so outside of
// lists nothing is said of token-characters.
var inLists = map[string]bool{
	"user-agent-header": true, "token-with-version": true, "token-with-star": true, "token-with-space": true, "token-characters": true,
	"misspelled-token": false, "brand-as-token": false,
}

// checkNames looks at the names on user-agent lines. Many odd names of several kinds are a
// list that site owners copy from each other, which is one finding.
func checkNames(c *checker) {
	const fewest = 5
	var odd []oddName
	for _, s := range c.sections {
		for i := range s.Lines {
			l := &s.Lines[i]
			if _, key := keyIn(l); l.Kind == robotstxt.UserAgentKind && key == "" && placeholderIn(l) == "" {
				odd = append(odd, checkUserAgent(c, s, l)...)
			}
		}
	}
	var listed []oddName
	shown, kinds := 0, map[string]bool{}
	for _, n := range odd {
		if shows, isIn := inLists[n.kind()]; isIn {
			listed = append(listed, n)
			if shows {
				shown, kinds[n.kind()] = shown+1, true
			}
		}
	}
	if shown >= fewest && len(kinds) > 1 {
		c.report(listed[0].at, "copied-list", quote(listed[0].line.Value), count(len(listed)))
		odd = slices.DeleteFunc(odd, func(n oddName) bool { _, isIn := inLists[n.kind()]; return isIn })
	}
	for _, n := range odd {
		switch n.code {
		case "token-characters":
		case "token-with-version", "token-with-star":
			c.report(n.at, n.code, n.args...).Fix = correction(n.line)
		default:
			c.report(n.at, n.code, n.args...)
		}
	}
}

// checkUserAgent looks at a user-agent line and returns the odd names on it.
func checkUserAgent(c *checker, s *sect, l *line) (odd []oddName) {
	names := strings.Trim(l.Value, ", \t")
	flags := strings.Index(l.Value, "[")
	switch isSeveral := strings.Contains(names, ","); {
	case names == "" && s.closed: // with a star, the line would close the site
		c.report(atValue(l, 0), "empty-user-agent/closed")
		return nil
	case names == "":
		c.report(atValue(l, 0), "empty-user-agent")
		return nil
	case flags >= 0 && !strings.Contains(l.Value, "("):
		c.report(atValue(l, flags), "token-with-space/flags", quote(l.Value[flags:]))
		return nil
	case isSeveral && isList(l.Value):
		c.report(atValue(l, 0), "several-tokens").Fix = correction(l)
	case isSeveral && !strings.Contains(l.Value, "("): // prose
		token, _ := cutName(l.Value)
		return []oddName{{l, atValue(l, len(token)), "token-with-space", []any{quote(token)}}}
	}
	for offset, name := range lex.Names(l.Value) {
		if name == "" {
			continue
		}
		if code, at, args := checkName(c, s, l, name); code != "" {
			odd = append(odd, oddName{l, atValue(l, offset+at), code, args})
		}
	}
	return odd
}

// checkName returns the code of what is odd about a name on a line, the offset in the
// name, and the arguments of the finding. The code is empty if nothing is odd.
func checkName(c *checker, s *sect, l *line, name string) (code string, at int, args []any) {
	token, rest := cutName(name)
	args = []any{quote(token)}
	known, isKnown := crawlers.Find(token)
	switch {
	case strings.EqualFold(token, "Mozilla"):
		code = headerCode(s)
		if named := tokenIn(name); named != "" {
			code, args = "user-agent-header/named", append(args, quoteWhole("User-agent: "+named))
		}
		return code, len(token), args
	case token == "":
		return "unusable-token", 0, []any{quote(rest)}
	case token == "*" && rest != "":
		return "unusable-token/star", len(token), args
	case token == "*", strings.EqualFold(token, "Sogou"): // whose documentation has names of several words
	case rest != "" && (known.Operator == "Google" || c.hasBareName(token, s)): // Google's parser stops at the rest, for sure
	case isVersion(rest):
		return "token-with-version", len(token), args
	case rest == "*":
		return "token-with-star", len(token), args
	case rest != "":
		return "token-with-space", len(token), args
	case isKnown && known.Status == crawlers.Retired:
		return retiredCode(c, s, known), 0, []any{known.Operator, quote(token), known.Since, quote("User-agent: " + strings.Join(known.Successors, ""))}
	case isKnown:
	case crawlers.Misspelled(token) != "":
		meant := crawlers.Misspelled(token)
		return "misspelled-token", 0, append(args, quote(meant), quote("User-agent: "+meant))
	case len(crawlers.Meant(token)) > 0:
		return "brand-as-token", 0, append(args, quoted(crawlers.Meant(token)))
	default:
		if i := strings.IndexFunc(token, isForeign); i >= 0 {
			return "token-characters", i, args
		}
	}
	return "", 0, nil
}

// hasBareName reports whether a section with the same rules as s has a token with nothing
// after it.
func (c *checker) hasBareName(token string, s *sect) bool {
	bare := c.token(lex.Fold(token)).bare
	return bare != nil && (bare == s || bare.summary() == s.summary())
}

// headerCode returns the code of a header that names no crawler. Without such a line, its
// rules would join the group above.
func headerCode(s *sect) string {
	if s.isOneLine() {
		return "user-agent-header/only"
	}
	return "user-agent-header"
}

// retiredCode returns the code of a retired name, or nothing if the line is needed or
// harmless: the successor obeys it or has its own, or it would gain by the change against
// the rules for "*".
func retiredCode(c *checker, s *sect, known crawlers.Crawler) string {
	isNamed := func(name string) bool { return c.token(lex.Fold(name)).last != nil }
	switch {
	case len(known.Successors) == 0 && s.isOneLine():
		return "retired-crawler/only"
	case len(known.Successors) == 0:
		return "retired-crawler/ended"
	case known.Inherited, slices.ContainsFunc(known.Successors, isNamed), s.names("*"):
		return ""
	case len(droppedRules(c.parsed.Group(known.Token), starDisallows(c))) > 0:
		return ""
	}
	return "retired-crawler"
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
