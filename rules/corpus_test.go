package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

// corpus reads the robots.txt files in the folder that ROBOTSTXT_CORPUS names.
func corpus(t *testing.T) (names []string, files [][]byte) {
	t.Helper()
	dir := os.Getenv("ROBOTSTXT_CORPUS")
	if dir == "" {
		t.Skip("SKIPPED: set ROBOTSTXT_CORPUS to a folder of robots.txt files to run this test on real files")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) < 2 {
		t.Fatalf("not a folder of robots.txt files: %s (%v)", dir, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	return names, files
}

// A stopwatch records the time for each file. Tests log the times, but do not judge them.
type stopwatch struct {
	names []string
	times []time.Duration
}

func (s *stopwatch) time(name string, f func()) {
	start := time.Now()
	f()
	s.names, s.times = append(s.names, name), append(s.times, time.Since(start))
}

// report logs the median and the maximum.
func (s *stopwatch) report(t *testing.T) {
	t.Helper()
	slowest := slices.Index(s.times, slices.Max(s.times))
	name := filepath.Base(s.names[slowest])
	longest := s.times[slowest]
	slices.Sort(s.times)
	t.Logf("median %v, longest %v (%s)", s.times[len(s.times)/2], longest, name)
}

// A tally counts the rules of files, and what a test found out about them.
type tally struct{ rules, undecided, differences, dead, deadFiles int }

func (n *tally) report(t *testing.T) {
	t.Helper()
	t.Logf("%+v", *n)
	if n.undecided*50 >= n.rules {
		t.Errorf("%d of %d rules are undecided, want less than 2 %%", n.undecided, n.rules)
	}
}

func countRules(f *robotstxt.File) (n int) {
	for _, g := range f.Groups() {
		n += len(g.Rules())
	}
	return n
}

// diff compares two files, counts the differences, and checks them with Decide.
func (n *tally) diff(t *testing.T, watch *stopwatch, name string, old, new *robotstxt.File) {
	var changes []rules.Change
	watch.time(name, func() { changes = rules.Diff(old, new, rules.Options{}) })
	for _, c := range changes {
		n.undecided += len(c.UndecidedOld) + len(c.UndecidedNew)
		n.differences += len(c.Differences)
		if c.Incomplete {
			n.undecided += countRules(old) + countRules(new)
		}
		agent := ""
		if !c.Others {
			agent = c.Agents[0]
		}
		for _, d := range c.Differences {
			checkDifference(t, old, new, agent, d)
		}
	}
}

// TestCorpusDead looks for dead rules in all groups of all files, and tests that deleting
// them changes no verdict.
func TestCorpusDead(t *testing.T) {
	names, files := corpus(t)
	var watch stopwatch
	var n tally
	coverage := map[string]int{}
	for i, data := range files {
		f := robotstxt.Parse(data)
		n.rules += countRules(f)
		before := n.dead
		watch.time(names[i], func() {
			for _, g := range f.Groups() {
				dead, undecided := rules.DeadRules(g)
				n.dead += len(dead)
				n.undecided += len(undecided)
				coverage[rules.CoverageOf(g).String()]++
			}
		})
		if n.dead > before {
			n.deadFiles++
		}
		for _, g := range f.Groups() {
			checkDeleted(t, data, g)
		}
	}
	n.report(t)
	watch.report(t)
	t.Logf("coverage of groups: %v", coverage)
}

// checkDeleted tests that no verdict changes if the dead rules of a group are deleted.
func checkDeleted(t *testing.T, data []byte, g *robotstxt.Group) {
	t.Helper()
	dead, _ := rules.DeadRules(g)
	if len(dead) == 0 {
		return
	}
	old := robotstxt.Parse(withoutRules(data, nil))
	new := robotstxt.Parse(withoutRules(data, dead))
	for _, c := range rules.Diff(old, new, rules.Options{Agents: g.Tokens()}) {
		for _, d := range c.Differences {
			t.Errorf("deleting the dead rules %v changes a verdict: %v", dead, d)
		}
	}
}

// withoutRules replaces the dead rules of a file with empty rules, so that the other lines
// keep their numbers and groups stay apart.
func withoutRules(data []byte, dead []rules.DeadRule) []byte {
	var lines []string
	for l := range robotstxt.Lines(data) {
		lines = append(lines, l.Text)
	}
	for _, d := range dead {
		lines[d.Rule.Line-1] = "Disallow:"
	}
	return []byte(strings.Join(lines, "\n"))
}

// TestCorpusPairs compares each file with the next.
func TestCorpusPairs(t *testing.T) {
	names, files := corpus(t)
	var watch stopwatch
	var n tally
	old := robotstxt.Parse(nil)
	for i, data := range files {
		new := robotstxt.Parse(data)
		n.rules += countRules(new)
		n.diff(t, &watch, names[i], old, new)
		old = new
	}
	n.report(t)
	watch.report(t)
}

// TestCorpusEdits compares each file with copies in which a rule is dropped, changed or
// added.
func TestCorpusEdits(t *testing.T) {
	names, files := corpus(t)
	var watch stopwatch
	var n tally
	for i, data := range files {
		var lines []string
		var places []int // of rules
		for l := range robotstxt.Lines(data) {
			if l.Kind == robotstxt.AllowKind || l.Kind == robotstxt.DisallowKind {
				places = append(places, len(lines))
			}
			lines = append(lines, l.Text)
		}
		if len(places) == 0 {
			continue
		}
		old := robotstxt.Parse(data)
		place := places[len(places)/2]
		for _, line := range []string{"Disallow:", "Disallow: /*x", lines[place] + "\nAllow: /*?", lines[place] + "x"} {
			edited := slices.Clone(lines)
			edited[place] = line
			new := robotstxt.Parse([]byte(strings.Join(edited, "\n")))
			n.rules += countRules(new)
			n.diff(t, &watch, names[i], old, new)
		}
	}
	n.report(t)
	watch.report(t)
}
