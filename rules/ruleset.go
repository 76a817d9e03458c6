package rules

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// A ruleset holds the compiled rules of a group.
type ruleset struct {
	group      *robotstxt.Group
	all        []pattern           // sorted by line; if the rule on a line has two patterns, the longer one comes first
	live       []*pattern          // the patterns of all whose isBeaten is false, followed by none
	byLanguage map[string]*pattern // the same patterns, apart from none; the keys are the results of pattern.language
	none       *pattern            // matches every target, and decides when no rule matches
	robots     *pattern            // matches only /robots.txt, which is always allowed

	wild  int            // number of patterns with wildcards
	heads map[bool]heads // the results of headsOf; nil before its first call
}

// language returns a key for the targets that the pattern matches: patterns with the same key
// match the same targets. The key of an anchored pattern ends with a line feed. No form
// contains a line feed, so patterns without an anchor have other keys.
func (p *pattern) language() string {
	if p.anchored {
		return p.form + "\n"
	}
	return p.form
}

func newRuleset(g *robotstxt.Group) *ruleset {
	rules := g.Rules()
	allow := len(rules) > 0 || g.Decide("/").Allowed
	s := &ruleset{group: g, none: byDefault(allow), robots: forRobots()}
	s.all = make([]pattern, 0, len(rules))
	for _, r := range rules {
		s.all = compile(s.all, r)
	}
	s.byLanguage = make(map[string]*pattern, len(s.all))
	for i := range s.all {
		p := &s.all[i]
		language := p.language()
		q := s.byLanguage[language]
		if p.isBeaten = q != nil && !p.beats(q); p.isBeaten {
			continue
		}
		if q != nil {
			q.isBeaten = true
		}
		s.byLanguage[language] = p
	}
	s.live = make([]*pattern, 0, len(s.all)+1)
	for i := range s.all {
		p := &s.all[i]
		if p.chars.HasAny(starChars) {
			s.wild++
		}
		if !p.isBeaten {
			s.live = append(s.live, p)
		}
	}
	s.live = append(s.live, s.none)
	return s
}

func (s *ruleset) ofLine(line int) []pattern {
	byLine := func(p pattern, line int) int { return cmp.Compare(p.rule.Line, line) }
	start, _ := slices.BinarySearchFunc(s.all, line, byLine)
	end := start
	for end < len(s.all) && s.all[end].rule.Line == line {
		end++
	}
	return s.all[start:end]
}

// decide returns the group's decision about a URL, and the pattern that decided. The pattern
// is nil if no pattern explains the decision.
func (s *ruleset) decide(target, url string) (robotstxt.Decision, *pattern) {
	d := s.group.Decide(url)
	switch d.Reason {
	case robotstxt.RobotsTxt:
		return d, s.robots
	case robotstxt.RuleMatched:
		patterns := s.ofLine(d.Rule.Line)
		for i := range patterns {
			if patterns[i].matches(target) {
				return d, &patterns[i]
			}
		}
		return d, nil
	}
	return d, s.none
}

// heads is a list of patterns with their heads, sorted by head.
type heads []headPattern

// A headPattern is a pattern and its head; see pattern.head. The field parent is the index
// of the last earlier head that is a prefix of this head, or -1.
type headPattern struct {
	head string
	*pattern
	parent int
}

// headsOf returns the result of sortHeads for the patterns in s.live. Only the first call sorts.
func (s *ruleset) headsOf(allow bool) heads {
	if s.heads == nil {
		s.heads = map[bool]heads{true: sortHeads(s.live, true), false: sortHeads(s.live, false)}
	}
	return s.heads[allow]
}

// sortHeads returns the patterns of the allow rules, sorted by head. If allow is false, it
// returns the patterns of the disallow rules instead.
func sortHeads(patterns []*pattern, allow bool) heads {
	var h heads
	for _, p := range patterns {
		if p.rule.Allow == allow {
			h = append(h, headPattern{head: p.head(), pattern: p})
		}
	}
	slices.SortFunc(h, func(a, b headPattern) int {
		return cmp.Or(cmp.Compare(a.head, b.head), cmp.Compare(a.rule.Line, b.rule.Line))
	})
	for i := range h {
		h[i].parent = h.lastPrefix(i-1, h[i].head)
	}
	return h
}

// lastPrefix returns the index of the last pattern in h[:i+1] whose head is a prefix of the
// given head. If there is none, it returns -1. The given head must equal the head of h[i] or sort after it.
func (h heads) lastPrefix(i int, head string) int {
	for i >= 0 && !strings.HasPrefix(head, h[i].head) {
		i = h[i].parent
	}
	return i
}

// compatible yields the patterns whose head starts with the given head, or is a prefix of
// it. If a pattern with the given head matches a target, every pattern in h that
// matches the same target is among those yielded.
func (h heads) compatible(head string) iter.Seq[*pattern] {
	return func(yield func(*pattern) bool) {
		first, _ := slices.BinarySearchFunc(h, head, func(p headPattern, head string) int { return cmp.Compare(p.head, head) })
		for _, p := range h[first:] {
			if !strings.HasPrefix(p.head, head) {
				break
			}
			if !yield(p.pattern) {
				return
			}
		}
		for i := h.lastPrefix(first-1, head); i >= 0 && yield(h[i].pattern); {
			i = h[i].parent
		}
	}
}
