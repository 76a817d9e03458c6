package rules

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A pattern is one path pattern of a rule. Most rules have one; an allow rule for
// an index page has a second, for the page's directory.
//
// The form is the pattern with one spelling for each character, without the
// wildcards at its end and without the "$" that anchors it. In a form, every "*" is
// a wildcard and every "$" is literal: a literal asterisk is spelled "%2A", and
// "%24" is spelled "$".
type pattern struct {
	rule     robotstxt.Rule
	octets   int // length of the canonical form, which decides between rules
	form     string
	anchored bool
	isBeaten bool        // by another pattern that matches the same targets
	query    bool        // reads the query with "%3A" and "%2F" decoded
	chars    lex.CharSet // of the form
	fail     []int32     // see failures; nil until needed
}

// Line numbers of the patterns that are not in the file.
const (
	noRule     = 0  // matches every target and is beaten by every rule
	robotsFile = -1 // /robots.txt itself, which is always allowed
)

// weakest returns the pattern that decides if no rule matches.
func weakest(allow bool) *pattern {
	return &pattern{rule: robotstxt.Rule{Line: noRule, Allow: allow}, octets: -1}
}

// strongest is the pattern that no rule can beat.
func strongest() *pattern {
	const octets = 2 * robotstxt.SizeLimit // more than any rule has
	const form = "/robots.txt"
	return &pattern{
		rule:     robotstxt.Rule{Line: robotsFile, Allow: true},
		octets:   octets,
		form:     form,
		chars:    lex.CharsOf(form),
		anchored: true,
	}
}

// compile returns the patterns of a rule, strongest first.
func compile(dst []pattern, rule robotstxt.Rule) []pattern {
	const indexPage = "/index.htm"
	chars := lex.CharsOf(rule.Pattern)
	canonical := rule.Pattern
	if !ordinaryChars.HasAll(chars) || !strings.HasPrefix(canonical, "/") {
		canonical = robotstxt.NewPattern(canonical).Canonical()
		chars = lex.CharsOf(canonical)
	}
	dst = append(dst, newPattern(rule, canonical, chars))
	if !rule.Allow {
		return dst
	}
	slash := strings.LastIndexByte(canonical, '/')
	if slash >= 0 && strings.HasPrefix(canonical[slash:], indexPage) {
		directory := canonical[:slash+1] + "$"
		dst = append(dst, newPattern(rule, directory, lex.CharsOf(directory)))
	}
	return dst
}

// newPattern returns the pattern with the canonical form and its set of characters.
func newPattern(rule robotstxt.Rule, canonical string, chars lex.CharSet) pattern {
	p := pattern{rule: rule, octets: len(canonical), form: canonical, chars: chars}
	if plainChars.HasAll(chars) {
		return p
	}
	body, hasDollar := strings.CutSuffix(canonical, "$")
	body, p.query = respell(body)
	p.form = strings.TrimRight(body, "*")
	p.anchored = hasDollar && len(p.form) == len(body)
	for strings.Contains(p.form, "**") {
		p.form = strings.ReplaceAll(p.form, "**", "*")
	}
	p.chars = lex.CharsOf(p.form)
	return p
}

// queryEscapes are the escapes that equal their characters in the query, for
// patterns that have a "?" (RFC 9309, figure 4, row 2).
var queryEscapes = strings.NewReplacer("%3A", ":", "%2F", "/")

// respell chooses one spelling for each character of a canonical pattern, and
// reports whether the pattern has a query.
func respell(canonical string) (form string, hasQuery bool) {
	query := strings.IndexByte(canonical, '?')
	if strings.IndexByte(canonical, '%') < 0 {
		return canonical, query >= 0
	}
	form = strings.ReplaceAll(canonical, "%24", "$")
	if query = strings.IndexByte(form, '?'); query < 0 {
		return form, false
	}
	return form[:query] + queryEscapes.Replace(form[query:]), true
}

// beats reports whether p decides if both patterns match. Both must be from one
// group.
func (p *pattern) beats(q *pattern) bool {
	if p.octets != q.octets {
		return p.octets > q.octets
	}
	if p.rule.Allow != q.rule.Allow {
		return p.rule.Allow
	}
	return p.rule.Line < q.rule.Line
}

// head returns the literal prefix of all targets that the pattern matches.
func (p *pattern) head() string {
	head, _, _ := strings.Cut(p.form, "*")
	return head
}

// Matching, an octet at a time
//
// A form is a list of literals with wildcards between them. It is enough to match
// each literal at the first possible place, since that leaves the most room for the
// rest. So the remaining match depends on a single number, the position in the
// form, which is an octet of a literal or the end.

// dead is the position of a pattern that cannot match any more.
const dead = -1

// start returns the position before the first octet.
func (p *pattern) start() int32 { return p.skipStar(0) }

func (p *pattern) skipStar(pos int32) int32 {
	if int(pos) < len(p.form) && p.form[pos] == '*' {
		pos++
	}
	return pos
}

// isEnd reports whether the pattern matches if the target ends here.
func (p *pattern) isEnd(pos int32) bool { return int(pos) == len(p.form) }

// isSure reports whether the pattern matches however the target continues.
func (p *pattern) isSure(pos int32) bool { return !p.anchored && p.isEnd(pos) }

// step returns the position after the octet c.
func (p *pattern) step(pos int32, c byte) int32 {
	if pos == dead || p.isSure(pos) {
		return pos
	}
	for {
		if int(pos) < len(p.form) && p.form[pos] == c {
			return p.skipStar(pos + 1)
		}
		next := p.failure(pos)
		if next == pos || next == dead {
			return next
		}
		pos = next
	}
}

// run returns the position after the octets.
func (p *pattern) run(pos int32, octets string) int32 {
	for i := range len(octets) {
		pos = p.step(pos, octets[i])
	}
	return pos
}

// addWanted adds the octets that lead from a position to another position than most
// octets do.
func (p *pattern) addWanted(set *octetSet, pos int32) {
	if pos == dead || p.isSure(pos) {
		return
	}
	for {
		if int(pos) < len(p.form) {
			set.add(p.form[pos])
		}
		next := p.failure(pos)
		if next == pos || next == dead {
			return
		}
		pos = next
	}
}

// failure returns where to continue if the octet at a position does not match:
// after the longest prefix of the literal that is also a suffix of its matched
// part. The start of the literal fails to itself. The first literal of a form that
// does not start with a wildcard matches at once or never.
func (p *pattern) failure(pos int32) int32 {
	if p.fail == nil {
		p.fail = failures(p.form)
	}
	return p.fail[pos]
}

// failures returns the result of failure for all positions. It applies the
// algorithm of Knuth, Morris and Pratt to each literal.
func failures(form string) []int32 {
	fail := make([]int32, len(form)+1)
	start := int32(dead) // of the literal
	for i := range int32(len(form) + 1) {
		switch {
		case i > 0 && form[i-1] == '*':
			start = i
			fail[i] = i
		case start == dead:
			fail[i] = dead
		case i == start+1:
			fail[i] = start
		default:
			fail[i] = longestBorder(form, fail, start, i)
		}
	}
	return fail
}

// longestBorder returns the failure of a position from those before it.
func longestBorder(form string, fail []int32, start, pos int32) int32 {
	for border := fail[pos-1]; ; border = fail[border] {
		if form[border] == form[pos-1] {
			return border + 1
		}
		if border == start {
			return start
		}
	}
}
