package rules

import (
	"cmp"
	"slices"

	"github.com/robotstxt-go/robotstxt"
)

// Options say for which crawlers [Diff] compares the files. The zero value suits most uses.
type Options struct {
	Agents []string // compare the files for these crawlers; if empty, for all

	// Names returns the names of a crawler: its token, and then other tokens. The crawler obeys the group for
	// the first of them that a file names. The function Names of package crawlers is such a function. If
	// Names is nil, a crawler has only its token, as in RFC 9309.
	Names func(agent string) []string
}

// A Change lists the differences for one crawler, or for several crawlers that all have
// these differences.
type Change struct {
	Agents      []string     // product tokens
	Others      bool         // the change also applies to crawlers that neither file names
	Differences []Difference // sorted by line of the new file, then by line of the old file

	// UndecidedOld and UndecidedNew contain the rules of the old and the new file for which a
	// search exceeded its budget. These rules may cause differences that are not in Differences.
	UndecidedOld, UndecidedNew []robotstxt.Rule
	// Incomplete is true if Diff used up its whole budget before it had compared all rules for
	// these crawlers, or if a file has more than 2,000 tokens.
	Incomplete bool
}

// A Difference is a pair of opposite decisions, one from the old file and one from the new file, about a URL.
// If there are several such URLs, it is one of the shortest, or nearly.
type Difference struct {
	URL      string
	Old, New robotstxt.Decision
}

// Diff returns the differences between the old file (before) and the new file (after).
// Unless opts selects crawlers, Diff compares the files for all crawlers, including those
// that neither file names. Crawlers for which nothing changes are not in the result. So if
// Diff compares the files for all crawlers and returns nothing, both files give the same
// verdict for every crawler and every URL.
func Diff(before, after *robotstxt.File, opts Options) []Change {
	d := differ{opts: opts, old: newFileRules(before), new: newFileRules(after)}
	d.finder.budget = totalBudget
	if d.old.tooMany || d.new.tooMany {
		d.finder.budget = -1                      // so all changes are incomplete
		d.old.tooMany, d.new.tooMany = true, true // so that tokenFor is quick for both files
	}
	var changes []Change
	for _, c := range d.groupPairs() {
		changes = d.merge(changes, d.compare(c))
	}
	return changes
}

// merge adds the change c to the list, unless c is empty. If the list already contains an equal
// change that also holds for the crawlers of c, merge only adds these crawlers to that change.
func (d *differ) merge(changes []Change, c Change) []Change {
	if len(c.Differences) == 0 && c.isDecided() {
		return changes
	}
	for i := range changes {
		if changes[i].equals(c) && d.holds(changes[i]) {
			changes[i].Agents = append(changes[i].Agents, c.Agents...)
			changes[i].Others = changes[i].Others || c.Others
			return changes
		}
	}
	return append(changes, c)
}

// holds reports whether a change from an earlier comparison is also true for the two groups
// of the latest comparison. The same two rules can decide different URLs in different groups,
// so holds checks the URLs of the change. If the budget runs out, holds returns false.
func (d *differ) holds(c Change) bool {
	for _, difference := range c.Differences {
		for i, want := range []robotstxt.Decision{difference.Old, difference.New} {
			side := d.finder.sides[i]
			d.finder.budget -= side.askCost(difference.URL)
			if d.finder.budget < 0 || !sameDecision(side.group.Decide(difference.URL), want) {
				return false
			}
		}
	}
	return true
}

func (c *Change) isDecided() bool {
	return len(c.UndecidedOld) == 0 && len(c.UndecidedNew) == 0 && !c.Incomplete
}

// sameDecision reports whether two decisions have the same verdict, reason and rule.
func sameDecision(a, b robotstxt.Decision) bool {
	return a.Allowed == b.Allowed && a.Reason == b.Reason && a.Rule == b.Rule
}

// equals reports whether two changes are the same, apart from their crawlers and URLs.
func (c *Change) equals(other Change) bool {
	return c.Incomplete == other.Incomplete &&
		slices.EqualFunc(c.Differences, other.Differences, func(a, b Difference) bool {
			return sameDecision(a.Old, b.Old) && sameDecision(a.New, b.New)
		}) &&
		slices.Equal(c.UndecidedOld, other.UndecidedOld) &&
		slices.Equal(c.UndecidedNew, other.UndecidedNew)
}

// A differ compares two files.
type differ struct {
	opts     Options
	old, new *fileRules
	finder   finder
}

func (d *differ) compare(c *groupPair) Change {
	change := Change{Agents: c.agents, Others: c.others}
	if d.finder.budget < 0 {
		change.Incomplete = true
		return change
	}
	p := pairing{
		differ: d,
		change: &change,
		old:    d.old.ruleset(c.old, c.oldName),
		new:    d.new.ruleset(c.new, c.newName),
		found:  map[[2]int]bool{},
	}
	d.finder.budget -= ruleCost * (len(p.old.all) + len(p.new.all))
	d.finder.sides = []*ruleset{p.old, p.new}
	p.run()
	slices.SortFunc(change.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.New.Rule.Line, b.New.Rule.Line), cmp.Compare(a.Old.Rule.Line, b.Old.Rule.Line))
	})
	return change
}

// A pairing finds pairs of rules, one from each file, that decide the same URL with opposite
// verdicts. A pairing skips two rules that are both in both files: if both match a URL, the weaker
// of the two decides the URL in neither file.
type pairing struct {
	differ   *differ
	change   *Change
	old, new *ruleset
	found    map[[2]int]bool // the pairs found so far: for each, the line of the rule in the old file and in the new file
}

func (p *pairing) run() {
	if p.old.equals(p.new) {
		return
	}
	for _, a := range p.old.live {
		if p.new.has(a) {
			continue
		}
		for b := range p.new.headsOf(!a.rule.Allow).compatible(a.head()) {
			if !(b.beats(a) && p.old.has(b)) && !p.try(a, b) {
				return
			}
		}
	}
	for _, b := range p.new.live {
		if p.old.has(b) {
			continue
		}
		for a := range p.old.headsOf(!b.rule.Allow).compatible(b.head()) {
			if p.new.has(a) && !a.beats(b) && !p.try(a, b) {
				return
			}
		}
	}
}

// try searches for a URL about which pattern a decides in the old file and pattern b in the
// new file. If there is one, try adds a Difference to the change. If the search exceeds its
// own budget, try adds one of the two rules to the undecided rules of its file. If the budget of
// the whole comparison is exceeded, try returns false.
func (p *pairing) try(a, b *pattern) bool {
	lines := [2]int{a.rule.Line, b.rule.Line}
	if p.found[lines] {
		return true
	}
	f := &p.differ.finder
	target, end := f.find(a, b)
	switch {
	case end == found:
		f.budget -= differenceCost
		p.found[lines] = true
		p.change.Differences = append(p.change.Differences, p.difference(target))
	case end == unclear && f.budget <= 0:
		p.change.Incomplete = true
	case end == unclear && (p.new.has(a) || a.rule.Line == noRule):
		p.change.UndecidedNew = appendRule(p.change.UndecidedNew, b.rule)
	case end == unclear:
		p.change.UndecidedOld = appendRule(p.change.UndecidedOld, a.rule)
	}
	return !p.change.Incomplete
}

// appendRule appends a rule unless it is already the last one.
func appendRule(rules []robotstxt.Rule, r robotstxt.Rule) []robotstxt.Rule {
	if len(rules) > 0 && rules[len(rules)-1] == r {
		return rules
	}
	return append(rules, r)
}

func (p *pairing) difference(target string) Difference {
	url := urlOf(target)
	return Difference{URL: url, Old: p.old.group.Decide(url), New: p.new.group.Decide(url)}
}

// has reports whether s contains a pattern that matches the same targets as p, and has the same
// number of octets and the same verdict.
func (s *ruleset) has(p *pattern) bool {
	if p.rule.Line == noRule {
		return s.none.rule.Allow == p.rule.Allow
	}
	q := s.byLanguage[p.language()]
	return q != nil && q.octets == p.octets && q.rule.Allow == p.rule.Allow
}

// equals reports whether two groups have the same rules in the same order. Most pairs of groups
// are equal in this way, so Diff needs no search to compare them.
func (s *ruleset) equals(other *ruleset) bool {
	return s.none.rule.Allow == other.none.rule.Allow &&
		slices.EqualFunc(s.all, other.all, func(p, q pattern) bool {
			return p.language() == q.language() && p.octets == q.octets && p.rule.Allow == q.rule.Allow
		})
}
