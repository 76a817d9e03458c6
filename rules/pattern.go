package rules

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A pattern is one path pattern of a rule. Most rules have one pattern. An allow rule for
// an index page, such as /a/index.html, has a second pattern for the directory: /a/$.
//
// The field form contains the pattern in a normal form, in which each character is always spelled
// in the same way. Wildcards at the end of the pattern are left out, and so is the "$" that
// anchors the pattern. In this form, every "*" is a wildcard, and every "$" is a literal dollar sign. A literal asterisk is
// spelled "%2A".
type pattern struct {
	rule     robotstxt.Rule
	octets   int // the Octets of the rule's [robotstxt.Pattern], not always len(form); if several patterns match, the one with the most octets wins
	form     string
	anchored bool
	isBeaten bool        // the group has a stronger pattern that matches exactly the same targets
	query    bool        // the pattern has a "?"; for such a pattern, "%3A" and "%2F" in the query of a target are decoded before the comparison
	chars    lex.CharSet // the set of characters in form
	fail     []int32     // the result of failures(form); nil until needed
}

// Two patterns are built in. They are on no line of the file, so these values take the place of their line numbers.
const (
	noRule     = 0  // the pattern that decides when no rule matches
	robotsFile = -1 // the pattern for /robots.txt, which is always allowed
)

// byDefault returns the pattern that decides when no rule matches: it matches every target, and
// every other pattern beats it. Whether it allows the target is the parameter allow.
func byDefault(allow bool) *pattern {
	return &pattern{rule: robotstxt.Rule{Line: noRule, Allow: allow}, octets: -1}
}

// forRobots returns the pattern for /robots.txt. No rule can beat it.
func forRobots() *pattern {
	const octets = 2 * robotstxt.SizeLimit // more octets than any rule has
	const form = "/robots.txt"
	return &pattern{
		rule:     robotstxt.Rule{Line: robotsFile, Allow: true},
		octets:   octets,
		form:     form,
		chars:    lex.CharsOf(form),
		anchored: true,
	}
}

// compile appends the patterns of a rule to dst, the longest one first.
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

// newPattern returns the pattern with the given canonical spelling. The set chars must be
// lex.CharsOf(canonical).
func newPattern(rule robotstxt.Rule, canonical string, chars lex.CharSet) pattern {
	p := pattern{rule: rule, octets: len(canonical), form: canonical, chars: chars}
	if plainChars.HasAll(chars) {
		return p
	}
	body, hasDollar := strings.CutSuffix(canonical, "$")
	p.query = strings.Contains(body, "?")
	if strings.Contains(body, "%") {
		body = string(lex.AppendSpelling(nil, body, p.query))
	}
	p.form = strings.TrimRight(body, "*")
	p.anchored = hasDollar && len(p.form) == len(body)
	for strings.Contains(p.form, "**") {
		p.form = strings.ReplaceAll(p.form, "**", "*")
	}
	p.chars = lex.CharsOf(p.form)
	return p
}

// beats reports whether p, not q, decides the targets that both patterns match. The patterns
// must be from the same group.
func (p *pattern) beats(q *pattern) bool {
	if p.octets != q.octets {
		return p.octets > q.octets
	}
	if p.rule.Allow != q.rule.Allow {
		return p.rule.Allow
	}
	return p.rule.Line < q.rule.Line
}

// head returns the part of the form before the first wildcard, or the whole form if it has no
// wildcard. The pattern matches only targets that start with the head.
func (p *pattern) head() string {
	head, _, _ := strings.Cut(p.form, "*")
	return head
}

// Matching, an octet at a time
//
// A form is a list of literals with wildcards between them. It is enough to match each
// literal at its first possible place, because this leaves the most room for the literals
// after it. So the state of a match is a single number, the position in the form.

// dead is the position of a pattern that can no longer match.
const dead = -1

// start returns the position of a pattern that has not read any octet of the target yet.
func (p *pattern) start() int32 { return p.skipStar(0) }

func (p *pattern) skipStar(pos int32) int32 {
	if int(pos) < len(p.form) && p.form[pos] == '*' {
		pos++
	}
	return pos
}

// isEnd reports whether pos is the end of p.form. If the target ends here, too, the pattern matches
// the target.
func (p *pattern) isEnd(pos int32) bool { return int(pos) == len(p.form) }

// isSure reports whether the match is already certain at pos: the pattern then matches, no matter
// how the target continues.
func (p *pattern) isSure(pos int32) bool { return !p.anchored && p.isEnd(pos) }

// step starts at the position pos, reads the octet c of a target, and returns the new position.
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

// run starts at the position pos, reads the given octets of a target, and returns the new position.
func (p *pattern) run(pos int32, octets string) int32 {
	for i := range len(octets) {
		pos = p.step(pos, octets[i])
	}
	return pos
}

// addWanted adds to the set all octets of the form with which step(pos, c) may compare c. If c is
// none of these octets, the result of step does not depend on c.
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

// failure returns the position at which to continue if the octet at pos does not match.
// For example, if "*abac" does not match at the "c", failure returns the position of the "b",
// because the "a" before the "c" can be the start of another "abac". At the start of a literal
// after a wildcard, failure returns pos. Before the first wildcard, failure returns dead.
func (p *pattern) failure(pos int32) int32 {
	if p.fail == nil {
		p.fail = failures(p.form)
	}
	return p.fail[pos]
}

// failures computes the results of the method failure for all positions in a form. It uses
// the algorithm of Knuth, Morris and Pratt on each literal.
func failures(form string) []int32 {
	fail := make([]int32, len(form)+1)
	start := int32(dead) // start of the current literal
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

// longestBorder returns the value for fail[pos]. The values for the earlier positions must already
// be in fail. The parameter start is the position at which the literal that contains pos begins.
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
