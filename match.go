package robotstxt

import (
	"bytes"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A rule is a compiled allow or disallow line. Its form is what targets are compared
// with: the canonical pattern in one spelling, without the "*" and "$" at its end.
type rule struct {
	start, size uint32 // of the form in the file's text
	octets      uint32 // of the canonical pattern: how specific the rule is
	line        uint32 // with the flags below
}

// The flags of a rule are in the bits above its line number, which is at most
// SizeLimit+1.
const (
	allow    uint32 = 1 << (iota + 24)
	wild            // the form has a wildcard
	anchored        // the form must match up to the end of the target
	query           // the pattern has a "?"
	respelt         // the form is not how the pattern starts; see appendRule
	implied         // added by an index.htm rule

	lineMask = 1<<24 - 1
)

func (r *rule) has(flag uint32) bool { return r.line&flag != 0 }

func (r *rule) form(text string) string { return text[r.start:][:r.size] }

// pattern returns the pattern as written.
func (r *rule) pattern(text string) string {
	if !r.has(respelt) {
		return text[r.start:][:r.octets]
	}
	written := text[r.start+r.size:]
	return written[:strings.IndexByte(written, '\n')]
}

// appendRule compiles a pattern, which is not empty and has octets of the given
// classes. It appends the rule's form to text. If the form is not how the pattern as
// written starts, that pattern follows, with a line feed to end it.
func appendRule(text, pattern, written []byte, classes octetClass) ([]byte, rule) {
	start, size := len(text), uint32(len(pattern))
	if classes == 0 && pattern[0] == '/' && len(written) == len(pattern) { // most rules
		return append(text, pattern...), rule{start: uint32(start), size: size, octets: size}
	}
	text = appendCanonicalPattern(text, pattern, classes)
	form := text[start:]
	r := rule{start: uint32(start), octets: uint32(len(form))}
	if classes&dollarClass != 0 && form[len(form)-1] == '$' {
		r.line |= anchored
		form = form[:len(form)-1]
	}
	for classes&starClass != 0 && len(form) > 0 && form[len(form)-1] == '*' {
		r.line &^= anchored
		form = form[:len(form)-1]
	}
	if classes&questionClass != 0 {
		r.line |= query
	}
	if classes&percentClass != 0 {
		form = spell(form, r.has(query))
	}
	if classes&starClass != 0 && bytes.IndexByte(form, '*') >= 0 {
		r.line |= wild
		if bytes.Contains(form, []byte("**")) {
			form = slices.CompactFunc(form, func(c, d byte) bool { return c == '*' && d == '*' })
		}
	}
	r.size = uint32(len(form))
	if len(written) != int(r.octets) || !bytes.HasPrefix(written, form) {
		r.line |= respelt
		text = append(text[:start+len(form)], written...)
		text = append(text, '\n')
	}
	return text, r
}

// appendDirectory compiles the rule that an allow rule may imply: a pattern whose last
// segment starts with "index.htm" also allows the directory itself, as if the line
// had "…/$", too.
func appendDirectory(text, pattern []byte, classes octetClass) (_ []byte, r rule, ok bool) {
	start := len(text)
	text = appendCanonicalPattern(text, pattern, classes)
	canonical := text[start:]
	slash := bytes.LastIndexByte(canonical, '/')
	if slash < 0 || !bytes.HasPrefix(canonical[slash:], []byte("/index.htm")) {
		return text[:start], rule{}, false
	}
	var buf [128]byte
	directory := append(append(buf[:0], canonical[:slash+1]...), '$')
	text, r = appendRule(text[:start], directory, pattern, classesOf(directory))
	r.line |= implied
	return text, r, true
}

// A Pattern is a path pattern, as in allow and disallow lines and in some records
// (RFC 9309, sections 2.2.2 and 2.2.3). A File matches its own rules; Pattern is for
// programs that give a meaning to other records. It never changes and is safe for
// concurrent use. The zero Pattern is the pattern of an empty string.
type Pattern struct {
	written string
	text    string // of the rule
	rule    rule
}

// NewPattern compiles a pattern. It takes any string. A pattern that starts with
// neither "/" nor "*" gets a "/" in front. An empty one matches nothing.
func NewPattern(pattern string) Pattern {
	if pattern == "" {
		return Pattern{}
	}
	text, r := appendRule(nil, []byte(pattern), []byte(pattern), classesOf(pattern))
	return Pattern{pattern, string(text), r}
}

// Matches reports whether the pattern matches the path and query of a URL, which
// may be any string; see [File.Decide].
func (p Pattern) Matches(url string) bool {
	return p.written != "" && p.rule.matches(p.text, newTarget(url))
}

// Octets returns the length of the pattern's canonical form. If several patterns
// match a URL, the one with the most octets decides (RFC 9309, section 2.2.2).
func (p Pattern) Octets() int { return int(p.rule.octets) }

// Canonical returns the canonical form of the pattern (RFC 9309, section 2.2.2):
// unreserved characters without an escape, all other escapes in upper case, an
// escape for whatever needs one, and a "/" in front if it was missing. Patterns with
// the same form match the same URLs. "*" and "$" stay as written.
func (p Pattern) Canonical() string {
	if p.written == "" {
		return ""
	}
	return string(appendCanonicalPattern(nil, []byte(p.written), classesOf(p.written)))
}

// String returns the pattern as written.
func (p Pattern) String() string { return p.written }

// bestRule returns the rule that decides about the target, among best, which may be
// nil, and the rules of a section.
func bestRule(text string, rules []rule, t target, best *rule) *rule {
	for i := range rules {
		r := &rules[i]
		if best != nil && r.octets < best.octets {
			continue
		}
		if r.line&(wild|query) == 0 {
			// Compare the last octet first: paths often share a prefix.
			n := int(r.size)
			if n > len(t.plain) || n > 0 && text[int(r.start)+n-1] != t.plain[n-1] {
				continue
			}
		}
		if r.matches(text, t) && (best == nil || r.beats(best)) {
			best = r
		}
	}
	return best
}

// beats reports whether r decides if both rules match: the more specific rule, or
// the allow rule, or the earlier one (RFC 9309, section 2.2.2).
func (r *rule) beats(other *rule) bool {
	if r.octets != other.octets {
		return r.octets > other.octets
	}
	if r.has(allow) != other.has(allow) {
		return r.has(allow)
	}
	return r.line&lineMask < other.line&lineMask
}

// matches reports whether the rule, whose form is in text, matches the target.
func (r *rule) matches(text string, t target) bool {
	form, path := r.form(text), t.plain
	if r.has(query) {
		path = t.query
	}
	switch {
	case r.has(wild):
		return matchWild(form, path, r.has(anchored))
	case r.has(anchored):
		return path == form
	}
	return strings.HasPrefix(path, form)
}

// matchWild matches a form with wildcards. It takes the first place for each literal
// between two wildcards. That is enough, because a later place only leaves less of
// the path for the rest. So there is no backtracking.
func matchWild(form, path string, toEnd bool) bool {
	literal, form, _ := strings.Cut(form, "*")
	path, ok := strings.CutPrefix(path, literal)
	for ok {
		var more bool
		literal, form, more = strings.Cut(form, "*")
		if !more && toEnd {
			return strings.HasSuffix(path, literal)
		}
		i := strings.Index(path, literal)
		if i < 0 || !more {
			return i >= 0
		}
		path = path[i+len(literal):]
	}
	return false
}

// A target is what patterns are matched against: the path and query of a URL in
// canonical form and one spelling.
type target struct {
	plain string
	query string // the spelling for patterns with a "?"
}

// newTarget returns the target of a URL. It allocates nothing if the path and query
// are canonical and have no character with two spellings.
func newTarget(url string) target {
	path := rawTarget(url)
	classes := classesOf(path)
	if classes&(illegalClass|percentClass|starClass) != 0 || path[0] != '/' {
		path = canonicalTarget(path)
		path = strings.ReplaceAll(path, "%24", "$")
		path = strings.ReplaceAll(path, "*", "%2A") // or it would be taken for a wildcard
	}
	t := target{path, path}
	if classes&percentClass != 0 && classes&questionClass != 0 {
		if q := path[strings.IndexByte(path, '?'):]; strings.Contains(q, "%3A") || strings.Contains(q, "%2F") {
			t.query = string(spell([]byte(path), true))
		}
	}
	return t
}

// rawTarget cuts the path and query out of a URL, or out of any other string. The
// result starts with one of "/?;".
func rawTarget(url string) string {
	url = strings.TrimPrefix(url, "//")
	start := pathStart(url, 0)
	if start > 0 && start < len(url) && strings.HasPrefix(url[start-1:], "://") {
		start = pathStart(url, start+len("//"))
	}
	end := strings.IndexByte(url, '#')
	if end < 0 {
		end = len(url)
	}
	if start >= end {
		return "/"
	}
	return url[start:end]
}

// pathStart returns the index of the first of "/?;" in s[from:], counted from the
// start of s, or the length of s.
func pathStart(s string, from int) int {
	for i := from; i < len(s); i++ {
		if c := s[i]; c == '/' || c == '?' || c == ';' {
			return i
		}
	}
	return len(s)
}

// canonicalTarget returns the canonical form of a path that may lack its "/".
func canonicalTarget(path string) string {
	var buf [512]byte
	canonical := buf[:0]
	if path[0] != '/' {
		canonical = append(canonical, '/')
	}
	if canonical = lex.AppendCanonical(canonical, path); string(canonical) == path {
		return path
	}
	return string(canonical)
}

// spellings are the characters that are another spelling of their escape: "$" is never
// escaped and, in patterns with a "?" and what is matched against them, neither are
// ":" and "/" after the first "?" (RFC 9309, section 2.2.2, figure 4).
var spellings = map[string]byte{"%24": '$', "%3A": ':', "%2F": '/'}

// spell brings a canonical pattern or path into one spelling, in place.
func spell(s []byte, hasQuery bool) []byte {
	spelt, inQuery := s[:0], false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if d, ok := spellings[string(s[i:min(i+len("%XX"), len(s))])]; ok && (d == '$' || inQuery) {
				c = d
				i += len("XX")
			}
		}
		inQuery = inQuery || hasQuery && c == '?'
		spelt = append(spelt, c)
	}
	return spelt
}

// appendCanonicalPattern appends the canonical form of a pattern, with the "/" that
// it may lack. The pattern has octets of the given classes.
func appendCanonicalPattern(dst, pattern []byte, classes octetClass) []byte {
	if pattern[0] != '/' && pattern[0] != '*' {
		dst = append(dst, '/')
	}
	if classes&(illegalClass|percentClass) == 0 {
		return append(dst, pattern...)
	}
	return lex.AppendCanonical(slices.Grow(dst, len("%XX")*len(pattern)), pattern)
}
