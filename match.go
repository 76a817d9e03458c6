package robotstxt

import (
	"bytes"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// An entry is what is kept of a line, or of a part of one: a text and a number. The
// text ends where the text of the next entry starts.
type entry struct {
	start  uint32 // of the text
	number uint32 // of the line, with the flags below
}

// The flags of an entry are in the bits above its number. An entry without the first
// four is a rule. Its text is its form, which is what targets are compared with: the
// canonical pattern in one spelling, without the "*" and "$" at its end.
//
// The text of most rules is the pattern as written, because their form is all of it,
// or all except its last octet. Any other rule has the pattern as written in its tail,
// whose number is the length of the canonical pattern.
const (
	header   uint32 = 1 << (iota + 21) // starts a section; its number is the entry after the run
	name                               // a product token on a user-agent line
	record                             // the key of a record; its tail is the value
	tail                               // belongs to the entry before it
	allow                              // an allow rule
	wild                               // the form has a wildcard
	query                              // the pattern has a "?"
	anchored                           // the pattern ends with "$": the form must match to the end
	open                               // the pattern ends with "*"
	implied                            // added by an index.htm rule
	empty                              // a header of a section without rules and records

	numberMask = 1<<21 - 1 // a canonical pattern has at most 3*SizeLimit+1 octets
)

func (e entry) has(flags uint32) bool { return e.number&flags != 0 }

func (e entry) isRule() bool { return !e.has(header | name | record | tail) }

// A listing is a list of entries with their text. Headers divide it into sections, and
// a header is its last entry. Another one is its first, so no rule has the index 0.
type listing struct {
	text    string
	entries []entry
}

// at returns the text of an entry.
func (l *listing) at(i int) string { return l.text[l.entries[i].start:l.entries[i+1].start] }

func (l *listing) number(i int) int { return int(l.entries[i].number & numberMask) }

// rule returns the form of rule i, and the length of its canonical pattern, which is
// how specific the rule is.
func (l *listing) rule(i int) (form string, octets int) {
	e, next := l.entries[i], l.entries[i+1]
	form = l.text[e.start:next.start]
	switch {
	case next.has(tail):
		return form, int(next.number & numberMask)
	case e.has(anchored | open):
		return form[:len(form)-1], len(form)
	}
	return form, len(form)
}

// pattern returns the pattern of rule i as written.
func (l *listing) pattern(i int) string {
	if l.entries[i+1].has(tail) {
		return l.at(i + 1)
	}
	return l.at(i)
}

// A writer writes a listing.
type writer struct {
	text    []byte
	entries []entry
}

func (w *writer) add(number uint32, text []byte) {
	w.entries = append(w.entries, entry{uint32(len(w.text)), number})
	w.write(text)
}

// write appends text. Unlike append, it does not store the slice's pointer again, which
// costs something while the garbage collector runs.
func (w *writer) write(text []byte) {
	room := w.room(len(text))
	w.text = w.text[:len(w.text)+copy(room[:len(text)], text)]
}

// room returns an empty slice with room for n octets, to work in. The next call of write
// overwrites it.
func (w *writer) room(n int) []byte {
	if n > cap(w.text)-len(w.text) {
		w.text = slices.Grow(w.text, n)
	}
	return w.text[len(w.text):]
}

// addRule compiles a pattern, which is not empty and has octets of the given classes.
func (w *writer) addRule(number uint32, pattern, written []byte, classes octetClass) {
	if classes == 0 && pattern[0] == '/' && len(written) == len(pattern) { // most rules
		w.add(number, pattern)
		return
	}
	form := w.canonical(pattern, classes)
	octets := len(form)
	form, flags := w.reduce(form, classes)
	if len(written) == octets && octets-len(form) <= 1 && bytes.HasPrefix(written, form) {
		w.add(number|flags, written)
		return
	}
	w.add(number|flags, form)
	w.add(uint32(octets)|tail, written)
}

// reduce returns the form of a canonical pattern, and the flags that go with it.
func (w *writer) reduce(form []byte, classes octetClass) (_ []byte, flags uint32) {
	if classes&dollarClass != 0 && form[len(form)-1] == '$' {
		flags = anchored
		form = form[:len(form)-1]
	}
	for classes&starClass != 0 && len(form) > 0 && form[len(form)-1] == '*' {
		flags = open
		form = form[:len(form)-1]
	}
	if classes&questionClass != 0 {
		flags |= query
	}
	if classes&percentClass != 0 {
		form = spell(form, flags&query != 0)
	}
	if classes&starClass != 0 && bytes.IndexByte(form, '*') >= 0 {
		flags |= wild
		if bytes.Contains(form, []byte("**")) {
			form = slices.CompactFunc(append(w.room(len(form)), form...), func(c, d byte) bool { return c == '*' && d == '*' })
		}
	}
	return form, flags
}

// addDirectory adds the rule that an allow rule may imply: a pattern whose last segment
// starts with "index.htm" also allows the directory itself, as if the line had "…/$",
// too.
func (w *writer) addDirectory(number uint32, pattern []byte, classes octetClass) {
	canonical := w.canonical(pattern, classes)
	slash := bytes.LastIndexByte(canonical, '/')
	if slash < 0 || !bytes.HasPrefix(canonical[slash:], []byte("/index.htm")) {
		return
	}
	var buf [128]byte
	directory := append(append(buf[:0], canonical[:slash+1]...), '$')
	w.addRule(number|implied, directory, pattern, classesOf(directory))
}

// A Pattern is a path pattern, as in allow and disallow lines and in some records
// (RFC 9309, sections 2.2.2 and 2.2.3). A File matches its own rules; Pattern is for
// programs that give a meaning to other records. It never changes and is safe for
// concurrent use. The zero Pattern is the pattern of an empty string.
type Pattern struct {
	written string
	listing listing // of one rule
}

// NewPattern compiles a pattern. It takes any string. A pattern that starts with
// neither "/" nor "*" gets a "/" in front. An empty one matches nothing.
func NewPattern(pattern string) Pattern {
	if pattern == "" {
		return Pattern{}
	}
	var w writer
	w.addRule(0, []byte(pattern), []byte(pattern), classesOf(pattern))
	w.add(header, nil)
	return Pattern{pattern, listing{string(w.text), w.entries}}
}

// Matches reports whether the pattern matches the path and query of a URL, which
// may be any string; see [File.Decide].
func (p Pattern) Matches(url string) bool {
	return p.written != "" && p.listing.matches(0, newTarget(url))
}

// Octets returns the length of the pattern's canonical form. If several patterns
// match a URL, the one with the most octets decides (RFC 9309, section 2.2.2).
func (p Pattern) Octets() int { return len(p.Canonical()) }

// Canonical returns the canonical form of the pattern (RFC 9309, section 2.2.2):
// unreserved characters without an escape, all other escapes in upper case, an
// escape for whatever needs one, and a "/" in front if it was missing. Patterns with
// the same form match the same URLs. "*" and "$" stay as written.
func (p Pattern) Canonical() string {
	if p.written == "" {
		return ""
	}
	return string(new(writer).canonical([]byte(p.written), classesOf(p.written)))
}

// String returns the pattern as written.
func (p Pattern) String() string { return p.written }

// bestRule returns the rule that decides about the target: best, if it is not 0, or one
// of those from entry i to the end of the section.
func (l *listing) bestRule(i int, t target, best int) int {
	var next entry
	for e := l.entries[i]; !e.has(header); i, e = i+1, next {
		next = l.entries[i+1]
		if !e.has(name|record|tail|wild|query|anchored|open) && !next.has(tail) { // most rules
			// Compare the last octet first: paths often share a prefix.
			if n := int(next.start - e.start); n > len(t.plain) || l.text[next.start-1] != t.plain[n-1] {
				continue
			}
		}
		if e.isRule() {
			best = l.stronger(i, t, best)
		}
	}
	return best
}

// stronger returns rule i if it matches the target and decides over best, or else best.
func (l *listing) stronger(i int, t target, best int) int {
	if (best == 0 || l.beats(i, best)) && l.matches(i, t) {
		return i
	}
	return best
}

// beats reports whether rule i decides if rule j matches, too: it is more specific, or
// the allow rule, or the earlier one (RFC 9309, section 2.2.2).
func (l *listing) beats(i, j int) bool {
	_, a := l.rule(i)
	_, b := l.rule(j)
	if a != b {
		return a > b
	}
	if allows := l.entries[i].has(allow); allows != l.entries[j].has(allow) {
		return allows
	}
	return i < j
}

// matches reports whether rule i matches the target.
func (l *listing) matches(i int, t target) bool {
	form, _ := l.rule(i)
	path, e := t.plain, l.entries[i]
	if e.has(query) {
		path = t.query
	}
	switch {
	case e.has(wild):
		return matchWild(form, path, e.has(anchored))
	case e.has(anchored):
		return path == form
	}
	return strings.HasPrefix(path, form)
}

// matchWild matches a form with wildcards. It takes the first place for each literal
// between two wildcards. That is enough, because a later place only leaves less of
// the path for the rest. So there is no backtracking.
func matchWild(form, path string, toEnd bool) bool {
	star := strings.IndexByte(form, '*')
	if !strings.HasPrefix(path, form[:star]) {
		return false
	}
	path, form = path[star:], form[star+1:]
	for star = strings.IndexByte(form, '*'); star >= 0; star = strings.IndexByte(form, '*') {
		i := strings.Index(path, form[:star])
		if i < 0 {
			return false
		}
		path, form = path[i+star:], form[star+1:]
	}
	if toEnd {
		return strings.HasSuffix(path, form)
	}
	return strings.Contains(path, form)
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
	if classes&endClass != 0 {
		path, _, _ = strings.Cut(path, "#")
		classes = classesOf(path)
	}
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

// rawTarget returns the path, query and fragment of a URL, or of any other string. The
// result starts with one of "/?;".
func rawTarget(url string) string {
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

// hostLen returns the index of the first of "/?;#", or the length of s.
func hostLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c <= '?' && (c == '/' || c == '?' || c == ';' || c == '#') {
			return i
		}
	}
	return len(s)
}

// canonicalTarget returns the canonical form of a path that may lack its "/".
func canonicalTarget(path string) string {
	if path[0] != '/' {
		path = "/" + path
	}
	var buf [512]byte
	if canonical := lex.AppendCanonical(buf[:0], path); string(canonical) != path {
		return string(canonical)
	}
	return path
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
				c, i = d, i+len("XX")
			}
		}
		inQuery = inQuery || hasQuery && c == '?'
		spelt = append(spelt, c)
	}
	return spelt
}

// canonical returns the canonical form of a pattern, with the "/" that it may lack: the
// pattern itself, or a slice of the writer's room. The pattern has octets of the given
// classes.
func (w *writer) canonical(pattern []byte, classes octetClass) []byte {
	rooted := pattern[0] == '/' || pattern[0] == '*'
	if rooted && classes&(illegalClass|percentClass) == 0 {
		return pattern
	}
	canonical := w.room(len("/") + len("%XX")*len(pattern))
	if !rooted {
		canonical = append(canonical, '/')
	}
	return lex.AppendCanonical(canonical, pattern)
}
