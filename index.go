package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Most sections have about a dozen rules. For these sections, trying one rule after the
// other is fastest. A section with at least manyRules rules gets an index, but not before
// it has been searched manySearches times.
const (
	manyRules    = 100 // a rule with wildcards counts as 1 + wildWeight rules
	wildWeight   = 7
	manySearches = 64
	longPath     = 4 << 10 // in octets; longer paths are matched without the index
)

// An index finds the rules of a section that can match a path. The other rules need not be
// tried. A File builds its indexes on demand; nothing else in a File changes after Parse.
//
// Rules without wildcards, the literals, are sorted. Each has a link to the longest other
// literal that it starts with: /a/b has a link to /a. A search begins at the last literal
// that does not sort after the path, and follows the links. So it finds every literal
// that the path starts with.
//
// A gram is three octets in a row. A rule with wildcards is found by its rarest gram,
// which every matching path contains.
type index struct {
	searches atomic.Uint32 // how often the section was searched before the index was built
	build    sync.Once

	literals []literal
	wilds    []wildRule
	buckets  []int32 // for each hash of a gram: the first rule in the list of rules with this hash, as an index into wilds; -1 if the list is empty
	shift    int     // the hash of a gram, shifted right by shift bits, is an index into buckets
}

// A literal is a rule without wildcards. It matches only paths that start with its text.
// The field link is the index of the last earlier literal whose text is a prefix of this
// literal's text, or -1.
type literal struct {
	text string
	rule int32 // an index into File.rules
	link int32
}

// A wildRule is a rule with wildcards. The field link is the index of the next wildRule in
// the same list, or -1.
type wildRule struct {
	chars lex.CharSet // characters that a path must contain to match
	rule  int32       // an index into File.rules
	gram  uint32
	link  int32
}

// countSearch counts a search, and reports whether to use the index for it. The index is not worth
// building for a few searches, and is not made for very long paths.
func (x *index) countSearch(t target) (isUseful bool) {
	// Load comes first because it does not write: goroutines that only read do not slow each other.
	isBusy := x.searches.Load() >= manySearches || x.searches.Add(1) >= manySearches
	return isBusy && len(t.plain) <= longPath
}

// bestOf is like File.bestOf, but uses the index.
func (x *index) bestOf(f *File, s int, t target, best int) int {
	x.build.Do(func() { x.fill(f, s) })
	best = x.search(f, t.plain, t, best)
	if t.decoded != t.plain {
		best = x.search(f, t.decoded, t, best)
	}
	return best
}

const (
	gramSize = 3
	noGram   = 0 // for rules that contain no gram; not a gram of a pattern, because canonical patterns contain no zero octets
)

func gramAt(s string, i int) uint32 {
	s = s[i:][:gramSize]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
}

// gramsOf returns all grams of the text that do not contain "*".
func gramsOf(text string) (grams []uint32) {
	for literal := range strings.SplitSeq(text, "*") {
		for i := 0; i+gramSize <= len(literal); i++ {
			grams = append(grams, gramAt(literal, i))
		}
	}
	return grams
}

// rarest returns the gram with the fewest uses, or noGram if there are no grams.
func rarest(grams []uint32, uses map[uint32]int) uint32 {
	if len(grams) == 0 {
		return noGram
	}
	return slices.MinFunc(grams, func(g, h uint32) int { return cmp.Compare(uses[g], uses[h]) })
}

// fill adds the rules of a section to the index. It adds each rule under a part of its pattern
// that every matching path contains; better then compares the whole pattern.
func (x *index) fill(f *File, s int) {
	var wilds []wildText
	start, end := f.rulesOf(s)
	for i := start; i < end; i++ {
		r, text := f.rules[i], f.pattern(i)
		if r.isAsWritten() {
			continue
		}
		if r.classes()&dollarClass != 0 {
			text = strings.TrimSuffix(text, "$")
		}
		if r.classes()&percentClass != 0 { // the spelling that matches compares with a path
			text = string(lex.AppendSpelling(nil, text, r.classes()&questionClass != 0))
		}
		text = strings.TrimRight(text, "*")
		if strings.Contains(text, "*") {
			wilds = append(wilds, wildText{text, int32(i)})
		} else {
			x.literals = append(x.literals, literal{text: text, rule: int32(i)})
		}
	}
	x.linkLiterals()
	x.linkWilds(wilds)
}

func (x *index) linkLiterals() {
	slices.SortFunc(x.literals, func(a, b literal) int { return strings.Compare(a.text, b.text) })
	last := int32(-1)
	for i := range x.literals {
		l := &x.literals[i]
		for last >= 0 && !strings.HasPrefix(l.text, x.literals[last].text) {
			last = x.literals[last].link
		}
		l.link = last
		last = int32(i)
	}
}

// A wildText is a rule with wildcards, with the part of its pattern that the index uses.
type wildText struct {
	text string
	rule int32
}

// linkWilds puts each rule with wildcards into one list: the list for the rarest gram in its
// pattern.
func (x *index) linkWilds(wilds []wildText) {
	uses := map[uint32]int{}
	for _, w := range wilds {
		for _, g := range gramsOf(w.text) {
			uses[g]++
		}
	}
	size := bits.Len(uint(len(wilds))) + 1 // x.buckets gets 1<<size elements, more than twice as many as wilds
	x.shift = 32 - size
	x.buckets = slices.Repeat([]int32{-1}, 1<<size)
	for _, w := range slices.Backward(wilds) { // each list begins with the earliest rule, which beats equal ones: they need not be matched
		gram := rarest(gramsOf(w.text), uses)
		first := x.bucket(gram)
		x.wilds = append(x.wilds, wildRule{lex.CharsOf(w.text) &^ lex.CharsOf("*"), w.rule, gram, *first})
		*first = int32(len(x.wilds) - 1)
	}
}

// bucket returns a pointer to the element of x.buckets for the hash of a gram.
func (x *index) bucket(gram uint32) *int32 {
	const multiplier = 0x9e3779b1 // 1<<32 divided by the golden ratio, which spreads similar grams
	return &x.buckets[gram*multiplier>>x.shift]
}

// search tries the rules that can match path, which is one of the two spellings of t. If one of
// them beats best, search returns the rule that decides. Otherwise, it returns best.
func (x *index) search(f *File, path string, t target, best int) int {
	i := int32(sort.Search(len(x.literals), func(i int) bool { return x.literals[i].text > path })) - 1
	for ; i >= 0; i = x.literals[i].link {
		best = f.better(int(x.literals[i].rule), t, best)
	}
	if len(x.wilds) == 0 {
		return best
	}
	chars := lex.CharsOf(path)
	best = x.tryBucket(f, noGram, chars, t, best)
	for i := range max(0, len(path)-gramSize+1) {
		gram := gramAt(path, i)
		if *x.bucket(gram) < 0 || strings.Index(path, path[i:][:gramSize]) < i {
			continue // no rule has this gram, or its rules were tried where it occurred first
		}
		best = x.tryBucket(f, gram, chars, t, best)
	}
	return best
}

// tryBucket tries the rules that are found by a gram, if a path with the given characters can match.
func (x *index) tryBucket(f *File, gram uint32, chars lex.CharSet, t target, best int) int {
	for i := *x.bucket(gram); i >= 0; i = x.wilds[i].link {
		if w := &x.wilds[i]; w.gram == gram && chars.HasAll(w.chars) {
			best = f.better(int(w.rule), t, best)
		}
	}
	return best
}
