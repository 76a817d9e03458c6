package rules

import "slices"

// The budgets limit time and memory, whatever the rules are. Budgets and costs have the same
// unit: the work for one pattern in one state of a search, which takes four bytes and a few
// nanoseconds.
const (
	searchBudget   = 200_000    // budget of a single search
	totalBudget    = 20_000_000 // budget of all searches in one call of Diff, DeadRules or CoverageOf
	searchCost     = 8          // cost of starting a search
	ruleCost       = 16         // cost of compiling a rule
	differenceCost = 100        // cost of adding a Difference to a Change
)

// askCost estimates the cost of one call of Group.Decide.
func (s *ruleset) askCost(target string) int {
	return (8 + s.wild/16 + len(s.all)/128) * (1 + len(target)/256)
}

// A finder searches for URLs. It has one or two groups. Each search has one goal for each
// group: a pattern of the group. The search looks for a URL that every goal decides in its
// group.
//
// The search begins with a target that all goals match, and asks each group which pattern
// decides the target. If another pattern decides instead of a goal, this pattern becomes a
// blocker. The search then continues with a target that all goals match, but no blocker does.
// So the search follows only the goals and the blockers, not all patterns of the groups. Every
// URL that a search returns has been checked with Group.Decide.
type finder struct {
	sides    []*ruleset
	blockers []*pattern // the blockers that the last search found
	product  product
	budget   int // what remains of the total budget
}

func newFinder(sides ...*ruleset) *finder {
	return &finder{sides: sides, budget: totalBudget}
}

// find searches for a target that every goal decides. Each goals[i] must decide the target in
// the group of f.sides[i].
func (f *finder) find(goals ...*pattern) (target string, end outcome) {
	f.blockers = f.blockers[:0]
	f.budget -= searchCost
	if f.budget <= 0 {
		return "", unclear
	}
	if target, ok := f.guess(goals); ok {
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

// guess makes an example of each goal, and returns the first of these examples that all goals
// match. If there is no such example, ok is false.
func (f *finder) guess(goals []*pattern) (target string, ok bool) {
	for _, goal := range goals {
		target = goal.example()
		f.budget -= len(target)
		if !slices.ContainsFunc(goals, func(p *pattern) bool { return !p.matches(target) }) {
			return target, true
		}
	}
	return "", false
}

// The method check returns disagreement if a group's decision contradicts the group's
// patterns. This should never happen. If it does, the rule is reported as undecided.
var disagreement = &pattern{}

// check asks each group which pattern decides the target. The group f.sides[i] passes if goals[i]
// or another pattern of the same rule decides. If all groups pass, check returns nil. Otherwise it
// returns the pattern that decides in the first group that does not pass. If the decision of this
// group contradicts its patterns, check returns disagreement.
func (f *finder) check(target string, goals []*pattern) *pattern {
	url := urlOf(target)
	for i, goal := range goals {
		f.budget -= f.sides[i].askCost(target)
		_, p := f.sides[i].decide(target, url)
		switch {
		case p == nil:
			return disagreement
		case p.rule.Line == goal.rule.Line: // the goal's rule decides, with the goal itself or with another of its patterns
		case !p.beats(goal) || !p.matches(target):
			return disagreement
		default:
			return p
		}
	}
	return nil
}
