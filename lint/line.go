package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// checkEncoding reports UTF-16, and byte-order marks in UTF-8.
func checkEncoding(c *checker) {
	if len(c.lines) == 0 {
		return
	}
	first, start := c.lines[0], place{1, 1}
	switch {
	case lex.IsUTF16(c.data):
		c.report(start, "utf-16").Fix = &Edit{Line: 1, Text: first.Text} // the edit does not change the line, but Fix writes a file with an edit in UTF-8
	case first.Kind == robotstxt.NoKind: // crawlers ignore this first line anyway, so a byte-order mark does no harm
	case bytes.HasPrefix(c.data, []byte("\uFEFF")):
		c.report(start, "byte-order-mark"+map[bool]string{bytes.HasPrefix(c.data, []byte("\uFEFF\uFEFF")): "/two", !((c.inside[0].disallow || c.tokens["*"].disallow) && c.isForOlder(c.inside[0])): "/harmless", c.isRepeated(first): "/repeated"}[true]).Fix = c.correction(first)
	case bytes.HasPrefix(c.data, []byte(brokenMark)):
		c.report(start, "broken-byte-order-mark", quote(brokenMark)).Fix = c.correction(first)
	}
}

// brokenMark is a byte-order mark in UTF-8 that was read as Latin-1 and written as UTF-8
// again.
const brokenMark = "\u00EF\u00BB\u00BF"

// checkSize reports files that crawlers do not read to the end.
func checkSize(c *checker) {
	if section.Size(c.data) > robotstxt.SizeLimit { // the finding does not give the file's size, because data may be only the start of the file
		c.report(place{max(1, len(c.lines)), 1}, "file-too-large")
	}
}

// isPlain reports whether a line is a rule in its usual form with an ordinary path: the path has only
// plainChars or, besides them, wildcards, but neither "/." nor "*?". Most lines are plain. Check does not run
// lineChecks on plain lines, because these checks would report nothing: "/." can start a regular expression,
// and a parameter can follow "*?".
func isPlain(l *line) bool {
	if !section.IsRule(l) || l.Key != l.Kind.String() || !strings.HasPrefix(l.Text[len(l.Key):], ": /") {
		return false
	}
	set := lex.CharsOf(l.Text[l.ValueColumn-1:])
	return plainChars.HasAll(set) || (plainChars|lex.CharsOf("*$")).HasAll(set) && !strings.Contains(l.Value, "/.") && !strings.Contains(l.Value, "*?")
}

// checkInvisible reports the first hidden character of a line (see isHidden).
func checkInvisible(c *checker, l *line) {
	if l.Kind == robotstxt.NoKind || !lex.CharsOf(l.Text).HasAny(lex.Controls|lex.Foreign) || strings.HasPrefix(lex.Fold(l.Key), "acap-") { // no crawler reads the keys of ACAP
		return
	}
	text := withBreaks(strings.TrimSuffix(l.Text, l.Comment))
	i := strings.IndexFunc(text, isHidden)
	if i < 0 || section.IsRule(l) && (decoded(l) != "" || isCovered(l, c.sectionOf(l.Number).rules)) { // checkForeign reports text that was encoded twice
		return
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	f := c.report(place{l.Number, i + 1}, "invisible-character"+map[bool]string{l.Kind == robotstxt.UserAgentKind && (i < l.ValueColumn || strings.HasPrefix(l.Value, "*")): "/agent", c.isRepeated(l): "/repeated"}[true], cmp.Or(map[rune]string{'\u00A0': "a no-break space (U+00A0)"}[r], fmt.Sprintf("the invisible character %U", r)), quote(escaped(string(r))))
	if utf8.ValidString(l.Value) && !strings.ContainsFunc(l.Value, isHidden) {
		f.Fix = c.correction(l)
	}
}

// checkKey checks how the key is spelled, and whether any crawler reads it. It does not report that an
// "Allow /" lacks its colon if the crawler also has disallow lines: the line allows only what is allowed
// anyway, and with the colon, crawlers that obey the first rule or group would fetch everything. Nor does it
// report a disallow line that would change nothing even if its key were right.
func checkKey(c *checker, l *line) {
	switch {
	case section.IsCommentedOut(l):
		c.report(atStart(l), "variant-key/comment")
	case l.Kind == robotstxt.DisallowKind && (!l.Colon || !strings.EqualFold(l.Key, l.Kind.String())) && c.changesNothing(l, l.Value):
		// The group disallows the path anyway.
	case isKnown(l):
		s, above := c.sectionOf(l.Number), c.inside[max(0, l.Number-2)]
		if !strings.EqualFold(l.Key, l.Kind.String()) && (l.Kind != robotstxt.UserAgentKind || l.Value == "*" && (above == s || !above.names("*")) || !s.names("*")) { // beside "*", a name makes no difference; nor does a "*" below a group for "*"
			c.report(atStart(l), "variant-key/"+lex.Letters(l.Key), quote(l.Key), quote(l.Kind.String()+":")).Fix = c.correction(l)
		}
		if !l.Colon && (l.Kind != robotstxt.AllowKind || !matchesAll(l.Value) || len(s.Agents) != 1 || !c.tokens[s.Agents[0].Folded].disallow || c.tokens[s.Agents[0].Folded].closed) {
			// In a group with no other rule, a crawler that skips the line reads the rules of the next group.
			c.report(place{l.Number, l.KeyColumn + len(l.Key)}, "missing-colon"+map[bool]string{l.Kind == robotstxt.UserAgentKind && s.disallow: "/agent", section.IsRule(l) && len(s.rules) == 1 && s.closed && s != c.sections[len(c.sections)-1] && c.inside[s.Lines[len(s.Lines)-1].Number].closed: "/same"}[true]).Fix = c.correction(l)
		}
	case !lettersAndDigits.HasAny(lex.CharsOf(content(l))), section.RecordKey(l.Key) != "": // checkRecords checks a line with such a key
	case section.IsRecord(l):
		reportMisspelledKey(c, l)
	case content(l) != brokenMark:
		reportJunk(c, l)
	}
}

// reportJunk reports a line that crawlers skip, and guesses what its author meant.
func reportJunk(c *checker, l *line) {
	text := strings.TrimPrefix(content(l), brokenMark)
	word, rest, _ := strings.Cut(strings.Replace(text, "：", " ", 1), " ") // some keyboards type this colon
	special, meant, last := "/comment", "", c.sections[len(c.sections)-1]
	isProse := strings.HasPrefix(text, "<!--") || strings.HasPrefix(text, "//") || len(strings.Fields(text)) > 3 && (text[0] != '/' || text[1] == '*') && !strings.HasPrefix(text, "www.") && !strings.HasPrefix(text, "http")
	switch kind := kindOf(word); {
	case strings.HasSuffix(text, "/robots.txt"), isAbsolute(text) && strings.HasSuffix(text, "/"): // the address of a robots.txt or a folder, so probably a comment
	case isAbsolute(text):
		special, meant = "/sitemap", quoteWhole("Sitemap: "+text)
	case isPath(text):
		special, meant = "/path", quoteWhole("Disallow: /"+strings.TrimPrefix(text, "/"))
	case kind != robotstxt.NoKind && rest != "":
		special, meant = "/key", quote(kind.String()+":")
	case isProse && len(last.rules) > 0 && last.rules[len(last.rules)-1].Number < l.Number:
		return // prose below the last rule does no harm; a program may have added it
	case !strings.ContainsAny(text[:1], "</") && !lettersAndDigits.HasAny(lex.CharsOf(text[:1])):
		return // decoration, such as a line of dashes
	}
	f := c.report(atStart(l), "junk-line"+special, quote(text), meant)
	if special == "/comment" && isProse && l.Kind == robotstxt.NoKind {
		f.Fix = &Edit{Line: l.Number, Text: "# " + strings.TrimLeft(l.Text, " \t\uFEFF")}
	}
}

// isPath reports whether a line without a key looks like the path of a page or folder. The path of a
// sitemap does not count.
func isPath(text string) bool {
	return strings.ContainsAny(text[:1], "/*") && !strings.Contains(lex.Fold(text), ".xml") && !strings.HasPrefix(text, "//") && !strings.Contains(text, " ") && !matchesAll(text)
}

// lettersAndDigits contains the characters with which a key can start. Bytes outside ASCII are among
// them, because a key in a wrong encoding can start with such a byte.
var lettersAndDigits = lex.Digits | lex.Foreign | lex.CharsOf("abcdefghijklmnopqrstuvwxyz")

// reportMisspelledKey reports a key that is similar to a known key. Other keys are fine, because any
// service may define its own.
func reportMisspelledKey(c *checker, l *line) {
	meant := similarKey(lex.Letters(l.Key))
	if strings.Contains(lex.Letters(l.Key), "sitemap") && isAbsolute(l.Value) {
		meant = robotstxt.SitemapKind.String()
	}
	if meant != "" {
		c.report(atStart(l), "misspelled-key", quote(l.Key), quote(meant+":"))
	}
}

// checkComment reports a "#" right after the path of a rule, unless the "#" clearly starts a
// comment. Crawlers read only the path before the "#". If this path matches every URL, the advice is
// to delete the line, unless it is an allow line. Otherwise, the owner may rely on the rule, so the advice also says how to keep
// the rule. In any value, checkComment reports a "#" that belongs to an HTML entity.
func checkComment(c *checker, l *line) {
	glued := strings.TrimLeft(l.Comment, "#")
	if glued == "" && !strings.HasSuffix(l.Value, "/") && !matchesAll(l.Value) || glued != "" && strings.ContainsAny(glued[:1], " \t") || l.Value == "" || l.CommentColumn != l.ValueColumn+len(l.Value) {
		return
	}
	at := place{l.Number, l.CommentColumn}
	switch {
	case strings.HasSuffix(l.Value, "&") && strings.Contains(l.Comment, ";"): // the "#" is part of an HTML escape, such as "&#252;" for "ü"
		c.report(at, "placeholder", quote("&"+l.Comment[:strings.Index(l.Comment, ";")+1]))
	case !section.IsRule(l), isURL(strings.TrimLeft(l.Value, "/")): // checkPath reports a value that is a URL; a "/" before the URL does no harm: Weebly writes rules such as "/https://www.example.org/"
	case isCovered(l, c.sectionOf(l.Number).rules), strings.HasSuffix(lex.Fold(l.Value), ".pdf"): // the line makes no difference, or the "#" starts a part of a PDF file, such as "#page=2"
	case l.Kind == robotstxt.AllowKind:
		c.report(at, "glued-comment/allow", quote(l.Value))
	case matchesAll(l.Value):
		c.report(at, "glued-comment", quote(l.Value))
	default:
		isPage := strings.ContainsAny(l.Value[strings.LastIndexByte(l.Value, '/')+1:], ".?")
		c.report(at, "glued-comment/"+map[bool]string{true: "page", false: "path"}[isPage], quote(l.Value), asRule(l, correctedPath(l)))
	}
}

// checkValue reports a value that contains a second key or a placeholder. For any other value,
// checkValue runs the checks for the line's kind. It skips lines that are blank, junk or prose.
func checkValue(c *checker, l *line) {
	if !isKnown(l) && !section.IsRecord(l) || section.IsCommentedOut(l) {
		return
	}
	if i, key := keyIn(l); key != "" {
		s, isSite := c.sectionOf(l.Number), strings.ContainsAny(l.Value[len(l.Value)-1:], "/*") && strings.HasSuffix(strings.TrimRight(lex.Fold(l.Value), "/* \t"), "disallow:")
		special := map[bool]string{s.disallow && section.IsRule(c.lines[min(l.Number, len(c.lines)-1)]) && strings.HasSuffix(lex.Fold(l.Value), "disallow:"): "/empty", i > 0 && l.Value[i-1] > ' ' && section.IsRule(l) && strings.HasSuffix(lex.Fold(key), "allow"): "/path"}[true]
		switch {
		case l.Kind == robotstxt.UserAgentKind && (i == 0 && strings.EqualFold(key, "Sitemap") || strings.EqualFold(key, "User-agent") && strings.Contains(lex.Fold(l.Value), "mozilla/")):
			special = "/name"
		case i == 0:
			special = map[bool]string{true: "/open", false: "/twice"}[l.Kind == robotstxt.DisallowKind && strings.EqualFold(key, "Disallow") && l == s.rules[0] && s.isNamed()]
		case l.Kind == robotstxt.DisallowKind && matchesAll(lex.Trim(l.Value[:i])), (l.Kind != robotstxt.UserAgentKind || l.Value[0] == '*') && isSite:
			special = "/site"
		case strings.EqualFold(key, "User-agent") && c.tokens[lex.Fold(lex.Trim(l.Value[i+len(key)+1:]))].last == s:
			special = "/again"
		case l.Kind == robotstxt.UserAgentKind && len(s.Agents) > 0 && !hasSpace(c.lines[s.Agents[0].Line-1].Value):
			// The user-agent lines above have no rules of their own, so rules on a new line would apply to them, too.
			special = "/below"
		case (strings.EqualFold(key, "User-agent") || l.Kind == robotstxt.UserAgentKind && l.Value[0] != '*' && !isSite) && c.tokens["*"].disallow:
			special = "/own"
		}
		c.report(atValue(l, i), "several-keys"+special, quote(key+":"), asRule(l, l.Value[:i]))
		return
	}
	if found := placeholderIn(l); found != "" {
		c.report(atValue(l, 0), "placeholder", quote(found))
		return
	}
	for _, check := range valueChecks[l.Kind] {
		check(c, l)
	}
}

var (
	ruleChecks  = []func(*checker, *line){checkPath, checkPathCharacters, checkWildcards, checkParameter}
	valueChecks = [...][]func(*checker, *line){ // indexed by the kind of a line
		robotstxt.AllowKind:      ruleChecks,
		robotstxt.DisallowKind:   ruleChecks,
		robotstxt.CrawlDelayKind: {checkCrawlDelay},
		robotstxt.OtherKind:      {checkLicense, checkSignal},
	}
)
