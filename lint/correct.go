package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// deletion returns the edit that deletes a line, or nil if the line has a comment.
func deletion(l *line) *Edit {
	if l.Comment != "" {
		return nil
	}
	return &Edit{Line: l.Number, Delete: true}
}

// correction returns the edit that corrects as much of a line as possible. It returns nil if there is
// nothing to correct, or if a correction would bring a rule to life that is commented out, or would give a
// crawler a second group, because some crawlers read only one.
func (c *checker) correction(l *line) *Edit {
	text := corrected(l)
	if text == l.Text || section.IsCommentedOut(l) || c.isRepeated(l) {
		return nil
	}
	return &Edit{Line: l.Number, Text: text}
}

// corrected returns the corrected text of a line: the key in its usual spelling, a colon, and
// the corrected value, without invisible characters.
func corrected(l *line) string {
	keyEnd, valueEnd := l.KeyColumn-1+len(l.Key), l.ValueColumn-1+len(l.Value)
	before, gap := visible(l.Text[:l.KeyColumn-1]), visible(l.Text[keyEnd:l.ValueColumn-1])
	after := ""
	if space := strings.TrimSuffix(l.Text[valueEnd:], l.Comment); space != "" && l.Comment != "" {
		after = cmp.Or(visible(space), " ")
	}
	if !l.Colon || l.Text[keyEnd:l.ValueColumn-1] != gap {
		gap = ": "
	}
	key := l.Key
	if isKnown(l) && !strings.EqualFold(key, l.Kind.String()) {
		key = l.Kind.String()
	}
	values := correctedValues(l)
	for i, value := range values {
		values[i] = before + key + gap + value
	}
	values[0] += after + l.Comment
	return strings.Join(values, "\n")
}

// isHidden reports whether r is invisible, but not ordinary white space such as a space or a tab.
func isHidden(r rune) bool { return lex.IsBlank(r) && !strings.ContainsRune(" \t\v\f", r) }

// withBreaks returns s with each byte that is a no-break space in Latin-1 as a no-break space in UTF-8. If s
// contains other bytes that are not UTF-8, withBreaks returns s.
func withBreaks(s string) string {
	if whole := strings.ReplaceAll(s, "\xa0", "\u00a0"); utf8.ValidString(whole) {
		return whole
	}
	return s
}

// visible returns s without its hidden characters.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return -1
		}
		return r
	}, s)
}

// correctedValues returns the corrected value of a line. For a user-agent line with several
// names, it returns one value for each name, because each name gets its own line.
func correctedValues(l *line) (values []string) {
	_, key := keyIn(l)
	switch {
	case key != "" || placeholderIn(l) != "": // only the owner knows the right value
	case l.Kind == robotstxt.UserAgentKind && isList(l.Value):
		for _, name := range lex.Names(l.Value) {
			if token, _ := cutName(name); token != "" {
				values = append(values, token)
			}
		}
		return values
	case section.IsRule(l):
		return []string{correctedPath(l)}
	}
	return []string{l.Value}
}

// isVersion reports whether the text after a crawler's token is "/*" or a version such as "/1.2".
// After the version, the address of the crawler may follow in parentheses.
var isVersion = regexp.MustCompile(`(?i)^[/ ](v?[0-9][\w.]*\*?( \(\+?http[^()]*\))?|\*)$`).MatchString

// isList reports whether the value of a user-agent line is a list of names, not prose. Each name
// may be followed by a version or a star. But the result is false if one of
// them is only "*", which is probably a wildcard after the name before it.
func isList(value string) bool {
	for _, name := range lex.Names(value) {
		token, rest := cutName(name)
		if token == "" && name != "" || rest != "" && rest != "*" && !isVersion(rest) || strings.EqualFold(token, "Mozilla") || name == "*" {
			return false
		}
	}
	return strings.TrimFunc(value, func(r rune) bool { return r == ',' || lex.IsBlank(r) }) != ""
}

// cutName cuts a name on a user-agent line into its token and the rest.
func cutName(name string) (token, rest string) {
	n := lex.NameLen(name)
	return name[:n], name[n:]
}

const protocolKeys = `(crawl-delay|user-agent|disallow|sitemap|allow)`

// keyBesideSpace matches a key of the protocol and its colon, such as "Allow:". They must be at the
// start of the value, after a space or tab, or before a space or tab.
var keyBesideSpace = regexp.MustCompile(`(?i)(?:^|[ \t])` + protocolKeys + `:|` + protocolKeys + `:[ \t]`)

// keyIn finds a second key on a line, as in "Disallow: /a Allow: /b". It returns the first key that
// the line's value contains, and the offset of that key in bytes. If there is none, the key is "".
// In a path or URL without spaces, such as "/allow:b", keyIn finds no key.
func keyIn(l *line) (at int, key string) {
	if !isKnown(l) || !strings.Contains(l.Value, ":") || strings.Count(l.Value, ":") == strings.Count(l.Value, "://") { // the second test only saves time
		return 0, ""
	}
	m := keyBesideSpace.FindStringSubmatchIndex(l.Value)
	if m == nil {
		return 0, ""
	}
	at = max(m[2], m[4])
	return at, l.Value[at:max(m[3], m[5])]
}

var (
	// templateMark matches the markup of a template, such as "{{".
	templateMark = regexp.MustCompile(`(?i)\{\{|\$\{|<%|\{%|[[<{](your|domain)|[[<]site|</\w+>`)
	// exampleHost matches hosts from examples, such as "yourdomain.com".
	exampleHost = regexp.MustCompile(`^(example(\.com|\.org|\.net)?|localhost|127\.0\.0\.1)$|` +
		`^([\w-]+\.)*(my-?)?company\.com$|your[-_]?(domain|site|website|company|store|shop|blog)([-_]?name|\.)|your\.domain|my-?(domain|website)\.|domain\.tld|\{.*`)
	// Each host that exampleHost matches contains one of the exampleWords. Searching for these
	// words is faster, so placeholderIn uses exampleHost only if a host contains one of them.
	exampleWords = []string{"example", "localhost", "127.0.0.1", "your", "domain", "website", "company.com", "{"}
)

// placeholderIn returns a part of the value that the author forgot to replace, such as "{{" from a
// template or "yourdomain.com" from an example. It returns "" if there is no such part.
func placeholderIn(l *line) string {
	if lex.CharsOf(l.Value).HasAny(lex.CharsOf("{<[")) {
		found := templateMark.FindString(l.Value)
		// A rule with "{{" or "*" is probably meant as written: a broken template puts "{{" into the
		// links of a site, and the owner keeps crawlers from such links. So is a tag after a folder, as in "/a/<b>c</b>".
		if found != "" && !(section.IsRule(l) && (found == "{{" && l.Value[0] == '/' || strings.ContainsAny(l.Value, "*?") || found[:2] == "</" && strings.Index(l.Value, "/<") > 0)) {
			return found
		}
	}
	if l.Kind != robotstxt.SitemapKind {
		return ""
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(hostOf(l.Value), "www."), ":")
	if !slices.ContainsFunc(exampleWords, func(word string) bool { return strings.Contains(host, word) }) {
		return "" // exampleHost cannot match, because the host contains none of the exampleWords
	}
	return exampleHost.FindString(host)
}

// isURL reports whether the value of a rule is a whole URL, not a path.
func isURL(path string) bool {
	path = strings.ToLower(path[:min(len(path), len("https://"))])
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// lacksSlash reports whether a path should start with "/" but does not. A path may also start
// with "*", or with the "^" of a regular expression. A number alone is probably no path, but the
// empty cell of a spreadsheet, or a page that has no name.
func lacksSlash(path string) bool {
	return path != "" && !strings.ContainsAny(path[:1], "/*^") && strings.TrimLeft(path, "0123456789") != ""
}

var (
	// isHost matches hosts with at least two dots, such as "www.example.org", or a common ending, such as "example.org".
	isHost = regexp.MustCompile(`(?i)^[a-z0-9-]+((\.[a-z0-9-]+){2,}|\.(com|net|org|eu))$`).MatchString
	// isFile matches the names of files with a common extension, such as "a.b.php".
	isFile = regexp.MustCompile(`(?i)\.(php|x?html?|xml|aspx?|jsp|js|css|txt|pdf)$`).MatchString
)

// wordsNotPaths are words that people write in the place of a path. They mean the whole site, nothing
// or any URL.
var wordsNotPaths = []string{"all", "none", "everything", "nothing", "any", "yes", "no", "true", "false", "http", "https"}

// slashCase returns the special case of the code path-without-slash, such as "/host", for a path
// that lacks a "/" at its start. It returns "" if the path most likely lacks nothing but the "/".
func slashCase(path string) string {
	first, rest, _ := strings.Cut(strings.TrimRight(path, "*$"), "/")
	switch {
	case slices.Contains(wordsNotPaths, strings.ToLower(strings.Trim(path, ":*$"))), strings.Trim(path, `"'./\`) == "":
		return "/word"
	case strings.Contains(path, "://"), strings.Contains(first, ".") && isHost(first) && !isFile(first), path[0] == ':' && strings.Trim(first, ":0123456789") == "":
		return "/host" + map[bool]string{true: " alone"}[rest == ""]
	case hasSpace(path) && !strings.ContainsAny(path, "/.*?"):
		return "/text"
	case strings.ContainsAny(path[:1], `$[({<\"'`), strings.Trim(first, ".") == "", strings.ContainsAny(first, ":@"):
		return "/odd"
	case strings.ContainsAny(path[:1], "?&") && strings.Trim(path, "?&*") != "":
		return "/parameter"
	case strings.ContainsAny(path[:1], "?&.=;"), strings.HasSuffix(strings.ToLower(first), "sid") && !strings.Contains(path, "/"): // part of a query or the end of a file name, or the parameter of a session, such as PHPSESSID
		return "/anywhere"
	case strings.Contains(first, "="), strings.HasSuffix(path, "$"), strings.ContainsAny(path[:1], "-_+") && !isFile(path): // perhaps a part of a path
		return "/either"
	}
	return ""
}

// straySpace matches a space that is most likely a slip or a separator, because hardly any URL has a
// space there: beside a sign such as "/", or on only one side of a hyphen.
var straySpace = regexp.MustCompile(`(?i)[/*?=&,;][ \t]|[ \t][/*?=&.]|\.[ \t](?:php|html?|aspx?)|\w-[ \t]|[ \t]-\w`)

// encodeSpaces percent-encodes spaces, tabs, and other characters that URLs never have.
var encodeSpaces = strings.NewReplacer(" ", "%20", "\t", "%09", "<", "%3C", ">", "%3E", "{", "%7B", "}", "%7D").Replace

// regexpPart matches text that is common in regular expressions and rare in paths.
var regexpPart = regexp.MustCompile(`^\^|^\.\*|\\[./?dws*-]|\(\.[*+]|\(\?:|\.\*\)|\[(?:\^|0-9|a-z|A-Z|\\)[^\]]*\]?|[^/]{2}\|/|/\.\+|/\.\*/?[^*$/]|\)\+|\)\?(?:[/.*$]|$)|([|\]]|\([.?]).*\)\*`)

// regexpIn returns a part of a path that only a regular expression would have, or "" if there
// is none.
func regexpIn(path string) string {
	if !lex.CharsOf(path).HasAny(lex.CharsOf(`^\([)|`)) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") || strings.Contains(path, `\\`) {
		return "" // without one of these characters or a segment that starts with ".", regexpPart cannot match; two backslashes are probably meant as written
	}
	return regexpPart.FindString(path)
}

// isMixed matches a word that is Latin except for letters that only look Latin, such as "pаge", whose "а"
// is Cyrillic.
var isMixed = regexp.MustCompile(strings.ReplaceAll(`[A-Za-z]{2}[@]+[A-Za-z/]|/[A-Za-z]?[@]+[A-Za-z]{2}`, "@", "аеіјорсѕухАВЕІЈКМНОРСЅТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")).MatchString

// correctedPath returns the path of a rule in a form that every crawler understands. It does
// not change characters whose meaning is unclear.
func correctedPath(l *line) string {
	path := l.Value
	isOdd := lex.CharsOf(path).HasAny(lex.Controls|lex.Foreign) && (strings.ContainsFunc(path, isHidden) || decoded(l) != "" || isMixed(path))
	if isOdd || regexpIn(path) != "" || isURL(path) {
		return path
	}
	if lacksSlash(path) && slashCase(path) == "" {
		path = "/" + path
	}
	if hasSpace(path) && !straySpace.MatchString(path) {
		path = encodeSpaces(path)
	}
	if utf8.ValidString(path) {
		path = escaped(path)
	}
	return path
}

// escaped returns s with the bytes outside ASCII percent-encoded.
func escaped(s string) string {
	var b []byte
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b = append(b, s[i])
		} else {
			b = fmt.Appendf(b, "%%%02X", s[i])
		}
	}
	return string(b)
}

// decoded returns the value of a line without its second encoding, or "" if the value was not encoded
// twice. The spaces and control characters after the value can be parts of its last character.
func decoded(l *line) string {
	return lex.Trim(cmp.Or(decodedTwice(strings.TrimSuffix(l.Text[l.ValueColumn-1:], l.Comment)), decodedTwice(l.Value)))
}

// decodedTwice returns "é" for "Ã©": it restores text in UTF-8 that was read as Latin-1 or
// Windows-1252 and encoded again. It returns "" for other strings.
func decodedTwice(s string) string {
	var once []byte
	for _, r := range s {
		if i := slices.Index(windows1252, r); i >= 0 {
			r = rune(0x80 + i)
		}
		if r > 0xFF {
			return ""
		}
		once = append(once, byte(r))
	}
	if !utf8.Valid(once) || len(once) == utf8.RuneCount(once) {
		return ""
	}
	return cmp.Or(decodedTwice(string(once)), string(once)) // try again, because some text was encoded more than twice
}

// windows1252 contains the characters that the bytes 0x80 to 0x9F stand for in Windows-1252.
// For bytes that Windows-1252 does not use, it contains the character in Latin-1.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
