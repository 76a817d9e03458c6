package rules

import "slices"

// The budgets limit time and memory, whatever the rules. Their unit is the position of
// one pattern in one state of a search, which takes four bytes and a few nanoseconds.
// The costs of other work are given in the same unit.
const (
	searchBudget   = 200_000    // of a single search
	totalBudget    = 20_000_000 // of all searches of a call
	searchCost     = 8          // of starting one
	ruleCost       = 16         // of compiling a rule
	differenceCost = 100        // of keeping a difference
)

// askCost estimates the cost of a decision. Decide skips most rules.
func (s *ruleset) askCost(target string) int {
	return (8 + s.wild/16 + len(s.all)/128) * (1 + len(target)/256)
}

// A finder looks for URLs that given rules decide. It searches for a target that these
// rules match, and then asks the groups about it. If another rule decides, the finder
// adds that rule to those that must not match, and searches again. So only the few
// rules that get in the way take part in a search, and every URL that is found has
// been checked.
type finder struct {
	sides    []*ruleset
	blockers []*pattern // rules that got in the way in the last search
	product  product
	budget   int // the remaining total budget
}

func newFinder(sides ...*ruleset) *finder {
	return &finder{sides: sides, budget: totalBudget}
}

// find looks for a URL that each goal decides in the group on its side.
func (f *finder) find(goals ...*pattern) (target string, end outcome) {
	f.blockers = f.blockers[:0]
	f.budget -= searchCost
	if f.budget <= 0 {
		return "", unclear
	}
	if target, ok := f.guess(goals, "x"); ok {
		switch blocker := f.check(target, goals); {
		case blocker == nil:
			return target, found
		case blocker != disagreement:
			f.blockers = append(f.blockers, blocker)
		}
	}
	for left := searchBudget; ; {
		before := left
		target, end = f.product.shortest(goals, f.blockers, &left)
		if f.budget -= before - left; end != found {
			return "", end
		}
		blocker := f.check(target, goals)
		if blocker == nil {
			return target, found
		}
		if blocker == disagreement || slices.Contains(f.blockers, blocker) {
			return "", unclear
		}
		f.blockers = append(f.blockers, blocker)
	}
}

// guess returns a target that all goals match, if the example of one goal is such a
// target.
func (f *finder) guess(goals []*pattern, word string) (target string, ok bool) {
	for _, goal := range goals {
		target = goal.example(word)
		f.budget -= len(target)
		if !slices.ContainsFunc(goals, func(p *pattern) bool { return !p.matches(target) }) {
			return target, true
		}
	}
	return "", false
}

// disagreement is the result of check for a decision that the patterns cannot explain.
// That should never happen; if it does, the rule is reported as undecided rather than
// wrongly.
var disagreement = &pattern{}

// check returns nil if the goals decide the target, or else a pattern that decides in
// place of a goal.
func (f *finder) check(target string, goals []*pattern) *pattern {
	url := urlOf(target)
	for i, goal := range goals {
		f.budget -= f.sides[i].askCost(target)
		_, p := f.sides[i].decide(target, url)
		switch {
		case p == nil:
			return disagreement
		case p.rule.Line == goal.rule.Line: // the goal, or the line's other pattern
		case !p.beats(goal) || !p.matches(target):
			return disagreement
		default:
			return p
		}
	}
	return nil
}

// more returns up to n further targets that the goals decide.
func (f *finder) more(target string, n int, goals ...*pattern) []string {
	targets := []string{target}
	for i := 0; len(targets) <= n && i < 4*n+20; i++ {
		word := word(i)
		candidates := []string{target + word}
		if t, ok := f.guess(goals, word); ok {
			candidates = append(candidates, t)
		}
		for _, t := range candidates {
			if len(targets) <= n && !slices.Contains(targets, t) && f.check(t, goals) == nil {
				targets = append(targets, t)
			}
		}
	}
	return targets[1:]
}
