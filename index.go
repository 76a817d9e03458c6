package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
)

// Most sections have a dozen rules, and trying one after the other is fastest. A
// section of many rules gets an index, once it has been asked so often that the
// index will pay for itself.
const (
	manyRules = 100 // a rule with wildcards counts for wildCost
	wildCost  = 8
	manyAsked = 64
	longPath  = 4 << 10 // octets; the index is for shorter paths
)

// A lazyIndex is the index of a section. Building it on demand is the only change
// to a File after Parse.
type lazyIndex struct {
	asked atomic.Uint32
	index atomic.Pointer[index]
}

// isLarge reports whether a section gets an index.
func isLarge(rules []rule) bool {
	cost := len(rules)
	for i := 0; i < len(rules) && cost < manyRules; i++ {
		if rules[i].has(wild) {
			cost += wildCost - 1
		}
	}
	return cost >= manyRules
}

// bestRule is the function bestRule for the section of the index.
func (l *lazyIndex) bestRule(text string, rules []rule, t target, best *rule) *rule {
	x := l.index.Load()
	if x == nil && l.asked.Load() < manyAsked && l.asked.Add(1) == manyAsked {
		x = newIndex(text, rules)
		l.index.Store(x)
	}
	if x == nil || len(t.plain) > longPath {
		return bestRule(text, rules, t, best)
	}
	best = x.search(t.plain, t, best)
	if t.query != t.plain {
		best = x.search(t.query, t, best)
	}
	for _, i := range x.gramless {
		best = x.try(x.wilds[i].rule, t, best)
	}
	return best
}

// An index finds the rules of a section that can match a path without trying the
// others.
//
// The literals, which are rules without wildcards, are sorted by their forms. Those
// that a path starts with are prefixes of each other. So the place of the path among
// the sorted forms is right after the longest of them, and links lead to the others.
//
// A rule with wildcards is found by its rarest gram: three octets in a row that a
// path must have to match. Links lead through the rules whose grams have one hash.
type index struct {
	text     string
	literals []literal
	wilds    []wildRule // the strongest first
	heads    []int32    // by hash of a gram: in wilds
	shift    int        // from a hash to an index of heads
	gramless []int32    // the rules with wildcards that have no gram: in wilds
}

// A literal is a rule without wildcards. Its link is the index of the last literal
// before it whose form is a prefix of its own form, or -1.
type literal struct {
	form string
	rule *rule
	link int32
}

// A wildRule is a rule with wildcards. Its link is the index of the next one whose gram
// has the same hash, or -1.
type wildRule struct {
	rule *rule
	gram uint32
	link int32
}

const gramSize = 3

// gramAt returns the gram at an offset of s.
func gramAt(s string, i int) uint32 {
	s = s[i:][:gramSize]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
}

// gramsOf returns the grams of a form.
func gramsOf(form string) (grams []uint32) {
	for literal := range strings.SplitSeq(form, "*") {
		for i := 0; i+gramSize <= len(literal); i++ {
			grams = append(grams, gramAt(literal, i))
		}
	}
	return grams
}

func newIndex(text string, rules []rule) *index {
	x := &index{text: text}
	count := map[uint32]int{}
	for i := range rules {
		r := &rules[i]
		if !r.has(wild) {
			x.literals = append(x.literals, literal{r.form(text), r, -1})
			continue
		}
		x.wilds = append(x.wilds, wildRule{rule: r})
		for _, g := range gramsOf(r.form(text)) {
			count[g]++
		}
	}
	x.linkLiterals()
	x.linkWilds(count)
	return x
}

// byStrength puts the rule that decides if both match first.
func byStrength(r, other *rule) int {
	if r.beats(other) {
		return -1
	}
	return 1
}

func (x *index) linkLiterals() {
	slices.SortFunc(x.literals, func(a, b literal) int {
		return cmp.Or(strings.Compare(a.form, b.form), byStrength(a.rule, b.rule))
	})
	last := int32(-1)
	for i := range x.literals {
		l := &x.literals[i]
		for last >= 0 && !strings.HasPrefix(l.form, x.literals[last].form) {
			last = x.literals[last].link
		}
		l.link = last
		last = int32(i)
	}
}

// linkWilds chooses and links grams, which occur in the rules as often as count says.
func (x *index) linkWilds(count map[uint32]int) {
	slices.SortFunc(x.wilds, func(a, b wildRule) int { return byStrength(a.rule, b.rule) })
	size := bits.Len(uint(len(x.wilds))) + 3 // log2 of the number of heads
	x.shift = 32 - size
	x.heads = slices.Repeat([]int32{-1}, 1<<size)
	for i := len(x.wilds) - 1; i >= 0; i-- { // so that the strongest is the first of its links
		w := &x.wilds[i]
		grams := gramsOf(w.rule.form(x.text))
		if len(grams) == 0 {
			x.gramless = append(x.gramless, int32(i))
			continue
		}
		w.gram = slices.MinFunc(grams, func(g, h uint32) int { return cmp.Compare(count[g], count[h]) })
		head := x.head(w.gram)
		w.link, *head = *head, int32(i)
	}
}

// head returns the head of the links for a gram.
func (x *index) head(gram uint32) *int32 { return &x.heads[gram*0x9e3779b1>>x.shift] }

// search tries the rules that one spelling of the target leads to.
func (x *index) search(path string, t target, best *rule) *rule {
	i := int32(sort.Search(len(x.literals), func(i int) bool { return x.literals[i].form > path })) - 1
	for ; i >= 0; i = x.literals[i].link {
		best = x.try(x.literals[i].rule, t, best)
	}
	for i := 0; i+gramSize <= len(path) && len(x.wilds) > 0; i++ {
		gram := gramAt(path, i)
		j := *x.head(gram)
		if j < 0 || strings.Index(path, path[i:][:gramSize]) < i {
			continue // if the gram occurred earlier, its rules have been tried
		}
		for ; j >= 0; j = x.wilds[j].link {
			if x.wilds[j].gram == gram {
				best = x.try(x.wilds[j].rule, t, best)
			}
		}
	}
	return best
}

// try returns the rule if it matches and decides over best, or else best.
func (x *index) try(r *rule, t target, best *rule) *rule {
	if (best == nil || r.beats(best)) && r.matches(x.text, t) {
		return r
	}
	return best
}
