package rules_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

// The tests in this file compare the package with brute force: they ask about all URLs of a
// few characters. With -full, they take minutes.
var full = flag.Bool("full", false, "test all pairs of rules of 4 octets, and a million pairs of files")

// A universe holds all URLs up to a length, and records which of them each pattern matches.
type universe struct {
	urls     []string
	all      bits
	patterns []string // as written, with distinct canonical forms
	matched  []bits   // by pattern
}

// A bits is a set of URLs.
type bits []uint64

func (b bits) any() bool {
	return slices.ContainsFunc(b, func(word uint64) bool { return word != 0 })
}

// meets reports whether two sets have a URL in common.
func (b bits) meets(other bits) bool {
	for i := range b {
		if b[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// split returns the members of b that the other set contains, and those that it lacks.
func (b bits) split(other bits) (inside, outside bits) {
	sets := make(bits, 2*len(b))
	inside, outside = sets[:len(b)], sets[len(b):]
	for i := range b {
		inside[i], outside[i] = b[i]&other[i], b[i]&^other[i]
	}
	return inside, outside
}

// words returns all strings of at most n characters from the list.
func words(characters []string, n int) []string {
	all := []string{""}
	for start := 0; n > 0; n-- {
		end := len(all)
		for _, s := range all[start:end] {
			for _, c := range characters {
				all = append(all, s+c)
			}
		}
		start = end
	}
	return all
}

// The characters of most tests. For patterns with a "?", "%2F" in the query is "/".
var (
	urlCharacters     = []string{"a", "/", "$", "?", "x", "%2F"}
	patternCharacters = []string{"a", "/", "*", "$", "?"}
)

// newUniverse returns the universe of all URLs whose paths have at most length characters.
func newUniverse(characters []string, length int, patterns []string) *universe {
	var u universe
	for _, s := range words(characters, length-1) {
		u.urls = append(u.urls, "https://example.com/"+s)
	}
	u.all = make(bits, len(u.urls)/64+1)
	for i := range u.urls {
		u.all[i/64] |= 1 << (i % 64)
	}
	seen := map[string]bool{"": true}
	for _, s := range patterns {
		p := robotstxt.NewPattern(s)
		if seen[p.Canonical()] {
			continue
		}
		seen[p.Canonical()] = true
		matched := make(bits, len(u.urls)/64+1)
		for i, url := range u.urls {
			if p.Matches(url) {
				matched[i/64] |= 1 << (i % 64)
			}
		}
		u.patterns = append(u.patterns, s)
		u.matched = append(u.matched, matched)
	}
	return &u
}

// A rule is a line of a file with one group.
type rule struct {
	line    int // 0 for no rule
	allow   bool
	octets  int
	pattern int // in the universe
}

// file returns a file with a group for all crawlers.
func (u *universe) file(list []rule) *robotstxt.File {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, r := range list {
		b.WriteString(robotstxt.Rule{Allow: r.allow, Pattern: u.patterns[r.pattern]}.String() + "\n")
	}
	return robotstxt.Parse([]byte(b.String()))
}

// decided returns the rules of a file, the strongest first and "no rule" last, with the set
// of URLs that each decides.
func (u *universe) decided(list []rule) (sorted []rule, sets []bits) {
	sorted = slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b rule) int {
		if a.octets == b.octets && a.allow != b.allow {
			if a.allow {
				return -1
			}
			return 1
		}
		return b.octets - a.octets
	})
	left := u.all
	for _, r := range sorted {
		var set bits
		set, left = left.split(u.matched[r.pattern])
		sets = append(sets, set)
	}
	return append(sorted, rule{allow: true}), append(sets, left)
}

// A side is a file with the results of decided.
type side struct {
	list   []rule
	file   *robotstxt.File
	sorted []rule
	sets   []bits
}

func (u *universe) newSide(list []rule) side {
	sorted, sets := u.decided(list)
	return side{list, u.file(list), sorted, sets}
}

// newRule returns the rule on a line.
func (u *universe) newRule(line int, allow bool, pattern int) rule {
	return rule{line, allow, robotstxt.NewPattern(u.patterns[pattern]).Octets(), pattern}
}

// checkDiff compares Diff with the decisions about all URLs.
func checkDiff(t *testing.T, old, new side) {
	t.Helper()
	got := map[[2]int]bool{}
	for _, c := range rules.Diff(old.file, new.file, rules.Options{}) {
		if !c.Others || len(c.UndecidedOld)+len(c.UndecidedNew) > 0 || c.Incomplete {
			t.Fatalf("old %v, new %v: undecided, or not for all crawlers: %+v", old.file.Group().Rules(), new.file.Group().Rules(), c)
		}
		for _, d := range c.Differences {
			checkDifference(t, old.file, new.file, "", d)
			got[[2]int{d.Old.Rule.Line, d.New.Rule.Line}] = true
		}
	}
	for i, a := range old.sorted {
		for j, b := range new.sorted {
			if a.allow != b.allow && !got[[2]int{a.line, b.line}] && old.sets[i].meets(new.sets[j]) {
				t.Errorf("old %v, new %v: Diff misses the difference between the old line %d and the new line %d", old.file.Group().Rules(), new.file.Group().Rules(), a.line, b.line)
			}
		}
	}
}

// checkDifference asks both files about the URL of a difference.
func checkDifference(t *testing.T, old, new *robotstxt.File, agent string, d rules.Difference) {
	t.Helper()
	if d.URL == "" || d.Old.Allowed == d.New.Allowed {
		t.Errorf("a difference without a URL, or with equal verdicts: %+v", d)
	}
	before, after := old.Decide(agent, d.URL), new.Decide(agent, d.URL)
	if before.Rule != d.Old.Rule || before.Allowed != d.Old.Allowed || after.Rule != d.New.Rule || after.Allowed != d.New.Allowed {
		t.Errorf("decisions about %q are not those of the difference %v:\nold %v\nnew %v", d.URL, d, before, after)
	}
}

// TestDiffPairs compares all pairs of files with at most one rule.
func TestDiffPairs(t *testing.T) {
	octets, length := 3, 5
	switch {
	case testing.Short():
		octets = 2
	case *full:
		octets, length = 4, 7
	}
	u := newUniverse(urlCharacters, length, words(patternCharacters, octets))
	files := []side{u.newSide(nil)}
	for i := range u.patterns {
		files = append(files, u.newSide([]rule{u.newRule(2, false, i)}), u.newSide([]rule{u.newRule(2, true, i)}))
	}
	for _, old := range files {
		for _, new := range files {
			checkDiff(t, old, new)
		}
	}
	t.Logf("%d pairs of files, %d URLs", len(files)*len(files), len(u.urls))
}

// randomRules returns up to six rules.
func (u *universe) randomRules(r *rand.Rand) []rule {
	list := make([]rule, r.IntN(7))
	for i := range list {
		list[i] = u.newRule(2+i, r.IntN(2) == 0, r.IntN(len(u.patterns)))
	}
	return list
}

// edit returns the rules with at most one rule dropped, added or changed.
func (u *universe) edit(r *rand.Rand, list []rule) []rule {
	list = slices.Clone(list)
	i := r.IntN(len(list) + 1)
	switch more := u.newRule(0, r.IntN(2) == 0, r.IntN(len(u.patterns))); {
	case r.IntN(2) == 0:
		list = slices.Insert(list, i, more)
	case i < len(list) && r.IntN(2) == 0:
		list[i] = more
	case i < len(list):
		list = slices.Delete(list, i, i+1)
	}
	for i := range list {
		list[i].line = 2 + i
	}
	return list
}

// TestRandom tests Diff with random pairs of files, and DeadRules and CoverageOf with the new
// file of each pair.
func TestRandom(t *testing.T) {
	length := 5
	if *full {
		length = 7
	}
	testRandom(t, newUniverse(urlCharacters, length, words(patternCharacters, 4)), 1_000_000)
}

// TestRandomEscapes is like TestRandom, with characters that have two spellings, and with a
// "%" that starts no escape.
func TestRandomEscapes(t *testing.T) {
	characters := []string{"a", "/", "?", ":", "%2F", "%3A", "$", "%2A", "%", "2", "F"}
	patterns := words([]string{"a", "/", "*", "?", ":", "%2F", "%3A", "$", "%24", "%2A", "%", "2", "F"}, 4)
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(patterns), func(i, j int) { patterns[i], patterns[j] = patterns[j], patterns[i] })
	length := 4
	if *full {
		length = 5
	}
	testRandom(t, newUniverse(characters, length, patterns[:700]), 300_000)
}

// testRandom compares the given number of pairs with -full, and a hundredth or less
// without.
func testRandom(t *testing.T, u *universe, pairs int) {
	switch {
	case testing.Short():
		pairs /= 1000
	case !*full:
		pairs /= 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < pairs && !t.Failed(); i++ {
		old := u.randomRules(r)
		new := u.randomRules(r)
		if i%2 == 0 {
			new = u.edit(r, old)
		}
		newSide := u.newSide(new)
		checkDiff(t, u.newSide(old), newSide)
		u.checkDead(t, newSide)
		checkCoverage(t, newSide)
	}
	t.Logf("%d pairs of files, %d URLs, %d patterns", pairs, len(u.urls), len(u.patterns))
}

// checkDead compares DeadRules with the decisions about all URLs.
func (u *universe) checkDead(t *testing.T, s side) {
	t.Helper()
	g := s.file.Group()
	dead, undecided := rules.DeadRules(g)
	if len(undecided) > 0 {
		t.Errorf("rules %v: DeadRules leaves %v undecided", g.Rules(), undecided)
	}
	for i, r := range s.sorted[:len(s.list)] {
		place := slices.IndexFunc(dead, func(d rules.DeadRule) bool { return d.Rule.Line == r.line })
		if place >= 0 {
			if s.sets[i].any() {
				t.Errorf("rules %v: DeadRules reports line %d, which decides a URL", g.Rules(), r.line)
			}
			u.checkInstead(t, s.list, r, dead[place])
		} else if !s.sets[i].any() { // then it decides longer URLs, which are not in the universe
			url, ok := rules.Decided(g, r.line)
			if !ok || g.Decide(url).Rule.Line != r.line {
				t.Errorf("rules %v: DeadRules does not report line %d, but it does not decide %q", g.Rules(), r.line, url)
			}
		}
	}
}

// checkInstead checks that the rules that decide instead of a dead rule match all URLs that
// it matches.
func (u *universe) checkInstead(t *testing.T, list []rule, r rule, dead rules.DeadRule) {
	t.Helper()
	left := u.matched[r.pattern]
	for _, rival := range dead.Instead {
		_, left = left.split(u.matched[list[rival.Line-2].pattern])
	}
	if left.any() {
		t.Errorf("rules %v: the rules %v do not match all URLs of the dead line %d", list, dead.Instead, r.line)
	}
	if len(dead.Instead) == 0 {
		t.Errorf("rules %v: no rule decides instead of the dead line %d", list, r.line)
	}
}

func checkCoverage(t *testing.T, s side) {
	t.Helper()
	g := s.file.Group()
	a := rules.CoverageOf(g)
	for i, r := range s.sorted {
		if r.allow && a.AllowedURL == "" && s.sets[i].any() || !r.allow && a.DisallowedURL == "" && s.sets[i].any() {
			t.Errorf("rules %v: coverage %+v has no URL for the verdict of line %d", g.Rules(), a, r.line)
		}
	}
	if a.AllowedURL != "" && !g.Allowed(a.AllowedURL) || a.DisallowedURL != "" && g.Allowed(a.DisallowedURL) || a.Undecided {
		t.Errorf("rules %v: coverage %+v is undecided or has a wrong URL", g.Rules(), a)
	}
}
