package robotstxt

import (
	"bytes"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// none is the index of no rule.
const none = -1

// beats reports whether a rule decides rather than another one if both match a URL. Both are
// indexes into f.rules. The rule with the longer pattern decides. If both are equally long, an
// allow rule decides (RFC 9309, section 2.2.2). If both are of the same kind, the result does not
// depend on it, so the earlier one decides. Every rule beats none.
func (f *File) beats(rule, other int) bool {
	if other == none {
		return true
	}
	if n, m := len(f.pattern(rule)), len(f.pattern(other)); n != m {
		return n > m
	}
	if allow := f.rules[rule].allow(); allow != f.rules[other].allow() {
		return allow
	}
	return rule < other
}

// bestOf tries the rules of a section. If one of those that match a target beats best, bestOf
// returns the rule that decides. Otherwise, it returns best.
func (f *File) bestOf(s int, t target, best int) int {
	if x := f.indexes[s]; x != nil && x.countSearch(t) {
		return x.bestOf(f, s, t, best)
	}
	start, end := f.rulesOf(s)
	patternStart := f.patternStart(start)
	for i, r := range f.rules[start:end] {
		pattern := f.patterns[patternStart:r.end]
		patternStart = r.end
		if r.classes() == 0 { // the pattern is a plain prefix, as in most rules
			// Compare the pattern's last octet first. The first octets tell less: often, a
			// pattern and a path start alike but end differently.
			n := len(pattern)
			if n > len(t.plain) || pattern[n-1] != t.plain[n-1] || t.plain[:n] != pattern {
				continue
			}
		}
		best = f.better(start+i, t, best)
	}
	return best
}

// better returns the rule if it matches the target and beats best. Otherwise it returns best.
func (f *File) better(rule int, t target, best int) int {
	if r := f.rules[rule]; !r.isAsWritten() && f.beats(rule, best) && matches(f.pattern(rule), r.classes(), t) {
		return rule
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
	classes := relevantClasses([]byte(p.canonical), classesOf(p.canonical))
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

// relevantClasses returns the classes of a canonical pattern, without those that do not
// affect matching. It leaves out "$" unless the pattern ends with "$". It leaves out "%" if
// the pattern has neither "%24" nor "?", because lex.AppendSpelling leaves such a pattern
// unchanged.
func relevantClasses(pattern []byte, classes octetClass) octetClass {
	if classes&dollarClass != 0 && pattern[len(pattern)-1] != '$' {
		classes &^= dollarClass
	}
	if classes&percentClass != 0 && !bytes.Contains(pattern, []byte("%24")) && classes&questionClass == 0 {
		classes &^= percentClass
	}
	return classes & relevant
}

// matches reports whether a canonical pattern matches a target. The parameter classes must be
// the result of relevantClasses for the pattern.
func matches(pattern string, classes octetClass, t target) bool {
	path, anchored := t.plain, classes&dollarClass != 0
	if classes&questionClass != 0 {
		path = t.decoded
	}
	if anchored {
		pattern = strings.TrimSuffix(pattern, "$")
	}
	if classes&percentClass != 0 { // few patterns contain "%"
		var buf [64]byte
		pattern = string(lex.AppendSpelling(buf[:0], pattern, classes&questionClass != 0))
	}
	if classes&starClass != 0 {
		return matchWild(pattern, path, anchored)
	}
	return strings.HasPrefix(path, pattern) && (!anchored || len(path) == len(pattern))
}

// matchWild matches a pattern with wildcards against a path. It takes the first match of
// each literal between two wildcards: a later match would only leave less of the path for
// the rest of the pattern. The pattern must contain a "*".
func matchWild(pattern, path string, anchored bool) bool {
	for pattern[0] != '*' { // most often, few octets precede the first wildcard
		if path == "" || path[0] != pattern[0] {
			return false
		}
		path, pattern = path[1:], pattern[1:]
	}
	pattern = pattern[1:]
	for {
		star := strings.IndexByte(pattern, '*')
		if star < 0 {
			break
		}
		i := strings.Index(path, pattern[:star])
		if i < 0 {
			return false
		}
		path, pattern = path[i+star:], pattern[star+1:]
	}
	if anchored {
		return strings.HasSuffix(path, pattern)
	}
	return strings.Contains(path, pattern)
}

// A target is the path and the query of a URL in canonical form, for comparing with
// patterns. A target has two spellings. For the URL /a%24?u=%2F, plain is /a$?u=%2F, and decoded
// is /a$?u=/. See lex.AppendSpelling.
type target struct {
	plain   string // the spelling for patterns without a "?"
	decoded string // the spelling for patterns with a "?"
}

// newTarget returns the target of a URL. It allocates nothing if the path and the query can
// be used as they are.
func newTarget(url string) target {
	path := pathOf(url)
	classes := classesOf(path) // of the fragment, too, which at worst makes canonicalTarget change nothing
	if classes&endClass != 0 { // there may be a fragment
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
	// Each use of buf ends before the next one, because reuse copies.
	path = reuse(path, canonical)
	plain := reuse(path, lex.AppendSpelling(buf[:0], path, false))
	decoded := reuse(plain, lex.AppendSpelling(buf[:0], plain, true))
	return target{plain, decoded}
}

// reuse returns string(b). To avoid an allocation, it returns s itself if b equals s.
func reuse(s string, b []byte) string {
	if s == string(b) {
		return s
	}
	return string(b)
}

// pathOf returns the part of a URL after the host: the path, query and fragment. The URL can
// be any string. If the URL ends after the host, or if "#" follows the host, pathOf returns
// "/". Any other result starts with "/", "?" or ";":
//
//	https://h/a  /a
//	h/a          /a
//	h?q          ?q
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
