package verdict

import (
	"fmt"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/witness"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/rules"
)

// A Change has what two files say differently to some crawlers.
type Change struct {
	rules.Change              // the changed decisions
	Verdicts     []Difference // of the Differences, in the same order
	Readings     []Difference // decisions that stay, but others read the deciding lines differently now
}

// A Difference has the verdicts of the old and the new file about a URL.
type Difference struct {
	URL      string
	Old, New Verdict
}

// mostVerdicts limits the time for hostile files: Diff makes no more verdicts than these for the changes, and as
// many again to find other readings.
const mostVerdicts = 100_000

// Diff compares two files as [rules.Diff] does. It also finds rules that decide as before, but whose lines are
// written in such a way that others now read them differently, or no longer do. Crawlers about whose verdicts other
// notes must be said have a Change of their own.
func Diff(old, new File, opts rules.Options) (changes []Change) {
	opts.Follows = known.Follows()
	budget := mostVerdicts
	for _, c := range rules.Diff(old.File, new.File, opts) {
		agents := c.Agents
		if c.Others {
			agents = append(slices.Clone(agents), "*")
		}
		first := len(changes)
		for _, agent := range agents {
			var verdicts []Difference
			if budget -= len(c.Differences); budget >= 0 {
				oldGroup, newGroup := old.Group(agent), new.Group(agent)
				for _, d := range c.Differences {
					verdicts = append(verdicts, Difference{d.URLs[0], oldGroup.Decide(d.URLs[0]), newGroup.Decide(d.URLs[0])})
				}
			}
			changes = addChange(changes, first, agent, Change{Change: c, Verdicts: verdicts})
		}
	}
	return slices.Concat(changes, readingChanges(old, new, opts.Agents))
}

// addChange adds a change for an agent: to the first of the changes, from an index on, about which the same notes
// must be said, or else at the end.
func addChange(changes []Change, from int, agent string, c Change) []Change {
	i := from
	for i < len(changes) && !(hasSameNotes(changes[i].Verdicts, c.Verdicts) && hasSameNotes(changes[i].Readings, c.Readings)) {
		i++
	}
	if i == len(changes) {
		c.Agents, c.Others = nil, false
		changes = append(changes, c)
	}
	if agent == "*" {
		changes[i].Others = true
	} else {
		changes[i].Agents = append(changes[i].Agents, agent)
	}
	return changes
}

func hasSameNotes(a, b []Difference) bool {
	return slices.EqualFunc(a, b, func(x, y Difference) bool {
		return x.URL == y.URL && x.Old.Rule == y.Old.Rule && x.New.Rule == y.New.Rule && slices.Equal(x.Old.Notes, y.Old.Notes) && slices.Equal(x.New.Notes, y.New.Notes)
	})
}

// readingChanges returns the changes without a changed decision, for some agents or, if there are none, for all.
func readingChanges(old, new File, agents []string) (changes []Change) {
	if old.readings.isPlain() && new.readings.isPlain() {
		return nil // only to save time
	}
	paths := map[string][]string{} // URLs that rules of a group decide, by its token
	var named []string
	for _, f := range []File{old, new} {
		for _, w := range witness.Find(f.File) {
			key := lex.Fold(w.Agent)
			paths[key] = append(paths[key], w.Path)
			named = append(named, w.Agent)
		}
	}
	if len(agents) == 0 {
		agents = named
	}
	done := map[string]bool{}
	budget := mostVerdicts
	for i, agent := range agents {
		if done[lex.Fold(agent)] {
			continue
		}
		done[lex.Fold(agent)] = true
		oldGroup, newGroup := old.Group(agent), new.Group(agent)
		tokens := []string{lex.Fold(oldGroup.Decide("/").Token), lex.Fold(newGroup.Decide("/").Token)}
		found := slices.Concat(paths[tokens[0]], paths[tokens[1]])
		if budget -= len(found); budget < 0 {
			return append(changes, Change{Change: rules.Change{Agents: agents[i:], Incomplete: true}})
		}
		var readings []Difference
		for _, path := range found {
			d := Difference{path, oldGroup.Decide(path), newGroup.Decide(path)}
			isKnown := func(other Difference) bool { return other.Old.Rule == d.Old.Rule && other.New.Rule == d.New.Rule }
			if d.isReading() && !slices.ContainsFunc(readings, isKnown) {
				readings = append(readings, d)
			}
		}
		if len(readings) > 0 {
			changes = addChange(changes, 0, agent, Change{Readings: readings})
		}
	}
	return changes
}

// isReading reports whether only the way in which others read the deciding lines changes.
func (d Difference) isReading() bool {
	isDecided := d.Old.Reason == robotstxt.RuleMatched || d.New.Reason == robotstxt.RuleMatched
	return isDecided && d.Old.Allowed == d.New.Allowed && d.Old.caveatCodes() != d.New.caveatCodes()
}

func (v Verdict) caveatCodes() (codes string) {
	for _, n := range v.Caveats() {
		codes += n.Code + " "
	}
	return codes
}

// Lines returns the notes about the changed verdicts and then the readings, as lines of text.
func (c Change) Lines() (lines []string) {
	for _, side := range []string{"old", "new"} {
		for _, d := range c.Verdicts {
			v := d.New
			if side == "old" {
				v = d.Old
			}
			for _, n := range v.Notes {
				if line := fmt.Sprintf("in the %s file, %s", side, lex.Printable(n.Text)); !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
		}
	}
	for _, d := range c.Readings {
		lines = append(lines, fmt.Sprintf("still %s  %s  %s (before: %s)", d.New.Outcome(), lex.Printable(d.URL), d.New.Why(), d.Old.Why()))
	}
	return lines
}
