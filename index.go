package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/internal/lex"
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

// isLarge reports whether a section with the entries gets an index.
func isLarge(entries []entry) bool {
	cost := 0
	for _, e := range entries {
		if e.has(wild) {
			cost += wildCost
		} else if e.isRule() {
			cost++
		}
	}
	return cost >= manyRules
}

// bestRule is the method bestRule of the listing, for the section of the index, whose
// rules start with entry i.
func (lazy *lazyIndex) bestRule(l *listing, i int, t target, best int) int {
	if lazy == nil || len(t.plain) > longPath {
		return l.bestRule(i, t, best)
	}
	x := lazy.index.Load()
	if x == nil {
		if lazy.asked.Add(1) != manyAsked {
			return l.bestRule(i, t, best)
		}
		x = newIndex(l, i)
		lazy.index.Store(x)
	}
	best = x.search(t.plain, t, best)
	if t.query != t.plain {
		best = x.search(t.query, t, best)
	}
	for _, i := range x.gramless {
		best = x.stronger(int(x.wilds[i].rule), t, best)
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
// path must have to match. Links lead through the rules whose grams have one hash. A
// rule is tried if the path also has all its characters.
type index struct {
	*listing
	literals []literal
	wilds    []wildRule
	heads    []int32 // by hash of a gram: in wilds
	shift    int     // from a hash to an index of heads
	gramless []int32 // the rules with wildcards that have no gram: in wilds
}

// A literal is a rule without wildcards. Its link is the index of the last literal
// before it whose form is a prefix of its own form, or -1.
type literal struct {
	form string
	rule uint32
	link int32
}

// A wildRule is a rule with wildcards. Its link is the index of the next one whose gram
// has the same hash, or -1.
type wildRule struct {
	chars lex.CharSet // of the form
	rule  uint32
	gram  uint32
	link  int32
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

func newIndex(l *listing, i int) *index {
	x := &index{listing: l}
	count := map[uint32]int{}
	for ; !l.entries[i].has(header); i++ {
		if !l.entries[i].isRule() {
			continue
		}
		form, _ := l.rule(i)
		if !l.entries[i].has(wild) {
			x.literals = append(x.literals, literal{form: form, rule: uint32(i)})
			continue
		}
		x.wilds = append(x.wilds, wildRule{rule: uint32(i), chars: lex.CharsOf(form) &^ lex.CharsOf("*")})
		for _, g := range gramsOf(form) {
			count[g]++
		}
	}
	x.linkLiterals()
	x.linkWilds(count)
	return x
}

func (x *index) linkLiterals() {
	slices.SortFunc(x.literals, func(a, b literal) int { return strings.Compare(a.form, b.form) })
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
	size := bits.Len(uint(len(x.wilds))) + 1 // log2 of the number of heads
	x.shift = 32 - size
	x.heads = slices.Repeat([]int32{-1}, 1<<size)
	for i := range x.wilds {
		w := &x.wilds[i]
		form, _ := x.rule(int(w.rule))
		grams := gramsOf(form)
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
func (x *index) search(path string, t target, best int) int {
	i := int32(sort.Search(len(x.literals), func(i int) bool { return x.literals[i].form > path })) - 1
	for ; i >= 0; i = x.literals[i].link {
		best = x.stronger(int(x.literals[i].rule), t, best)
	}
	if len(x.wilds) == 0 {
		return best
	}
	chars := lex.CharsOf(path)
	for i := 0; i+gramSize <= len(path); i++ {
		gram := gramAt(path, i)
		j := *x.head(gram)
		if j < 0 || strings.Index(path, path[i:][:gramSize]) < i {
			continue // if the gram occurred earlier, its rules have been tried
		}
		for ; j >= 0; j = x.wilds[j].link {
			if w := &x.wilds[j]; w.gram == gram && chars.HasAll(w.chars) {
				best = x.stronger(int(w.rule), t, best)
			}
		}
	}
	return best
}
