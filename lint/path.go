package lint

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// asRule returns a rule in quotation marks. The rule has the same kind as the line l, and the
// given path.
func asRule(l *line, path string) string { return quoteWhole(l.Kind.String() + ": " + path) }

// checkPath reports an allow line without a path, a whole URL instead of a path, and a path that
// does not start with "/". It does not report a path that would change nothing with a "/"
// before it, or wherever it is in a URL, unless the line allows style sheets or scripts, which are often
// in folders, and a disallow line is short enough to lose.
func checkPath(c *checker, l *line) {
	path, s := l.Value, c.sectionOf(l.Number)
	switch {
	case path == "" && l.Kind == robotstxt.AllowKind && (s.disallow || !s.pathless && len(s.rules) == 0):
		c.report(atStart(l), "empty-allow"+map[bool]string{true: "/alone"}[len(s.rules) == 0])
	case path == "", !s.disallow: // without disallow lines in its section, an allow line rarely has an effect
	case isURL(path):
		reportURL(c, l)
	case !lacksSlash(path), path == "robots.txt", c.changesNothing(l, path) && (slashCase(path) == "" || (!isAsset("/*"+path) || !slices.ContainsFunc(s.rules, func(r *line) bool { return r.Kind == robotstxt.DisallowKind && len(r.Value) <= len("/*"+path) })) && c.changesNothing(l, "/!"+path) && c.changesNothing(l, "/*?x&"+strings.TrimLeft(path, "?&"))):
	case slashCase(path) == "":
		c.report(atValue(l, 0), "path-without-slash/plain", quote("/"+path)).Fix = c.correction(l)
	case l.Kind == robotstxt.AllowKind || !isAsset("/*"+path): // not if the corrected rule would disallow style sheets or scripts
		special, parameter := slashCase(path), escaped(strings.Trim(path, "?&*"))
		cleaned := strings.Trim(strings.ReplaceAll(path, `\`, "/"), map[string]string{"/odd": `[]({})<>"': `}[special])
		c.report(atValue(l, 0), "path-without-slash"+special, quote("/"+path), asRule(l, escaped("/*"+strings.TrimRight(path, "*"))), asRule(l, "/*?"+parameter), asRule(l, "/*&"+parameter), asRule(l, encodeSpaces(escaped("/"+strings.TrimLeft(cleaned, "./")))))
	}
}

// reportURL reports a path that is a whole URL. If the file has a sitemap on the URL's site, this is
// surely the site of the file. reportURL advises the user to delete the line in three
// cases: the URL is a home page; the file has sitemaps, but none on the URL's site; or
// the line would change nothing even if its value were only the path of the URL.
func reportURL(c *checker, l *line) {
	rule, special := *l, map[bool]string{true: "/path", false: "/unsure"}[len(c.sites) > 0]
	rule.Value = pathOf(l.Value)
	switch s := c.sectionOf(l.Number); {
	case len(c.sites) > 0 && !c.sites[siteOf(l.Value)], strings.Trim(rule.Value, "/*") == "":
		special = "/host"
	case len(s.Agents) > 0 && c.changesNothing(l, rule.Value):
		special = "/again"
	}
	c.report(atValue(l, 0), "url-as-path"+special, strings.ToLower(l.Kind.String()), asRule(l, correctedPath(&rule)))
}

var oddPathChars = lex.Foreign | lex.CharsOf("% \t")

// checkPathCharacters reports spaces, characters outside ASCII, and bad escapes in a path.
func checkPathCharacters(c *checker, l *line) {
	path := l.Value
	if !lex.CharsOf(path).HasAny(oddPathChars) {
		return
	}
	i := strings.IndexAny(path, " \t")
	switch {
	case i < 0, strings.TrimRight(path[i:], "*/") == " References", strings.HasSuffix(strings.TrimRight(path, "*/"), "/My Project"): // "Web References", "Service References" and "My Project" are folders with source code, to which no page links
	case c.changesNothing(l, path):
	case straySpace.MatchString(path):
		c.report(atValue(l, i), "space-in-path"+map[bool]string{true: "/root", false: "/stray"}[matchesAll(path[:i]) && !c.sectionOf(l.Number).isNamed()])
	default:
		c.report(atValue(l, i), "space-in-path").Fix = c.correction(l)
	}
	checkForeign(c, l)
	// A "%" before a "*" or at the end is not a mistake: it matches the start of any escape, or an
	// escape that was cut off.
	if bad := badEscape.FindStringIndex(strings.TrimRight(path, "*$")); bad != nil && !isMacro(path[bad[0]:]) && !isTemplate(path) && !isCovered(l, c.sectionOf(l.Number).rules) {
		c.report(atValue(l, bad[0]), "bad-escape", quote(path[bad[0]:min(len(path), bad[0]+len("%XX"))]))
	}
}

// badEscape matches the start of an invalid escape, but not an escape whose end is replaced with a
// wildcard, such as "%4*".
var badEscape = regexp.MustCompile(`%[0-9A-Fa-f]?[^0-9A-Fa-f*?]`)

// isMacro reports whether a text starts with a macro, such as "%name%", "%%NAME%%", "%s" or "%(name)s", or with a
// formatting error of a Go program, such as "%!s(bool=true)". Some sites have links that contain such a
// text by mistake, and disallow them.
var isMacro = regexp.MustCompile(`^%([%!(]|\w+%|[ds]\b)`).MatchString

// isTemplate reports whether a text contains a tag of a template, such as "<%". Some sites have links that
// contain such a tag by mistake, and disallow them.
var isTemplate = regexp.MustCompile(`(?i)(<|%3C)[%?]|\{\{|\$\{`).MatchString

func checkForeign(c *checker, l *line) {
	i, rules := strings.IndexFunc(withBreaks(l.Value), func(r rune) bool { return r >= utf8.RuneSelf && !lex.IsBlank(r) }), c.sectionOf(l.Number).rules
	if i < 0 || isCovered(l, rules) || isCovered(&line{Kind: l.Kind, Value: escaped(l.Value) + "*"}, rules) { // the "*" is for a rule with the same path
		return
	}
	if meant := decoded(l); meant != "" {
		if !matchesAll(meant) && !c.changesNothing(l, meant) {
			rule := *l
			rule.Value = escaped(meant)
			c.report(atValue(l, i), "double-encoded", quote(l.Value), quote(meant), asRule(l, correctedPath(&rule)))
		}
		return
	}
	special := map[bool]string{isMixed(l.Value): "/mixed", !utf8.ValidString(l.Value): "/not UTF-8"}[true]
	f := c.report(atValue(l, i), "non-ascii-in-path"+special)
	if special == "" && correctedPath(l) != l.Value {
		f.Fix = c.correction(l)
	}
}

// checkWildcards reports paths that look like regular expressions. If another rule contains an escaped
// backslash, the URLs of the site contain backslashes, and a "\." is probably meant as written.
func checkWildcards(c *checker, l *line) {
	s, hasBackslash := c.sectionOf(l.Number), func(r *line) bool { return strings.Contains(r.Value, "%5C") }
	if found := regexpIn(l.Value); found != "" && !isTemplate(l.Value) && !(found == `\.` && slices.ContainsFunc(s.rules[:min(len(s.rules), mostRulesCompared)], hasBackslash)) {
		c.report(atValue(l, strings.Index(l.Value, found)), "regexp-in-path"+map[bool]string{true: "/allow"}[l.Kind == robotstxt.AllowKind], quote(l.Value))
	}
}

// firstParameter matches the path of a rule such as "/*?sort=". Its submatch is the parameter,
// such as "sort=". It does not match "/*?page=1$", because this rule is for a whole query.
var firstParameter = regexp.MustCompile(`^/?\*\?([\w.\[\]%-]{2,}=[\w.%-]*)(?:\*\$?)?$`)

// checkParameter reports a rule such as "Disallow: /*?sort=", which matches a URL only if the
// parameter is the first one in the URL. It reports nothing if the group also disallows URLs in
// which another parameter comes first. It never reports the parameter lightbox, because Wix itself
// writes such a rule, and never the parameter id without a value, because TYPO3 always puts it first.
func checkParameter(c *checker, l *line) {
	s := c.sectionOf(l.Number)
	if l.Kind != robotstxt.DisallowKind || !strings.Contains(l.Value, "*?") || len(s.Agents) == 0 {
		return
	}
	m := firstParameter.FindStringSubmatch(l.Value)
	if m == nil || m[1] == "lightbox=" || strings.TrimRight(m[1], "0123456789") == "id=" {
		return
	}
	url := "/page?x=1&" + m[1]
	if strings.HasSuffix(url, "=") {
		url += "1"
	}
	if c.parsed.Allowed(s.Agents[0].Token, strings.Replace(url, "?", "/?", 1)) { // rules such as "/*/?*" close most queries, too
		c.report(atValue(l, 0), "parameter-not-first", quote(url), quoteWhole("Disallow: /*&"+m[1]))
	}
}
