package robotstxt

import "testing"

// A rule with grams is in the list of one of them, also where an int has 32 bits.
func TestRarestGram(t *testing.T) {
	x := new(index)
	x.linkWilds([]literal{{text: "/abc*def"}, {text: "/abc*xyz"}, {text: "*"}})
	for i, isNone := range []bool{false, false, true} {
		if got := x.wilds[i].gram; (got == noGram) != isNone {
			t.Errorf("rule %d has the gram %#x, want noGram: %t", i, got, isNone)
		}
	}
}
