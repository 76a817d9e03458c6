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
	return x.best(t, best)
}

// An index finds the rules of a section that can match a path without trying the
// others.
//
// The literals, which are rules without wildcards, are sorted by their forms. Those
// that a path starts with are prefixes of each other. So the place of the path among
// the sorted forms is right behind the longest of them, and links lead to the others.
//
// A rule with wildcards is found by its rarest gram: three octets in a row that a
// path must have to match.
type index struct {
	text     string
	rules    []rule
	literals []literal
	grams    map[uint32][]uint32 // the rules of each gram, the strongest first
	filter   []uint64            // a bit for each gram by its hash; it rejects most others
	shift    int                 // from a hash to its bit
	gramless []uint32            // rules with wildcards but without a gram
}

// A literal is a rule without wildcards. Its link is the index of the last literal
// before it whose form is a prefix of its own form, or -1.
type literal struct {
	form string
	rule uint32
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
	x := &index{text: text, rules: rules, grams: map[uint32][]uint32{}}
	var wilds []uint32
	count := map[uint32]int{}
	for i := range rules {
		r := &rules[i]
		if !r.has(wild) {
			x.literals = append(x.literals, literal{r.form(text), uint32(i), -1})
			continue
		}
		wilds = append(wilds, uint32(i))
		for _, g := range gramsOf(r.form(text)) {
			count[g]++
		}
	}
	slices.SortFunc(wilds, x.byStrength)
	for _, i := range wilds {
		if grams := gramsOf(rules[i].form(text)); len(grams) > 0 {
			rarest := slices.MinFunc(grams, func(g, h uint32) int { return cmp.Compare(count[g], count[h]) })
			x.grams[rarest] = append(x.grams[rarest], i)
		} else {
			x.gramless = append(x.gramless, i)
		}
	}
	x.linkLiterals()
	x.fillFilter()
	return x
}

// byStrength puts the rule that decides if both match first.
func (x *index) byStrength(i, j uint32) int {
	switch {
	case i == j:
		return 0
	case x.rules[i].beats(&x.rules[j]):
		return -1
	}
	return 1
}

// linkLiterals sorts the literals and sets their links.
func (x *index) linkLiterals() {
	slices.SortFunc(x.literals, func(a, b literal) int {
		return cmp.Or(strings.Compare(a.form, b.form), x.byStrength(a.rule, b.rule))
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

func (x *index) fillFilter() {
	size := max(6, bits.Len(uint(len(x.grams)))+3) // log2 of the number of bits
	x.shift = 32 - size
	x.filter = make([]uint64, 1<<size/64)
	for g := range x.grams {
		bit := hash(g) >> x.shift
		x.filter[bit/64] |= 1 << (bit % 64)
	}
}

func hash(g uint32) uint32 { return g * 0x9e3779b1 }

// mayHave reports whether the index may have rules with the gram.
func (x *index) mayHave(g uint32) bool {
	bit := hash(g) >> x.shift
	return x.filter[bit/64]>>(bit%64)&1 != 0
}

// best returns the rule that decides about the target, among best, which may be nil,
// and the rules of the index.
func (x *index) best(t target, best *rule) *rule {
	best = x.search(t.plain, t, best)
	if t.query != t.plain {
		best = x.search(t.query, t, best)
	}
	return x.try(x.gramless, t, best)
}

// search tries the rules that one spelling of the target leads to.
func (x *index) search(path string, t target, best *rule) *rule {
	i := int32(sort.Search(len(x.literals), func(i int) bool { return x.literals[i].form > path })) - 1
	for ; i >= 0; i = x.literals[i].link {
		r := &x.rules[x.literals[i].rule]
		if (best == nil || r.beats(best)) && r.matches(x.text, t) {
			best = r
		}
	}
	if len(x.grams) == 0 {
		return best
	}
	for i := 0; i+gramSize <= len(path); i++ {
		g := gramAt(path, i)
		if !x.mayHave(g) {
			continue
		}
		// If the gram occurred earlier, its rules have been tried.
		if rules := x.grams[g]; len(rules) > 0 && strings.Index(path, path[i:][:gramSize]) == i {
			best = x.try(rules, t, best)
		}
	}
	return best
}

// try returns the first of the rules, the strongest first, that matches, or best if
// that decides over it.
func (x *index) try(rules []uint32, t target, best *rule) *rule {
	for _, i := range rules {
		r := &x.rules[i]
		if best != nil && !r.beats(best) {
			break
		}
		if r.matches(x.text, t) {
			return r
		}
	}
	return best
}
