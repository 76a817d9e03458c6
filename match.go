package robotstxt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A rule is an allow or disallow line, compiled. What it is matched by, its
// form, stands in the text: the canonical pattern without the "*" and "$" at its
// end.
type rule struct {
	start, size uint32 // of the form
	specificity uint32 // octets of the canonical pattern
	line        uint32 // with the flags below
}

// The flags of a rule lie above its line number, which is at most SizeLimit+1.
const (
	allow    uint32 = 1 << (iota + 24)
	wild            // the form has a wildcard
	anchored        // the form must match up to the target's end
	loose           // the form has a character of two spellings
	respelt         // the form is not a part of the pattern as written
	implied         // one that an index.htm rule brings along

	lineMask = 1<<24 - 1
)

func (r *rule) has(flag uint32) bool { return r.line&flag != 0 }

// A respelling keeps the size of a respelt rule's pattern as written, which
// stands in the text behind the form that starts at start.
type respelling struct{ start, size uint32 }

// indexPage starts the last segment of paths that mean their directory, too.
const indexPage = "/index.htm"

// addPlain adds a rule with a path in which nothing is special or needs another
// form, as in most rules.
func (b *builder) addPlain(line uint32, kind Kind, path []byte) {
	size := uint32(len(path))
	b.rules.add(rule{uint32(b.text.len()), size, size, line | flagOf(kind)}, &b.progress)
	b.text.write(path, &b.progress)
	if kind == AllowKind {
		b.addDirectory(line, 0, path, path)
	}
}

// addRule compiles a rule of the current section. The pattern is not empty.
func (b *builder) addRule(line uint32, kind Kind, pattern []byte) {
	class := classesOf(pattern)
	if class&^unreserved == 0 && pattern[0] == '/' {
		b.addPlain(line, kind, pattern)
		return
	}
	var buf [128]byte
	canonical, class := canonicalPattern(buf[:0], pattern, class)
	b.putRule(line|flagOf(kind), class, canonical, pattern)
	if kind == AllowKind {
		b.addDirectory(line, class, canonical, pattern)
	}
}

func flagOf(kind Kind) uint32 {
	if kind == AllowKind {
		return allow
	}
	return 0
}

// addDirectory adds, if the pattern of an allow line names a page that stands for
// its directory, the rule that allows the directory.
func (b *builder) addDirectory(line uint32, class byteClass, canonical, written []byte) {
	slash := bytes.LastIndexByte(canonical, '/')
	if slash >= 0 && bytes.HasPrefix(canonical[slash:], []byte(indexPage)) {
		var buf [128]byte
		directory := append(append(buf[:0], canonical[:slash+1]...), '$')
		b.putRule(line|allow|implied, class|dollar|unusual, directory, written)
	}
}

// putRule adds a rule that has the canonical pattern.
func (b *builder) putRule(line uint32, class byteClass, canonical, written []byte) {
	r, form := compile(canonical, class)
	r.line |= line
	r.start = uint32(b.text.len())
	if r.has(respelt) {
		b.text.write(form, &b.progress)
		b.respelt = append(b.respelt, respelling{r.start, uint32(len(written))})
	}
	b.text.write(written, &b.progress)
	b.rules.add(r, &b.progress)
}

// compile returns what a canonical pattern adds to a rule, and the form. The
// pattern has no other classes of octets than class says.
func compile(canonical []byte, class byteClass) (r rule, form []byte) {
	r.specificity = uint32(len(canonical))
	form = canonical
	if class&unusual != 0 {
		r.line |= respelt
	}
	if class&(wildcard|dollar) != 0 {
		body, hasDollar := bytes.CutSuffix(canonical, []byte{'$'})
		form = bytes.TrimRight(body, "*")
		if hasDollar && len(form) == len(body) {
			r.line |= anchored
		}
		if star := bytes.IndexByte(form, '*'); star >= 0 {
			r.line |= wild
			if bytes.Contains(form[star:], []byte("**")) {
				r.line |= respelt
				form = slices.CompactFunc(slices.Clone(form), func(c, d byte) bool { return c == '*' && d == '*' })
			}
		}
	}
	if class&(unusual|dollar|questionMark) != 0 && isLoose(form, class) {
		r.line |= loose
	}
	r.size = uint32(len(form))
	return r, form
}

// A Pattern is a path pattern, as allow and disallow lines and some records have
// them (RFC 9309, sections 2.2.2 and 2.2.3). A File matches its own rules; Pattern
// is for those who give meaning to other records. It never changes and is safe
// for concurrent use. The zero Pattern is that of an empty string.
type Pattern struct {
	written string
	form    string
	rule    rule
}

// NewPattern compiles a pattern. Every string is one; one that does not start
// with "/" or "*" is taken to lack a "/". An empty one matches nothing.
func NewPattern(pattern string) Pattern {
	if pattern == "" {
		return Pattern{}
	}
	r, form := compile(canonicalOf(pattern))
	return Pattern{pattern, string(form), r}
}

// Matches reports whether the pattern matches the path and query of a URL, which
// may be any string, see [File.Decide].
func (p Pattern) Matches(url string) bool {
	return p.written != "" && p.rule.matches(p.form, newTarget(url))
}

// Octets returns the length of the pattern in canonical form. Of the patterns
// that match a URL, that with the most octets decides (RFC 9309, section 2.2.2).
func (p Pattern) Octets() int { return int(p.rule.specificity) }

// Canonical returns the canonical form of the pattern (RFC 9309, section 2.2.2),
// which is Octets long: escapes of what needs none decoded, all others in capitals,
// what needs one escaped, and the "/" that it may lack in front. Patterns with the
// same form match the same; "*" and "$" are kept as written.
func (p Pattern) Canonical() string {
	if p.written == "" {
		return ""
	}
	canonical, _ := canonicalOf(p.written)
	return string(canonical)
}

// String returns the pattern as written.
func (p Pattern) String() string { return p.written }

// pattern returns the rule's pattern as written.
func (f *File) pattern(r *rule) string {
	if !r.has(respelt) {
		return f.text[r.start:][:r.specificity]
	}
	i, _ := slices.BinarySearchFunc(f.respelt, r.start, func(s respelling, start uint32) int { return int(s.start) - int(start) })
	return f.text[r.start+r.size:][:f.respelt[i].size]
}

// best returns the rule of a group that decides about the target, or nil.
func (f *File) best(g *group, target string) (best *rule) {
	if x := f.indexOf(g); x != nil {
		return x.best(f, target)
	}
	text, least := f.text, uint32(0)
	for _, s := range f.sections[g.sections:g.sectionsEnd] {
		rules := f.rules[s.rules:s.rulesEnd]
		for i := range rules {
			r := &rules[i]
			if r.specificity < least {
				continue
			}
			if r.line&(wild|loose) == 0 {
				// The last octets differ more often than the first.
				n := r.size
				if n > uint32(len(target)) || n > 0 && text[r.start+n-1] != target[n-1] {
					continue
				}
			}
			if r.matches(f.form(r), target) && (best == nil || r.beats(best)) {
				best, least = r, r.specificity
			}
		}
	}
	return best
}

func (f *File) form(r *rule) string { return f.text[r.start:][:r.size] }

// beats reports whether r decides if both rules match.
func (r *rule) beats(other *rule) bool {
	if r.specificity != other.specificity {
		return r.specificity > other.specificity
	}
	if r.has(allow) != other.has(allow) {
		return r.has(allow)
	}
	return r.line&lineMask < other.line&lineMask
}

// matches reports whether the rule, which has the form, matches the target.
func (r *rule) matches(form, target string) bool {
	switch {
	case r.has(loose):
		return matchLoose(form, target, r.has(anchored))
	case r.has(wild):
		return matchWild(form, target, r.has(anchored))
	case r.has(anchored):
		return target == form
	}
	return strings.HasPrefix(target, form)
}

// matchWild matches a form with wildcards. To take the first place for each
// literal between two is enough, since what comes after only gets more room; so
// there is no backtracking.
func matchWild(form, target string, toEnd bool) bool {
	literal, form, _ := strings.Cut(form, "*")
	target, ok := strings.CutPrefix(target, literal)
	for ok {
		var more bool
		literal, form, more = strings.Cut(form, "*")
		if !more && toEnd {
			return strings.HasSuffix(target, literal)
		}
		i := strings.Index(target, literal)
		if i < 0 || !more {
			return i >= 0
		}
		target = target[i+len(literal):]
	}
	return false
}

// matchLoose matches a form with characters of two spellings, and perhaps with
// wildcards. It tries the literal behind a wildcard at one place after the other
// and, as matchWild, stays with the first. Where long literals fail late again and
// again, it leaves the rest to matchPlaces.
func matchLoose(form, target string, toEnd bool) bool {
	formQuery, targetQuery := queryStart(form), queryStart(target)
	f, t := 0, 0
	retryForm, retryTarget := -1, 0 // behind the last wildcard, and where it may end next
	patience := looseSteps * len(target)
	for {
		switch {
		case f == len(form) && (t == len(target) || !toEnd):
			return true
		case f < len(form) && form[f] == '*':
			f++
			retryForm, retryTarget = f, t
			continue
		case f < len(form) && t < len(target):
			c, d := form[f], target[t]
			if c == d && c != '%' {
				f, t = f+1, t+1
				continue
			}
			if c == '%' || d == '%' {
				if n, m := sameLoose(form[f:], target[t:], f > formQuery && t > targetQuery); n > 0 {
					f, t = f+n, t+m
					continue
				}
			}
		}
		if retryForm < 0 || retryTarget >= len(target) {
			return false
		}
		if patience -= f - retryForm; patience < 0 {
			return matchPlaces(form, target, toEnd)
		}
		retryTarget++
		if c := form[retryForm]; c != '%' {
			for retryTarget < len(target) && target[retryTarget] != c && target[retryTarget] != '%' {
				retryTarget++
			}
		}
		f, t = retryForm, retryTarget
	}
}

// looseSteps is how many octets matchLoose may compare in vain for each of the
// target.
const looseSteps = 8

// matchPlaces is matchLoose for forms and targets made to take long. It keeps the
// set of all places in the target that the form, up to an octet, can end at, and
// moves 64 of them at once.
func matchPlaces(form, target string, toEnd bool) bool {
	words := len(target)/64 + 1
	var raw, escaped [utf8.RuneSelf][]uint64 // where a character stands; canonical forms are ASCII
	for i := range len(target) {
		addPlace(&raw[target[i]], i, words)
		if c, n := looseCharacter(target[i:], true); n > 1 {
			addPlace(&escaped[c], i, words)
		}
	}
	places, next := make([]uint64, words), make([]uint64, words)
	places[0] = 1
	formQuery := queryStart(form)
	for f := 0; f < len(form); {
		if form[f] == '*' { // the first place and all behind it
			first := slices.IndexFunc(places, func(word uint64) bool { return word != 0 })
			if first < 0 {
				return false
			}
			places[first] = -(places[first] & -places[first])
			for i := first + 1; i < words; i++ {
				places[i] = ^uint64(0)
			}
			f++
			continue
		}
		clear(next)
		c, n := looseCharacter(form[f:], f > formQuery)
		if n == 0 {
			c, n = form[f], 1
		} else {
			movePlaces(next, places, escaped[c], len("%XX"))
		}
		movePlaces(next, places, raw[c], 1)
		places, next = next, places
		f += n
	}
	if toEnd {
		return places[len(target)/64]>>(len(target)%64)&1 != 0
	}
	return slices.ContainsFunc(places, func(word uint64) bool { return word != 0 })
}

// addPlace adds a place to a set, which may not be there yet.
func addPlace(set *[]uint64, place, words int) {
	if *set == nil {
		*set = make([]uint64, words)
	}
	(*set)[place/64] |= 1 << (place % 64)
}

// movePlaces adds those of the places that are in the set to next, n further on.
func movePlaces(next, places, set []uint64, n int) {
	carry := uint64(0)
	for i, word := range set {
		word &= places[i]
		next[i] |= word<<n | carry
		carry = word >> (64 - n)
	}
}

// queryStart returns the index of the "?" that starts the query.
func queryStart(s string) int {
	if i := strings.IndexByte(s, '?'); i >= 0 {
		return i
	}
	return len(s)
}

// sameLoose compares the characters that a form and a target start with, and
// returns their lengths if they are the same, else 0.
func sameLoose(form, target string, inQuery bool) (n, m int) {
	c, n := looseCharacter(form, inQuery)
	d, m := looseCharacter(target, inQuery)
	switch {
	case n > 0 && m > 0 && c == d:
		return n, m
	case form[0] == target[0]:
		return 1, 1
	}
	return 0, 0
}

// looseCharacter returns the character that s starts with and its length, if it
// is one that counts as the same bare and escaped: "*" and "$" (RFC 9309, section
// 2.2.3), and in a query ":" and "/" (RFC 9309, figure 4).
func looseCharacter(s string, inQuery bool) (c byte, n int) {
	for i, escape := range [...]string{"%2A", "%24", "%3A", "%2F"} {
		switch c := "*$:/"[i]; {
		case i >= 2 && !inQuery:
			return 0, 0
		case s[0] == c:
			return c, 1
		case strings.HasPrefix(s, escape):
			return c, len(escape)
		}
	}
	return 0, 0
}

// isLoose reports whether a form, of octets of the class, has a loose character
// other than the wildcard.
func isLoose(form []byte, class byteClass) bool {
	if class&dollar != 0 && bytes.IndexByte(form, '$') >= 0 {
		return true
	}
	escapes := class&unusual != 0
	if escapes && (bytes.Contains(form, []byte("%2A")) || bytes.Contains(form, []byte("%24"))) {
		return true
	}
	question := bytes.IndexByte(form, '?')
	if question < 0 {
		return false
	}
	query := form[question:]
	return bytes.IndexByte(query, ':') >= 0 || bytes.IndexByte(query, '/') >= 0 ||
		escapes && (bytes.Contains(query, []byte("%3A")) || bytes.Contains(query, []byte("%2F")))
}

// newTarget returns what patterns are matched against: the canonical form of the
// path and query of a URL.
func newTarget(url string) string {
	raw := rawTarget(url)
	if raw[0] == '/' && classesOf(raw)&unusual == 0 {
		return raw
	}
	canonical := make([]byte, 0, 2*len(raw)+1)
	if raw[0] != '/' {
		canonical = append(canonical, '/')
	}
	return string(appendCanonical(canonical, raw))
}

// rawTarget cuts the path and query out of a URL, or of any other string. The
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
// start of s, or the length of s if there is none.
func pathStart(s string, from int) int {
	for i := from; i < len(s); i++ {
		if c := s[i]; c == '/' || c == '?' || c == ';' {
			return i
		}
	}
	return len(s)
}

// canonicalOf is canonicalPattern for a single one.
func canonicalOf(pattern string) ([]byte, byteClass) {
	return canonicalPattern(nil, []byte(pattern), classesOf(pattern))
}

// canonicalPattern returns the canonical form of a pattern with the "/" that it
// may lack, and the classes of its octets, of which those of the pattern are given.
// One that is not canonical as it is counts as unusual. The form may be appended
// to dst.
func canonicalPattern(dst, pattern []byte, class byteClass) ([]byte, byteClass) {
	lacksSlash := pattern[0] != '/' && pattern[0] != '*'
	if !lacksSlash && class&unusual == 0 {
		return pattern, class
	}
	dst = slices.Grow(dst, 1+len("%XX")*len(pattern))
	if lacksSlash {
		dst = append(dst, '/')
	}
	return appendCanonical(dst, pattern), class | unusual
}

// appendCanonical appends the canonical form of s: escapes of unreserved
// characters decoded, all others in capitals, and what must be escaped, escaped
// (RFC 9309, section 2.2.2). A "%" that starts no escape stays.
func appendCanonical[S []byte | string](dst []byte, s S) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		escaped := false
		if c == '%' {
			if d, ok := unescape(s[i:]); ok {
				c, escaped = d, true
				i += len("XX")
			}
		}
		switch class := classOf[c]; {
		case escaped && class&unreserved == 0, !escaped && class&unusual != 0 && c != '%':
			const hex = "0123456789ABCDEF"
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// unescape reads the %XX that s may start with.
func unescape[S []byte | string](s S) (c byte, ok bool) {
	if len(s) < len("%XX") || s[0] != '%' {
		return 0, false
	}
	hi, lo := hexValue(s[1]), hexValue(s[2])
	return hi<<4 | lo, hi < 16 && lo < 16
}

// hexValue returns the value of a hex digit, or 16.
func hexValue(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}

// A byteClass tells what the octets of a path need. Those of several are joined
// by or.
type byteClass uint8

const (
	unreserved   byteClass = 1 << iota // in the sense of RFC 3986
	unusual                            // "%", or not allowed raw in a path or query
	wildcard                           // "*"
	dollar                             // "$"
	questionMark                       // "?"
)

func classesOf[S []byte | string](s S) (class byteClass) {
	for i := range len(s) {
		class |= classOf[s[i]]
	}
	return class
}

// plainLen returns how many of the octets that b starts with are for sure those of
// a path that is canonical as it is, and special in no pattern: letters, digits and
// any of "+,-./:_". It looks at eight at a time, and not at the last seven of b.
func plainLen(b []byte) int {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for n := 0; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n : n+8])
		// The high bit of each octet tells here what is true of the octet: that
		// its low five bits are those of a letter, that it is '+' or more, that it
		// is no '_'. Nothing is carried over, since the sums are of seven bits.
		low := x & (0x1F * ones)
		letter := (low + 0x7F*ones) ^ (low + (0x7F-26)*ones)
		atLeast := x&^high + (0x80-'+')*ones
		other := (x&^high ^ '_'*ones) + 0x7F*ones
		if odd := (^(letter&atLeast)&other | x) & high; odd != 0 {
			return n + bits.TrailingZeros64(odd)/8
		}
	}
	return len(b) &^ 7
}

var classOf = func() (classes [256]byteClass) {
	for i := range classes {
		switch c := byte(i); {
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z', strings.IndexByte("-._~", c) >= 0:
			classes[c] = unreserved
		case c == '*':
			classes[c] = wildcard
		case c == '$':
			classes[c] = dollar
		case c == '?':
			classes[c] = questionMark
		case strings.IndexByte("!&'()+,;=:@/", c) < 0:
			classes[c] = unusual
		}
	}
	return classes
}()
