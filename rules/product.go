package rules

import "slices"

// A product searches for a target that some patterns match and others do not. The search is
// breadth-first, so it finds a shortest target. It follows all patterns at once, like the
// product of several automata: a state consists of a phase and a position in each pattern.
//
// Many octets have the same effect in a state, so the search tries only one octet for each
// effect. If it has tried all states without finding a target, none exists.
type product struct {
	patterns []*pattern // the patterns that must match, and then those that must not match
	must     int        // the number of patterns that must match

	stride int     // length of a row: one element for the phase, and one for each pattern's position
	rows   []int32 // the rows of the states, in the order in which the search found the states
	from   []int32 // for each state, the state from which the search reached it
	octets []byte  // for each state, the octet with which the search reached it
	table  []int32 // hash table of the states; a slot contains the index of a state plus 1, or 0 if the slot is free
	next   []int32 // the row that is being computed
	choice []byte  // the octets that expand tries in a state
}

// A target is read octet by octet. A phase says whether the octets so far end in the path or
// in the query, and whether they end with "%", "%2" or "%3", which could start an escape. The
// search must know this for two reasons:
//   - In targets, "$" is never escaped, so no target contains "%24".
//   - In a query, a pattern with a "?" reads ":" in place of "%3A", and "/" in place of "%2F".
//     A "%", "%2" or "%3" is withheld from the pattern until the next octet shows whether the
//     escape continues.
type phase = int32

const (
	inPath   phase = iota // in the path, which ends at the first "?"
	inPath1               // in the path, directly after a "%"
	inPath2               // in the path, directly after "%2"
	inQuery               // in the query
	inQuery1              // in the query, directly after "%"
	inQuery2              // in the query, directly after "%2"
	inQuery3              // in the query, directly after "%3"
)

// withheld contains, for each phase, the octets at the end of the target that are withheld from
// patterns with a "?".
var withheld = [...]string{inQuery1: "%", inQuery2: "%2", inQuery3: "%3"}

// withoutQuery replaces the phases in the query with phases in the path. Only a pattern with a "?"
// reads the path and the query in different ways. If every such pattern is dead or sure to match,
// the search does not need the phases in the query. With fewer phases, it has fewer states to try.
var withoutQuery = [...]phase{
	inPath: inPath, inPath1: inPath1, inPath2: inPath2,
	inQuery: inPath, inQuery1: inPath1, inQuery2: inPath2, inQuery3: inPath,
}

// advance returns the phase after the octet c. It also returns, in read, the octets that this step
// passes to patterns with a "?". Octets that are withheld from these patterns are passed in a
// later step, decoded if they turn out to be an escape. If c completes "%24", which no target
// contains, ok is false.
func advance(at phase, c byte) (to phase, read string, ok bool) {
	if at < inQuery {
		switch {
		case c == '?':
			to = inQuery
		case c == '%':
			to = inPath1
		case at == inPath1 && c == '2':
			to = inPath2
		}
		return to, octetStrings[c : c+1], at != inPath2 || c != '4'
	}
	switch {
	case c == '%':
		return inQuery1, withheld[at], true
	case at == inQuery1 && c == '2':
		return inQuery2, "", true
	case at == inQuery1 && c == '3':
		return inQuery3, "", true
	case at == inQuery2 && c == 'F':
		return inQuery, "/", true
	case at == inQuery3 && c == 'A':
		return inQuery, ":", true
	}
	return inQuery, withheld[at] + octetStrings[c:c+1], at != inQuery2 || c != '4'
}

// octetStrings contains all ASCII characters, so octetStrings[c:c+1] is the string that consists
// of the octet c.
var octetStrings = func() string {
	var all [128]byte
	for i := range all {
		all[i] = byte(i)
	}
	return string(all[:])
}()

func (p *pattern) matches(target string) bool {
	pos, at := p.start(), inPath
	for i := range len(target) {
		to, read, _ := advance(at, target[i])
		if !p.query {
			read = target[i : i+1]
		}
		pos, at = p.run(pos, read), to
		if pos == dead || p.isSure(pos) {
			break
		}
	}
	return p.endsAt(pos, at)
}

// endsAt reports whether the pattern matches if the target ends now. The parameters are the
// position in the pattern and the phase. If octets are still withheld from the pattern (see
// phase), they are not part of an escape, because the target has ended. So before endsAt decides, it
// lets the pattern read them.
func (p *pattern) endsAt(pos int32, at phase) bool {
	if p.query {
		pos = p.run(pos, withheld[at])
	}
	return p.isEnd(pos)
}

// An outcome says how a search for a target ended.
type outcome int

const (
	nothing outcome = iota // no target exists
	found                  // a target was found
	unclear                // the budget was exceeded
)

// shortest searches for a target that all patterns in must match, and that no pattern in
// mustNot matches. If there are several such targets, shortest returns one of the shortest.
// It subtracts the cost of the search from the budget.
func (x *product) shortest(must, mustNot []*pattern, budget *int) (target string, end outcome) {
	x.reset(must, mustNot)
	for i, p := range x.patterns {
		x.next[i+1] = p.start()
	}
	x.next[0] = inPath
	if !x.move('/') {
		return "", nothing
	}
	solved := x.add(0, '/')
	for state := 0; !solved; state++ {
		if state == len(x.from) {
			return "", nothing
		}
		before := len(x.rows)
		solved = x.expand(state)
		if *budget -= len(x.rows) - before + x.stride; *budget < 0 {
			return "", unclear
		}
	}
	return x.target(len(x.from) - 1), found
}

// fewSlots is the initial size of the hash table.
const fewSlots = 256

func (x *product) reset(must, mustNot []*pattern) {
	x.patterns = append(append(x.patterns[:0], must...), mustNot...)
	x.must = len(must)
	x.stride = 1 + len(x.patterns)
	x.rows, x.from, x.octets = x.rows[:0], x.from[:0], x.octets[:0]
	x.next = slices.Grow(x.next[:0], x.stride)[:x.stride]
	if x.table == nil {
		x.table = make([]int32, fewSlots)
	}
	x.table = x.table[:fewSlots]
	clear(x.table)
}

func (x *product) row(state int) []int32 { return x.rows[state*x.stride:][:x.stride] }

// expand adds the states that a search can reach from the given state with one more octet. If
// one of them is a solution (see isSolution), expand stops there and returns true.
func (x *product) expand(state int) (solved bool) {
	wanted := x.wanted(x.row(state))
	x.choice = wanted.appendTo(x.choice[:0])
	if c, ok := wanted.other(); ok {
		x.choice = append(x.choice, c)
	}
	for _, c := range x.choice {
		copy(x.next, x.row(state))
		if x.move(c) && x.add(int32(state), c) {
			return true
		}
	}
	return false
}

// wanted returns the octets that may have an effect of their own in a state. All other octets
// have the same effect, so the search needs to try only one of them.
func (x *product) wanted(row []int32) (set octetSet) {
	at, queries := row[0], false
	for i, p := range x.patterns {
		pos := row[i+1]
		if p.query && pos != dead && !p.isSure(pos) {
			queries = true
			pos = p.run(pos, withheld[at])
		}
		p.addWanted(&set, pos)
	}
	if at == inPath2 || at == inQuery2 {
		set.add('4') // after "%2", "4" is unlike all other octets: it leads nowhere, because no target contains "%24"
	}
	if !queries {
		return set
	}
	special := [...]string{inPath: "?", inPath1: "?", inPath2: "?", inQuery: "%", inQuery1: "%23", inQuery2: "%F", inQuery3: "%A"}
	for _, c := range []byte(special[at]) {
		set.add(c)
	}
	return set
}

// move changes the row x.next to the row after the octet c. It returns false if no solution can be
// reached from there.
func (x *product) move(c byte) bool {
	to, read, ok := advance(x.next[0], c)
	if !ok {
		return false
	}
	queries := false
	for i, p := range x.patterns {
		pos := &x.next[i+1]
		if p.query {
			*pos = p.run(*pos, read)
			queries = queries || *pos != dead && !p.isSure(*pos)
		} else {
			*pos = p.step(*pos, c)
		}
		if i < x.must && *pos == dead || i >= x.must && p.isSure(*pos) {
			return false
		}
	}
	if !queries {
		to = withoutQuery[to]
	}
	x.next[0] = to
	return true
}

// add adds the row x.next to the states, and reports whether the row is a solution. If the
// row is already among the states, add does nothing and returns false.
func (x *product) add(from int32, c byte) (solved bool) {
	slot := x.find(x.next)
	if x.table[slot] != 0 {
		return false
	}
	x.rows = append(x.rows, x.next...)
	x.from = append(x.from, from)
	x.octets = append(x.octets, c)
	x.table[slot] = int32(len(x.from))
	if 2*len(x.from) > len(x.table) {
		x.rehash()
	}
	return x.isSolution()
}

// isSolution reports whether the row x.next is a solution: all patterns that must match its
// target do so, and no other pattern does.
func (x *product) isSolution() bool {
	for i, p := range x.patterns {
		if p.endsAt(x.next[i+1], x.next[0]) != (i < x.must) {
			return false
		}
	}
	return true
}

// find returns the slot of the table that contains a row. If no slot contains the row, find
// returns the free slot for it.
func (x *product) find(row []int32) uint64 {
	h := uint64(0)
	for _, v := range row {
		h = (h ^ uint64(uint32(v))) * 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio; multiplying by it mixes the bits
		h ^= h >> 32
	}
	mask := uint64(len(x.table) - 1)
	for h &= mask; ; h = (h + 1) & mask {
		if s := x.table[h]; s == 0 || slices.Equal(x.row(int(s-1)), row) {
			return h
		}
	}
}

func (x *product) rehash() {
	x.table = make([]int32, 2*len(x.table))
	for s := range x.from {
		x.table[x.find(x.row(s))] = int32(s + 1)
	}
}

// target returns the target that leads to a state. It goes back from the state to the first
// state, and collects the octets on the way.
func (x *product) target(state int) string {
	var reversed []byte
	for ; ; state = int(x.from[state]) {
		reversed = append(reversed, x.octets[state])
		if state == 0 {
			slices.Reverse(reversed)
			return string(reversed)
		}
	}
}
