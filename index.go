package robotstxt

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
)

// Most groups have a dozen rules, and to look at one after the other is fastest.
// A group of many gets an index, once it has been asked so often that the index
// would have paid for itself.
const (
	manyRules = 100 // of which one with wildcards counts for wildCost
	wildCost  = 8
	manyAsked = 64
)

// Indexes are those of a file's large groups. That they are built on demand is all
// that ever changes in a File.
type indexes struct {
	room atomic.Int64 // what the groups that still get an index may cost
	lazy []lazyIndex
}

type lazyIndex struct {
	asked atomic.Uint32
	index atomic.Pointer[index]
}

// newIndexes numbers the large groups of a file.
func newIndexes(f *File) *indexes {
	n := uint32(0)
	for i := range f.groups {
		if f.cost(&f.groups[i]) >= manyRules {
			n++
			f.groups[i].index = n
		}
	}
	if n == 0 {
		return nil
	}
	x := &indexes{lazy: make([]lazyIndex, n)}
	// If groups share so many rules that their indexes would be much larger than
	// the file, some stay without.
	x.room.Store(int64(wildCost*len(f.rules) + 2*manyRules))
	return x
}

// cost estimates how long it takes to look at all rules of a group.
func (f *File) cost(g *group) (n int) {
	for _, s := range f.sections[g.sections:g.sectionsEnd] {
		n += int(s.rulesEnd - s.rules)
		for i := s.rules; i < s.rulesEnd && n < manyRules; i++ {
			if f.rules[i].line&(wild|loose) != 0 {
				n += wildCost - 1
			}
		}
	}
	return n
}

// indexOf returns the index of a group, or nil if it has none yet.
func (f *File) indexOf(g *group) *index {
	if g.index == 0 {
		return nil
	}
	lazy := &f.indexes.lazy[g.index-1]
	if x := lazy.index.Load(); x != nil {
		return x
	}
	if lazy.asked.Load() > manyAsked || lazy.asked.Add(1) != manyAsked || f.indexes.room.Add(-int64(f.cost(g))) < 0 {
		return nil
	}
	x := newIndex(f, g)
	lazy.index.Store(x)
	return x
}

// An index finds the rules of a group that can match a target without a look at
// the others. A literal rule is found by the hash of its form, since each hash of a
// beginning of the target is looked up, and a rule with wildcards by a gram, some
// octets in a row that the target must have. What is found is matched as ever.
type index struct {
	seed   uint64   // keeps a hostile file from choosing rules that collide
	filter []uint64 // a bit for each hash, which turns most others away
	slots  []slot   // a hash table with open addressing, by the high bits
	shift  int      // what of a hash is no bit of the filter; eight are a slot's
	lists  []uint32 // rules of one hash, the strongest first; the last is marked
	rest   []uint32 // rules that have no gram, the strongest first
}

// A slot says where the rules of a hash start in the lists. The zero slot is free.
type slot struct{ tag, list uint32 }

const (
	gramSize   = 3
	hashFactor = 0x9e3779b97f4a7c15 // odd, and its bits have no pattern
	endMark    = 1 << 8             // stands behind an anchored literal; no octet
	gramMark   = 1 << 24            // parts grams from literals
	lastMark   = 1 << 31            // of the last rule in a list
)

func hash(h uint64, c uint64) uint64 { return (h ^ c) * hashFactor }

// gramHash returns the hash of the gram that s starts with.
func (x *index) gramHash(s string) uint64 {
	return hash(x.seed, gramMark|uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16)
}

// literalHash returns the hash of a literal rule.
func (x *index) literalHash(f *File, r *rule) uint64 {
	h := x.seed
	for _, c := range []byte(f.form(r)) {
		h = hash(h, uint64(c))
	}
	if r.has(anchored) {
		h = hash(h, endMark)
	}
	return h
}

// grams returns the hashes of a rule's grams. What has two spellings has none.
func (x *index) grams(f *File, r *rule) (hashes []uint64) {
	if r.has(loose) {
		return nil
	}
	for literal := range strings.SplitSeq(f.form(r), "*") {
		for ; len(literal) >= gramSize; literal = literal[1:] {
			hashes = append(hashes, x.gramHash(literal))
		}
	}
	return hashes
}

// An entry is a rule, by its number, to be found by a hash.
type entry struct {
	hash uint64
	rule uint32
}

func newIndex(f *File, g *group) *index {
	x := &index{seed: rand.Uint64()}
	var entries []entry
	var wilds []uint32
	count := map[uint64]int{} // of the rules with a gram
	for _, s := range f.sections[g.sections:g.sectionsEnd] {
		for i := s.rules; i < s.rulesEnd; i++ {
			r := &f.rules[i]
			if r.line&(wild|loose) == 0 {
				entries = append(entries, entry{x.literalHash(f, r), i})
				continue
			}
			wilds = append(wilds, i)
			for _, h := range x.grams(f, r) {
				count[h]++
			}
		}
	}
	for _, i := range wilds {
		grams := x.grams(f, &f.rules[i])
		if len(grams) == 0 {
			x.rest = append(x.rest, i)
			continue
		}
		rarest := slices.MinFunc(grams, func(g, h uint64) int { return cmp.Compare(count[g], count[h]) })
		entries = append(entries, entry{rarest, i})
	}
	slices.SortFunc(x.rest, f.byStrength)
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), f.byStrength(a.rule, b.rule))
	})
	x.fill(entries)
	return x
}

// byStrength puts the rule that decides if both match first.
func (f *File) byStrength(i, j uint32) int {
	switch {
	case f.rules[i].beats(&f.rules[j]):
		return -1
	case f.rules[j].beats(&f.rules[i]):
		return 1
	}
	return 0
}

// fill makes the table from the entries, which are sorted.
func (x *index) fill(entries []entry) {
	k := max(3, bits.Len(uint(len(entries)))+1) // log2 of the number of slots
	x.shift = 64 - (k + 3)
	x.filter = make([]uint64, 1<<(k+3)/64)
	x.slots = make([]slot, 1<<k)
	x.lists = make([]uint32, 1, 1+len(entries)) // none starts at 0
	for i, e := range entries {
		if i == 0 || entries[i-1].hash != e.hash {
			x.put(e.hash, uint32(len(x.lists)))
		}
		if i+1 == len(entries) || entries[i+1].hash != e.hash {
			e.rule |= lastMark
		}
		x.lists = append(x.lists, e.rule)
	}
}

func (x *index) put(h uint64, list uint32) {
	bit := h >> x.shift
	x.filter[bit/64] |= 1 << (bit % 64)
	i := int(bit / 8)
	for x.slots[i].list != 0 {
		i = (i + 1) % len(x.slots)
	}
	x.slots[i] = slot{uint32(h), list}
}

// has reports whether there may be rules with the hash.
func (x *index) has(h uint64) bool {
	bit := h >> x.shift
	return x.filter[bit/64]>>(bit%64)&1 != 0
}

// find returns the list of the rules with the hash. It may be that of another.
func (x *index) find(h uint64) []uint32 {
	for i := int(h >> x.shift / 8); x.slots[i].list != 0; i = (i + 1) % len(x.slots) {
		if s := x.slots[i]; s.tag == uint32(h) {
			return x.lists[s.list:]
		}
	}
	return nil
}

// best is File.best for the group of the index.
func (x *index) best(f *File, target string) (best *rule) {
	h := x.seed
	for i := range len(target) {
		if x.has(h) {
			best = f.bestOf(x.find(h), target, best)
		}
		if rest := target[i:]; len(rest) >= gramSize {
			if g := x.gramHash(rest); x.has(g) {
				// Where a gram stands again, its rules have been looked at.
				if list := x.find(g); list != nil && strings.Index(target, rest[:gramSize]) == i {
					best = f.bestOf(list, target, best)
				}
			}
		}
		h = hash(h, uint64(target[i]))
	}
	best = f.bestOf(x.find(h), target, best)
	best = f.bestOf(x.find(hash(h, endMark)), target, best)
	return f.bestOf(x.rest, target, best)
}

// bestOf returns the first rule of the list that matches, or best if that decides
// over it.
func (f *File) bestOf(list []uint32, target string, best *rule) *rule {
	for _, i := range list {
		r := &f.rules[i&^lastMark]
		if best != nil && !r.beats(best) {
			return best
		}
		if r.matches(f.form(r), target) {
			return r
		}
		if i&lastMark != 0 {
			break
		}
	}
	return best
}
