package robotstxt

import (
	"bytes"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A rank orders the rules that match a target: the one with the highest rank decides. A
// rule with a longer pattern ranks higher. If two patterns are equally long, an allow rule
// ranks higher than a disallow rule (RFC 9309, section 2.2.2). If both rules are of the
// same kind, the earlier one ranks higher. No rule has rank 0.
type rank uint64

func (t *table) rank(rule int, pattern string) rank {
	l := t.lines[rule]
	r := rank(len(pattern))<<33 | rank(^uint32(rule))
	if l.has(implied) {
		r += 1 << 33 // count the "$" of an implied rule, too; t.rule has left it out of pattern
	}
	if l.has(allow) {
		r |= 1 << 32
	}
	return r
}

func (r rank) allows() bool { return r>>32&1 != 0 }

// rule returns the index of the rule.
func (r rank) rule() int { return int(^uint32(r)) }

// bestOf returns the highest rank of the rules in a section that match a target. If no rank
// is higher than best, bestOf returns best.
func (t *table) bestOf(section int, target target, best rank) rank {
	i := section + 1
	for next := t.lines[i]; !next.has(header); i++ {
		rule := next
		next = t.lines[i+1]
		if !rule.has(userAgent | sitemap | record | rewritten | classMask) { // the pattern is a plain prefix, as in most rules
			// Compare the pattern's last octet first. The first octets tell less: often, a
			// pattern and a path start alike but end differently.
			if n := int(next.start - rule.start); n > len(target.path) || t.text[next.start-1] != target.path[n-1] {
				continue
			}
		}
		if rule.isRule() {
			best = t.better(i, target, best)
		}
	}
	return best
}

// better returns the rank of rule i if the rule matches the target and the rank is higher
// than best. Otherwise it returns best.
func (t *table) better(i int, target target, best rank) rank {
	pattern := t.at(i)
	if t.lines[i].has(implied | rewritten) {
		pattern, _ = t.rule(i)
	}
	if r := t.rank(i, pattern); r > best && matches(pattern, t.lines[i].classes(), target) {
		return r
	}
	return best
}

// A Pattern is a path pattern (RFC 9309, sections 2.2.2 and 2.2.3). Use a Pattern for
// the path in a record such as Content-Usage. For allow and disallow lines, use a File. A
// Pattern never changes and is safe for concurrent use. The zero Pattern is empty and matches nothing.
type Pattern struct{ written, canonical string }

// NewPattern compiles a pattern. It takes any string. A pattern that starts with
// neither "/" nor "*" gets a leading "/". An empty pattern matches nothing.
func NewPattern(pattern string) Pattern {
	return Pattern{pattern, string(appendPattern(nil, pattern))}
}

// Matches reports whether the pattern matches the path and query of a URL. It takes any
// string as the URL, and reads it as [File.Decide] does.
func (p Pattern) Matches(url string) bool {
	classes := patternClassesOf([]byte(p.canonical), classesOf(p.canonical))
	return p.written != "" && matches(p.canonical, classes, newTarget(url))
}

// Octets returns the length of the pattern's canonical form. If several patterns
// match a URL, the one with the most octets decides (RFC 9309, section 2.2.2).
func (p Pattern) Octets() int { return len(p.canonical) }

// Canonical returns the canonical form of the pattern (RFC 9309, section 2.2.2). In this
// form, unreserved characters are not escaped, characters that need an escape have one,
// escapes are in upper case, and the pattern starts with "/" or "*". Asterisks and dollar
// signs stay as written. Patterns with the same canonical form match the same URLs.
func (p Pattern) Canonical() string { return p.canonical }

// String returns the pattern as written.
func (p Pattern) String() string { return p.written }

// isRooted reports whether a pattern starts with "/" or "*". The pattern must not be empty.
func isRooted[S []byte | string](pattern S) bool { return pattern[0] == '/' || pattern[0] == '*' }

// appendPattern appends the canonical form of a pattern.
func appendPattern[S []byte | string](dst []byte, pattern S) []byte {
	if len(pattern) > 0 && !isRooted(pattern) {
		dst = append(dst, '/')
	}
	return lex.AppendCanonical(dst, pattern)
}

// patternClassesOf returns the classes of a canonical pattern, without those that do not
// affect matching. It leaves out "$" unless the pattern ends with "$". It leaves out "%" if
// the pattern has neither "%24" nor "?", because appendSpelling leaves such a pattern
// unchanged.
func patternClassesOf(pattern []byte, classes octetClass) octetClass {
	if classes&dollarClass != 0 && pattern[len(pattern)-1] != '$' {
		classes &^= dollarClass
	}
	if classes&percentClass != 0 && !bytes.Contains(pattern, []byte("%24")) && classes&questionClass == 0 {
		classes &^= percentClass
	}
	return classes & patternClasses
}

// matches reports whether a canonical pattern matches a target. The parameter classes must be
// the result of patternClassesOf for the pattern.
func matches(pattern string, classes octetClass, t target) bool {
	path, anchored := t.path, classes&dollarClass != 0
	if classes&questionClass != 0 {
		path = t.query
	}
	if anchored {
		pattern = strings.TrimSuffix(pattern, "$")
	}
	if classes&percentClass != 0 { // few patterns contain "%"
		var buf [64]byte
		pattern = string(appendSpelling(buf[:0], pattern, classes&questionClass != 0))
	}
	if classes&starClass != 0 {
		return matchWild(pattern, path, anchored)
	}
	return strings.HasPrefix(path, pattern) && (!anchored || len(path) == len(pattern))
}

// matchWild matches a pattern with wildcards against a path. It takes the first match of
// each literal between two wildcards: a later match would only leave less of the path for
// the rest of the pattern.
func matchWild(form, path string, anchored bool) bool {
	star, place := strings.IndexByte(form, '*'), 0
	if !strings.HasPrefix(path, form[:star]) {
		return false
	}
	for place >= 0 {
		path, form = path[place+star:], form[star+1:]
		for form != "" && form[0] == '*' {
			form = form[1:]
		}
		if star = strings.IndexByte(form, '*'); star < 0 {
			return anchored && strings.HasSuffix(path, form) || !anchored && strings.Contains(path, form)
		}
		place = strings.Index(path, form[:star])
	}
	return false
}

// A target is the path and the query of a URL in canonical form, for comparing with
// patterns. A target has two spellings; appendSpelling explains the difference.
type target struct {
	path  string // the spelling for patterns without a "?"
	query string // the spelling for patterns with a "?"
}

// newTarget returns the target of a URL. It allocates nothing if the path and the query can
// be used as they are.
func newTarget(url string) target {
	path := pathOf(url)
	classes := classesOf(path)
	if classes&endClass != 0 {
		path, _, _ = strings.Cut(path, "#")
	}
	if path[0] != '/' {
		path = "/" + path
	}
	if classes&(illegalClass|percentClass|starClass) != 0 {
		return canonicalTarget(path, classes)
	}
	return target{path, path}
}

// canonicalTarget returns the target of a path. The parameter classes contains the classes
// of all octets in the path.
func canonicalTarget(path string, classes octetClass) target {
	var buf [512]byte
	canonical := lex.AppendCanonical(buf[:0], path)
	if classes&starClass != 0 {
		canonical = bytes.ReplaceAll(canonical, []byte("*"), []byte("%2A")) // in patterns, "%2A" is a literal asterisk
	}
	path = stringOr(path, canonical)
	path = stringOr(path, appendSpelling(buf[:0], path, false))
	return target{path, stringOr(path, appendSpelling(buf[:0], path, true))}
}

// stringOr returns string(b). To avoid an allocation, it returns s itself if b equals s.
func stringOr(s string, b []byte) string {
	if s == string(b) {
		return s
	}
	return string(b)
}

// pathOf returns the part of a URL after the host: the path, query and fragment. The URL can
// be any string. If the URL ends after the host, or if "#" follows the host, pathOf returns
// "/". Any other result starts with "/", "?" or ";".
func pathOf(url string) string {
	url = strings.TrimPrefix(url, "//")
	start := hostLen(url)
	if start > 0 && strings.HasPrefix(url[start-1:], "://") {
		url = url[start+len("//"):]
		start = hostLen(url)
	}
	if start == len(url) || url[start] == '#' {
		return "/"
	}
	return url[start:]
}

// hostLen returns the length of the host at the start of s, which ends before the first
// of "/?;#".
func hostLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c <= '?' && (c == '/' || c == '?' || c == ';' || c == '#') {
			return i
		}
	}
	return len(s)
}

// appendSpelling appends s, a canonical pattern or path, in the spelling in which patterns
// and paths are compared. It decodes "%24" to "$". The caller sets hasQuery for a pattern
// that contains "?", and for a path that is compared with such patterns. If hasQuery is
// true, appendSpelling also decodes "%3A" to ":" and "%2F" to "/" after the first "?" (RFC
// 9309, section 2.2.2, figure 4).
func appendSpelling(dst []byte, s string, hasQuery bool) []byte {
	inQuery := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		inQuery = inQuery || hasQuery && c == '?'
		switch rest := s[i:]; {
		case c != '%':
		case strings.HasPrefix(rest, "%24"):
			c, i = '$', i+len("24")
		case inQuery && strings.HasPrefix(rest, "%3A"):
			c, i = ':', i+len("3A")
		case inQuery && strings.HasPrefix(rest, "%2F"):
			c, i = '/', i+len("2F")
		}
		dst = append(dst, c)
	}
	return dst
}
