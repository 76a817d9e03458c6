package robotstxt

import (
	"cmp"
	"math"
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
// it has been searched manyQuestions times.
const (
	manyRules     = 100 // a rule with wildcards counts as 1 + wildCost rules
	wildCost      = 7
	manyQuestions = 64
	longPath      = 4 << 10 // in octets; longer paths are matched without the index
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
	questions atomic.Uint32 // how often bestOf was called before the index was built
	build     sync.Once

	size int // the number of lines in the section; the number of its rules is at most size
	*table
	literals []literal
	wilds    []wildRule
	heads    []int32 // for each hash of a gram: the first rule in the list of rules with this hash, as an index into wilds; -1 if the list is empty
	shift    int     // the hash of a gram, shifted right by shift bits, is an index into heads
}

// bestOf is like table.bestOf, but uses the index. It calls table.bestOf if x is nil, if
// building x would not pay off yet, or if the path is too long for an index.
func (x *index) bestOf(t *table, section int, target target, best rank) rank {
	unused := x == nil || x.questions.Load() < manyQuestions && x.questions.Add(1) < manyQuestions
	if unused || len(target.path) > longPath {
		return t.bestOf(section, target, best)
	}
	x.build.Do(func() { x.fill(t, section) })
	best = x.search(target.path, target, best)
	if target.query != target.path {
		best = x.search(target.query, target, best)
	}
	return best
}

// A literal is a rule without wildcards. It matches only paths that start with its text.
// The field link is the index of the last earlier literal whose text is a prefix of this
// literal's text, or -1.
type literal struct {
	text string
	rule uint32
	link int32
}

// A wildRule is a rule with wildcards. The field link is the index of the next wildRule in
// the same list, or -1.
type wildRule struct {
	chars      lex.CharSet // characters that a path must contain to match
	gram, rule uint32
	link       int32
}

const (
	gramSize = 3
	noGram   = 0 // for rules that contain no gram
)

func gramAt(s string, i int) uint32 {
	s = s[i:][:gramSize]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
}

// gramsOf returns noGram and all grams of the text that do not contain "*".
func gramsOf(text string) []uint32 {
	grams := []uint32{noGram}
	for literal := range strings.SplitSeq(text, "*") {
		for i := 0; i+gramSize <= len(literal); i++ {
			grams = append(grams, gramAt(literal, i))
		}
	}
	return grams
}

// fill adds the rules of a section to the index.
func (x *index) fill(t *table, section int) {
	x.table = t
	var wilds []literal
	for i, l := range t.section(section) {
		if !l.isRule() {
			continue
		}
		text, _ := t.rule(i)
		if l.classes()&percentClass != 0 { // a path may spell the escaped character differently, so use only the text before the escape
			text, _, _ = strings.Cut(text, "%")
		} else if l.classes()&dollarClass != 0 {
			text = strings.TrimSuffix(text, "$")
		}
		text = strings.TrimRight(text, "*")
		if strings.Contains(text, "*") {
			wilds = append(wilds, literal{text: text, rule: uint32(i)})
		} else {
			x.literals = append(x.literals, literal{text: text, rule: uint32(i)})
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

// linkWilds puts each rule with wildcards into one list: the list for the rarest gram in its
// pattern.
func (x *index) linkWilds(wilds []literal) {
	uses := map[uint32]int{noGram: math.MaxInt32 / 2} // a huge count, so that a rule gets noGram only if it has no other gram
	for _, w := range wilds {
		for _, g := range gramsOf(w.text) {
			uses[g]++
		}
	}
	size := bits.Len(uint(len(wilds))) + 1 // x.heads gets 1<<size elements, more than twice as many as wilds
	x.shift = 32 - size
	x.heads = slices.Repeat([]int32{-1}, 1<<size)
	for _, w := range wilds {
		gram := slices.MinFunc(gramsOf(w.text), func(g, h uint32) int { return cmp.Compare(uses[g], uses[h]) })
		head := x.head(gram)
		x.wilds = append(x.wilds, wildRule{lex.CharsOf(w.text) &^ lex.CharsOf("*"), gram, w.rule, *head})
		*head = int32(len(x.wilds) - 1)
	}
}

// head returns a pointer to the element of x.heads for the hash of a gram.
func (x *index) head(gram uint32) *int32 { return &x.heads[gram*0x9e3779b1>>x.shift] }

// search tries the rules that can match path, which is one of the two spellings of t. If a rule
// that ranks higher than best matches t, search returns the highest rank of such a rule.
// Otherwise, it returns best.
func (x *index) search(path string, t target, best rank) rank {
	i := int32(sort.Search(len(x.literals), func(i int) bool { return x.literals[i].text > path })) - 1
	for ; i >= 0; i = x.literals[i].link {
		best = x.better(int(x.literals[i].rule), t, best)
	}
	if len(x.wilds) == 0 {
		return best
	}
	chars := lex.CharsOf(path)
	for i, gram := 0, uint32(noGram); ; i++ {
		j := *x.head(gram)
		if j >= 0 && i > 0 && strings.Index(path, path[i-1:][:gramSize]) < i-1 {
			j = -1 // path also contains this gram further left, so the rules of the gram have been tried
		}
		for ; j >= 0; j = x.wilds[j].link {
			if w := &x.wilds[j]; w.gram == gram && chars.HasAll(w.chars) {
				best = x.better(int(w.rule), t, best)
			}
		}
		if i+gramSize > len(path) {
			return best
		}
		gram = gramAt(path, i)
	}
}
