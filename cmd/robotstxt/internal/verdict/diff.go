package verdict

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/witness"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Change has what two files say differently to some crawlers.
type Change struct {
	rules.Change
	// Verdicts has the verdicts of the Differences, in the same order. Then come readings: decisions that stay as they
	// are, but others now read the lines that decide differently.
	Verdicts []Difference
}

// A Difference has the verdicts of the old and the new file about a URL.
type Difference struct {
	URL      string
	Old, New Verdict
}

// Diff compares two files as [rules.Diff] does, and also finds readings. Crawlers about whose verdicts other notes
// must be said have a Change of their own.
func Diff(old, new File, opts rules.Options) (changes []Change) {
	const mostVerdicts = 50_000 // only hostile files need more
	opts.Names = crawlers.Names
	var agents []string
	bases := map[string]rules.Change{} // by agent
	for _, base := range rules.Diff(old.File, new.File, opts) {
		if base.Others {
			base.Agents = append(slices.Clone(base.Agents), "*")
		}
		for _, agent := range base.Agents {
			agents = append(agents, agent)
			bases[agent] = base
		}
	}
	paths, named := decidedPaths(old, new)
	if len(opts.Agents) > 0 {
		named = opts.Agents
	}
	verdicts, done := 0, map[string]bool{}
	for _, agent := range append(agents, named...) {
		if done[lex.Fold(agent)] {
			continue
		}
		done[lex.Fold(agent)] = true
		c := Change{Change: bases[agent]}
		oldGroup, newGroup := old.Group(agent), new.Group(agent)
		decided := slices.Concat(paths[oldGroup.token()], paths[newGroup.token()])
		if verdicts += len(c.Differences) + len(decided); verdicts > mostVerdicts {
			c.Incomplete, decided = true, nil
		}
		for _, d := range c.Differences {
			c.Verdicts = append(c.Verdicts, Difference{d.URL, oldGroup.Decide(d.URL), newGroup.Decide(d.URL)})
		}
		for _, path := range decided {
			if d := (Difference{path, oldGroup.Decide(path), newGroup.Decide(path)}); d.isReading() && !slices.ContainsFunc(c.Verdicts, d.hasSameRules) {
				c.Verdicts = append(c.Verdicts, d)
			}
		}
		if len(c.Verdicts)+len(c.UndecidedOld)+len(c.UndecidedNew) > 0 || c.Incomplete {
			changes = addChange(changes, c, agent)
		}
	}
	return changes
}

// decidedPaths returns URLs that rules decide, by the token of the group, and the tokens. It returns nothing if all
// read both files alike, so that there are no readings.
func decidedPaths(old, new File) (paths map[string][]string, tokens []string) {
	if old.readings.isPlain() && new.readings.isPlain() {
		return nil, nil
	}
	paths = map[string][]string{}
	for _, f := range []File{old, new} {
		for _, w := range witness.Find(f.File) {
			paths[lex.Fold(w.Agent)] = append(paths[lex.Fold(w.Agent)], w.Path)
			tokens = append(tokens, w.Agent)
		}
	}
	return paths, tokens
}

func (g Group) token() string { return lex.Fold(g.Group.Decide("/").Token) }

// isReading reports whether only the way in which others read the deciding lines changes.
func (d Difference) isReading() bool {
	isDecided := d.Old.Reason == robotstxt.RuleMatched || d.New.Reason == robotstxt.RuleMatched
	hasSameCode := func(a, b reading.Note) bool { return a.Code == b.Code }
	return isDecided && d.Old.Allowed == d.New.Allowed && !slices.EqualFunc(d.Old.Caveats(), d.New.Caveats(), hasSameCode)
}

func (d Difference) hasSameRules(other Difference) bool {
	return d.Old.Rule == other.Old.Rule && d.New.Rule == other.New.Rule
}

// addChange adds a change for an agent: to an equal one about which the same notes must be said, or else at the end.
func addChange(changes []Change, c Change, agent string) []Change {
	c.Agents, c.Others = nil, false
	i := slices.IndexFunc(changes, func(other Change) bool {
		hasSameNotes := func(x, y Difference) bool {
			return x.URL == y.URL && slices.Equal(x.Old.Notes, y.Old.Notes) && slices.Equal(x.New.Notes, y.New.Notes)
		}
		other.Agents, other.Others = nil, false
		return reflect.DeepEqual(other.Change, c.Change) && slices.EqualFunc(other.Verdicts, c.Verdicts, hasSameNotes)
	})
	if i < 0 {
		i = len(changes)
		changes = append(changes, c)
	}
	if agent == "*" {
		changes[i].Others = true
	} else {
		changes[i].Agents = append(changes[i].Agents, agent)
	}
	return changes
}

// Notes returns the readings, and the notes about the changed verdicts, as lines of text.
func (c Change) Notes() (lines []string) {
	for _, d := range c.Verdicts {
		if d.Old.Allowed == d.New.Allowed {
			lines = append(lines, fmt.Sprintf("still %s  %s  %s (before: %s)", d.New.Outcome(), lex.Printable(d.URL), d.New.Why(), d.Old.Why()))
			continue
		}
		for _, n := range append(slices.Clone(d.Old.Notes), d.New.Notes...) {
			side := "old"
			if slices.Contains(d.New.Notes, n) {
				side = "new"
			}
			if line := fmt.Sprintf("in the %s file, %s", side, lex.Printable(n.Text)); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
