package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// deletion returns the edit that deletes a line, or nil if a comment would go with it.
func deletion(l *line) *Edit {
	if l.Comment != "" {
		return nil
	}
	return &Edit{Line: l.Number, Delete: true}
}

// correction returns the edit that corrects what can be corrected in a line, or nil if
// there is nothing.
func correction(l *line) *Edit {
	text := corrected(l)
	if text == l.Text || l.Number == 1 && lex.IsUTF16([]byte(text)) {
		return nil
	}
	return &Edit{Line: l.Number, Text: text}
}

// corrected returns a line of the protocol with its key in the usual spelling, a colon,
// no invisible characters, and a better value.
func corrected(l *line) string {
	keyEnd, valueEnd := l.KeyColumn-1+len(l.Key), l.ValueColumn-1+len(l.Value)
	before, gap := visible(l.Text[:l.KeyColumn-1]), visible(l.Text[keyEnd:l.ValueColumn-1])
	after := ""
	if l.Comment != "" {
		after = visible(strings.TrimSuffix(l.Text[valueEnd:], l.Comment)) + l.Comment
	}
	if !l.Colon {
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
	values[0] += after
	return strings.Join(values, "\n")
}

// isHidden reports whether a character cannot be seen and is not plain white space.
func isHidden(r rune) bool { return lex.IsBlank(r) && !strings.ContainsRune(" \t\v\f", r) }

// visible returns s without invisible characters other than plain white space.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return -1
		}
		return r
	}, s)
}

// correctedValues returns the values of the lines that replace a line.
func correctedValues(l *line) []string {
	if _, key := keyIn(l); key != "" || placeholderIn(l) != "" {
		return []string{l.Value} // the owner has to say what it should be
	}
	switch {
	case l.Kind == robotstxt.UserAgentKind && isList(l.Value):
		return correctedNames(l.Value)
	case section.IsRule(l):
		return []string{correctedPath(l)}
	}
	return []string{l.Value}
}

// isVersion matches what may follow a name after a version.
var isVersion = regexp.MustCompile(`^/v?[0-9][\w.]*$`).MatchString

// isList reports whether the value of a user-agent line consists of names, each with no
// more than a version or a star. A line of prose does not.
func isList(value string) bool {
	for _, name := range lex.Names(value) {
		token, rest := cutName(name)
		if token == "" && name != "" || rest != "" && rest != "*" && !isVersion(rest) || strings.EqualFold(token, "Mozilla") {
			return false
		}
	}
	return strings.Trim(value, ", \t") != ""
}

// cutName cuts a name on a user-agent line into its token and the rest.
func cutName(name string) (token, rest string) {
	n := lex.NameLen(name)
	return name[:n], name[n:]
}

// correctedNames returns the names of a list without versions and stars.
func correctedNames(value string) (names []string) {
	for _, name := range lex.Names(value) {
		if token, _ := cutName(name); token != "" {
			names = append(names, token)
		}
	}
	return names
}

// keyIn returns the first key in the value of a line of the protocol, and where it is.
// Paths may have words with a colon, but no space next to them.
func keyIn(l *line) (at int, key string) {
	if !isKnown(l) {
		return 0, ""
	}
	isSpace := func(s string) bool { return s == " " || s == "\t" }
	for i := strings.IndexByte(l.Value, ':'); i >= 0 && i < len(l.Value); i++ {
		if l.Value[i] != ':' {
			continue
		}
		for _, key := range keysByLength {
			at := i - len(key)
			if at < 0 || !strings.EqualFold(l.Value[at:i], key) {
				continue
			}
			if at == 0 || isSpace(l.Value[at-1:at]) || i+1 < len(l.Value) && isSpace(l.Value[i+1:i+2]) {
				return at, key
			}
		}
	}
	return 0, ""
}

// keysByLength has "Disallow" before the "Allow" in it.
var keysByLength = []string{"Crawl-delay", "User-agent", "Disallow", "Sitemap", "Allow"}

// templateMark matches what templates leave in a value.
var templateMark = regexp.MustCompile(`(?i)\{\{|\$\{|<%|\{%|[[<{](your|domain)|[[<]site`)

// Hosts that examples have, whole or in part.
var (
	exampleHosts = []string{"example.com", "example.org", "example.net", "example", "localhost", "127.0.0.1"}
	exampleParts = []string{
		"yourdomain.", "your-domain.", "your_domain.", "your.domain", "yoursite.", "your-site.", "your_site.", "yourwebsite.", "your-website.",
		"yourdomainname", "your-domain-name", "yoursitename", "your-site-name", "yourstore.", "your-store.", "yourshop.", "your-shop.", "yourblog.",
		"mydomain.", "mywebsite.", "my-website.", "domain.tld",
	}
)

// placeholderIn returns the part of the value that a template or an example left.
func placeholderIn(l *line) string {
	if strings.ContainsAny(l.Value, "{<[") {
		found := templateMark.FindString(l.Value)
		if found == "{{" && l.Value[0] == '/' {
			return "" // some sites keep crawlers away from their own broken links
		}
		if found != "" {
			return found
		}
	}
	if l.Kind != robotstxt.SitemapKind {
		return ""
	}
	host := strings.TrimPrefix(hostOf(l.Value), "www.")
	if i := slices.IndexFunc(exampleParts, func(part string) bool { return strings.Contains(host, part) }); i >= 0 {
		return exampleParts[i]
	}
	if host, _, _ := strings.Cut(host, ":"); slices.Contains(exampleHosts, host) {
		return host
	}
	return ""
}

// hostOf returns the host of an absolute URL in lower case, with its port, or nothing.
func hostOf(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(rest[strings.LastIndexByte(rest, '@')+1:])
}

// isURL reports whether a path is a whole URL.
func isURL(path string) bool {
	path = strings.ToLower(path[:min(len(path), len("https://"))])
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// lacksSlash reports whether a path should start with a "/".
func lacksSlash(path string) bool { return path != "" && !strings.ContainsAny(path[:1], "/*^") }

// onlyLacksSlash reports whether a "/" at the start most likely corrects a path that
// lacks one.
func onlyLacksSlash(path string) bool {
	return !strings.ContainsAny(path[:1], "\"'$#[({<\\") && !mayBeAnywhere(path) && !startsWithHost(path) && !strings.Contains(path, "://")
}

// mayBeAnywhere reports whether a path without a "/" looks like a part of a query, or
// like the end of a name.
func mayBeAnywhere(path string) bool {
	start, _, _ := strings.Cut(path, "/")
	return strings.ContainsAny(path[:1], "?&.=") || strings.Contains(start, "=")
}

// startsWithHost reports whether a path may start with the name of a host.
func startsWithHost(path string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
	first, _, _ := strings.Cut(strings.TrimRight(path, "*$"), "/")
	return strings.Count(first, ".") > 1 && strings.Trim(first, letters) == "" && first[0] != '.'
}

func hasSpace(path string) bool { return strings.ContainsAny(path, " \t") }

// hasSeveralPaths reports whether another path follows a space.
func hasSeveralPaths(path string) bool {
	next := strings.TrimLeft(path[max(0, strings.IndexAny(path, " \t")):], " \t,;")
	return hasSpace(path) && strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//")
}

// regexpIn returns a part of a path that only a regular expression would have.
func regexpIn(path string) string {
	switch {
	case strings.HasPrefix(path, "^"):
		return "^"
	case !strings.ContainsAny(path, `\([)|+`) && !strings.Contains(path, ".*"):
		return ""
	}
	for _, mark := range regexpMarks {
		if strings.Contains(path, mark) {
			return mark
		}
	}
	if strings.HasPrefix(path, ".*") {
		return ".*"
	}
	return ""
}

// regexpMarks are in regular expressions, and hardly ever in paths.
var regexpMarks = []string{
	`\.`, `\/`, `\?`, `\d`, `\w`, `\s`, `\-`, `\*`, `(.*`, `(.+`, `(?:`, `.*)`, `[^`, `[0-9`, `[a-z`, `[A-Z`, `[\`, `|/`, `/.+`, `/.*`, `)?`, `)*`, `)+`,
}

// correctedPath returns the path of a rule as every crawler understands it.
func correctedPath(l *line) string {
	path := l.Value
	if path == "" || strings.ContainsFunc(path, isHidden) || regexpIn(path) != "" || isURL(path) || decodedTwice(path) != "" {
		return path
	}
	if lacksSlash(path) && onlyLacksSlash(path) {
		path = "/" + path
	}
	if hasSpace(path) && !hasSeveralPaths(path) {
		path = strings.NewReplacer(" ", "%20", "\t", "%09").Replace(path)
	}
	if utf8.ValidString(path) {
		path = escaped(path)
	}
	return path
}

// escaped returns s with the bytes outside ASCII percent-encoded.
func escaped(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// decodedTwice returns what was meant by a text whose UTF-8 was read as Latin-1 or
// Windows-1252 and encoded again, or nothing.
func decodedTwice(s string) string {
	if !strings.ContainsAny(s, "ÂÃÄÅÐÑØÙâã") {
		return ""
	}
	var once []byte
	for _, r := range s {
		if i := strings.IndexRune(windows1252, r); i >= 0 {
			r = rune(0x80 + len([]rune(windows1252[:i])))
		}
		if r > 0xFF {
			return ""
		}
		once = append(once, byte(r))
	}
	if !utf8.Valid(once) || len(once) == utf8.RuneCount(once) {
		return ""
	}
	return string(once)
}

// windows1252 has the characters from 0x80 to 0x9F, with itself for those that it lacks.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
